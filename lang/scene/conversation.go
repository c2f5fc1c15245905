package scene

import (
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/trait"
)

// dialogueTrees are the blocks and settings that contain what is said step by step (X25).
var dialogueTrees = map[string]bool{"dialogues": true, "dialogue_tree": true, "dialog_tree": true, "dialogs": true, "conversation": true, "conversations": true}

// conversations makes a dialogue of each step of a tree of them: one that says something
// and has answers, each with the step that it leads to. Names of steps are those within
// their tree.
func (g *gathering) conversations(body *ast.Body, tree string) {
	for _, it := range body.Items {
		if g.tick(1); g.stopped {
			return
		}
		name, inner := "", (*ast.Body)(nil)
		switch it := it.(type) {
		case *ast.Block:
			name, inner = it.NameText(), it.Body
			if name == "" {
				name = it.BlockKind
			}
		case *ast.Property:
			if o, ok := it.Value.(*ast.Object); ok && it.Key != nil {
				name, inner = it.Key.Name(), &o.Body
			}
		}
		switch {
		case inner == nil:
		case !says(inner):
			g.conversations(inner, name)
		default:
			g.step(it, tree, name, inner)
		}
	}
}

// says says whether a body is a step: it has a text.
func says(body *ast.Body) bool {
	for _, it := range body.Items {
		if p, ok := it.(*ast.Property); ok && isLine(p.Key.Name()) {
			return true
		}
	}
	return false
}

// step is one dialogue, as a block of one would be.
func (g *gathering) step(at ast.Node, tree, name string, body *ast.Body) {
	if !g.reserve(blockBytes + len(body.Items)*fieldBytes) {
		return
	}
	called := func(step string) string {
		if tree == "" {
			return step
		}
		return tree + ": " + step
	}
	block := func(kind, name string, from ast.Node, items []ast.Node, to string) *ast.Block {
		n := &ast.Block{Base: *from.Common(), BlockKind: kind, Name: quotedText(from, name), Body: &ast.Body{Base: *from.Common(), Items: items}}
		if to != "" {
			n.Head = &ast.Heading{Arrow: quotedText(from, called(to))}
			if to == "end" || to == "close" || to == "exit" {
				n.Head.Arrow = &ast.AttrValue{Base: *from.Common(), Attr: &ast.Attribute{Base: *from.Common(), Name: "close"}}
			}
		}
		return n
	}
	var items []ast.Node
	for _, it := range body.Items {
		p, ok := it.(*ast.Property)
		if !ok {
			g.inert(it)
			continue
		}
		switch key := trait.FoldKey(p.Key.Name()); key {
		case "options", "choices", "responses", "replies", "answers":
			list, ok := p.Value.(*ast.Array)
			if !ok {
				g.inert(it)
				continue
			}
			for _, e := range list.Elements {
				if g.tick(1); g.stopped {
					return
				}
				o, ok := e.(*ast.Object)
				if !ok {
					continue
				}
				label, to, rest := "", "", []ast.Node(nil)
				for _, f := range o.Body.Items {
					q, ok := f.(*ast.Property)
					if !ok {
						continue
					}
					switch k := trait.FoldKey(q.Key.Name()); k {
					case "text", "label", "say", "option", "choice":
						label = nodeName(g.eval(q.Value, g.s).v)
					case "next", "goto", "target", "to", "leads_to", "node":
						to = nodeName(g.eval(q.Value, g.s).v)
					default:
						rest = append(rest, q)
					}
				}
				if label != "" {
					items = append(items, block("option", label, o, rest, to))
				}
			}
		case "next", "goto":
			if to := nodeName(g.eval(p.Value, g.s).v); to != "" {
				items = append(items, block("option", "…", p, nil, to))
			}
		case "end":
			items = append(items, block("option", "…", p, nil, "end"))
		default:
			items = append(items, p)
		}
	}
	g.dialogue(block("dialogue", called(name), at, items, ""))
}
