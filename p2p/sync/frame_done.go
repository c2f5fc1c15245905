package sync

import "github.com/meshd/meshd/crdt/cbor"

// done says how a side stands at the end of a set: the initiator's when all it
// asked for is applied and all it pushed is sent, then the responder's when the
// pushes are applied.
type done struct{ setState }

func (d done) encode() []byte {
	b := appendBytes(cbor.AppendMap(nil, 3), "fp", d.fp[:])
	return appendUint(appendSet(b, d.name), "count", d.count)
}

func decodeDone(payload []byte) (done, error) {
	var d done
	err := decodeMap(kindDone, payload,
		fpField(&d.fp), setField(&d.name), uintField("count", &d.count, cbor.MaxInt))
	return d, err
}
