package scene

import (
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/idiom"
	"github.com/meshd/meshd/lang/trait"
)

// Objects that say they are parts of an interface, type: "ui-panel", "ui-button" and so on
// (X22), are its controls where they are placed in two dimensions. In three they are
// nodes.

// flat says whether an object is a control of the flat interface.
func (g *gathering) flat(n *ast.Block) bool {
	if g.prototyping != "" || n.Body == nil || len(n.Heading().Using) > 0 {
		return false
	}
	if _, part := g.d.byKey["type"]; part { // of something that is in three dimensions
		return false
	}
	word, flat := "", true
	for _, it := range n.Body.Items {
		p, ok := it.(*ast.Property)
		if !ok {
			continue
		}
		switch trait.FoldKey(p.Key.Name()) {
		case "type":
			if t, ok := p.Value.(*ast.String); ok {
				word = t.Value()
			}
		case "position", "pos":
			a, ok := p.Value.(*ast.Array)
			flat = ok && len(a.Elements) == 2
		}
	}
	_, ok := idiom.ControlOf(word)
	return ok && flat
}

// flatWidget is the control of an object with those that stand in it. What is an object
// of no kind there is a section.
func (g *gathering) flatWidget(n *ast.Block, s *scope, depth int) Widget {
	in := s.inner()
	w := Widget{Kind: "section", ID: g.name(n, s), Src: g.src(s.file, n)}
	if n.Body == nil || depth > maxWidgetDepth {
		return w
	}
	rest := &ast.Body{Base: n.Body.Base}
	for _, it := range n.Body.Items {
		switch it := it.(type) {
		case *ast.Property:
			if trait.FoldKey(it.Key.Name()) == "type" {
				word := nodeName(g.propertyValue(it, s).v)
				kind, known := idiom.ControlOf(word)
				if !known {
					g.unknownWord(prop{file: s.file, at: it}, "control", word, "a section is used", idiom.ControlWords())
				} else {
					w.Kind = kind
				}
				if round := strings.HasSuffix(word, "circle"); round {
					w.Params = mapOf(field{Key: "border_radius", Value: textOf("50%")})
				}
				continue
			}
			rest.Items = append(rest.Items, it)
		case *ast.Block:
			switch {
			case behaviourKinds[it.BlockKind]:
				g.behaviourBlock(it.BlockKind, it.Body)
			case generic[it.BlockKind] && g.reserve(blockBytes):
				w.Children = append(w.Children, g.flatWidget(it, in, depth+1))
			case widgetKinds[it.BlockKind] != "" && g.reserve(blockBytes):
				w.Children = append(w.Children, g.widgetBlock(it, in, depth+1))
			default:
				g.inertBlock(it, "'"+it.BlockKind+"' in a control")
			}
		case *ast.Func:
			if it.More == nil || it.More.Event == "" {
				g.function(it)
				continue
			}
			g.d.owner.Handlers = append(g.d.owner.Handlers, Code{Name: "ui:" + w.ID, Node: it, File: s.file, scope: s})
		case *ast.Attribute: // @clickable, @ui_layer: a control is
		default:
			g.inert(it)
		}
	}
	own := w.Params.Fields
	g.widgetSettings(&w, rest, in)
	if len(own) > 0 {
		w.Params = mapOf(append(own, w.Params.Fields...)...)
	}
	return w
}

// pressed makes what a setting of a control says is to be done its handler: a function,
// or the name of one.
func (g *gathering) pressed(w *Widget, p *ast.Property, s *scope) bool {
	code := p.Value
	if fn, ok := code.(*ast.Ident); ok {
		call := &ast.Call{Base: fn.Base, Fn: fn}
		code = &ast.Arrow{Base: fn.Base, Body: call}
	}
	if code.Kind() != ast.KindArrow && code.Kind() != ast.KindFuncLit || !g.reserve(codeBytes) {
		return false
	}
	g.d.owner.Handlers = append(g.d.owner.Handlers, Code{Name: "ui:" + w.ID, Node: code, File: s.file, scope: s})
	return true
}
