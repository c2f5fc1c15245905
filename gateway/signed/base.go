package signed

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha512"
	"strings"

	"github.com/dunglas/httpsfv"
)

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

func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// digestMatches reports whether a Content-Digest (RFC 9530) is that of a body: every
// digest of an algorithm known here must be, and there must be one.
func digestMatches(headers []string, body []byte) bool {
	sums := map[string][]byte{}
	d, err := httpsfv.UnmarshalDictionary(headers)
	if err != nil {
		return false
	}
	for _, alg := range d.Names() {
		switch alg {
		case "sha-256":
			sum := sha256.Sum256(body)
			sums[alg] = sum[:]
		case "sha-512":
			sum := sha512.Sum512(body)
			sums[alg] = sum[:]
		}
	}
	for alg, want := range sums {
		m, _ := d.Get(alg)
		item, _ := m.(httpsfv.Item)
		if got, ok := item.Value.([]byte); !ok || !bytes.Equal(got, want) {
			return false
		}
	}
	return len(sums) > 0
}
