package sync

import (
	"unicode/utf8"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
)

// hello opens a session, from the initiator first.
type hello struct {
	net   change.NetID
	now   uint64 // milliseconds since 1970
	sets  []setState
	agent string // program
	proof []byte // for team sets; nil for none
}

// setState is how one side's copy of a set stands.
type setState struct {
	name  string
	count uint64
	fp    [16]byte
}

func (s setState) equal(o setState) bool { return s.count == o.count && s.fp == o.fp }

func (h hello) find(name string) (setState, bool) {
	for _, s := range h.sets {
		if s.name == name {
			return s, true
		}
	}
	return setState{}, false
}

func (h hello) encode() []byte {
	n := 5
	if h.proof != nil {
		n++
	}
	b := appendUint(cbor.AppendMap(nil, n), "v", 1)
	b = appendBytes(b, "net", h.net[:])
	b = appendUint(b, "now", h.now)
	b = cbor.AppendArray(cbor.AppendText(b, "sets"), len(h.sets))
	for _, s := range h.sets {
		b = appendBytes(cbor.AppendMap(b, 3), "fp", s.fp[:])
		b = cbor.AppendText(cbor.AppendText(b, "name"), s.name)
		b = appendUint(b, "count", s.count)
	}
	b = cbor.AppendText(cbor.AppendText(b, "agent"), h.agent)
	if h.proof != nil {
		b = appendBytes(b, "proof", h.proof)
	}
	return b
}

func decodeHello(payload []byte) (hello, error) {
	var h hello
	var version uint64
	err := decodeMap(kindHello, payload,
		uintField("v", &version, cbor.MaxInt),
		field{key: "net", read: func(r *cbor.Reader) error { return readFixed(r, h.net[:]) }},
		uintField("now", &h.now, cbor.MaxInt),
		field{key: "sets", read: func(r *cbor.Reader) (err error) { h.sets, err = readSets(r); return err }},
		field{key: "agent", read: func(r *cbor.Reader) (err error) {
			if h.agent, err = r.Text(); err == nil && utf8.RuneCountInString(h.agent) > maxAgent {
				err = errLimit
			}
			return err
		}},
		field{key: "proof", optional: true, read: func(r *cbor.Reader) error {
			b, err := r.Bytes()
			if err == nil && len(b) > maxProof {
				err = errLimit
			}
			h.proof = append([]byte{}, b...)
			return err
		}},
	)
	if err == nil && version != 1 {
		err = refuse("hello: version %d", version)
	}
	if err != nil {
		return hello{}, err
	}
	return h, nil
}

func readSets(r *cbor.Reader) ([]setState, error) {
	n, err := r.Array()
	if err != nil {
		return nil, err
	}
	if n > maxSets {
		return nil, errLimit
	}
	sets := make([]setState, n)
	seen := make(map[string]bool, n)
	for i := range sets {
		s := &sets[i]
		err := readMap(r, []field{
			fpField(&s.fp),
			{key: "name", read: func(r *cbor.Reader) (err error) { s.name, err = readSet(r); return err }},
			uintField("count", &s.count, cbor.MaxInt),
		})
		if err != nil {
			return nil, err
		}
		if seen[s.name] {
			return nil, errTwice
		}
		seen[s.name] = true
	}
	r.End()
	return sets, nil
}
