package parse

import (
	"slices"
	"sort"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/token"
)

// Edit is what Read says of the text after an edit, by way of the reading of the
// text before it. When the edit lies inside of items that begin and end at lines,
// as most do, these alone are read again, the innermost that will do; what stands
// before them is shared with r, what stands behind them is copied to its new place.
// The text is read whole where it cannot be known that all else stays as it was:
// when brackets, texts or comments do not end where they did, and when what stands
// around the items has a part in how they are read. Either way the result is that
// of Read. It does not keep the texts before it alive.
func (r *Reading) Edit(e token.Edit) *Reading {
	e.Start = max(0, min(e.Start, len(r.File.Text())))
	e.End = max(e.Start, min(e.End, len(r.File.Text())))
	src := r.File.Stream.Source.Edited(e)
	if out := r.editSafely(src, e); out != nil {
		return out
	}
	return readSafely(src, r.File.Format)
}

// editSafely is edit with a net: a fault is for a whole reading to report.
func (r *Reading) editSafely(src *token.Source, e token.Edit) (out *Reading) {
	defer func() {
		if recover() != nil {
			out = nil
		}
	}()
	return r.edit(src, e)
}

// Tries of a part of a text, and the share of its tokens that a part may have where
// these are not few, so that what does not succeed costs less than a whole reading.
const (
	maxTries  = 6
	maxShare  = 2
	fewTokens = 2000
)

// edit is Edit where a part is enough, else nil.
func (r *Reading) edit(src *token.Source, e token.Edit) *Reading {
	if r.deep || len(r.Found) > 0 && r.Found[len(r.Found)-1].Code == diag.LIM009 {
		return nil
	}
	bodies := r.bodiesAt(e)
	tries := 0
	for i := len(bodies) - 1; i >= 0; i-- {
		items := bodies[i].Items
		first := sort.Search(len(items), func(j int) bool { return int(items[j].Span().Start) > e.Start }) - 1
		for ; first >= 0 && tries < maxTries; first-- {
			part := r.part(bodies[i], first, e)
			if part == nil {
				continue
			}
			if all := len(r.File.Stream.Tokens); all > fewTokens && maxShare*(part.to-part.from) > all {
				return nil
			}
			tries++
			out, more := part.read(src, e)
			for more && tries < maxTries && part.extend(e) {
				tries++
				out, more = part.read(src, e)
			}
			if out != nil {
				return out
			}
			if !part.changed {
				break
			}
		}
	}
	return nil
}

// bodiesAt are the bodies around an edit from the file's down, of those whose items
// can be read alone.
func (r *Reading) bodiesAt(e token.Edit) []*ast.Body {
	out := []*ast.Body{&r.File.Body}
	var n ast.Node = r.File
	for n != nil {
		var next ast.Node
		ast.Children(n, func(c ast.Node) {
			if at := c.Span(); int(at.Start) < e.Start && e.End < int(at.End) {
				next = c
			}
		})
		if b, ok := next.(*ast.Body); ok && b.Depth > 0 {
			out = append(out, b)
		}
		n = next
	}
	return out
}

// part is neighbouring items of a body that are read again.
type part struct {
	r           *Reading
	body        *ast.Body
	first, last int // the items, last exclusive
	from, to    int // their tokens
	// changed says that an item before the part might be read in another way,
	// because the part begins with another token.
	changed bool
}

// part is the part that begins with an item; nil when it cannot begin there.
func (r *Reading) part(body *ast.Body, first int, e token.Edit) *part {
	p := &part{r: r, body: body, first: first, last: first}
	from, ok := p.begins(first)
	if !ok || first > 0 && body.Items[first-1].HasError() {
		return nil
	}
	p.from = from
	if !p.extend(e) {
		return nil
	}
	return p
}

// peeked says whether what stands before the part was read with a look at more of
// it than its first token.
func (t *part) peeked() bool {
	return slices.ContainsFunc(t.r.peeks, func(k peek) bool {
		return int(k.at) <= t.from && int(k.from) < t.to && int(k.to) > t.from
	})
}

// begins finds the first token of an item and says whether a part may begin or end
// before it.
func (t *part) begins(i int) (first int, ok bool) {
	n := t.body.Items[i]
	s := t.r.File.Stream
	first = tokenFrom(s, n.Span().Start)
	at := s.Tokens[first]
	if !n.Common().Is(ast.Begins) || at.Start != n.Span().Start || at.Flags&token.NewlineBefore == 0 {
		return 0, false
	}
	text := s.Text(first)
	return first, text != "@else" && text != "@elif" // these look at the item before them
}

// tokenFrom is the first token that does not begin before an offset.
func tokenFrom(s *token.Stream, offset uint32) int {
	return sort.Search(len(s.Tokens)-1, func(i int) bool { return s.Tokens[i].Start >= offset })
}

// extend takes items to the part until a line begins behind the edit, at least one.
// It says whether there is such a place.
func (t *part) extend(e token.Edit) bool {
	s := t.r.File.Stream
	items := t.body.Items
	for t.last < len(items) {
		t.last++
		if t.last == len(items) {
			if t.body == &t.r.File.Body {
				t.to = len(s.Tokens) - 1
			} else {
				t.to = tokenFrom(s, t.body.At.End-1)
			}
			return t.to == len(s.Tokens)-1 || t.ends(e)
		}
		if next := items[t.last]; int(next.Span().Start) > e.End && !next.HasError() {
			var ok bool
			if t.to, ok = t.begins(t.last); ok && t.ends(e) {
				return true
			}
		}
	}
	return false
}

// ends says whether the line of the token behind the part is behind the edit, and
// nothing was found on it.
func (t *part) ends(e token.Edit) bool {
	src := t.r.File.Stream.Source
	at := int(t.r.File.Stream.Tokens[t.to].Start)
	if at <= e.End || src.LineStart(at) <= e.End {
		return false
	}
	line, _ := src.Position(at)
	i := sort.Search(len(t.r.Found), func(i int) bool { return t.r.Found[i].Offset >= at })
	return i == len(t.r.Found) || t.r.Found[i].Line > line
}

// read reads the part again and makes the new file. It gives nil where that is not
// enough; more says that it would be with one more item.
func (t *part) read(src *token.Source, e token.Edit) (out *Reading, more bool) {
	if t.peeked() {
		return nil, false
	}
	old := t.r.File
	bag := diag.NewBag(src.Path, src)
	stream := old.Stream.Splice(src, e, t.from, t.to, bag)
	if stream == nil {
		return nil, true
	}
	behind := len(stream.Tokens) - len(old.Stream.Tokens)
	stop := t.to + behind
	if stop <= t.from {
		t.changed = true
		return nil, false
	}
	if !alike(old.Stream, stream, t.from) {
		t.changed = true
		return nil, false
	}
	c := &ast.Change{
		Stream: stream, From: stream.Tokens[t.from].Start, To: old.Stream.Tokens[t.to].Start, By: e.By(), Tokens: behind, Edit: e,
		Body: t.body, First: t.first, Last: t.last,
	}
	p := newParser(stream, bag)
	p.file = old.Fresh(c)
	p.file.Doc = p.doc()
	p.again(t, stop)
	if p.pos != stop || p.deep {
		return nil, p.pos > stop
	}
	c.Items = p.list(0)
	for _, n := range c.Items {
		markDamage(n)
	}
	body, ok := old.Changed(p.file, c)
	if !ok {
		return nil, false
	}
	if !t.tail(p, body, c) {
		return nil, true
	}
	if !t.damage(p.file, c) {
		return nil, false
	}
	out = &Reading{File: p.file, looks: p.looks, peeks: t.peeks(p, stop, behind)}
	if out.Found, ok = t.found(bag, src, c); !ok {
		return nil, true
	}
	return out, false
}

// alike says whether token i is the same to whoever only looks at it.
func alike(a, b *token.Stream, i int) bool {
	x, y := a.Tokens[i], b.Tokens[i]
	if x.Kind != y.Kind || x.Word != y.Word || x.Flags != y.Flags || x.Start != y.Start {
		return false
	}
	switch x.Kind {
	case token.Ident, token.StateRef, token.Number, token.String, token.Colour:
		return true
	}
	return a.Text(i) == b.Text(i)
}

// again reads the items of a part up to token stop.
func (p *parser) again(t *part, stop int) {
	body := t.body
	p.limit = p.eof
	if body.Depth > 0 {
		brace := tokenFrom(p.stream, body.At.Start)
		p.limit = p.close(brace)
	}
	p.depth = int(body.Depth)
	p.rule = anyItem
	p.pos, p.near = t.from, t.from
	p.srcAt = int(p.toks[t.from].Start)
	end := p.toks[stop].Start
	p.src = string([]byte(p.stream.Source.Text[p.srcAt:end]))
	p.noted = commentFrom(p.stream, p.toks[t.from].Start)
	if c := t.r.File.Comments(body.Items[t.first]); c != nil {
		p.noted -= len(c.Leading)
	}
	limit := p.limit
	for p.separators(); p.pos < stop && !p.deep; p.separators() {
		p.round(anyItem, limit)
	}
	p.peek()
}

func commentFrom(s *token.Stream, offset uint32) int {
	return sort.Search(len(s.Comments), func(i int) bool { return s.Comments[i].Start >= offset })
}

// tail settles the comments between a part and what is behind it: those of the next
// item must be its own as before, those at the end of the body are given to it.
func (t *part) tail(p *parser, body *ast.Body, c *ast.Change) bool {
	if t.last == len(t.body.Items) {
		p.file.Attach(body).Inner = nil
		p.inner(body, p.pos)
		return true
	}
	var lead []token.Comment
	if own := p.file.Comments(t.body.Items[t.last]); own != nil {
		lead = own.Leading
	}
	if was := t.r.File.Comments(t.body.Items[t.last]); was != nil && len(was.Leading) != len(lead) { // its first one says whether an empty line is before it
		return false
	}
	end := commentFrom(p.stream, p.toks[p.pos].Start)
	if !slices.Equal(lead, p.stream.Comments[p.noted:end]) {
		return false
	}
	return len(lead) == 0 || int(lead[0].Start) >= c.Edit.Start+len(c.Edit.Text)
}

// damage brings HasError of the nodes around a part to what it is now. It says
// whether it could: nodes that were read along with one of them share it.
func (t *part) damage(f *ast.File, c *ast.Change) bool {
	damaged := func(list []ast.Node) bool { return slices.ContainsFunc(list, ast.Node.HasError) }
	if damaged(t.body.Items[t.first:t.last]) == damaged(c.Items) {
		return true
	}
	around := func(n ast.Node) bool { return n.Span().Start < c.From && n.Span().End > c.From }
	ok := true
	var settle func(n ast.Node)
	settle = func(n ast.Node) {
		b := n.Common()
		is := b.Is(ast.Broken)
		items := []ast.Node(nil)
		switch n := n.(type) {
		case *ast.File:
			items = n.Body.Items
		case *ast.Body:
			items = n.Items
		}
		for i, one := range items {
			alone := one.Common().Is(ast.Begins) && (i+1 == len(items) || items[i+1].Common().Is(ast.Begins))
			ok = ok && (alone || !around(one))
		}
		ast.Children(n, func(one ast.Node) {
			if around(one) {
				ok = ok && one.Kind() != ast.KindAttrValue
				settle(one)
			}
			is = is || one.HasError()
		})
		b.Flags &^= ast.Damaged
		if is {
			b.Flags |= ast.Damaged
		}
	}
	settle(f)
	return ok
}

// peeks are those of the new reading.
func (t *part) peeks(p *parser, stop, behind int) []peek {
	out := make([]peek, 0, len(t.r.peeks)+len(p.peeks))
	shift := func(i int32) int32 {
		if int(i) >= t.to {
			return i + int32(behind)
		}
		return i
	}
	add := func(k peek) { out = append(out, peek{shift(k.at), shift(k.from), shift(k.to)}) }
	i := 0
	for ; i < len(t.r.peeks) && int(t.r.peeks[i].at) <= t.from; i++ {
		add(t.r.peeks[i])
	}
	out = append(out, p.peeks...)
	for ; i < len(t.r.peeks); i++ {
		if int(t.r.peeks[i].at) > t.to {
			add(t.r.peeks[i])
		}
	}
	return out
}
