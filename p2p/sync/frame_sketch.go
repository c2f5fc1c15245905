package sync

import (
	"errors"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/recon"
)

// sketchAsk requests n coded symbols of the responder's sketch, starting with from.
type sketchAsk struct {
	set     string
	from, n uint64
}

func (a sketchAsk) encode() []byte {
	b := appendUint(cbor.AppendMap(nil, 3), "n", a.n)
	return appendUint(appendSet(b, a.set), "from", a.from)
}

func decodeSketchAsk(payload []byte) (sketchAsk, error) {
	var a sketchAsk
	err := decodeMap(kindSketch, payload,
		uintField("n", &a.n, recon.MaxSymbols),
		setField(&a.set),
		uintField("from", &a.from, recon.MaxSymbols),
	)
	if err == nil && (a.n == 0 || a.from+a.n > recon.MaxSymbols) {
		err = refuse("sketch: symbols %d to %d", a.from, a.from+a.n)
	}
	return a, err
}

// sketchAnswer is the symbols asked for, and what the sketch stands for.
type sketchAnswer struct {
	set   string
	from  uint64
	syms  []byte
	count uint64
	fp    [16]byte
}

func (a sketchAnswer) encode() []byte {
	b := appendBytes(cbor.AppendMap(nil, 5), "fp", a.fp[:])
	b = appendUint(appendSet(b, a.set), "from", a.from)
	return appendUint(appendBytes(b, "syms", a.syms), "count", a.count)
}

func decodeSketchAnswer(payload []byte) (sketchAnswer, error) {
	var a sketchAnswer
	err := decodeMap(kindSketch, payload,
		fpField(&a.fp),
		setField(&a.set),
		uintField("from", &a.from, recon.MaxSymbols),
		field{key: "syms", read: func(r *cbor.Reader) (err error) {
			if a.syms, err = r.Bytes(); err == nil && len(a.syms) == 0 {
				err = errEmpty
			}
			return err
		}},
		uintField("count", &a.count, cbor.MaxInt),
	)
	return a, err
}

var errEmpty = errors.New("empty")
