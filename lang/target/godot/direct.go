package godot

import (
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/target/direct"
)

// actor is a node of the scene file with a script.
type actor struct {
	script *direct.Script
	path   string // of the node
}

// actors are the scripts of a scene, by their owners.
type actors struct {
	w     *writer
	all   *direct.Scripts
	by    map[string]*actor
	order []*actor
	files []artefact.File
	named map[string]string // text of a script → its file
	funcs map[int]string    // names of functions in their scripts
	vars  map[int]string    // of state keys
}

func newActors(w *writer, all *direct.Scripts) *actors {
	a := &actors{w: w, all: all, by: map[string]*actor{}, named: map[string]string{}, funcs: map[int]string{}, vars: map[int]string{}}
	for _, s := range all.All {
		x := &actor{script: s}
		a.by[s.Owner] = x
		a.order = append(a.order, x)
		taken := map[string]bool{}
		for _, v := range s.State {
			a.vars[v.Slot] = freeName(taken, v.Key)
			freeName(taken, "set_"+a.vars[v.Slot])
		}
		for _, e := range s.Signals {
			taken[e] = true
		}
		for _, o := range s.Uses {
			freeName(taken, a.called(o))
		}
		for _, f := range s.Funcs {
			a.funcs[f.Index] = freeName(taken, f.Name)
		}
	}
	return a
}

// called is what scripts call another owner.
func (a *actors) called(owner string) string {
	for i := range a.w.s.Nodes {
		if a.w.s.Nodes[i].ID == owner {
			return direct.Identifier(strings.ToLower(or(a.w.s.Nodes[i].Name, a.w.s.Nodes[i].Kind)))
		}
	}
	if owner == run.SceneOwner {
		return "behaviour"
	}
	return direct.Identifier(strings.ToLower(strings.TrimPrefix(owner, "module:")))
}

// freeName is a name that neither the engine nor the script has for something else.
func freeName(taken map[string]bool, name string) string {
	name = direct.Identifier(name)
	for taken[name] || reserved[name] {
		name += "_"
	}
	taken[name] = true
	return name
}

// fill writes the scripts and puts their ids into the nodes of the scene file.
func (a *actors) fill() error {
	if len(a.order) == 0 {
		return nil
	}
	base := "# " + a.w.in.Header() + "\nextends " + a.w.d.name("Node") + "\n\n" + part("actor")
	a.files = append(a.files, artefact.File{Path: "actor.gd", MediaType: "text/plain", Data: []byte(base)})
	taken := map[string]bool{"scene": true, "actor": true}
	for _, x := range a.order {
		text, given, err := a.text(x)
		if err != nil {
			return err
		}
		file, there := a.named[text]
		if len(x.script.Funcs) == 0 && len(x.script.State) == 0 {
			file, there = "actor.gd", true
		}
		if !there {
			name := direct.Identifier(strings.ToLower(or(a.template(x), x.script.Name)))
			for n := 2; taken[name]; n++ {
				name = fmt.Sprintf("%s_%d", direct.Identifier(strings.ToLower(or(a.template(x), x.script.Name))), n)
			}
			taken[name] = true
			file = name + ".gd"
			a.named[text] = file
			a.files = append(a.files, artefact.File{Path: file, MediaType: "text/plain", Data: []byte("# " + a.w.in.Header() + "\n" + text)})
		}
		for _, n := range a.w.d.nodes {
			if n.path == x.path {
				n.properties = append(append([]string{"script = " + a.w.d.external("Script", file)}, given...), n.properties...)
			}
		}
	}
	return nil
}

// template is the template that a node is an instance of.
func (a *actors) template(x *actor) string {
	for i := range a.w.s.Nodes {
		if n := &a.w.s.Nodes[i]; n.ID == x.script.Owner {
			return n.Template
		}
	}
	return ""
}

// relative is the way from one node to another.
func relative(from, to string) string {
	f, t := strings.Split(from, "/"), strings.Split(to, "/")
	for len(f) > 0 && len(t) > 0 && f[0] == t[0] {
		f, t = f[1:], t[1:]
	}
	way := slices.Repeat([]string{".."}, len(f))
	return or(strings.Join(append(way, t...), "/"), ".")
}

// comment is a text that ends with its line.
func comment(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, s)
}

// text is the script of an owner, and the lines of its node that give it first
// values of its own.
func (a *actors) text(x *actor) (text string, given []string, err error) {
	var b strings.Builder
	s := x.script
	b.WriteString("extends \"actor.gd\"\n")
	g := &gd{a: a, s: s}
	b.WriteString("# " + comment(fmt.Sprintf("What %s does.", or(a.template(x), s.Name))) + "\n")
	for _, m := range s.Machines {
		b.WriteString("# State machine: " + comment(m) + ".\n")
	}
	b.WriteString("\n")
	for _, e := range s.Signals {
		if direct.Identifier(e) == e && !reserved[e] {
			fmt.Fprintf(&b, "signal %s(payload)\n", e)
		}
	}
	for _, v := range s.State {
		name, first := a.vars[v.Slot], g.constant(v.Init)
		kind := map[direct.Type]string{direct.Bool: "bool", direct.Num: "float", direct.Text: "String"}[v.Type]
		none := map[direct.Type]string{direct.Bool: "false", direct.Num: "0.0", direct.Text: `""`}[v.Type]
		if a.template(x) == "" {
			none = first
		} else if none != first {
			given = append(given, name+" = "+first)
		}
		if a.w.d.version == 3 {
			fmt.Fprintf(&b, "export(%s) var %s = %s setget set_%s\n", kind, name, none, name)
		} else {
			fmt.Fprintf(&b, "@export var %s: %s = %s:\n\tset(value):\n\t\t%s = value\n\t\tkeep(%s, value)\n", name, kind, none, name, quoted(v.Key))
		}
	}
	for _, o := range s.Uses {
		word := map[int]string{3: "onready", 4: "@onready"}[a.w.d.version]
		fmt.Fprintf(&b, "%s var %s = get_node(%s)\n", word, g.other(o), quoted(relative(x.path, a.by[o].path)))
	}
	for _, v := range s.State {
		if a.w.d.version == 4 {
			break
		}
		name := a.vars[v.Slot]
		fmt.Fprintf(&b, "\nfunc set_%s(value):\n\t%s = value\n\tkeep(%s, value)\n", name, name, quoted(v.Key))
	}
	for _, f := range s.Funcs {
		about := fmt.Sprintf("%s:%d", f.File, f.Line)
		if f.About != "" {
			about = f.About + " (" + about + ")"
		}
		fmt.Fprintf(&b, "\n# %s\nfunc %s(%s):\n", comment(about), a.funcs[f.Index], strings.Join(g.params(f), ", "))
		g.function(&b, f)
	}
	return b.String(), given, g.err
}
