package sync

import "github.com/meshd/meshd/crdt/cbor"

// rangeMsg carries one message of the range protocol, either way.
type rangeMsg struct {
	set string
	msg []byte
}

func (m rangeMsg) encode() []byte {
	b := appendBytes(cbor.AppendMap(nil, 2), "msg", m.msg)
	return appendSet(b, m.set)
}

func decodeRange(payload []byte) (rangeMsg, error) {
	var m rangeMsg
	err := decodeMap(kindRange, payload,
		field{key: "msg", read: func(r *cbor.Reader) (err error) {
			if m.msg, err = r.Bytes(); err == nil && len(m.msg) > maxRange {
				err = errLimit
			}
			return err
		}},
		setField(&m.set),
	)
	return m, err
}
