package parse

import "github.com/meshd/meshd/lang/token"

// The functions here look ahead without moving. Each is bounded by the line it
// looks at, or by lookAhead tokens; a group in brackets is one step.

// lookAhead is how many tokens a scan for a type may look at.
const lookAhead = 64

// glued says whether token i follows the one before it without white space.
func (p *parser) glued(i int) bool { return !p.space(i) }

// keyEnd is the token behind the key that starts with token i, 0 when none does.
func (p *parser) keyEnd(i int) int {
	switch p.kind(i) {
	case token.Ident, token.String, token.Number:
	case token.LBracket:
		if !p.stream.Closed(i) {
			return 0
		}
		return p.close(i) + 1
	default:
		return 0
	}
	i++
	for k := p.kind(i); k == token.Dot || k == token.Minus; k = p.kind(i) {
		if n := p.kind(i + 1); !p.glued(i) || !p.glued(i+1) || n != token.Ident && n != token.Number {
			return 0
		}
		i += 2
	}
	return i
}

// isKey says whether a key and its colon start with token i.
func (p *parser) isKey(i int) bool {
	switch p.kind(i + 1) { // most tokens are settled by the next
	case token.Colon, token.Question, token.Dot, token.Minus:
	default:
		if p.kind(i) != token.LBracket {
			return false
		}
	}
	j := p.keyEnd(i)
	if j == 0 || p.newline(j) {
		return false
	}
	return p.kind(j) == token.Colon || p.kind(j) == token.Question && p.kind(j+1) == token.Colon && !p.newline(j+1)
}

// pathEnd is the token behind the path that starts with token i, 0 when none
// does. A first segment may be a text.
func (p *parser) pathEnd(i int) int {
	if k := p.kind(i); k != token.Ident && k != token.String {
		return 0
	}
	i++
	for !p.newline(i) {
		switch p.kind(i) {
		case token.Dot, token.Scope:
		case token.Minus:
			if !p.glued(i) || !p.glued(i+1) {
				return i
			}
		default:
			return i
		}
		if p.kind(i+1) != token.Ident {
			return i
		}
		i += 2
	}
	return i
}

// mapPathEnd is pathEnd for a path that may contain [] behind a word.
func (p *parser) mapPathEnd(i int) int {
	i = p.pathEnd(i)
	for i > 0 && p.kind(i) == token.LBracket && p.kind(i+1) == token.RBracket && p.glued(i) {
		i += 2
		if p.kind(i) == token.Dot && p.kind(i+1) == token.Ident {
			i = p.pathEnd(i + 1)
		}
	}
	return i
}

// endsLine says whether token i starts a line, ends the list it stands in or,
// behind a statement without braces, is the else of its if.
func (p *parser) endsLine(i int) bool {
	if i >= p.eof || p.newline(i) {
		return true
	}
	switch k := p.kind(i); k {
	case token.Comma, token.Semicolon, token.Stray:
		return true
	case token.Ident:
		return p.branch && p.isElse(i) && !p.isKey(i)
	default:
		return k.Closes() || k == token.TemplateMiddle
	}
}

// operandStart says whether an operand of a command may start with token i.
// Inside a running command brackets and a glued sign behind white space do too.
func (p *parser) operandStart(i int, running bool) bool {
	if i >= p.limit || p.newline(i) || !p.space(i) {
		return false
	}
	switch k := p.kind(i); k {
	case token.String, token.Number:
		return !p.isKey(i)
	case token.Template, token.TemplateHead, token.Colour, token.StateRef, token.Trait, token.Not, token.Regex, token.NameOpen:
		return true
	case token.Ident:
		return !p.isOperation(i) && !p.isKey(i) && !(p.branch && p.isElse(i))
	case token.LParen, token.LBracket:
		return running
	case token.Minus, token.Plus:
		return running && p.glued(i+1)
	}
	return false
}

// isOperation says whether token i is one of in is as and or instanceof.
func (p *parser) isOperation(i int) bool {
	return p.isAny(i, token.WIn, token.WIs, token.WAs, token.WAnd, token.WOr, token.WInstanceof)
}

// exprStart says whether an expression may start with token i behind a word
// that is an operator or a statement only when one does.
func (p *parser) exprStart(i int) bool {
	switch p.kind(i) {
	case token.String, token.Number, token.Template, token.TemplateHead, token.Colour, token.StateRef, token.Trait, token.Not,
		token.Regex, token.NameOpen, token.LParen, token.LBracket, token.LBrace, token.Tilde, token.Inc, token.Dec:
		return true
	case token.Minus, token.Plus:
		return p.space(i) && p.glued(i+1)
	case token.Ident:
		return !p.isOperation(i)
	}
	return false
}

// isParams says whether the group of the ( at token i is a parameter list. The
// first parameter decides.
func (p *parser) isParams(i int) bool {
	i++
	switch k := p.kind(i); k {
	case token.RParen, token.Ellipsis:
		return true
	case token.Ident:
		switch p.kind(i + 1) {
		case token.Comma, token.RParen, token.Question, token.Assign:
			return true
		case token.Colon:
			return p.typeFollows(i + 2)
		}
	case token.LBrace, token.LBracket:
		switch p.kind(p.after(i)) {
		case token.Comma, token.RParen, token.Colon, token.Assign:
			return true
		}
	}
	return false
}

// typeFollows says whether what stands behind name: in parentheses is a type
// and not the value of an argument.
func (p *parser) typeFollows(i int) bool {
	switch p.kind(i) {
	case token.Number:
		return p.kind(i+1) == token.Range && p.kind(i+2) == token.Number // cell: 0..8
	case token.Template, token.TemplateHead, token.Colour, token.Minus, token.LBracket, token.Trait:
		return false
	case token.String:
		k := p.kind(i + 1)
		return k == token.Pipe || k == token.Assign
	}
	return true
}

// isArrow says whether an arrow function starts with token i.
func (p *parser) isArrow(i int) bool {
	if p.isWord(i, token.WAsync) && !p.newline(i+1) {
		if k := p.kind(i + 1); k == token.Ident && p.fatArrow(i+2) || k == token.LParen {
			i++
		}
	}
	switch p.kind(i) {
	case token.Ident:
		return p.fatArrow(i + 1)
	case token.LParen:
		if !p.stream.Closed(i) {
			return false
		}
		j := p.close(i) + 1
		if p.kind(j) == token.Colon && p.mode&noArrowType == 0 && p.isParams(i) {
			end, _ := p.typeEnd(j+1, false)
			return end > j+1 && p.fatArrow(end)
		}
		return p.fatArrow(j)
	}
	return false
}

// fatArrow says whether token i is => on the line of what it belongs to.
func (p *parser) fatArrow(i int) bool {
	return p.kind(i) == token.FatArrow && (!p.newline(i) || p.mode&inParens != 0)
}

// typeEnd scans a text that may be a type from token i: the token behind it, and
// whether it contains something that is no expression, T[] or Name<T>. It gives 0
// when the text is no type.
func (p *parser) typeEnd(i int, schema bool) (end int, sure bool) {
	angles, operand := 0, false
	for start := i; i < start+lookAhead; i++ {
		if i > start && p.newline(i) || i >= p.limit {
			break
		}
		switch p.kind(i) {
		case token.Ident, token.String, token.Number:
			if operand {
				return i, sure && angles == 0
			}
			operand = true
		case token.Dot, token.Pipe, token.Amp:
			operand = false
		case token.Question:
			if !operand {
				return 0, false
			}
		case token.Lt:
			if !operand || !p.glued(i) {
				return 0, false
			}
			angles++
			operand = false
		case token.Gt, token.Shr:
			angles--
			if p.kind(i) == token.Shr {
				angles--
			}
			if angles < 0 || !operand {
				return 0, false
			}
			sure = true
		case token.Comma:
			if angles == 0 {
				return i, sure
			}
			operand = false
		case token.LBracket:
			if operand && p.close(i) != i+1 || !p.stream.Closed(i) {
				return 0, false
			}
			sure = sure || operand
			operand = true
			i = p.close(i)
		case token.LBrace:
			if operand || schema || !p.stream.Closed(i) {
				return i, sure && angles == 0
			}
			operand = true
			i = p.close(i)
		default:
			return i, sure && angles == 0
		}
	}
	return i, sure && angles == 0
}

// memberAt says whether a typed member starts with token i: words, a name and a
// colon, where the first word says so or = follows the type on the line.
func (p *parser) memberAt(i int) bool {
	if k := p.kind(i + 1); k != token.Ident || p.newline(i+1) {
		return false
	}
	j := i + 1
	for p.kind(j) == token.Ident && !p.newline(j) {
		j++
	}
	if p.newline(j) {
		return false
	}
	if p.kind(j) == token.Question {
		j++
	}
	if p.kind(j) != token.Colon || p.newline(j) {
		return false
	}
	if p.word(i).Has(token.Member) {
		return true
	}
	end, _ := p.typeEnd(j+1, false)
	return end > j+1 && p.kind(end) == token.Assign
}

// methodAt finds the name of the method whose modifiers, or whose name, start
// with token i; 0 when it is none.
func (p *parser) methodAt(i int) int {
	for p.word(i).Has(token.Modifier) && p.kind(i) == token.Ident && p.wordOnLine(i+1) {
		i++
	}
	if p.kind(i) == token.Ident && p.wordOnLine(i+1) && p.word(i+1).Has(token.Function) && softModifiers[p.text(i)] {
		i++
	}
	explicit, worded := false, false
	if p.word(i).Has(token.Function) && p.kind(i) == token.Ident && p.wordOnLine(i+1) {
		worded = true
		explicit = p.isAny(i, token.WFunction, token.WFn, token.WFunc)
		i++
	}
	if k := p.kind(i); k != token.Ident && k != token.String {
		return 0
	}
	if p.kind(i+1) != token.LParen || p.newline(i+1) || !p.stream.Closed(i+1) || !p.isParams(i+1) {
		return 0
	}
	j := p.close(i+1) + 1
	switch p.kind(j) {
	case token.LBrace:
		return i
	case token.Colon, token.FatArrow:
		if !p.newline(j) {
			return i
		}
	case token.Arrow: // fn winner(b) -> Mark { … }
		if worded && !p.newline(j) && p.kind(j+1) == token.Ident {
			return i
		}
	}
	if explicit {
		return i
	}
	return 0
}

// softModifiers stand before the word for a function and mean nothing elsewhere.
var softModifiers = map[string]bool{"pure": true, "inline": true, "pub": true, "internal": true, "virtual": true, "memoized": true}

// wordOnLine says whether token i is a word or a text on the line of the one before.
func (p *parser) wordOnLine(i int) bool {
	k := p.kind(i)
	return (k == token.Ident || k == token.String) && !p.newline(i)
}

// listAt finds the [ of a list item that starts with token i; 0 when it is none.
func (p *parser) listAt(i int) int {
	i++
	for p.wordOnLine(i) {
		i++
	}
	if p.kind(i) != token.LBracket || p.newline(i) || !p.space(i) || !p.stream.Closed(i) {
		return 0
	}
	j := p.close(i) + 1
	if p.endsLine(j) {
		return i
	}
	switch p.kind(j) {
	case token.Trait, token.AnnotationOpen, token.Directive, token.Ellipsis:
		return i
	}
	if p.isKey(j) {
		return i
	}
	return 0
}

// handlerAt says whether a handler starts with token i.
func (p *parser) handlerAt(i int) bool {
	if p.kind(i) != token.Ident {
		return false
	}
	switch p.word(i) {
	case token.OnWord:
		return p.handlerHead(i + 1)
	case token.WOn:
		if p.kind(i+1) == token.LParen {
			return p.stream.Closed(i+1) && p.kind(p.close(i+1)+1) == token.LBrace
		}
		j := p.pathEnd(i + 1)
		if j == 0 || p.newline(i+1) {
			return false
		}
		return p.handlerHead(j) || p.kind(j) == token.Arrow && p.kind(j+1) == token.LParen
	}
	return false
}

// handlerHead says whether what stands behind the name of a handler, at token i,
// makes it one.
func (p *parser) handlerHead(i int) bool {
	switch p.kind(i) {
	case token.LBrace:
		return true
	case token.FatArrow:
		return !p.newline(i)
	case token.LParen:
		if p.newline(i) || !p.stream.Closed(i) {
			return false
		}
		j := p.close(i) + 1
		switch p.kind(j) {
		case token.LBrace:
			return true
		case token.Colon, token.FatArrow:
			return !p.newline(j)
		}
	}
	return false
}

// controlAt says whether word STRING -> ( or word STRING -> { starts with token i.
func (p *parser) controlAt(i int) bool {
	if !p.textArrowAt(i) || p.newline(i+3) {
		return false
	}
	k := p.kind(i + 3)
	return k == token.LParen || k == token.LBrace
}

// textArrowAt says whether word STRING -> starts with token i, on one line.
func (p *parser) textArrowAt(i int) bool {
	return p.kind(i+1) == token.String && p.kind(i+2) == token.Arrow && !p.newline(i+1) && !p.newline(i+2)
}

// arrowHeadingAt finds the end of word name -> target that starts with token i and
// has no body; 0 when it is none. The name is a text or a word. The target is a name, a text or a trait with its
// arguments, and calls such as guard(x) may follow it. Behind it the line ends, or
// the next of its kind begins.
func (p *parser) arrowHeadingAt(i int) int {
	if k := p.kind(i + 1); p.kind(i) != token.Ident || k != token.String && k != token.Ident || p.kind(i+2) != token.Arrow ||
		p.newline(i+1) || p.newline(i+2) || p.newline(i+3) {
		return 0
	}
	j := i + 3
	if p.kind(j) == token.Trait && !p.controlWord(j) {
		if j++; p.kind(j) == token.LParen && !p.newline(j) {
			if !p.stream.Closed(j) {
				return 0
			}
			j = p.close(j) + 1
		}
	} else if j = p.pathEnd(j); j == 0 {
		return 0
	}
	for p.headCallAt(j) {
		j = p.close(j+1) + 1
	}
	if j > p.limit || p.kind(j) == token.LBrace || !p.endsLine(j) && !(p.kind(j) == token.Ident && p.textArrowAt(j)) {
		return 0
	}
	return j
}

// headCallAt says whether word(…) starts with token i, on the line of the one before.
func (p *parser) headCallAt(i int) bool {
	return p.kind(i) == token.Ident && !p.newline(i) && p.kind(i+1) == token.LParen && p.glued(i+1) && p.stream.Closed(i+1)
}

// failedScan is a stretch of a line in which no heading reaches its brace.
type failedScan struct{ from, stop int }

// headingAt finds the brace of the block whose heading starts with token i; 0
// when there is none. A line is scanned once: what failed from one word of it
// fails from the words behind it too.
func (p *parser) headingAt(i int) int {
	if k := p.kind(i); k != token.Ident && k != token.String {
		return 0
	}
	if i >= p.scan.from && i < p.scan.stop {
		return 0
	}
	brace, stop := p.scanHeading(i)
	if brace == 0 {
		p.scan = failedScan{i, stop}
	}
	return brace
}

// scanHeading is headingAt without its memory. Stop is where the scan ended, or
// where it left its first line.
func (p *parser) scanHeading(i int) (brace, stop int) {
	start, line := i, 0
	defer func() {
		if line > 0 {
			stop = line
		}
	}()
	candidate := 0               // a trait's brace that is the body if no other follows
	trait, names := false, false // behind a trait; in a clause with names
	chain := false               // on a line that counts only if the lines end with one that starts with {
	for ; i < p.limit; i++ {
		k := p.kind(i)
		if i > start && p.newline(i) {
			if line == 0 {
				line = i
			}
			switch {
			case k == token.LBrace:
				return i, i
			case k == token.Trait && !p.controlWord(i), p.isAny(i, token.WUsing, token.WExtends, token.WImplements) && !p.isKey(i):
				if p.indentAt(i) <= p.indentAt(start) {
					chain = true
				}
			default:
				return candidate, i
			}
		}
		switch k {
		case token.LBrace:
			if !trait {
				if chain {
					return candidate, i
				}
				return i, i
			}
			j := p.after(i)
			if n := p.kind(j); (n == token.LBrace || n == token.Trait) && !p.newline(j) && p.stream.Closed(i) {
				if candidate == 0 && !chain {
					candidate = i
				}
				i = j - 1
				trait = false
				continue
			}
			if chain {
				return candidate, i
			}
			return i, i
		case token.Trait:
			if p.controlWord(i) {
				return candidate, i
			}
			trait, names = true, false
			continue
		case token.LParen:
			if p.newline(i) || !p.stream.Closed(i) {
				return candidate, i
			}
			i = p.close(i)
			continue
		case token.LBracket:
			if i < start+2 || !p.placedAt(i-1) || !p.stream.Closed(i) {
				return candidate, i
			}
			i = p.close(i)
		case token.TemplateHead:
			if !p.stream.Closed(i) {
				return candidate, i
			}
			i = p.close(i)
		case token.Ident:
			if p.branch && p.isElse(i) {
				return candidate, i
			}
			if i > start && p.isAny(i, token.WUsing, token.WExtends, token.WImplements, token.WThrough) {
				names = true
			}
		case token.String, token.Number, token.Template, token.Selector, token.Dot, token.Scope:
		case token.Arrow:
			names = false
		case token.Minus:
			if !p.glued(i) || !p.glued(i+1) {
				return candidate, i
			}
		case token.Comma:
			if n := p.kind(i + 1); !names || n != token.Ident && n != token.String || p.isKey(i+1) {
				return candidate, i
			}
		default:
			return candidate, i
		}
		trait = false
	}
	return candidate, i
}

// placedAt says whether token i begins at [ … ], where what a heading names stands.
func (p *parser) placedAt(i int) bool {
	return p.kind(i) == token.Ident && p.text(i) == "at" && !p.newline(i) && p.kind(i+1) == token.LBracket && !p.newline(i+1)
}

// controlWord says whether the trait at token i is a control form or an import.
func (p *parser) controlWord(i int) bool {
	switch p.text(i) {
	case "@if", "@elif", "@else", "@while", "@for", "@forEach", "@import", "@export":
		return true
	}
	return false
}
