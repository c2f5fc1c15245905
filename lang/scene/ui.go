package scene

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/idiom"
	"github.com/meshd/meshd/lang/trait"
)

// maxWidgetDepth is how deep controls nest; what is deeper is left out.
const maxWidgetDepth = 32

// widgetBlock is a block of the flat interface with what stands in it.
func (g *gathering) widgetBlock(n *ast.Block, s *scope, depth int) Widget {
	kind := widgetKinds[n.BlockKind]
	if kind == "" {
		kind = "panel"
	}
	w := Widget{Kind: kind, ID: g.name(n, s), Label: g.name(n, s), Src: g.src(s.file, n)}
	if n.Body == nil || depth > maxWidgetDepth {
		return w
	}
	g.widgetSettings(&w, n.Body, s)
	w.Children = g.widgets(n.Body, s, depth+1)
	return w
}

// widgetSettings reads label, value and the rest of a control.
func (g *gathering) widgetSettings(w *Widget, body *ast.Body, s *scope) {
	var params []field
	for _, it := range body.Items {
		p, ok := it.(*ast.Property)
		if !ok || !g.reserve(fieldBytes) {
			continue
		}
		key, r := g.keyName(p.Key, s), g.propertyValue(p, s)
		switch trait.FoldKey(key) {
		case "label", "text", "title", "content":
			if w.Kind == "text" && r.dyn {
				w.Value, w.Bind = g.kept(r.v), g.widgetBind(p, s)
				continue
			}
			if t, ok := plainText(r.v); ok {
				w.Label = t
				if w.Kind == "text" {
					w.Value = g.kept(r.v)
				}
				continue
			}
		case "value", "checked", "selected":
			w.Value = g.kept(r.v)
			if r.dyn {
				w.Bind = g.widgetBind(p, s)
			}
			continue
		case "id":
			w.ID = nodeName(r.v)
			continue
		}
		if !idiom.Controls[trait.FoldKey(key)] && !isHandler(p) && widgetKinds[key] == "" {
			g.report("BLK002", s.file, p.Key, key, w.Kind, "")
		}
		params = append(params, field{Key: key, Value: g.kept(r.v)})
	}
	if params != nil {
		w.Params = mapOf(params...)
	}
}

// isHandler says whether a setting is an event with what happens then.
func isHandler(p *ast.Property) bool {
	_, on := handlerKey(p.Key.Name())
	return on
}

// widgetBind is what a control shows while the scene runs: a state key, or a
// property of the scene that is bound to an expression.
func (g *gathering) widgetBind(p *ast.Property, s *scope) string {
	if key := stateKey(p.Value); key != "" {
		return key
	}
	src := g.src(s.file, p)
	name := fmt.Sprintf("ui.%d.%d.%d", src[0], src[1], src[2])
	g.d.owner.Binds = append(g.d.owner.Binds, Bind{name, Code{Name: name, Node: p.Value, File: s.file, scope: s}})
	return name
}

// stateKey is the key of the scene's state that an expression is: $k or state.k.
func stateKey(n ast.Node) string {
	switch n := n.(type) {
	case *ast.StateRef:
		return n.Name
	case *ast.Member:
		if of, ok := n.X.(*ast.Ident); ok && of.Name == "state" {
			return n.Name
		}
	case *ast.Path:
		if key, ok := strings.CutPrefix(n.Raw, "state."); ok && !strings.ContainsAny(key, ".[") {
			return key
		}
	}
	return ""
}

// widgets are the controls of a body.
func (g *gathering) widgets(body *ast.Body, s *scope, depth int) []Widget {
	var out []Widget
	for _, it := range body.Items {
		if !g.reserve(blockBytes) {
			break
		}
		switch it := it.(type) {
		case *ast.Block:
			if widgetKinds[it.BlockKind] != "" {
				out = append(out, g.widgetBlock(it, s, depth))
			}
		case *ast.Func: // button "Start" -> () { }
			if it.More == nil || it.More.Label == nil || widgetKinds[it.Name] == "" {
				continue
			}
			w := Widget{Kind: widgetKinds[it.Name], Src: g.src(s.file, it)}
			if l, ok := it.More.Label.(*ast.String); ok {
				w.ID, w.Label = l.Value(), l.Value()
			}
			out = append(out, w)
			g.d.owner.Handlers = append(g.d.owner.Handlers, Code{Name: "ui:" + w.ID, Node: it, File: s.file, scope: s})
		case *ast.Command: // text "Hello"
			if widgetKinds[it.Verb] == "" {
				continue
			}
			w := Widget{Kind: widgetKinds[it.Verb], Src: g.src(s.file, it)}
			if len(it.Args) > 0 {
				w.Label, _ = plainText(g.eval(it.Args[0], s).v)
			}
			out = append(out, w)
		case *ast.Property:
			kind := widgetKinds[it.Key.Name()]
			o, ok := it.Value.(*ast.Object)
			if kind == "" || !ok {
				continue
			}
			w := Widget{Kind: kind, Src: g.src(s.file, it)}
			g.widgetSettings(&w, &o.Body, s)
			if depth < maxWidgetDepth {
				w.Children = g.widgets(&o.Body, s, depth+1)
			}
			out = append(out, w)
		}
	}
	return out
}

// timeline reads steps at times.
func (g *gathering) timeline(n *ast.Block) Timeline {
	t := Timeline{ID: g.name(n, g.s), Autoplay: true, Src: g.src(g.s.file, n)}
	if n.Body == nil {
		return t
	}
	delay := 0.0
	for _, it := range n.Body.Items {
		p, ok := it.(*ast.Property)
		if !ok {
			g.inert(it)
			continue
		}
		if !g.reserve(blockBytes) {
			continue
		}
		key := p.Key.Name()
		r := g.propertyValue(p, g.s)
		switch trait.FoldKey(key) {
		case "loop":
			t.Loop = truthy(r.v)
			continue
		case "autoplay":
			t.Autoplay = truthy(r.v)
			continue
		case "delay":
			delay = seconds(r.v, 0)
			continue
		}
		at, ok := timeKey(p.Key.Raw)
		if !ok {
			g.report("FLO010", g.s.file, p.Key, key)
			continue
		}
		t.Steps = append(t.Steps, Step{At: zero(at), Action: g.kept(r.v), Code: g.code(t.ID, p.Value)})
	}
	for i := range t.Steps {
		t.Steps[i].At = zero(t.Steps[i].At + delay)
	}
	slices.SortStableFunc(t.Steps, func(a, b Step) int { return cmp.Compare(a.At, b.At) })
	return t
}

// pipeline is the body of a pipeline as data: its stages in their order, every
// other setting by its key.
func (g *gathering) pipeline(n *ast.Block) Value {
	var settings []field
	var stages []Value
	if n.Body == nil {
		return mapOf()
	}
	for _, it := range n.Body.Items {
		if !g.reserve(fieldBytes) {
			break
		}
		switch it := it.(type) {
		case *ast.Property:
			settings = append(settings, field{Key: g.keyName(it.Key, g.s), Value: g.kept(g.propertyValue(it, g.s).v)})
		case *ast.Func:
			if h := settingsOf(it); h != nil {
				settings = append(settings, field{Key: "on_" + it.More.Event, Value: g.kept(g.evalBody(h, g.s).v)})
			}
		case *ast.Block:
			if ast.StageKinds[it.BlockKind] {
				stages = append(stages, g.stage(it))
			} else {
				settings = append(settings, field{Key: it.BlockKind, Value: g.kept(g.evalBody(it.Body, g.s).v)})
			}
		}
	}
	return mapOf(append(settings, field{Key: "stages", Value: listOf(stages)})...)
}
