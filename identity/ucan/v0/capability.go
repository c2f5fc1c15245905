package v0

import (
	"cmp"
	"slices"
	"strings"

	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/identity/ucan/strictjson"
)

// form is which reserved resource of UCAN 0.10 §4.1 a capability names, if any.
type form int

const (
	plain     form = iota
	oneProof       // ucan:<cid>           what one proof of this token grants
	allProofs      // ucan:./*             what all proofs of this token grant
	provable       // ucan:*               whatever the issuer can prove, now and later
	ownedBy        // ucan://<did>/*, ucan://<did>/<scheme>   what a DID owns
)

// redelegate is the ability of reserved resources.
const redelegate = "ucan/*"

// capability is a Cap prepared for comparison.
type capability struct {
	with, can string
	caveats   []caveat

	form   form
	proof  string // of oneProof
	owner  string // of ownedBy: a DID
	scheme string // of ownedBy: "*" or a scheme
}

func newCapability(with, can string) capability {
	k := capability{with: with, can: can}
	rest, ok := strings.CutPrefix(with, "ucan:")
	switch owned, isOwned := strings.CutPrefix(rest, "//"); {
	case !ok:
	case rest == "*":
		k.form = provable
	case rest == "./*":
		k.form = allProofs
	case isOwned:
		slash := strings.LastIndexByte(owned, '/')
		if slash < 0 {
			break // of no known form: an opaque name that grants nothing
		}
		if id, fragment, ok := splitDID(owned[:slash]); ok && fragment == "" && owned[slash+1:] != "" {
			k.form, k.owner, k.scheme = ownedBy, id, owned[slash+1:]
		}
	default:
		k.form, k.proof = oneProof, rest
	}
	return k
}

func (k capability) compare(o capability) int {
	return cmp.Or(strings.Compare(k.with, o.with), strings.Compare(k.can, o.can))
}

// redelegates reports whether k, of a reserved resource, passes on what it selects.
func (k capability) redelegates() bool {
	return k.form != plain && ucan.Covers(k.with, k.can, redelegate)
}

// covers reports whether k has the resource and the ability of q, both of them
// by name; caveats are compared apart.
func (k *capability) covers(q *capability) bool {
	switch {
	case k.form == plain && q.form == plain:
		return ucan.Contains(k.with, q.with) && ucan.Covers(k.with, k.can, q.can)
	case k.form == ownedBy && q.form == ownedBy:
		return k.owner == q.owner && (k.scheme == "*" || k.scheme == q.scheme) && ucan.Covers(k.with, k.can, q.can)
	}
	return false
}

// spans reports whether a resource is of the scheme that k, of form ownedBy,
// names.
func (k *capability) spans(q *capability) bool {
	return q.form == plain && (k.scheme == "*" || strings.HasPrefix(q.with, k.scheme+":"))
}

// caveat is one member of the OR: a set of restrictions, all of which apply.
type caveat struct {
	members map[string]any
	fields  []field // sorted by name
	size    int     // fields and elements: what a comparison costs
}

// field is one restriction. Values are compared by their text, so numbers of
// different spelling differ: no reader has to agree with another on arithmetic.
type field struct {
	name, text string
	array      bool
	elements   []string // of an array, sorted
}

func newCaveat(members map[string]any) (caveat, error) {
	c := caveat{members: members}
	for name, v := range members {
		text, err := strictjson.Text(v)
		if err != nil {
			return caveat{}, err
		}
		f := field{name: name, text: string(text)}
		if list, ok := v.([]any); ok {
			f.array = true
			for _, e := range list {
				text, err := strictjson.Text(e)
				if err != nil {
					return caveat{}, err
				}
				f.elements = append(f.elements, string(text))
			}
			slices.Sort(f.elements)
		}
		c.fields = append(c.fields, f)
		c.size += 1 + len(f.elements)
	}
	slices.SortFunc(c.fields, func(a, b field) int { return strings.Compare(a.name, b.name) })
	return c, nil
}

// free reports whether c restricts nothing.
func (c *caveat) free() bool { return len(c.fields) == 0 }

// narrows reports whether c allows nothing that p forbids: every field of p is
// in c, equal, or as an array with some of the elements.
func (c *caveat) narrows(p *caveat) bool {
	i := 0
	for _, want := range p.fields {
		for i < len(c.fields) && c.fields[i].name < want.name {
			i++
		}
		if i == len(c.fields) || c.fields[i].name != want.name || !c.fields[i].within(want) {
			return false
		}
	}
	return true
}

func (f field) within(p field) bool {
	if f.text == p.text {
		return true
	}
	if !f.array || !p.array {
		return false
	}
	for _, e := range f.elements {
		if _, ok := slices.BinarySearch(p.elements, e); !ok {
			return false
		}
	}
	return true
}
