package run

import (
	"slices"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/scene"
)

// maker compiles one function.
type maker struct {
	*builder
	owner  string
	code   scene.Code
	outer  *maker
	fn     Function
	scopes []map[string]int
	loops  []loop
	finals []*final
	tries  int
	test   bool
	record *record // whose method this is
	word   bool    // a bare word that is compiled now and means nothing is a text

	borrowed int // imported constants that are being compiled within each other
}

// loop is where break and continue lead.
type loop struct {
	breaks, goOn []int
	iterator     bool // an iterator lies on the stack while the loop runs
	tries        int
	isSwitch     bool
}

// paramsOf are the parameters of what can be called.
func paramsOf(n ast.Node) []*ast.Param {
	switch n := n.(type) {
	case *ast.Func:
		return n.Params
	case *ast.Arrow:
		return n.Params
	case *ast.FuncLit:
		return n.Params
	case *ast.Property:
		return paramsOf(n.Value)
	case *ast.Attribute:
		return paramsOf(n.Value)
	}
	return nil
}

// bodyOf is what a piece of code runs: a body or an expression.
func bodyOf(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.Func:
		return n.Body
	case *ast.Arrow:
		return n.Body
	case *ast.FuncLit:
		return n.Body
	case *ast.Property:
		return bodyOf(n.Value)
	case *ast.Attribute:
		if n.Body != nil {
			return n.Body
		}
		return bodyOf(n.Value)
	}
	return n
}

// body compiles a function that was declared.
func (b *builder) body(j job) {
	if g, ok := j.node.(*ast.Func); ok && g.FuncKind == ast.Getter && len(g.Params) == 0 { // its only expression is what it gives
		if body, ok := g.Body.(*ast.Body); ok && len(body.Items) == 1 {
			if x, ok := body.Items[0].(*ast.ExprStmt); ok {
				j.node = x.X
			}
		}
	}
	f := &maker{builder: b, owner: j.owner, code: j.code, record: b.inRecord[j.at]}
	f.fn = Function{Name: b.p.Functions[j.at].Name, Owner: j.owner, Lines: [][3]int{}}
	f.function(paramsOf(j.node), bodyOf(j.node), isBlock(j.node), nil)
	b.p.Functions[j.at] = f.fn
}

// isBlock says whether an object stands for statements: the body of a handler.
func isBlock(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Func, *ast.Attribute:
		return true
	case *ast.Property:
		o, ok := n.Value.(*ast.Object)
		return ok && slices.ContainsFunc(o.Body.Items, func(it ast.Node) bool { return it.Kind().IsStatement() })
	}
	return false
}

// function compiles parameters and body. boxes are the names of captured locals.
func (f *maker) function(params []*ast.Param, body ast.Node, block bool, boxes []string) {
	if b, ok := body.(*ast.Body); ok && b == nil {
		body = nil
	}
	f.scopes = []map[string]int{{}}
	for _, p := range params {
		f.local(p.Name)
	}
	if len(params) == 0 && !f.hasEvent() { // handlers may say event without naming it
		f.local("event")
	}
	f.fn.Params = f.fn.Locals
	for _, name := range boxes {
		f.local(name)
	}
	for i, p := range params {
		parts := p.Parts()
		if parts.Default != nil {
			f.op(opLoad, i)
			f.op(opConst, f.constant(nil))
			f.op(opEq)
			skip := f.jump(opJz)
			f.expr(parts.Default)
			f.op(opStore, i)
			f.land(skip)
		}
		if parts.Pattern != nil {
			f.op(opLoad, i)
			f.pattern(parts.Pattern)
		}
		if f.fn.Rest = p.Rest; p.Rest && i < len(params)-1 {
			f.unsupported(p, "a rest parameter in front of others")
		}
	}
	if o, ok := body.(*ast.Object); ok && block {
		body = &o.Body
	}
	switch body := body.(type) {
	case nil:
	case *ast.Body:
		f.statements(body)
	default:
		if body.Kind().IsStatement() && body.Kind() != ast.KindAssign {
			f.statement(body)
			break
		}
		f.line(body)
		f.expr(body)
		f.op(opRet)
	}
	f.op(opConst, f.constant(nil))
	f.op(opRet)
}

func (f *maker) hasEvent() bool {
	for m := f.outer; m != nil; m = m.outer {
		if _, ok := m.lookup("event"); ok {
			return true
		}
	}
	return false
}

func (f *maker) local(name string) int {
	i := f.fn.Locals
	f.fn.Locals++
	if name != "" {
		f.scopes[len(f.scopes)-1][name] = i
	}
	return i
}

func (f *maker) lookup(name string) (int, bool) {
	for i := len(f.scopes) - 1; i >= 0; i-- {
		if n, ok := f.scopes[i][name]; ok {
			return n, true
		}
	}
	return 0, false
}

func (f *maker) op(op Op, operands ...int) int {
	at := len(f.fn.Code)
	f.fn.Code = append(append(f.fn.Code, int(op)), operands...)
	return at
}

// jump leaves a jump open; land and patch close it.
func (f *maker) jump(op Op) int { return f.op(op, 0) }

func (f *maker) here() int { return len(f.fn.Code) }

func (f *maker) land(at int) { f.fn.Code[at+1] = f.here() }

func (f *maker) line(n ast.Node) {
	line, column := f.code.File.Stream.Source.Position(int(n.Span().Start))
	if k := len(f.fn.Lines); k > 0 {
		last := f.fn.Lines[k-1]
		if last[1] == line && last[2] == column {
			return
		}
		if last[0] == f.here() {
			f.fn.Lines[k-1] = [3]int{f.here(), line, column}
			return
		}
	}
	f.fn.Lines = append(f.fn.Lines, [3]int{f.here(), line, column})
}

// unsupported reports a form that does not run and makes it fault.
func (f *maker) unsupported(n ast.Node, what string) {
	f.refuse(f.code.File, n, what)
	f.line(n)
	f.op(opConst, f.constant(what+" does not run"))
	f.op(opThrow)
}

// closure compiles a function value and leaves it on the stack.
func (f *maker) closure(params []*ast.Param, body ast.Node) {
	if b, ok := body.(*ast.Body); ok && b == nil {
		body = nil
	}
	var boxes []string
	seen := map[string]bool{}
	collect := func(name string) {
		if seen[name] {
			return
		}
		seen[name] = true
		if _, ok := f.lookup(name); ok {
			boxes = append(boxes, name)
		}
	}
	look := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			collect(n.Name)
		case *ast.Path:
			collect(n.Segments()[0])
		case *ast.Property: // { name } in short
			if n.Key != nil {
				if parts := n.Key.Parts(); len(parts) == 1 && n.Value == nil {
					collect(parts[0])
				}
			}
		}
		return true
	}
	if body != nil {
		ast.Walk(body, look)
	}
	own := map[string]bool{}
	for _, p := range params {
		own[p.Name] = true
		if d := p.Parts().Default; d != nil {
			ast.Walk(d, look)
		}
	}
	boxes = slices.DeleteFunc(boxes, func(s string) bool { return own[s] })
	if _, ok := f.lookup("this"); ok && f.record != nil {
		collect("this")
	}
	in := &maker{builder: f.builder, owner: f.owner, code: f.code, outer: f, test: f.test, record: f.record}
	in.fn = Function{Name: f.fn.Name + " =>", Owner: f.fn.Owner, Lines: [][3]int{}}
	i := len(f.p.Functions)
	f.p.Functions = append(f.p.Functions, Function{})
	in.function(params, body, false, boxes)
	f.p.Functions[i] = in.fn
	for _, name := range boxes {
		at, _ := f.lookup(name)
		f.op(opCell, at)
	}
	f.op(opFn, i, len(boxes))
}

// statements compiles a body in a new scope.
func (f *maker) statements(body *ast.Body) {
	f.scopes = append(f.scopes, map[string]int{})
	for _, it := range body.Items {
		if fn, ok := it.(*ast.Func); ok && fn.Body != nil { // functions within functions are known before
			f.local(fn.Name)
		}
	}
	for i, it := range body.Items {
		if a, ok := it.(*ast.Attribute); ok && a.Control() != "" {
			f.control(a, body.Items[i+1:])
			continue
		}
		f.statement(it)
	}
	f.scopes = f.scopes[:len(f.scopes)-1]
}

// control compiles @if, @for and @while among statements as those without the sign;
// rest is what stands behind, where @elif and @else are.
func (f *maker) control(a *ast.Attribute, rest []ast.Node) {
	if a.Body == nil {
		return
	}
	switch a.Control() {
	case "if":
		n := &ast.If{Base: a.Base, Branches: []*ast.Branch{{Base: a.Base, Cond: a.Value, Body: a.Body}}}
		for _, it := range rest {
			b, ok := it.(*ast.Attribute)
			if !ok || b.Name != "elif" && b.Name != "else" || b.Body == nil {
				break
			}
			if b.Name == "else" {
				n.Else = b.Body
				break
			}
			n.Branches = append(n.Branches, &ast.Branch{Base: b.Base, Cond: b.Value, Body: b.Body})
		}
		f.statement(n)
	case "for", "forEach":
		if in, ok := a.Value.(*ast.ForIn); ok {
			loop := *in
			loop.Body = a.Body
			f.statement(&loop)
		}
	case "while":
		f.statement(&ast.While{Base: a.Base, Cond: a.Value, Body: a.Body})
	}
}

// block compiles a body or a single statement.
func (f *maker) block(n ast.Node) {
	if body, ok := n.(*ast.Body); ok {
		if body != nil {
			f.statements(body)
		}
		return
	}
	if n != nil {
		f.scopes = append(f.scopes, map[string]int{})
		f.statement(n)
		f.scopes = f.scopes[:len(f.scopes)-1]
	}
}
