package recon

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// cell is one coded symbol: the exclusive or of its items, the exclusive or of
// their checks, and how many they are. In the difference of two sketches the
// count is that of one side less that of the other.
type cell struct {
	item  [16]byte
	check uint64
	count int64
}

// prefix is what the sketch knows of an id.
func prefix(id [32]byte) [16]byte { return [16]byte(id[:16]) }

// checkDomain keeps check apart from every other hash of the network.
const checkDomain = "mesh-sketch-v1\x00"

// check is the value by which a lone item in a symbol proves itself.
func check(x [16]byte) uint64 {
	var buf [len(checkDomain) + len(x)]byte
	copy(buf[:], checkDomain)
	copy(buf[len(checkDomain):], x[:])
	h := sha256.Sum256(buf[:])
	return binary.LittleEndian.Uint64(h[:8])
}

// toggle adds x to the symbols it belongs to.
func toggle(cells []cell, x [16]byte) {
	sum := check(x)
	for w := newWalk(sum); w.i < uint64(len(cells)); w.step() {
		cells[w.i].mix(x, sum, 1)
	}
}

// mix takes an item in or out; n is added to the count.
func (c *cell) mix(x [16]byte, sum uint64, n int64) {
	lo := binary.LittleEndian.Uint64(c.item[:8]) ^ binary.LittleEndian.Uint64(x[:8])
	hi := binary.LittleEndian.Uint64(c.item[8:]) ^ binary.LittleEndian.Uint64(x[8:])
	binary.LittleEndian.PutUint64(c.item[:8], lo)
	binary.LittleEndian.PutUint64(c.item[8:], hi)
	c.check ^= sum
	c.count += n
}

// walk visits the symbols an item belongs to, in ascending order from symbol 0.
// An item lies in symbol i with probability 1/(1 + i/2) (Yang, Gilad, Alizadeh,
// Practical Rateless Set Reconciliation, SIGCOMM 2024).
type walk struct {
	i uint64 // the symbol the walk is at
	r uint64
}

// newWalk starts at symbol 0, to which every item belongs.
func newWalk(check uint64) walk {
	z := check + 0x1234567
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return walk{r: z ^ z>>31}
}

// step moves to the next symbol. The conversions force every operation to be
// rounded on its own: a fused multiply-add would move items on some machines.
// A step of zero, which r within 1,024 of 2^64 gives, names the symbol again and
// does not put the item in twice. In reach of a sketch the step is below 2^46.
func (w *walk) step() {
	for {
		w.r *= 0xda942042e4dd58b5
		root := math.Sqrt(float64(float64(w.r) + 1))
		gap := float64(float64(float64(1<<32)/root) - 1)
		jump := uint64(math.Ceil(float64(float64(float64(w.i)+1.5) * gap)))
		if jump > 0 {
			w.i += jump
			return
		}
	}
}

// appendSymbols encodes cells with counts of zero or more.
func appendSymbols(b []byte, cells []cell) []byte {
	for i := range cells {
		b = append(b, cells[i].item[:]...)
		b = binary.LittleEndian.AppendUint64(b, cells[i].check)
		b = binary.AppendUvarint(b, uint64(cells[i].count))
	}
	return b
}

var errSymbols = errors.New("symbols are cut short")

// decodeSymbols fills cells from the head of b and returns the rest of b. It
// takes nothing but what appendSymbols writes.
func decodeSymbols(b []byte, cells []cell) ([]byte, error) {
	for i := range cells {
		if len(b) < 24 {
			return nil, errSymbols
		}
		cells[i].item = [16]byte(b)
		cells[i].check = binary.LittleEndian.Uint64(b[16:])
		count, rest, err := readUvarint(b[24:])
		if err != nil {
			return nil, fmt.Errorf("read count of symbol %d: %w", i, err)
		}
		if count > maxMembers {
			return nil, fmt.Errorf("symbol %d claims %d items", i, count)
		}
		cells[i].count = int64(count)
		b = rest
	}
	return b, nil
}

// readUvarint reads a LEB128 integer in its shortest form.
func readUvarint(b []byte) (v uint64, rest []byte, err error) {
	v, n := binary.Uvarint(b)
	switch {
	case n == 0:
		return 0, nil, errors.New("integer is cut short")
	case n < 0:
		return 0, nil, errors.New("integer overflows 64 bits")
	case n > 1 && b[n-1] == 0:
		return 0, nil, errors.New("integer is not in its shortest form")
	}
	return v, b[n:], nil
}
