package lsp

import (
	"encoding/json"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/format"
	"github.com/meshd/meshd/lang/parse"
	"github.com/meshd/meshd/lang/token"
)

// rangeFormatting brings the lines of a range to the form that formatting gives
// them. Lines outside are left as they are: what begins or ends there on a line
// with something else stays as written.
func (s *Server) rangeFormatting(d *document, params json.RawMessage) (any, error) {
	var p struct {
		Range span `json:"range"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, &rpcError{Code: codeParams, Message: "the parameters cannot be read"}
	}
	first, last := p.Range.Start.Line, p.Range.End.Line
	if last > first && p.Range.End.Character == 0 {
		last-- // only its beginning is in the range
	}
	var taken []change
	for _, c := range d.changes() {
		from, to := d.position(c.from).Line, d.position(c.to).Line
		within := from >= first && (c.to == c.from && to <= last && to > first || c.to > c.from && to <= last+1)
		if c.to == len(d.text) && !strings.HasSuffix(d.text, "\n") {
			within = from >= first && to <= last
		}
		if !within {
			continue
		}
		if n := len(taken); n > 0 && taken[n-1].to == c.from { // two edits in one place have no order
			taken[n-1].to, taken[n-1].text = c.to, taken[n-1].text+c.text
			continue
		}
		taken = append(taken, c)
	}
	out := []textEdit{}
	var b strings.Builder
	at := 0
	for _, c := range taken {
		out = append(out, textEdit{d.span(c.from, c.to), c.text})
		b.WriteString(d.text[at:c.from] + c.text)
		at = c.to
	}
	b.WriteString(d.text[at:])
	if f, _ := parse.File(d.path, []byte(b.String()), d.format); !ast.Equal(d.parsed(), f) {
		return []textEdit{}, nil // a part of the change means something else by itself
	}
	return out, nil
}

// change is what formatting makes of whole lines.
type change struct {
	from, to int
	text     string
}

// changes are what formatting changes, in pieces as small as whole lines allow.
// A piece ends where a line ends both in the text and in its canonical form, between
// the same two words.
func (d *document) changes() []change {
	text := format.File(d.parsed())
	if text == d.text {
		return nil
	}
	f, _ := parse.File(d.path, []byte(text), d.format)
	old, young := pieces(d.parsed()), pieces(f)
	var out []change
	oldAt, youngAt := 0, 0
	upTo := func(o, y int) {
		if d.text[oldAt:o] != text[youngAt:y] {
			out = append(out, change{oldAt, o, text[youngAt:y]})
		}
		oldAt, youngAt = o, y
	}
	before := pair{-1, -1}
	for _, now := range align(old, young) {
		if now.old == before.old+1 && now.young == before.young+1 {
			oldEnd, youngEnd := 0, 0
			if before.old >= 0 {
				oldEnd, youngEnd = old[before.old].end, young[before.young].end
			}
			oldLine, oldBlank, ok := lineBetween(d.text, oldEnd, old[now.old].start)
			youngLine, youngBlank, also := lineBetween(text, youngEnd, young[now.young].start)
			if ok && also {
				upTo(oldLine, youngLine)
				upTo(oldBlank, youngBlank)
			}
		}
		before = now
	}
	upTo(len(d.text), len(text))
	return out
}

// lineBetween says where the line of one piece ends and that of the next begins,
// when these are two lines. Between them there are empty lines only.
func lineBetween(text string, end, start int) (after, next int, ok bool) {
	next = start
	for next > end && text[next-1] != '\n' && text[next-1] != '\r' {
		next--
	}
	if next == 0 && end == 0 { // the first
		return 0, 0, true
	}
	after = end
	for after < next && text[after] != '\n' && text[after] != '\r' {
		after++
	}
	if after == next {
		return 0, 0, false
	}
	if text[after] == '\r' && after+1 < next && text[after+1] == '\n' {
		after++
	}
	return after + 1, next, true
}

// piece is a token or a comment of a text. Separators are left out: formatting adds
// and removes them.
type piece struct {
	start, end int
	text       string // normal: formatting changes the quotes of a text and the mark of a comment
}

func pieces(f *ast.File) []piece {
	var out []piece
	comments := f.Stream.Comments
	text := f.Text()
	for _, t := range f.Stream.Tokens {
		for len(comments) > 0 && comments[0].Start < t.Start {
			c := comments[0]
			words := strings.Join(strings.Fields(strings.TrimLeft(text[c.Start:c.End], "/#*")), " ")
			out = append(out, piece{int(c.Start), int(c.End), "//" + words})
			comments = comments[1:]
		}
		switch t.Kind {
		case token.Comma, token.Semicolon, token.EOF:
		case token.String:
			out = append(out, piece{int(t.Start), int(t.End), "\"" + token.Unquote(text[t.Start:t.End])})
		case token.Directive:
			out = append(out, piece{int(t.Start), int(t.End), strings.Join(strings.Fields(text[t.Start:t.End]), " ")})
		default:
			out = append(out, piece{int(t.Start), int(t.End), text[t.Start:t.End]})
		}
	}
	return out
}

// pair is a piece of one text with the same piece of another.
type pair struct{ old, young int }

// align pairs the pieces of a text with those of its canonical form. They are in one
// order and nearly the same; where they differ, the nearest place is taken at which
// a few are the same again.
func align(old, young []piece) []pair {
	var out []pair
	i, j := 0, 0
	for i < len(old) && j < len(young) {
		if old[i].text == young[j].text {
			out = append(out, pair{i, j})
			i, j = i+1, j+1
			continue
		}
		a, b, ok := resume(old[i:], young[j:])
		if !ok {
			break
		}
		i, j = i+a, j+b
	}
	return out
}

// resume is how many pieces are left out before both go on alike.
func resume(old, young []piece) (a, b int, ok bool) {
	for skip := 1; skip <= maxSkip; skip++ {
		for a := 0; a <= skip; a++ {
			if alike(old, young, a, skip-a) {
				return a, skip - a, true
			}
		}
	}
	return 0, 0, false
}

// alike says whether three pieces are the same, or all that are left.
func alike(old, young []piece, a, b int) bool {
	for k := range 3 {
		switch {
		case a+k >= len(old) && b+k >= len(young):
			return k > 0
		case a+k >= len(old) || b+k >= len(young) || old[a+k].text != young[b+k].text:
			return false
		}
	}
	return true
}
