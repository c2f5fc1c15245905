package run

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"strings"
	"testing"
)

// mostLines is what a function that executes instructions may have.
const mostLines = 80

// TestStepsAreShort: what runs a program is read one instruction at a time. A function
// runs programs when it belongs to a machine or a thread, or is given one.
func TestStepsAreShort(t *testing.T) {
	set, seen := token.NewFileSet(), 0
	files, err := fs.Glob(os.DirFS("."), "*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil || !runsPrograms(fn) {
				continue
			}
			seen++
			if n := set.Position(fn.End()).Line - set.Position(fn.Pos()).Line + 1; n >= mostLines {
				t.Errorf("%s: %s has %d lines, fewer than %d may be", name, fn.Name.Name, n, mostLines)
			}
		}
	}
	if seen < 150 {
		t.Errorf("only %d functions run programs", seen)
	}
}

// runsPrograms says whether a function is of a machine or a thread, takes one, or makes the
// tables of what machines do.
func runsPrograms(fn *ast.FuncDecl) bool {
	if fn.Name.Name == "init" {
		return true
	}
	fields := fn.Type.Params.List
	if fn.Recv != nil {
		fields = append(fields, fn.Recv.List...)
	}
	for _, f := range fields {
		star, ok := f.Type.(*ast.StarExpr)
		if !ok {
			continue
		}
		if id, ok := star.X.(*ast.Ident); ok && (id.Name == "Machine" || id.Name == "thread") {
			return true
		}
	}
	return false
}
