package direct

import (
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// planner knows what has been read of a program.
type planner struct {
	*types
	in       *artefact.Input
	c        *run.Compiled
	sources  *sources
	scripts  map[string]*Script
	order    []*Script
	funcs    map[int]*Func
	reasons  map[int]failure
	literals map[int]bool
	reading  map[int]bool
	early    map[int]bool // functions that run while the state gets its first values
	about    map[int]string
	titles   map[int]string
	things   map[string]*scene.Node
}

// Plan reads the behaviour of a scene.
func Plan(in *artefact.Input, c *run.Compiled) *Scripts {
	p := &planner{
		types: infer(c, in.Scene), in: in, c: c, scripts: map[string]*Script{}, funcs: map[int]*Func{}, reasons: map[int]failure{}, literals: map[int]bool{},
		reading: map[int]bool{}, early: map[int]bool{}, about: map[int]string{}, titles: map[int]string{}, things: map[string]*scene.Node{},
	}
	for i := range in.Scene.Nodes {
		p.things[in.Scene.Nodes[i].ID] = &in.Scene.Nodes[i]
	}
	p.sources = sourcesOf(in)
	p.entitle()
	for _, s := range c.Program.State {
		p.begin(s.Init.Fn)
	}
	out := &Scripts{}
	for i := range c.Program.Functions {
		in.Pause()
		f, _ := p.translated(i)
		owner := c.Program.Functions[i].Owner
		if f == nil {
			why := p.reasons[i]
			out.Left = append(out.Left, Left{i, owner, c.Program.Functions[i].Name, why.reason, strings.HasSuffix(why.reason, left), p.sources.file(p, i), why.line[0], why.line[1]})
			continue
		}
		s := p.script(owner)
		s.Funcs = append(s.Funcs, f)
		out.Rows = append(out.Rows, Row{i, owner, s, f})
	}
	for _, s := range slices.Clone(p.order) {
		p.finish(s)
	}
	slices.SortStableFunc(p.order, func(a, b *Script) int { return p.rank(a.Owner) - p.rank(b.Owner) })
	out.All = p.order
	return out
}

// rank is the place of an owner: modules, the scene, and the nodes in their order.
func (p *planner) rank(owner string) int {
	if owner == run.SceneOwner {
		return -1
	}
	return slices.IndexFunc(p.in.Scene.Nodes, func(n scene.Node) bool { return n.ID == owner }) + len(p.in.Scene.Nodes)*strings.Count(owner, "module:")
}

// begin marks what runs while the state gets its first values.
func (p *planner) begin(fn int) {
	if fn < 0 || p.early[fn] {
		return
	}
	p.early[fn] = true
	for _, e := range p.c.Program.Effects(fn) {
		switch e.Kind {
		case run.Calls:
			p.begin(e.Index)
		case run.ReadsComputed:
			p.begin(p.c.Program.Computed[e.Index].Fn)
		case run.CallsMember:
			for _, f := range p.byName[e.Name] {
				p.begin(f)
			}
		}
	}
}

// known says whether an owner stands in the scene, and is no part of a template
// that only spawn makes.
func (p *planner) known(owner string) bool {
	if owner == run.SceneOwner || strings.HasPrefix(owner, "module:") {
		return true
	}
	n := p.things[owner]
	return n != nil && n.Prototype == ""
}

// script is the script of an owner, made when it is asked for.
func (p *planner) script(owner string) *Script {
	if s := p.scripts[owner]; s != nil {
		return s
	}
	s := &Script{Owner: owner, Name: strings.TrimPrefix(owner, "module:")}
	if n := p.things[owner]; n != nil {
		s.Name = n.Name
	} else if owner == run.SceneOwner {
		s.Name = "Behaviour"
	}
	p.scripts[owner] = s
	p.order = append(p.order, s)
	for i, slot := range p.c.Program.State {
		first := p.slotAt[[2]string{slot.Owner, slot.Key}] == i
		if t := p.slots[i]; slot.Owner == owner && first && slot.Init.Fn < 0 && (t == Bool || t == Num || t == Text) {
			s.State = append(s.State, State{i, slot.Key, t, p.c.Program.Consts[slot.Init.Const]})
		}
	}
	return s
}

// early is the reason of functions that run before there is state.
const early = "a first value of state"

// left ends the reason of functions that call one that does not translate.
const left = ", which is left"

// recursive is the reason of functions that call themselves.
const recursive = "a call of itself"

// translated is the translation of a function, or why there is none.
func (p *planner) translated(fn int) (*Func, string) {
	if f := p.funcs[fn]; f != nil {
		return f, ""
	}
	if why, ok := p.reasons[fn]; ok {
		return nil, why.reason
	}
	if p.reading[fn] {
		return nil, recursive
	}
	p.reading[fn] = true
	defer delete(p.reading, fn)
	f, why := p.translate(fn)
	if f == nil {
		p.reasons[fn] = *why
		return nil, why.reason
	}
	p.funcs[fn] = f
	return f, ""
}

func (p *planner) translate(fn int) (*Func, *failure) {
	f := &p.c.Program.Functions[fn]
	switch {
	case !p.known(f.Owner):
		return nil, &failure{"a template that is spawned", lineAt(f, 0)}
	case p.early[fn]:
		return nil, &failure{early, lineAt(f, 0)}
	case len(f.Code) > maxCode:
		return nil, &failure{"more code than a person would read", lineAt(f, 0)}
	}
	held := map[int]bool{}
	for range f.Locals + 1 {
		out, why, local := p.attempt(fn, held)
		if local < 0 {
			return out, why
		}
		held[local] = true
	}
	return nil, &failure{"values that do not keep still", lineAt(f, 0)}
}

// maxCode is how long a function may be, in integers of its code.
const maxCode = 20_000

// attempt reads a function once. It gives a local that has to be held, or -1.
func (p *planner) attempt(fn int, held map[int]bool) (out *Func, why *failure, local int) {
	f := &p.c.Program.Functions[fn]
	r := &reader{planner: p, fn: fn, f: f, labels: p.sources.labels(p, fn), held: held, env: map[int]entry{}, declared: map[int]bool{}, exit: -1}
	defer func() {
		switch v := recover().(type) {
		case nil:
		case failure:
			out, why, local = nil, &v, -1
		case again:
			out, why, local = nil, nil, v.local
		default:
			panic(v)
		}
	}()
	r.read(0, len(f.Code))
	p.literals[fn] = r.literal
	line := lineAt(f, 0)
	out = &Func{Index: fn, Name: p.titles[fn], About: p.about[fn], Body: r.out, File: p.sources.file(p, fn), Line: line[0], Faults: r.faults, Gives: r.gives}
	for i := range f.Params {
		out.Params = append(out.Params, r.labels.of(i))
		out.Numbers = append(out.Numbers, p.numbers[[2]int{fn, i}])
		out.Types = append(out.Types, p.locals[fn][i])
	}
	if r.labels.implied && !Mentions(out.Body, out.Params[0]) {
		out.Params, out.Numbers, out.Types = nil, nil, nil
	}
	return out, nil, -1
}

// finish gives a script the owners that it names and the events that it raises.
func (p *planner) finish(s *Script) {
	use := func(owner string) {
		if owner != s.Owner && owner != "" && !slices.Contains(s.Uses, owner) {
			s.Uses = append(s.Uses, owner)
			p.script(owner)
		}
	}
	var expr func(e *Expr)
	expr = func(e *Expr) {
		if e == nil {
			return
		}
		switch e.Kind {
		case Get, NodeOf, Call, Computed:
			use(e.Owner)
		}
		for _, a := range e.Args {
			expr(a)
		}
	}
	var stmts func(list []*Stmt)
	stmts = func(list []*Stmt) {
		for _, x := range list {
			expr(x.X)
			expr(x.Node)
			if x.Kind == SetState {
				use(x.Owner)
			}
			if x.Kind == Raise && x.Node.Owner == s.Owner && !slices.Contains(s.Signals, x.Name) {
				s.Signals = append(s.Signals, x.Name)
			}
			stmts(x.Then)
			stmts(x.Else)
		}
	}
	for _, f := range s.Funcs {
		stmts(f.Body)
	}
	s.Machines = p.machines(s.Owner)
}

// machines say what the state machines of an owner do.
func (p *planner) machines(owner string) []string {
	var out []string
	for _, m := range p.c.Program.Machines {
		if m.Node != owner {
			continue
		}
		out = append(out, fmt.Sprintf("begins in %s", m.States[m.Initial].Name))
		for _, s := range m.States {
			for _, t := range s.On {
				line := fmt.Sprintf("%s: on %q goes to %s", s.Name, t.Event, m.States[t.To].Name)
				if t.Guard >= 0 {
					line += " when " + p.titles[t.Guard] + "()"
				}
				if t.Action >= 0 {
					line += ", with " + p.titles[t.Action] + "()"
				}
				out = append(out, line)
			}
			if len(s.After) == 2 && s.After[1] >= 0 {
				out = append(out, fmt.Sprintf("%s: after %v s goes to %s", s.Name, s.After[0], m.States[int(s.After[1])].Name))
			}
		}
	}
	return out
}
