package format

import (
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/token"
)

// text prints a string: in double quotes unless single ones need fewer escapes.
func (p *printer) text(n *ast.String) {
	switch {
	case n.Raw[0] == '|':
		p.blockString(n)
	case token.IsTriple(n.Raw) || p.strict && n.Raw[0] == '"' || n.Is(ast.Damaged):
		p.raw(lf(n.Raw))
	default:
		p.quoted(n.Raw)
	}
}

// lf makes LF of the line ends in a text.
func lf(s string) string {
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// quoted prints a quoted text with the quotes that need fewer escapes.
func (p *printer) quoted(raw string) {
	if token.IsTriple(raw) || p.strict && raw[0] == '"' {
		p.raw(lf(raw))
		return
	}
	inner := lf(raw[1 : len(raw)-1])
	mark := byte('"')
	if strings.Count(inner, `"`) > strings.Count(inner, "'") {
		mark = '\''
	}
	if raw[0] == mark && strings.IndexByte(inner, '\\') < 0 {
		p.raw(string(mark) + inner + string(mark))
		return
	}
	out := make([]byte, 1, len(inner)+4)
	out[0] = mark
	for i := 0; i < len(inner); i++ {
		c := inner[i]
		if c == '\\' && i+1 < len(inner) {
			i++
			if c = inner[i]; c != '"' && c != '\'' {
				out = append(out, '\\', c)
				continue
			}
		}
		if c == mark {
			out = append(out, '\\')
		}
		out = append(out, c)
	}
	p.raw(string(append(out, mark)))
}

// blockString prints | and the lines of the text below it, deeper than the line
// that the bar stands on.
func (p *printer) blockString(n *ast.String) {
	p.over = true
	p.s("|")
	value := n.Value()
	if value == "" {
		return
	}
	p.indent++
	for _, l := range strings.Split(strings.TrimSuffix(value, "\n"), "\n") {
		p.nl()
		p.s(l)
	}
	p.indent--
	p.bar = len(p.out)
}

func (p *printer) template(n *ast.Template) {
	p.s("`")
	p.raw(lf(n.Texts[0]))
	for i, x := range n.Exprs {
		if text, ok := p.overLines(x); ok {
			p.raw(text)
		} else {
			p.s("${")
			p.wide++
			p.expr(x)
			p.wide--
			p.s("}")
		}
		p.raw(lf(n.Texts[i+1]))
	}
	p.s("`")
}

// overLines is ${ … } around an expression as the author wrote it, when that spans
// lines: where a text breaks is the author's. On one line it stays on one line.
func (p *printer) overLines(x ast.Node) (string, bool) {
	text, s := p.f.Text(), x.Span()
	start := len(strings.TrimRight(text[:s.Start], " \t\r\n"))
	end := len(text) - len(strings.TrimLeft(text[s.End:], " \t\r\n"))
	if !strings.HasSuffix(text[:start], "${") || !strings.HasPrefix(text[end:], "}") || !strings.ContainsAny(text[start:end], "\r\n") {
		return "", false
	}
	return lf(text[start-2 : end+1]), true
}
