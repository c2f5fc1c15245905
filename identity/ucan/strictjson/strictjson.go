// Package strictjson reads JSON that has one meaning only. Signed claims pass
// through here: a text that two programs could read differently is refused.
//
// It is RFC 8259 with these additions: the text is valid UTF-8 and every escape
// is a whole character (no lone surrogates, RFC 7493 §2.1), no object names a
// member twice, whatever the spelling of the name, and nesting has a limit.
// Nothing may follow the value but white space. Start with Parse or Object; to
// compare two values, compare their Text.
//
// The functions are pure and safe for concurrent use.
package strictjson

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxDepth is how deep objects and arrays may nest: it bounds the stack, and no
// claim of ours needs more than six.
const MaxDepth = 32

// The errors of this package, wrapped with the place in bytes.
var (
	ErrSyntax    = errors.New("not JSON")
	ErrDuplicate = errors.New("a member is named twice")
	ErrText      = errors.New("text is not Unicode")
	ErrDepth     = errors.New("nested too deep")
)

// Parse reads one value. Objects come as map[string]any, arrays as []any,
// numbers as json.Number in their own spelling, and the rest as string, bool or
// nil. The result shares nothing with data.
func Parse(data []byte) (any, error) {
	r := reader{in: data}
	v, err := r.document()
	if err != nil {
		return nil, fmt.Errorf("%w at byte %d", err, r.at)
	}
	return v, nil
}

// Object is Parse for a text that must be an object.
func Object(data []byte) (map[string]any, error) {
	v, err := Parse(data)
	if err != nil {
		return nil, err
	}
	o, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%w: want an object", ErrSyntax)
	}
	return o, nil
}

// reader is a cursor over the text.
type reader struct {
	in    []byte
	at    int
	depth int
}

func (r *reader) document() (any, error) {
	v, err := r.value()
	if err != nil {
		return nil, err
	}
	if r.space(); r.at != len(r.in) {
		return nil, ErrSyntax
	}
	return v, nil
}

func (r *reader) space() {
	for r.at < len(r.in) {
		switch r.in[r.at] {
		case ' ', '\t', '\n', '\r':
			r.at++
		default:
			return
		}
	}
}

// next skips white space and returns the byte there, 0 at the end.
func (r *reader) next() byte {
	r.space()
	if r.at == len(r.in) {
		return 0
	}
	return r.in[r.at]
}

func (r *reader) value() (any, error) {
	switch c := r.next(); {
	case c == '{':
		return r.object()
	case c == '[':
		return r.array()
	case c == '"':
		return r.text()
	case c == '-' || c >= '0' && c <= '9':
		return r.number()
	case c == 't':
		return true, r.word("true")
	case c == 'f':
		return false, r.word("false")
	case c == 'n':
		return nil, r.word("null")
	}
	return nil, ErrSyntax
}

func (r *reader) word(w string) error {
	if len(r.in)-r.at < len(w) || string(r.in[r.at:r.at+len(w)]) != w {
		return ErrSyntax
	}
	r.at += len(w)
	return nil
}

func (r *reader) deeper() error {
	if r.depth++; r.depth > MaxDepth {
		return ErrDepth
	}
	r.at++ // the bracket
	return nil
}

func (r *reader) object() (any, error) {
	if err := r.deeper(); err != nil {
		return nil, err
	}
	defer func() { r.depth-- }()
	o := map[string]any{}
	if r.next() == '}' {
		r.at++
		return o, nil
	}
	for {
		if r.next() != '"' {
			return nil, ErrSyntax
		}
		name, err := r.text()
		if err != nil {
			return nil, err
		}
		if _, twice := o[name]; twice {
			return nil, ErrDuplicate
		}
		if r.next() != ':' {
			return nil, ErrSyntax
		}
		r.at++
		if o[name], err = r.value(); err != nil {
			return nil, err
		}
		if more, err := r.more('}'); err != nil || !more {
			return o, err
		}
	}
}

func (r *reader) array() (any, error) {
	if err := r.deeper(); err != nil {
		return nil, err
	}
	defer func() { r.depth-- }()
	a := []any{}
	if r.next() == ']' {
		r.at++
		return a, nil
	}
	for {
		v, err := r.value()
		if err != nil {
			return nil, err
		}
		a = append(a, v)
		if more, err := r.more(']'); err != nil || !more {
			return a, err
		}
	}
}

// more reads a comma, or the bracket that ends the list.
func (r *reader) more(end byte) (bool, error) {
	c := r.next()
	if c != ',' && c != end {
		return false, ErrSyntax
	}
	r.at++
	return c == ',', nil
}

// number follows the grammar of RFC 8259 §6.
func (r *reader) number() (any, error) {
	start := r.at
	if r.in[r.at] == '-' {
		r.at++
	}
	if r.at < len(r.in) && r.in[r.at] == '0' {
		r.at++
	} else if !r.digits() {
		return nil, ErrSyntax
	}
	if r.at < len(r.in) && r.in[r.at] == '.' {
		r.at++
		if !r.digits() {
			return nil, ErrSyntax
		}
	}
	if r.at < len(r.in) && (r.in[r.at] == 'e' || r.in[r.at] == 'E') {
		r.at++
		if r.at < len(r.in) && (r.in[r.at] == '+' || r.in[r.at] == '-') {
			r.at++
		}
		if !r.digits() {
			return nil, ErrSyntax
		}
	}
	return json.Number(r.in[start:r.at]), nil
}

func (r *reader) digits() bool {
	start := r.at
	for r.at < len(r.in) && r.in[r.at] >= '0' && r.in[r.at] <= '9' {
		r.at++
	}
	return r.at > start
}

func (r *reader) text() (string, error) {
	r.at++ // the quote
	var out []byte
	for r.at < len(r.in) {
		switch c := r.in[r.at]; {
		case c == '"':
			r.at++
			return string(out), nil
		case c < ' ':
			return "", ErrSyntax
		case c == '\\':
			rn, err := r.escape()
			if err != nil {
				return "", err
			}
			out = utf8.AppendRune(out, rn)
		case c < utf8.RuneSelf:
			out = append(out, c)
			r.at++
		default:
			_, size := utf8.DecodeRune(r.in[r.at:])
			if size == 1 {
				return "", ErrText
			}
			out = append(out, r.in[r.at:r.at+size]...)
			r.at += size
		}
	}
	return "", ErrSyntax
}

// escapes are the two-character escapes of RFC 8259 §7.
var escapes = map[byte]rune{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

func (r *reader) escape() (rune, error) {
	if r.at+1 >= len(r.in) {
		return 0, ErrSyntax
	}
	c := r.in[r.at+1]
	if c != 'u' {
		rn, ok := escapes[c]
		if !ok {
			return 0, ErrSyntax
		}
		r.at += 2
		return rn, nil
	}
	high, err := r.unit()
	if err != nil || !utf16.IsSurrogate(high) {
		return high, err
	}
	if r.at+1 >= len(r.in) || r.in[r.at] != '\\' || r.in[r.at+1] != 'u' {
		return 0, ErrText
	}
	low, err := r.unit()
	if err != nil {
		return 0, err
	}
	whole := utf16.DecodeRune(high, low)
	if whole == utf8.RuneError {
		return 0, ErrText
	}
	return whole, nil
}

// unit reads one \uXXXX.
func (r *reader) unit() (rune, error) {
	if r.at+6 > len(r.in) {
		return 0, ErrSyntax
	}
	for _, c := range r.in[r.at+2 : r.at+6] {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
			return 0, ErrSyntax
		}
	}
	n, err := strconv.ParseUint(string(r.in[r.at+2:r.at+6]), 16, 16)
	if err != nil {
		return 0, ErrSyntax
	}
	r.at += 6
	return rune(n), nil
}
