package run

import (
	"cmp"
	"math"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/scene"
)

// timeline compiles the steps of a timeline: code, the name of a function or of
// an event, or an object with what is done to whom.
func (b *builder) timeline(t *scene.Timeline) {
	owner := cmp.Or(t.Owner, SceneOwner)
	d := Timeline{ID: t.ID, Loop: t.Loop, Autoplay: t.Autoplay, Steps: [][2]float64{}}
	for _, s := range t.Steps {
		if s.Code.Node == nil {
			continue
		}
		fn := b.later(owner, "timeline "+t.ID, s.Code, b.timelineStep(owner, s.Code.Node))
		d.Steps = append(d.Steps, [2]float64{math.Min(math.Max(0, s.At), 1e9), float64(fn)})
	}
	b.p.Timelines = append(b.p.Timelines, d)
}

func (b *builder) timelineStep(owner string, n ast.Node) ast.Node {
	base := ast.Base{At: n.Span()}
	if o, ok := n.(*ast.Object); ok {
		if call := actionCall(base, o); call != nil {
			return call
		}
		return n
	}
	path := pathOf(n)
	if len(path) == 0 {
		return n
	}
	if b.namesFunction(owner, path) {
		return &ast.Call{Base: base, Fn: n}
	}
	return &ast.Emit{Base: base, Args: []ast.Node{&ast.String{Base: base, Raw: `"` + strings.Join(path, ".") + `"`}}}
}

// namesFunction says whether a path means a function that is declared.
func (b *builder) namesFunction(owner string, path []string) bool {
	last := path[len(path)-1]
	if len(path) > 1 {
		id, used := b.find(owner, path)
		_, ok := b.functions[slotKey{id, last}]
		return ok && used == len(path)-1
	}
	for _, o := range b.above(owner) {
		if _, ok := b.functions[slotKey{o, last}]; ok {
			return true
		}
	}
	return false
}

// actionCall is { action: "animate", target: "Lamp", easing: linear } as a call
// of the action on its target; nil without an action.
func actionCall(base ast.Base, o *ast.Object) ast.Node {
	call := &ast.Call{Base: base}
	var named []ast.Node
	for _, it := range o.Body.Items {
		key, v := entry(it)
		switch key {
		case "action":
			name := wordOf(v)
			if name == "animate" {
				name = "play_animation"
			}
			call.Fn = &ast.Ident{Base: base, Name: name}
		case "target":
			call.Args = append(call.Args, &ast.Ident{Base: base, Name: wordOf(v)})
		default:
			if p, ok := it.(*ast.Property); ok {
				named = append(named, p)
			}
		}
	}
	if call.Fn == nil {
		return nil
	}
	call.Args = append(call.Args, named...)
	return call
}
