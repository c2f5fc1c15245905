package scene

import (
	"fmt"
	"slices"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/trait"
)

// dialogueKinds are the blocks that say something and offer answers.
var dialogueKinds = map[string]bool{"dialogue": true, "dialog": true}

// optionKinds are the answers in them.
var optionKinds = map[string]bool{"option": true, "choice": true, "response": true, "reply": true, "answer": true}

// dialogueKey is the key of the scene's state that has the name of the dialogue
// that is shown, and the event that shows another.
const dialogueKey = "dialogue"

// dialogue makes a panel of a dialogue: what is said, and a button for each option.
// The state says which dialogue is shown: first the first of the source.
func (g *gathering) dialogue(n *ast.Block) {
	g.data(n)
	name := g.name(n, g.s)
	if name == "" || n.Body == nil || g.prototyping != "" || g.dialogues[name] || !g.reserve(2*blockBytes) {
		return
	}
	if g.dialogues == nil {
		g.dialogues = map[string]bool{}
		g.firstDialogue = name
	}
	g.dialogues[name] = true
	src := g.src(g.s.file, n)
	shown := fmt.Sprintf("ui.%d.%d.%d", src[0], src[1], src[2])
	g.talk.Binds = append(g.talk.Binds, Bind{shown, g.code(shown, &ast.Binary{Base: n.Base, Op: "==", X: &ast.StateRef{Base: n.Base, Name: dialogueKey}, Y: quotedText(n, name)})})
	w := Widget{Kind: "panel", ID: name, Label: name, Bind: shown, Src: src}
	for _, it := range n.Body.Items {
		if !g.reserve(blockBytes) {
			break
		}
		switch it := it.(type) {
		case *ast.Property:
			g.line(&w, it)
		case *ast.Command: // text "Hello"
			if isLine(it.Verb) && len(it.Args) == 1 {
				g.line(&w, &ast.Property{Base: it.Base, Key: &ast.Key{Base: it.Base, Raw: it.Verb}, Value: it.Args[0]})
			}
		case *ast.Block:
			if optionKinds[it.BlockKind] && it.Name != nil {
				g.option(&w, g.name(it, g.s), optionCode(it), it)
			}
		case *ast.Func:
			if it.More != nil && it.More.Label != nil && optionKinds[it.Name] {
				label, _ := it.More.Label.(*ast.String)
				if label != nil {
					g.option(&w, label.Value(), it, it)
				}
			}
		}
	}
	g.scene.UI = append(g.scene.UI, w)
}

func isLine(key string) bool {
	switch trait.FoldKey(key) {
	case "text", "line", "says", "say", "content", "message", "prompt", "greeting":
		return true
	}
	return false
}

// line is a setting of a dialogue: what is said, or who says it.
func (g *gathering) line(w *Widget, p *ast.Property) {
	r := g.propertyValue(p, g.s)
	key := trait.FoldKey(g.keyName(p.Key, g.s))
	switch {
	case isLine(key):
		t := Widget{Kind: "text", Src: g.src(g.s.file, p)}
		t.Label, _ = plainText(r.v)
		t.Value = g.kept(r.v)
		if r.dyn && g.root {
			t.Label, t.Bind = "", g.widgetBind(p, g.s)
		}
		w.Children = append(w.Children, t)
	case key == "speaker" || key == "title" || key == "label":
		if t, ok := plainText(r.v); ok {
			w.Label = t
		}
	}
}

// option is a button with what it does.
func (g *gathering) option(w *Widget, label string, code ast.Node, at ast.Node) {
	id := w.ID + ": " + label
	w.Children = append(w.Children, Widget{Kind: "button", ID: id, Label: label, Src: g.src(g.s.file, at)})
	if code != nil {
		g.d.owner.Handlers = append(g.d.owner.Handlers, g.code("ui:"+id, code))
	}
}

// optionCode is what an option does: what its settings say, then what stands behind
// its arrow. A name and @dialog(name) show that dialogue, @close none; @emit raises
// an event, any other trait is a call.
func optionCode(n *ast.Block) ast.Node {
	body := &ast.Body{Base: n.Base}
	var only ast.Node // what must be true
	for _, it := range n.Body.Items {
		switch it := it.(type) {
		case *ast.Property:
			switch it.Key.Name() {
			case "if", "when", "condition", "guard":
				only = it.Value
				continue
			case "action", "do":
			default:
				continue
			}
			switch v := it.Value.(type) {
			case *ast.Object:
				body.Items = append(body.Items, v.Body.Items...)
			case *ast.Ident:
				body.Items = append(body.Items, statement(&ast.Call{Base: v.Base, Fn: v}))
			case nil:
			default:
				body.Items = append(body.Items, statement(v))
			}
		case *ast.Block:
			if (it.BlockKind == "action" || it.BlockKind == "do") && it.Body != nil {
				body.Items = append(body.Items, it.Body.Items...)
			}
		}
	}
	show := func(name ast.Node) {
		body.Items = append(body.Items, &ast.Emit{Base: n.Base, Args: []ast.Node{quotedText(n, dialogueKey), name}})
	}
	switch to := n.Heading().Arrow.(type) {
	case nil:
	case *ast.AttrValue:
		args := to.Attr.Positional
		switch to.Attr.Name {
		case "dialog", "dialogue", "goto", "open", "next":
			if len(args) == 1 {
				if id, ok := args[0].(*ast.Ident); ok {
					args = []ast.Node{quotedText(id, id.Name)}
				}
				show(args[0])
			}
		case "close", "end", "exit", "leave":
			show(quotedText(n, ""))
		case "emit":
			body.Items = append(body.Items, &ast.Emit{Base: to.Base, Args: args})
		default:
			body.Items = append(body.Items, statement(&ast.Call{Base: to.Base, Fn: &ast.Ident{Base: to.Base, Name: to.Attr.Name}, Args: args}))
		}
	default:
		show(quotedText(n, referenceName(to)))
	}
	if only != nil {
		body = &ast.Body{Base: n.Base, Items: []ast.Node{&ast.If{Base: n.Base, Branches: []*ast.Branch{{Base: n.Base, Cond: only, Body: body}}}}}
	}
	return &ast.Arrow{Base: n.Base, Body: body}
}

func statement(x ast.Node) ast.Node { return &ast.ExprStmt{Base: *x.Common(), X: x} }

// quotedText is a text that stands for a node of the source.
func quotedText(at ast.Node, value string) ast.Node {
	return &ast.String{Base: *at.Common(), Raw: textOf(value).Source()}
}

// talking gives the scene what its dialogues need: the key of the state, and the
// event that shows another.
func (b *builder) talking(o *Owner, main *ast.File) {
	if len(b.dialogues) == 0 {
		return
	}
	o.Binds = append(o.Binds, b.talk.Binds...)
	if slices.ContainsFunc(o.State, func(s Slot) bool { return s.Key == dialogueKey }) {
		return // the source keeps it itself
	}
	o.State = append(o.State, Slot{Key: dialogueKey, Init: textOf(b.firstDialogue)})
	set := &ast.Assign{Target: &ast.StateRef{Name: dialogueKey}, Op: "=", Value: &ast.Ident{Name: "event"}}
	for _, event := range []string{dialogueKey, "dialog"} {
		o.Handlers = append(o.Handlers, Code{Name: event, Node: &ast.Arrow{Params: []*ast.Param{{Name: "event"}}, Body: set}, File: main, scope: &scope{file: main}})
	}
}
