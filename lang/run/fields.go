package run

import (
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/scene"
)

// field is a value in the body of an owner: a setting, a block of data, a variable.
type field struct {
	code  scene.Code
	value ast.Node
	named bool // a block with a name
}

// cellBlocks are words for blocks whose settings code names as it names state (X32).
var cellBlocks = map[string]bool{"mutable": true, "vars": true, "variables": true, "fields": true, "locals": true, "context": true, "data": true, "blackboard": true, "memory": true, "timing": true, "inputs": true, "outputs": true}

// blockKindsOfCode are blocks of a body that are no data.
var blockKindsOfCode = map[string]bool{"state": true, "computed": true, "watch": true, "persist": true, "exports": true, "bind": true, "events": true, "logic": true, "state_machine": true, "machine": true, "fsm": true, "statechart": true, "template": true, "module": true}

// bodies reads who is written where, and what values have names.
func (b *builder) bodies() {
	b.fields = map[string]map[string]field{}
	for i := range b.scene.Behaviour.Owners {
		o := &b.scene.Behaviour.Owners[i]
		id := ownerID(i, o)
		for _, code := range o.Bodies {
			items := bodyItems(code.Node)
			if n, ok := code.Node.(*ast.Body); ok {
				items = n.Items
			}
			b.fieldsOf(id, code, items, o.Node != "" || i == 0, i == 0)
			if bl, ok := code.Node.(*ast.Block); ok && o.Node == "" && i > 0 {
				for _, p := range bl.Heading().Params {
					value := p.Parts().Default
					if value == nil {
						value = &ast.Null{Base: p.Base}
					}
					b.fields[id][p.Name] = field{code, value, false}
					if p.Parts().Default != nil {
						b.asked = append(b.asked, asked{slotKey{id, p.Name}, b.place(code.File, value, p.Name)})
					}
				}
			}
		}
	}
	for i := range b.scene.Behaviour.Owners { // input level: int = 0 in a machine
		o := &b.scene.Behaviour.Owners[i]
		for _, m := range o.Machines {
			var inputs []ast.Node
			for _, it := range bodyItems(m.Node) {
				if t, ok := it.(*ast.TypedMember); ok && len(t.Words) > 0 {
					inputs = append(inputs, it)
				}
			}
			b.fieldsOf(ownerID(i, o), m, inputs, true, false)
		}
	}
	b.instances()
	for _, n := range b.scene.Behaviour.Named {
		if _, there := b.modules[n.Name]; there {
			continue
		}
		id := "module:" + n.Name
		b.modules[n.Name], b.parents[id] = id, SceneOwner
		b.fieldsOf(id, n.Code, bodyItems(n.Code.Node), false, false)
	}
	if len(b.scene.Behaviour.Scenes) > 0 {
		b.scenes = b.scene.Behaviour.Scenes
	}
}

// instances makes the name of the only instance of a module with parameters a name of
// the module: const ada = Account(owner: "Ada").
func (b *builder) instances() {
	type made struct {
		name string
		args []ast.Node
	}
	found := map[string][]made{}
	if len(b.files) == 0 {
		return
	}
	for _, it := range b.files[0].Items() {
		v, ok := it.(*ast.VarDecl)
		if !ok {
			continue
		}
		for _, d := range v.Decls {
			call, ok := d.Value.(*ast.Call)
			if !ok || d.Name == "" {
				continue
			}
			if id, ok := b.modules[strings.Join(pathOf(call.Fn), ".")]; ok {
				found[id] = append(found[id], made{d.Name, call.Args})
			}
		}
	}
	for i := range b.scene.Behaviour.Owners {
		o := &b.scene.Behaviour.Owners[i]
		id := ownerID(i, o)
		if len(found[id]) != 1 || len(o.Bodies) == 0 {
			continue
		}
		bl, ok := o.Bodies[0].Node.(*ast.Block)
		if !ok || len(bl.Heading().Params) == 0 {
			continue
		}
		in := found[id][0]
		if _, there := b.modules[in.name]; there {
			continue
		}
		b.modules[in.name] = id
		around := b.scene.Behaviour.Owners[0].Bodies[0]
		place := 0
		for _, a := range in.args {
			if p, ok := a.(*ast.Property); ok {
				b.supplied(id, p.Key.Name(), p.Value, around)
			} else if params := bl.Heading().Params; place < len(params) {
				b.supplied(id, params[place].Name, a, around)
				place++
			}
		}
	}
}

// supplied is a parameter of a module that its instance gives; its default has no use then.
func (b *builder) supplied(id, name string, value ast.Node, around scene.Code) {
	if old, there := b.fields[id][name]; there && old.value.Kind() != ast.KindNull {
		b.idle = append(b.idle, b.place(old.code.File, old.value, name))
	}
	b.fields[id][name] = field{around, value, false}
	b.asked = append(b.asked, asked{slotKey{id, name}, b.place(around.File, value, name)})
}

// asked is a parameter of a module with where its value stands.
type asked struct {
	key slotKey
	at  Unsupported
}

func (b *builder) place(f *ast.File, n ast.Node, name string) Unsupported {
	line, column := f.Stream.Source.Position(int(n.Span().Start))
	return Unsupported{f.Path(), line, column, name, int(n.Span().Start), int(n.Span().End)}
}

// unasked are the values of parameters of modules that no code asks for.
func (b *builder) unasked() []Unsupported {
	out := b.idle
	for _, a := range b.asked {
		if _, there := b.slots[a.key]; !there {
			out = append(out, a.at)
		}
	}
	return out
}

// fieldsOf takes the values of a body. Properties of a node are the node's own.
func (b *builder) fieldsOf(id string, code scene.Code, items []ast.Node, node, top bool) {
	known := b.fields[id]
	if known == nil {
		known = map[string]field{}
		b.fields[id] = known
	}
	named := false
	put := func(name string, value ast.Node) {
		if _, there := known[name]; !there && name != "" && value != nil {
			known[name] = field{code, value, named}
		}
	}
	for _, it := range items {
		if e, ok := it.(*ast.Export); ok && e.Item != nil {
			it = e.Item
		}
		named = false
		switch it := it.(type) {
		case *ast.Property:
			switch it.Value.(type) {
			case *ast.Arrow, *ast.FuncLit:
				continue
			}
			if node || blockKindsOfCode[it.Key.Name()] {
				continue
			}
			value := it.Value
			if it.Type() != nil {
				if value = nil; it.More != nil {
					value = it.More.Default
				}
			}
			put(it.Key.Name(), value)
		case *ast.TypedMember:
			if len(it.Words) == 0 || it.Words[0] != "state" {
				put(it.Name, it.Default)
			}
		case *ast.VarDecl:
			for _, d := range it.Decls {
				put(d.Name, d.Value)
			}
		case *ast.Block:
			if it.Body == nil || blockKindsOfCode[it.BlockKind] || top && it.Name != nil {
				continue
			}
			name := it.BlockKind
			if it.Name != nil {
				name = it.NameText()
			}
			named = it.Name != nil
			put(name, &ast.Object{Base: ast.Base{At: it.Body.Span()}, Body: *it.Body})
			if it.Name == nil && cellBlocks[it.BlockKind] {
				b.fieldsOf(id, code, it.Body.Items, false, false)
			}
		}
	}
}

// fieldSlot is the slot of a value in a body, made when code asks for it first.
func (b *builder) fieldSlot(owner, name string) (int, bool) {
	if i, ok := b.slots[slotKey{owner, name}]; ok {
		return i, true
	}
	fd, ok := b.fields[owner][name]
	if !ok || b.roots[owner] != "" {
		return 0, false
	}
	i := len(b.p.State)
	b.slots[slotKey{owner, name}] = i
	b.p.State = append(b.p.State, Slot{Owner: owner, Key: name, Init: Init{Fn: -1}})
	b.p.State[i].Init.Fn = b.later(owner, name, fd.code, fd.value)
	return i, true
}

// bareField is the slot of a value that a name alone means: of what is around.
func (f *maker) bareField(name string) (int, bool) {
	if f.takes(name) {
		return 0, false
	}
	for _, o := range f.above(f.owner) {
		fd, there := f.fields[o][name]
		if !there {
			continue
		}
		if v, ok := fd.value.(*ast.Object); ok && len(v.Body.Items) == 0 && o == SceneOwner {
			continue
		}
		return f.fieldSlot(o, name)
	}
	if owner := f.blockOf(name); owner != "" {
		return f.fieldSlot(owner, name)
	}
	return 0, false
}

// blockOf is the only owner without a place that has a block of data with a name.
func (b *builder) blockOf(name string) string {
	if b.blocks == nil {
		b.blocks = map[string]string{}
		for owner, fields := range b.fields {
			if !strings.HasPrefix(owner, "module:") {
				continue
			}
			for key, fd := range fields {
				if !fd.named {
					continue
				}
				if old, there := b.blocks[key]; there && old != owner {
					owner = ""
				}
				b.blocks[key] = owner
			}
		}
	}
	return b.blocks[name]
}

// takes says whether a name means something other than a value in a body.
func (f *maker) takes(name string) bool {
	if f.isLocal(name) {
		return true
	}
	if !f.changes()[name] {
		if v, ok := f.code.Const(name); ok && v.Kind != 0 {
			return true
		}
		if _, ok := f.values[f.code.File][name]; ok {
			return true
		}
	}
	if _, ok := f.functionOf(name); ok {
		return true
	}
	for _, o := range f.above(f.owner) {
		if _, ok := f.computed[slotKey{o, name}]; ok {
			return true
		}
	}
	return false
}

// changes are the names that code of the files writes to.
func (b *builder) changes() map[string]bool {
	if b.assigned != nil {
		return b.assigned
	}
	b.assigned = map[string]bool{}
	var root func(n ast.Node)
	root = func(n ast.Node) {
		switch n := n.(type) {
		case *ast.Ident:
			b.assigned[n.Name] = true
		case *ast.Path:
			b.assigned[n.Segments()[0]] = true
		case *ast.Member:
			root(n.X)
		case *ast.Index:
			root(n.X)
		}
	}
	for _, file := range b.files {
		ast.Walk(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Assign:
				root(n.Target)
			case *ast.Unary:
				if n.Op == "++" || n.Op == "--" {
					root(n.X)
				}
			case *ast.Call:
				if p, ok := n.Fn.(*ast.Path); ok {
					if s := p.Segments(); len(s) == 2 && changing[s[1]] {
						b.assigned[s[0]] = true
					}
				}
			}
			return true
		})
	}
	return b.assigned
}
