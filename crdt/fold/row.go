package fold

import (
	"crypto/sha256"
	"slices"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/recon"
)

// row is the canonical array [object, id, map] of the view hash.
func row(object string, id [32]byte, m cbor.Map) []byte {
	b, err := cbor.Encode([]any{object, id[:], m})
	if err != nil {
		// Every value was decoded from canonical bytes before.
		panic("fold: row does not encode: " + err.Error())
	}
	return b
}

// rowSum is the view hash as it is kept: how many rows there are and what they add up to.
type rowSum struct {
	rows uint64
	sum  recon.Sum
}

// addRow puts a row into the view hash.
func (v *rowSum) addRow(row []byte) {
	v.sum = v.sum.Add(sha256.Sum256(row))
	v.rows++
}

// subRow takes a row out again.
func (v *rowSum) subRow(row []byte) {
	v.sum = v.sum.Sub(sha256.Sum256(row))
	v.rows--
}

// setRow puts a row into the view hash in the place of the one whose hash is at.
func (v *rowSum) setRow(at *[32]byte, row []byte) {
	v.dropRow(at)
	*at = sha256.Sum256(row)
	v.sum = v.sum.Add(*at)
	v.rows++
}

func (v *rowSum) dropRow(at *[32]byte) {
	if *at == ([32]byte{}) {
		return
	}
	v.sum = v.sum.Sub(*at)
	v.rows--
	*at = [32]byte{}
}

// Hash is the number of rows and their fingerprint (wire §10, §16): equal on
// nodes that have equal sets with equal bodies.
func (v *Views) Hash() (rows uint64, fp [16]byte) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.settle()
	return v.rows, v.sum.FP(v.rows)
}

// Rows returns every row in its canonical bytes, sorted. It is what the vectors
// and `verify --deep` compare; Hash is kept incrementally and says the same.
func (v *Views) Rows() [][]byte {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.settle()
	out := make([][]byte, 0, v.rows)
	for _, a := range v.agents {
		out = append(out, agentRow(a.rec))
	}
	for _, e := range v.entries {
		if e.state != Excluded {
			out = append(out, entryRow(e))
		}
	}
	for _, a := range v.acts {
		if !a.off {
			out = append(out, actRow(a))
		}
	}
	for id, at := range v.guildRows {
		if *at != ([32]byte{}) {
			out = append(out, v.guildRow(id))
		}
	}
	for id, at := range v.grantRows {
		if *at != ([32]byte{}) {
			out = append(out, v.grantRow(id))
		}
	}
	for _, d := range v.docs {
		if len(d.ordered) > 0 {
			out = append(out, docRow(d))
		}
	}
	slices.SortFunc(out, slices.Compare[[]byte])
	return out
}
