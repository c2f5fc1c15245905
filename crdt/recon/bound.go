package recon

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
)

// bound is the exclusive upper end of a range: a timestamp and as many bytes of
// an id as are needed to distinguish two neighbours; the others are zero.
type bound struct {
	item Item
	n    int // bytes of item.ID that travel
}

// beyond is the bound after every item.
var beyond = bound{item: Item{HLC: infinity}}

// between is the shortest bound after a and not after b, for neighbours a < b.
func between(a, b Item) bound {
	if a.HLC != b.HLC {
		return bound{item: Item{HLC: b.HLC}}
	}
	n := 0
	for a.ID[n] == b.ID[n] {
		n++
	}
	out := bound{item: Item{HLC: b.HLC}, n: n + 1}
	copy(out.item.ID[:], b.ID[:n+1])
	return out
}

// maxVarint is the longest varint of 64 bits.
const maxVarint = 10

// appendVarint encodes v in base 128, most significant digit first, with as few
// digits as possible; all but the last have the high bit set.
func appendVarint(b []byte, v uint64) []byte {
	for shift := (max(bits.Len64(v), 1) - 1) / 7 * 7; shift > 0; shift -= 7 {
		b = append(b, byte(v>>shift)|0x80)
	}
	return append(b, byte(v)&0x7f)
}

// writer builds a message. Timestamps travel as their distance from the last one.
type writer struct {
	buf  []byte
	last uint64
}

func (w *writer) varint(v uint64) { w.buf = appendVarint(w.buf, v) }

// bound writes b and the mode of the range that ends there. Bounds ascend.
func (w *writer) bound(b bound, mode uint64) {
	if b.item.HLC == infinity {
		w.varint(0)
	} else {
		w.varint(b.item.HLC - w.last + 1)
		w.last = b.item.HLC
	}
	w.varint(uint64(b.n))
	w.buf = append(w.buf, b.item.ID[:b.n]...)
	w.varint(mode)
}

func (w *writer) bytes(b []byte) { w.buf = append(w.buf, b...) }

// reader takes a message apart.
type reader struct {
	buf  []byte
	last uint64
}

var errShort = errors.New("message is cut short")

func (r *reader) bytes(n int) ([]byte, error) {
	if n > len(r.buf) {
		return nil, errShort
	}
	b := r.buf[:n]
	r.buf = r.buf[n:]
	return b, nil
}

func (r *reader) varint() (uint64, error) {
	var v uint64
	for i, c := range r.buf {
		if i == 0 && c == 0x80 {
			return 0, errors.New("integer is not in its shortest form")
		}
		if v > math.MaxUint64>>7 {
			return 0, errors.New("integer overflows 64 bits")
		}
		v = v<<7 | uint64(c&0x7f)
		if c < 0x80 {
			r.buf = r.buf[i+1:]
			return v, nil
		}
	}
	return 0, errShort
}

func (r *reader) bound() (bound, error) {
	t, err := r.varint()
	if err != nil {
		return bound{}, err
	}
	n, err := r.varint()
	if err != nil {
		return bound{}, err
	}
	if n > 32 {
		return bound{}, fmt.Errorf("bound has %d bytes of an id", n)
	}
	id, err := r.bytes(int(n))
	if err != nil {
		return bound{}, err
	}
	b := bound{n: int(n)}
	copy(b.item.ID[:], id)
	if t == 0 {
		b.item.HLC = infinity
	} else {
		b.item.HLC = r.last + t - 1
		if b.item.HLC < r.last || b.item.HLC == infinity {
			return bound{}, errors.New("timestamp overflows 64 bits")
		}
	}
	if b.item.HLC == infinity && n > 0 {
		return bound{}, errors.New("bound at infinity has an id")
	}
	r.last = b.item.HLC
	return b, nil
}
