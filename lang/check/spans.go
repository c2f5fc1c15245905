package check

import (
	"sort"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/token"
)

// tokenAt is the first token that starts at an offset or behind it.
func (c *checker) tokenAt(offset uint32) int {
	toks := c.f.Stream.Tokens
	return min(sort.Search(len(toks), func(i int) bool { return toks[i].Start >= offset }), len(toks)-1)
}

// wordIn finds a word in a span, behind skip other words. It is the span's
// start when the word is not there.
func (c *checker) wordIn(span token.Span, word string, skip int) token.Span {
	toks := c.f.Stream.Tokens
	for i := c.tokenAt(span.Start); i < len(toks) && toks[i].Start < span.End; i++ {
		t := toks[i]
		if t.Kind != token.Ident && t.Kind != token.String {
			continue
		}
		if skip > 0 {
			skip--
			continue
		}
		text := c.f.Text()[t.Start:t.End]
		if text == word || t.Kind == token.String && token.Unquote(text) == word {
			return token.Span{Start: t.Start, End: t.End}
		}
	}
	return token.Span{Start: span.Start, End: span.Start}
}

// kindSpan is where the kind of a block stands.
func (c *checker) kindSpan(b *ast.Block) token.Span {
	from := b.At.Start
	for _, a := range b.Heading().Attrs {
		if a.Is(ast.BeforeHeading) {
			from = a.At.End
		}
	}
	if b.BlockKind == "" {
		if b.Name != nil {
			return b.Name.Span()
		}
		return token.Span{Start: from, End: from}
	}
	return c.wordIn(token.Span{Start: from, End: b.Body.At.Start}, b.BlockKind, len(b.Heading().Modifiers))
}

// nameSpan is the @ and the name of a trait.
func (c *checker) nameSpan(a *ast.Attribute) token.Span {
	return token.Span{Start: a.At.Start, End: min(a.At.Start+1+uint32(len(a.Name)), a.At.End)}
}

// lines is a span with the whole lines it fills alone, else with the white
// space behind it, so that taking it out leaves no hole.
func (c *checker) lines(at token.Span) token.Span {
	text := c.f.Text()
	start, end := int(at.Start), int(at.End)
	for end < len(text) && (text[end] == ' ' || text[end] == '\t' || text[end] == ',' || text[end] == ';') {
		end++
	}
	begin := start
	for begin > 0 && (text[begin-1] == ' ' || text[begin-1] == '\t') {
		begin--
	}
	first := begin == 0 || text[begin-1] == '\n' || text[begin-1] == '\r'
	last := end == len(text) || text[end] == '\n' || text[end] == '\r'
	if first && last {
		start = begin
		if end < len(text) && text[end] == '\r' {
			end++
		}
		if end < len(text) && text[end] == '\n' {
			end++
		}
	} else if last {
		start = begin
		end = int(at.End)
	}
	return token.Span{Start: uint32(start), End: uint32(end)}
}

// insertion is where a new item goes in a body, and what stands around it: at
// the end of the first line of a body over several lines, else behind the brace.
func (c *checker) insertion(body *ast.Body, item string) (offset int, text string) {
	src := c.f.Text()
	open := int(body.At.Start) + 1
	if open > len(src) || body.At.End <= body.At.Start+1 || src[body.At.Start] != '{' {
		if body != &c.f.Body { // of an object behind a hyphen
			return int(body.At.Start), item + ", "
		}
		return int(body.At.Start), item + "\n"
	}
	inner := src[open : body.At.End-1]
	if !strings.ContainsAny(inner, "\n\r") {
		if strings.TrimSpace(inner) == "" {
			if inner == "" {
				item += " "
			}
			return open, " " + item
		}
		return open, " " + item + ","
	}
	indent := ""
	if len(body.Items) > 0 {
		start := int(body.Items[0].Span().Start)
		begin := c.f.Stream.Source.LineStart(start)
		if strings.TrimSpace(src[begin:start]) == "" {
			indent = src[begin:start]
		}
	}
	return open, "\n" + indent + item
}
