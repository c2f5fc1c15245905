package parse

import (
	"testing"

	"github.com/meshd/meshd/lang/ast"
)

// The source of an item and of a value, parsed again by itself, gives an equal
// node: spans cover what makes a node and nothing else.
func TestSpansParseAgain(t *testing.T) {
	t.Parallel()
	items, values := 0, 0
	for _, s := range samples(t) {
		f, _ := parseText(s.path, s.text)
		var visit func(n ast.Node, plain bool)
		again := func(body *ast.Body, plain bool) {
			for _, n := range body.Items {
				if plain && !f.IsValueDocument && n.Kind() != ast.KindAttribute {
					items++
					g, _ := parseText(s.path, "before: 1\n"+f.Slice(n.Span()))
					if len(g.Items()) != 2 || !ast.EqualNodes(n, g.Items()[1]) {
						t.Errorf("%s: %q parses to\n%s\nwant\n%s", s.path, f.Slice(n.Span()), ast.Shape(nil, g), ast.Shape(nil, n))
					}
				}
				visit(n, plain)
			}
		}
		visit = func(n ast.Node, plain bool) {
			switch n := n.(type) {
			case *ast.Body:
				again(n, plain)
				return
			case *ast.Block:
				switch n.BlockKind {
				case "struct", "interface", "class", "props", "events", "schema", "validate", "branch", "enum", "exports", "persist":
					plain = false
				}
			case *ast.Property:
				if n.Value != nil && n.Key.Computed == nil && plain {
					values++
					value := f.Slice(n.Value.Span())
					if n.Value.Kind() == ast.KindArray && value[0] == '-' { // a list with hyphens stands below its key
						value = "\n" + f.Text()[f.Stream.Source.LineStart(int(n.Value.Span().Start)):n.Value.Span().Start] + value
					}
					g, _ := parseText(s.path, f.Slice(n.Key.At)+": "+value)
					if p, ok := g.Items()[0].(*ast.Property); !ok || !ast.EqualNodes(n.Value, p.Value) && n.Value.Kind().IsType() == p.Value.Kind().IsType() {
						t.Errorf("%s: value %q parses to %s", s.path, f.Slice(n.Value.Span()), ast.Shape(nil, g))
					}
				}
			}
			ast.Children(n, func(c ast.Node) { visit(c, plain) })
		}
		again(&f.Body, true)
	}
	if items < 300 || values < 100 {
		t.Errorf("only %d items and %d values", items, values)
	}
}

func TestEventNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"onHoverEnter": "hover_enter", "on_hover_enter": "hover_enter", "hover enter": "hover_enter", "hover-enter": "hover_enter",
		"tap": "tap", "onGrab": "grab", "once": "once", "on_": "on_", "onXRStart": "xr_start", "on_ID": "id", "online": "online",
	} {
		if got := EventName(name); got != want {
			t.Errorf("EventName(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestTextGuessesItsFormat(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"orb a { }": "main.holo", "": "main.holo", "import \"x\"": "main.hsplus", "// c\n/* d */ module M { }": "main.hsplus",
		"struct S { }": "main.hsplus", "pipeline \"p\" { }": "main.hs", "connect a -> b": "main.hs", "modules { }": "main.holo",
		"\ufeff# x\nconnect a -> b": "main.hs", "#! x": "main.holo", "/*": "main.holo",
	} {
		f, _ := Text([]byte(text))
		if f.Path() != want {
			t.Errorf("%q is %s, want %s", text, f.Path(), want)
		}
	}
}
