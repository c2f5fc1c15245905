package body

import (
	"slices"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
)

// Vote is the body of vote: for a target, against it, or neither any more.
type Vote struct {
	Target change.ID
	Value  int64 // -1, 0 or 1
}

// ParseVote is the row of vote; parents are those of the head, which must hold
// the target.
func ParseVote(b []byte, parents []change.ID) (Vote, error) {
	r := parse(b)
	v := Vote{Target: r.id("target", required)}
	v.Value, _ = get[int64](r, "value", required)
	if v.Value < -1 || v.Value > 1 {
		r.fail("value", "must be -1, 0 or 1")
	}
	if err := r.refusal(); err != nil {
		return v, err
	}
	return v, holds(parents, v.Target)
}

// Encode returns the canonical body.
func (v Vote) Encode() ([]byte, error) {
	return encode(cbor.Map{"target": v.Target[:], "value": v.Value})
}

// holds refuses a body whose target is not among the parents of its head: so
// what a change is about is known before it is a member.
func holds(parents []change.ID, target change.ID) error {
	if !slices.Contains(parents, target) {
		return reason.Refuse(reason.BadEncoding, "deps must hold the target")
	}
	return nil
}
