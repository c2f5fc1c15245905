package data

import (
	"cmp"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/trait"
)

// agent is what a source says of an agent, and what it can do.
type agent struct {
	name, block, description, version, url, organization, node string

	src          scene.Src
	tags         []string
	capabilities scene.Value
	goals        []string
	said         []ability // skills and tools that it writes down
	tools        []ability // that it names
	actions      []ability // that it does
	types        *artefact.Types
}

// ability is something that an agent can do. schema is what it takes.
type ability struct {
	name, what string
	tags       []string
	examples   []string
	schema     map[string]any
	skill      bool // written down as one; no tool
}

// agentsOf are the agents of a source: nodes and compositions with @agent, and blocks.
// ref is what references to types begin with.
func agentsOf(in *artefact.Input, ref string) []agent {
	s := in.Scene
	var out []agent
	types := artefact.NewTypes(in, ref)
	acts := gather(s)
	for _, d := range s.Agents {
		in.Pause()
		identity := listOf(d.Data, "identity")
		from := append(identity, d.Data)
		a := agent{
			block: d.Name, node: d.Owner, src: d.Src, types: types, organization: first("organization", from), url: web(first("url", from)),
			name:    cmp.Or(first("name", identity), d.Name, "agent"),
			version: cmp.Or(first("version", from), text(s.Metadata, "version"), "1.0.0"),
		}
		if a.organization == "" {
			a.organization = first("provider", from)
		}
		a.description = cmp.Or(first("description", from), first("personality", from), "An agent of "+cmp.Or(s.Name, "a scene")+".")
		for _, v := range from {
			for _, key := range []string{"capability_tags", "tags"} {
				a.tags = append(a.tags, texts(v, key)...)
			}
		}
		a.capabilities, _ = scene.Get(d.Data, "capabilities")
		a.said = append(a.written(d.Data, "skill"), append(a.written(d.Data, "skills"), append(a.written(d.Data, "tool"), a.traits(acts.nodes[d.Owner])...)...)...)
		a.goals = append(texts(d.Data, "goals"), names(d.Data, "goal")...)
		for _, t := range names(d.Data, "tools") {
			b := ability{name: t, what: "Uses the tool " + t + ".", tags: []string{"tool"}}
			if c, ok := acts.named[trait.FoldKey(t)]; ok {
				b.what, b.schema = cmp.Or(c.Note(), b.what), types.Arguments(c.Code.Node)
			}
			a.tools = append(a.tools, b)
		}
		a.does(acts, d)
		out = append(out, a)
	}
	return out
}

// acts are the actions of a source by their owners and by their names, its nodes, and
// where its blocks of agents are.
type acts struct {
	of     map[string][]artefact.Action
	named  map[string]artefact.Action
	nodes  map[string]*scene.Node
	blocks map[scene.Src]bool
}

func gather(s *scene.Scene) *acts {
	out := &acts{map[string][]artefact.Action{}, map[string]artefact.Action{}, map[string]*scene.Node{}, map[scene.Src]bool{}}
	for _, c := range artefact.Actions(s) {
		out.of[c.Owner] = append(out.of[c.Owner], c)
		if _, there := out.named[trait.FoldKey(c.Name)]; !there && !c.Handler {
			out.named[trait.FoldKey(c.Name)] = c
		}
	}
	for i := range s.Nodes {
		out.nodes[s.Nodes[i].ID] = &s.Nodes[i]
	}
	for i := range s.Domain {
		if s.Domain[i].Kind == "agent" {
			out.blocks[s.Domain[i].Src] = true
		}
	}
	return out
}

// does gathers the actions of an agent: the functions that are actions where some
// are, else all of them, and the events that are no standard ones of a scene.
func (a *agent) does(acts *acts, d scene.Domain) {
	owner := d.Owner
	switch {
	case d.Unit != "":
		owner = "module:" + d.Unit
	case owner == "" && acts.blocks[d.Src]:
		return // of data alone
	case owner == "":
		owner = run.SceneOwner
	}
	own := acts.of[owner]
	isAction := func(c artefact.Action) bool {
		f, ok := c.Code.Node.(*ast.Func)
		return ok && f.FuncKind == ast.Action
	}
	some := slices.ContainsFunc(own, isAction)
	for _, c := range own {
		switch {
		case c.Handler && standing[c.Event] || c.Event == "error":
		case c.Handler:
			a.actions = append(a.actions, ability{
				name: c.Event, what: cmp.Or(c.Note(), "Answers "+strings.ReplaceAll(c.Event, "_", " ")+"."), tags: []string{"message"}, schema: a.payload(c.Code.Node),
			})
		case !some || isAction(c):
			a.actions = append(a.actions, ability{name: c.Name, what: cmp.Or(c.Note(), "Runs "+c.Name+"."), tags: []string{"function"}, schema: a.types.Arguments(c.Code.Node)})
		}
	}
}

// payload is the schema of what comes with an event: the type of the parameter where
// it is one of objects.
func (a *agent) payload(n ast.Node) map[string]any {
	params, _ := artefact.Params(n)
	if len(params) == 1 {
		if s, _ := a.types.Param(params[0]); s["type"] == "object" {
			return s
		} else if r, ok := s["$ref"].(string); ok {
			return map[string]any{"type": "object", "allOf": []any{map[string]any{"$ref": r}}}
		}
	}
	return map[string]any{"type": "object"}
}

// standing are the events of a scene that nobody sends to an agent.
var standing = func() map[string]bool {
	m := map[string]bool{}
	for _, e := range strings.Fields(`click tap double_click hover_enter hover_exit press release grab drag drop throw point gaze_enter gaze_exit poke pinch gesture
		key_down key_up collision_enter collision_exit trigger_enter trigger_exit proximity_enter proximity_exit mount unmount init start update activate deactivate
		change submit focus blur load animation_end audio_end timeout connect disconnect state_enter state_exit`) {
		m[e] = true
	}
	return m
}()

// written are the skills or tools that an agent writes down as blocks.
func (a *agent) written(v scene.Value, key string) []ability {
	var out []ability
	for _, e := range listOf(v, key) {
		if e.Kind != trait.Map {
			if e.Str != "" {
				out = append(out, ability{name: e.Str, what: "Can " + e.Str + ".", tags: []string{strings.TrimSuffix(key, "s")}, skill: key != "tool"})
			}
			continue
		}
		name := cmp.Or(text(e, "id"), text(e, "name"))
		if name == "" { // skills: { answer: { description: … } }
			for _, f := range e.Fields {
				if f.Value.Kind == trait.Map {
					out = append(out, a.one(f.Key, f.Value, key))
				}
			}
			continue
		}
		out = append(out, a.one(cmp.Or(text(e, "name"), name), e, key))
	}
	return out
}

func (a *agent) one(name string, e scene.Value, key string) ability {
	kind := strings.TrimSuffix(key, "s")
	b := ability{name: name, tags: texts(e, "tags"), examples: texts(e, "examples"), skill: kind == "skill"}
	b.what = cmp.Or(text(e, "description"), map[string]string{"tool": "Uses the tool " + name + "."}[kind], "Can "+name+".")
	if len(b.tags) == 0 {
		b.tags = []string{kind}
	}
	for _, key := range []string{"input", "parameters", "params", "inputs", "arguments"} {
		if in, ok := scene.Get(e, key); ok && in.Kind == trait.Map {
			b.schema = a.fields(in)
			break
		}
	}
	return b
}

// fields is the schema of a map of names and types: { query: "string", limit: "integer?" }.
func (a *agent) fields(v scene.Value) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, f := range v.Fields {
		name, may := strings.CutSuffix(f.Key, "?")
		word, what := f.Value.Str, ""
		if f.Value.Kind == trait.Map {
			word, what = text(f.Value, "type"), text(f.Value, "description")
			if must, ok := scene.Get(f.Value, "required"); ok && must.Kind == trait.Bool && !must.Bool {
				may = true
			}
		}
		s, optional := a.types.Word(word)
		if what != "" {
			s["description"] = what
		}
		properties[name] = s
		if !may && !optional {
			required = append(required, name)
		}
	}
	out := map[string]any{"type": "object", "properties": properties}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}

// traits are the tools that a node has as traits.
func (a *agent) traits(n *scene.Node) []ability {
	var out []ability
	if n == nil {
		return nil
	}
	for _, t := range n.Traits {
		if name := text(t.Params, "name"); t.Name == "tool" && name != "" {
			out = append(out, a.one(name, t.Params, "tool"))
		}
	}
	return out
}

// skills are those of the card.
func (a *agent) skills() []skill {
	out, seen := []skill{}, map[string]bool{}
	add := func(name, what string, tags, examples []string, takes bool) {
		id := slug(name)
		if id == "" || seen[id] {
			return
		}
		seen[id] = true
		k := skill{ID: id, Name: name, Description: what, Tags: tags, Examples: examples}
		if takes {
			k.InputModes, k.OutputModes = []string{"application/json"}, []string{"application/json"}
		}
		out = append(out, k)
	}
	for _, list := range [][]ability{a.said, a.tools, a.actions} {
		for _, b := range list {
			add(b.name, b.what, b.tags, b.examples, b.schema["properties"] != nil || b.schema["allOf"] != nil)
		}
	}
	for _, t := range a.tags {
		add(t, "A capability of the agent: "+t+".", []string{t}, nil, false)
	}
	for _, g := range a.goals {
		add(g, g, []string{"goal"}, nil, false)
	}
	if len(out) == 0 {
		add("converse", "Answers messages.", []string{"conversation"}, nil, false)
	}
	return out
}

// mcpTools are the tools of an agent as MCP describes them.
func (a *agent) mcpTools() []any {
	out := []any{}
	seen := map[string]bool{}
	for _, list := range [][]ability{a.said, a.tools, a.actions} {
		for _, b := range list {
			b.name = toolName(b.name)
			if b.name == "" || seen[b.name] || b.skill && b.schema == nil {
				continue
			}
			seen[b.name] = true
			s := b.schema
			if s == nil {
				s = map[string]any{"type": "object"}
			}
			out = append(out, map[string]any{"name": b.name, "description": b.what, "inputSchema": a.types.Whole(s)})
		}
	}
	return out
}

// toolName is a name as clients of MCP take it.
func toolName(s string) string {
	s = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, s)
	return s[:min(len(s), 64)]
}

// listOf is a field as a list: what is one stands alone.
func listOf(v scene.Value, key string) []scene.Value {
	f, ok := scene.Get(v, key)
	switch {
	case !ok:
		return nil
	case f.Kind == trait.List:
		return slices.Clone(f.List)
	}
	return []scene.Value{f}
}

func texts(v scene.Value, key string) []string {
	var out []string
	for _, e := range listOf(v, key) {
		if e.Kind == trait.Text || e.Kind == trait.Word {
			out = append(out, e.Str)
		}
	}
	return out
}

// names are the texts of a list, of maps their names.
func names(v scene.Value, key string) []string {
	var out []string
	for _, e := range listOf(v, key) {
		if name := cmp.Or(e.Str, text(e, "name")); name != "" {
			out = append(out, name)
		}
	}
	return out
}

func first(key string, from []scene.Value) string {
	for _, v := range from {
		if t := text(v, key); t != "" {
			return t
		}
	}
	return ""
}

// web is an address of the web, else nothing.
func web(s string) string {
	if strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://") {
		return s
	}
	return ""
}
