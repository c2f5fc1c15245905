package sync

import "github.com/meshd/meshd/crdt/cbor"

// gone names what was asked for and is not here.
type gone struct{ ids [][]byte }

func (g gone) encode() []byte { return appendIDs(cbor.AppendMap(nil, 1), g.ids) }

func decodeGone(payload []byte) (gone, error) {
	var g gone
	err := decodeMap(kindGone, payload, idsField(&g.ids, maxWant))
	if err == nil && len(g.ids) == 0 {
		err = refuse("gone: empty")
	}
	return g, err
}
