package recon

import (
	"bytes"
	"cmp"
	"math"
)

// Item is one member of a set: the hybrid logical time of a change and its id.
//
// HLC 2^64-1 is reserved by the range protocol as infinity and never a member.
type Item struct {
	HLC uint64
	ID  [32]byte
}

// infinity is the timestamp beyond every item.
const infinity = math.MaxUint64

// Compare orders items by (HLC, ID), the order of the network: it returns a
// negative number, zero or a positive number as a is before, equal to or after b.
func (a Item) Compare(b Item) int {
	if a.HLC != b.HLC {
		return cmp.Compare(a.HLC, b.HLC)
	}
	return bytes.Compare(a.ID[:], b.ID[:])
}
