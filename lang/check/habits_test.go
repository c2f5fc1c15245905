package check

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/idiom"
	"github.com/meshd/meshd/lang/parse"
	"github.com/meshd/meshd/lang/token"
	"github.com/meshd/meshd/lang/trait"
)

// habits say of each tolerance rule of the specification (§4) whether a source
// uses it: by a node of its tree where there is one, else by its text.
var habits = map[string]func(s *sample) bool{
	"T01": func(s *sample) bool {
		return block(s, func(b *ast.Block) bool { return len(b.Heading().Args) > 0 })
	},
	"T02": func(s *sample) bool {
		return block(s, func(b *ast.Block) bool { return b.BlockKind != "" && words().byName[b.BlockKind] == nil })
	},
	"T03": func(s *sample) bool {
		quoted := block(s, func(b *ast.Block) bool { return b.Name != nil && b.Name.Kind() == ast.KindString })
		return quoted && block(s, func(b *ast.Block) bool { return b.Name != nil && b.Name.Kind() == ast.KindIdent })
	},
	"T04": func(s *sample) bool {
		return block(s, func(b *ast.Block) bool { return b.BlockKind == "" && b.NameText() != "" }) &&
			block(s, func(b *ast.Block) bool { return b.BlockKind == "camera" && b.Name == nil })
	},
	"T05": func(s *sample) bool {
		return block(s, func(b *ast.Block) bool { return b.BlockKind == "fog" }) && property(s, func(p *ast.Property) bool {
			_, object := p.Value.(*ast.Object)
			return object && p.Key.Name() == "environment"
		})
	},
	"T06": node[*ast.List],
	"T07": with(func(n *ast.Array) bool {
		return slices.ContainsFunc(n.Elements, func(e ast.Node) bool { return e.Kind() == ast.KindBlock })
	}),
	"T08": func(s *sample) bool { return spelt(`,,`)(s) && spelt(`;`)(s) },
	"T09": func(s *sample) bool {
		return property(s, func(p *ast.Property) bool { return p.Key.Name() == "template" }) &&
			block(s, func(b *ast.Block) bool { return b.NameText() == "object" })
	},
	"T10": func(s *sample) bool {
		kinds := map[string]bool{}
		property(s, func(p *ast.Property) bool {
			switch raw := p.Key.Raw; {
			case p.Key.Computed != nil:
				kinds["computed"] = true
			case raw[0] == '"':
				kinds["text"] = true
			case strings.Contains(raw, "-"):
				kinds["hyphen"] = true
			case strings.Contains(raw, "."):
				kinds["dot"] = true
			}
			return false
		})
		return len(kinds) == 4
	},
	"T11": with(func(n *ast.String) bool { return n.Raw[0] == '"' && strings.Contains(n.Raw, "\n") }),
	"T12": with(func(n *ast.String) bool { return n.Raw[0] == '|' }),
	"T13": with(func(n *ast.Template) bool {
		return slices.ContainsFunc(n.Exprs, func(e ast.Node) bool {
			found := false
			ast.Walk(e, func(c ast.Node) bool { found = found || c.Kind() == ast.KindTemplate; return !found })
			return found
		})
	}),
	"T14": func(s *sample) bool {
		for _, unit := range []string{"s", "%", "deg"} {
			if !with(func(n *ast.Number) bool { return n.Unit() == unit })(s) {
				return false
			}
		}
		return true
	},
	"T15": node[*ast.Colour],
	"T16": node[*ast.AxisWord],
	"T17": node[*ast.EnumWord],
	"T18": func(s *sample) bool {
		for _, form := range []string{"bare", "paren", "object", "brace", "colon"} {
			if !with(func(n *ast.Attribute) bool { return n.Form() == form })(s) {
				return false
			}
		}
		return true
	},
	"T19": func(s *sample) bool {
		return with(func(n *ast.Attribute) bool { return len(n.Positional) > 0 })(s) && spelt(`@\w+ \(`)(s)
	},
	"T20": func(s *sample) bool { return spelt(`object "\w+" @\w+ \{[^}]*\} \{`)(s) },
	"T21": func(s *sample) bool { return spelt(`object \S+\n +@\w+[^\n]*\n(?: +@[^\n]*\n)* +\{`)(s) },
	"T22": func(s *sample) bool {
		return node[*ast.AttrValue](s) && with(func(n *ast.Attribute) bool { return strings.HasPrefix(n.Name, "on_") })(s)
	},
	"T23": func(s *sample) bool {
		return with(func(n *ast.Attribute) bool { return n.Name == "if" })(s) && with(func(n *ast.Attribute) bool { return n.Name == "for" })(s)
	},
	"T24": func(s *sample) bool { return spelt(`@platform\(not: `)(s) },
	"T25": func(s *sample) bool {
		return spelt(`\bon "[a-z ]+" \{`)(s) && spelt(`\bon[A-Z]\w+: \(`)(s) && spelt(`\bon[A-Z]\w+\(\w*\) =>`)(s) && spelt(`\bon_\w+ \{`)(s)
	},
	"T26": func(s *sample) bool { return callable(s, func(m *ast.FuncMore) bool { return m.EventExpr != nil }) },
	"T27": func(s *sample) bool {
		return callable(s, func(m *ast.FuncMore) bool { return m.EventTarget != nil && m.EventExpr == nil })
	},
	"T28": func(s *sample) bool { return callable(s, func(m *ast.FuncMore) bool { return m.Label != nil }) },
	"T29": func(s *sample) bool {
		return node[*ast.Transition](s) && with(func(n *ast.Mapping) bool { return len(n.Actions) > 0 })(s)
	},
	"T30": func(s *sample) bool {
		return block(s, func(b *ast.Block) bool { return b.Heading().Arrow != nil && b.BlockKind == "transition" })
	},
	"T31": func(s *sample) bool {
		return node[*ast.Union](s) && node[*ast.EnumType](s) && with(func(n *ast.TypeName) bool { return len(n.Args) > 0 })(s)
	},
	"T32": node[*ast.TypedMember],
	"T33": node[*ast.Command],
	"T34": with(func(n *ast.Command) bool { return n.Verb == "geometry" }),
	"T35": func(s *sample) bool { return spelt(`\bif [a-z]`)(s) },
	"T36": node[*ast.LineDirective],
	"T37": func(s *sample) bool { return node[*ast.CondBlock](s) && node[*ast.Override](s) },
	"T38": func(s *sample) bool { return s.tree.IsValueDocument },
	"T39": func(s *sample) bool { return s.tree.Stream.Source.Encoding != 0 },
	"T40": func(s *sample) bool {
		return slices.ContainsFunc(s.tree.Stream.Comments, func(c token.Comment) bool { return c.Style == token.Hash })
	},
	"T41": node[*ast.Annotation],
	"T42": func(s *sample) bool { return node[*ast.Wire](s) && node[*ast.Execute](s) },
	"T43": with(func(n *ast.Mapping) bool { return len(n.Calls) > 0 && strings.Contains(nameOf(n.From), "[]") }),
	"T44": func(s *sample) bool {
		return node[*ast.Choice](s) && with(func(n *ast.Check) bool { return len(n.Args) > 0 })(s)
	},
	"T45": func(s *sample) bool {
		return with(func(n *ast.Route) bool { return n.When != nil })(s) && with(func(n *ast.Route) bool { return n.When == nil })(s)
	},
	"T46": node[*ast.Pipe],
	"T47": node[*ast.Extra],
	"T48": node[*ast.NameRef],
	"T49": func(s *sample) bool { return node[*ast.Computed](s) && node[*ast.Constructor](s) },
	"T50": node[*ast.StateRef],
	"T51": node[*ast.Effect],
	"T52": func(s *sample) bool {
		trait := slices.ContainsFunc(s.tree.Items(), func(n ast.Node) bool { a, ok := n.(*ast.Attribute); return ok && a.Name != "test" })
		return trait && len(s.tree.Items()) > 2
	},
	"T53": func(s *sample) bool { return spelt(`castShadow:`)(s) },
	"T55": func(s *sample) bool {
		return callable(s, func(m *ast.FuncMore) bool { return m.EventExpr != nil && m.EventTarget == nil }) &&
			with(func(f *ast.Func) bool {
				return f.Name != "" && f.More != nil && f.More.EventExpr != nil && f.More.EventTarget != nil
			})(s)
	},
	"T56": func(s *sample) bool {
		return block(s, func(b *ast.Block) bool {
			return b.BlockKind == "transition" && b.Heading().Arrow != nil && b.Body.Is(ast.NoBraces)
		})
	},
	"T57": with(func(f *ast.Func) bool { return f.Is(ast.LambdaForm) }),
	"T58": func(s *sample) bool {
		return block(s, func(b *ast.Block) bool {
			return b.BlockKind == "option" && b.Heading().Arrow != nil && b.Heading().Arrow.Kind() == ast.KindAttrValue
		})
	},
	"T59": with(func(m *ast.Mapping) bool { return m.From.Kind() == ast.KindString && m.To.Kind() == ast.KindObject }),
	"T60": func(s *sample) bool {
		return with(func(a *ast.Array) bool { return s.tree.Text()[a.At.Start] == '-' })(s)
	},
	"T61": spelt(`\d°`),
	"T62": with(func(n *ast.String) bool { return strings.HasPrefix(n.Raw, "'''") }),
	"T54": func(s *sample) bool { return spelt(`\bonHoverExit`)(s) || spelt(`on "hover enter"`)(s) },
}

// sample is a parsed example.
type sample struct {
	path string
	tree *ast.File
}

func with[N ast.Node](is func(N) bool) func(*sample) bool {
	return func(s *sample) bool {
		found := false
		ast.Walk(s.tree, func(n ast.Node) bool {
			if x, ok := n.(N); ok && !found {
				found = is(x)
			}
			return !found
		})
		return found
	}
}

func node[N ast.Node](s *sample) bool { return with(func(N) bool { return true })(s) }

func block(s *sample, is func(*ast.Block) bool) bool { return with(is)(s) }

func property(s *sample, is func(*ast.Property) bool) bool { return with(is)(s) }

func callable(s *sample, is func(*ast.FuncMore) bool) bool {
	return with(func(f *ast.Func) bool { return f.More != nil && is(f.More) })(s)
}

func spelt(pattern string) func(*sample) bool {
	p := regexp.MustCompile(pattern)
	return func(s *sample) bool { return p.MatchString(s.tree.Text()) }
}

func samples(tb testing.TB) []*sample {
	tb.Helper()
	var out []*sample
	for _, file := range examples(tb) {
		raw, err := os.ReadFile(file)
		if err != nil {
			tb.Fatal(err)
		}
		format, _ := ast.FormatOf(file)
		tree, _ := parse.File(filepath.Base(file), raw, format)
		out = append(out, &sample{file, tree})
	}
	return out
}

// The examples use every tolerance rule, every kind of block but synonyms and
// most traits; there are enough of them in each format, and each says what it is
// for.
func TestExamplesShowTheLanguage(t *testing.T) {
	t.Parallel()
	all := samples(t)
	formats := map[ast.Format]int{}
	kinds, traits := map[string]bool{}, map[string]bool{}
	rules := map[string]string{}
	targets := regexp.MustCompile(`(?m)^// targets: [a-z]`)
	for _, s := range all {
		formats[s.tree.Format]++
		if !targets.MatchString(s.tree.Text()) {
			t.Errorf("%s does not say for which targets it is", s.path)
		}
		for rule, uses := range habits {
			if uses(s) {
				rules[rule] = s.path
			}
		}
		ast.Walk(s.tree, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Block:
				kinds[n.BlockKind] = true
			case *ast.Property:
				if k := n.Key.Name(); words().byName[k] != nil {
					kinds[k] = true
				}
			case *ast.Attribute:
				traits[n.Name] = true
			case *ast.Func:
				kinds[n.Name] = kinds[n.Name] || n.Name == "on_error"
				if n.More != nil && n.More.Label != nil {
					kinds[n.Name], kinds[n.More.Word] = true, true
				}
			}
			return true
		})
	}
	if len(all) < 44 || formats[ast.Holo] < 12 || formats[ast.HS] < 8 || formats[ast.HSPlus] < 8 {
		t.Errorf("%d examples, by format %v", len(all), formats)
	}
	for n := 1; n <= 62; n++ {
		if rule := fmt.Sprintf("T%02d", n); rules[rule] == "" {
			t.Errorf("no example uses %s", rule)
		}
	}
	if len(habits) != 62 {
		t.Errorf("%d rules are known", len(habits))
	}
	var missing []string
	for name := range words().byName {
		if idiom.Blocks[name].Node != "" { // shown by its row of the habits
			continue
		}
		if !kinds[name] && name != "transform_stage" { // transform, as a stage
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	if len(missing) > 0 {
		t.Errorf("no example has a block %s", strings.Join(missing, ", "))
	}
	shown, known := 0, 0
	var unseen []string
	for _, e := range trait.Builtin().All() {
		known++
		if traits[e.Name] {
			shown++
		} else {
			unseen = append(unseen, e.Name)
		}
	}
	if shown*2 <= known {
		t.Errorf("the examples use %d of %d traits; not %v", shown, known, unseen)
	}
}
