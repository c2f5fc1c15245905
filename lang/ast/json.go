package ast

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/meshd/meshd/lang/token"
)

// Version names the JSON form of the tree.
const Version = "ast/1"

// AppendJSON appends the JSON form of a file: each node with its kind, span and
// fields in the order of the specification, comments in "comments", fields that
// are empty left out.
func AppendJSON(dst []byte, f *File) []byte {
	w := &jsonWriter{file: f, out: dst}
	w.write(f)
	return w.out
}

// AppendNodeJSON is AppendJSON for one node of a file.
func AppendNodeJSON(dst []byte, f *File, n Node) []byte {
	w := &jsonWriter{file: f, out: dst}
	w.write(n)
	return w.out
}

type jsonWriter struct {
	file  *File
	out   []byte
	empty bool // the list under way has no element yet
	skip  bool // the list under way is left out
}

func (w *jsonWriter) write(n Node) {
	w.out = append(w.out, '{')
	if n.Kind() == KindFile {
		w.out = append(w.out, `"v":"`+Version+`",`...)
	}
	w.out = append(w.out, `"kind":"`...)
	w.out = append(w.out, n.Kind().String()...)
	w.out = append(w.out, `","span":`...)
	w.span(n.Span())
	n.fields(w)
	if p := n.Common().Parens; p > 0 {
		w.name("parens")
		w.out = strconv.AppendUint(w.out, uint64(p), 10)
	}
	w.flag("has_error", n.HasError())
	w.comments(n)
	if s, ok := n.(*File); ok {
		w.comments(&s.Body)
	}
	w.out = append(w.out, '}')
}

func (w *jsonWriter) span(s token.Span) {
	w.out = append(w.out, '[')
	w.out = strconv.AppendUint(w.out, uint64(s.Start), 10)
	w.out = append(w.out, ',')
	w.out = strconv.AppendUint(w.out, uint64(s.End), 10)
	w.out = append(w.out, ']')
}

func (w *jsonWriter) comments(n Node) {
	c := w.file.Comments(n)
	if c == nil {
		return
	}
	w.name("comments")
	mark := byte('[')
	for _, group := range []struct {
		place string
		list  []token.Comment
	}{{"leading", c.Leading}, {"inner", c.Inner}, {"trailing", c.Trailing}} {
		for _, one := range group.list {
			w.out = append(w.out, mark)
			mark = ','
			w.out = append(w.out, `{"place":"`+group.place+`","text":`...)
			w.quote(w.file.Text()[one.Start:one.End])
			w.out = append(w.out, `,"span":`...)
			w.span(token.Span{Start: one.Start, End: one.End})
			w.out = append(w.out, '}')
		}
	}
	w.out = append(w.out, ']')
}

func (w *jsonWriter) name(name string) {
	w.out = append(w.out, ',', '"')
	w.out = append(w.out, name...)
	w.out = append(w.out, '"', ':')
}

func (w *jsonWriter) quote(s string) {
	data, err := json.Marshal(s)
	if err != nil { // no string fails to encode
		data = []byte(`""`)
	}
	w.out = append(w.out, data...)
}

func (w *jsonWriter) text(name, value string) {
	if value != "" {
		w.name(name)
		w.quote(value)
	}
}

func (w *jsonWriter) texts(name string, values []string) {
	if len(values) == 0 {
		return
	}
	w.name(name)
	for i, s := range values {
		w.out = append(w.out, "[,"[min(i, 1)])
		w.quote(s)
	}
	w.out = append(w.out, ']')
}

func (w *jsonWriter) flag(name string, value bool) {
	if value {
		w.name(name)
		w.out = append(w.out, "true"...)
	}
}

func (w *jsonWriter) form(name, value string) {
	if value == "true" {
		w.flag(name, true)
	} else {
		w.text(name, value)
	}
}

func (w *jsonWriter) node(name string, n Node) {
	if n != nil {
		w.name(name)
		w.write(n)
	}
}

func (w *jsonWriter) begin(name string, n int) {
	if w.skip = n == 0; w.skip {
		return
	}
	w.name(name)
	w.out = append(w.out, '[')
	w.empty = true
}

func (w *jsonWriter) item(n Node) {
	if !w.empty {
		w.out = append(w.out, ',')
	}
	w.write(n)
	w.empty, w.skip = false, false
}

func (w *jsonWriter) end() {
	if !w.skip {
		w.out = append(w.out, ']')
	}
	w.skip = false
}

// Equal says whether two trees are structurally equal: kinds and fields, and the
// sequence of comment texts. Spans, blank lines and how a thing is spelt where
// the language has several spellings do not count.
func Equal(a, b *File) bool {
	return EqualNodes(a, b) && slices.EqualFunc(a.Stream.Comments, b.Stream.Comments, func(x, y token.Comment) bool {
		return a.CommentText(x) == b.CommentText(y)
	})
}

// EqualNodes is Equal for two nodes, without their comments.
func EqualNodes(a, b Node) bool { return slices.Equal(Shape(nil, a), Shape(nil, b)) }

// Shape appends what structural equality compares, as text.
func Shape(dst []byte, n Node) []byte {
	w := &shapeWriter{out: dst}
	w.write(n)
	return w.out
}

type shapeWriter struct {
	out  []byte
	skip bool // the list under way is empty
}

func (w *shapeWriter) write(n Node) {
	w.out = append(w.out, n.Kind().String()...)
	w.out = append(w.out, '(')
	n.fields(w)
	w.out = append(w.out, ')')
}

func (w *shapeWriter) text(name, value string) {
	if value != "" {
		w.out = append(w.out, name...)
		w.out = append(w.out, '=')
		w.out = strconv.AppendQuote(w.out, value)
		w.out = append(w.out, ' ')
	}
}

func (w *shapeWriter) texts(name string, values []string) {
	if len(values) > 0 {
		w.out = append(w.out, name...)
		for _, s := range values {
			w.out = append(w.out, '=')
			w.out = strconv.AppendQuote(w.out, s)
		}
		w.out = append(w.out, ' ')
	}
}

func (w *shapeWriter) flag(name string, value bool) {
	if value {
		w.out = append(w.out, name...)
		w.out = append(w.out, ' ')
	}
}

func (w *shapeWriter) form(string, string) {}

func (w *shapeWriter) node(name string, n Node) {
	if n != nil {
		w.out = append(w.out, name...)
		w.out = append(w.out, ':')
		w.write(n)
	}
}

func (w *shapeWriter) begin(name string, n int) {
	if w.skip = n == 0; w.skip {
		return
	}
	w.out = append(w.out, name...)
	w.out = append(w.out, '[')
}

func (w *shapeWriter) item(n Node) { w.write(n); w.skip = false }

func (w *shapeWriter) end() {
	if !w.skip {
		w.out = append(w.out, ']')
	}
	w.skip = false
}
