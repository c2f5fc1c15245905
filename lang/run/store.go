package run

import (
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
)

// assign stores and leaves the value.
func (f *maker) assign(target ast.Node, op string, value ast.Node) {
	f.store(target, func() {
		if op == "=" || op == ":=" {
			f.value(value)
			return
		}
		f.binary(strings.TrimSuffix(op, "="), target, value, target)
	})
}

// store puts what value leaves where target says, and leaves it.
func (f *maker) store(target ast.Node, value func()) {
	v := f.local("")
	value()
	f.op(opStore, v)
	f.line(target)
	switch t := target.(type) {
	case *ast.Ident:
		f.storePath(t, []string{t.Name}, v)
	case *ast.Path:
		f.storePath(t, t.Segments(), v)
	case *ast.StateRef:
		f.storePath(t, []string{"state", t.Name}, v)
	case *ast.Member:
		f.expr(t.X)
		f.op(opLoad, v)
		f.op(opPutMem, f.constant(t.Name))
		f.writeBack(t.X)
	case *ast.Index:
		f.expr(t.X)
		f.expr(t.I)
		f.op(opLoad, v)
		f.op(opPutIdx)
		f.writeBack(t.X)
	case *ast.Cast:
		f.store(t.X, func() { f.op(opLoad, v) })
		f.op(opPop)
	default:
		f.unsupported(target, "an assignment to this")
	}
	f.op(opLoad, v)
}

func (f *maker) storePath(n ast.Node, segments []string, v int) {
	last := segments[len(segments)-1]
	if at, ok := f.lookup(segments[0]); ok && len(segments) == 1 {
		f.op(opLoad, v)
		f.op(opStore, at)
		return
	}
	if f.record != nil && len(segments) == 1 && f.record.names[segments[0]] {
		if at, ok := f.lookup("this"); ok {
			f.op(opLoad, at)
			f.op(opLoad, v)
			f.op(opPutMem, f.constant(segments[0]))
			return
		}
	}
	if slot, used := f.slotAt(segments); used == len(segments) {
		f.op(opLoad, v)
		f.op(opSet, slot)
		return
	}
	switch {
	case len(segments) == 1:
		if !f.settingOf(last) {
			f.op(opSelf)
		}
	default:
		f.path(n, segments[:len(segments)-1])
	}
	f.op(opLoad, v)
	f.op(opPutMem, f.constant(last))
	if len(segments) > 1 {
		if slot, used := f.slotAt(segments[:len(segments)-1]); used > 0 && !f.isLocal(segments[0]) {
			f.op(opGet, slot)
			f.op(opSet, slot)
		} else {
			f.writeAxis(n, segments)
		}
	}
}

// writeAxis says that a property of a node changed of which a component was
// written: this.position.y.
func (f *maker) writeAxis(n ast.Node, segments []string) {
	last := len(segments) - 1
	if last < 2 || !slices.Contains([]string{"x", "y", "z", "w"}, segments[last]) || f.isLocal(segments[0]) {
		return
	}
	if _, used := f.find(f.owner, segments[:last]); used == last {
		return
	}
	f.path(n, segments[:last-1])
	f.path(n, segments[:last])
	f.op(opPutMem, f.constant(segments[last-1]))
}

// writeBack says that the state slot changed in which a list or an object lies.
func (f *maker) writeBack(n ast.Node) {
	for {
		switch x := n.(type) {
		case *ast.Member:
			n = x.X
			continue
		case *ast.Index:
			n = x.X
			continue
		}
		break
	}
	var segments []string
	switch n := n.(type) {
	case *ast.Ident:
		segments = []string{n.Name}
	case *ast.Path:
		segments = n.Segments()
	case *ast.StateRef:
		segments = []string{"state", n.Name}
	}
	if len(segments) == 0 || f.isLocal(segments[0]) {
		return
	}
	if slot, used := f.slotAt(segments); used > 0 {
		f.op(opGet, slot)
		f.op(opSet, slot)
	}
}
