package body

import (
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
)

// Vote is the body of vote: for a target, against it, or neither any more.
type Vote struct {
	Target change.ID
	Value  int64 // -1, 0 or 1
}

// ParseVote is the row of vote; parents are those of the head, which must contain
// the target.
func ParseVote(b []byte, parents []change.ID) (Vote, error) {
	r := parse(b)
	v := Vote{Target: r.parent("target", parents)}
	v.Value, _ = r.integer("value", required, -1, 1)
	return v, r.refusal()
}

// Encode returns the canonical body.
func (v Vote) Encode() ([]byte, error) {
	return encode(cbor.Map{"target": v.Target[:], "value": v.Value})
}
