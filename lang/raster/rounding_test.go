package raster

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"
)

// Every floating-point product stands inside a conversion, which rounds it: so
// no compiler may fuse it with an addition and change a picture on some machines.
// Calls of the functions of math whose result differs between machines are not
// allowed either.
func TestEveryProductIsRounded(t *testing.T) {
	t.Parallel()
	fset := token.NewFileSet()
	imp := importer.ForCompiler(fset, "source", nil)
	for _, dir := range []string{".", "shape", "vec"} {
		for _, fault := range unrounded(t, fset, imp, dir, nil) {
			t.Error(fault)
		}
	}
	bad := `package p
import "math"
func f(a, b, c float64) float64 {
	x := a*b
	x += a*c
	return x + a*b*c + float64(a*b) + float64(a*b*c) + float64(int(a)*2) + math.Sin(a) + -(a*b)
}`
	got := unrounded(t, fset, imp, "bad", map[string]string{"bad.go": bad})
	if len(got) != 5 {
		t.Errorf("%d faults in the example, want 5:\n%s", len(got), strings.Join(got, "\n"))
	}
}

// steady are the functions of math that give one result everywhere.
var steady = map[string]bool{"Sqrt": true, "Floor": true, "Ceil": true, "Abs": true, "IsNaN": true, "IsInf": true, "Inf": true, "NaN": true, "Ldexp": true, "Trunc": true}

func unrounded(t *testing.T, fset *token.FileSet, imp types.Importer, dir string, sources map[string]string) []string {
	t.Helper()
	var files []*ast.File
	add := func(name string, src any) {
		f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	for name, src := range sources {
		add(name, src)
	}
	if sources == nil {
		names, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %v", dir, err)
		}
		for _, n := range names {
			if !strings.HasSuffix(n, "_test.go") {
				add(n, nil)
			}
		}
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	if _, err := (&types.Config{Importer: imp}).Check(dir, fset, files, info); err != nil {
		t.Fatal(err)
	}
	isFloat := func(e ast.Expr) bool {
		tv := info.Types[e]
		b, ok := tv.Type.Underlying().(*types.Basic)
		return ok && b.Info()&types.IsFloat != 0 && tv.Value == nil
	}
	var out []string
	say := func(n ast.Node, what string) { out = append(out, fset.Position(n.Pos()).String()+": "+what) }
	rounded := map[ast.Expr]bool{}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if info.Types[n.Fun].IsType() && len(n.Args) == 1 {
					if product, ok := ast.Unparen(n.Args[0]).(*ast.BinaryExpr); ok && product.Op == token.MUL {
						rounded[product] = true
					}
				}
				if s, ok := n.Fun.(*ast.SelectorExpr); ok {
					if x, ok := s.X.(*ast.Ident); ok && x.Name == "math" && !steady[s.Sel.Name] {
						say(n, "math."+s.Sel.Name+" may differ between machines")
					}
				}
			case *ast.BinaryExpr:
				if n.Op != token.MUL || !isFloat(n) {
					break
				}
				if !rounded[n] {
					say(n, "a product that is not rounded")
				}
				for _, e := range []ast.Expr{n.X, n.Y} { // a factor is no summand
					if factor, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && factor.Op == token.MUL {
						rounded[factor] = true
					}
				}
			case *ast.AssignStmt:
				if n.Tok == token.MUL_ASSIGN && isFloat(n.Lhs[0]) {
					say(n, "a product that is not rounded")
				}
			}
			return true
		})
	}
	return out
}
