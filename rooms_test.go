package meshd_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mostAsked is how many methods an interface of a room asks of a node. Where a room needs
// more they stand in several, each about one thing.
const mostAsked = 8

// described are packages of the gateway to which the rules of its rooms apply too.
var described = []string{"gateway/call", "gateway/runtime", "gateway/scene"}

// parts are the packages of node that are cut from one node: what they show is said of as
// it is of a room.
var parts = []string{
	"account", "board", "bounty", "core", "directory", "document", "health", "judging", "knowledge", "mail", "news",
	"passport", "peering", "reputation", "right", "scene", "social", "team", "transfer", "writing",
}

// rooms are the packages of the gateway that say in an interface Node what they ask of a
// node, and the files of each without its tests, parsed with their comments.
func rooms(t *testing.T) map[string]map[string]*ast.File {
	t.Helper()
	all, found := map[string]map[string]*ast.File{}, map[string]bool{}
	for _, pkg := range described {
		found[pkg] = true
	}
	sources(t, func(pkg, file string, f *ast.File) {
		if room(pkg) != "gateway" || strings.HasSuffix(file, "_test.go") || slices.Contains(wired, pkg) || pkg == "gateway/service" {
			return
		}
		whole, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if all[pkg] == nil {
			all[pkg] = map[string]*ast.File{}
		}
		all[pkg][file] = whole
		for name, i := range interfaces(whole) {
			if name != "Node" || i == nil {
				continue
			}
			found[pkg] = true
			if path.Base(file) != "node.go" {
				t.Errorf("%s: the interface Node of a room stands in node.go", file)
			}
		}
	})
	for pkg := range all {
		if !found[pkg] {
			delete(all, pkg)
		}
	}
	if len(all) < 20 {
		t.Fatalf("found %d rooms", len(all))
	}
	return all
}

// interfaces are those that a file declares.
func interfaces(f *ast.File) map[string]*ast.InterfaceType {
	out := map[string]*ast.InterfaceType{}
	for _, d := range f.Decls {
		if d, ok := d.(*ast.GenDecl); ok {
			for _, s := range d.Specs {
				if s, ok := s.(*ast.TypeSpec); ok {
					if i, ok := s.Type.(*ast.InterfaceType); ok {
						out[s.Name.Name] = i
					}
				}
			}
		}
	}
	return out
}

// TestRoomsAskLittle: what a room asks of a node is listed method by method, eight at most
// about one thing.
func TestRoomsAskLittle(t *testing.T) {
	t.Parallel()
	for _, files := range rooms(t) {
		for file, f := range files {
			if path.Base(file) != "node.go" {
				continue
			}
			for name, i := range interfaces(f) {
				asked := 0
				for _, m := range i.Methods.List {
					if len(m.Names) == 0 {
						continue // of another interface
					}
					if asked++; !begins(m.Doc, m.Names[0].Name) {
						t.Errorf("%s: %s.%s has no comment that begins with its name", file, name, m.Names[0].Name)
					}
				}
				if asked > mostAsked {
					t.Errorf("%s: %s asks %d things of a node, at most %d may be; cut it", file, name, asked, mostAsked)
				}
			}
		}
	}
}

// partsOfNode are the files of each of parts without its tests, parsed with their comments.
func partsOfNode(t *testing.T) map[string]map[string]*ast.File {
	t.Helper()
	all := map[string]map[string]*ast.File{}
	for _, name := range parts {
		pkg := "node/" + name
		files, err := filepath.Glob(filepath.Join("node", name, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pkg, len(files), err)
		}
		all[pkg] = map[string]*ast.File{}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			all[pkg][file] = f
		}
	}
	return all
}

// TestRoomsAreDescribed: what a room of the gateway or a part of the node shows to others has
// a comment that begins with its name, and a group of constants or variables says what it is.
func TestRoomsAreDescribed(t *testing.T) {
	t.Parallel()
	all := rooms(t)
	maps.Copy(all, partsOfNode(t))
	for pkg, files := range all {
		introduced := false
		for file, f := range files {
			introduced = introduced || f.Doc != nil
			for _, fault := range undescribed(f) {
				t.Errorf("%s: %s", file, fault)
			}
		}
		if !introduced {
			t.Errorf("%s has no comment of its own", pkg)
		}
	}
}

// undescribed lists the exported names of a file that nothing is said of.
func undescribed(f *ast.File) (out []string) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && (d.Recv == nil || ast.IsExported(receiver(d.Recv.List[0].Type))) && !begins(d.Doc, d.Name.Name) {
				out = append(out, d.Name.Name+" has no comment that begins with its name")
			}
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				continue
			}
			if d.Lparen.IsValid() && d.Tok != token.TYPE && d.Doc == nil {
				out = append(out, "a group of "+d.Tok.String()+" has no comment")
			}
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					if s.Name.IsExported() && !begins(d.Doc, s.Name.Name) && !begins(s.Doc, s.Name.Name) {
						out = append(out, s.Name.Name+" has no comment that begins with its name")
					}
				case *ast.ValueSpec:
					if s.Names[0].IsExported() && !d.Lparen.IsValid() && !begins(d.Doc, s.Names[0].Name) {
						out = append(out, s.Names[0].Name+" has no comment that begins with its name")
					}
				}
			}
		}
	}
	return out
}

// begins reports whether a comment begins with a name.
func begins(doc *ast.CommentGroup, name string) bool {
	return doc != nil && (strings.HasPrefix(doc.Text(), name+" ") || strings.HasPrefix(doc.Text(), name+",") || strings.HasPrefix(doc.Text(), name+"'"))
}

// What the checks above must catch.
func TestUndescribedIsFound(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]int{
		"// A is one.\ntype A int":                        0,
		"type A int":                                      1,
		"// Something is one.\ntype A int":                1,
		"type a int":                                      0,
		"func (a) B() {}":                                 0,
		"func (A) B() {}":                                 1,
		"// B is b.\nfunc (A) B() {}":                     0,
		"const (\n\ta = 1\n)":                             1,
		"// Limits.\nconst (\n\tA = 1\n)":                 0,
		"var A = 1":                                       1,
		"// A is one.\nvar A = 1":                         0,
		"// A, B and C are three.\nvar A, B, C = 1, 2, 3": 0,
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\n\n"+source, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if got := undescribed(f); len(got) != want {
			t.Errorf("%s: %q, want %d", source, got, want)
		}
	}
}
