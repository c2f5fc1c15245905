// Package jcs is RFC 8785, the canonical form of JSON: the bytes that receipts
// and metadata have inside a change, and that hashes shown to people are taken
// over. It is strict where the network must agree: duplicate keys, invalid
// UTF-8, lone surrogates and numbers that no double represents are refused.
//
// Start with Canonical for text, with Marshal and Unmarshal for Go values. All
// are pure and safe for concurrent use.
package jcs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxDepth bounds nesting of arrays and objects.
const MaxDepth = 32

// ErrInvalid is wrapped by every error: the input is not JSON, or not JSON that
// has a canonical form.
var ErrInvalid = errors.New("not canonicalisable JSON")

// Canonical returns the canonical bytes of the JSON text in.
func Canonical(in []byte) ([]byte, error) {
	if !utf8.Valid(in) {
		return nil, fmt.Errorf("%w: not UTF-8", ErrInvalid)
	}
	if err := loneSurrogate(in); err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(in))
	d.UseNumber()
	out, err := value(nil, d, 0)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: trailing data", ErrInvalid)
	}
	return out, nil
}

// CanonicalObject is Canonical for a text that must be an object. It also
// returns the object's top-level keys, sorted as in the output.
func CanonicalObject(in []byte) (out []byte, keys []string, err error) {
	if out, err = Canonical(in); err != nil {
		return nil, nil, err
	}
	if out[0] != '{' {
		return nil, nil, fmt.Errorf("%w: want an object", ErrInvalid)
	}
	var m map[string]json.RawMessage
	if err := json.Unmarshal(out, &m); err != nil {
		return nil, nil, fmt.Errorf("%w: %v", ErrInvalid, err)
	}
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, compareUTF16)
	return out, keys, nil
}

func value(b []byte, d *json.Decoder, depth int) ([]byte, error) {
	tok, err := d.Token()
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrInvalid, err)
	}
	switch v := tok.(type) {
	case nil:
		return append(b, "null"...), nil
	case bool:
		return strconv.AppendBool(b, v), nil
	case string:
		return appendString(b, v), nil
	case json.Number:
		return appendNumber(b, v)
	case json.Delim:
		if depth >= MaxDepth {
			return nil, fmt.Errorf("%w: nesting beyond %d", ErrInvalid, MaxDepth)
		}
		if v == '{' {
			return object(b, d, depth+1)
		}
		if v == '[' {
			return array(b, d, depth+1)
		}
	}
	return nil, fmt.Errorf("%w: unexpected %v", ErrInvalid, tok)
}

func array(b []byte, d *json.Decoder, depth int) ([]byte, error) {
	b = append(b, '[')
	for first := true; d.More(); first = false {
		if !first {
			b = append(b, ',')
		}
		var err error
		if b, err = value(b, d, depth); err != nil {
			return nil, err
		}
	}
	if _, err := d.Token(); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrInvalid, err)
	}
	return append(b, ']'), nil
}

type member struct {
	key   string
	value []byte
}

func object(b []byte, d *json.Decoder, depth int) ([]byte, error) {
	var members []member
	for d.More() {
		tok, err := d.Token()
		key, ok := tok.(string)
		if err != nil || !ok {
			return nil, fmt.Errorf("%w: object key", ErrInvalid)
		}
		v, err := value(nil, d, depth)
		if err != nil {
			return nil, err
		}
		members = append(members, member{key, v})
	}
	if _, err := d.Token(); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrInvalid, err)
	}
	slices.SortFunc(members, func(x, y member) int { return compareUTF16(x.key, y.key) })
	b = append(b, '{')
	for i, m := range members {
		if i > 0 {
			if members[i-1].key == m.key {
				return nil, fmt.Errorf("%w: key twice", ErrInvalid)
			}
			b = append(b, ',')
		}
		b = append(appendString(b, m.key), ':')
		b = append(b, m.value...)
	}
	return append(b, '}'), nil
}

// compareUTF16 orders keys by their UTF-16 code units (RFC 8785 §3.2.3).
func compareUTF16(a, b string) int {
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}

const hexDigits = "0123456789abcdef"

func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for _, c := range []byte(s) {
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c >= 0x20:
			b = append(b, c)
		default:
			if i := strings.IndexByte("\b\t\n\f\r", c); i >= 0 {
				b = append(b, '\\', "btnfr"[i])
			} else {
				b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
			}
		}
	}
	return append(b, '"')
}

// appendNumber writes n as ECMAScript's Number.prototype.toString does.
func appendNumber(b []byte, n json.Number) ([]byte, error) {
	f, err := strconv.ParseFloat(string(n), 64)
	if err != nil || math.IsInf(f, 0) {
		return nil, fmt.Errorf("%w: number out of range", ErrInvalid)
	}
	if f == 0 {
		return append(b, '0'), nil
	}
	if f < 0 {
		b, f = append(b, '-'), -f
	}
	if f >= 1e21 || f < 1e-6 {
		s := strconv.FormatFloat(f, 'e', -1, 64)
		mantissa, exp, _ := strings.Cut(s, "e")
		sign, digits := exp[:1], strings.TrimLeft(exp[1:], "0")
		return append(b, mantissa+"e"+sign+digits...), nil
	}
	return strconv.AppendFloat(b, f, 'f', -1, 64), nil
}

// loneSurrogate refuses \u escapes that are half of a pair, which the decoder
// would silently replace.
func loneSurrogate(in []byte) error {
	for i := 0; i+1 < len(in); i++ {
		if in[i] != '\\' {
			continue
		}
		if in[i+1] != 'u' {
			i++
			continue
		}
		r := escape(in[i:])
		if utf16.IsSurrogate(r) {
			if i+6 > len(in) || utf16.DecodeRune(r, escape(in[i+6:])) == utf8.RuneError {
				return fmt.Errorf("%w: lone surrogate", ErrInvalid)
			}
			i += 6
		}
		i += 5
	}
	return nil
}

// escape is the code unit of the \uXXXX at the start of b, or -1.
func escape(b []byte) rune {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
}
