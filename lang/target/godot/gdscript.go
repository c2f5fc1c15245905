package godot

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/target/direct"
)

// gd prints functions in the language of the engine.
type gd struct {
	a     *actors
	s     *direct.Script
	fn    *direct.Func
	names map[string]string // of locals
	err   error
}

// constant is a value that stands in a script.
func (g *gd) constant(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case float64:
		s, err := number(strconv.FormatFloat(v, 'g', -1, 64))
		if err != nil {
			g.err = err
		}
		if !strings.ContainsAny(s, ".") {
			s += ".0"
		}
		if strings.ContainsAny(s, " ") {
			s = "(" + s + ")"
		}
		return s
	case string:
		return quoted(v)
	}
	g.err = fmt.Errorf("write script: a constant of the kind %T", v)
	return ""
}

// other is what the script calls another owner.
func (g *gd) other(owner string) string {
	taken := map[string]bool{}
	for _, v := range g.s.State {
		taken[g.a.vars[v.Slot]], taken["set_"+g.a.vars[v.Slot]] = true, true
	}
	for _, e := range g.s.Signals {
		taken[e] = true
	}
	name := ""
	for _, o := range g.s.Uses {
		if name = freeName(taken, g.a.called(o)); o == owner {
			break
		}
	}
	return name
}

// local is the name of a local or a parameter.
func (g *gd) local(name string) string {
	if n, ok := g.names[name]; ok {
		return n
	}
	taken := map[string]bool{}
	for _, v := range g.s.State {
		taken[g.a.vars[v.Slot]] = true
	}
	for _, o := range g.s.Uses {
		taken[g.other(o)] = true
	}
	for _, n := range g.names {
		taken[n] = true
	}
	for _, f := range g.s.Funcs {
		taken[g.a.funcs[f.Index]] = true
	}
	g.names[name] = freeName(taken, name)
	return g.names[name]
}

func (g *gd) params(f *direct.Func) []string {
	g.fn, g.names = f, map[string]string{}
	var out []string
	for _, p := range f.Params {
		name := g.local(p)
		if !direct.Mentions(f.Body, p) {
			g.names[p] = "_" + name
			name = "_" + name
		}
		out = append(out, name)
	}
	return out
}

func (g *gd) function(b *strings.Builder, f *direct.Func) {
	g.block(b, f.Body, 1)
}

func (g *gd) block(b *strings.Builder, list []*direct.Stmt, depth int) {
	indent := strings.Repeat("\t", depth)
	if len(list) == 0 {
		b.WriteString(indent + "pass\n")
	}
	for _, s := range list {
		if s.Kind == direct.Branch {
			g.branch(b, s, depth, "if")
			continue
		}
		b.WriteString(indent + g.statement(s) + "\n")
	}
}

func (g *gd) branch(b *strings.Builder, s *direct.Stmt, depth int, word string) {
	indent := strings.Repeat("\t", depth)
	then, otherwise, cond := s.Then, s.Else, g.expr(s.X, 0)
	if len(then) == 0 && len(otherwise) > 0 {
		then, otherwise, cond = otherwise, nil, "not "+g.expr(s.X, 8)
	}
	fmt.Fprintf(b, "%s%s %s:\n", indent, word, cond)
	g.block(b, then, depth+1)
	switch {
	case len(otherwise) == 1 && otherwise[0].Kind == direct.Branch:
		g.branch(b, otherwise[0], depth, "elif")
	case len(otherwise) > 0:
		b.WriteString(indent + "else:\n")
		g.block(b, otherwise, depth+1)
	}
}

// at is what stands in front of a member of an owner.
func (g *gd) at(owner string) string {
	if owner == g.s.Owner {
		return ""
	}
	return g.other(owner) + "."
}

func (g *gd) statement(s *direct.Stmt) string {
	switch s.Kind {
	case direct.Let:
		return "var " + g.local(s.Name) + " = " + g.expr(s.X, 0)
	case direct.Assign:
		return g.local(s.Name) + " = " + g.expr(s.X, 0)
	case direct.SetState:
		return g.set(s)
	case direct.Put:
		return fmt.Sprintf("%sput(%s, %s)", g.at(s.Node.Owner), quoted(s.Name), g.expr(s.X, 0))
	case direct.PutAxis:
		return fmt.Sprintf("%sput_axis(%s, %s, %s)", g.at(s.Node.Owner), quoted(s.Name), quoted(s.Axis), g.expr(s.X, 0))
	case direct.Return:
		if s.X.Kind == direct.Const && s.X.Value == nil {
			return "return"
		}
		return "return " + g.expr(s.X, 0)
	case direct.Raise:
		if s.X == nil {
			return fmt.Sprintf("%stell(%s)", g.at(s.Node.Owner), quoted(s.Name))
		}
		return fmt.Sprintf("%stell(%s, %s)", g.at(s.Node.Owner), quoted(s.Name), g.expr(s.X, 0))
	case direct.Guard:
		if s.Line == 0 {
			return "if failed(): return"
		}
		return fmt.Sprintf("if failed(%d, %d, %s): return", s.Line, s.Column, quoted(g.a.w.functionName(g.fn.Index)))
	}
	return g.expr(s.X, 0)
}

// set writes a state key; what adds to it is written so.
func (g *gd) set(s *direct.Stmt) string {
	name, ok := g.a.vars[s.Slot]
	if !ok {
		return fmt.Sprintf("%sset_state(%s, %s)", g.at(s.Owner), quoted(s.Name), g.expr(s.X, 0))
	}
	to := or(g.at(s.Owner), "self.") + name
	if x := s.X; x.Kind == direct.Binary && x.Plain && strings.Contains("+-*/", x.Name) && x.Args[0].Kind == direct.Get && x.Args[0].Index == s.Slot {
		return to + " " + x.Name + "= " + g.expr(x.Args[1], 0)
	}
	return to + " = " + g.expr(s.X, 0)
}

// binds are how tightly operators bind.
var binds = map[string]int{
	"==": 9, "!=": 9, "<": 9, "<=": 9, ">": 9, ">=": 9, "+": 14, "-": 14, "*": 15, "/": 15, "%": 15,
}

// expr prints an expression that stands where an operator binds so tightly.
func (g *gd) expr(e *direct.Expr, around int) string {
	text, own := g.bare(e)
	if own < around {
		return "(" + text + ")"
	}
	return text
}

const tight = 100

func (g *gd) list(args []*direct.Expr) string {
	parts := make([]string, len(args))
	for i, a := range args {
		parts[i] = g.expr(a, 0)
	}
	return strings.Join(parts, ", ")
}

// bare prints an expression and says how tightly it holds together.
func (g *gd) bare(e *direct.Expr) (text string, own int) {
	switch e.Kind {
	case direct.Const:
		text = g.constant(e.Value)
		if strings.HasPrefix(text, "-") {
			return text, 16
		}
		return text, tight
	case direct.Local:
		return g.local(e.Name), tight
	case direct.Get:
		if name, ok := g.a.vars[e.Index]; ok {
			return g.at(e.Owner) + name, tight
		}
		return fmt.Sprintf("%sstate(%s)", g.at(e.Owner), quoted(e.Name)), tight
	case direct.Computed:
		return fmt.Sprintf("%scomputed(%s)", g.at(e.Owner), quoted(e.Name)), tight
	case direct.Self, direct.NodeOf:
		return g.at(e.Owner) + "own()", tight
	case direct.Property:
		return fmt.Sprintf("%sprop(%s)", g.at(e.Args[0].Owner), quoted(e.Name)), tight
	case direct.Axis:
		return fmt.Sprintf("axis(%s, %s)", g.expr(e.Args[0], 0), quoted(e.Name)), tight
	case direct.Member:
		return fmt.Sprintf("member(%s, %s)", g.expr(e.Args[0], 0), quoted(e.Name)), tight
	case direct.Unary:
		if e.Name == "-" {
			return "-" + g.expr(e.Args[0], 16), 16
		}
		return "not " + g.expr(e.Args[0], 8), 8
	case direct.Binary:
		return g.binary(e)
	case direct.And:
		return g.expr(e.Args[0], 7) + " and " + g.expr(e.Args[1], 8), 7
	case direct.Or:
		return g.expr(e.Args[0], 6) + " or " + g.expr(e.Args[1], 7), 6
	case direct.Cond:
		return g.expr(e.Args[1], 6) + " if " + g.expr(e.Args[0], 6) + " else " + g.expr(e.Args[2], 6), 5
	case direct.Truth:
		return "truth(" + g.expr(e.Args[0], 0) + ")", tight
	case direct.Join:
		return g.join(e)
	case direct.Array:
		return "[" + g.list(e.Args) + "]", tight
	case direct.Dict:
		parts := make([]string, len(e.Args))
		for i, a := range e.Args {
			parts[i] = quoted(e.Keys[i]) + ": " + g.expr(a, 0)
		}
		return "{" + strings.Join(parts, ", ") + "}", tight
	case direct.Call:
		return g.at(e.Owner) + g.a.funcs[e.Index] + "(" + g.list(e.Args) + ")", tight
	case direct.Method:
		return fmt.Sprintf("method(%s, %s, [%s])", g.expr(e.Args[0], 0), quoted(e.Name), g.list(e.Args[1:])), tight
	}
	return g.host(e)
}

func (g *gd) binary(e *direct.Expr) (string, int) {
	x, y := e.Args[0], e.Args[1]
	if e.Plain && e.Name == "%" {
		return fmt.Sprintf("fmod(%s, %s)", g.expr(x, 0), g.expr(y, 0)), tight
	}
	if e.Plain {
		own := binds[e.Name]
		return g.expr(x, own) + " " + e.Name + " " + g.expr(y, own+1), own
	}
	switch e.Name {
	case "==":
		return fmt.Sprintf("same(%s, %s)", g.expr(x, 0), g.expr(y, 0)), tight
	case "!=":
		return fmt.Sprintf("not same(%s, %s)", g.expr(x, 0), g.expr(y, 0)), 8
	case "<", "<=", ">", ">=":
		return fmt.Sprintf("order(%q, %s, %s)", e.Name, g.expr(x, 0), g.expr(y, 0)), tight
	case "in":
		return fmt.Sprintf("within(%s, %s)", g.expr(x, 0), g.expr(y, 0)), tight
	case "[]":
		return fmt.Sprintf("element(%s, %s)", g.expr(x, 0), g.expr(y, 0)), tight
	}
	return fmt.Sprintf("calc(%q, %s, %s)", e.Name, g.expr(x, 0), g.expr(y, 0)), tight
}

// join is a text of parts.
func (g *gd) join(e *direct.Expr) (string, int) {
	var parts []string
	for _, a := range e.Args {
		switch {
		case a.Kind == direct.Const && a.Type == direct.Text && a.Value == "":
		case a.Type == direct.Text && !a.Fails:
			parts = append(parts, g.expr(a, 14))
		default:
			parts = append(parts, "words("+g.expr(a, 0)+")")
		}
	}
	if len(parts) == 0 {
		return `""`, tight
	}
	return strings.Join(parts, " + "), 14
}

// plain are operations that mean the same in the language of the engine.
var plainOps = map[string]string{"Math.abs": "abs", "Math.floor": "floor", "Math.ceil": "ceil"}

func (g *gd) host(e *direct.Expr) (string, int) {
	if word, ok := plainOps[e.Name]; ok && !e.Fails {
		return word + "(" + g.list(e.Args) + ")", tight
	}
	switch e.Name {
	case "log", "print", "console.log":
		return "say([" + g.list(e.Args) + "])", tight
	}
	if e.Plain { // the library's
		return fmt.Sprintf("ask(%s, [%s])", quoted(e.Name), g.list(e.Args)), tight
	}
	return fmt.Sprintf("ask(%s, [%s], %s)", quoted(e.Name), g.list(e.Args), quoted(g.a.w.functionName(g.fn.Index))), tight
}
