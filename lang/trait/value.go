package trait

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Kind says what a Value is.
type Kind uint8

// The kinds of values. Unknown is a value that is only known at run time: an
// expression, a state reference, a call. It fits every type.
const (
	Unknown Kind = iota
	Null
	Bool
	Number  // Num, with Unit when one was written
	Text    // Str: a string
	Word    // Str: a bare word, which may be an enum value or a reference
	Color   // Str: a colour literal with its #
	List    // List
	Map     // Fields
	Handler // a function
)

var kindNames = [...]string{"unknown", "null", "boolean", "number", "string", "word", "color", "list", "object", "function"}

// String is the name messages use.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "kind(" + strconv.Itoa(int(k)) + ")"
}

// Value is a parameter value as a source or a trait file gives it. The zero
// Value is Unknown.
type Value struct {
	Kind   Kind
	Bool   bool
	Num    float64
	Unit   string
	Str    string
	List   []Value
	Fields []Field
}

// Field is a member of a Map, in the order of its source.
type Field struct {
	Key   string
	Value Value
	From  *Origin
}

// Origin is where a source says a member, and whether anything has asked for it.
// Nil, it notes neither. It is no part of the value: Equal and JSON leave it out.
type Origin struct {
	File, Start, End int // of the key, in bytes
	Used             bool
}

// Use notes that something asked for the member.
func (o *Origin) Use() {
	if o != nil {
		o.Used = true
	}
}

// Equal compares two values by content; the order of a Map's fields counts.
func (v Value) Equal(w Value) bool {
	if v.Kind != w.Kind || v.Bool != w.Bool || v.Num != w.Num || v.Unit != w.Unit || v.Str != w.Str ||
		len(v.List) != len(w.List) || len(v.Fields) != len(w.Fields) {
		return false
	}
	for i := range v.List {
		if !v.List[i].Equal(w.List[i]) {
			return false
		}
	}
	for i := range v.Fields {
		if v.Fields[i].Key != w.Fields[i].Key || !v.Fields[i].Value.Equal(w.Fields[i].Value) {
			return false
		}
	}
	return true
}

// MarshalJSON encodes the value as the catalogue writes it. A number with a
// unit becomes text; what is not known before run time becomes null.
func (v Value) MarshalJSON() ([]byte, error) { return v.appendJSON(nil) }

func (v Value) appendJSON(b []byte) ([]byte, error) {
	var err error
	switch v.Kind {
	case Bool:
		return strconv.AppendBool(b, v.Bool), nil
	case Number:
		if v.Unit != "" {
			return appendText(b, formatNumber(v.Num)+v.Unit)
		}
		n, err := json.Marshal(v.Num)
		return append(b, n...), err
	case Text, Word, Color:
		return appendText(b, v.Str)
	case List:
		b = append(b, '[')
		for i, e := range v.List {
			if i > 0 {
				b = append(b, ',')
			}
			if b, err = e.appendJSON(b); err != nil {
				return nil, err
			}
		}
		return append(b, ']'), nil
	case Map:
		b = append(b, '{')
		for i, f := range v.Fields {
			if i > 0 {
				b = append(b, ',')
			}
			if b, err = appendText(b, f.Key); err != nil {
				return nil, err
			}
			b = append(b, ':')
			if b, err = f.Value.appendJSON(b); err != nil {
				return nil, err
			}
		}
		return append(b, '}'), nil
	default:
		return append(b, "null"...), nil
	}
}

func appendText(b []byte, s string) ([]byte, error) {
	text, err := json.Marshal(s)
	return append(b, text...), err
}

// Source is the value as a source file spells it, on one line.
func (v Value) Source() string {
	switch v.Kind {
	case Bool:
		return strconv.FormatBool(v.Bool)
	case Number:
		return formatNumber(v.Num) + v.Unit
	case Text:
		return quote(v.Str)
	case Word, Color:
		return v.Str
	case List:
		parts := make([]string, len(v.List))
		for i, e := range v.List {
			parts[i] = e.Source()
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case Map:
		if len(v.Fields) == 0 {
			return "{}"
		}
		parts := make([]string, len(v.Fields))
		for i, f := range v.Fields {
			key := f.Key
			if !isWord(key) {
				key = quote(key)
			}
			parts[i] = key + ": " + f.Value.Source()
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	default:
		return "null"
	}
}

// formatNumber prints the shortest text that reads back as n, without an
// exponent for usual sizes, and 0 for minus zero.
func formatNumber(n float64) string {
	if n == 0 {
		return "0"
	}
	if abs := max(n, -n); abs >= 1e21 || abs < 1e-6 {
		return strconv.FormatFloat(n, 'g', -1, 64)
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// quote writes a string literal of the source language.
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
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r == 0x7f:
			b.WriteString(`\u{` + strconv.FormatInt(int64(r), 16) + `}`)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// isWord says whether s is a plain identifier of the language.
func isWord(s string) bool {
	for i, r := range s {
		if r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || i > 0 && r >= '0' && r <= '9' {
			continue
		}
		return false
	}
	return s != ""
}
