package body

import (
	"fmt"
	"strings"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
)

// Cut says how far one key's chains are accepted: the last accepted change of
// each chain, by the text of ChainText (wire §10). A chain that is not named
// keeps nothing.
type Cut map[string]change.ID

// Cuts are the cuts of several keys. An author that is not named keeps nothing;
// on the wire authors stand as did:key.
type Cuts map[did.Key]Cut

// controlMark ends the text of a control chain.
const controlMark = "!"

// ChainText is how a cut names a chain of a known author: its space, with "!"
// behind it for the control lane.
func ChainText(c change.Chain) string {
	if c.Lane == change.Control {
		return string(c.Space) + controlMark
	}
	return string(c.Space)
}

// ParseChain reads the text that ChainText writes for a chain of author.
func ParseChain(author did.Key, text string) (change.Chain, error) {
	space, control := strings.CutSuffix(text, controlMark)
	sp, err := change.ParseSpace(space)
	if err != nil {
		return change.Chain{}, err
	}
	c := change.Chain{Author: author, Space: sp, Lane: change.Content}
	if control {
		c.Lane = change.Control
	}
	return c, nil
}

// Size is the number of chains that c names, which MaxCut bounds.
func (c Cuts) Size() int {
	n := 0
	for _, cut := range c {
		n += len(cut)
	}
	return n
}

// cut reads a map chain → id, of at most MaxCut entries.
func (r *row) cut(key string) Cut {
	m, ok := get[cbor.Map](r, key, required)
	if !ok {
		return nil
	}
	c, err := parseCut(m, MaxCut)
	if err != nil {
		r.fail(key, "%v", err)
	}
	return c
}

// cuts reads a map author → cut, of at most MaxCut chains in all. An author
// without chains is refused: leaving it out says the same.
func (r *row) cuts(key string) Cuts {
	m, ok := get[cbor.Map](r, key, required)
	if !ok {
		return nil
	}
	out, left := make(Cuts, len(m)), MaxCut
	for text, v := range m {
		author, err := did.ParseKey(text)
		if err != nil {
			r.fail(key, "author: %v", err)
			return nil
		}
		chains, ok := v.(cbor.Map)
		if !ok || len(chains) == 0 {
			r.fail(key, "want the chains of each author")
			return nil
		}
		if out[author], err = parseCut(chains, left); err != nil {
			r.fail(key, "%v", err)
			return nil
		}
		left -= len(chains)
	}
	return out
}

func parseCut(m cbor.Map, most int) (Cut, error) {
	if len(m) > most {
		return nil, fmt.Errorf("over %d chains", MaxCut)
	}
	c := make(Cut, len(m))
	for text, v := range m {
		if _, err := ParseChain(did.Key{}, text); err != nil {
			return nil, err
		}
		b, ok := v.([]byte)
		if !ok || len(b) != len(change.ID{}) {
			return nil, errType
		}
		c[text] = change.ID(b)
	}
	return c, nil
}

func (c Cut) value() cbor.Map {
	m := make(cbor.Map, len(c))
	for text, id := range c {
		m[text] = id[:]
	}
	return m
}

func (c Cuts) value() cbor.Map {
	m := make(cbor.Map, len(c))
	for author, cut := range c {
		if len(cut) > 0 {
			m[author.String()] = cut.value()
		}
	}
	return m
}
