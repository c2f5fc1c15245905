package check

import (
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/token"
)

// known finds what a bare name means where it stands; nil when it means nothing.
func (c *checker) known(name string, p place) *Symbol {
	for l := p.locals; l != nil; l = l.outer {
		if s := l.names[name]; s != nil {
			return s
		}
	}
	for o := p.o; o != nil; o = o.parent {
		c.work++
		if s := o.names[name]; s != nil {
			return s
		}
		for _, t := range c.lineage(o) {
			c.work++
			if s := t.names[name]; s != nil {
				return s
			}
		}
		if o.settings[name] && o.sym != nil && p.fn != nil {
			return &Symbol{Name: name, Kind: Member, decl: o.sym.decl, At: o.sym.At, Full: o.sym.Full, File: o.sym.File, own: o}
		}
	}
	if s := c.types[name]; s != nil {
		return s
	}
	if t := c.templates[name]; t != nil {
		return t.sym
	}
	for _, o := range c.named[name] {
		return o.sym
	}
	return nil
}

// lineage are the templates that an owner uses, those that these use, and so
// on, each once and the nearest first.
func (c *checker) lineage(o *owner) []*owner {
	if len(o.uses) == 0 {
		return nil
	}
	if line, ok := c.lineages[o]; ok {
		return line
	}
	var out []*owner
	seen := map[*owner]bool{o: true}
	level := []*owner{o}
	for depth := 0; len(level) > 0 && depth <= MaxChain; depth++ {
		var below []*owner
		for _, l := range level {
			for _, u := range l.uses {
				c.work++
				if t := c.templates[nameOf(u)]; t != nil && !seen[t] {
					seen[t] = true
					below = append(below, t)
				}
			}
		}
		out = append(out, below...)
		level = below
	}
	c.lineages[o] = out
	return out
}

// ident looks at a name that must mean something.
func (c *checker) ident(n *ast.Ident, p place) *Type {
	if s := c.known(n.Name, p); s != nil {
		c.refer(n.At, s)
		return c.valueType(s)
	}
	if !standard[n.Name] && !p.data {
		c.undeclaredName(n.At, n.Name, p)
	}
	return nil
}

// undeclaredName reports a name that nothing declares, once a file.
func (c *checker) undeclaredName(at token.Span, name string, p place) {
	if c.undeclared[name] || c.open || p.in == stage || name == "" {
		return
	}
	if p.fn != nil && p.fn.name == "test" && testWords[name] || c.cellNames()[name] {
		return
	}
	c.undeclared[name] = true
	near, ok := c.nearest(name, c.visible(p))
	if !ok {
		c.add("NAM005", at, name, "")
		return
	}
	replace(c.add("NAM005", at, name, hint(near)), at, near)
}

// visible are the names that an expression may use.
func (c *checker) visible(p place) []string {
	if c.helpless() {
		return nil
	}
	var out []string
	for l := p.locals; l != nil; l = l.outer {
		for name := range l.names {
			out = append(out, name)
		}
	}
	for o := p.o; o != nil; o = o.parent {
		c.work++
		for name := range o.names {
			out = append(out, name)
		}
	}
	for name := range standard {
		out = append(out, name)
	}
	for name := range c.named {
		if isWord(name) {
			out = append(out, name)
		}
	}
	return out
}

// spawn looks at spawn T at p { … }.
func (c *checker) spawn(n *ast.Spawn, p place) {
	switch x := n.X.(type) {
	case *ast.Ident:
		if s := c.known(x.Name, p); s != nil {
			c.refer(x.At, s)
			break
		}
		c.templateName(x)
	case *ast.String:
		c.templateName(x)
	default:
		c.expr(x, p)
	}
	if n.Place != nil {
		c.value(n.Place, p, nil)
	}
	if n.Body != nil {
		for _, it := range n.Body.Items {
			if prop, ok := it.(*ast.Property); ok && prop.Type() == nil {
				c.value(prop.Value, p, nil)
			}
		}
	}
}

// nameRef looks at #{name}.
func (c *checker) nameRef(n *ast.NameRef, p place) {
	name := nameOf(n.X)
	if name == "" {
		c.expr(n.X, p)
		return
	}
	first, _, _ := strings.Cut(name, ".")
	if owners := c.named[first]; len(owners) > 0 {
		at := n.X.Span()
		at.End = min(at.End, at.Start+uint32(len(first)))
		c.refer(at, owners[0].sym)
		return
	}
	if c.known(first, p) != nil {
		return
	}
	c.noNode(n.X.Span(), first, diag.Error)
}
