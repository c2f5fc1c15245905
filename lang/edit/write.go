package edit

import (
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/token"
)

// startOfLine says whether only white space stands before an offset on its line.
func (s *session) startOfLine(at int) bool {
	return strings.TrimLeft(s.text[s.lineStart(at):at], " \t\uFEFF") == ""
}

func (s *session) lineStart(at int) int { return strings.LastIndexAny(s.text[:at], "\r\n") + 1 }

// lineEnd is the end of the line that contains an offset, before its break.
func (s *session) lineEnd(at int) int {
	if i := strings.IndexAny(s.text[at:], "\r\n"); i >= 0 {
		return at + i
	}
	return len(s.text)
}

// indentAt is the white space that the line of an offset begins with.
func (s *session) indentAt(at int) string {
	line := s.text[s.lineStart(at):]
	line = strings.TrimPrefix(line, "\uFEFF")
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// unit is one level of indentation as the text has it.
func (s *session) unit() string {
	if s.step == "" {
		s.step = "  "
		if strings.Contains(s.text, "\n\t") || strings.Contains(s.text, "\r\t") {
			s.step = "\t"
		}
	}
	return s.step
}

// spread says whether the brackets of a body stand on lines of their own.
func (s *session) spread(open, end int) bool {
	return strings.ContainsAny(s.text[open:end], "\r\n")
}

// lastItem is the last item of a body, nil for an empty one.
func (s *session) lastItem(b *ast.Body) ast.Node {
	if len(b.Items) == 0 {
		return nil
	}
	return b.Items[len(b.Items)-1]
}

// leading is where an item begins together with its guard and the comments
// attached before it.
func (s *session) leading(n ast.Node) int {
	if g := s.guard(n); g != nil {
		return s.leading(g)
	}
	start := int(n.Span().Start)
	c := s.tree.Comments(n)
	if c == nil || len(c.Leading) == 0 || n.Common().Is(ast.Detached) {
		return start
	}
	from := start
	for i := len(c.Leading) - 1; i >= 0; i-- {
		at := c.Leading[i]
		if at.Style == token.Shebang || s.tree.Doc != "" && s.text[at.Start:at.End] == s.tree.Doc {
			break // it is the file's
		}
		if strings.Count(strings.ReplaceAll(s.text[at.End:from], "\r\n", "\n"), "\n") > 1 || !s.startOfLine(int(at.Start)) {
			break // an empty line between them, or the end of another line
		}
		from = int(at.Start)
	}
	return from
}

// trailing is where an item ends together with the comments behind it on its
// line.
func (s *session) trailing(n ast.Node) int {
	end := int(n.Span().End)
	if c := s.tree.Comments(n); c != nil {
		for _, t := range c.Trailing {
			end = max(end, int(t.End))
		}
	}
	return end
}

// commentAt is the comment that covers an offset or begins there.
func (s *session) commentAt(at int) (token.Comment, bool) {
	for _, c := range s.tree.Stream.Comments {
		if int(c.Start) <= at && at < int(c.End) {
			return c, true
		}
	}
	return token.Comment{}, false
}

// alone says whether nothing but white space, separators and comments stands
// behind an offset on its line, and where that line then ends.
func (s *session) alone(at int) (int, bool) {
	for at < len(s.text) {
		switch c := s.text[at]; {
		case c == '\r' || c == '\n':
			return at, true
		case c == ' ' || c == '\t' || c == ',' || c == ';':
			at++
		default:
			comment, ok := s.commentAt(at)
			if !ok || strings.ContainsAny(s.text[comment.Start:comment.End], "\r\n") {
				return at, false
			}
			at = int(comment.End)
		}
	}
	return at, true
}

// insertItem writes an item into the body of an element behind another item, or
// first when that is nil. The text may have lines; they are indented to fit.
func (s *session) insertItem(e *element, after ast.Node, item string) {
	s.insertInto(e.body, e.node, after, item, e.json, false)
}

// insertInto is insertItem for any body; holder is the node that the body
// belongs to. With commas items are separated as in strict documents. With blank
// an empty line parts the item from what is before it.
func (s *session) insertInto(b *ast.Body, holder, after ast.Node, item string, commas, blank bool) {
	open, end := int(b.At.Start), int(b.At.End)
	top := holder.Kind() == ast.KindFile
	indent := s.bodyIndent(b, holder)
	comma := ""
	if commas {
		comma = ","
	}
	gap := s.nl
	if blank {
		gap += s.nl
	}
	lines := strings.ContainsAny(item, "\n\x01")
	switch {
	case top && after == nil:
		at := len(s.text)
		before := ""
		if at > 0 && s.lineStart(at) != at {
			before = s.nl
		}
		if blank && strings.TrimSpace(s.text) != "" {
			before += s.nl
		}
		s.change(at, at, before+s.indented(item, "")+s.nl)
	case after != nil:
		at := int(after.Span().End)
		if !top && !s.spread(open, end) && !lines {
			s.change(at, at, s.joint(at, comma)+item)
			return
		}
		if to, alone := s.alone(at); alone {
			if commas && !strings.Contains(s.text[at:to], ",") {
				s.change(at, at, ",")
			}
			if at > 0 && (s.text[at-1] == '\n' || s.text[at-1] == '\r') { // a text that ends with its line
				s.change(at, at, indent+s.indented(item, indent)+s.nl)
				return
			}
			s.change(to, to, gap+indent+s.indented(item, indent))
			return
		}
		if lines && !top && !s.spread(open, end) { // the first item with lines of its own
			s.change(at, at, comma+s.nl+indent+s.indented(item, indent))
			s.closeLine(b, holder)
			return
		}
		s.change(at, at, s.joint(at, comma)+s.indented(item, indent))
	case s.empty(b):
		if !lines {
			s.change(open, end, "{ "+item+" }")
			return
		}
		s.change(open, end, "{"+s.nl+indent+s.indented(item, indent)+s.nl+s.indentAt(int(holder.Span().Start))+"}")
	default:
		if to, alone := s.alone(open + 1); alone {
			s.change(to, to, s.nl+indent+s.indented(item, indent)+s.tail(b, comma))
			return
		}
		if len(b.Items) == 0 { // a comment on the line of the brace that goes on below
			s.change(open+1, open+1, " "+s.indented(item, indent))
			return
		}
		s.change(open+1, open+1, " "+s.indented(item, indent)+",")
	}
}

// tail is what separates a first item from the next one.
func (s *session) tail(b *ast.Body, comma string) string {
	if len(b.Items) == 0 {
		return ""
	}
	return comma
}

// joint separates an item from the one before it on a line.
func (s *session) joint(at int, comma string) string {
	if comma == "" {
		comma = ","
	}
	return comma + " "
}

// closeLine moves the closing brace of a one-line body to its own line.
func (s *session) closeLine(b *ast.Body, holder ast.Node) {
	end := int(b.At.End) - 1
	from := end
	for from > 0 && (s.text[from-1] == ' ' || s.text[from-1] == '\t') {
		from--
	}
	s.change(from, end, s.nl+s.indentAt(int(holder.Span().Start)))
}

// empty says whether nothing stands between the braces of a body.
func (s *session) empty(b *ast.Body) bool {
	if int(b.At.End)-int(b.At.Start) < 2 {
		return false
	}
	return strings.TrimSpace(s.text[b.At.Start+1:b.At.End-1]) == ""
}

// bodyIndent is the indentation of items of a body: that of one that begins a
// line, else one level more than the holder's line.
func (s *session) bodyIndent(b *ast.Body, holder ast.Node) string {
	for i := len(b.Items) - 1; i >= 0; i-- {
		if at := int(b.Items[i].Span().Start); s.startOfLine(at) {
			return s.indentAt(at)
		}
	}
	if holder.Kind() == ast.KindFile {
		return ""
	}
	return s.indentAt(int(holder.Span().Start)) + s.unit()
}

// indented writes the lines behind the first of an item with an indentation and
// with the line ends and the unit of the text.
func (s *session) indented(item, indent string) string {
	if !strings.Contains(item, "\n") {
		return item
	}
	lines := strings.Split(item, "\n")
	for i := 1; i < len(lines); i++ {
		body := strings.TrimLeft(lines[i], " ")
		if body == "" {
			lines[i] = ""
			continue
		}
		lines[i] = indent + strings.Repeat(s.unit(), (len(lines[i])-len(body))/2) + body
	}
	return strings.Join(lines, s.nl)
}

// removeItem takes an item away with its comments, and the line that it leaves
// empty; inside of a line it takes a separator along.
func (s *session) removeItem(n ast.Node, open, end int) {
	from, to := s.leading(n), s.trailing(n)
	if s.tree.IsValueDocument {
		s.dropComma(n)
	}
	// its own separator goes with it
	for i := int(n.Span().End); i < end; i++ {
		if c := s.text[i]; c == ',' || c == ';' {
			to = max(to, i+1)
			break
		} else if c != ' ' && c != '\t' {
			break
		}
	}
	if stop, alone := s.alone(to); alone && s.startOfLine(from) {
		if strings.Trim(s.text[to:stop], " \t,;") == "" {
			to = stop
		}
		from = s.lineStart(from)
		if strings.HasPrefix(s.text[from:], "\uFEFF") {
			from += len("\uFEFF")
		}
		to = s.pastBreak(to)
		if s.blankBefore(from) && s.blankAt(to) {
			to = s.pastBreak(s.lineEnd(to))
		}
		s.change(from, to, "")
		return
	}
	// inside of a line
	next := to
	for next < len(s.text) && (s.text[next] == ' ' || s.text[next] == '\t') {
		next++
	}
	before := from
	for before > open && (s.text[before-1] == ' ' || s.text[before-1] == '\t') {
		before--
	}
	last := next >= end || next < len(s.text) && (s.text[next] == '\n' || s.text[next] == '\r')
	switch {
	case last && before > open && (s.text[before-1] == ',' || s.text[before-1] == ';'): // the last on its line
		s.change(before-1, to, "")
	case before == open && next >= end: // the only one
		s.change(open, end, "")
	case last:
		s.change(before, to, "")
	default:
		s.change(from, next, "")
	}
}

// dropComma takes away the comma before the last item of a list or an object
// that goes, so that a strict document stays one. On a line of their own both go
// with the item.
func (s *session) dropComma(n ast.Node) {
	toks := s.tree.Stream.Tokens
	first, _ := slices.BinarySearchFunc(toks, n.Span().Start, func(t token.Token, at uint32) int { return int(t.Start) - int(at) })
	last, _ := slices.BinarySearchFunc(toks, n.Span().End, func(t token.Token, at uint32) int { return int(t.Start) - int(at) })
	if first == 0 || toks[first-1].Kind != token.Comma || !toks[last].Kind.Closes() || !s.startOfLine(s.leading(n)) {
		return
	}
	s.change(int(toks[first-1].Start), int(toks[first-1].End), "")
}

func (s *session) pastBreak(at int) int {
	if strings.HasPrefix(s.text[at:], "\r\n") {
		return at + 2
	}
	if at < len(s.text) && (s.text[at] == '\n' || s.text[at] == '\r') {
		return at + 1
	}
	return at
}

// blankBefore says whether the line before the one that begins at an offset is
// empty, or opens a body.
func (s *session) blankBefore(at int) bool {
	if at == 0 {
		return true
	}
	end := at - 1
	if end > 0 && s.text[end] == '\n' && s.text[end-1] == '\r' {
		end--
	}
	line := strings.TrimRight(s.text[s.lineStart(end):end], " \t")
	return strings.TrimSpace(line) == "" || strings.HasSuffix(line, "{")
}

// blankAt says whether the line that begins at an offset is empty.
func (s *session) blankAt(at int) bool {
	return at < len(s.text) && strings.TrimSpace(s.text[at:s.lineEnd(at)]) == ""
}
