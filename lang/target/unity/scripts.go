package unity

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/target/direct"
)

// component is a script of the scene with the class that it becomes.
type component struct {
	script *direct.Script
	class  string
	used   names             // of its members
	links  map[string]string // owners that it names, and the fields that lead there
	text   string
}

// scripts are the components that do what functions of the source do.
type scripts struct {
	w     *writer
	all   *direct.Scripts
	list  []*component
	by    map[string]*component
	plan  map[int]*direct.Func
	funcs map[int]string // names of functions in their classes
	vars  map[int]string // of properties that are state keys
	kinds map[int]string // their types
}

// newScripts names and prints the classes. What was placed with one template has one
// class, unless it does other things.
func newScripts(w *writer, used names) *scripts {
	s := &scripts{w: w, all: direct.Plan(w.in, w.program), by: map[string]*component{}, plan: map[int]*direct.Func{}, funcs: map[int]string{}, vars: map[int]string{}, kinds: map[int]string{}}
	for _, x := range s.all.All {
		c := &component{script: x}
		s.list = append(s.list, c)
		s.by[x.Owner] = c
		if i, ok := w.index[x.Owner]; ok && w.s.Nodes[i].Template != "" {
			c.class = w.class[w.s.Nodes[i].Template]
		} else {
			c.class = used.class(x.Name)
		}
	}
	for _, r := range s.all.Rows {
		s.plan[r.Fn] = r.Func
	}
	for again := true; again; {
		again = false
		first := map[string]string{}
		for _, c := range s.list {
			s.name(c)
		}
		for _, c := range s.list {
			c.text = s.print(c)
			if was, ok := first[c.class]; ok && was != c.text {
				c.class, again = used.class(c.class), true
				continue
			}
			first[c.class] = c.text
		}
	}
	return s
}

// name gives the members of a class their names.
func (s *scripts) name(c *component) {
	c.used, c.links = names{strings.ToLower(c.class): true}, map[string]string{}
	for _, v := range c.script.State {
		s.vars[v.Slot], s.kinds[v.Slot] = c.used.member(v.Key), kindOf(v.Type)
	}
	for _, f := range c.script.Funcs {
		s.funcs[f.Index] = c.used.member(strings.ReplaceAll(f.Name, "_", " "))
	}
	for _, o := range c.script.Uses {
		c.links[o] = c.used.member("The " + s.by[o].script.Name)
	}
}

// params is the type of a parameter.
func (s *scripts) params(f *direct.Func, i int) string {
	g := &sharp{s: s, fn: f, names: map[string]string{}, kinds: map[string]string{}}
	return g.parameter(f, i)
}

// parameter is the type of a parameter: an object where the function gives it values
// of other kinds.
func (g *sharp) parameter(f *direct.Func, i int) string {
	kind := kindOf(f.Types[i])
	var look func(list []*direct.Stmt)
	look = func(list []*direct.Stmt) {
		for _, s := range list {
			if s.Kind == direct.Assign && s.Name == f.Params[i] && (kindOf(s.X.Type) != kind || s.X.Fails) {
				kind = "object"
			}
			look(s.Then)
			look(s.Else)
		}
	}
	look(f.Body)
	return kind
}

// print is the class of a script.
func (s *scripts) print(c *component) string {
	var b strings.Builder
	name := c.script.Name
	if i, ok := s.w.index[c.script.Owner]; ok {
		name = cmp.Or(s.w.s.Nodes[i].Template, name)
	}
	fmt.Fprintf(&b, "\t// What %s does.\n", remark(name))
	for _, m := range c.script.Machines {
		fmt.Fprintf(&b, "\t// State machine: %s.\n", remark(m))
	}
	fmt.Fprintf(&b, "\tpublic sealed class %s : Script {\n", c.class)
	for _, v := range c.script.State {
		first := constant(v.Init)
		if name != c.script.Name { // each that was placed has its own
			first = map[direct.Type]string{direct.Bool: "false", direct.Num: "0d", direct.Text: `""`}[v.Type]
		}
		fmt.Fprintf(&b, "\t\t[SerializeField] %s %s = %s;\n", s.kinds[v.Slot], field(s.vars[v.Slot]), first)
	}
	for _, o := range c.script.Uses {
		fmt.Fprintf(&b, "\t\tpublic %s %s;\n", s.by[o].class, c.links[o])
	}
	for _, v := range c.script.State {
		n := s.vars[v.Slot]
		fmt.Fprintf(&b, "\n\t\tpublic %s %s {\n\t\t\tget { return %s; }\n\t\t\tset {\n\t\t\t\t%s = value;\n\t\t\t\tKeep(%s, value);\n\t\t\t}\n\t\t}\n", s.kinds[v.Slot], n, field(n), field(n), quoted(v.Key))
	}
	for _, f := range c.script.Funcs {
		g := &sharp{s: s, c: c}
		g.function(&b, f)
	}
	b.WriteString("\t}\n")
	return b.String()
}

// field is the field of a property.
func field(property string) string { return "its" + property }

// files are the classes, and what binds them to the program.
func (s *scripts) files() []artefact.File {
	var out []artefact.File
	seen := map[string]bool{}
	for _, c := range s.list {
		if !seen[c.class] {
			seen[c.class] = true
			out = append(out, artefact.File{Path: c.class + ".cs", MediaType: mediaType, Data: []byte("// " + s.w.in.Header() + "\nusing System;\nusing UnityEngine;\n\nnamespace MeshdScene {\n" + c.text + "}\n")})
		}
	}
	return append(out, artefact.File{Path: "Behaviours.cs", MediaType: mediaType, Data: s.binding()})
}

// binding is Behaviours.cs: which function of the program is which of a component,
// and which are left to the interpreter.
func (s *scripts) binding() []byte {
	var b, parts strings.Builder
	fmt.Fprintf(&b, "// %s\n// Components do %d of the %d functions of the source.\n", s.w.in.Header(), len(s.all.Rows), len(s.all.Rows)+len(s.all.Left))
	for _, l := range s.all.Left {
		fmt.Fprintf(&b, "// Left to the interpreter: %s\n", remark(fmt.Sprintf("%s (%s:%d), for it has %s.", l.Name, l.File, l.Line, l.Reason)))
	}
	b.WriteString("using System;\n\nnamespace MeshdScene {\n\tpublic static class Behaviours {\n\t\t// Bind lets components take the place of functions of a program and keep state.\n\t\tpublic static void Bind(Machine m, Func<string, Type, Script> find) {\n")
	for i, c := range s.list {
		fmt.Fprintf(&b, "\t\t\tvar s%d = (%s)find(%s, typeof(%s));\n", i, c.class, quoted(c.script.Owner), c.class)
	}
	for i, c := range s.list {
		fmt.Fprintf(&b, "\t\t\ts%d.Machine = m;\n\t\t\ts%d.Node = %s;\n", i, i, quoted(c.script.Owner))
		for _, o := range c.script.Uses {
			fmt.Fprintf(&b, "\t\t\ts%d.%s = s%d;\n", i, c.links[o], slices.Index(s.list, s.by[o]))
		}
		if len(c.script.State)+len(c.script.Funcs) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\t\t\tBind%d(m, s%d);\n", i, i)
		fmt.Fprintf(&parts, "\n\t\tstatic void Bind%d(Machine m, %s s) {\n", i, c.class)
		for _, v := range c.script.State {
			fmt.Fprintf(&parts, "\t\t\tm.Shows(%d, () => s.%s, v => s.%s = (%s)v);\n", v.Slot, s.vars[v.Slot], s.vars[v.Slot], s.kinds[v.Slot])
		}
		for _, f := range c.script.Funcs {
			var args []string
			for k := range f.Params {
				cast := "(" + s.params(f, k) + ")"
				if cast == "(object)" {
					cast = ""
				}
				args = append(args, fmt.Sprintf("%sa[%d]", cast, k))
			}
			act := fmt.Sprintf("s.%s(%s)", s.funcs[f.Index], strings.Join(args, ", "))
			if !f.Gives {
				act = "{ " + act + "; return null; }"
			}
			numbers := ""
			if slices.Contains(f.Numbers, true) {
				numbers = ", true"
			}
			fmt.Fprintf(&parts, "\t\t\tm.Does(%d, a => %s%s);\n", f.Index, act, numbers)
		}
		parts.WriteString("\t\t}\n")
	}
	b.WriteString("\t\t}\n" + parts.String() + "\n\t\t// Begin gives a component that is made the values that the source begins with.\n\t\tpublic static void Begin(string id, Script made) {\n")
	for _, c := range s.list {
		if len(c.script.State) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\t\t\tif (id == %s) {\n", quoted(c.script.Owner))
		for _, v := range c.script.State {
			fmt.Fprintf(&b, "\t\t\t\t((%s)made).%s = %s;\n", c.class, s.vars[v.Slot], constant(v.Init))
		}
		b.WriteString("\t\t\t}\n")
	}
	b.WriteString("\t\t}\n\t}\n}\n")
	return []byte(b.String())
}

// rest is the program without the code of what components do.
func (s *scripts) rest() ([]byte, error) {
	p := *s.w.program.Program
	p.Functions = slices.Clone(p.Functions)
	for _, r := range s.all.Rows {
		p.Functions[r.Fn].Code, p.Functions[r.Fn].Lines = []int{}, [][3]int{}
	}
	return (&p).Encode()
}
