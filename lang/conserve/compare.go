package conserve

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/idiom"
	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/run/table"
	"github.com/meshd/meshd/lang/scene"
)

// view is what one profile sees. The program is compiled when it is asked for.
type view struct {
	built    *scene.Scene
	scene    *scene.Scene // bare
	files    []*ast.File
	compiled *run.Compiled
}

// settle makes the scene that is compared.
func (v *view) settle(read map[string]bool) { v.scene = bare(v.built, read) }

// program compiles what happens.
func (v *view) program() *run.Compiled {
	if v.compiled == nil {
		c, err := run.Compile(v.built, v.files, true)
		if err != nil {
			c = &run.Compiled{Program: &run.Program{}}
		}
		v.compiled = c
	}
	return v.compiled
}

// equal says whether two views mean the same.
func (v *view) equal(w *view) bool {
	if !reflect.DeepEqual(v.scene, w.scene) {
		return false
	}
	a, b := v.program(), w.program()
	return sameProgram(a.Program, b.Program) && sameTests(a.Tests, b.Tests)
}

// bare is a scene without what is kept as data only and without places in the text. Of
// the settings that the model has no place for it keeps those that are read.
func bare(s *scene.Scene, read map[string]bool) *scene.Scene {
	c := *s
	c.V, c.SourceSHA256, c.Compiler, c.Files, c.Behaviour, c.Program, c.Losses = "", "", "", nil, nil, nil, nil
	c.Domain = places(slices.DeleteFunc(slices.Clone(s.Domain), func(d scene.Domain) bool { return d.Kind != "source" })) // read by vrr
	c.Pipelines, c.Agents = places(s.Pipelines), places(s.Agents)
	c.UI = widgets(s.UI)
	c.Post = slices.Clone(s.Post)
	for i := range c.Post {
		c.Post[i].Params = acted(c.Post[i].Params, idiom.Effects[c.Post[i].Kind])
	}
	c.Nodes = slices.Clone(s.Nodes)
	for i := range c.Nodes {
		n := &c.Nodes[i]
		n.Src = scene.Src{}
		n.Particle = acted(n.Particle, idiom.Emitters)
		extras := n.Extras
		n.Extras = scene.Value{}
		for _, f := range extras.Fields {
			if read[f.Key] {
				n.Extras.Fields = append(n.Extras.Fields, f)
			}
		}
		n.Traits = slices.DeleteFunc(slices.Clone(n.Traits), func(t scene.TraitUse) bool { return !t.Known })
	}
	c.Timelines = slices.Clone(s.Timelines)
	for i := range c.Timelines {
		t := &c.Timelines[i]
		t.Src = scene.Src{}
		t.Steps = slices.Clone(t.Steps)
		for j := range t.Steps {
			t.Steps[j].Code = scene.Code{}
		}
	}
	return &c
}

// unplaced is a name without the place that a control without a name of its own has in
// it: ui.0.12.5 for line 12, column 5.
func unplaced(name string) string {
	i := strings.Index(name, "ui.")
	if i < 0 || strings.Trim(name[i+3:], "0123456789.") != "" {
		return name
	}
	return name[:i+3]
}

func places(list []scene.Domain) []scene.Domain {
	out := slices.Clone(list)
	for i := range out {
		out[i].Src = scene.Src{}
	}
	return out
}

func widgets(list []scene.Widget) []scene.Widget {
	out := slices.Clone(list)
	for i := range out {
		out[i].Src = scene.Src{}
		out[i].Bind = unplaced(out[i].Bind)
		out[i].Params = acted(out[i].Params, idiom.Controls)
		out[i].Children = widgets(out[i].Children)
	}
	return out
}

// members are the names that a program asks values for: a setting of a node that the
// model has no place for is meant by them.
func members(p *run.Program) map[string]bool {
	out := map[string]bool{}
	instructions(p, func(op *table.Op, args []int) {
		if op.Name != "Mem" && op.Name != "PutMem" {
			return
		}
		if s, ok := p.Consts[args[0]].(string); ok {
			out[s] = true
		}
	})
	return out
}

// instructions calls visit for each instruction of a program.
func instructions(p *run.Program, visit func(op *table.Op, args []int)) {
	for i := range p.Functions {
		code := p.Functions[i].Code
		for at := 0; at < len(code); {
			op := &table.Ops[code[at]]
			visit(op, code[at+1:at+1+len(op.Args)])
			at += 1 + len(op.Args)
		}
	}
}

// sameProgram compares two programs by what they do: constants by their values, so that
// one that no instruction uses does not count; not the seed, which follows from the text,
// and not the lines.
func sameProgram(p, q *run.Program) bool {
	init := func(r *run.Program, i run.Init) any {
		if i.Fn >= 0 {
			return i.Fn
		}
		return []any{r.Consts[i.Const]}
	}
	return slices.EqualFunc(p.Functions, q.Functions, func(f, g run.Function) bool { return sameFunction(p, q, &f, &g) }) &&
		slices.EqualFunc(p.State, q.State, func(s, t run.Slot) bool {
			return s.Owner == t.Owner && s.Key == t.Key && s.Persist == t.Persist && reflect.DeepEqual(init(p, s.Init), init(q, t.Init))
		}) &&
		slices.EqualFunc(p.Wires, q.Wires, func(w, x run.Wire) bool {
			same := slices.EqualFunc(w.Args, x.Args, func(a, b int) bool { return p.Consts[a] == q.Consts[b] })
			w.Args, x.Args = nil, nil
			return same && reflect.DeepEqual(w, x)
		}) &&
		same(p.Rates, q.Rates) && same(p.Host, q.Host) && same(p.Computed, q.Computed) && same(p.Watches, q.Watches) &&
		slices.EqualFunc(p.Binds, q.Binds, func(b, c run.Bind) bool {
			return b.Node == c.Node && b.Fn == c.Fn && unplaced(b.Property) == unplaced(c.Property)
		}) &&
		same(p.Handlers, q.Handlers) && same(p.Subscriptions, q.Subscriptions) && same(p.Schedules, q.Schedules) &&
		same(p.Timelines, q.Timelines) && same(p.Machines, q.Machines) && same(p.Trees, q.Trees) && same(p.Templates, q.Templates)
}

func same(a, b any) bool { return reflect.DeepEqual(a, b) }

func sameFunction(p, q *run.Program, f, g *run.Function) bool {
	if unplaced(f.Name) != unplaced(g.Name) || f.Owner != g.Owner || f.Params != g.Params || f.Rest != g.Rest || f.Locals != g.Locals || len(f.Code) != len(g.Code) {
		return false
	}
	for at := 0; at < len(f.Code); {
		if f.Code[at] != g.Code[at] {
			return false
		}
		op := &table.Ops[f.Code[at]]
		for _, kind := range []byte(op.Args) {
			at++
			x, y := f.Code[at], g.Code[at]
			if kind == table.Const || kind == table.Text {
				if a, b := p.Consts[x], q.Consts[y]; a != b && !(asks(a) && asks(b)) {
					return false
				}
			} else if x != y {
				return false
			}
		}
		at++
	}
	return true
}

// asks says whether a constant is what an assertion in the midst of a test is called by:
// its place, and its text, which the code beside it has too.
func asks(c any) bool {
	s, ok := c.(string)
	return ok && assertion.MatchString(s)
}

var assertion = regexp.MustCompile(`^\d+:\d+: `)

// sameTests compares tests; their code stands in the program.
func sameTests(a, b []run.Test) bool {
	return slices.EqualFunc(a, b, func(s, t run.Test) bool {
		return s.Name == t.Name && s.Setup == t.Setup && slices.EqualFunc(s.Asserts, t.Asserts, func(x, y run.Assert) bool {
			return x.Fn == y.Fn && x.Left == y.Left && x.Right == y.Right
		})
	})
}
