package nir

import (
	"slices"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/trait"
)

// pipeline puts the stages of a pipeline in, and which records flow from which to
// which, as the runners of pipelines have it: a stage takes those of the stages
// that it names, else those of the one before it; a merge that names none takes
// all that nobody took; a branch passes on to its sinks.
func (g *graph) pipeline(p *scene.Domain) {
	stages, _ := scene.Get(p.Data, "stages")
	var (
		ids    = map[string]*node{}
		hand   []string // the stages whose records are next
		loose  []string // those whose records nobody took
		routed = map[string]string{}
		last   string
	)
	take := func(names []string) []string {
		loose = slices.DeleteFunc(loose, func(n string) bool { return slices.Contains(names, n) })
		return names
	}
	for _, st := range stages.List {
		role, name := nameOf(st, "stage"), nameOf(st, "name")
		n := g.add(node{Type: "stage", Kind: role, Owner: p.Name, Name: name, Connects: nameOf(st, "type")})
		from := namesAt(st, "from")
		with := namesAt(st, "with")
		switch {
		case role == "source":
			hand = nil
		case len(from) > 0:
			hand = take(from)
		case role == "merge" && len(with) == 0:
			hand = take(slices.Clone(loose))
		case role == "sink" && routed[name] != "":
			hand = []string{routed[name]}
		case last != "":
			take([]string{last})
		}
		if role == "merge" {
			hand = append(slices.Clone(hand), take(with)...)
		}
		for _, source := range hand {
			if ids[source] != nil {
				g.connect(edge{From: ids[source].ID, To: n.ID, Type: "flows"})
			}
		}
		ids[name] = n
		if role == "branch" {
			routes, _ := scene.Get(st, "routes")
			for _, r := range routes.List {
				routed[nameOf(r, "sink")] = name
			}
		}
		if role == "sink" {
			continue
		}
		hand, last = []string{name}, name
		loose = append(loose, name)
	}
}

// namesAt are the stages that a setting names: one, or a list.
func namesAt(v scene.Value, key string) []string {
	f, _ := scene.Get(v, key)
	if f.Kind == trait.Text {
		return []string{f.Str}
	}
	var out []string
	for _, e := range f.List {
		if e.Kind == trait.Text {
			out = append(out, e.Str)
		}
	}
	return out
}
