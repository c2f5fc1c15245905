package sync

import "github.com/meshd/meshd/crdt/cbor"

// have announces on an open stream what is new at its sender. It has no answer.
type have struct {
	set string
	ids [][]byte
}

func (h have) encode() []byte {
	return appendSet(appendIDs(cbor.AppendMap(nil, 2), h.ids), h.set)
}

func decodeHave(payload []byte) (have, error) {
	var h have
	err := decodeMap(kindHave, payload, idsField(&h.ids, maxHave), setField(&h.set))
	return h, err
}
