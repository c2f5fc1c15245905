package lsp

import (
	"sort"
	"unicode/utf8"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/check"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/parse"
	"github.com/meshd/meshd/lang/token"
)

// document is an open text.
type document struct {
	uri     string
	path    string // below the root, or the name alone
	inside  bool   // below the root
	version int
	format  ast.Format
	text    string
	starts  []int // of lines
	utf8    bool  // characters of positions are bytes

	// reading is of this text or of an earlier one, from which that of this text is
	// made when it is asked for.
	reading *parse.Reading
	result  *check.Result // nil until asked for
	before  *check.Result // the last one
	waits   bool          // changed since its findings were reported
	named   eventNames    // of the last tree that was asked for them

	settled   bool              // what was built is of the text and of what it imports
	built     []diag.Diagnostic // what building found of builtText, beside the checker
	builtText string

	compiled bool       // the losses are those of the text and of what it imports
	losses   []lossHint // of lossText
	lossText string
}

// set gives the document a text.
func (d *document) set(text string) {
	d.text = text
	d.starts = append(d.starts[:0], 0)
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\r':
			if i+1 < len(text) && text[i+1] == '\n' {
				continue
			}
			d.starts = append(d.starts, i+1)
		case '\n':
			d.starts = append(d.starts, i+1)
		}
	}
	d.forget()
}

// forget drops what was said of the document, because its text or what it
// imports has changed.
func (d *document) forget() {
	if d.result != nil {
		d.before = d.result
	}
	d.result, d.compiled, d.settled = nil, false, false
}

// parsed is the tree of the document.
func (d *document) parsed() *ast.File { return d.read().File }

// read is the reading of the document. What did not change since the last one is
// not read again.
func (d *document) read() *parse.Reading {
	switch {
	case d.reading == nil:
		d.reading = parse.Read(d.path, []byte(d.text), d.format)
	case d.reading.File.Text() != d.text:
		d.reading = d.reading.Edit(difference(d.reading.File.Text(), d.text))
	}
	return d.reading
}

// difference is one edit that makes a text into another. It cuts no character.
func difference(old, text string) token.Edit {
	start := commonPrefix(old, text)
	for start > 0 && !boundary(old, start) {
		start--
	}
	end := len(old) - commonSuffix(old[start:], text[start:])
	for end < len(old) && !boundary(old, end) {
		end++
	}
	return token.Edit{Start: start, End: end, Text: text[start : len(text)-(len(old)-end)]}
}

func boundary(s string, i int) bool { return i == len(s) || utf8.RuneStart(s[i]) }

// stride is how many bytes are compared at a time.
const stride = 256

func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	i := 0
	for i+stride <= n && a[i:i+stride] == b[i:i+stride] {
		i += stride
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}

func commonSuffix(a, b string) int {
	n := min(len(a), len(b))
	i := 0
	for i+stride <= n && a[len(a)-i-stride:len(a)-i] == b[len(b)-i-stride:len(b)-i] {
		i += stride
	}
	for i < n && a[len(a)-1-i] == b[len(b)-1-i] {
		i++
	}
	return i
}

// offset is the place of a position. Positions behind the end of a line are
// taken as its end, as the protocol has it.
func (d *document) offset(p position) int {
	if p.Line < 0 {
		return 0
	}
	if p.Line >= len(d.starts) {
		return len(d.text)
	}
	at := d.starts[p.Line]
	end := len(d.text)
	if p.Line+1 < len(d.starts) {
		end = d.starts[p.Line+1]
	}
	for end > at && (d.text[end-1] == '\n' || d.text[end-1] == '\r') {
		end--
	}
	if d.utf8 {
		return min(at+max(p.Character, 0), end)
	}
	units := p.Character
	for at < end && units > 0 {
		r, n := utf8.DecodeRuneInString(d.text[at:])
		units--
		if r >= 0x10000 {
			units--
		}
		at += n
	}
	return at
}

// position is the place of an offset.
func (d *document) position(offset int) position {
	offset = max(0, min(offset, len(d.text)))
	line := sort.SearchInts(d.starts, offset+1) - 1
	from := d.starts[line]
	if d.utf8 {
		return position{line, offset - from}
	}
	units := 0
	for _, r := range d.text[from:offset] {
		units++
		if r >= 0x10000 {
			units++
		}
	}
	return position{line, units}
}

func (d *document) span(start, end int) span {
	return span{d.position(start), d.position(end)}
}

func (d *document) tokenSpan(at token.Span) span { return d.span(int(at.Start), int(at.End)) }

// path of nodes from the file down to the innermost one that covers an offset.
func (d *document) nodesAt(offset int) []ast.Node {
	var out []ast.Node
	var n ast.Node = d.parsed()
	for n != nil {
		out = append(out, n)
		var next ast.Node
		ast.Children(n, func(c ast.Node) {
			s := c.Span()
			if int(s.Start) <= offset && offset <= int(s.End) && (next == nil || s.Start >= next.Span().Start) {
				next = c
			}
		})
		n = next
	}
	return out
}

// tokenAt is the index of the token that covers an offset or ends at it, -1 for
// none.
func (d *document) tokenAt(offset int) int {
	toks := d.parsed().Stream.Tokens
	i := sort.Search(len(toks), func(i int) bool { return int(toks[i].End) >= offset })
	if i < len(toks) && int(toks[i].Start) <= offset && toks[i].Kind != token.EOF {
		// A word that begins here is meant rather than a mark that ends here.
		if i+1 < len(toks) && int(toks[i+1].Start) == offset && toks[i].Kind != token.Ident && toks[i].Kind != token.Trait {
			return i + 1
		}
		return i
	}
	return -1
}
