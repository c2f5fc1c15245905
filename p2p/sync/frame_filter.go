package sync

import (
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
)

// filter limits what follows in the session to some spaces; the set auth
// stays whole. It has no answer.
type filter struct {
	spaces []change.Space
	since  uint64 // least hlc; 0 for all
}

func (f filter) encode() []byte {
	n := 1
	if f.since > 0 {
		n++
	}
	b := cbor.AppendMap(nil, n)
	if f.since > 0 {
		b = appendUint(b, "since", f.since)
	}
	b = cbor.AppendArray(cbor.AppendText(b, "spaces"), len(f.spaces))
	for _, s := range f.spaces {
		b = cbor.AppendText(b, string(s))
	}
	return b
}

func decodeFilter(payload []byte) (filter, error) {
	var f filter
	since := uintField("since", &f.since, cbor.MaxInt)
	since.optional = true
	err := decodeMap(kindFilter, payload, since,
		field{key: "spaces", read: func(r *cbor.Reader) error {
			n, err := r.Array()
			if err != nil {
				return err
			}
			if n == 0 || n > maxSpaces {
				return errLimit
			}
			for range n {
				text, err := r.Text()
				if err != nil {
					return err
				}
				s, err := change.ParseSpace(text)
				if err != nil {
					return err
				}
				f.spaces = append(f.spaces, s)
			}
			r.End()
			return nil
		}},
	)
	return f, err
}
