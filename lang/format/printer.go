package format

import (
	"strings"

	"github.com/meshd/meshd/lang/ast"
)

type printer struct {
	f    *ast.File
	out  []byte
	keep func(ast.Node) bool // items at the top that stay as written

	indent int // levels of two spaces
	line   int // where the current line begins in out
	tail   int // bytes that will follow on the line behind what is printed now
	flat   bool
	over   bool // printing flat has left the line
	wide   int  // in how many substitutions of templates: they have no width
	bar    int  // where a block string or a directive ended in out: nothing may follow on its line
	strict bool // a value document: commas between pairs and elements
}

func newPrinter(f *ast.File) *printer {
	return &printer{f: f, strict: f.IsValueDocument, out: make([]byte, 0, len(f.Text())+len(f.Text())/8+64)}
}

// s prints a text without line breaks.
func (p *printer) s(text string) {
	if p.dead() {
		return
	}
	if p.bar == len(p.out) && p.bar > 0 && text != "" {
		p.nl()
	}
	p.out = append(p.out, text...)
	if p.flat && p.wide == 0 && len(p.out)-p.line+p.tail > Width {
		p.over = true
	}
}

// raw prints a text that may contain line breaks, as it is.
func (p *printer) raw(text string) {
	if p.dead() {
		return
	}
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		if p.over = true; p.flat {
			return
		}
		p.out = append(p.out, text...)
		p.line = len(p.out) - (len(text) - i - 1)
		return
	}
	p.s(text)
}

// nl starts a line at the current indentation.
func (p *printer) nl() {
	p.over = true
	if p.flat {
		return
	}
	p.trim()
	p.out = append(p.out, '\n')
	p.line = len(p.out)
	for range p.indent {
		p.out = append(p.out, ' ', ' ')
	}
}

// insertBlank puts an empty line before the line that begins at an offset of out.
func (p *printer) insertBlank(at int) {
	p.out = append(p.out, 0)
	copy(p.out[at+1:], p.out[at:])
	p.out[at] = '\n'
	p.line++
}

// trim takes the indentation of a line without text away.
func (p *printer) trim() {
	end := len(p.out)
	for end > p.line && p.out[end-1] == ' ' {
		end--
	}
	if end == p.line {
		p.out = p.out[:end]
	}
}

// dead says that printing flat has left the line, so that nothing of what is
// printed will stay.
func (p *printer) dead() bool { return p.flat && p.over }

// fits prints flat and says whether that stayed on the line; if not, what was
// printed is taken back. Inside of another attempt it only prints: the outer one
// decides, so that no part is tried twice at one level.
func (p *printer) fits(print func()) bool {
	if p.flat {
		print()
		return true
	}
	at, line, over, tail := len(p.out), p.line, p.over, p.tail
	p.flat, p.over = true, p.wide == 0 && at-line+tail > Width
	print()
	ok := !p.over
	p.flat, p.over, p.tail = false, over, tail
	if !ok {
		p.out, p.line = p.out[:at], line
	}
	return ok
}

// file prints the whole file.
func (p *printer) file() {
	text := p.f.Text()
	if strings.HasPrefix(strings.TrimPrefix(text, "\uFEFF"), "#!") {
		c := p.f.Stream.Comments[0]
		p.s(strings.TrimRight(text[c.Start:c.End], " \t"))
		p.nl()
	}
	p.items(&p.f.Body, true, 0)
	end := len(p.out)
	for end > 0 && (p.out[end-1] == ' ' || p.out[end-1] == '\n') {
		end--
	}
	if p.out = p.out[:end]; end > 0 {
		p.out = append(p.out, '\n')
	}
}
