package v0

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/identity/ucan/strictjson"
)

// ErrCollection is wrapped by the errors of reading collections and headers.
var ErrCollection = errors.New("not a collection of tokens")

// Proofs are texts of tokens by content id. Its Find is what a Check wants.
type Proofs map[string]string

// Find returns the text of a token by a content id of any hash function: by the
// one it was stored under, else by hashing what there is.
func (p Proofs) Find(cid string) (string, bool) {
	if raw, ok := p[cid]; ok {
		return raw, true
	}
	if ucan.CheckLink(cid) != nil {
		return "", false
	}
	for _, raw := range p {
		if ucan.Names(cid, raw) {
			return raw, true
		}
	}
	return "", false
}

// Add stores a token under its canonical content id, which it returns.
func (p Proofs) Add(raw string) string {
	cid := ucan.CID(raw)
	p[cid] = raw
	return cid
}

// Collection is a token with its proofs (UCAN 0.10 §6.8).
type Collection struct {
	Root   string
	Proofs Proofs
}

// ParseCollection reads {"/": root, "<content id>": token, …}. Members may come
// in any order; each must be the token that its name says. It returns
// ErrCollection for anything else, for more than MaxTokens tokens and for more
// than MaxCollection bytes. The tokens themselves are not judged.
func ParseCollection(data []byte) (Collection, error) {
	if len(data) > MaxCollection {
		return Collection{}, fmt.Errorf("%w: %d bytes", ErrCollection, len(data))
	}
	o, err := strictjson.Object(data)
	if err != nil {
		return Collection{}, fmt.Errorf("%w: %w", ErrCollection, err)
	}
	if len(o) > MaxTokens {
		return Collection{}, fmt.Errorf("%w: %d tokens", ErrCollection, len(o))
	}
	out := Collection{Proofs: Proofs{}}
	for name, v := range o {
		raw, ok := v.(string)
		switch {
		case !ok || len(raw) > MaxToken:
			return Collection{}, fmt.Errorf("%w: a member is no token", ErrCollection)
		case name == "/":
			out.Root = raw
		case ucan.CheckLink(name) != nil || !ucan.Names(name, raw):
			return Collection{}, fmt.Errorf("%w: a name is not the content id of its token", ErrCollection)
		default:
			out.Proofs[name] = raw
		}
	}
	if out.Root == "" {
		return Collection{}, fmt.Errorf(`%w: no "/"`, ErrCollection)
	}
	return out, nil
}

// Encode writes the collection; the same collection gives the same bytes. Proofs
// keep the names they are stored under. It returns ErrCollection for what
// ParseCollection would refuse.
func (c Collection) Encode() ([]byte, error) {
	o := map[string]any{"/": c.Root}
	for cid, raw := range c.Proofs {
		o[cid] = raw
	}
	out, err := strictjson.Text(o)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCollection, err)
	}
	if _, err := ParseCollection(out); err != nil {
		return nil, err
	}
	return out, nil
}

// ParseUcansHeader reads the value of the header "ucans" (also sent as "ucan" and
// "X-UCAN-Proofs"): tokens separated by commas, with spaces or tabs around, no
// brackets. The content ids come from hashing. An empty value is no proofs; an
// empty element is skipped (RFC 9110 §5.6.1). It returns ErrCollection beyond
// MaxCollection bytes or MaxTokens tokens, and for an element that is no JWT by
// its alphabet.
func ParseUcansHeader(value string) (Proofs, error) {
	if len(value) > MaxCollection {
		return nil, fmt.Errorf("%w: header of %d bytes", ErrCollection, len(value))
	}
	out := Proofs{}
	for element := range strings.SplitSeq(value, ",") {
		raw := strings.Trim(element, " \t")
		if raw == "" {
			continue
		}
		if len(raw) > MaxToken || strings.Count(raw, ".") != 2 || strings.ContainsFunc(raw, notJWT) {
			return nil, fmt.Errorf("%w: an element of the header is no token", ErrCollection)
		}
		if out.Add(raw); len(out) > MaxTokens {
			return nil, fmt.Errorf("%w: more than %d tokens", ErrCollection, MaxTokens)
		}
	}
	return out, nil
}

func notJWT(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.')
}

// UcansHeader writes the value of the header "ucans": the tokens in the order of
// their content ids.
func UcansHeader(p Proofs) string {
	var b strings.Builder
	for _, cid := range slices.Sorted(maps.Keys(p)) {
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(p[cid])
	}
	return b.String()
}
