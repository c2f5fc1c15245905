package scene

import (
	"maps"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/trait"
)

// prototypes lowers the templates that spawn names, each once, in the order in
// which the files name them. What one reads of its parameters is bound, since
// what is spawned may set them.
func (l *lowering) prototypes() {
	if !l.options.Prototypes {
		return
	}
	for _, t := range l.spawned() {
		if l.stopped {
			return
		}
		at := t.place()
		if !l.count(at) {
			return
		}
		l.prototyping = t.name
		d := l.instance(t, &decl{name: t.name, file: t.file, at: at}, at, t.scope)
		d.applyOverrides()
		l.params = d.params
		first := len(l.scene.Nodes)
		l.node(d, -1, "template")
		if n := &l.scene.Nodes[first]; len(d.params) > 0 { // its parameters are properties
			for _, name := range slices.Sorted(maps.Keys(d.params)) {
				if _, there := get(n.Extras, name); !there && known(d.params[name]) {
					n.Extras = mapOf(append(slices.Clone(n.Extras.Fields), field{Key: name, Value: l.kept(d.params[name])})...)
				}
			}
		}
		l.prototyping, l.params = "", nil
	}
}

// spawned are the templates that spawn names.
func (l *lowering) spawned() []*template {
	var out []*template
	for _, f := range l.order {
		if !strings.Contains(f.Text(), "spawn") {
			continue
		}
		ast.Walk(f, func(n ast.Node) bool {
			if s := ast.SpawnOf(n); s != nil {
				if t := l.templates[strings.Join(pathOf(s.X), ".")]; t != nil && !slices.Contains(out, t) {
					out = append(out, t)
				}
			}
			return true
		})
	}
	return out
}

// unshown notes the templates that the source names and that nothing is made from: the
// places that name them are not acted on. Of those that it names nowhere the checker
// speaks.
func (l *lowering) unshown() {
	for _, t := range l.spawned() {
		t.used = true
	}
	main := l.order[0]
	for _, it := range slices.SortedFunc(maps.Values(l.templates), func(x, y *template) int { return strings.Compare(x.name, y.name) }) {
		if !it.used && it.block != nil && it.file == main && it.name != "" && l.reserve(scopeBytes) && strings.Count(main.Text(), it.name) > 1 {
			l.behaviour.Constants = append(l.behaviour.Constants, Constant{it.name, main, it.block, &trait.Origin{}})
		}
		l.tick(len(main.Text()) >> heldWork)
	}
}

// place is the node of the syntax tree that findings about a template are at.
func (t *template) place() ast.Node {
	if t.block == nil {
		return t.file
	}
	return t.block
}
