package sync

import (
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/recon"
)

// pull requests the next max changes in order after an item; the zero item is
// the start.
type pull struct {
	set   string
	after recon.Item
	max   uint64
}

func (p pull) encode() []byte {
	b := appendUint(cbor.AppendMap(nil, 3), "max", p.max)
	b = cbor.AppendArray(cbor.AppendText(appendSet(b, p.set), "after"), 2)
	return cbor.AppendBytes(cbor.AppendUint(b, p.after.HLC), p.after.ID[:])
}

func decodePull(payload []byte) (pull, error) {
	var p pull
	err := decodeMap(kindPull, payload,
		uintField("max", &p.max, maxPull),
		setField(&p.set),
		field{key: "after", read: func(r *cbor.Reader) error {
			n, err := r.Array()
			if err != nil {
				return err
			}
			if n != 2 {
				return errSize
			}
			if p.after.HLC, err = r.Uint(); err != nil {
				return err
			}
			if err := readFixed(r, p.after.ID[:]); err != nil {
				return err
			}
			r.End()
			return nil
		}},
	)
	if err == nil && p.max == 0 {
		err = refuse("pull: of nothing")
	}
	return p, err
}
