package ast

func (n *VarDecl) moved(m *mover) Node {
	c := new(VarDecl)
	*c = *n
	m.base(&c.Base)
	c.Decls = nodes(m, n.Decls)
	return c
}

func (n *Declarator) moved(m *mover) Node {
	c := new(Declarator)
	*c = *n
	m.base(&c.Base)
	c.Pattern = m.node(n.Pattern)
	c.Type = m.node(n.Type)
	c.Value = m.node(n.Value)
	return c
}

func (n *If) moved(m *mover) Node {
	c := new(If)
	*c = *n
	m.base(&c.Base)
	c.Branches = nodes(m, n.Branches)
	c.Else = m.node(n.Else)
	return c
}

func (n *Branch) moved(m *mover) Node {
	c := new(Branch)
	*c = *n
	m.base(&c.Base)
	c.Cond = m.node(n.Cond)
	c.Body = m.node(n.Body)
	return c
}

func (n *For) moved(m *mover) Node {
	c := new(For)
	*c = *n
	m.base(&c.Base)
	c.Init = m.node(n.Init)
	c.Cond = m.node(n.Cond)
	c.Step = m.node(n.Step)
	c.Body = m.node(n.Body)
	return c
}

func (n *ForIn) moved(m *mover) Node {
	c := new(ForIn)
	*c = *n
	m.base(&c.Base)
	c.Pattern = m.node(n.Pattern)
	c.Subject = m.node(n.Subject)
	c.Body = m.node(n.Body)
	return c
}

func (n *While) moved(m *mover) Node {
	c := new(While)
	*c = *n
	m.base(&c.Base)
	c.Cond = m.node(n.Cond)
	c.Body = m.node(n.Body)
	return c
}

func (n *DoWhile) moved(m *mover) Node {
	c := new(DoWhile)
	*c = *n
	m.base(&c.Base)
	c.Body = only(m, n.Body)
	c.Cond = m.node(n.Cond)
	return c
}

func (n *Switch) moved(m *mover) Node {
	c := new(Switch)
	*c = *n
	m.base(&c.Base)
	c.Subject = m.node(n.Subject)
	c.Cases = nodes(m, n.Cases)
	m.bodyInto(&c.Body, &n.Body)
	return c
}

func (n *Case) moved(m *mover) Node {
	c := new(Case)
	*c = *n
	m.base(&c.Base)
	c.Values = nodes(m, n.Values)
	c.Body = only(m, n.Body)
	return c
}

func (n *Try) moved(m *mover) Node {
	c := new(Try)
	*c = *n
	m.base(&c.Base)
	c.Body = only(m, n.Body)
	c.Catch = only(m, n.Catch)
	c.Finally = only(m, n.Finally)
	return c
}

func (n *Return) moved(m *mover) Node {
	c := new(Return)
	*c = *n
	m.base(&c.Base)
	c.X = m.node(n.X)
	return c
}

func (n *Throw) moved(m *mover) Node {
	c := new(Throw)
	*c = *n
	m.base(&c.Base)
	c.X = m.node(n.X)
	return c
}

func (n *Emit) moved(m *mover) Node {
	c := new(Emit)
	*c = *n
	m.base(&c.Base)
	c.Args = nodes(m, n.Args)
	c.Body = only(m, n.Body)
	return c
}

func (n *Command) moved(m *mover) Node {
	c := new(Command)
	*c = *n
	m.base(&c.Base)
	c.Args = nodes(m, n.Args)
	return c
}

func (n *Assign) moved(m *mover) Node {
	c := new(Assign)
	*c = *n
	m.base(&c.Base)
	c.Target = m.node(n.Target)
	c.Value = m.node(n.Value)
	return c
}

func (n *ExprStmt) moved(m *mover) Node {
	c := new(ExprStmt)
	*c = *n
	m.base(&c.Base)
	c.X = m.node(n.X)
	return c
}

func (n *Transition) moved(m *mover) Node {
	c := new(Transition)
	*c = *n
	m.base(&c.Base)
	c.Target = m.node(n.Target)
	c.Calls = nodes(m, n.Calls)
	c.Options = only(m, n.Options)
	return c
}

func (n *Mapping) moved(m *mover) Node {
	c := new(Mapping)
	*c = *n
	m.base(&c.Base)
	c.From = m.node(n.From)
	c.To = m.node(n.To)
	c.Calls = nodes(m, n.Calls)
	c.Actions = nodes(m, n.Actions)
	c.Body = only(m, n.Body)
	return c
}

func (n *Rule) moved(m *mover) Node {
	c := new(Rule)
	*c = *n
	m.base(&c.Base)
	c.Subject = m.node(n.Subject)
	c.Checks = nodes(m, n.Checks)
	return c
}

func (n *Choice) moved(m *mover) Node {
	c := new(Choice)
	*c = *n
	m.base(&c.Base)
	c.Checks = nodes(m, n.Checks)
	return c
}

func (n *Check) moved(m *mover) Node {
	c := new(Check)
	*c = *n
	m.base(&c.Base)
	c.Args = nodes(m, n.Args)
	c.Literal = m.node(n.Literal)
	return c
}

func (n *Route) moved(m *mover) Node {
	c := new(Route)
	*c = *n
	m.base(&c.Base)
	c.When = m.node(n.When)
	c.Sink = m.node(n.Sink)
	return c
}

func (n *Wire) moved(m *mover) Node {
	c := new(Wire)
	*c = *n
	m.base(&c.Base)
	c.From = m.node(n.From)
	c.To = m.node(n.To)
	c.Args = nodes(m, n.Args)
	c.Assign = m.node(n.Assign)
	c.Label = m.node(n.Label)
	return c
}

func (n *Execute) moved(m *mover) Node {
	c := new(Execute)
	*c = *n
	m.base(&c.Base)
	c.Target = m.node(n.Target)
	c.Args = nodes(m, n.Args)
	c.Every = m.node(n.Every)
	c.After = m.node(n.After)
	return c
}

func (n *Break) moved(m *mover) Node {
	c := *n
	m.base(&c.Base)
	return &c
}

func (n *Continue) moved(m *mover) Node {
	c := *n
	m.base(&c.Base)
	return &c
}
