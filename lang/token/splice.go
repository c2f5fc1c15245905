package token

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/meshd/meshd/lang/diag"
)

// Edit replaces the bytes from Start to End of a text by Text.
type Edit struct {
	Start, End int
	Text       string
}

// By is how many bytes what stands behind the edit moves.
func (e Edit) By() int { return len(e.Text) - (e.End - e.Start) }

// Edited is the source after an edit. An edit outside of the text is moved to its
// ends. Sequences that are not valid become U+FFFD, as Decode has it; what Decode
// replaced in s is text like any other from then on.
func (s *Source) Edited(e Edit) *Source {
	e.Start = max(0, min(e.Start, len(s.Text)))
	e.End = max(e.Start, min(e.End, len(s.Text)))
	text := s.Text[:e.Start] + e.Text + s.Text[e.End:]
	if !s.whole(e) && !utf8.ValidString(text) {
		out := Decode(s.Path, []byte(text))
		out.Encoding = s.Encoding
		return out
	}
	return &Source{Path: s.Path, Text: text, Encoding: s.Encoding}
}

// whole says that an edit cuts no character and brings valid ones.
func (s *Source) whole(e Edit) bool {
	at := func(i int) bool { return i == len(s.Text) || utf8.RuneStart(s.Text[i]) }
	return at(e.Start) && at(e.End) && utf8.ValidString(e.Text)
}

// spliceLines finds the lines of an edited source by way of those of old: only
// the bytes from from up to the old offset to are looked at.
func (s *Source) spliceLines(old *Source, from, to, by int) {
	s.once.Do(func() {
		before := old.lineStarts()
		i := sort.Search(len(before), func(i int) bool { return int(before[i]) > from })
		j := sort.Search(len(before), func(i int) bool { return int(before[i]) > to })
		s.starts = make([]uint32, i, len(before)+16)
		copy(s.starts, before)
		s.starts = appendLines(s.starts, s.Text, from, to+by)
		for _, at := range before[j:] {
			s.starts = append(s.starts, at+uint32(by))
		}
	})
}

// Splice is Lex for a text that differs from that of s by an edit: the tokens from
// from up to to, which is not among them, are read again from src, which is
// s.Source.Edited(e), and the others are taken over with their places. It gives nil
// where the tokens outside of these, or how their brackets belong together, might
// not be the same; then it has reported what is of no use. The result is
// what Lex makes, and so are the findings for what was read.
//
// The first token must stand at the start of its line and before the edit; so must
// token to, unless it is the end of the file, and its whole line behind the edit.
func (s *Stream) Splice(src *Source, e Edit, from, to int, bag *diag.Bag) *Stream {
	end := len(s.Tokens) - 1
	first, next := s.Tokens[from], s.Tokens[to]
	by := e.By()
	switch {
	case s.uneven, len(s.Source.invalid)+len(src.invalid) > 0, !s.Source.whole(e), len(src.Text) > MaxSource:
		return nil
	case proseEnd(s.Source.Text) > 0, proseEnd(src.Text) > 0: // where it ends is for Lex
		return nil
	case e.Start < 4, int(first.Start) > e.Start, first.Flags&NewlineBefore == 0: // a mark of the byte order and #! are for Lex
		return nil
	case to < end && (next.Flags&NewlineBefore == 0 || s.Source.LineStart(int(next.Start)) <= e.End):
		return nil
	}
	src.spliceLines(s.Source, int(first.Start), int(next.Start), by)
	lx := &lexer{text: src.Text, bag: bag, out: &Stream{Source: src}}
	if !lx.resume(s, e, from) {
		return nil
	}
	open := slices.Clone(lx.open)
	stop := int(next.Start) + by
	if !lx.until(stop) || !slices.Equal(open, lx.open) || !lx.sameCuts(s, from, to, stop, by) {
		return nil
	}
	if to == end {
		lx.pos = len(lx.text)
		lx.emit(EOF, lx.pos)
	} else {
		if lx.gap(stop)|lx.flags != next.Flags&^Damaged {
			return nil
		}
		lx.takeRest(s, to, uint32(by))
	}
	out := lx.out
	if len(out.Tokens) > MaxTokens || !out.spliceBrackets(s, from, to) {
		return nil
	}
	c := s.commentFrom(next.Start)
	if to == end {
		c = len(s.Comments)
	}
	for _, one := range s.Comments[c:] {
		one.Start, one.End = one.Start+uint32(by), one.End+uint32(by)
		out.Comments = append(out.Comments, one)
	}
	return out
}

// commentFrom is the first comment that does not begin before an offset.
func (s *Stream) commentFrom(offset uint32) int {
	return sort.Search(len(s.Comments), func(i int) bool { return s.Comments[i].Start >= offset })
}

// resume brings the lexer to where it was before token from of a stream.
func (lx *lexer) resume(s *Stream, e Edit, from int) bool {
	first := s.Tokens[from]
	for _, c := range s.cuts {
		if int(c.token) >= from {
			break
		}
		if int(c.looked)+utf8.UTFMax > e.Start {
			return false
		}
		if c.quote < numQuotes {
			lx.refused[c.quote] = int(c.looked)
		}
		lx.out.cuts = append(lx.out.cuts, c)
	}
	lx.out.Tokens = append(make([]Token, 0, len(s.Tokens)+len(e.Text)/2+16), s.Tokens[:from]...)
	c := s.commentFrom(first.Start)
	lx.out.Comments = append(make([]Comment, 0, len(s.Comments)+4), s.Comments[:c]...)
	if from > 0 {
		lx.gapFrom = int(s.Tokens[from-1].End)
	} else if strings.HasPrefix(s.Source.Text, "\uFEFF") {
		lx.gapFrom = len("\uFEFF")
	}
	if c > 0 && int(s.Comments[c-1].End) > lx.gapFrom {
		lx.gapFrom = int(s.Comments[c-1].End)
	}
	if first.Flags&CommentBefore != 0 {
		lx.flags = first.Flags & (CommentBefore | SpaceBefore | NewlineBefore)
	}
	lx.pos = int(first.Start)
	for i := from - 1; i >= 0; i-- {
		switch k := s.Tokens[i].Kind; {
		case k.Closes():
			i = int(s.Partner[i])
		case k.Opens():
			lx.open = append(lx.open, mark(k))
		}
	}
	slices.Reverse(lx.open)
	return true
}

// mark is what the lexer keeps of an open bracket.
func mark(k Kind) byte {
	switch family(k) {
	case LParen:
		return '('
	case LBracket:
		return '['
	case TemplateHead:
		return 't'
	}
	return '{'
}

// until reads up to an offset and says whether a token begins there.
func (lx *lexer) until(stop int) bool {
	for {
		for lx.pos < stop && class[lx.text[lx.pos]]&isSpace != 0 {
			lx.pos++
		}
		if lx.pos >= stop {
			return lx.pos == stop
		}
		lx.token()
	}
}

// sameCuts says whether the texts behind offset stop are cut where they were,
// although among the tokens before it others are cut now: a lexer that has looked
// in vain for the end of a text does not look there again.
func (lx *lexer) sameCuts(s *Stream, from, to, stop, by int) bool {
	looked := lx.refused
	for _, c := range s.cuts {
		if i := int(c.token); i >= from && i < to && c.quote < numQuotes {
			looked[c.quote] = max(looked[c.quote], int(c.looked)+by)
		}
	}
	far := 0
	for q, at := range looked {
		if at > stop {
			far = max(far, at)
			looked[q] = at - by // in the text before the edit
		} else {
			looked[q] = 0
		}
	}
	if far == 0 {
		return true
	}
	for _, t := range s.Tokens[to:] {
		if int(t.Start)+by >= far {
			break
		}
		if t.Kind != String {
			continue
		}
		marks, three := looked[double], looked[triple]
		if s.Source.Text[t.Start] == '\'' {
			marks, three = looked[single], looked[tripleSingle]
		}
		if three > 0 {
			return false
		}
		if int(t.Start)+1 < marks {
			return false
		}
	}
	return true
}

// takeRest takes the tokens from to on from a stream, so many bytes further on.
func (lx *lexer) takeRest(s *Stream, to int, by uint32) {
	out := lx.out
	more := int32(len(out.Tokens) - to)
	at := len(out.Tokens)
	out.Tokens = append(out.Tokens, s.Tokens[to:]...)
	for i := at; i < len(out.Tokens); i++ {
		out.Tokens[i].Start += by
		out.Tokens[i].End += by
	}
	for _, c := range s.cuts {
		if int(c.token) >= to {
			out.cuts = append(out.cuts, cut{c.token + more, c.quote, c.looked + by})
		}
	}
}

// spliceBrackets fills the partners by way of those of the stream before the edit.
// It says whether the brackets of the tokens that were read again belong together
// among themselves, as they did before.
func (s *Stream) spliceBrackets(old *Stream, from, to int) bool {
	more := len(s.Tokens) - len(old.Tokens)
	s.Partner = make([]int32, len(s.Tokens))
	copy(s.Partner, old.Partner[:from])
	copy(s.Partner[to+more:], old.Partner[to:])
	if more != 0 {
		for _, half := range [][]int32{s.Partner[:from], s.Partner[to+more:]} {
			for i, j := range half {
				if int(j) >= to {
					half[i] = j + int32(more)
				}
			}
		}
	}
	var stack []int
	for i := from; i < to+more; i++ {
		switch k := s.Tokens[i].Kind; {
		case k.Opens():
			stack = append(stack, i)
		case k.Closes():
			n := len(stack) - 1
			if n < 0 || family(s.Tokens[stack[n]].Kind) != opener(k) {
				return false
			}
			s.Partner[stack[n]], s.Partner[i] = int32(i), int32(stack[n])
			stack = stack[:n]
		}
	}
	return len(stack) == 0
}

// appendLines finds the lines that begin behind from and not behind to.
func appendLines(starts []uint32, text string, from, to int) []uint32 {
	for i := from; i < to; {
		n := strings.IndexAny(text[i:to], "\r\n")
		if n < 0 {
			break
		}
		i += n + 1
		if text[i-1] == '\r' && i < len(text) && text[i] == '\n' {
			continue
		}
		starts = append(starts, uint32(i))
	}
	return starts
}
