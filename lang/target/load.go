package target

import (
	"io"
	"io/fs"
	"path"
	"slices"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/check"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/module"
	"github.com/meshd/meshd/lang/parse"
	"github.com/meshd/meshd/lang/scene"
)

// MaxAsset is the most bytes of a file that a scene names.
const MaxAsset = 64 << 20

// Load parses and checks a source with the modules it imports, each before what
// imports it. root is the folder that imports stay in; nil has the source alone,
// which is right for a text that came without its neighbours. The path of the
// source is relative to the root.
func Load(root fs.FS, name string, raw []byte, format ast.Format) Source {
	files := root
	if files == nil {
		files = module.Memory{name: raw}
	}
	project, problems, err := module.Open(files)
	if err != nil { // unreadable settings are no reason not to look at the source
		d := diag.Diagnostic{Code: "IMP001", Message: err.Error(), File: module.Settings, Line: 1, Column: 1, EndLine: 1, EndColumn: 1}
		problems = append(problems, d)
		project, _, _ = module.Open(module.Memory{name: raw})
	}
	main, found := parse.File(name, raw, format)
	src := Of(project, main, check.File(main, found, check.Options{Project: project}))
	src.Found = append(problems, src.Found...)
	if root != nil {
		src.Asset = func(spec string) ([]byte, bool) {
			at, _, problem := project.Resolve(name, spec)
			if problem != nil {
				at = path.Join(path.Dir(name), spec)
			}
			return readAsset(root, at)
		}
	}
	return src
}

// Of is the source of a tree that was checked, with the modules of the project that it
// imports; without a project it stands alone. It names no assets.
func Of(project *module.Project, main *ast.File, judged *check.Result) Source {
	src := Source{Main: main, Found: judged.Diagnostics, Registry: judged.Registry}
	if project != nil {
		l := &loader{project: project, seen: map[string]bool{main.Path(): true}, names: map[string]map[string]scene.Import{}, found: slices.Clone(judged.Diagnostics)}
		l.imports(main)
		src.More, src.Imports, src.Found = l.more, l.names, l.found
	}
	return src
}

type loader struct {
	project *module.Project
	seen    map[string]bool
	more    []*ast.File
	found   []diag.Diagnostic
	names   map[string]map[string]scene.Import
}

// imports loads what a file imports before the file itself. That a module is
// not there the checker has said.
func (l *loader) imports(f *ast.File) {
	for _, it := range f.Items() {
		at, kind, ok := l.leads(f, it)
		if !ok || kind != module.Source || l.seen[at] || len(l.seen) >= module.MaxModules {
			continue
		}
		l.seen[at] = true
		m, err := l.project.Read(at)
		if err != nil {
			continue
		}
		for _, d := range m.Found {
			if d.Severity == diag.Error && !slices.ContainsFunc(l.found, func(o diag.Diagnostic) bool { return o.File == d.File && o.Offset == d.Offset }) {
				l.found = append(l.found, d)
			}
		}
		l.imports(m.Tree)
		l.more = append(l.more, m.Tree)
	}
	l.link(f)
}

// leads is the file that an import or an export of another file's names means.
func (l *loader) leads(f *ast.File, it ast.Node) (at string, kind module.Kind, ok bool) {
	var from ast.Node
	switch it := it.(type) {
	case *ast.Import:
		from = it.Source
	case *ast.Export:
		from = it.Source
	}
	spec := module.Spec(from)
	if spec == "" {
		return "", 0, false
	}
	at, kind, problem := l.project.Resolve(f.Path(), spec)
	return at, kind, problem == nil
}

// readAsset reads a file below a root.
func readAsset(root fs.FS, name string) ([]byte, bool) {
	if !fs.ValidPath(name) {
		return nil, false
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	data, err := io.ReadAll(io.LimitReader(f, MaxAsset+1))
	if err != nil || len(data) > MaxAsset {
		return nil, false
	}
	return data, true
}
