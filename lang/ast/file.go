package ast

import (
	"strings"

	"github.com/meshd/meshd/lang/token"
)

// Format is one of the three kinds of source file. All share one grammar; the
// format selects defaults and lints.
type Format uint8

// The formats.
const (
	Holo   Format = iota // .holo: a scene
	HS                   // .hs: nodes, wiring, pipelines
	HSPlus               // .hsplus: typed modules and behaviour
)

var formatNames = [...]string{"holo", "hs", "hsplus"}

// String is the name of the format, which is also its extension without a dot.
func (f Format) String() string { return formatNames[f] }

// ParseFormat finds a format by its name.
func ParseFormat(name string) (Format, bool) {
	for i, n := range formatNames {
		if n == name {
			return Format(i), true
		}
	}
	return Holo, false
}

// FormatOf is the format that the extension of a path names.
func FormatOf(path string) (Format, bool) {
	i := strings.LastIndexByte(path, '.')
	return ParseFormat(path[i+1:])
}

// GuessFormat is the format of a text without a file name, by its first word.
func GuessFormat(text string) Format {
	text = strings.TrimPrefix(text, "\uFEFF")
	for {
		text = strings.TrimLeft(text, " \t\r\n")
		switch {
		case strings.HasPrefix(text, "//"), strings.HasPrefix(text, "#!"), strings.HasPrefix(text, "# "):
			end := strings.IndexAny(text, "\r\n")
			if end < 0 {
				return Holo
			}
			text = text[end:]
		case strings.HasPrefix(text, "/*"):
			end := strings.Index(text[2:], "*/")
			if end < 0 {
				return Holo
			}
			text = text[end+4:]
		default:
			end := strings.IndexFunc(text, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') })
			if end < 0 {
				end = len(text)
			}
			switch text[:end] {
			case "import", "module", "struct":
				return HSPlus
			case "pipeline", "connect":
				return HS
			}
			return Holo
		}
	}
}

// Comments are the comments at a node.
type Comments struct {
	Leading  []token.Comment // before it
	Trailing []token.Comment // behind it on its last line
	Inner    []token.Comment // in a body behind its last item; in other nodes at a place that belongs to no child
}

// File is a source file.
type File struct {
	Base
	// Stream is the text, its tokens and all its comments.
	Stream *token.Stream
	Format Format
	// Doc is the /** … */ comment before the first item, whole, or empty.
	Doc string
	// IsValueDocument says that the file is one object or array, its only item.
	IsValueDocument bool
	Body            Body // the items; its span is the file's

	comments []Comments
	spare    []uint32 // places of comments that no node has
}

// Items are the items at the top of the file.
func (f *File) Items() []Node { return f.Body.Items }

// Path is the name that the file was parsed under.
func (f *File) Path() string { return f.Stream.Source.Path }

// Text is the whole text of the file.
func (f *File) Text() string { return f.Stream.Source.Text }

// Slice is the source of a span.
func (f *File) Slice(s token.Span) string { return f.Stream.Source.Text[s.Start:s.End] }

// Comments are the comments at a node, nil when it has none.
func (f *File) Comments(n Node) *Comments {
	if i := n.Common().note; i > 0 {
		return &f.comments[i-1]
	}
	return nil
}

// Attach makes room for the comments of a node and returns it. The pointer is
// good until the next call. For the parser.
func (f *File) Attach(n Node) *Comments {
	b := n.Common()
	if n := len(f.spare); b.note == 0 && n > 0 {
		b.note = f.spare[n-1]
		f.spare = f.spare[:n-1]
	}
	if b.note == 0 {
		f.comments = append(f.comments, Comments{})
		b.note = uint32(len(f.comments))
	}
	return &f.comments[b.note-1]
}

// CommentText is the text of a comment without its marks, the lines without
// outer white space and the stars of a block comment's lines.
func (f *File) CommentText(c token.Comment) string {
	text := f.Text()[c.Start:c.End]
	switch c.Style {
	case token.Line, token.Shebang:
		return strings.TrimSpace(text[2:])
	case token.Hash:
		return strings.TrimSpace(text[1:])
	}
	text = strings.TrimSuffix(text[2:], "*/")
	lines := strings.Split(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l)
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// Kind implements Node.
func (f *File) Kind() Kind { return KindFile }

func (f *File) fields(v visitor) {
	v.form("path", f.Path())
	v.text("format", f.Format.String())
	v.form("encoding", f.Stream.Source.Encoding.String())
	v.form("doc", f.Doc)
	v.flag("is_value_document", f.IsValueDocument)
	list(v, "items", f.Body.Items)
}

// Body is what stands in braces: the items of a block, of a function, of an
// object or of a configuration.
type Body struct {
	Base
	Items []Node
}

// Kind implements Node.
func (b *Body) Kind() Kind { return KindBody }

func (b *Body) fields(v visitor) { list(v, "items", b.Items) }

// Key is the key of a property.
type Key struct {
	Base
	// Raw is the spelling, quotes included; empty when Computed is set.
	Raw      string
	Computed Node // [expr]
}

// Kind implements Node.
func (k *Key) Kind() Kind { return KindKey }

func (k *Key) fields(v visitor) {
	v.texts("parts", k.Parts())
	v.node("computed", k.Computed)
}

// Parts are the words of a dotted key, without quotes. A hyphen does not part.
func (k *Key) Parts() []string {
	if k.Raw == "" {
		return nil
	}
	return segments(k.Raw)
}

// Name is the key in one text: its parts joined by dots.
func (k *Key) Name() string {
	if k.Raw != "" && (k.Raw[0]|32 >= 'a' && k.Raw[0]|32 <= 'z' || k.Raw[0] == '_') && !strings.ContainsAny(k.Raw, ".:") {
		return k.Raw // a word, as most are
	}
	return strings.Join(k.Parts(), ".")
}

// segments cuts a path or key at its dots and double colons.
func segments(raw string) []string {
	var out []string
	switch c := raw[0]; {
	case c == '"' || c == '\'':
		n := quotedEnd(raw)
		out = append(out, token.Unquote(raw[:n]))
		raw = raw[n:]
	case c >= '0' && c <= '9' || c == '.':
		number, unit := token.SplitNumber(raw)
		if trimmed := strings.TrimSuffix(number, "."); trimmed != number { // the dot of 1.a parts
			number, unit = trimmed, "."+unit
		}
		word := 0
		for word < len(unit) && unit[word] != '.' {
			word++
		}
		out = append(out, number+unit[:word])
		raw = unit[word:]
	default:
		n := strings.IndexAny(raw, ".:")
		if n < 0 {
			return []string{raw}
		}
		out = append(out, raw[:n])
		raw = raw[n:]
	}
	for raw != "" {
		raw = strings.TrimLeft(raw, ".:")
		n := strings.IndexAny(raw, ".:")
		if n < 0 {
			n = len(raw)
		}
		if n > 0 {
			out = append(out, raw[:n])
		}
		raw = raw[n:]
	}
	return out
}

// quotedEnd is where the text ends that raw begins with.
func quotedEnd(raw string) int {
	if token.IsTriple(raw) {
		if n := strings.LastIndex(raw, raw[:3]); n > 0 {
			return n + 3
		}
	}
	for i := 1; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case raw[0]:
			return i + 1
		}
	}
	return len(raw)
}

// Bad covers tokens that could not be read.
type Bad struct {
	Base
	First, Last int32 // the tokens of the file's stream, Last exclusive
	Text        string
}

// Tokens are the tokens that could not be read.
func (b *Bad) Tokens(f *File) []token.Token { return f.Stream.Tokens[b.First:b.Last] }

// Kind implements Node.
func (b *Bad) Kind() Kind { return KindBad }

func (b *Bad) fields(v visitor) { v.text("text", b.Text) }
