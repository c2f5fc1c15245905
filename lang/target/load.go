package target

import (
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/parse"
)

// Bounds of what one source may bring in.
const (
	MaxModules = 512      // files of one compile
	MaxImports = 64       // imports of imports in a row
	MaxAsset   = 64 << 20 // bytes of an asset
)

// Load parses a source and the modules it imports, depth first. root is the
// folder that imports stay in; nil has no files, which is right for a text that
// came alone. A module that is not there is IMP001; one with errors is reported
// with them.
func Load(root fs.FS, name string, raw []byte, format ast.Format) Source {
	l := &loader{root: root, seen: map[string]bool{name: true}}
	main, found := parse.File(name, raw, format)
	l.found = found
	l.imports(main, 0)
	src := Source{Main: main, More: l.more, Found: l.found}
	if root != nil {
		dir := path.Dir(name)
		src.Asset = func(p string) ([]byte, bool) {
			data, ok := l.read(resolve(dir, p), MaxAsset)
			return data, ok
		}
	}
	return src
}

type loader struct {
	root  fs.FS
	seen  map[string]bool
	more  []*ast.File
	found []diag.Diagnostic
}

// imports loads what a file imports before the file itself.
func (l *loader) imports(f *ast.File, depth int) {
	for _, it := range f.Items() {
		var from ast.Node
		switch it := it.(type) {
		case *ast.Import:
			from = it.Source
		case *ast.Export:
			from = it.Source
		}
		spec := ""
		switch n := from.(type) {
		case *ast.String:
			spec = n.Value()
		case *ast.Path:
			spec = strings.ReplaceAll(n.Raw, ".", "/")
		}
		if spec == "" {
			continue
		}
		l.load(f, from, spec, depth)
	}
}

func (l *loader) load(f *ast.File, at ast.Node, spec string, depth int) {
	if strings.Contains(spec, "://") {
		l.report(f, at, "IMP005", spec)
		return
	}
	if strings.HasPrefix(spec, "std/") {
		return
	}
	base := resolve(path.Dir(f.Path()), spec)
	if base == "" {
		l.report(f, at, "IMP004", spec)
		return
	}
	if l.root == nil {
		l.report(f, at, "IMP001", spec, "")
		return
	}
	for _, end := range []string{"", ".hsplus", ".hs", ".holo", "/index.hsplus", "/index.hs", "/index.holo"} {
		name := base + end
		format, ok := ast.FormatOf(name)
		if !ok && end == "" {
			if strings.Contains(path.Base(name), ".") { // an asset or data
				if _, there := l.read(name, MaxAsset); there {
					return
				}
			}
			continue
		}
		if l.seen[name] {
			return
		}
		raw, there := l.read(name, 8<<20+4)
		if !there {
			continue
		}
		l.seen[name] = true
		if len(l.seen) > MaxModules || depth > MaxImports {
			l.report(f, at, "LIM004", "the number of modules", "more", "512")
			return
		}
		m, found := parse.File(name, raw, format)
		l.found = append(l.found, found...)
		l.imports(m, depth+1)
		l.more = append(l.more, m)
		return
	}
	l.report(f, at, "IMP001", spec, "")
}

func (l *loader) report(f *ast.File, at ast.Node, code diag.Code, slots ...string) {
	sp := at.Span()
	bag := diag.NewBag(f.Path(), f.Stream.Source)
	bag.Add(code, int(sp.Start), int(sp.End), slots...)
	l.found = append(l.found, bag.All()...)
}

// resolve is a specifier as a path below the root, empty when it leaves it.
func resolve(dir, spec string) string {
	if strings.ContainsAny(spec, "\\\x00") {
		return ""
	}
	spec = strings.TrimPrefix(spec, "@")
	switch {
	case strings.HasPrefix(spec, "/"):
		spec = strings.TrimPrefix(spec, "/")
	case strings.HasPrefix(spec, "./"), strings.HasPrefix(spec, "../"):
		spec = path.Join(dir, spec)
	default:
		if !strings.Contains(path.Base(spec), ".") {
			spec = path.Join("modules", spec)
		} else {
			spec = path.Join(dir, spec)
		}
	}
	spec = path.Clean(spec)
	if !fs.ValidPath(spec) || spec == "." {
		return ""
	}
	return spec
}

func (l *loader) read(name string, most int64) ([]byte, bool) {
	if name == "" || l.root == nil {
		return nil, false
	}
	f, err := l.root.Open(name)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil || int64(len(data)) > most {
		return nil, false
	}
	return data, true
}
