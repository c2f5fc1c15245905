package module

import (
	"path"
	"strings"

	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/trait"
)

// Kind says what an import brings.
type Kind uint8

// The kinds of imports.
const (
	Source Kind = iota // declarations
	Data               // a value or a text: .json .txt .csv .wgsl .glsl
	Asset              // a handle of a model, an image or a sound
)

var (
	sourceEnds = []string{".hsplus", ".hs", ".holo"}
	dataEnds   = []string{".json", ".txt", ".csv", ".wgsl", ".glsl"}
	assetEnds  = []string{
		".glb", ".gltf", ".usd", ".usda", ".usdc", ".usdz", ".obj", ".png", ".jpg", ".jpeg", ".webp", ".ktx2", ".hdr", ".mp3", ".ogg", ".wav",
	}
)

// KindOf is what a path's extension says an import of it brings.
func KindOf(name string) Kind {
	switch end := strings.ToLower(path.Ext(name)); {
	case contains(dataEnds, end):
		return Data
	case contains(assetEnds, end):
		return Asset
	}
	return Source
}

func contains(list []string, s string) bool {
	for _, e := range list {
		if e == s {
			return true
		}
	}
	return false
}

// Problem says why a specifier leads to no file: the code of the diagnostic,
// the slots of its message and the nearest right spelling, as a specifier.
type Problem struct {
	Code       diag.Code
	Slots      []string
	Suggestion string
}

// Resolve finds the file that a specifier in the file from means. The path is
// relative to the root. When there is none the problem says why.
func (p *Project) Resolve(from, spec string) (string, Kind, *Problem) {
	kind := KindOf(spec)
	base, problem := p.base(from, spec)
	if problem != nil {
		return "", kind, problem
	}
	candidates := []string{base}
	if kind == Source {
		for _, end := range sourceEnds {
			candidates = append(candidates, base+end)
		}
		for _, end := range sourceEnds {
			candidates = append(candidates, path.Join(base, "index"+end))
		}
	}
	for i, c := range candidates {
		if kind == Source && i == 0 && !contains(sourceEnds, path.Ext(c)) {
			continue // a file of another kind brings nothing
		}
		if p.exists(c) {
			return c, kind, nil
		}
	}
	for _, c := range candidates {
		if real, ok := p.spelling(c); ok {
			return "", kind, &Problem{Code: "IMP006", Slots: []string{real}, Suggestion: respell(spec, base, real)}
		}
	}
	if kind == Asset {
		return "", kind, &Problem{Code: "IMP008", Slots: []string{spec}}
	}
	out := &Problem{Code: "IMP001", Slots: []string{spec, ""}}
	if near, ok := p.near(base); ok {
		out.Suggestion = respell(spec, base, near)
		out.Slots[1] = " Did you mean '" + out.Suggestion + "'?"
	}
	return "", kind, out
}

// base is the path that a specifier names, before extensions are tried.
func (p *Project) base(from, spec string) (string, *Problem) {
	leaves := &Problem{Code: "IMP004", Slots: []string{spec}}
	if len(spec) > MaxSpec || strings.ContainsAny(spec, "\\\x00") {
		return "", leaves
	}
	if scheme, _, ok := strings.Cut(spec, ":"); ok && isScheme(scheme) {
		if len(scheme) == 1 { // a drive
			return "", leaves
		}
		return "", &Problem{Code: "IMP005", Slots: []string{spec}}
	}
	if strings.HasPrefix(spec, "//") {
		return "", &Problem{Code: "IMP005", Slots: []string{spec}}
	}
	var name string
	switch {
	case strings.HasPrefix(spec, "./"), strings.HasPrefix(spec, "../"):
		name = path.Join(path.Dir(from), spec)
		if path.IsAbs(from) {
			return "", leaves
		}
	case strings.HasPrefix(spec, "/"):
		name = spec[1:]
	case strings.HasPrefix(spec, "@/"):
		name = spec[2:]
	default:
		first, rest, _ := strings.Cut(spec, "/")
		folder, ok := p.modules[first]
		if !ok {
			folder = path.Join("modules", first)
		}
		if inside, fine := rooted(rest); rest != "" && (!fine || inside == ".") {
			return "", leaves
		}
		name = path.Join(folder, rest)
	}
	clean, ok := rooted(name)
	if !ok {
		return "", leaves
	}
	return clean, nil
}

func isScheme(s string) bool {
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r != '+' && r != '-' && r != '.' && (r < '0' || r > '9')) {
			return false
		}
	}
	return s != ""
}

// rooted cleans a path; it is false when the path leaves the root.
func rooted(name string) (string, bool) {
	if strings.ContainsAny(name, "\\\x00") || path.IsAbs(name) {
		return "", false
	}
	clean := path.Clean(name)
	return clean, clean != ".." && !strings.HasPrefix(clean, "../")
}

// near finds the source in the same folder whose name is nearest.
func (p *Project) near(base string) (string, bool) {
	folder, want := path.Split(base)
	folder = path.Clean(folder)
	var names []string
	real := map[string]string{}
	for _, n := range p.list(folder) {
		if end := path.Ext(n); contains(sourceEnds, end) || contains(dataEnds, end) {
			for _, spelt := range []string{n, strings.TrimSuffix(n, end)} {
				if real[spelt] == "" {
					names, real[spelt] = append(names, spelt), n
				}
			}
		}
	}
	near, ok := trait.Nearest(want, names)
	if !ok {
		return "", false
	}
	return path.Join(folder, real[near]), true
}

// respell writes a real path the way a specifier was written: with its
// beginning, and without an extension when it had none.
func respell(spec, base, real string) string {
	if path.Ext(spec) == "" || KindOf(spec) == Source && !contains(sourceEnds, strings.ToLower(path.Ext(spec))) {
		end := path.Ext(real)
		if contains(sourceEnds, end) {
			real = strings.TrimSuffix(real, end)
		}
		if strings.EqualFold(path.Dir(real), base) && path.Base(real) == "index" {
			real = path.Dir(real)
		}
	}
	// The last elements differ; what leads to them stays.
	n := strings.Count(spec, "/")
	parts := strings.Split(real, "/")
	head := strings.Split(spec, "/")
	for i := 1; i <= len(parts) && n-i+1 >= 0; i++ {
		at := n - i + 1
		if at == 0 { // the name of a module
			break
		}
		if head[at] == "." || head[at] == ".." || head[at] == "@" || head[at] == "" {
			break
		}
		head[at] = parts[len(parts)-i]
	}
	return strings.Join(head, "/")
}
