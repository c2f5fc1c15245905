package check

import (
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/token"
	"github.com/meshd/meshd/lang/trait"
)

// SymbolKind says what a declaration declares.
type SymbolKind uint8

// The kinds of declarations.
const (
	Node SymbolKind = iota // a named block with a place, or any other named block
	Template
	Module
	Function
	State
	Computed
	Variable
	Parameter
	TypeDecl
	Member
	Imported
	Stage
)

var symbolKinds = [...]string{"node", "template", "module", "function", "state", "computed", "variable", "parameter", "type", "member", "import", "stage"}

// String is the name of the kind.
func (k SymbolKind) String() string { return symbolKinds[k] }

// Symbol is a declaration.
type Symbol struct {
	Name string
	Kind SymbolKind
	// At is the name, Full the whole declaration, in the file File.
	At, Full token.Span
	File     string
	// Detail is one line that says what it is.
	Detail string
	// Parent is the declaration around it, nil at the top.
	Parent *Symbol
	// Quoted says that the name stands in quotes.
	Quoted bool

	typ      *Type
	declared bool // has a type of its own, not one inferred
	decl     ast.Node
	own      *owner // of a block
}

// Type is what a value of the declaration is, as a source spells it.
func (s *Symbol) Type() string { return s.typ.String() }

// owner is a body with its own names: the file, or a block.
type owner struct {
	parent *owner
	block  *ast.Block // nil for the file
	kind   *kind      // nil for one that nobody knows
	name   string
	sym    *Symbol
	body   *ast.Body

	state    map[string]*Symbol
	names    map[string]*Symbol // functions, computed values, members, variables
	settings map[string]bool    // keys of its properties
	children []*owner
	raises   map[string]bool
	raisesIt bool // raises an event whose name is not known
	attrs    []*ast.Attribute
	uses     []ast.Node // of using and extends
}

func (o *owner) role() role {
	if o.kind == nil {
		return data
	}
	return o.kind.role
}

func (o *owner) is(kind string) bool {
	return o.block != nil && o.block.BlockKind == kind
}

func (o *owner) declare(s *Symbol) { o.names[s.Name] = s }

func newOwner(parent *owner, b *ast.Block, body *ast.Body) *owner {
	o := &owner{parent: parent, block: b, body: body, state: map[string]*Symbol{}, names: map[string]*Symbol{}, settings: map[string]bool{}}
	if parent != nil {
		parent.children = append(parent.children, o)
	}
	return o
}

// symbol records a declaration of this file.
func (c *checker) symbol(o *owner, kind SymbolKind, name string, at token.Span, decl ast.Node, detail string) *Symbol {
	s := &Symbol{Name: name, Kind: kind, At: at, Full: decl.Span(), File: c.f.Path(), Detail: detail, decl: decl}
	if o != nil {
		s.Parent = o.sym
	}
	if at.End > at.Start {
		if q := c.f.Text()[at.Start]; q == '"' || q == '\'' {
			s.Quoted = true
		}
	}
	if len(c.symbols) < MaxSymbols {
		c.symbols = append(c.symbols, s)
	}
	return s
}

// refer records that a name means a declaration.
func (c *checker) refer(at token.Span, s *Symbol) {
	if s != nil && len(c.refs) < MaxSymbols {
		c.refs = append(c.refs, Reference{at, s})
	}
}

// declareFile finds every declaration.
func (c *checker) declareFile() {
	c.top = newOwner(nil, nil, &c.f.Body)
	c.owners[&c.f.Body] = c.top
	if !c.f.IsValueDocument {
		c.declareItems(c.f.Items(), c.top)
	}
}

// gatherFile finds every event raised and every name used.
func (c *checker) gatherFile() {
	for _, n := range c.f.Items() {
		c.gather(n, c.top)
	}
}

func (c *checker) declareItems(items []ast.Node, o *owner) {
	for _, n := range items {
		c.declare(n, o)
	}
}

func (c *checker) declare(n ast.Node, o *owner) {
	switch n := n.(type) {
	case *ast.Block:
		c.declareBlock(n, o)
	case *ast.Property:
		c.declareProperty(n, o)
	case *ast.TypedMember:
		kind := Variable
		if slices.Contains(n.Words, "state") {
			kind = State
		}
		at := c.wordIn(n.At, n.Name, len(n.Words))
		s := c.symbol(o, kind, n.Name, at, n, strings.Join(n.Words, " ")+" "+n.Name)
		if kind == State {
			o.state[n.Name] = s
		}
		c.declareOnce(o, s)
	case *ast.Func:
		if n.FuncKind != ast.Handler && n.Name != "" {
			at := c.wordIn(n.At, n.Name, 0)
			s := c.symbol(o, Function, n.Name, at, n, c.signature(n))
			c.declareOnce(o, s)
		}
	case *ast.VarDecl:
		for _, d := range n.Decls {
			if d.Name != "" {
				at := token.Span{Start: d.At.Start, End: d.At.Start + uint32(len(d.Name))}
				c.declareOnce(o, c.symbol(o, Variable, d.Name, at, d, n.Word+" "+d.Name))
			}
		}
	case *ast.Command:
		if name, _, ok := alias(n); ok {
			c.declareType(c.symbol(o, TypeDecl, name.Name, name.At, n, "type "+name.Name))
		} else if name, _, ok := ast.ConstantOf(n); ok { // define limit = 3
			at := n.Args[0].Span()
			at.End = at.Start + uint32(len(name))
			c.declareOnce(o, c.symbol(o, Variable, name, at, n, n.Verb+" "+name))
		}
	case *ast.Export:
		if n.Item != nil {
			c.declare(n.Item, o)
		}
		c.export(n)
	case *ast.Import:
		c.imported = append(c.imported, n)
	case *ast.CondBlock:
		for _, b := range n.Branches {
			if b.Body != nil {
				c.declareItems(b.Body.Items, o)
			}
		}
		if n.Else != nil {
			c.declareItems(n.Else.Items, o)
		}
	case *ast.Attribute:
		switch {
		case n.Control() != "" && n.Body != nil:
			c.declareItems(n.Body.Items, o)
		case n.Name == "import":
			if im, ok := n.Value.(*ast.Import); ok {
				c.imported = append(c.imported, im)
			}
		case n.Name == "export" && n.Value != nil:
			c.declare(n.Value, o)
		case n.Name == "state" && n.Config != nil:
			c.declareState(n.Config, o)
		default:
			o.attrs = append(o.attrs, n)
		}
	}
}

// declareOnce gives an owner a name, or reports that it has it.
func (c *checker) declareOnce(o *owner, s *Symbol) {
	if before := o.names[s.Name]; before != nil && !accessorPair(before.decl, s.decl) && before.Kind == s.Kind && o.role() != data {
		c.add("NAM002", s.At, s.Name).Related("Declared here.", int(before.At.Start), int(before.At.End))
		return
	}
	o.declare(s)
}

func accessorPair(a, b ast.Node) bool {
	f, ok := a.(*ast.Func)
	g, also := b.(*ast.Func)
	if !ok || !also {
		return false
	}
	return f.FuncKind == ast.Getter && g.FuncKind == ast.Setter || f.FuncKind == ast.Setter && g.FuncKind == ast.Getter || f.Body == nil || g.Body == nil
}

func (c *checker) declareBlock(b *ast.Block, o *owner) {
	k := words().byName[b.BlockKind]
	name := b.NameText()
	switch b.BlockKind {
	case "state":
		if name == "" {
			c.declareState(b.Body, o)
			return
		}
	case "computed", "props", "params":
		c.declareCells(b, o)
		return
	case "children", "entities", "templates", "objects", "nodes":
		if name == "" {
			c.declareItems(b.Body.Items, o)
			c.owners[b.Body] = o
			return
		}
	}
	child := newOwner(o, b, b.Body)
	child.kind, child.name = k, name
	c.owners[b.Body] = child
	h := b.Heading()
	child.attrs = append(child.attrs, h.Attrs...)
	child.uses = h.Using
	at := c.kindSpan(b)
	if b.Name != nil {
		at = b.Name.Span()
	}
	if name != "" {
		kind := Node
		switch {
		case b.BlockKind == "template":
			kind = Template
		case b.BlockKind == "module":
			kind = Module
		case k != nil && k.role == typed:
			kind = TypeDecl
		case k != nil && k.role == stage:
			kind = Stage
		}
		child.sym = c.symbol(o, kind, name, at, b, strings.TrimSpace(b.BlockKind+" "+name))
		child.sym.own = child
		c.named[name] = append(c.named[name], child)
		switch kind {
		case Template:
			c.declareTemplate(child)
		case TypeDecl:
			c.declareType(child.sym)
		}
	} else {
		child.sym = o.sym
	}
	if h.Using == nil && b.BlockKind == "template" {
		child.uses = h.Extends
	}
	for _, p := range h.Params {
		if p.Name != "" {
			child.declare(c.symbol(child, Parameter, p.Name, token.Span{Start: p.At.Start, End: p.At.Start + uint32(len(p.Name))}, p, p.Name))
		}
	}
	if k != nil && (k.role == nameList || k.role == data || b.BlockKind == "enum") {
		return
	}
	c.declareItems(b.Body.Items, child)
}

func (c *checker) declareTemplate(o *owner) {
	if before := c.templates[o.name]; before != nil {
		c.add("NAM002", o.sym.At, o.name).Related("Declared here.", int(before.sym.At.Start), int(before.sym.At.End))
		return
	}
	c.templates[o.name] = o
}

func (c *checker) declareType(s *Symbol) {
	if before := c.types[s.Name]; before != nil {
		c.add("NAM002", s.At, s.Name).Related("Declared here.", int(before.At.Start), int(before.At.End))
		return
	}
	c.types[s.Name] = s
}

// declareState takes the keys of a state block.
func (c *checker) declareState(body *ast.Body, o *owner) {
	for _, n := range body.Items {
		switch n := n.(type) {
		case *ast.Property:
			if name := n.Key.Name(); name != "" {
				o.state[name] = c.symbol(o, State, name, n.Key.At, n, "state "+name)
			}
		case *ast.TypedMember:
			o.state[n.Name] = c.symbol(o, State, n.Name, c.wordIn(n.At, n.Name, len(n.Words)), n, "state "+n.Name)
		case *ast.Assign:
			if id, ok := n.Target.(*ast.Ident); ok {
				o.state[id.Name] = c.symbol(o, State, id.Name, id.At, n, "state "+id.Name)
			}
		case *ast.Command: // state { a b }
		}
	}
}

// declareCells takes the keys of computed, props and params.
func (c *checker) declareCells(b *ast.Block, o *owner) {
	kind := Computed
	if b.BlockKind != "computed" {
		kind = Variable
	}
	for _, n := range b.Body.Items {
		switch n := n.(type) {
		case *ast.Property:
			if name := n.Key.Name(); name != "" {
				o.declare(c.symbol(o, kind, name, n.Key.At, n, b.BlockKind+" "+name))
			}
		case *ast.Func:
			o.declare(c.symbol(o, kind, n.Name, c.wordIn(n.At, n.Name, 0), n, b.BlockKind+" "+n.Name))
		case *ast.TypedMember:
			o.declare(c.symbol(o, kind, n.Name, c.wordIn(n.At, n.Name, len(n.Words)), n, b.BlockKind+" "+n.Name))
		}
	}
}

func (c *checker) declareProperty(p *ast.Property, o *owner) {
	name := p.Key.Name()
	switch v := p.Value.(type) {
	case *ast.Array:
		if name == "children" || name == "entities" || name == "objects" || name == "nodes" {
			c.declareItems(v.Elements, o)
			return
		}
	case *ast.Object:
		switch name {
		case "state":
			c.declareState(&v.Body, o)
			return
		case "computed":
			for _, n := range v.Body.Items {
				if q, ok := n.(*ast.Property); ok && q.Key.Name() != "" {
					o.declare(c.symbol(o, Computed, q.Key.Name(), q.Key.At, q, "computed "+q.Key.Name()))
				}
			}
			return
		}
	}
	if name == "" {
		return
	}
	o.settings[name] = true
	if o.role() == typed {
		s := c.symbol(o, Member, name, p.Key.At, p, name)
		if o.names[name] != nil {
			c.add("NAM002", p.Key.At, name)
			return
		}
		o.declare(s)
	}
}

// gather walks the whole tree once: which names are used, which events are
// raised by whom.
func (c *checker) gather(n ast.Node, o *owner) {
	switch n := n.(type) {
	case *ast.Body:
		if inner := c.owners[n]; inner != nil {
			o = inner
		}
	case *ast.Ident:
		c.mentions[n.Name] = true
	case *ast.EnumWord:
		c.mentions[n.Name] = true
	case *ast.Path:
		for _, s := range n.Segments() {
			c.mentions[strings.TrimSuffix(s, "[]")] = true
		}
	case *ast.Member:
		c.mentions[n.Name] = true
	case *ast.StateRef:
		c.mentions[n.Name] = true
	case *ast.TypeName:
		for _, s := range strings.FieldsFunc(n.Path, func(r rune) bool { return r == '.' || r == ':' }) {
			c.mentions[s] = true
		}
	case *ast.Constructor:
		c.mentions[n.Name] = true
	case *ast.Command:
		if _, value, ok := ast.ConstantOf(n); ok {
			c.gather(value, o)
			return
		}
		c.mentions[n.Verb] = true
		if n.Verb == "broadcast" && len(n.Args) > 0 {
			c.broadcast = true
			c.raise(n.Args[0], o)
		}
	case *ast.ImportName:
		return // a declaration, or the name of an export, which counts by itself
	case *ast.Export:
		for _, m := range n.Names {
			c.mentions[m.Name] = true
		}
	case *ast.String:
		value := n.Value()
		if len(value) <= trait.MaxName {
			c.mentions[value] = true
		}
		c.textNames(value)
	case *ast.Bad:
		for _, t := range n.Tokens(c.f) {
			if t.Kind == token.Ident {
				c.mentions[c.f.Text()[t.Start:t.End]] = true
			}
		}
	case *ast.Emit:
		if len(n.Args) > 0 {
			c.raise(n.Args[0], o)
		}
	case *ast.Call:
		if name := lastName(n.Fn); (name == "emit" || name == "transition" || name == "broadcast") && len(n.Args) > 0 {
			if name == "broadcast" {
				c.broadcast = true
			}
			c.raise(n.Args[0], o)
		}
	case *ast.AttrValue: // option "Buy" -> @emit("bought")
		if n.Attr != nil && n.Attr.Name == "emit" && len(n.Attr.Positional) > 0 {
			c.raise(n.Attr.Positional[0], o)
		}
	case *ast.Block:
		switch n.BlockKind {
		case "dialogue", "dialog":
			if c.dialogues == nil {
				c.dialogues = map[string]bool{}
			}
			c.dialogues[n.NameText()] = true
		case "watch", "persist", "bind", "exports":
			for _, it := range n.Body.Items {
				if p, ok := it.(*ast.Property); ok {
					for _, part := range p.Key.Parts() {
						c.mentions[part] = true
					}
				}
			}
			for _, name := range n.Names() {
				c.mentions[name] = true
			}
		}
	}
	ast.Children(n, func(child ast.Node) { c.gather(child, o) })
}

// textNames counts the words in the ${ } of a text.
func (c *checker) textNames(value string) {
	for {
		i := strings.Index(value, "${")
		if i < 0 {
			return
		}
		value = value[i+2:]
		end := strings.IndexByte(value, '}')
		if end < 0 {
			return
		}
		for _, w := range strings.FieldsFunc(value[:end], func(r rune) bool {
			return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
		}) {
			c.mentions[w] = true
		}
		value = value[end:]
	}
}

// raise notes the event of an emit.
func (c *checker) raise(name ast.Node, o *owner) {
	text := ""
	switch n := name.(type) {
	case *ast.String:
		text = n.Value()
	case *ast.Ident:
		text = n.Name
	case *ast.EnumWord:
		text = n.Name
	}
	for at := o; at != nil; at = at.parent {
		c.work++
		if text == "" {
			at.raisesIt = true
		} else {
			if at.raises == nil {
				at.raises = map[string]bool{}
			}
			at.raises[eventName(text)] = true
		}
	}
	if text != "" {
		c.raised[eventName(text)] = true
	}
}

// eventName is the normal name of an event: hover_enter for "hover enter" and
// onHoverEnter.
func eventName(text string) string { return token.EventName(text) }

// lastName is the last word of a name or path.
func lastName(n ast.Node) string {
	switch n := n.(type) {
	case *ast.Ident:
		return n.Name
	case *ast.Path:
		s := n.Segments()
		return s[len(s)-1]
	case *ast.Member:
		return n.Name
	}
	return ""
}
