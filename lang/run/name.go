package run

import (
	"math"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/trait"
)

var mathConstants = map[string]float64{"PI": math.Pi, "E": math.E, "SQRT2": math.Sqrt2, "LN2": math.Ln2}

// slotAt is the state slot that a path begins with, and how many segments name
// it; 0 for none.
func (f *maker) slotAt(segments []string) (slot, used int) {
	switch segments[0] {
	case "state":
		if len(segments) > 1 {
			if i, ok := f.visible(f.owner, segments[1]); ok {
				return i, 2
			}
		}
		return 0, 0
	case "this", "self":
		if len(segments) > 2 && segments[1] == "state" {
			if i, ok := f.visible(f.owner, segments[2]); ok {
				return i, 3
			}
		}
		if len(segments) > 1 {
			if i, ok := f.slots[slotKey{f.owner, segments[1]}]; ok {
				return i, 2
			}
		}
		return 0, 0
	}
	if owner, n := f.automaton(segments); n > 0 && n < len(segments) {
		if i, ok := f.fieldSlot(owner, segments[n]); ok {
			return i, n + 1
		}
	}
	if owner, n := f.find(f.owner, segments); owner != "" {
		rest := segments[n:]
		if len(rest) > 1 && rest[0] == "state" {
			if i, ok := f.slots[slotKey{owner, rest[1]}]; ok {
				return i, n + 2
			}
		}
		if len(rest) > 0 {
			if i, ok := f.slots[slotKey{owner, rest[0]}]; ok {
				return i, n + 1
			}
			if _, ok := f.computed[slotKey{owner, rest[0]}]; !ok && rest[0] != "state" {
				if i, ok := f.fieldSlot(owner, rest[0]); ok {
					return i, n + 1
				}
			}
		}
		return 0, 0
	}
	if i, ok := f.visible(f.owner, segments[0]); ok {
		return i, 1
	}
	if i, ok := f.bareField(segments[0]); ok {
		return i, 1
	}
	return 0, 0
}

// path is a name: what it means, from the inside out.
func (f *maker) path(n ast.Node, segments []string) {
	if len(segments) > 1 && segments[1] == "instances" && (!f.named(segments[0]) || f.isTemplate(segments[0]) && !f.isLocal(segments[0])) {
		f.op(opConst, f.constant(segments[0]))
		f.op(opHost, f.host("instances"), 1)
		for _, s := range segments[2:] {
			f.op(opMem, f.constant(s))
		}
		return
	}
	rest := f.root(n, segments)
	for _, s := range rest {
		f.op(opMem, f.constant(s))
	}
}

// isTemplate says whether a name is that of a template that a program may spawn.
func (f *maker) isTemplate(name string) bool {
	return slices.ContainsFunc(f.p.Templates, func(t Template) bool { return t.Name == name })
}

// root leaves what the path begins with and gives the members behind it.
func (f *maker) root(n ast.Node, segments []string) []string {
	name := segments[0]
	word := f.word
	f.word = false
	if at, ok := f.lookup(name); ok {
		f.op(opLoad, at)
		return segments[1:]
	}
	if f.memberOfThis(name) {
		return segments[1:]
	}
	if r := f.records[name]; r != nil && len(segments) > 1 {
		if v := r.fixed[segments[1]]; v != nil {
			f.expr(v)
			return segments[2:]
		}
	}
	if slot, used := f.slotAt(segments); used > 0 && name != "state" || used > 0 {
		if used > 1 || !f.isComputed(name) {
			f.op(opGet, slot)
			return segments[used:]
		}
	}
	switch name {
	case "this", "self":
		if len(segments) > 1 && f.ofSelf(segments[1]) {
			return segments[2:]
		}
		f.op(opSelf)
		return segments[1:]
	case "state":
		if f.test && len(segments) > 1 && f.code.File != nil {
			f.refuse(f.code.File, n, "the unknown state key '"+segments[1]+"'")
		}
		f.op(opSelf)
		f.op(opMem, f.constant("state"))
		return segments[1:]
	case "Math":
		if len(segments) == 2 {
			if c, ok := mathConstants[segments[1]]; ok {
				f.op(opConst, f.constant(c))
				return nil
			}
		}
	}
	for _, o := range f.above(f.owner) {
		if i, ok := f.computed[slotKey{o, name}]; ok {
			f.op(opComp, i)
			return segments[1:]
		}
	}
	if root := f.roots[f.owner]; root != "" {
		if _, ok := f.given[root][name]; ok { // what is spawned may have another
			f.op(opNode, f.constant(root))
			f.op(opMem, f.constant(name))
			return segments[1:]
		}
	}
	if v, ok := f.code.Const(name); ok && v.Kind != trait.Unknown {
		if !f.property(name, func() { f.literal(v) }) {
			f.literal(v)
		}
		return segments[1:]
	}
	if i, ok := f.functionOf(name); ok {
		f.op(opFn, i, 0)
		return segments[1:]
	}
	if owner, used := f.automaton(segments); used > 0 {
		f.op(opNode, f.constant(owner))
		if rest := segments[used:]; len(rest) > 0 && stateWords[rest[0]] {
			f.op(opMem, f.constant("current_state"))
			return rest[1:]
		}
		return segments[used:]
	}
	if owner, used := f.find(f.owner, segments); owner != "" {
		if used < len(segments) {
			if i, ok := f.computed[slotKey{owner, segments[used]}]; ok {
				f.op(opComp, i)
				return segments[used+1:]
			}
		}
		if rest := segments[used:]; f.test && len(rest) > 1 && rest[0] == "state" {
			f.refuse(f.code.File, n, "the unknown state key '"+rest[1]+"'")
		}
		f.op(opNode, f.constant(owner))
		return segments[used:]
	}
	if v, ok := f.values[f.code.File][name]; ok {
		f.expr(v)
		return segments[1:]
	}
	if im, ok := f.imports(f.code.File)[name]; ok {
		if im.File != "" && f.constantOf(im) {
			return segments[1:]
		}
		if slot, ok := f.data[dataKey{f.code.File.Path(), name}]; ok {
			f.op(opGet, slot)
			return segments[1:]
		}
		if im.File == "" {
			f.literal(im.Value)
			return segments[1:]
		}
	}
	if v, ok := f.enumerator(segments); ok {
		f.op(opConst, f.constant(v))
		return nil
	}
	if len(segments) == 1 && name == "delta_time" {
		f.op(opConst, f.constant(f.step()))
		return nil
	}
	if f.property(name, nil) {
		return segments[1:]
	}
	if word && len(segments) == 1 {
		f.op(opConst, f.constant(name))
		return nil
	}
	f.op(opConst, f.constant(nil))
	if len(segments) > 1 || f.test {
		f.refuse(f.code.File, n, "the unknown name '"+name+"'")
	}
	return nil
}

// value is expr where a bare word that nothing declares is a word: idle in
// state.mode = idle.
func (f *maker) value(n ast.Node) {
	_, f.word = n.(*ast.Ident)
	f.expr(n)
	f.word = false
}

// plain says whether $name means a parameter, a constant or a computed value, where no
// state has the name.
func (f *maker) plain(name string) bool {
	if _, used := f.slotAt([]string{"state", name}); used > 0 {
		return false
	}
	for _, o := range f.above(f.owner) {
		if _, ok := f.computed[slotKey{o, name}]; ok {
			return true
		}
	}
	if root := f.roots[f.owner]; root != "" {
		if _, ok := f.given[root][name]; ok {
			return true
		}
	}
	v, ok := f.code.Const(name)
	return ok && v.Kind != trait.Unknown
}

func (f *maker) isComputed(name string) bool {
	_, ok := f.computed[slotKey{f.owner, name}]
	return ok
}

// functionOf is the function that a name means: of the owners around, of the same
// file, then of what the file imports.
func (f *maker) functionOf(name string) (int, bool) {
	for _, o := range f.above(f.owner) {
		if i, ok := f.functions[slotKey{o, name}]; ok {
			return i, true
		}
	}
	if i, ok := f.statics[f.code.File][name]; ok {
		return i, true
	}
	if im, ok := f.imports(f.code.File)[name]; ok && im.File != "" {
		for _, file := range f.files {
			if i, ok := f.statics[file][im.Name]; ok && file.Path() == im.File {
				return i, true
			}
		}
	}
	return 0, false
}

// constantOf compiles an imported constant where its own file has its names.
func (f *maker) constantOf(im scene.Import) bool {
	for _, file := range f.files {
		v, ok := f.values[file][im.Name]
		if !ok || file.Path() != im.File {
			continue
		}
		if f.borrowed++; f.borrowed > maxBorrowed {
			return false
		}
		code, scopes := f.code, f.scopes
		f.code, f.scopes = scene.Code{Name: im.Name, File: file}, []map[string]int{{}}
		f.expr(v)
		f.code, f.scopes = code, scopes
		f.borrowed--
		return true
	}
	return false
}

// literal leaves a value that is known before the run. Long ones are built in
// runs that fit the stack.
func (f *maker) literal(v trait.Value) {
	const most = 256
	switch v.Kind {
	case trait.List:
		for i := 0; i == 0 || i < len(v.List); i += most {
			run := v.List[i:min(i+most, len(v.List))]
			for _, e := range run {
				f.literal(e)
			}
			if f.op(opArr, len(run)); i > 0 {
				f.op(opConcat)
			}
		}
	case trait.Map:
		for i := 0; i == 0 || i < len(v.Fields); i += most {
			run := v.Fields[i:min(i+most, len(v.Fields))]
			for _, e := range run {
				f.op(opConst, f.constant(e.Key))
				f.literal(e.Value)
			}
			if f.op(opObj, len(run)); i > 0 {
				f.op(opMerge)
			}
		}
	default:
		f.op(opConst, f.constant(fromTrait(v)))
	}
}

// enumerator is the value of Mood.calm: what the enum gives it, else its name.
func (f *maker) enumerator(segments []string) (any, bool) {
	if len(segments) != 2 {
		return nil, false
	}
	for _, file := range f.files {
		for _, it := range file.Items() {
			if e, ok := it.(*ast.Export); ok && e.Item != nil {
				it = e.Item
			}
			b, ok := it.(*ast.Block)
			if !ok || b.BlockKind != "enum" || b.NameText() != segments[0] || b.Body == nil {
				continue
			}
			for _, it := range b.Body.Items {
				e, ok := it.(*ast.Enumerator)
				if !ok || strings.Join(pathOf(e.Name), ".") != segments[1] {
					continue
				}
				switch v := e.Value.(type) {
				case *ast.Number:
					return v.Value(), true
				case *ast.String:
					return v.Value(), true
				}
				return segments[1], true
			}
		}
	}
	return nil, false
}

// call compiles a call with parentheses.
func (f *maker) call(n *ast.Call) {
	f.line(n)
	switch fn := n.Fn.(type) {
	case *ast.Ident:
		f.callNamed(n, []string{fn.Name}, n.Args)
	case *ast.Path:
		f.callNamed(n, fn.Segments(), n.Args)
	case *ast.Member:
		if !fn.Optional && (f.recordMethod(n, fn.X, fn.Name, n.Args) || f.valueMethod(n, fn.X, fn.Name, n.Args)) {
			return
		}
		f.expr(fn.X)
		f.optional(fn.Optional, func() {
			f.apply(n, n.Args, opMethod, f.constant(fn.Name))
		})
		if changing[fn.Name] {
			f.writeBack(fn.X)
		}
	default:
		f.expr(n.Fn)
		f.optional(n.Optional, func() { f.apply(nil, n.Args, opCallv) })
	}
}

// spreading are the calls that take their arguments as a list.
var spreading = map[Op]Op{opCallv: opCalls, opMethod: opMethods, opHost: opHosts}

// apply leaves the arguments and calls with them; at, when it is given, is the
// place of a fault. With ...list among them they go as one list.
func (f *maker) apply(at ast.Node, args []ast.Node, op Op, operands ...int) {
	if hasSpread(args) {
		f.listed(args, op == opHost)
		op = spreading[op]
	} else {
		operands = append(operands, f.arguments(args, op == opHost))
	}
	if at != nil {
		f.line(at)
	}
	f.op(op, operands...)
}

// applyTo is apply for a function of the program.
func (f *maker) applyTo(fn int, args []ast.Node) {
	if hasSpread(args) {
		f.op(opFn, fn, 0)
		f.apply(nil, args, opCallv)
		return
	}
	f.op(opCall, fn, f.arguments(args, false))
}

func hasSpread(args []ast.Node) bool {
	return slices.ContainsFunc(args, func(a ast.Node) bool { return a.Kind() == ast.KindSpread })
}

// listed leaves the arguments as one list.
func (f *maker) listed(args []ast.Node, words bool) {
	inOrder := slices.DeleteFunc(slices.Clone(args), func(a ast.Node) bool { return a.Kind() == ast.KindProperty })
	if len(inOrder) < len(args) { // the named ones, behind the others
		inOrder = append(inOrder, nil)
	}
	f.parts(inOrder, func(a ast.Node) ast.Node {
		if s, ok := a.(*ast.Spread); ok {
			return s.X
		}
		return nil
	}, opArr, opConcat, func(a ast.Node) {
		if a != nil {
			f.arguments([]ast.Node{a}, words)
			return
		}
		f.arguments(slices.DeleteFunc(slices.Clone(args), func(a ast.Node) bool { return a.Kind() != ast.KindProperty }), words)
	})
}

// arguments leaves the arguments and counts them. Named ones come as one object
// behind the others. In words, a word that means nothing is a text.
func (f *maker) arguments(args []ast.Node, words bool) int {
	count := 0
	var named []*ast.Property
	for _, a := range args {
		switch a := a.(type) {
		case *ast.Property:
			named = append(named, a)
			continue
		case *ast.Ident:
			if words && !f.named(a.Name) {
				f.op(opConst, f.constant(a.Name))
				count++
				continue
			}
		}
		f.value(a)
		count++
	}
	if len(named) > 0 {
		for _, p := range named {
			f.op(opConst, f.constant(p.Key.Name()))
			f.value(p.Value)
		}
		f.op(opObj, len(named))
		count++
	}
	return count
}

// callNamed calls what a path means.
func (f *maker) callNamed(n ast.Node, segments []string, args []ast.Node) {
	last := segments[len(segments)-1]
	if last == "emit" || last == "broadcast" {
		args = eventFirst(args)
	}
	if len(segments) == 1 {
		if at, ok := f.lookup(last); ok {
			f.op(opLoad, at)
			f.apply(nil, args, opCallv)
			return
		}
		if i, ok := f.functionOf(last); ok {
			f.applyTo(i, args)
			return
		}
		if call, ok := n.(*ast.Call); ok && last == "spawn" {
			if s := ast.SpawnOf(call); s != nil {
				f.expr(s)
				return
			}
		}
		if slot, used := f.slotAt(segments); used == 1 {
			f.op(opGet, slot)
			f.apply(nil, args, opCallv)
			return
		}
		if f.record != nil && f.record.methods[last] != nil { // a method of the same struct
			if at, ok := f.lookup("this"); ok {
				f.op(opLoad, at)
				f.op(opCall, f.methodFunction(f.record.methods[last]), f.arguments(args, false)+1)
				return
			}
		}
		if f.construct(n, last, args) {
			return
		}
		if f.inTest(n, last, args) || f.mathCall(n, last, args) {
			return
		}
		switch {
		case (last == "fire" || last == "send") && len(args) > 0 && f.ownMachine() != "":
			f.sendTo(f.ownMachine(), n, args)
			return
		case last == "yield" && len(args) < 2:
			f.yield(args)
			return
		case last == "set_trait" && f.setTrait(args):
			return
		case last == "broadcast" && (len(args) == 1 || len(args) == 2) && !hasSpread(args):
			for i := range 2 {
				if i < len(args) {
					f.expr(args[i])
				} else {
					f.op(opConst, f.constant(nil))
				}
			}
			f.line(n)
			f.op(opCall, f.broadcaster(), 2)
			return
		}
		f.hostCall(n, last, args)
		return
	}
	full := strings.Join(segments, ".")
	prefix := segments[:len(segments)-1]
	if IsLibrary(full) && !f.isLocal(segments[0]) {
		f.hostCall(n, full, args)
		return
	}
	if !f.isLocal(segments[0]) {
		owner := ""
		if len(prefix) == 1 && (prefix[0] == "this" || prefix[0] == "self") {
			owner = f.owner
		} else if o, used := f.find(f.owner, segments); o != "" && used == len(prefix) {
			owner = o
		}
		if owner != "" {
			if i, ok := f.functions[slotKey{owner, last}]; ok {
				f.applyTo(i, args)
				return
			}
			if i, ok := f.handlerOf(owner, last); ok {
				f.applyTo(i, args)
				return
			}
		} else if _, used := f.automaton(prefix); used == 0 && !f.named(prefix[0]) {
			if _, ok := f.functionOf(prefix[0]); !ok {
				f.hostCall(n, full, args)
				return
			}
		}
	}
	if f.askMachine(n, prefix, last, args) {
		return
	}
	if slot, used := f.slotAt(segments); used == len(segments) && !f.isLocal(segments[0]) { // a function that the state keeps
		f.op(opGet, slot)
		f.apply(nil, args, opCallv)
		return
	}
	x := &ast.Path{Base: *n.Common(), Raw: strings.Join(prefix, ".")}
	if owner, used := f.find(f.owner, prefix); f.recordMethod(n, x, last, args) || (owner == "" || used < len(prefix) || f.isLocal(prefix[0])) && f.valueMethod(n, x, last, args) {
		return
	}
	f.path(n, prefix)
	f.apply(n, args, opMethod, f.constant(last))
	if changing[last] && !f.isLocal(segments[0]) {
		if slot, used := f.slotAt(prefix); used > 0 {
			f.op(opGet, slot)
			f.op(opSet, slot)
		}
	}
}

// setTrait writes the properties of a node that a trait with these parameters means:
// set_trait(node, "glowing", { intensity: 2 }). It is false for what is no property.
func (f *maker) setTrait(args []ast.Node) bool {
	if len(args) != 3 {
		return false
	}
	name, text := args[1].(*ast.String)
	with, object := args[2].(*ast.Object)
	if !text || !object {
		return false
	}
	key := strings.TrimPrefix(name.Value(), "@")
	var properties []string
	var values []ast.Node
	for _, it := range with.Body.Items {
		p, ok := it.(*ast.Property)
		if !ok || p.Key.Computed != nil {
			return false
		}
		property, ok := trait.Settable(key, p.Key.Name())
		if !ok {
			return false
		}
		properties, values = append(properties, property), append(values, p.Value)
	}
	if len(values) == 0 {
		return false
	}
	node := f.local("")
	if s, ok := args[0].(*ast.String); ok {
		f.path(s, strings.Split(s.Value(), "/"))
	} else {
		f.expr(args[0])
	}
	f.op(opStore, node)
	for i, v := range values {
		f.op(opLoad, node)
		f.expr(v)
		f.line(v)
		f.op(opPutMem, f.constant(properties[i]))
	}
	f.op(opConst, f.constant(nil))
	return true
}

// step is how long a step takes, in seconds.
func (f *maker) step() float64 { return 1 / float64(f.p.Rates.Spatial) }

// yield gives control back until the next step; a number is how long until then.
func (f *maker) yield(args []ast.Node) {
	if len(args) == 1 {
		if _, ok := args[0].(*ast.Number); ok {
			f.expr(args[0])
			f.op(opAwait)
			return
		}
		f.expr(args[0])
		f.op(opPop)
	}
	f.op(opConst, f.constant(f.step()))
	f.op(opAwait)
}

// broadcaster is a function that raises an event everywhere: of no place, so that
// what it emits reaches all.
func (b *builder) broadcaster() int {
	if b.broadcast == 0 {
		b.p.Functions = append(b.p.Functions, Function{
			Name: "broadcast", Owner: Everywhere, Params: 2, Locals: 2, Lines: [][3]int{},
			Code: []int{int(opLoad), 0, int(opLoad), 1, int(opEmit), 2, int(opConst), b.constant(nil), int(opRet)},
		})
		b.broadcast = len(b.p.Functions)
	}
	return b.broadcast - 1
}

var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// eventFirst are arguments of which the first, a text, names an event.
func eventFirst(args []ast.Node) []ast.Node {
	if len(args) == 0 {
		return args
	}
	text, ok := args[0].(*ast.String)
	if !ok {
		return args
	}
	return append([]ast.Node{&ast.String{Base: text.Base, Raw: `"` + escapes.Replace(eventOf(text.Value())) + `"`}}, args[1:]...)
}

func (f *maker) hostCall(n ast.Node, name string, args []ast.Node) {
	f.apply(n, args, opHost, f.host(name))
}
