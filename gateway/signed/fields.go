package signed

import (
	"slices"
	"strings"

	"github.com/dunglas/httpsfv"
)

// coverage is the value of one member of Signature-Input: what a signature covers
// and its parameters, in the order in which they were sent.
type coverage struct {
	names []string
	list  httpsfv.InnerList
}

var errForm = invalid("Signature or Signature-Input is not of the form label=(...);created=...;nonce=\"...\" and label=:...:, with one label")

// oneMember is that of a dictionary (RFC 9651) that must have one: of several
// signatures nobody would know which one the client means.
func oneMember(values []string) (label string, m httpsfv.Member, err error) {
	text := strings.Join(values, ", ")
	if strings.Trim(text, " ,") == "" {
		return "", nil, invalid("Signature and Signature-Input come together")
	}
	if len(text) > maxHeader {
		return "", nil, invalid("its header is over %d bytes", maxHeader)
	}
	d, err := httpsfv.UnmarshalDictionary([]string{text})
	if err != nil || len(d.Names()) != 1 {
		return "", nil, errForm
	}
	label = d.Names()[0]
	m, _ = d.Get(label)
	return label, m, nil
}

// input reads label=("a" "b");key=value… of Signature-Input. A component with
// parameters of its own is refused, and one that stands twice.
func input(values []string) (label string, c coverage, err error) {
	label, m, err := oneMember(values)
	if err != nil {
		return "", c, err
	}
	list, ok := m.(httpsfv.InnerList)
	if !ok || len(list.Items) > maxComponents {
		return "", c, errForm
	}
	for _, item := range list.Items {
		name, ok := item.Value.(string)
		if !ok || slices.Contains(c.names, name) || len(item.Params.Names()) > 0 {
			return "", c, errForm
		}
		c.names = append(c.names, name)
	}
	c.list = list
	return label, c, nil
}

// signature reads label=:…: of Signature.
func signature(values []string, label string) ([]byte, error) {
	name, m, err := oneMember(values)
	if err != nil {
		return nil, err
	}
	item, _ := m.(httpsfv.Item)
	sig, ok := item.Value.([]byte)
	if !ok || name != label {
		return nil, errForm
	}
	return sig, nil
}

// param is a parameter of a signature, and whether there is one. One of another type
// is refused.
func param[T string | int64](c coverage, key string) (out T, ok bool, err error) {
	v, ok := c.list.Params.Get(key)
	if !ok {
		return out, false, nil
	}
	if out, ok = v.(T); !ok {
		return out, false, invalid("%s is of another type", key)
	}
	return out, true, nil
}

// String is the canonical form of the inner list (RFC 9651 §4.1.1.1).
func (c coverage) String() string {
	text, err := httpsfv.Marshal(c.list)
	if err != nil { // what was read can be written
		return ""
	}
	return text
}
