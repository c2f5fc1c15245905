package token

import (
	"strings"

	"github.com/meshd/meshd/lang/diag"
)

// string reads "…" or '…'. One that runs over lines must close before the end
// of the file and not be followed by a word; else it is cut at its first line,
// for the quote that closes it is likely the opening one of the next text.
func (lx *lexer) string(q quote) {
	start := lx.pos
	mark := lx.text[start]
	broken, escaped := -1, false // where its first line ends
	for i := start + 1; i < len(lx.text); i++ {
		switch c := lx.text[i]; c {
		case mark:
			i++
			if broken >= 0 {
				if end, _ := lx.wordEnd(i); end != i && lx.text[i] != '$' {
					lx.refused[q] = i
					lx.cut(q, start, broken, "Insert a quote", string(mark))
					return
				}
			}
			lx.pos = i
			lx.emit(String, start)
			if escaped {
				lx.escapes(start+1, i-1)
			}
			return
		case '\\':
			escaped = true
			if next := lx.at(i + 1); broken >= 0 || next != '\n' && next != '\r' {
				i++
			}
		case '\n', '\r':
			if broken < 0 {
				broken = i
				if i < lx.refused[q] {
					lx.cut(q, start, broken, "Insert a quote", string(mark))
					return
				}
			}
		}
	}
	lx.refused[q] = len(lx.text)
	if broken < 0 {
		broken = len(lx.text)
	}
	lx.cut(q, start, broken, "Insert a quote", string(mark))
}

// cut ends an unclosed text at the end of its first line.
func (lx *lexer) cut(q quote, start, end int, title, closer string) {
	lx.looked(q, lx.refused[q])
	lx.pos = max(start+1, len(strings.TrimRight(lx.text[:end], " \t")))
	lx.emit(String, start).Flags |= Damaged
	lx.bag.Add(diag.SYN004, start, lx.pos).Fix(title, lx.pos, lx.pos, closer)
}

// looked notes that the next token is cut, and how far its end was looked for.
func (lx *lexer) looked(q quote, to int) {
	lx.out.cuts = append(lx.out.cuts, cut{int32(len(lx.out.Tokens)), q, uint32(to)})
}

// tripleString reads """…""" or ”'…”', in which only the quotes behind a
// backslash are an escape.
func (lx *lexer) tripleString(q quote) {
	start := lx.pos
	mark := lx.text[start : start+3]
	if start >= lx.refused[q] {
		for i := start + 3; ; {
			n := strings.Index(lx.text[i:], mark)
			if n < 0 {
				break
			}
			if lx.text[i+n-1] == '\\' && i+n-1 >= start+3 {
				i += n + 3
				continue
			}
			lx.pos = i + n + 3
			lx.emit(String, start)
			return
		}
		lx.refused[q] = len(lx.text)
	}
	line := lx.out.Source.LineEnd(start)
	if n := strings.Index(lx.text[start+3:line], mark); n >= 0 {
		lx.looked(q, lx.refused[q])
		lx.pos = start + 3 + n + 3
		lx.emit(String, start)
		return
	}
	lx.cut(q, start, line, "Insert the quotes", mark)
}

// escapes reports \u without its digits.
func (lx *lexer) escapes(from, to int) {
	for i := from; i < to; i++ {
		if lx.text[i] != '\\' {
			continue
		}
		i++
		if i >= to || lx.text[i] != 'u' {
			continue
		}
		if _, n := codePoint(lx.text[i+1 : to]); n == 0 {
			lx.bag.Add(diag.SYN012, i-1, i+1, lx.text[i-1:i+1]).Fix("Double the backslash", i-1, i-1, `\`)
		}
	}
}

// template reads the text of a template up to its end or to the next ${. The
// text begins behind a back-quote when head, else behind the } of a substitution.
func (lx *lexer) template(start int, head bool) {
	from := lx.pos
	for i := from; i < len(lx.text); i++ {
		switch lx.text[i] {
		case '\\':
			i++
		case '`':
			lx.pos = i + 1
			if head {
				lx.emit(Template, start)
			} else {
				lx.emit(TemplateTail, start)
			}
			lx.escapes(from, i)
			return
		case '$':
			if lx.at(i+1) != '{' {
				continue
			}
			lx.pos = i + 2
			if head {
				lx.emit(TemplateHead, start)
			} else {
				lx.emit(TemplateMiddle, start)
			}
			lx.open = append(lx.open, 't')
			lx.escapes(from, i)
			return
		}
	}
	// No back-quote follows, so no later template can be cut short by this.
	lx.looked(backquote, len(lx.text))
	end := lx.out.Source.LineEnd(from)
	lx.pos = max(from, len(strings.TrimRight(lx.text[:end], " \t")))
	k := Template
	if !head {
		k = TemplateTail
	}
	lx.emit(k, start).Flags |= Damaged
	lx.bag.Add(diag.SYN005, start, lx.pos).Fix("Insert a back-quote", lx.pos, lx.pos, "`")
}

// blockString reads | at the end of a line and the lines below it that are
// indented deeper than the line it stands on. Empty lines belong to it when a
// deeper one follows.
func (lx *lexer) blockString() {
	start := lx.pos
	parent := indentOf(lx.text, lx.out.Source.LineStart(start))
	end := start + 1
	for i := nextLine(lx.text, end); i < len(lx.text); i = nextLine(lx.text, i) {
		line := lx.out.Source.LineEnd(i)
		text := strings.TrimRight(lx.text[i:line], " \t")
		if text == "" {
			continue
		}
		if indentOf(lx.text, i) <= parent {
			break
		}
		end = i + len(text)
	}
	lx.pos = end
	lx.emit(BlockString, start)
}

// indentOf counts the spaces and tabs at the start of a line.
func indentOf(text string, lineStart int) int {
	i := lineStart
	for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	return i - lineStart
}

// nextLine is the start of the line behind offset i, the end of the text when
// there is none.
func nextLine(text string, i int) int {
	for ; i < len(text); i++ {
		switch text[i] {
		case '\n':
			return i + 1
		case '\r':
			if i+1 < len(text) && text[i+1] == '\n' {
				i++
			}
			return i + 1
		}
	}
	return len(text)
}
