package service

import (
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/trait"
)

// call is what a route does: a function of the program, by its number, or a pipeline.
type call struct {
	Name     string     `json:"name"` // for people
	Fn       int        `json:"fn"`
	Args     []argument `json:"args"`
	Pipeline string     `json:"pipeline,omitempty"`

	owner, function string // in the program
}

// argument is where a parameter gets its value from: path, query or body by a name,
// or all of the parts params, queries, content, fields, request; response is what answers.
type argument struct {
	From string `json:"from"`
	Name string `json:"name,omitempty"`
}

// actions are the functions and handlers of a source that routes may call.
type actions struct {
	owners    map[string]*ownerActions
	modules   map[string]string // id by name
	nodes     map[string]string
	above     map[string]string // node by node
	byName    map[string][]artefact.Action
	pipelines []string
}

type ownerActions struct {
	functions []artefact.Action
	named     map[string]artefact.Action // by their names, folded; the first counts
	handlers  map[string]artefact.Action // by their events
}

func actionsOf(in *artefact.Input) *actions {
	a := &actions{owners: map[string]*ownerActions{}, modules: map[string]string{}, nodes: map[string]string{}, above: map[string]string{}, byName: map[string][]artefact.Action{}}
	s := in.Scene
	for i := range s.Nodes {
		n := &s.Nodes[i]
		if n.Prototype != "" {
			continue
		}
		if _, there := a.nodes[n.Name]; !there {
			a.nodes[n.Name] = n.ID
		}
		if n.Parent >= 0 {
			a.above[n.ID] = s.Nodes[n.Parent].ID
		}
	}
	for _, p := range s.Pipelines {
		a.pipelines = append(a.pipelines, p.Name)
	}
	for _, act := range artefact.Actions(s) {
		own := a.owners[act.Owner]
		if own == nil {
			own = &ownerActions{named: map[string]artefact.Action{}, handlers: map[string]artefact.Action{}}
			a.owners[act.Owner] = own
		}
		if name, ok := strings.CutPrefix(act.Owner, "module:"); ok {
			a.modules[name] = act.Owner
		}
		if act.Handler {
			if _, there := own.handlers[act.Event]; !there {
				own.handlers[act.Event] = act
			}
			continue
		}
		own.functions = append(own.functions, act)
		if _, there := own.named[trait.FoldKey(act.Name)]; !there {
			own.named[trait.FoldKey(act.Name)] = act
		}
		a.byName[trait.FoldKey(act.Name)] = append(a.byName[trait.FoldKey(act.Name)], act)
	}
	return a
}

func (a *actions) owner(id string) ownerActions {
	if own := a.owners[id]; own != nil {
		return *own
	}
	return ownerActions{}
}

// referring are the settings that name what a route calls, answering the functions
// of a block of its own that do, requesting the events that handlers answer.
var (
	referring  = []string{"handler", "action", "calls", "call", "run", "function", "pipeline"}
	answering  = []string{"handler", "handle", "action", "run", "call", "execute", "respond", "reply", "answer"}
	requesting = []string{"request", "http_request", "call", "http"}
)

// choose finds what a route calls: what its settings name, else a handler or a
// function of its own block, else the action of its name.
func (a *actions) choose(r *route, at place, types *artefact.Types, settings []scene.Value) {
	for _, key := range referring {
		ref := reference(key, settings)
		if ref == "" {
			continue
		}
		if slices.Contains(a.pipelines, ref) {
			r.Call = &call{Name: ref, Pipeline: ref}
			return
		}
		if act, ok := a.find(ref, at, true); ok {
			a.bind(r, act, types)
			return
		}
	}
	if len(at.at) > 0 {
		own := a.owner(at.at[0])
		for _, event := range append(slices.Clone(requesting), r.Method) {
			if act, ok := own.handlers[event]; ok {
				a.bind(r, act, types)
				return
			}
		}
		for _, name := range append(slices.Clone(answering), r.Method, trait.FoldKey(at.name)) {
			if act, ok := own.named[name]; ok {
				a.bind(r, act, types)
				return
			}
		}
		if len(own.functions) == 1 {
			a.bind(r, own.functions[0], types)
			return
		}
	}
	if act, ok := a.find(strings.ReplaceAll(at.name, " ", "_"), at, false); ok {
		a.bind(r, act, types)
	}
}

// reference is what a setting names: buy, Office.buy, "buy()".
func reference(key string, settings []scene.Value) string {
	for _, v := range settings {
		f, ok := scene.Get(v, key)
		if !ok || f.Kind == trait.Handler || f.Kind == trait.Map || f.Kind == trait.List {
			continue
		}
		ref, _, _ := strings.Cut(f.Str, "(")
		return strings.TrimSpace(ref)
	}
	return ""
}

// find is the action that a reference means where it stands: of what is around it, of
// the scene, else the only one of its name; among those of nodes anywhere in the scene
// one that the author named, not one that is called like the route.
func (a *actions) find(ref string, at place, written bool) (artefact.Action, bool) {
	if ref == "" {
		return artefact.Action{}, false
	}
	if i := strings.LastIndexAny(ref, "./"); i > 0 {
		whole := ref[:i]
		last := whole[strings.LastIndexAny(whole, "./")+1:]
		for _, id := range []string{a.modules[whole], a.nodes[whole], a.nodes[last]} {
			if act, ok := a.owner(id).named[trait.FoldKey(ref[i+1:])]; ok && id != "" {
				return act, true
			}
		}
		return artefact.Action{}, false
	}
	for _, id := range at.at {
		for ; id != ""; id = a.above[id] {
			if act, ok := a.owner(id).named[trait.FoldKey(ref)]; ok {
				return act, true
			}
		}
	}
	if act, ok := a.owner(run.SceneOwner).named[trait.FoldKey(ref)]; ok {
		return act, true
	}
	all := a.byName[trait.FoldKey(ref)]
	if !written {
		all = slices.DeleteFunc(slices.Clone(all), func(f artefact.Action) bool { return !strings.HasPrefix(f.Owner, "module:") })
	}
	if len(all) == 1 {
		return all[0], true
	}
	return artefact.Action{}, false
}

// wholes are parameters without a type that get more than one value of a request.
var wholes = map[string]string{
	"request": "request", "req": "request", "event": "request", "e": "request", "ctx": "request", "context": "request",
	"body": "content", "payload": "content", "data": "content", "input": "fields", "params": "params", "query": "queries",
}

// responses are names of a second parameter that answers.
var responses = map[string]bool{"res": true, "response": true, "reply": true}

// bind says where the parameters of an action get their values, and adds those that
// the route does not declare to what a caller gives.
func (a *actions) bind(r *route, act artefact.Action, types *artefact.Types) {
	c := &call{Name: act.Title(), Args: []argument{}}
	params, result := artefact.Params(act.Code.Node)
	r.description = act.Note()
	if result != nil {
		r.result = types.Of(result)
		r.nothing = r.result["type"] == "null"
	}
	for i, p := range params {
		if i > 0 && p.Parts().Type == nil && responses[strings.ToLower(p.Name)] {
			c.Args = append(c.Args, argument{From: "response"})
			continue
		}
		c.Args = append(c.Args, r.argument(p, act.Handler, types))
	}
	if len(params) == 0 && act.Handler { // which may say event
		c.Args = []argument{{From: "request"}}
	}
	c.owner, c.function = act.Owner, act.Name
	r.Call = c
}

// number finds the functions that routes call in the program. What it does not have,
// nobody can call.
func number(list []route, p *run.Program) {
	type key struct{ owner, name string }
	numbers := map[key]int{}
	for i, f := range p.Functions {
		if _, there := numbers[key{f.Owner, f.Name}]; !there {
			numbers[key{f.Owner, f.Name}] = i
		}
	}
	for i := range list {
		c := list[i].Call
		if c == nil || c.Pipeline != "" {
			continue
		}
		n, ok := numbers[key{c.owner, c.function}]
		if !ok {
			list[i].Call = nil
			continue
		}
		c.Fn = n
	}
}

func (r *route) argument(p *ast.Param, handler bool, types *artefact.Types) argument {
	s, required := types.Param(p)
	typed := p.Parts().Type != nil
	take := func(list []input) bool {
		i := slices.IndexFunc(list, func(f input) bool { return f.Name == p.Name })
		if i >= 0 && typed { // the action knows better what it takes
			list[i] = field(p.Name, s, list[i].Required)
		}
		return i >= 0
	}
	switch {
	case p.Name == "":
		return argument{From: "fields"}
	case take(r.Params):
		return argument{"path", p.Name}
	case take(r.Query):
		return argument{"query", p.Name}
	case take(r.Body):
		return argument{"body", p.Name}
	case handler:
		return argument{From: "request"}
	case !typed && wholes[strings.ToLower(p.Name)] != "":
		return argument{From: wholes[strings.ToLower(p.Name)]}
	case p.Rest:
		return argument{From: "fields"}
	case r.takesBody():
		r.Body = append(r.Body, field(p.Name, s, required))
		return argument{"body", p.Name}
	}
	r.Query = append(r.Query, field(p.Name, s, required))
	return argument{"query", p.Name}
}
