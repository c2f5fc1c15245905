package sync

import "github.com/meshd/meshd/crdt/cbor"

// want requests changes by id, or by the first 16 bytes of it.
type want struct {
	set string
	ids [][]byte
}

func (w want) encode() []byte {
	return appendSet(appendIDs(cbor.AppendMap(nil, 2), w.ids), w.set)
}

func decodeWant(payload []byte) (want, error) {
	var w want
	err := decodeMap(kindWant, payload, idsField(&w.ids, maxWant), setField(&w.set))
	return w, err
}
