package sync

import (
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
)

// changes is an answer to want and pull, or the initiator's push. It travels
// as one zstd frame. The changes stand in (hlc, id) order.
type changes struct {
	items []item
	more  bool // another frame of the same answer or push follows
}

// item is a change before it is decoded; body is nil for a stub.
type item struct{ head, body []byte }

// encodeChanges returns the payload before it is packed.
func encodeChanges(cs []*change.Change, more bool) []byte {
	b := cbor.AppendBool(cbor.AppendText(cbor.AppendMap(nil, 2), "more"), more)
	b = cbor.AppendArray(cbor.AppendText(b, "items"), len(cs))
	for _, c := range cs {
		b = cbor.AppendBytes(cbor.AppendArray(b, 2), c.RawHead)
		if c.Body == nil {
			b = cbor.AppendNull(b)
		} else {
			b = cbor.AppendBytes(b, c.Body)
		}
	}
	return b
}

// decodeChanges reads an unpacked payload, which the items alias.
func decodeChanges(unpacked []byte) (changes, error) {
	var c changes
	err := decodeMap(kindChanges, unpacked,
		field{key: "more", read: func(r *cbor.Reader) (err error) { c.more, err = r.Bool(); return err }},
		field{key: "items", read: func(r *cbor.Reader) (err error) { c.items, err = readItems(r); return err }},
	)
	return c, err
}

func readItems(r *cbor.Reader) ([]item, error) {
	n, err := r.Array()
	if err != nil {
		return nil, err
	}
	if n > maxItems {
		return nil, errLimit
	}
	items := make([]item, n)
	for i := range items {
		two, err := r.Array()
		if err != nil {
			return nil, err
		}
		if two != 2 {
			return nil, errSize
		}
		if items[i].head, err = r.Bytes(); err != nil {
			return nil, err
		}
		if items[i].body, err = r.BytesOrNull(); err != nil {
			return nil, err
		}
		r.End()
	}
	r.End()
	return items, nil
}
