package target

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/estimate"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/trait"
)

// Source is what is compiled: parsed files with what was found in them.
type Source struct {
	Main *ast.File
	More []*ast.File // the modules it imports, in the order they are evaluated
	// Imports are the names that these files import, by path and name.
	Imports map[string]map[string]scene.Import
	// Found are the diagnostics of parsing and checking.
	Found []diag.Diagnostic
	// Registry is the set of traits; nil is the built-in one.
	Registry *trait.Registry
	// Asset reads a file that the source names; nil has none.
	Asset func(path string) ([]byte, bool)
}

// Request says what to compile a source to.
type Request struct {
	Target  string
	Options map[string]any
	Limits  scene.Limits
	MaxSize int // bytes of the artefact; 0 is artefact.MaxSize
	// Step, when set, is called between pieces of the work; an error of it ends
	// the compile and is returned as it is.
	Step func() error
	// Version is the version that artefacts name; empty is that of the compiler.
	Version string
}

// Result is a compiled source.
type Result struct {
	Target       *Target
	Files        []artefact.File
	Places       []artefact.Place
	Losses       []scene.Loss
	Diagnostics  []diag.Diagnostic
	SourceSHA256 string
	Compiler     string
	Scene        *scene.Scene
}

// UnknownTarget is a target nobody has.
type UnknownTarget struct {
	Name    string
	Nearest string
	Planned bool
}

// Error implements error.
func (e *UnknownTarget) Error() string {
	hint := ""
	switch {
	case e.Planned:
		hint = " It is planned, not built."
	case e.Nearest != "":
		hint = " Did you mean '" + e.Nearest + "'?"
	}
	return diag.Message("TGT001", e.Name, hint)
}

// SourceError is a source with errors. All has every diagnostic.
type SourceError struct{ All []diag.Diagnostic }

// Error implements error.
func (e *SourceError) Error() string {
	for _, d := range e.All {
		if d.Severity == diag.Error {
			return d.String()
		}
	}
	return "source has errors"
}

// Unsupported is what a strict compile would leave out.
type Unsupported struct {
	Target string
	Losses []scene.Loss
}

// Error implements error.
func (e *Unsupported) Error() string {
	return fmt.Sprintf("%s cannot carry %d features of this source, the first: %s", e.Target, len(e.Losses), e.Losses[0].Feature)
}

// Compile makes the artefact of a source. Its errors are *UnknownTarget,
// *OptionsError, *SourceError and *Unsupported.
func Compile(src Source, req Request) (*Result, error) {
	t, ok := Find(req.Target)
	if !ok {
		near, _ := Nearest(req.Target)
		return nil, &UnknownTarget{req.Target, near, Planned(req.Target)}
	}
	options, err := t.check(req.Options)
	if err != nil {
		return nil, err
	}
	if hasErrors(src.Found) {
		return nil, &SourceError{src.Found}
	}
	if t.ID == layersID {
		return layers(src, t, options, req)
	}
	c := &compile{source: src, target: t, options: options, version: cmp.Or(req.Version, artefact.Version)}
	if c.source.Registry == nil {
		c.source.Registry = trait.Builtin()
	}
	r, err := c.run(req)
	if err != nil {
		return nil, err
	}
	return r, nil
}

func hasErrors(found []diag.Diagnostic) bool {
	return slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })
}

type compile struct {
	source  Source
	target  *Target
	options artefact.Options
	version string
	found   []diag.Diagnostic
	said    map[finding]bool // of found, filled when the first is added
}

// finding is what two equal findings have in common.
type finding struct {
	code    diag.Code
	file    string
	offset  int
	message string
}

func findingOf(d *diag.Diagnostic) finding { return finding{d.Code, d.File, d.Offset, d.Message} }

// run has a net below every stage: a fault of the compiler itself is INT001.
func (c *compile) run(req Request) (r *Result, err error) {
	stage := "building the scene"
	defer func() {
		p := recover()
		if stopped, ok := artefact.Stopped(p); ok {
			r, err = nil, stopped
		} else if p != nil {
			d := diag.Diagnostic{
				Code: diag.INT001, Message: diag.Message(diag.INT001, fmt.Sprintf("%s (%v)", stage, p)), File: c.source.Main.Path(),
				Line: 1, Column: 1, EndLine: 1, EndColumn: 1,
			}
			r, err = nil, &SourceError{append(slices.Clone(c.source.Found), d)}
		}
	}()
	s, built := scene.Build(c.source.Main, c.source.More, scene.Options{
		Targets: Known,
		Target:  c.target.ID, Platforms: c.target.platforms, Registry: c.source.Registry, Imports: c.source.Imports, Prototypes: c.target.spawns, Limits: req.Limits, Compiler: c.version, Step: req.Step,
	})
	if req.Step != nil {
		if err := req.Step(); err != nil {
			return nil, err
		}
	}
	c.found = merge(c.source.Found, built)
	if hasErrors(built) {
		return nil, &SourceError{c.found}
	}
	c.assets(s)
	if node := c.options.Text("node"); node != "" {
		if err := s.Only(node); err != nil {
			return nil, &OptionsError{Name: "node", Reason: err.Error()}
		}
	}
	s.Refine(c.options.Text("quality"))
	losses := artefact.Losses(s, c.source.Registry, c.target.ID, c.target.Features, c.target.how)
	losses = slices.DeleteFunc(losses, func(l scene.Loss) bool {
		return l.Trait != "" && c.target.takes(l.Trait)
	})
	s.Losses = losses
	stage = "counting"
	most, limits := cmp.Or(req.MaxSize, artefact.MaxSize), req.Limits.Complete()
	if _, over := estimate.Check(s, c.target.meshes, estimate.Limits{Triangles: limits.Triangles, Texts: limits.Texts, Size: most}); over != nil {
		c.add(s, over.Code, diag.Error, scene.Src{0, 1, 1}, over.Slots()...)
		return nil, &SourceError{c.found}
	}
	stage = "writing " + c.target.ID
	in := &artefact.Input{
		Step: req.Step, Scene: s, Files: append([]*ast.File{c.source.Main}, c.source.More...), Target: c.target.ID, Options: c.options, Registry: c.source.Registry, Version: c.version,
	}
	out, err := c.target.emit(in)
	var fault *artefact.Fault
	if errors.As(err, &fault) {
		c.add(s, fault.Code, diag.Error, scene.Src{0, 1, 1}, fault.Slots...)
		return nil, &SourceError{c.found}
	}
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", c.target.ID, err)
	}
	if req.Step != nil {
		if err := req.Step(); err != nil {
			return nil, err
		}
	}
	size := 0
	for _, f := range out.Files {
		size += len(f.Data)
	}
	if size > most {
		c.add(s, "LIM006", diag.Error, scene.Src{0, 1, 1}, "the size of the artefact", fmt.Sprint(size), fmt.Sprint(most))
		return nil, &SourceError{c.found}
	}
	losses = append(losses, out.Losses...)
	c.lossNotes(s, losses)
	for _, l := range in.Left {
		c.add(s, "FLO012", diag.Warning, scene.Src{max(0, slices.Index(s.Files, l.File)), l.Line, l.Column}, firstUpper(l.What))
	}
	for _, l := range in.Unused {
		c.add(s, "LNT015", diag.Hint, scene.Src{max(0, slices.Index(s.Files, l.File)), l.Line, l.Column}, l.What)
	}
	for _, n := range out.Notes {
		severity := diag.Warning
		if n.Code == "TGT007" {
			severity = diag.Info
		}
		c.add(s, n.Code, severity, n.Src, n.Slots...)
	}
	if c.options.Flag("strict") {
		left := slices.DeleteFunc(slices.Clone(losses), func(l scene.Loss) bool { return l.Code != "TGT002" })
		if len(left) > 0 {
			return nil, &Unsupported{c.target.ID, left}
		}
	}
	return &Result{
		Target: c.target, Files: out.Files, Places: out.Places, Losses: losses, Diagnostics: c.found, SourceSHA256: s.SourceSHA256,
		Compiler: c.version, Scene: s,
	}, nil
}

func firstUpper(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// lossNotes reports every loss at its first node.
func (c *compile) lossNotes(s *scene.Scene, losses []scene.Loss) {
	for _, l := range losses {
		name := artefact.Feature(l.Feature).Name()
		if l.Trait != "" {
			name = "'@" + l.Trait + "'"
		}
		src := scene.Src{0, 1, 1}
		if len(l.Nodes) > 0 {
			src[0] = max(0, slices.Index(s.Files, l.Nodes[0].File))
			src[1] = l.Nodes[0].Line
		}
		if l.Code == "TGT003" {
			c.add(s, "TGT003", diag.Info, src, l.Target, name, l.Reason)
		} else {
			if c.target.Features[artefact.Feature(l.Feature)] != artefact.None && l.Trait == "" {
				name = "a part of " + name + " (" + l.Reason + ")" // the rest is carried
			}
			c.add(s, "TGT002", diag.Warning, src, l.Target, name)
		}
	}
}

// add appends a diagnostic that covers a line.
func (c *compile) add(s *scene.Scene, code diag.Code, severity diag.Severity, src scene.Src, slots ...string) {
	files := append([]*ast.File{c.source.Main}, c.source.More...)
	f := files[min(max(src[0], 0), len(files)-1)]
	start, end := lineSpan(f.Text(), src[1])
	if col := src[2]; col > 1 && start+col-1 < end {
		start += col - 1
	}
	d := diag.Diagnostic{Code: code, Severity: severity, Message: diag.Message(code, slots...), File: f.Path(), Offset: start, EndOffset: end}
	d.Line, d.Column = f.Stream.Source.Position(start)
	d.EndLine, d.EndColumn = f.Stream.Source.Position(end)
	if c.said == nil {
		c.said = map[finding]bool{}
		for i := range c.found {
			c.said[findingOf(&c.found[i])] = true
		}
	}
	if !c.said[findingOf(&d)] {
		c.said[findingOf(&d)] = true
		c.found = append(c.found, d)
	}
}

// lineSpan are the bytes of a line without its indentation.
func lineSpan(text string, line int) (start, end int) {
	for ; line > 1; line-- {
		i := strings.IndexByte(text[start:], '\n')
		if i < 0 {
			break
		}
		start += i + 1
	}
	end = len(text)
	if i := strings.IndexAny(text[start:], "\r\n"); i >= 0 {
		end = start + i
	}
	start += len(text[start:end]) - len(strings.TrimLeft(text[start:end], " \t"))
	return start, end
}

// merge joins the findings of two stages; equal ones are reported once.
func merge(a, b []diag.Diagnostic) []diag.Diagnostic {
	out := slices.Clone(a)
	for _, d := range b {
		if !slices.ContainsFunc(a, func(o diag.Diagnostic) bool {
			same := o.Code == d.Code || o.Code == "BLK001" && d.Code == "BLK011" // an unknown kind, and that nothing acts on it
			return same && o.File == d.File && o.Offset == d.Offset
		}) {
			out = append(out, d)
		}
	}
	return out
}

// assets reads the files that the scene names, where there are any to read.
func (c *compile) assets(s *scene.Scene) {
	if c.source.Asset == nil {
		return
	}
	total := 0
	for i := range s.Assets {
		a := &s.Assets[i]
		if a.MediaType == "" || strings.Contains(a.Path, ":") {
			continue
		}
		data, ok := c.source.Asset(a.Path)
		if total += len(data); !ok || total > artefact.MaxSize {
			continue
		}
		f := artefact.File{Data: data}
		a.Data, a.Bytes, a.SHA256 = data, len(data), f.SHA256()
	}
}

// Exceeded is the refusal of a scene that a picture would cost too much of.
func Exceeded(src Source, over *estimate.Excess) *SourceError {
	return &SourceError{append(slices.Clone(src.Found), overLimit(src, over.Code, over.Slots()...))}
}

func overLimit(src Source, code diag.Code, slots ...string) diag.Diagnostic {
	return diag.Diagnostic{
		Code: code, Severity: diag.Error, Message: diag.Message(code, slots...),
		File: src.Main.Path(), Line: 1, Column: 1, EndLine: 1, EndColumn: 1,
	}
}

// Scene is the model of a source for drawing it, with everything that was
// found. Its errors are *SourceError and that of step.
func Scene(src Source, limits scene.Limits, step func() error) (s *scene.Scene, found []diag.Diagnostic, err error) {
	if hasErrors(src.Found) {
		return nil, nil, &SourceError{src.Found}
	}
	t, _ := Find("html") // a picture shows what the page shows
	c := &compile{source: src, target: t, version: artefact.Version}
	defer func() {
		if p := recover(); p != nil {
			d := diag.Diagnostic{
				Code: diag.INT001, Message: diag.Message(diag.INT001, fmt.Sprintf("building the scene (%v)", p)), File: src.Main.Path(),
				Line: 1, Column: 1, EndLine: 1, EndColumn: 1,
			}
			s, found, err = nil, nil, &SourceError{append(slices.Clone(src.Found), d)}
		}
	}()
	s, built := scene.Build(src.Main, src.More, scene.Options{
		Targets: Known,
		Target:  t.ID, Platforms: t.platforms, Registry: src.Registry, Imports: src.Imports, Limits: limits, Compiler: c.version, Step: step,
	})
	if step != nil {
		if err := step(); err != nil {
			return nil, nil, err
		}
	}
	found = merge(src.Found, built)
	if hasErrors(built) {
		return nil, nil, &SourceError{found}
	}
	c.assets(s)
	return s, found, nil
}
