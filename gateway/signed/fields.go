package signed

import (
	"slices"
	"strconv"
	"strings"
)

// field is a structured field (RFC 9651) that is being read.
type field struct{ rest string }

// oneMember is a dictionary that must have one member: of several signatures
// nobody would know which one the client means.
func oneMember(values []string) (*field, error) {
	text := strings.Trim(strings.Join(values, ", "), " ")
	if text == "" {
		return nil, invalid("Signature and Signature-Input come together")
	}
	if len(text) > maxHeader {
		return nil, invalid("its header is over %d bytes", maxHeader)
	}
	return &field{text}, nil
}

var errForm = invalid("Signature or Signature-Input is not of the form label=(...);created=...;nonce=\"...\" and label=:...:, with one label")

// input reads label=("a" "b");key=value….
func (f *field) input() (label string, c coverage, err error) {
	if label = f.key(); label == "" || !f.take("=(") {
		return "", c, errForm
	}
	for f.skip(); !f.take(")"); {
		name, ok := f.str()
		if !ok || slices.Contains(c.names, name) || len(c.names) == maxComponents || !f.at(" )") {
			return "", c, errForm
		}
		c.names = append(c.names, name)
		f.skip()
	}
	for f.take(";") {
		f.skip()
		p := param{key: f.key()}
		if _, twice := c.find(p.key); p.key == "" || twice || !f.value(&p) {
			return "", c, errForm
		}
		c.params = append(c.params, p)
	}
	if f.rest != "" {
		return "", c, errForm
	}
	return label, c, nil
}

// signature reads label=:…:.
func (f *field) signature(label string) ([]byte, error) {
	if f.key() != label || !f.take("=") {
		return nil, errForm
	}
	sig, ok := bytesItem(f.rest)
	if !ok {
		return nil, errForm
	}
	return sig, nil
}

func (f *field) take(s string) (ok bool) {
	f.rest, ok = strings.CutPrefix(f.rest, s)
	return ok
}

func (f *field) skip() { f.rest = strings.TrimLeft(f.rest, " ") }

func (f *field) at(chars string) bool {
	return f.rest != "" && strings.IndexByte(chars, f.rest[0]) >= 0
}

// word takes the bytes from the start that pass.
func (f *field) word(pass func(byte) bool) string {
	n := 0
	for n < len(f.rest) && pass(f.rest[n]) {
		n++
	}
	word := f.rest[:n]
	f.rest = f.rest[n:]
	return word
}

func (f *field) key() string {
	if !f.at("abcdefghijklmnopqrstuvwxyz*") {
		return ""
	}
	return f.word(func(c byte) bool { return isLower(c) || isDigit(c) || strings.IndexByte("_-.*", c) >= 0 })
}

func (f *field) str() (string, bool) {
	if !f.take(`"`) {
		return "", false
	}
	var b strings.Builder
	for i := 0; i < len(f.rest); i++ {
		switch c := f.rest[i]; {
		case c == '"':
			f.rest = f.rest[i+1:]
			return b.String(), true
		case c == '\\':
			if i++; i == len(f.rest) || f.rest[i] != '"' && f.rest[i] != '\\' {
				return "", false
			}
			b.WriteByte(f.rest[i])
		case c < 0x20 || c > 0x7e:
			return "", false
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}

// value reads =value of a parameter; without one it is true.
func (f *field) value(p *param) (ok bool) {
	p.kind = '1'
	if !f.take("=") {
		return true
	}
	switch {
	case f.at(`"`):
		p.kind = 's'
		p.text, ok = f.str()
		return ok
	case f.take("?0"):
		p.kind = '0'
		return true
	case f.take("?1"):
		return true
	case f.at("-0123456789"):
		p.kind = 'i'
		sign := ""
		if f.take("-") {
			sign = "-"
		}
		digits := f.word(isDigit)
		n, err := strconv.ParseInt(sign+digits, 10, 64)
		p.num = n
		return err == nil && len(digits) <= 15
	}
	p.kind = 't'
	if p.text = ""; f.rest != "" && (isLower(f.rest[0]|0x20) || f.rest[0] == '*') {
		p.text = f.word(func(c byte) bool {
			return isLower(c|0x20) || isDigit(c) || strings.IndexByte("!#$%&'*+-.^_`|~:/", c) >= 0
		})
	}
	return p.text != ""
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
