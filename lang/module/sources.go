package module

import (
	"io/fs"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/parse"
)

// Sources are the paths of the sources below the root in alphabetical order, of the
// first MaxEntries names that are met. Folders whose names begin with a dot and those
// of packages, node_modules, are left out.
func (p *Project) Sources() []string {
	var out []string
	seen := 0
	_ = fs.WalkDir(p.fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if seen++; seen > MaxEntries {
			return fs.SkipAll
		}
		if err != nil {
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			if name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules") {
				return fs.SkipDir
			}
			return nil
		}
		if _, ok := ast.FormatOf(name); ok && strings.Contains(d.Name(), ".") && d.Type().IsRegular() {
			out = append(out, name)
		}
		return nil
	})
	return out
}

// Peek parses a file of the project as Read does and does not keep it.
func (p *Project) Peek(name string) (*File, error) {
	raw, err := readFile(p.fsys, name, MaxFile+4)
	if err != nil {
		return nil, err
	}
	format, ok := ast.FormatOf(name)
	if !ok {
		return nil, &fs.PathError{Op: "parse", Path: name, Err: errNoSource}
	}
	f := &File{Path: name}
	f.Tree, f.Found = parse.File(name, raw, format)
	return f, nil
}
