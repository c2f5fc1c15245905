package meshd_test

import (
	"bytes"
	"go/ast"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

const (
	mostMethods = 40    // of a type
	mostLines   = 5_000 // of a package, without its tests
	medianLines = 500   // half of the packages have no more, lang and scripts among them
	slack       = 500   // lines that a row may be too high
)

// tooLarge are the types and packages that are over the limits and have to be cut. None
// may grow and none be added, and what became smaller says so.
var tooLarge = map[string]int{}

// TestNothingGrowsTooLarge: a type of more than forty methods does several things, and
// nobody finds his way in a package of more than five thousand lines.
func TestNothingGrowsTooLarge(t *testing.T) {
	t.Parallel()
	sizes := map[string]int{}
	sources(t, func(pkg, file string, f *ast.File) {
		if strings.HasSuffix(file, "_test.go") || room(pkg) == "lang" {
			return
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sizes[pkg+" lines"] += bytes.Count(raw, []byte("\n"))
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil {
					sizes[pkg+"."+receiver(d.Recv.List[0].Type)]++
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok {
						if i, ok := s.Type.(*ast.InterfaceType); ok {
							sizes[pkg+"."+s.Name.Name] += len(i.Methods.List)
						}
					}
				}
			}
		}
	})
	for name, size := range sizes {
		most := mostMethods
		if strings.HasSuffix(name, " lines") {
			most = mostLines
		}
		switch known, ok := tooLarge[name]; {
		case !ok && size > most:
			t.Errorf("%s: %d, at most %d may be; cut it", name, size, most)
		case ok && size > known:
			t.Errorf("%s: %d, and it had %d; what is over the limit of %d may not grow", name, size, known, most)
		case ok && size <= most:
			t.Errorf("%s: %d is within the limit of %d; take its row out", name, size, most)
		case ok && (most == mostMethods && size < known || size < known-slack):
			t.Errorf("%s: %d; let its row say so, which has %d", name, size, known)
		}
	}
	for name := range tooLarge {
		if _, there := sizes[name]; !there {
			t.Errorf("%s is not there any more; take its row out", name)
		}
	}
}

// receiver is the name of the type of a method.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// TestHalfOfThePackagesAreSmall: what a package is for fits into a head.
func TestHalfOfThePackagesAreSmall(t *testing.T) {
	t.Parallel()
	lines := map[string]int{}
	sources(t, func(pkg, file string, _ *ast.File) {
		if strings.HasSuffix(file, "_test.go") {
			return
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines[pkg] += bytes.Count(raw, []byte("\n"))
	})
	sizes := slices.Sorted(maps.Values(lines))
	if median := sizes[len(sizes)/2]; median > medianLines {
		t.Errorf("half of %d packages have more than %d lines, at most %d may be", len(sizes), median, medianLines)
	}
}
