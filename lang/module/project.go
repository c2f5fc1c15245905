// Package module finds what sources import, below one root and nowhere else.
//
// A Project reads through an fs.FS that the caller roots: the directory of a
// program (os.Root.FS, which keeps symbolic links below the root too) or files
// in memory. There is no network. A file is read and parsed once. Of the many
// ways to write the name of a file one is right, on every platform: the
// spelling of the directory.
//
// Nothing here keeps a clock or a lock; a Project belongs to one goroutine.
package module

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/trait"
)

// Settings is the file in the root that names a project's modules.
const Settings = "project.json"

// Project is a root with what was read of it.
type Project struct {
	fsys     fs.FS
	modules  map[string]string // of project.json: name to folder
	files    map[string]*File
	folders  map[string][]string // names in a folder, nil when it cannot be listed
	registry *trait.Registry
}

// File is a parsed source of a project.
type File struct {
	Path  string
	Tree  *ast.File
	Found []diag.Diagnostic // what the parser said
}

// Open reads the settings and trait files of a root. A root without them is a
// project too. The findings name faults of trait files; an error means that
// the settings cannot be read.
func Open(fsys fs.FS) (*Project, []diag.Diagnostic, error) {
	p := &Project{fsys: fsys, modules: map[string]string{}, files: map[string]*File{}, folders: map[string][]string{}, registry: trait.Builtin()}
	raw, err := readFile(fsys, Settings, MaxSettings)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, nil, fmt.Errorf("read %s: %w", Settings, err)
	default:
		var s struct {
			Modules map[string]string `json:"modules"`
		}
		if err := json.Unmarshal(raw, &s); err != nil {
			return nil, nil, fmt.Errorf("read %s: %w", Settings, err)
		}
		for name, folder := range s.Modules {
			clean, ok := rooted(folder)
			if !ok {
				return nil, nil, fmt.Errorf("read %s: module %q leaves the project folder", Settings, name)
			}
			p.modules[name] = clean
		}
	}
	found, err := p.readTraits()
	return p, found, err
}

// Forget drops what is known of a file, whose text has changed, and of the names
// in its folder.
func (p *Project) Forget(name string) {
	delete(p.files, name)
	delete(p.folders, path.Dir(name))
}

// Over is a project of the same root in which some files have other texts, as an
// editor has them. The map stays the caller's: after a change of it, Forget.
func (p *Project) Over(texts map[string][]byte) *Project {
	q := *p
	q.fsys = overlay{p.fsys, texts}
	q.files = map[string]*File{}
	q.folders = map[string][]string{}
	return &q
}

// FS is what the project is read from, texts of Over included.
func (p *Project) FS() fs.FS { return p.fsys }

// Registry is the built-in set of traits with that of the project over it.
func (p *Project) Registry() *trait.Registry { return p.registry }

// readTraits lays the files traits/*.json over the registry in the order of
// their names.
func (p *Project) readTraits() ([]diag.Diagnostic, error) {
	entries, err := fs.ReadDir(p.fsys, "traits")
	if err != nil {
		return nil, nil // no folder, or none that can be listed
	}
	var found []diag.Diagnostic
	n := 0
	for _, e := range entries {
		if e.IsDir() || !strings.HasSuffix(e.Name(), ".json") {
			continue
		}
		name := "traits/" + e.Name()
		if n++; n > MaxTraits {
			return nil, fmt.Errorf("read %s: more than %d trait files", name, MaxTraits)
		}
		raw, err := readFile(p.fsys, name, trait.MaxFile)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		f, faults := trait.Read(raw)
		r, more := p.registry.With(f)
		p.registry = r
		for _, fault := range append(faults, more...) {
			found = append(found, diag.Diagnostic{Code: fault.Code, Severity: diag.Error, Message: fault.Message(), File: name, Line: 1, Column: 1, EndLine: 1, EndColumn: 1})
		}
	}
	return found, nil
}

// Read parses a file of the project, or returns the tree it has of it.
func (p *Project) Read(name string) (*File, error) {
	if f := p.files[name]; f != nil {
		return f, nil
	}
	if len(p.files) >= MaxModules {
		return nil, ErrTooMany
	}
	f, err := p.Peek(name)
	if err != nil {
		return nil, err
	}
	p.files[name] = f
	return f, nil
}

var errNoSource = errors.New("no source file")

// ErrTooMany says that a project has more than MaxModules modules.
var ErrTooMany = errors.New("too many modules")

// exists says whether a file has exactly this spelling.
func (p *Project) exists(name string) bool {
	if !fs.ValidPath(name) {
		return false
	}
	info, err := fs.Stat(p.fsys, name)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	for at := name; at != "."; at = path.Dir(at) { // a file system may take names in any case
		if names := p.list(path.Dir(at)); names != nil && !slices.Contains(names, path.Base(at)) {
			return false
		}
	}
	return true
}

// list is the names in a folder.
func (p *Project) list(folder string) []string {
	names, known := p.folders[folder]
	if !known {
		entries, err := fs.ReadDir(p.fsys, folder)
		if err == nil {
			names = make([]string, 0, len(entries))
			for _, e := range entries {
				names = append(names, e.Name())
			}
		}
		p.folders[folder] = names
	}
	return names
}

// spelling finds a file whose name differs in case only.
func (p *Project) spelling(name string) (string, bool) {
	real := "."
	for _, part := range strings.Split(name, "/") {
		i := slices.IndexFunc(p.list(real), func(n string) bool { return strings.EqualFold(n, part) })
		if i < 0 {
			return "", false
		}
		real = path.Join(real, p.list(real)[i])
	}
	return real, real != name && p.exists(real)
}

func readFile(fsys fs.FS, name string, most int) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file", name)
	}
	raw, err := io.ReadAll(io.LimitReader(f, int64(most)+1))
	if err == nil && len(raw) > most {
		err = fmt.Errorf("%s is larger than %d bytes", name, most)
	}
	return raw, err
}

// overlay is a file system with some texts in place of files.
type overlay struct {
	fs.FS
	texts map[string][]byte
}

// Open implements fs.FS.
func (o overlay) Open(name string) (fs.File, error) {
	if text, ok := o.texts[name]; ok {
		return &memory{name: path.Base(name), text: text}, nil
	}
	return o.FS.Open(name)
}
