package check

import (
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/token"
)

// members looks at a.b.c: the first name, and members where they are known.
func (c *checker) members(n *ast.Path, p place, strict bool) *Type {
	segments := n.Segments()
	at := token.Span{Start: n.At.Start, End: n.At.Start + uint32(len(segments[0]))}
	if c.f.Text()[at.Start] == '"' || c.f.Text()[at.Start] == '\'' || c.f.Text()[at.Start] == '(' {
		return nil
	}
	first := segments[0]
	switch first {
	case "state":
		if c.known(first, p) == nil {
			return c.statePath(n, segments[1:], at.End, p.o, p, "")
		}
	case "this", "self":
		if len(segments) > 2 && segments[1] == "state" {
			return c.statePath(n, segments[2:], at.End, p.o, p, first)
		}
		if len(segments) == 2 {
			for o := p.o; o != nil; o = o.parent {
				c.work++
				if s := o.names[segments[1]]; s != nil {
					c.refer(c.after(n, at.End, segments[1]), s)
					return s.typ
				}
				if o.block != nil {
					break
				}
			}
		}
		return nil
	}
	s := c.known(first, p)
	if s == nil {
		if (strict || p.fn != nil) && !standard[first] && !p.data {
			c.undeclaredName(at, first, p)
		}
		return nil
	}
	c.refer(at, s)
	t := c.valueType(s)
	end := at.End
	for i := 1; i < len(segments); i++ {
		name := segments[i]
		here := c.after(n, end, name)
		end = here.End
		if t == nil {
			return nil
		}
		if t.form == nodeType {
			if t.sym == nil || t.sym.own == nil {
				return nil
			}
			own := t.sym.own
			if name == "state" && i+1 < len(segments) {
				return c.statePath(n, segments[i+1:], end, own, p, own.name)
			}
			var next *Symbol
			if next = own.names[name]; next == nil {
				for _, child := range own.children {
					if child.name == name {
						next = child.sym
					}
				}
			}
			if next == nil {
				if i+2 < len(segments) && segments[i+1] == "state" && !c.open && len(own.uses) == 0 {
					c.undeclaredNode(here, own, name)
				}
				return nil
			}
			c.refer(here, next)
			t = c.valueType(next)
			continue
		}
		if words, ok := enumWords(typeSelf(s, i)); ok {
			for _, w := range words {
				if w == name {
					return typeSelf(s, i)
				}
			}
			c.noMember(here, typeSelf(s, i), s.Name, name, words)
			return nil
		}
		t = c.member(t, name, here, false)
	}
	return t
}

// undeclaredNode reports a path through a node that has no child of the name.
func (c *checker) undeclaredNode(at token.Span, own *owner, name string) {
	var known []string
	for _, child := range own.children {
		known = append(known, child.name)
	}
	if near, ok := c.nearest(name, known); ok {
		replace(c.addAs(diag.Warning, "NAM006", at, own.name+"."+name, hint(near)), at, near)
		return
	}
	c.addAs(diag.Warning, "NAM006", at, own.name+"."+name, "")
}

// typeSelf is the type that a declaration is, when the path is at its first member.
func typeSelf(s *Symbol, i int) *Type {
	if s.Kind != TypeDecl || i != 1 {
		return nil
	}
	if s.typ == nil {
		s.typ = &Type{form: namedType, name: s.Name, sym: s}
	}
	return s.typ
}

// after finds a segment of a path behind an offset.
func (c *checker) after(n ast.Node, from uint32, name string) token.Span {
	return c.wordIn(token.Span{Start: from, End: n.Span().End}, name, 0)
}

// member is the type of a member, reported when the type is known not to have it.
func (c *checker) member(t *Type, name string, at token.Span, optional bool) *Type {
	t = c.look(t)
	if t == nil {
		return nil
	}
	if t.form == unionType {
		return nil
	}
	if t.form == objectType && !t.unwidens || t.form == namedType {
		var known []string
		for _, f := range c.fieldsOf(t) {
			if f.name == name {
				return f.typ
			}
			known = append(known, f.name)
		}
		if t.form == namedType && c.closed(t) {
			c.noMember(at, t, t.String(), name, known)
		}
		return nil
	}
	switch t.form {
	case listType, tupleType:
		if name == "length" {
			return numberT
		}
	case textType:
		if name == "length" {
			return numberT
		}
	case vectorType:
		if len(name) == 1 && strings.Contains("xyzw", name) {
			return numberT
		}
	}
	return nil
}

func (c *checker) noMember(at token.Span, of *Type, typ, name string, known []string) {
	near, ok := c.nearest(name, known)
	slot := ""
	if ok {
		slot = hint(near)
	}
	f := c.addAs(c.enforced(true, of), "TYP009", at, typ, name, slot)
	if ok {
		replace(f, at, near)
	}
}
