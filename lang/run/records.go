package run

import (
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/scene"
)

// record is a struct or a class: what a call of its name makes (X35).
type record struct {
	name    string
	code    scene.Code
	fields  []recordField
	names   map[string]bool // of fields and methods
	methods map[string]*ast.Func
	fixed   map[string]ast.Node // static members
}

type recordField struct {
	name  string
	value ast.Node // by default
}

var recordKinds = map[string]bool{"struct": true, "record": true, "class": true, "data": true}

// gatherRecords reads the structs and classes of the files, in namespaces too.
func (b *builder) gatherRecords() {
	b.records, b.acts = map[string]*record{}, map[string]*ast.Func{}
	for _, file := range b.files {
		b.recordsIn(file, file.Items(), 0)
	}
	seen := map[string]int{}
	for _, r := range b.records {
		for name := range r.methods {
			seen[name]++
		}
	}
	for _, r := range b.records {
		for name, m := range r.methods {
			if seen[name] == 1 && !valueMethods[name] && name != "length" {
				b.acts[name] = m
			}
		}
	}
}

func (b *builder) recordsIn(file *ast.File, items []ast.Node, depth int) {
	for _, it := range items {
		if e, ok := it.(*ast.Export); ok && e.Item != nil {
			it = e.Item
		}
		if c, ok := it.(*ast.Command); ok && c.Verb == "record" && len(c.Args) == 1 { // record Tariff(day: 3)
			if call, ok := c.Args[0].(*ast.Call); ok {
				if name, ok := call.Fn.(*ast.Ident); ok && b.records[name.Name] == nil {
					r := newRecord(name.Name, file, c)
					for _, a := range call.Args {
						if p, ok := a.(*ast.Property); ok {
							r.put(p.Key.Name(), p.Value)
						} else if id, ok := a.(*ast.Ident); ok {
							r.put(id.Name, nil)
						}
					}
					b.records[name.Name] = r
				}
			}
		}
		n, ok := it.(*ast.Block)
		if !ok {
			continue
		}
		if n.BlockKind == "namespace" && n.Body != nil && depth < 4 {
			b.recordsIn(file, n.Body.Items, depth+1)
		}
		name := n.NameText()
		if !recordKinds[n.BlockKind] || name == "" || b.records[name] != nil {
			continue
		}
		r := newRecord(name, file, n)
		put := r.put
		for _, p := range n.Heading().Params {
			put(p.Name, p.Parts().Default)
		}
		if n.Body != nil {
			for _, it := range n.Body.Items {
				switch it := it.(type) {
				case *ast.Property:
					value := it.Value
					if it.Type() != nil {
						if value = nil; it.More != nil {
							value = it.More.Default
						}
					} else if k := value.Kind(); k == ast.KindIdent { // x: number
						value = nil
					}
					put(it.Key.Name(), value)
				case *ast.TypedMember:
					static := false
					for _, w := range it.Words {
						static = static || w == "static"
					}
					if static {
						r.fixed[it.Name] = it.Default
					} else {
						put(it.Name, it.Default)
					}
				case *ast.Command: // static up = Vec3(0, 1, 0)
					if a, ok := firstOf(it.Args).(*ast.Assign); ok && it.Verb == "static" {
						if id, ok := a.Target.(*ast.Ident); ok {
							r.fixed[id.Name] = a.Value
						}
					}
				case *ast.Func:
					if it.Body != nil && it.FuncKind != ast.Handler {
						r.methods[it.Name] = it
						r.names[it.Name] = true
					}
				}
			}
		}
		b.records[name] = r
	}
}

func newRecord(name string, file *ast.File, at ast.Node) *record {
	return &record{name: name, code: scene.Code{Name: name, Node: at, File: file}, names: map[string]bool{}, methods: map[string]*ast.Func{}, fixed: map[string]ast.Node{}}
}

func (r *record) put(name string, value ast.Node) {
	r.fields = append(r.fields, recordField{name, value})
	r.names[name] = true
}

func firstOf(list []ast.Node) ast.Node {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// construct makes an object of a struct: Vec3(1, 2, 3), Tariff(first_hour: 4).
func (f *maker) construct(n ast.Node, name string, args []ast.Node) bool {
	r := f.records[name]
	if r == nil || hasSpread(args) || len(r.fields) == 0 {
		return false
	}
	given := map[string]ast.Node{}
	place := 0
	for _, a := range args {
		if p, ok := a.(*ast.Property); ok {
			given[p.Key.Name()] = p.Value
			continue
		}
		if place >= len(r.fields) {
			return false
		}
		given[r.fields[place].name] = a
		place++
	}
	for _, fd := range r.fields {
		f.op(opConst, f.constant(fd.name))
		switch v, ok := given[fd.name]; {
		case ok:
			f.value(v)
		case fd.value != nil:
			f.value(fd.value)
		default:
			f.op(opConst, f.constant(nil))
		}
	}
	f.line(n)
	f.op(opObj, len(r.fields))
	return true
}

// newValue is new Vec3(1, 2, 3), and what the language has of classes of its own.
func (f *maker) newValue(n *ast.New) {
	name := wordOf(n.Type)
	if t, ok := n.Type.(*ast.TypeName); ok {
		name = t.Path
	}
	switch {
	case f.construct(n, name, n.Args):
	case (name == "Map" || name == "Object") && len(n.Args) == 0:
		f.op(opObj, 0)
	case (name == "Set" || name == "Array") && len(n.Args) == 0:
		f.op(opArr, 0)
	case name == "Set" && len(n.Args) == 1:
		f.valueMethod(n, n.Args[0], "unique", nil)
	case name == "Error" && len(n.Args) == 1:
		f.op(opConst, f.constant("message"))
		f.expr(n.Args[0])
		f.op(opObj, 1)
	case name == "Date" && len(n.Args) == 0:
		f.hostCall(n, "now", nil)
	default:
		f.unsupported(n, "the form New")
		f.op(opConst, f.constant(nil))
	}
}

// recordMethod calls a method that one struct alone has, with what it belongs to first.
func (f *maker) recordMethod(n, x ast.Node, name string, args []ast.Node) bool {
	m := f.acts[name]
	if m == nil || m.FuncKind == ast.Getter || hasSpread(args) {
		return false
	}
	fn := f.methodFunction(m)
	f.expr(x)
	count := f.arguments(args, false)
	f.line(n)
	f.op(opCall, fn, count+1)
	return true
}

// methodFunction is the function of a method, whose first parameter is this.
func (b *builder) methodFunction(m *ast.Func) int {
	for _, r := range b.records {
		if r.methods[m.Name] != m {
			continue
		}
		key := slotKey{"record:" + r.name, m.Name}
		if i, ok := b.functions[key]; ok {
			return i
		}
		own := *m
		own.FuncKind = ast.Function
		own.Params = append([]*ast.Param{{Base: m.Base, Name: "this"}}, m.Params...)
		if body, ok := m.Body.(*ast.Body); ok && m.FuncKind == ast.Getter && len(body.Items) == 1 {
			if x, ok := body.Items[0].(*ast.ExprStmt); ok {
				own.Body = x.X
			}
		}
		code := r.code
		i := b.later(SceneOwner, m.Name, code, &own)
		b.functions[key] = i
		b.within(i, r)
		return i
	}
	return 0
}

// within notes that a function is a method of a struct.
func (b *builder) within(fn int, r *record) {
	if b.inRecord == nil {
		b.inRecord = map[int]*record{}
	}
	b.inRecord[fn] = r
}

// memberOfThis leaves this.name where code of a struct says name.
func (f *maker) memberOfThis(name string) bool {
	if f.record == nil || !f.record.names[name] {
		return false
	}
	at, ok := f.lookup("this")
	if !ok {
		return false
	}
	f.op(opLoad, at)
	if m := f.record.methods[name]; m != nil {
		if m.FuncKind == ast.Getter {
			f.op(opCall, f.methodFunction(m), 1)
			return true
		}
		f.op(opPop)
		return false
	}
	f.op(opMem, f.constant(name))
	return true
}
