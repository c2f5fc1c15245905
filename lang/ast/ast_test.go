package ast_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/parse"
)

var update = flag.Bool("update", false, "write the golden file anew")

func file(text string) *ast.File {
	f, _ := parse.File("main.holo", []byte(text), ast.Holo)
	return f
}

// The JSON form of one file is golden; that of any file is valid JSON whose
// nodes begin with their kind and span.
func TestJSONForm(t *testing.T) {
	t.Parallel()
	const golden = "testdata/lamp.json"
	f := file("// lead\nobject \"Lamp\" @glow(intensity: 2) {\n  color: #3af // blue\n  on \"hover enter\" { log `hi ${e.name}` }\n  // last\n}\n")
	var got bytes.Buffer
	if err := json.Indent(&got, ast.AppendJSON(nil, f), "", " "); err != nil {
		t.Fatal(err)
	}
	got.WriteByte('\n')
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("got\n%s", got.Bytes())
	}
}

func TestEqualIgnoresPresentation(t *testing.T) {
	t.Parallel()
	equal := [][]string{
		{"@glow(a: 1)", "@glow({ a: 1 })", "@glow { a: 1 }", "@glow: { a: 1 }"},
		{"@glow", "@glow()", "@glow { }", "@glow({})"},
		{"object Lamp { }", "object \"Lamp\" { }", "object 'Lamp' { }", "object \"Lamp\"\n\n{\n}"},
		{"onHoverEnter() { }", "on_hover_enter() { }", "on \"hover enter\" { }", "on hover_enter { }"},
		{"a: (1 + 2)", "a: 1 + 2"},
		{"a: 'x'", "a: \"x\"", "a: \"\\u0078\""},
		{"a { x: 1, y: 2 }", "a { x: 1; y: 2 }", "a {\n x: 1\n\n y: 2 }"},
		{"// c\na: 1", "# c\na: 1", "/* c */ a: 1"},
		{"on_x { if a b() }", "on_x { if (a) b() }"},
	}
	for _, class := range equal {
		for _, text := range class {
			if a, b := file(class[0]), file(text); !ast.Equal(a, b) {
				t.Errorf("%q and %q differ:\n%s\n%s", class[0], text, ast.Shape(nil, a), ast.Shape(nil, b))
			}
		}
	}
	for i, a := range equal {
		for j, b := range equal {
			if i != j && ast.Equal(file(a[0]), file(b[0])) {
				t.Errorf("%q equals %q", a[0], b[0])
			}
		}
	}
	for _, pair := range [][2]string{
		{"a: 1", "a: 1.0"}, {"a: b", "a: \"b\""}, {"a: [1]", "a: 1"}, {"a { }", "a: { }"}, {"a: 1", "a: 1 // c"}, {"on_x { }", "on_y { }"},
		{"a: -> b", "a -> b"}, {"@a(1)", "@a(2)"}, {"let a = 1", "const a = 1"}, {"a: \"\"", "a: \"x\""}, {"a()", "a?.()"},
	} {
		if ast.Equal(file(pair[0]), file(pair[1])) {
			t.Errorf("%q equals %q", pair[0], pair[1])
		}
	}
}

func TestSegments(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string][]string{
		"a": {"a"}, "a.b.c": {"a", "b", "c"}, "a::b": {"a", "b"}, "data-id": {"data-id"}, "2.5": {"2.5"}, "2.5s": {"2.5s"}, "3d.x": {"3d", "x"},
		"\"a.b\".c": {"a.b", "c"}, "'x'": {"x"}, "rows[].name": {"rows[]", "name"}, "1.a": {"1", "a"}, ".5": {".5"},
	} {
		if got := (&ast.Path{Raw: raw}).Segments(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}

func TestStringParts(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string][]ast.Part{
		`"plain"`:        nil,
		`"${a}"`:         {{Text: "a", Expr: true}},
		`"x ${a.b} y"`:   {{Text: "x "}, {Text: "a.b", Expr: true}, {Text: " y"}},
		`"${a}${ {b} }"`: {{Text: "a", Expr: true}, {Text: " {b} ", Expr: true}},
		`"${open"`:       nil,
		`"a ${b} ${c"`:   {{Text: "a "}, {Text: "b", Expr: true}, {Text: " ${c"}},
	} {
		if got := (&ast.String{Raw: raw}).Parts(); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", raw, got, want)
		}
	}
}

func TestBlockReaders(t *testing.T) {
	t.Parallel()
	f := file("exports { a, b.c @x }\npersist { d }\nobject \"A b\" { }\n")
	var got []string
	for _, n := range f.Items() {
		b := n.(*ast.Block)
		got = append(got, b.BlockKind, b.NameText(), strings.Join(b.Names(), " "))
	}
	if want := []string{"exports", "", "a b.c", "persist", "", "d", "object", "A b", ""}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestKindsHaveNames(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for k := ast.KindFile; k <= ast.KindBad; k++ {
		if n := k.String(); n == "" || seen[n] {
			t.Errorf("kind %d is called %q", k, n)
		} else {
			seen[n] = true
		}
		groups := 0
		for _, in := range []bool{k.IsItem(), k.IsStatement(), k.IsType()} {
			if in {
				groups++
			}
		}
		if groups > 1 {
			t.Errorf("%s is in %d groups", k, groups)
		}
	}
	if s := ast.Kind(0).String(); s != "Kind(0)" {
		t.Error(s)
	}
}

func TestFormats(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{"a.holo": "holo", "x/b.hs": "hs", "c.d.hsplus": "hsplus", "a.txt": "", "holo.x": ""} {
		if f, ok := ast.FormatOf(path); ok != (want != "") || ok && f.String() != want {
			t.Errorf("%s is %s, %v", path, f, ok)
		}
	}
}
