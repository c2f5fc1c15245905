package token

import (
	"github.com/meshd/meshd/lang/diag"
)

// pairBrackets fills the partner table. Plain nesting is tried first; only when
// it leaves brackets over is it done again with an eye on indentation: a closer
// that starts a line belongs to the opener whose line is indented like its own.
func pairBrackets(s *Stream, bag *diag.Bag) {
	s.Partner = make([]int32, len(s.Tokens))
	first := pairing{s: s}
	first.run()
	if first.openers+first.closers+first.wrong == 0 {
		return
	}
	s.uneven = true
	clear(s.Partner)
	second := pairing{s: s, bag: bag, spareOpeners: first.openers, spareClosers: first.closers, lined: map[place]int{}}
	second.run()
}

// place is a kind of bracket on a line of some indentation.
type place struct {
	kind   Kind
	indent int32
}

type opened struct {
	token  int32
	indent int32 // of its line; in the second run only
}

// openCounts are the open round, square and curly brackets.
type openCounts struct{ round, square, curly int32 }

// of is the count of a family; templates are not counted here.
func (c *openCounts) of(k Kind) *int32 {
	switch k {
	case LParen:
		return &c.round
	case LBracket:
		return &c.square
	}
	return &c.curly
}

// pairing is one run over the brackets.
type pairing struct {
	s     *Stream
	bag   *diag.Bag // nil in the first run, which only counts
	stack []opened
	// counts are the open brackets by kind, since the innermost template.
	counts openCounts
	saved  []openCounts // counts outside of the open templates

	openers, closers, wrong int // left over, and closed by the wrong kind

	// The second run gives up as many brackets for the sake of indentation as
	// the first had left over, so that the choice never adds damage.
	spareOpeners, spareClosers int
	lined                      map[place]int
	indent                     int32 // of the current line
}

func opener(closer Kind) Kind {
	switch closer {
	case RParen:
		return LParen
	case RBracket:
		return LBracket
	case TemplateTail:
		return TemplateHead
	}
	return LBrace
}

// family is the kind that stands for all openers with one closer.
func family(open Kind) Kind {
	switch open {
	case AnnotationOpen:
		return LBracket
	case NameOpen:
		return LBrace
	}
	return open
}

func (p *pairing) run() {
	for i, t := range p.s.Tokens {
		if p.bag != nil && t.Flags&NewlineBefore != 0 {
			p.indent = int32(Indent(p.s.Source.Text, int(t.Start)))
		}
		switch {
		case t.Kind.Opens():
			p.push(i, t.Kind)
		case t.Kind.Closes():
			p.close(i, t.Kind)
		}
	}
	end := len(p.s.Tokens) - 1
	for len(p.stack) > 0 {
		p.leave(end)
	}
}

// Indent is the number of spaces and tabs before an offset that is the first on
// its line but for these.
func Indent(text string, offset int) int {
	i := offset
	for i > 0 && (text[i-1] == ' ' || text[i-1] == '\t') {
		i--
	}
	return offset - i
}

func (p *pairing) push(i int, k Kind) {
	p.stack = append(p.stack, opened{int32(i), p.indent})
	if p.lined != nil {
		p.lined[place{family(k), p.indent}]++
	}
	if k == TemplateHead {
		p.saved = append(p.saved, p.counts)
		p.counts = openCounts{}
		return
	}
	*p.counts.of(family(k))++
}

// pop takes the innermost opener from the stack.
func (p *pairing) pop() opened {
	o := p.stack[len(p.stack)-1]
	p.stack = p.stack[:len(p.stack)-1]
	k := p.s.Tokens[o.token].Kind
	if p.lined != nil {
		p.lined[place{family(k), o.indent}]--
	}
	if k == TemplateHead {
		p.counts = p.saved[len(p.saved)-1]
		p.saved = p.saved[:len(p.saved)-1]
	} else {
		*p.counts.of(family(k))--
	}
	return o
}

// isOpen says whether a bracket of a family is open inside the innermost template,
// or whether there is that template.
func (p *pairing) isOpen(k Kind) bool {
	if k == TemplateHead {
		return len(p.saved) > 0
	}
	return *p.counts.of(k) > 0
}

func (p *pairing) top() opened { return p.stack[len(p.stack)-1] }

func (p *pairing) close(i int, k Kind) {
	if len(p.stack) > 0 && p.bag != nil && p.byIndent(i, k) {
		return
	}
	want := opener(k)
	switch {
	case len(p.stack) == 0:
		p.stray(i)
	case p.isOpen(want):
		for family(p.s.Tokens[p.top().token].Kind) != want {
			p.leave(i)
		}
		p.pair(int(p.pop().token), i)
	case p.s.Tokens[p.top().token].Kind != TemplateHead && k != TemplateTail && !p.ownCloserFollows(i):
		p.wrongCloser(i)
	default:
		p.stray(i)
	}
}

// byIndent handles a closer that starts a line where the indentation says that
// brackets are missing or too many. It says whether that was all.
func (p *pairing) byIndent(i int, k Kind) bool {
	if p.s.Tokens[i].Flags&NewlineBefore == 0 || len(p.saved) > 0 || k == TemplateTail {
		return false
	}
	want := opener(k)
	switch top := p.top(); {
	case p.indent < top.indent && p.lined[place{want, p.indent}] > 0:
		for p.spareOpeners > 0 && p.top().indent > p.indent {
			p.spareOpeners--
			p.leave(i)
		}
	case p.indent > top.indent && p.spareClosers > 0:
		p.spareClosers--
		p.stray(i)
		return true
	}
	return false
}

// ownCloserFollows says whether the next bracket closes the innermost opener.
func (p *pairing) ownCloserFollows(i int) bool {
	want := family(p.s.Tokens[p.top().token].Kind)
	for _, t := range p.s.Tokens[i+1 : min(i+1+64, len(p.s.Tokens))] {
		if t.Kind.Opens() {
			return false
		}
		if t.Kind.Closes() {
			return opener(t.Kind) == want
		}
	}
	return false
}

func (p *pairing) pair(open, closer int) {
	p.s.Partner[open], p.s.Partner[closer] = int32(closer), int32(open)
}

func closerOf(open Kind) string {
	switch family(open) {
	case LParen:
		return ")"
	case LBracket:
		return "]"
	case TemplateHead:
		return "}`"
	}
	return "}"
}

// leave ends the group of the innermost opener at token i, which is no closer of it.
func (p *pairing) leave(i int) {
	o := p.pop()
	p.openers++
	p.s.Partner[o.token] = int32(i)
	if p.bag == nil {
		return
	}
	open, end := p.s.Tokens[o.token], p.s.Tokens[i]
	at := int(p.s.Tokens[i-1].End)
	closer := closerOf(open.Kind)
	text := closer
	if open.Kind == LBrace {
		text = " }"
	}
	code := diag.SYN001
	slots := []string{p.s.Text(int(o.token))}
	if open.Kind == TemplateHead {
		code, slots = diag.SYN005, nil
	}
	p.bag.Add(code, int(open.Start), int(open.End), slots...).
		Related("The search for its end stopped here.", int(end.Start), int(end.End)).
		Fix("Insert '"+closer+"'", at, at, text)
}

func (p *pairing) stray(i int) {
	p.closers++
	if p.bag == nil {
		return
	}
	t := &p.s.Tokens[i]
	start, end := int(t.Start), int(t.End)
	p.bag.Add(diag.SYN002, start, end, p.s.Text(i)).Fix("Remove it", start, end, "")
	t.Kind = Stray
}

func (p *pairing) wrongCloser(i int) {
	p.wrong++
	o := int(p.pop().token)
	p.pair(o, i)
	if p.bag == nil {
		return
	}
	t := p.s.Tokens[i]
	closer := closerOf(p.s.Tokens[o].Kind)
	p.bag.Add(diag.SYN003, int(t.Start), int(t.End), p.s.Text(o), p.s.Text(i)).
		Related("Opened here.", int(p.s.Tokens[o].Start), int(p.s.Tokens[o].End)).
		Fix("Replace by '"+closer+"'", int(t.Start), int(t.End), closer)
}
