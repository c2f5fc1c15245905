package description

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Holo is the scene as .holo text. Equal descriptions give equal texts.
func (s *Scene) Holo() string {
	w := &writer{}
	title := s.name
	if title == "" {
		title = "Scene"
	}
	w.line("composition " + quote(title) + " {")
	w.indent++
	if len(s.environment) > 0 {
		w.line("environment {")
		w.indent++
		w.settings(s.environment)
		w.indent--
		w.line("}")
	}
	for _, i := range s.roots {
		s.node(w, &s.nodes[i])
	}
	w.indent--
	w.line("}")
	return w.String()
}

func (s *Scene) node(w *writer, n *node) {
	head := kinds[n.Type] + " " + quote(n.Name)
	for _, t := range n.Traits {
		head += " @" + t.Name
		if len(t.params) > 0 {
			head += "(" + pairs(t.params) + ")"
		}
	}
	if n.Type == "splat" {
		head += " @gaussian_splat"
		if n.Src != "" {
			head += "(src: " + quote(n.Src) + ")"
		}
	}
	w.line(head + " {")
	w.indent++
	if n.ID != "" {
		w.line("id: " + quote(n.ID))
	}
	switch {
	case n.Type == "mesh" && n.Src != "":
		w.line("model: " + quote(n.Src))
	case n.Type == "mesh" && n.Primitive != "":
		w.line("geometry: " + quote(n.Primitive))
	case n.Type == "mesh":
		w.line(`geometry: "box"`)
	case n.Type != "splat" && n.Src != "":
		w.line("src: " + quote(n.Src))
	}
	if n.Type != "mesh" && n.Primitive != "" {
		w.line("geometry: " + quote(n.Primitive))
	}
	for _, v := range []struct {
		key     string
		numbers []float64
	}{{"position", n.Position}, {"rotation", n.Rotation}, {"scale", n.scale}} {
		switch len(v.numbers) {
		case 0:
		case 1:
			w.line(v.key + ": " + number(v.numbers[0]))
		default:
			w.line(v.key + ": " + list(v.numbers))
		}
	}
	if _, own := n.light["color"]; n.Color != "" && !own {
		w.line("color: " + quote(n.Color))
	}
	if n.material != nil {
		w.line("material: " + value(n.material))
	}
	w.settings(n.light)
	for _, i := range n.children {
		s.node(w, &s.nodes[i])
	}
	w.indent--
	w.line("}")
}

type writer struct {
	strings.Builder
	indent int
}

func (w *writer) line(text string) {
	w.WriteString(strings.Repeat("  ", w.indent))
	w.WriteString(text)
	w.WriteByte('\n')
}

// settings writes one setting a line, by key.
func (w *writer) settings(m map[string]any) {
	for _, key := range sorted(m) {
		w.line(key + ": " + value(m[key]))
	}
}

func sorted(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func pairs(m map[string]any) string {
	var out []string
	for _, key := range sorted(m) {
		out = append(out, key+": "+value(m[key]))
	}
	return strings.Join(out, ", ")
}

func value(v any) string {
	switch v := v.(type) {
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return number(v)
	case string:
		return quote(v)
	case []any:
		out := make([]string, len(v))
		for i := range v {
			out[i] = value(v[i])
		}
		return "[" + strings.Join(out, ", ") + "]"
	case map[string]any:
		if len(v) == 0 {
			return "{}"
		}
		return "{ " + pairs(v) + " }"
	}
	return "null"
}

func list(numbers []float64) string {
	out := make([]string, len(numbers))
	for i, n := range numbers {
		out[i] = number(n)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

func number(n float64) string {
	if abs := math.Abs(n); n == 0 || abs >= 1e-6 && abs < 1e15 {
		return strconv.FormatFloat(n+0, 'f', -1, 64)
	}
	return strconv.FormatFloat(n, 'e', -1, 64)
}

// quote writes a text so that the lexer reads it back: quotes and backslashes
// escaped, line ends and what has no look as \u{…}.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfeff:
			b.WriteString(`\u{` + strconv.FormatInt(int64(r), 16) + `}`)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
