package run

import (
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/trait"
)

// writes remembers which bare names the code of an owner assigns to: where nothing
// declares such a name it is a property of the owner, so that reading it must not take
// the first value of a setting or a parameter.
type writes struct {
	names map[slotKey]bool
	codes map[ast.Node][]string // instances of a template have the same code
}

// learn collects the names of all owners.
func (w *writes) learn(owners []scene.Owner) {
	w.names, w.codes = map[slotKey]bool{}, map[ast.Node][]string{}
	for i := range owners {
		o := &owners[i]
		id := ownerID(i, o)
		for _, list := range [][]scene.Code{o.Functions, o.Handlers, o.Watches, o.Machines, o.Trees} {
			for _, c := range list {
				for _, name := range w.in(c.Node) {
					w.names[slotKey{id, name}] = true
				}
			}
		}
	}
}

// in are the names that a piece of code assigns to, its local ones among them.
func (w *writes) in(code ast.Node) []string {
	if code == nil {
		return nil
	}
	if names, ok := w.codes[code]; ok {
		return names
	}
	var names []string
	add := func(target ast.Node) {
		if c, ok := target.(*ast.Cast); ok {
			target = c.X
		}
		if id, ok := target.(*ast.Ident); ok {
			names = append(names, id.Name)
		}
	}
	ast.Walk(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Assign:
			add(n.Target)
		case *ast.Unary:
			if n.Op == "++" || n.Op == "--" {
				add(n.X)
			}
		}
		return true
	})
	w.codes[code] = names
	return names
}

// property leaves the property that a bare name means: a setting of the owner or of what
// is around it, or a name that code of the owner assigns to. What is fixed instead, a
// parameter, stands for as long as the property has no value. It is false where the
// name is none.
func (f *maker) property(name string, fixed func()) bool {
	if f.settingOf(name) {
		f.op(opMem, f.constant(name))
		return true
	}
	if !f.written.names[slotKey{f.owner, name}] {
		return false
	}
	f.orElse(name, fixed)
	return true
}

// settingOf leaves the node whose setting a bare name means.
func (f *maker) settingOf(name string) bool {
	node, ok := f.code.Owner(name)
	switch {
	case !ok:
		return false
	case node == f.owner:
		f.op(opSelf)
	default:
		f.op(opNode, f.constant(node))
	}
	return true
}

// ofSelf leaves this.name where the name is a parameter of the template: what it is when
// nobody set it is no property of the node.
func (f *maker) ofSelf(name string) bool {
	v, ok := f.code.Const(name)
	if !ok || v.Kind == trait.Unknown || !f.code.Param(name) {
		return false
	}
	f.orElse(name, func() { f.literal(v) })
	return true
}

// orElse leaves the property of the owner, or what is fixed where it has no value.
func (f *maker) orElse(name string, fixed func()) {
	f.op(opSelf)
	f.op(opMem, f.constant(name))
	if fixed == nil {
		return
	}
	null := f.jump(opJnull)
	end := f.jump(opJmp)
	f.land(null)
	f.op(opPop)
	fixed()
	f.land(end)
}
