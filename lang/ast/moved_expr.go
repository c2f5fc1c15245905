package ast

func (n *Number) moved(m *mover) Node {
	c := m.numbers.New()
	*c = *n
	m.base(&c.Base)
	return c
}

func (n *String) moved(m *mover) Node {
	c := m.strings.New()
	*c = *n
	m.base(&c.Base)
	return c
}

func (n *Template) moved(m *mover) Node {
	c := new(Template)
	*c = *n
	m.base(&c.Base)
	c.Exprs = nodes(m, n.Exprs)
	return c
}

func (n *Bool) moved(m *mover) Node {
	c := m.bools.New()
	*c = *n
	m.base(&c.Base)
	return c
}

func (n *Null) moved(m *mover) Node {
	c := new(Null)
	*c = *n
	m.base(&c.Base)
	return c
}

func (n *Colour) moved(m *mover) Node {
	c := m.colours.New()
	*c = *n
	m.base(&c.Base)
	return c
}

func (n *Regex) moved(m *mover) Node {
	c := new(Regex)
	*c = *n
	m.base(&c.Base)
	return c
}

func (n *Ident) moved(m *mover) Node {
	c := m.idents.New()
	*c = *n
	m.base(&c.Base)
	return c
}

func (n *EnumWord) moved(m *mover) Node {
	c := new(EnumWord)
	*c = *n
	m.base(&c.Base)
	return c
}

func (n *AxisWord) moved(m *mover) Node {
	c := new(AxisWord)
	*c = *n
	m.base(&c.Base)
	return c
}

func (n *StateRef) moved(m *mover) Node {
	c := new(StateRef)
	*c = *n
	m.base(&c.Base)
	return c
}

func (n *NameRef) moved(m *mover) Node {
	c := new(NameRef)
	*c = *n
	m.base(&c.Base)
	c.X = m.node(n.X)
	return c
}

func (n *Path) moved(m *mover) Node {
	c := m.paths.New()
	*c = *n
	m.base(&c.Base)
	return c
}

func (n *Member) moved(m *mover) Node {
	c := new(Member)
	*c = *n
	m.base(&c.Base)
	c.X = m.node(n.X)
	return c
}

func (n *Index) moved(m *mover) Node {
	c := new(Index)
	*c = *n
	m.base(&c.Base)
	c.X = m.node(n.X)
	c.I = m.node(n.I)
	return c
}

func (n *Call) moved(m *mover) Node {
	c := new(Call)
	*c = *n
	m.base(&c.Base)
	c.Fn = m.node(n.Fn)
	c.Args = nodes(m, n.Args)
	return c
}

func (n *New) moved(m *mover) Node {
	c := new(New)
	*c = *n
	m.base(&c.Base)
	c.Type = m.node(n.Type)
	c.Args = nodes(m, n.Args)
	return c
}

func (n *Unary) moved(m *mover) Node {
	c := new(Unary)
	*c = *n
	m.base(&c.Base)
	c.X = m.node(n.X)
	return c
}

func (n *Binary) moved(m *mover) Node {
	c := new(Binary)
	*c = *n
	m.base(&c.Base)
	c.X = m.node(n.X)
	c.Y = m.node(n.Y)
	return c
}

func (n *Ternary) moved(m *mover) Node {
	c := new(Ternary)
	*c = *n
	m.base(&c.Base)
	c.Cond = m.node(n.Cond)
	c.Then = m.node(n.Then)
	c.Else = m.node(n.Else)
	return c
}

func (n *Arrow) moved(m *mover) Node {
	c := new(Arrow)
	*c = *n
	m.base(&c.Base)
	c.Params = nodes(m, n.Params)
	c.Result = m.node(n.Result)
	c.Body = m.node(n.Body)
	return c
}

func (n *FuncLit) moved(m *mover) Node {
	c := new(FuncLit)
	*c = *n
	m.base(&c.Base)
	c.Params = nodes(m, n.Params)
	c.Result = m.node(n.Result)
	c.Body = only(m, n.Body)
	return c
}

func (n *Array) moved(m *mover) Node {
	c := new(Array)
	*c = *n
	m.base(&c.Base)
	c.Elements = nodes(m, n.Elements)
	return c
}

func (n *Object) moved(m *mover) Node {
	c := new(Object)
	*c = *n
	m.base(&c.Base)
	m.bodyInto(&c.Body, &n.Body)
	return c
}

func (n *Cast) moved(m *mover) Node {
	c := new(Cast)
	*c = *n
	m.base(&c.Base)
	c.X = m.node(n.X)
	c.Type = m.node(n.Type)
	return c
}

func (n *AttrValue) moved(m *mover) Node {
	c := new(AttrValue)
	*c = *n
	m.base(&c.Base)
	c.Attr = only(m, n.Attr)
	return c
}

func (n *Spawn) moved(m *mover) Node {
	c := new(Spawn)
	*c = *n
	m.base(&c.Base)
	c.X = m.node(n.X)
	c.Place = m.node(n.Place)
	c.Body = only(m, n.Body)
	return c
}

func (n *Computed) moved(m *mover) Node {
	c := new(Computed)
	*c = *n
	m.base(&c.Base)
	c.Body = only(m, n.Body)
	return c
}

func (n *Match) moved(m *mover) Node {
	c := new(Match)
	*c = *n
	m.base(&c.Base)
	c.Subject = m.node(n.Subject)
	c.Arms = nodes(m, n.Arms)
	m.bodyInto(&c.Body, &n.Body)
	return c
}

func (n *MatchArm) moved(m *mover) Node {
	c := new(MatchArm)
	*c = *n
	m.base(&c.Base)
	c.Pattern = m.node(n.Pattern)
	c.Guard = m.node(n.Guard)
	c.Body = m.node(n.Body)
	return c
}

func (n *Constructor) moved(m *mover) Node {
	c := new(Constructor)
	*c = *n
	m.base(&c.Base)
	c.Body = only(m, n.Body)
	return c
}

func (n *Pipe) moved(m *mover) Node {
	c := new(Pipe)
	*c = *n
	m.base(&c.Base)
	c.X = m.node(n.X)
	c.Stages = nodes(m, n.Stages)
	return c
}

func (n *PipeStage) moved(m *mover) Node {
	c := new(PipeStage)
	*c = *n
	m.base(&c.Base)
	c.Operands = nodes(m, n.Operands)
	return c
}

func (n *Sequence) moved(m *mover) Node {
	c := new(Sequence)
	*c = *n
	m.base(&c.Base)
	c.List = nodes(m, n.List)
	return c
}

func (n *TypeName) moved(m *mover) Node {
	c := new(TypeName)
	*c = *n
	m.base(&c.Base)
	c.Args = nodes(m, n.Args)
	return c
}

func (n *Union) moved(m *mover) Node {
	c := new(Union)
	*c = *n
	m.base(&c.Base)
	c.Members = nodes(m, n.Members)
	return c
}

func (n *Intersection) moved(m *mover) Node {
	c := new(Intersection)
	*c = *n
	m.base(&c.Base)
	c.Members = nodes(m, n.Members)
	return c
}

func (n *ArrayOf) moved(m *mover) Node {
	c := new(ArrayOf)
	*c = *n
	m.base(&c.Base)
	c.Elem = m.node(n.Elem)
	return c
}

func (n *Nullable) moved(m *mover) Node {
	c := new(Nullable)
	*c = *n
	m.base(&c.Base)
	c.Elem = m.node(n.Elem)
	return c
}

func (n *ObjectType) moved(m *mover) Node {
	c := new(ObjectType)
	*c = *n
	m.base(&c.Base)
	c.Fields = nodes(m, n.Fields)
	return c
}

func (n *TypeField) moved(m *mover) Node {
	c := new(TypeField)
	*c = *n
	m.base(&c.Base)
	c.Key = only(m, n.Key)
	c.Type = m.node(n.Type)
	return c
}

func (n *FuncType) moved(m *mover) Node {
	c := new(FuncType)
	*c = *n
	m.base(&c.Base)
	c.Params = nodes(m, n.Params)
	c.Result = m.node(n.Result)
	return c
}

func (n *Tuple) moved(m *mover) Node {
	c := new(Tuple)
	*c = *n
	m.base(&c.Base)
	c.Members = nodes(m, n.Members)
	return c
}

func (n *LiteralType) moved(m *mover) Node {
	c := new(LiteralType)
	*c = *n
	m.base(&c.Base)
	c.X = m.node(n.X)
	return c
}

func (n *EnumType) moved(m *mover) Node {
	c := new(EnumType)
	*c = *n
	m.base(&c.Base)
	return c
}
