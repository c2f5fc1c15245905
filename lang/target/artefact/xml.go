package artefact

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
)

// maxIndent is the level from which lines are indented no further: a chain of
// thousands of elements would be more spaces than text.
const maxIndent = 40

// XML is a document in the making, indented by two spaces a level. Its zero
// value is an empty one. Every text that goes into it is escaped.
type XML struct {
	b     bytes.Buffer
	depth int
}

// Begin writes the declaration and the header as a comment.
func (d *XML) Begin(header string) {
	d.b.WriteString("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n")
	d.Comment(header)
}

// Bytes is what was written so far.
func (d *XML) Bytes() []byte { return d.b.Bytes() }

func (d *XML) indent() { d.b.WriteString(strings.Repeat("  ", min(d.depth, maxIndent))) }

// tag writes a tag; attributes are pairs of name and value.
func (d *XML) tag(name string, attributes []string, end string) {
	d.indent()
	d.b.WriteString("<" + name)
	for i := 0; i+1 < len(attributes); i += 2 {
		fmt.Fprintf(&d.b, ` %s="%s"`, attributes[i], EscapeXML(attributes[i+1]))
	}
	d.b.WriteString(end)
}

// Open begins an element; attributes are pairs of name and value.
func (d *XML) Open(name string, attributes ...string) {
	d.tag(name, attributes, ">\n")
	d.depth++
}

// Close ends the element that was opened last.
func (d *XML) Close(name string) {
	d.depth--
	d.indent()
	d.b.WriteString("</" + name + ">\n")
}

// Empty writes an element without content.
func (d *XML) Empty(name string, attributes ...string) { d.tag(name, attributes, "/>\n") }

// Text writes an element that contains a text.
func (d *XML) Text(name, value string, attributes ...string) {
	d.tag(name, attributes, ">")
	fmt.Fprintf(&d.b, "%s</%s>\n", EscapeXML(value), name)
}

// Comment writes a comment of one line.
func (d *XML) Comment(text string) {
	d.indent()
	text = strings.ReplaceAll(OneLine(text), "--", "- -")
	fmt.Fprintf(&d.b, "<!-- %s -->\n", strings.TrimSuffix(text, "-"))
}

// EscapeXML is a text as it stands in content and attributes; what XML has no
// place for becomes U+FFFD.
func EscapeXML(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a bytes.Buffer does not fail
	return b.String()
}

// OneLine is a text without control characters.
func OneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0xfffe || r == 0xffff {
			return ' '
		}
		return r
	}, s)
}
