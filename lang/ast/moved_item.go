package ast

func (n *LineDirective) moved(m *mover) Node {
	c := new(LineDirective)
	*c = *n
	m.base(&c.Base)
	return c
}

func (n *CondBlock) moved(m *mover) Node {
	c := new(CondBlock)
	*c = *n
	m.base(&c.Base)
	c.Branches = nodes(m, n.Branches)
	c.Else = only(m, n.Else)
	return c
}

func (n *CondBranch) moved(m *mover) Node {
	c := new(CondBranch)
	*c = *n
	m.base(&c.Base)
	c.Cond = m.node(n.Cond)
	c.Body = only(m, n.Body)
	return c
}

func (n *Annotation) moved(m *mover) Node {
	c := new(Annotation)
	*c = *n
	m.base(&c.Base)
	c.Args = nodes(m, n.Args)
	return c
}

func (n *Attribute) moved(m *mover) Node {
	c := new(Attribute)
	*c = *n
	m.base(&c.Base)
	c.Positional = nodes(m, n.Positional)
	c.Config = only(m, n.Config)
	c.Value = m.node(n.Value)
	c.Body = only(m, n.Body)
	return c
}

func (n *Block) moved(m *mover) Node {
	c := new(Block)
	*c = *n
	m.base(&c.Base)
	c.Name = m.node(n.Name)
	c.Head = n.Head.moved(m)
	c.Body = only(m, n.Body)
	return c
}

func (n *Heading) moved(m *mover) *Heading {
	if n == nil {
		return nil
	}
	c := new(Heading)
	*c = *n
	c.Attrs = nodes(m, n.Attrs)
	c.Args = nodes(m, n.Args)
	c.Using = nodes(m, n.Using)
	c.Extends = nodes(m, n.Extends)
	c.Implements = nodes(m, n.Implements)
	c.From = m.node(n.From)
	c.Through = nodes(m, n.Through)
	c.Has = only(m, n.Has)
	c.Params = nodes(m, n.Params)
	c.Type = m.node(n.Type)
	c.Arrow = m.node(n.Arrow)
	c.ParamsAt = m.offset(n.ParamsAt)
	return c
}

func (n *Args) moved(m *mover) Node {
	c := new(Args)
	*c = *n
	m.base(&c.Base)
	c.Args = nodes(m, n.Args)
	return c
}

func (n *Selector) moved(m *mover) Node {
	c := new(Selector)
	*c = *n
	m.base(&c.Base)
	return c
}

func (n *List) moved(m *mover) Node {
	c := new(List)
	*c = *n
	m.base(&c.Base)
	c.HeadArgs = nodes(m, n.HeadArgs)
	c.Elements = only(m, n.Elements)
	return c
}

func (n *Property) moved(m *mover) Node {
	both := new(struct { // a key lives as long as its property
		property Property
		key      Key
	})
	c := &both.property
	*c = *n
	m.base(&c.Base)
	if c.Key != nil && c.Key.At.End > m.From {
		both.key = *n.Key
		m.base(&both.key.Base)
		both.key.Computed = m.node(n.Key.Computed)
		c.Key = &both.key
	}
	c.Value = m.node(n.Value)
	c.More = n.More.moved(m)
	return c
}

func (n *PropertyMore) moved(m *mover) *PropertyMore {
	if n == nil {
		return nil
	}
	c := new(PropertyMore)
	*c = *n
	c.Default = m.node(n.Default)
	c.Extra = nodes(m, n.Extra)
	return c
}

func (n *Extra) moved(m *mover) Node {
	c := new(Extra)
	*c = *n
	m.base(&c.Base)
	c.Value = m.node(n.Value)
	return c
}

func (n *TypedMember) moved(m *mover) Node {
	c := new(TypedMember)
	*c = *n
	m.base(&c.Base)
	c.Type = m.node(n.Type)
	c.Default = m.node(n.Default)
	return c
}

func (n *Override) moved(m *mover) Node {
	c := new(Override)
	*c = *n
	m.base(&c.Base)
	c.Path = m.node(n.Path)
	c.Value = m.node(n.Value)
	return c
}

func (n *Enumerator) moved(m *mover) Node {
	c := new(Enumerator)
	*c = *n
	m.base(&c.Base)
	c.Name = m.node(n.Name)
	c.Value = m.node(n.Value)
	return c
}

func (n *Spread) moved(m *mover) Node {
	c := new(Spread)
	*c = *n
	m.base(&c.Base)
	c.X = m.node(n.X)
	return c
}

func (n *Import) moved(m *mover) Node {
	c := new(Import)
	*c = *n
	m.base(&c.Base)
	c.Names = nodes(m, n.Names)
	c.Source = m.node(n.Source)
	return c
}

func (n *ImportName) moved(m *mover) Node {
	c := new(ImportName)
	*c = *n
	m.base(&c.Base)
	return c
}

func (n *Export) moved(m *mover) Node {
	c := new(Export)
	*c = *n
	m.base(&c.Base)
	c.Item = m.node(n.Item)
	c.Names = nodes(m, n.Names)
	c.Source = m.node(n.Source)
	return c
}

func (n *Func) moved(m *mover) Node {
	c := new(Func)
	*c = *n
	m.base(&c.Base)
	c.More = n.More.moved(m)
	c.Params = nodes(m, n.Params)
	c.Result = m.node(n.Result)
	c.Body = m.node(n.Body)
	return c
}

func (n *FuncMore) moved(m *mover) *FuncMore {
	if n == nil {
		return nil
	}
	c := new(FuncMore)
	*c = *n
	c.Effects = nodes(m, n.Effects)
	c.EventTarget = m.node(n.EventTarget)
	c.EventExpr = m.node(n.EventExpr)
	c.Label = m.node(n.Label)
	return c
}

func (n *Effect) moved(m *mover) Node {
	c := new(Effect)
	*c = *n
	m.base(&c.Base)
	return c
}

func (n *Param) moved(m *mover) Node {
	c := new(Param)
	*c = *n
	m.base(&c.Base)
	c.More = n.More.moved(m)
	return c
}

func (n *ParamMore) moved(m *mover) *ParamMore {
	if n == nil {
		return nil
	}
	c := new(ParamMore)
	*c = *n
	c.Pattern = m.node(n.Pattern)
	c.Type = m.node(n.Type)
	c.Default = m.node(n.Default)
	return c
}

func (n *ObjectPattern) moved(m *mover) Node {
	c := new(ObjectPattern)
	*c = *n
	m.base(&c.Base)
	c.Elements = nodes(m, n.Elements)
	return c
}

func (n *ArrayPattern) moved(m *mover) Node {
	c := new(ArrayPattern)
	*c = *n
	m.base(&c.Base)
	c.Elements = nodes(m, n.Elements)
	return c
}

func (n *PatternElement) moved(m *mover) Node {
	c := new(PatternElement)
	*c = *n
	m.base(&c.Base)
	c.Pattern = m.node(n.Pattern)
	c.Default = m.node(n.Default)
	return c
}

func (b *Body) moved(m *mover) Node {
	c := new(Body)
	m.bodyInto(c, b)
	return c
}

func (k *Key) moved(m *mover) Node {
	c := new(Key)
	*c = *k
	m.base(&c.Base)
	c.Computed = m.node(k.Computed)
	return c
}

func (b *Bad) moved(m *mover) Node {
	c := new(Bad)
	*c = *b
	m.base(&c.Base)
	c.First += int32(m.Tokens)
	c.Last += int32(m.Tokens)
	return c
}

func (f *File) moved(*mover) Node { return f }
