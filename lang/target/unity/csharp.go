package unity

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/target/direct"
)

// sharp prints the functions of a script.
type sharp struct {
	s     *scripts
	c     *component
	fn    *direct.Func
	names map[string]string // of locals
	kinds map[string]string // their types
}

// kindOf is the type of values that a variable has.
func kindOf(t direct.Type) string {
	switch t {
	case direct.Num:
		return "double"
	case direct.Bool:
		return "bool"
	case direct.Text:
		return "string"
	}
	return "object"
}

func constant(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case float64:
		s := strconv.FormatFloat(v, 'g', -1, 64)
		if !strings.ContainsAny(s, ".e") {
			s += "d"
		}
		return s
	case string:
		return quoted(v)
	}
	panic(fmt.Sprintf("unity: a constant of the kind %T", v)) // programs have no other
}

const keywords = ` abstract as base bool break byte case catch char checked class const continue decimal default delegate do double else enum event explicit extern false
finally fixed float for foreach goto if implicit in int interface internal is lock long namespace new null object operator out override params private protected public
readonly ref return sbyte sealed short sizeof stackalloc static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual void
volatile while var dynamic value get set add remove yield await async nameof when where `

// local is the name of a local or a parameter.
func (g *sharp) local(name string) string {
	if n, ok := g.names[name]; ok {
		return n
	}
	out := name
	for slices.Contains(strings.Fields(keywords), out) {
		out += "_"
	}
	g.names[name] = out
	return out
}

func (g *sharp) function(b *strings.Builder, f *direct.Func) {
	g.fn, g.names, g.kinds = f, map[string]string{}, map[string]string{}
	var params []string
	for i, p := range f.Params {
		g.kinds[p] = kindOf(f.Types[i])
		params = append(params, g.kinds[p]+" "+g.local(p))
	}
	var types func(list []*direct.Stmt)
	types = func(list []*direct.Stmt) { // a local that has values of two kinds is an object
		for _, s := range list {
			if s.Kind == direct.Let || s.Kind == direct.Assign {
				k := kindOf(s.X.Type)
				if s.X.Fails && k != "object" {
					k = "object"
				}
				if was, ok := g.kinds[s.Name]; ok && was != k {
					k = "object"
				}
				if _, isParam := g.kinds[s.Name]; !isParam || s.Kind == direct.Let || k == "object" {
					g.kinds[s.Name] = k
				}
			}
			types(s.Then)
			types(s.Else)
		}
	}
	types(f.Body)
	for i, p := range f.Params {
		params[i] = g.kinds[p] + " " + g.local(p)
	}
	result := "void"
	if f.Gives {
		result = "object"
	}
	about := fmt.Sprintf("%s:%d", f.File, f.Line)
	if f.About != "" {
		about = f.About + " (" + about + ")"
	}
	fmt.Fprintf(b, "\n\t\t// %s\n\t\tpublic %s %s(%s) {\n", remark(about), result, g.s.funcs[f.Index], strings.Join(params, ", "))
	g.block(b, f.Body, 3)
	if f.Gives && falls(f.Body) {
		b.WriteString("\t\t\treturn null;\n")
	}
	b.WriteString("\t\t}\n")
}

// falls says whether a block can come to its end.
func falls(list []*direct.Stmt) bool {
	if len(list) == 0 {
		return true
	}
	last := list[len(list)-1]
	switch last.Kind {
	case direct.Return:
		return false
	case direct.Branch:
		return falls(last.Then) || falls(last.Else)
	}
	return true
}

// remark is a text that ends with its line.
func remark(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, s)
}

func (g *sharp) block(b *strings.Builder, list []*direct.Stmt, depth int) {
	indent := strings.Repeat("\t", depth)
	for i, s := range list {
		if s.Kind == direct.Branch {
			b.WriteString(indent)
			g.branch(b, s, depth)
		} else {
			b.WriteString(indent + g.statement(s) + "\n")
		}
		if !falls(list[i : i+1]) {
			return // nothing behind it is ever reached
		}
	}
}

func (g *sharp) branch(b *strings.Builder, s *direct.Stmt, depth int) {
	indent := strings.Repeat("\t", depth)
	then, otherwise, cond := s.Then, s.Else, g.as(s.X, "bool")
	if len(then) == 0 && len(otherwise) > 0 {
		then, otherwise, cond = otherwise, nil, "!("+cond+")"
	}
	fmt.Fprintf(b, "if (%s) {\n", cond)
	g.block(b, then, depth+1)
	switch {
	case len(otherwise) == 1 && otherwise[0].Kind == direct.Branch:
		b.WriteString(indent + "} else ")
		g.branch(b, otherwise[0], depth)
		return
	case len(otherwise) > 0:
		b.WriteString(indent + "} else {\n")
		g.block(b, otherwise, depth+1)
	}
	b.WriteString(indent + "}\n")
}

// at is what stands in front of a member of an owner.
func (g *sharp) at(owner string) string {
	if owner == g.c.script.Owner {
		return ""
	}
	return g.c.links[owner] + "."
}

func (g *sharp) statement(s *direct.Stmt) string {
	switch s.Kind {
	case direct.Let:
		return g.kinds[s.Name] + " " + g.local(s.Name) + " = " + g.as(s.X, g.kinds[s.Name]) + ";"
	case direct.Assign:
		return g.local(s.Name) + " = " + g.as(s.X, g.kinds[s.Name]) + ";"
	case direct.SetState:
		return g.set(s)
	case direct.Put:
		return fmt.Sprintf("%sGive(%s, %s);", g.at(s.Node.Owner), quoted(s.Name), g.any(s.X))
	case direct.PutAxis:
		return fmt.Sprintf("%sGiveAxis(%s, %s, %s);", g.at(s.Node.Owner), quoted(s.Name), quoted(s.Axis), g.any(s.X))
	case direct.Return:
		if !g.fn.Gives {
			return "return;"
		}
		return "return " + g.any(s.X) + ";"
	case direct.Raise:
		if s.X == nil {
			return fmt.Sprintf("%sTell(%s);", g.at(s.Node.Owner), quoted(s.Name))
		}
		return fmt.Sprintf("%sTell(%s, %s);", g.at(s.Node.Owner), quoted(s.Name), g.any(s.X))
	case direct.Guard:
		back := "return;"
		if g.fn.Gives {
			back = "return null;"
		}
		if s.Line == 0 {
			return "if (Failed()) " + back
		}
		return fmt.Sprintf("if (Failed(%d, %d, %s)) %s", s.Line, s.Column, quoted(g.s.w.program.Program.Functions[g.fn.Index].Name), back)
	}
	text, _, own := g.bare(s.X)
	if own < called || !strings.HasSuffix(text, ")") { // only a call is a statement
		return "Words(" + g.any(s.X) + ");"
	}
	return text + ";"
}

func (g *sharp) set(s *direct.Stmt) string {
	name, ok := g.s.vars[s.Slot]
	if !ok {
		return fmt.Sprintf("%sGiveState(%s, %s);", g.at(s.Owner), quoted(s.Name), g.any(s.X))
	}
	to := g.at(s.Owner) + name
	if x := s.X; x.Kind == direct.Binary && x.Plain && strings.Contains("+-*/", x.Name) && x.Args[0].Kind == direct.Get && x.Args[0].Index == s.Slot {
		return to + " " + x.Name + "= " + g.as(x.Args[1], kindOf(x.Args[1].Type)) + ";"
	}
	return to + " = " + g.as(s.X, g.s.kinds[s.Slot]) + ";"
}
