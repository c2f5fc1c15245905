package check

import (
	"sort"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/token"
)

// stateKey finds the nearest owner that declares a key of the state.
func (c *checker) stateKey(o *owner, key string) (*owner, *Symbol) {
	for ; o != nil; o = o.parent {
		c.work++
		if s := o.state[key]; s != nil {
			return o, s
		}
		for _, t := range c.lineage(o) {
			c.work++
			if s := t.state[key]; s != nil {
				return o, s
			}
		}
	}
	return nil, nil
}

// ownState finds a key in an owner and its templates only.
func (c *checker) ownState(o *owner, key string) *Symbol {
	if s := o.state[key]; s != nil {
		return s
	}
	for _, t := range c.lineage(o) {
		c.work++
		if s := t.state[key]; s != nil {
			return s
		}
	}
	return nil
}

// foreign says whether an owner's state may come from another file.
func (c *checker) foreign(o *owner) bool {
	for ; o != nil; o = o.parent {
		c.work++
		for _, x := range append([]*owner{o}, c.lineage(o)...) {
			c.work++
			for _, u := range x.uses {
				if c.templates[nameOf(u)] == nil {
					return true
				}
			}
		}
	}
	return c.open
}

// statePath looks at state.k…, this.state.k and Node.state.k: keys are the
// segments behind state.
func (c *checker) statePath(n *ast.Path, keys []string, from uint32, o *owner, p place, base string) *Type {
	c.lastDeclared = false
	if len(keys) == 0 || o == nil {
		return nil
	}
	key := keys[0]
	at := c.after(n, from, key)
	var s *Symbol
	switch base {
	case "":
		_, s = c.stateKey(o, key)
	case "this", "self":
		for at := o; at != nil; at = at.parent {
			c.work++
			if at.block != nil && at.role() != cells {
				s = c.ownState(at, key)
				break
			}
		}
		if s == nil {
			_, s = c.stateKey(o, key)
		}
	default:
		s = c.ownState(o, key)
	}
	if s == nil {
		if base == "" || base == "this" || base == "self" {
			c.noState(at, key, p)
		} else {
			c.noStateOf(at, key, o)
		}
		return nil
	}
	c.refer(at, s)
	c.lastDeclared = s.declared
	t := s.typ
	end := at.End
	for _, name := range keys[1:] {
		here := c.after(n, end, name)
		end = here.End
		c.lastDeclared = false
		t = c.member(t, name, here, false)
	}
	return t
}

// stateRef looks at $key.
func (c *checker) stateRef(n *ast.StateRef, p place) *Type {
	key, _, _ := strings.Cut(n.Name, ".")
	at := token.Span{Start: n.At.Start + 1, End: n.At.Start + 1 + uint32(len(key))}
	c.lastDeclared = false
	if _, s := c.stateKey(p.o, key); s != nil {
		c.refer(at, s)
		c.lastDeclared = s.declared
		if key != n.Name {
			return nil
		}
		return s.typ
	}
	if s := c.known(key, p); s != nil {
		c.refer(at, s)
		return nil
	}
	if !p.data {
		c.noState(at, key, p)
	}
	return nil
}

// anyState says whether something around declares state at all.
func (c *checker) anyState(o *owner) bool {
	for ; o != nil; o = o.parent {
		c.work++
		if len(o.state) > 0 {
			return true
		}
	}
	return false
}

// noState reports a key that nothing around declares, once for each owner.
func (c *checker) noState(at token.Span, key string, p place) {
	if c.missing >= diag.MaxNotes || c.foreign(p.o) {
		return
	}
	var keys []string
	for o := p.o; o != nil && !c.helpless(); o = o.parent {
		c.work++
		keys = append(keys, keysFor(c, o.state)...)
	}
	c.reportState(at, key, keys, p.o, false)
}

// noStateOf reports a key that a named node does not have.
func (c *checker) noStateOf(at token.Span, key string, o *owner) {
	if c.foreign(o) || o.kind == nil {
		return
	}
	keys := keysFor(c, o.state)
	for _, t := range c.lineage(o) {
		c.work++
		keys = append(keys, keysFor(c, t.state)...)
	}
	c.reportState(at, key, keys, o, true)
}

// reportState reports a key and offers to declare it: around the owner, or at the
// owner itself when it was named.
func (c *checker) reportState(at token.Span, key string, keys []string, o *owner, named bool) {
	id := "state\x00" + key
	if o != nil && o.sym != nil {
		id += "\x00" + o.sym.Name
	}
	if c.undeclared[id] {
		return
	}
	c.undeclared[id] = true
	c.missing++
	near, ok := c.nearest(key, keys)
	if ok {
		replace(c.add("NAM007", at, key, hint(near)), at, near)
		return
	}
	f := c.add("NAM007", at, key, "")
	if named {
		c.declareAt(f, o, key)
		return
	}
	for b := o; b != nil; b = b.parent {
		c.work++
		if body := stateBody(b); body != nil {
			item := key + ": null"
			offset, text := c.insertion(body, item)
			f.Fix("Declare it", offset, offset, text)
			return
		}
	}
	for b := o; b != nil; b = b.parent {
		c.work++
		if b.block != nil && (b.parent.block == nil || b.parent.role() != root) {
			offset, text := c.insertion(b.body, "state { "+key+": null }")
			f.Fix("Declare it", offset, offset, strings.TrimSuffix(text, ","))
			return
		}
	}
	f.Fix("Declare it", 0, 0, "state { "+key+": null }\n")
}

// declareAt offers to declare a key at an owner, where its own state is or at the
// end of its body.
func (c *checker) declareAt(f *diag.Finding, o *owner, key string) {
	body, item := stateBody(o), key+": null"
	if body == nil && o.block != nil && o.block.Body != nil {
		body, item = o.block.Body, "state { "+key+": null }"
	}
	if body == nil || o.sym != nil && o.sym.File != c.f.Path() {
		return // a fix is of the file that is judged
	}
	offset, text := c.insertion(body, item)
	if item != key+": null" {
		text = strings.TrimSuffix(text, ",")
	}
	f.Fix("Declare it", offset, offset, text)
}

// stateBody is the body of an owner's state block.
func stateBody(o *owner) *ast.Body {
	for _, n := range o.body.Items {
		switch n := n.(type) {
		case *ast.Block:
			if n.BlockKind == "state" && n.Name == nil {
				return n.Body
			}
		case *ast.Property:
			if v, ok := n.Value.(*ast.Object); ok && n.Key.Name() == "state" {
				return &v.Body
			}
		}
	}
	return nil
}

func sorted(names []string) []string {
	sort.Strings(names)
	return names
}
