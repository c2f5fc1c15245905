package signed

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"strconv"
	"strings"
)

// coverage is the value of one member of Signature-Input: what a signature covers
// and its parameters, in the order in which they were sent.
type coverage struct {
	names  []string
	params []param
}

type param struct {
	key  string
	text string // of a string or token
	num  int64
	kind byte // 's' string, 't' token, 'i' integer, '1' true, '0' false
}

func (c coverage) find(key string) (param, bool) {
	for _, p := range c.params {
		if p.key == key {
			return p, true
		}
	}
	return param{}, false
}

func (c coverage) text(key string) string {
	p, _ := c.find(key)
	return p.text
}

func (c coverage) number(key string) (int64, bool) {
	p, ok := c.find(key)
	return p.num, ok && p.kind == 'i'
}

// base is the signature base of RFC 9421 §2.5: a line for each component and one
// for the parameters.
func (c coverage) base(m Message, o Origin) ([]byte, error) {
	var b bytes.Buffer
	for _, name := range c.names {
		value, err := component(m, o, name)
		if err != nil {
			return nil, err
		}
		b.WriteString(quote(name) + ": " + value + "\n")
	}
	b.WriteString(`"@signature-params": ` + c.String())
	return b.Bytes(), nil
}

// component is the value of a derived component or of a field of the header.
func component(m Message, o Origin, name string) (string, error) {
	path, query, _ := strings.Cut(m.Target, "?")
	switch name {
	case "@method":
		return m.Method, nil
	case "@target-uri":
		return o.Scheme + "://" + o.Authority + m.Target, nil
	case "@authority":
		return o.Authority, nil
	case "@scheme":
		return o.Scheme, nil
	case "@request-target":
		return m.Target, nil
	case "@path":
		return path, nil
	case "@query":
		return "?" + query, nil
	}
	values := m.Header.Values(name)
	if strings.HasPrefix(name, "@") || name != strings.ToLower(name) || len(values) == 0 {
		return "", invalid("it covers %s, which the request does not have or this server does not know", quote(name))
	}
	trimmed := make([]string, len(values))
	for i, v := range values {
		trimmed[i] = strings.Trim(v, " \t")
	}
	return strings.Join(trimmed, ", "), nil
}

// String is the canonical form of the inner list (RFC 9651 §4.1.1.1).
func (c coverage) String() string {
	var b strings.Builder
	b.WriteByte('(')
	for i, name := range c.names {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(quote(name))
	}
	b.WriteByte(')')
	for _, p := range c.params {
		b.WriteString(";" + p.key)
		switch p.kind {
		case 's':
			b.WriteString("=" + quote(p.text))
		case 't':
			b.WriteString("=" + p.text)
		case 'i':
			b.WriteString("=" + strconv.FormatInt(p.num, 10))
		case '0':
			b.WriteString("=?0")
		}
	}
	return b.String()
}

func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// digestHolds reports whether a Content-Digest (RFC 9530) is that of a body: every
// digest of an algorithm known here must be, and there must be one.
func digestHolds(headers []string, body []byte) bool {
	known := false
	for member := range strings.SplitSeq(strings.Join(headers, ","), ",") {
		alg, value, _ := strings.Cut(strings.Trim(member, " \t"), "=")
		var want []byte
		switch alg {
		case "sha-256":
			sum := sha256.Sum256(body)
			want = sum[:]
		case "sha-512":
			sum := sha512.Sum512(body)
			want = sum[:]
		default:
			continue
		}
		got, ok := bytesItem(value)
		if !ok || !bytes.Equal(got, want) {
			return false
		}
		known = true
	}
	return known
}

// bytesItem reads a byte sequence such as :AQI=:.
func bytesItem(s string) ([]byte, bool) {
	if len(s) < 2 || s[0] != ':' || s[len(s)-1] != ':' {
		return nil, false
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(s[1 : len(s)-1])
	return raw, err == nil
}
