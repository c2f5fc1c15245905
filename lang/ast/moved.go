package ast

import (
	"slices"
	"sort"

	"github.com/meshd/meshd/lang/token"
)

// Change is what differs between a file and the one made from it by Changed: in
// one body, neighbouring items were read again.
type Change struct {
	// Stream is the new text.
	Stream *token.Stream
	// From is where the items begin that were read again, To where the old text is
	// as before, By how many bytes further on that is now and Tokens how many tokens.
	From, To   uint32
	By, Tokens int
	// Edit is what was replaced in the old text.
	Edit token.Edit
	// Body is the old body, Items from First up to Last are replaced by Items.
	Body        *Body
	First, Last int
	Items       []Node
}

// Fresh is an empty file for the parser to read the changed items into. Comments
// are attached where those of the replaced items were, so that places do not
// become more and more.
func (f *File) Fresh(c *Change) *File {
	out := &File{Stream: c.Stream, Format: f.Format}
	out.comments = make([]Comments, len(f.comments), len(f.comments)+8)
	for i, old := range f.comments {
		out.comments[i] = Comments{c.comments(old.Leading), c.comments(old.Trailing), c.comments(old.Inner)}
	}
	out.spare = slices.Clone(f.spare)
	for _, n := range c.Body.Items[c.First:c.Last] {
		out.release(n)
	}
	return out
}

// release takes the places of a node's comments back.
func (f *File) release(n Node) {
	drop := func(b *Base) {
		if b.note > 0 {
			f.comments[b.note-1] = Comments{}
			f.spare = append(f.spare, b.note)
		}
	}
	Walk(n, func(n Node) bool {
		drop(n.Common())
		switch n := n.(type) {
		case *Switch:
			drop(&n.Body.Base)
		case *Match:
			drop(&n.Body.Base)
		case *Attribute: // an empty configuration is no child
			if n.Config != nil && len(n.Config.Items) == 0 && n.Config.note == 0 {
				drop(&n.Config.Base)
			}
		}
		return true
	})
}

// comments are those of a list in the new text. A comment that the edit touched is
// one of an item that was read again.
func (c *Change) comments(old []token.Comment) []token.Comment {
	if len(old) == 0 {
		return nil
	}
	list := make([]token.Comment, 0, len(old))
	for _, one := range old {
		switch {
		case int(one.Start) >= c.Edit.End:
			one.Start += uint32(c.By)
			one.End += uint32(c.By)
		case int(one.End) > c.Edit.Start:
			return nil
		}
		list = append(list, one)
	}
	all := c.Stream.Comments
	i := sort.Search(len(all), func(i int) bool { return all[i].Start >= list[0].Start })
	if end := i + len(list); end <= len(all) && slices.Equal(all[i:end], list) {
		return all[i:end:end]
	}
	return list
}

// Changed fills a file that Fresh has made: the nodes before the change are those
// of f, the ones behind it copies with their new places, for the nodes of f are
// not changed. It says whether the place of every node is known; where it is not,
// the text has to be read whole. Body is the new body of the items.
func (f *File) Changed(out *File, c *Change) (body *Body, ok bool) {
	m := &mover{Change: c}
	out.Base, out.IsValueDocument = f.Base, f.IsValueDocument
	m.base(&out.Base)
	m.bodyInto(&out.Body, &f.Body)
	if m.lost || m.body == nil {
		return nil, false
	}
	return m.body, true
}

// mover copies what stands behind a change, and the nodes around it.
type mover struct {
	*Change
	lost bool
	body *Body // the new one

	// Only nodes without children share pieces of memory: a child of a node that is
	// no more would be kept as long as a neighbour of the node.
	numbers Slab[Number]
	strings Slab[String]
	bools   Slab[Bool]
	idents  Slab[Ident]
	paths   Slab[Path]
	colours Slab[Colour]
}

// offset is a place in the new text.
func (m *mover) offset(at uint32) uint32 {
	if at >= m.To {
		return at + uint32(m.By)
	}
	if at > m.From {
		m.lost = true
	}
	return at
}

// base moves the span of a copy: of a node behind the change, or around it.
func (m *mover) base(b *Base) {
	if b.At.End < m.To {
		m.lost = true
	}
	b.At = token.Span{Start: m.offset(b.At.Start), End: m.offset(b.At.End)}
}

// node is a node in the new text: itself before the change, else a copy.
func (m *mover) node(n Node) Node {
	if n == nil || n.Common().At.End <= m.From {
		return n
	}
	return n.moved(m)
}

// only is node for a field of one type.
func only[P interface {
	*T
	Node
}, T any](m *mover, n P) P {
	if n == nil || n.Common().At.End <= m.From {
		return n
	}
	return n.moved(m).(P)
}

// nodes are the nodes of a list, the list itself where all are before the change.
func nodes[N Node](m *mover, list []N) []N {
	for i, n := range list {
		if n.Common().At.End <= m.From {
			continue
		}
		out := make([]N, len(list))
		copy(out, list[:i])
		for j := i; j < len(list); j++ {
			if n := list[j]; n.Common().At.End <= m.From {
				out[j] = n
			} else {
				out[j] = n.moved(m).(N)
			}
		}
		return out
	}
	return list
}

// bodyInto is node for a body that is part of another node. The body of the change
// gets its new items here.
func (m *mover) bodyInto(c, n *Body) {
	*c = *n
	if n.At.End <= m.From && n != m.Body {
		return
	}
	m.base(&c.Base)
	if n != m.Body {
		c.Items = nodes(m, n.Items)
		return
	}
	m.body = c
	c.Items = make([]Node, 0, len(n.Items)+len(m.Items)-(m.Last-m.First))
	c.Items = append(c.Items, n.Items[:m.First]...)
	c.Items = append(c.Items, m.Items...)
	for _, one := range n.Items[m.Last:] {
		c.Items = append(c.Items, one.moved(m))
	}
	if len(c.Items) == 0 {
		c.Items = nil
	}
}
