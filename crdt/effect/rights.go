package effect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/identity/ucan/v0"
)

// Rights is what a token claims, prepared for comparison. The many grants of one
// role in one guild share theirs.
type Rights struct {
	text string
	caps []right
}

type right struct {
	With    string                       `json:"with"`
	Can     string                       `json:"can"`
	Caveats []map[string]json.RawMessage `json:"nb"`
}

// EncodeRights is the text of what a token claims: equal claims, whose lists are
// in the same order, have equal texts.
func EncodeRights(caps []v0.Cap) (string, error) {
	type plain struct {
		With    string           `json:"with"`
		Can     string           `json:"can"`
		Caveats []map[string]any `json:"nb"`
	}
	list := make([]plain, len(caps))
	for i, c := range caps {
		list[i] = plain(c)
	}
	b, err := json.Marshal(list)
	if err != nil {
		return "", fmt.Errorf("write rights: %w", err)
	}
	return string(b), nil
}

func (s *State) rightsOf(text string) *Rights {
	if r := s.rights[text]; r != nil {
		return r
	}
	r := &Rights{text: text}
	if json.Unmarshal([]byte(text), &r.caps) != nil {
		r.caps = nil // covers nothing, and nothing but it is covered by anything
	}
	s.rights[text] = r
	return r
}

// covers reports whether everything in o is in r too, each piece by one piece of
// r. It is asked only of grants with several parents: which of them would be
// enough alone. Rights that refer to the proofs of their token are not decided
// here and count as not covered, so that all parents are needed.
func (r *Rights) covers(o *Rights) bool {
	if r == o {
		return !r.indirect()
	}
	if len(o.caps) == 0 || r.indirect() || o.indirect() {
		return false
	}
	for _, want := range o.caps {
		for _, nb := range want.Caveats {
			if !slices.ContainsFunc(r.caps, func(have right) bool { return have.covers(want, nb) }) {
				return false
			}
		}
	}
	return true
}

func (r *Rights) indirect() bool {
	return slices.ContainsFunc(r.caps, func(c right) bool { return strings.HasPrefix(c.With, "ucan:") })
}

func (r right) covers(want right, nb map[string]json.RawMessage) bool {
	if !ucan.Contains(r.With, want.With) || !ucan.Covers(r.With, r.Can, want.Can) {
		return false
	}
	return slices.ContainsFunc(r.Caveats, func(have map[string]json.RawMessage) bool { return narrows(nb, have) })
}

// narrows reports whether caveat a allows nothing that b forbids: every field of
// b is in a, equal, or as a list with some of the elements (UCAN 0.10 §4.2).
func narrows(a, b map[string]json.RawMessage) bool {
	for name, want := range b {
		have, there := a[name]
		if !there || !bytes.Equal(have, want) && !subset(have, want) {
			return false
		}
	}
	return true
}

func subset(a, b json.RawMessage) bool {
	var as, bs []json.RawMessage
	if json.Unmarshal(a, &as) != nil || json.Unmarshal(b, &bs) != nil || as == nil || bs == nil {
		return false
	}
	for _, e := range as {
		if !slices.ContainsFunc(bs, func(o json.RawMessage) bool { return bytes.Equal(e, o) }) {
			return false
		}
	}
	return true
}
