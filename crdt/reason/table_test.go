package reason_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/reason"
)

const (
	root = "../.." // of the module, seen from here
	self = "github.com/meshd/meshd/crdt/reason"
)

// constants are the names of the codes in this package with their texts.
func constants(t *testing.T) map[string]string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "table.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if typ, ok := spec.Type.(*ast.Ident); !ok || typ.Name != "Code" {
			return true
		}
		lit, ok := spec.Values[0].(*ast.BasicLit)
		if !ok {
			t.Fatalf("%s is not a plain text", spec.Names[0].Name)
		}
		text, err := strconv.Unquote(lit.Value)
		if err != nil {
			t.Fatal(err)
		}
		out[spec.Names[0].Name] = text
		return true
	})
	return out
}

// uses are the identifiers of this package that the module's sources name, with
// a file that does. Tests do not count, nor packages that only tests import.
func uses(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	files := token.NewFileSet()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && path != root && (name == "testdata" || name == "node_modules" || name[0] == '.' || name[0] == '_') {
			return filepath.SkipDir
		}
		if d.IsDir() && (strings.HasSuffix(name, "test") && path != root) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		local := ""
		for _, i := range f.Imports {
			if i.Path.Value == strconv.Quote(self) {
				if local = "reason"; i.Name != nil {
					local = i.Name.Name
				}
			}
		}
		if local == "" || strings.HasPrefix(f.Name.Name, "reason") {
			return nil
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok && x.Name == local {
					out[sel.Sel.Name] = path
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestEveryCodeHasOneRow(t *testing.T) {
	t.Parallel()
	rows := map[reason.Code]int{}
	for _, i := range reason.All() {
		rows[i.Code]++
	}
	names := constants(t)
	if len(names) != len(rows) || len(rows) != len(reason.All()) {
		t.Errorf("%d codes, %d rows, %d of them different", len(names), len(reason.All()), len(rows))
	}
	texts := map[string]string{}
	for name, text := range names {
		if rows[reason.Code(text)] != 1 {
			t.Errorf("%s has %d rows", name, rows[reason.Code(text)])
		}
		if other, twice := texts[text]; twice {
			t.Errorf("%s and %s are both %q", name, other, text)
		}
		texts[text] = name
	}
}

func TestRowsAreSound(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)
	for _, i := range reason.All() {
		if !form.MatchString(string(i.Code)) {
			t.Errorf("%q is not written as a code", i.Code)
		}
		if i.HTTP != 0 && (i.HTTP < 400 || http.StatusText(i.HTTP) == "") {
			t.Errorf("%s: status %d", i.Code, i.HTTP)
		}
		if !slices.Contains([]reason.Retry{reason.RetryNo, reason.RetryFix, reason.RetryLater}, i.Retry) {
			t.Errorf("%s: retry %q", i.Code, i.Retry)
		}
		if i.Gossip > reason.Defer {
			t.Errorf("%s: verdict %d", i.Code, i.Gossip)
		}
		if i.Meaning == "" || strings.HasSuffix(i.Meaning, ".") {
			t.Errorf("%s: meaning %q", i.Code, i.Meaning)
		}
		if later := i.HTTP == http.StatusTooManyRequests || i.HTTP == http.StatusServiceUnavailable; later && i.Retry != reason.RetryLater {
			t.Errorf("%s: status %d asks to come back, retry is %q", i.Code, i.HTTP, i.Retry)
		}
		if i.Code.HTTP() != i.HTTP || i.Code.Gossip() != i.Gossip {
			t.Errorf("%s: status and verdict differ from its row", i.Code)
		}
	}
}

// A code that is listed is given or read somewhere, and none is named that is
// not listed (the compiler sees to that, but for texts).
func TestListedCodesAreUsed(t *testing.T) {
	t.Parallel()
	used := uses(t)
	for name, text := range constants(t) {
		if used[name] == "" {
			t.Errorf("%s is listed and nobody uses it: delete its row", text)
		}
	}
}

// A refusal with a code that has no row would show as a fault of the node.
func TestNoCodeIsMadeOfText(t *testing.T) {
	t.Parallel()
	known := map[string]bool{"": true}
	for _, i := range reason.All() {
		known[string(i.Code)] = true
	}
	files := token.NewFileSet()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != "Code" && sel.Sel.Name != "Refuse" {
				return true
			}
			x, ok := sel.X.(*ast.Ident)
			lit, isText := call.Args[0].(*ast.BasicLit)
			if !ok || x.Name != "reason" || !isText {
				return true
			}
			if text, err := strconv.Unquote(lit.Value); err != nil || !known[text] {
				t.Errorf("%s: code %s has no row", files.Position(lit.Pos()), lit.Value)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestOfFindsTheCode(t *testing.T) {
	t.Parallel()
	r := reason.Refuse(reason.TooShort, "%d characters", 3)
	for name, c := range map[string]struct {
		err  error
		want reason.Code
	}{
		"nil":       {nil, ""},
		"refusal":   {r, reason.TooShort},
		"wrapped":   {fmt.Errorf("submit: %w", r), reason.TooShort},
		"joined":    {errors.Join(errors.New("x"), r), reason.TooShort},
		"no reason": {errors.New("disk"), reason.Internal},
	} {
		if got := reason.Of(c.err); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if r.Error() != "too_short: 3 characters" || reason.Refuse(reason.TooShort, "").Error() != "too_short" {
		t.Errorf("texts %q and %q", r.Error(), reason.Refuse(reason.TooShort, "").Error())
	}
}

func TestWithLeavesTheOriginal(t *testing.T) {
	t.Parallel()
	r := reason.Refuse(reason.TooShort, "x")
	if d := r.With(map[string]any{"min": 40}); r.Details != nil || d.Details["min"] != 40 || d.Code != r.Code {
		t.Errorf("%+v, %+v", r, d)
	}
}

func TestLookupOfUnknown(t *testing.T) {
	t.Parallel()
	if i, ok := reason.Lookup("no_such_code"); ok || i.Code != reason.Internal {
		t.Errorf("%+v, %t", i, ok)
	}
	all := reason.All()
	all[0].Code = "spoiled"
	if reason.All()[0].Code == "spoiled" {
		t.Error("the table can be changed from outside")
	}
}
