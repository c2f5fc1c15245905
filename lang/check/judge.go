package check

import (
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/token"
	"github.com/meshd/meshd/lang/trait"
)

// place is where an item stands.
type place struct {
	o      *owner
	in     role   // of the body around it
	kind   string // of the block around it
	locals *locals
	fn     *function // nil outside of functions
	loop   bool
	choice bool // in a switch
	data   bool // in data, where names and kinds mean nothing to the language
	depth  int
}

// locals are the names of a function or of a block in one.
type locals struct {
	outer *locals
	names map[string]*Symbol
}

// function is what the statements of a function know of it.
type function struct {
	name   string
	result *Type // declared, nil for none
	// awaits says that await may stand here.
	awaits bool
}

func (p place) inner() place {
	p.locals = &locals{p.locals, map[string]*Symbol{}}
	return p
}

// judgeFile looks at every item.
func (c *checker) judgeFile() {
	p := place{o: c.top, kind: "file", in: holder}
	for _, o := range c.top.children {
		if o.is("pipeline") {
			c.pipes = true
		}
	}
	if c.f.IsValueDocument {
		p.data, p.in = true, data
		for _, n := range c.f.Items() {
			c.value(n, p, nil)
		}
		return
	}
	c.judgeBody(&c.f.Body, p)
}

// judgeBody looks at the items of a body and at what they are to each other.
func (c *checker) judgeBody(body *ast.Body, p place) {
	if body == nil { // of an item that could not be read whole
		return
	}
	if o := c.owners[body]; o != nil {
		p.o = o
	}
	if p.fn != nil {
		p = p.inner()
	}
	if c.near < 0 {
		c.siblings(body, p)
	}
	for i, n := range body.Items {
		if !c.passes(n, p) {
			c.judge(n, p, body, i)
		}
	}
	c.keepLocals(body.At, p.locals)
}

// judge looks at one item; its siblings give the platform that it is for.
func (c *checker) judge(n ast.Node, p place, body *ast.Body, i int) {
	c.work++
	broken := n.Common().Is(ast.Broken)
	switch n := n.(type) {
	case *ast.Bad:
	case *ast.Block:
		c.judgeBlock(n, p, broken)
	case *ast.Property:
		if !broken {
			c.judgeProperty(n, p)
		}
	case *ast.TypedMember:
		if !broken {
			c.judgeMember(n, p)
		}
	case *ast.Func:
		c.judgeFunc(n, p, broken)
	case *ast.Attribute:
		c.judgeAttribute(n, p, broken)
	case *ast.CondBlock:
		for _, b := range n.Branches {
			c.judgeBody(b.Body, p)
		}
		if n.Else != nil {
			c.judgeBody(n.Else, p)
		}
	case *ast.LineDirective:
		c.judgeDirective(n)
	case *ast.Export:
		if n.Item != nil {
			c.judge(n.Item, p, body, i)
		}
	case *ast.List:
		c.judgeList(n, p)
	case *ast.Wire:
		if !broken {
			c.judgeWire(n, p)
		}
	case *ast.Execute:
		if !broken {
			c.judgeExecute(n, p)
		}
	case *ast.Mapping:
		if n.Body != nil {
			c.judgeBody(n.Body, p)
		}
	case *ast.Override:
		c.value(n.Value, p, nil)
	case *ast.Spread:
		c.expr(n.X, p)
	case *ast.Import, *ast.Annotation, *ast.Enumerator, *ast.Rule, *ast.Route:
	default:
		if n.Kind().IsStatement() {
			c.statement(n, p, broken)
		} else if n.Kind().IsExpr() && !broken && p.in != nameList && !p.data {
			c.expr(n, p)
		}
	}
}

// judgeBlock looks at a block: its heading, its place, its settings, its body.
func (c *checker) judgeBlock(b *ast.Block, p place, broken bool) {
	if isTest(b) && b.Body != nil && !broken {
		c.testBody(b.Body, p)
		return
	}
	k := words().byName[b.BlockKind]
	o := c.owners[b.Body]
	q := p
	q.kind, q.in, q.fn, q.loop, q.choice = b.BlockKind, data, nil, false, false
	q.depth++
	if k != nil {
		q.in = k.role
	}
	if o != nil {
		q.o = o
	}
	if b.BlockKind == "option" {
		c.optionTarget(b)
	}
	if q.depth == MaxNesting+1 {
		c.add("LNT003", c.kindSpan(b), strconv.Itoa(q.depth))
	}
	if p.data || p.in == machine || p.in == tree || p.in == ignored && p.kind != "children" && p.kind != "entities" && p.kind != "templates" {
		q.data = p.data || k == nil
		if p.in == tree || p.in == machine {
			q.in, q.data = p.in, p.data
		}
		c.headingTraits(b, q)
		c.judgeBody(b.Body, q)
		return
	}
	if k == nil {
		c.unknownKind(b, p)
		q.data = !inScene(p)
	} else {
		c.kindFits(b, k, p)
	}
	if o != nil && k != nil && (k.role == placed || k.role == root) {
		c.nodes++
	}
	if !broken {
		c.heading(b, q)
		c.settings(b, k, q)
	}
	c.headingTraits(b, q)
	switch {
	case k == nil:
	case k.role == data:
		q.data = true
	case b.BlockKind == "exports":
		c.exportsBlock(b, p)
		return
	case k.role == nameList:
		return
	case b.BlockKind == "trait":
		return
	case b.BlockKind == "enum":
		c.enumBody(b)
		return
	case k.role == typed:
		c.typeBody(b, q)
		return
	case k.role == machine:
		c.machineBlock(b, q)
	case k.role == tree:
		c.treeBlock(b, q)
	case b.BlockKind == "pipeline":
		c.pipeline(b, q)
	case b.BlockKind == "timeline":
		c.timeline(b, q)
	case b.BlockKind == "animation":
		c.animation(b, q)
	case b.BlockKind == "test":
		c.testBody(b.Body, q)
		return
	}
	if p.kind == "pipeline" && b.BlockKind != "params" && b.BlockKind != "retry" {
		c.stage(b, q)
		return
	}
	c.judgeBody(b.Body, q)
}

// optionTarget reports an option of a dialogue that leads to none.
func (c *checker) optionTarget(b *ast.Block) {
	to := b.Heading().Arrow
	if v, ok := to.(*ast.AttrValue); ok {
		to = nil
		if name := v.Attr.Name; (name == "dialog" || name == "dialogue") && len(v.Attr.Positional) == 1 {
			to = v.Attr.Positional[0]
		}
	}
	name := nameOf(to)
	if name == "" || c.dialogues[name] || len(c.dialogues) == 0 {
		return
	}
	if near, ok := c.nearest(name, keysFor(c, c.dialogues)); ok {
		c.respell(c.addAs(diag.Warning, "NAM006", to.Span(), name, hint(near)), to, near)
		return
	}
	c.addAs(diag.Warning, "NAM006", to.Span(), name, "")
}

// inScene says whether blocks of a body make the scene, so that one of an
// unknown kind may contain nodes.
func inScene(p place) bool {
	return p.in == root || p.in == placed || p.in == holder || p.in == control
}

// unknownKind reports a kind that nobody knows.
func (c *checker) unknownKind(b *ast.Block, p place) {
	if b.BlockKind == "" || !inScene(p) || p.kind == "pipeline" || routeMethods[b.BlockKind] && b.Name != nil && (p.kind == "service" || p.kind == "http") {
		return
	}
	at := c.kindSpan(b)
	near, ok := trait.Nearest(b.BlockKind, words().names)
	if k := words().byName[near]; ok && k.role == nameList && b.Name != nil {
		ok = false // a list of names has none itself
	}
	if !ok {
		c.add("BLK001", at, b.BlockKind, "")
		return
	}
	replace(c.add("BLK001", at, b.BlockKind, hint(near)), at, near)
}

// kindFits reports a block that has no effect where it stands, or is unusual.
func (c *checker) kindFits(b *ast.Block, k *kind, p place) {
	if k.within != "" && !p.data && p.in != ignored && p.in != data {
		fits := false
		for _, w := range strings.Fields(k.within) {
			fits = fits || w == p.kind
		}
		if !fits {
			c.add("BLK006", c.kindSpan(b), b.BlockKind, p.kind)
		}
	}
	if c.f.Format == ast.HS && c.pipes && p.kind == "file" {
		switch b.BlockKind {
		case "environment", "skybox", "light", "camera", "scene":
			c.add("LNT008", c.kindSpan(b), b.BlockKind, ".hs")
		}
	}
	switch b.BlockKind {
	case "state", "computed", "watch", "bind", "environment", "exports", "persist", "material", "physics", "metadata", "timeline", "params":
		if len(b.Body.Items) == 0 && c.f.Comments(b.Body) == nil && b.Head == nil {
			at := c.lines(b.At)
			c.add("LNT002", c.kindSpan(b), b.BlockKind).Fix("Remove it", int(at.Start), int(at.End), "")
		}
	}
}

// heading looks at the clauses of a heading.
func (c *checker) heading(b *ast.Block, p place) {
	h := b.Heading()
	for _, n := range h.Using {
		c.templateName(n)
	}
	for _, n := range h.Extends {
		switch {
		case b.BlockKind == "template":
			c.templateName(n)
		case b.BlockKind == "trait":
		case p.in == typed:
			c.typeName(n, nameOf(n))
		}
	}
	if p.in == typed {
		for _, n := range h.Implements {
			c.typeName(n, nameOf(n))
		}
	}
}

// nameOf is the text of a name.
func nameOf(n ast.Node) string {
	switch n := n.(type) {
	case *ast.Ident:
		return n.Name
	case *ast.Path:
		return n.Raw
	case *ast.String:
		return n.Value()
	case *ast.EnumWord:
		return n.Name
	}
	return ""
}

// judgeDirective looks at a line directive.
func (c *checker) judgeDirective(n *ast.LineDirective) {
	for _, d := range directives {
		if n.Name == d {
			return
		}
	}
	at := token.Span{Start: n.At.Start, End: n.At.Start + 1 + uint32(len(n.Name))}
	near, ok := trait.Nearest(n.Name, directives)
	if !ok {
		c.add("BLK008", at, n.Name, "")
		return
	}
	c.add("BLK008", at, n.Name, hint("#"+near)).Suggest("#"+near).Fix("Replace with '#"+near+"'", int(at.Start), int(at.End), "#"+near)
}

// judgeList looks at a list item without a colon.
func (c *checker) judgeList(n *ast.List, p place) {
	if n.ListKind == "traits" && len(n.HeadArgs) == 0 {
		c.listedTraits(n.Elements, p)
		return
	}
	q := p
	for _, e := range n.Elements.Elements {
		if b, ok := e.(*ast.Block); ok {
			c.judgeBlock(b, q, b.Is(ast.Broken))
			continue
		}
		c.value(e, q, nil)
	}
}
