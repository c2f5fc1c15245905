package unity

import (
	"fmt"
	"strings"

	"github.com/meshd/meshd/lang/target/direct"
)

// How tightly parts of expressions hold together.
const (
	choice = iota + 1
	either
	both
	equal
	compared
	sum
	product
	sign
	called
)

var tightness = map[string]int{"==": equal, "!=": equal, "<": compared, "<=": compared, ">": compared, ">=": compared, "+": sum, "-": sum, "*": product, "/": product, "%": product}

func (g *sharp) any(e *direct.Expr) string { return g.as(e, "object") }

// as prints an expression as a value of a type.
func (g *sharp) as(e *direct.Expr, kind string) string { return g.in(e, kind, 0) }

// in prints an expression as a value of a type, where an operator binds so tightly.
func (g *sharp) in(e *direct.Expr, kind string, around int) string {
	text, own, tight := g.bare(e)
	if kind != own && kind != "object" {
		if tight < sign {
			text = "(" + text + ")"
		}
		text, tight = "("+kind+")"+text, sign
	}
	if tight < around {
		return "(" + text + ")"
	}
	return text
}

func (g *sharp) list(args []*direct.Expr) string {
	parts := make([]string, len(args))
	for i, a := range args {
		parts[i] = g.any(a)
	}
	return strings.Join(parts, ", ")
}

func (g *sharp) array(args []*direct.Expr) string {
	if len(args) == 0 {
		return "new object[0]"
	}
	return "new object[] { " + g.list(args) + " }"
}

// bare prints an expression, with its type and how tightly it holds together.
func (g *sharp) bare(e *direct.Expr) (text, kind string, tight int) {
	switch e.Kind {
	case direct.Const:
		if text = constant(e.Value); strings.HasPrefix(text, "-") {
			return text, "double", sign
		}
		return text, kindOf(e.Type), called
	case direct.Local:
		return g.local(e.Name), g.kinds[e.Name], called
	case direct.Get:
		if name, ok := g.s.vars[e.Index]; ok {
			return g.at(e.Owner) + name, g.s.kinds[e.Index], called
		}
		return fmt.Sprintf("%sHasState(%s)", g.at(e.Owner), quoted(e.Name)), "object", called
	case direct.Computed:
		return fmt.Sprintf("%sFollows(%s)", g.at(e.Owner), quoted(e.Name)), "object", called
	case direct.Self, direct.NodeOf:
		return g.at(e.Owner) + "Own()", "object", called
	case direct.Property:
		return fmt.Sprintf("%sHas(%s)", g.at(e.Args[0].Owner), quoted(e.Name)), "object", called
	case direct.Axis, direct.Member:
		return fmt.Sprintf("Part(%s, %s)", g.any(e.Args[0]), quoted(e.Name)), "object", called
	case direct.Unary:
		if e.Name == "-" {
			return "-" + g.in(e.Args[0], "double", sign), "double", sign
		}
		return "!" + g.in(e.Args[0], "bool", sign), "bool", sign
	case direct.Binary:
		return g.binary(e)
	case direct.And:
		return g.in(e.Args[0], "bool", both) + " && " + g.in(e.Args[1], "bool", both+1), "bool", both
	case direct.Or:
		return g.in(e.Args[0], "bool", either) + " || " + g.in(e.Args[1], "bool", either+1), "bool", either
	case direct.Cond:
		kind := kindOf(e.Type)
		if e.Args[1].Fails || e.Args[2].Fails {
			kind = "object"
		}
		yes, no := g.in(e.Args[1], kind, either), g.in(e.Args[2], kind, either)
		if kind == "object" {
			yes = "(object)" + g.in(e.Args[1], kind, sign)
		}
		return g.in(e.Args[0], "bool", either) + " ? " + yes + " : " + no, kind, choice
	case direct.Truth:
		return "Truth(" + g.any(e.Args[0]) + ")", "bool", called
	case direct.Join:
		return g.join(e)
	case direct.Array:
		return g.array(e.Args), "object", called
	case direct.Dict:
		text := "new Fields()"
		for i, a := range e.Args {
			text += fmt.Sprintf(".With(%s, %s)", quoted(e.Keys[i]), g.any(a))
		}
		return text, "object", called
	case direct.Call:
		return g.call(e)
	case direct.Method:
		args := append([]*direct.Expr{e.Args[0], {Kind: direct.Const, Type: direct.Text, Value: e.Name}}, e.Args[1:]...)
		return "Call(" + g.list(args) + ")", "object", called
	}
	return g.host(e)
}

func (g *sharp) call(e *direct.Expr) (string, string, int) {
	f := g.s.plan[e.Index]
	parts := make([]string, len(e.Args))
	for i, a := range e.Args {
		parts[i] = g.as(a, g.s.params(f, i))
	}
	text := g.at(e.Owner) + g.s.funcs[e.Index] + "(" + strings.Join(parts, ", ") + ")"
	if !f.Gives { // has no value: it stands alone, or nobody reads it
		return text, "void", called
	}
	return text, "object", called
}

func (g *sharp) binary(e *direct.Expr) (string, string, int) {
	x, y := e.Args[0], e.Args[1]
	if e.Plain {
		own := tightness[e.Name]
		kind, of := "bool", kindOf(x.Type)
		if own >= sum {
			kind = of
		}
		if x.Type != y.Type { // compared with null
			of = "object"
		}
		return g.in(x, of, own) + " " + e.Name + " " + g.in(y, of, own+1), kind, own
	}
	word := map[string]string{"==": "Alike(", "!=": "!Alike(", "in": "Within(", "[]": "Item("}[e.Name]
	kind := "object"
	switch e.Name {
	case "==", "!=":
		kind = "bool"
	case "<", "<=", ">", ">=":
		word = "Order(" + quoted(e.Name) + ", "
	case "in", "[]":
	default:
		word = "Calc(" + quoted(e.Name) + ", "
	}
	tight := called
	if e.Name == "!=" {
		tight = sign
	}
	return word + g.any(x) + ", " + g.any(y) + ")", kind, tight
}

// join is a text of parts.
func (g *sharp) join(e *direct.Expr) (string, string, int) {
	var parts []string
	for _, a := range e.Args {
		switch {
		case a.Kind == direct.Const && a.Type == direct.Text && a.Value == "":
		case a.Type == direct.Text && !a.Fails:
			parts = append(parts, g.in(a, "string", sum+1))
		default:
			parts = append(parts, "Words("+g.any(a)+")")
		}
	}
	if len(parts) == 0 {
		return `""`, "string", called
	}
	if len(parts) == 1 {
		return parts[0], "string", sum
	}
	return strings.Join(parts, " + "), "string", sum
}

func (g *sharp) host(e *direct.Expr) (string, string, int) {
	if word, ok := map[string]string{"Math.abs": "Abs", "Math.floor": "Floor", "Math.ceil": "Ceiling"}[e.Name]; ok && !e.Fails && e.Args[0].Type == direct.Num {
		return "Math." + word + "(" + g.as(e.Args[0], "double") + ")", "double", called
	}
	switch e.Name {
	case "log", "print", "console.log":
		if len(e.Args) == 1 {
			return "Say(new object[] { " + g.any(e.Args[0]) + " })", "void", called
		}
		return "Say(" + g.list(e.Args) + ")", "void", called
	}
	from := ""
	if !e.Plain {
		from = ", " + quoted(g.s.w.program.Program.Functions[g.fn.Index].Name)
	}
	return fmt.Sprintf("Ask(%s, %s%s)", quoted(e.Name), g.array(e.Args), from), "object", called
}
