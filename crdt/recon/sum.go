package recon

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
)

// Sum is the sum of ids, each read as a little-endian integer, modulo 2^256; its
// bytes are little-endian too. The zero Sum is that of no ids.
//
// It is a sum and not an exclusive or, in which an id counted twice would vanish.
type Sum [32]byte

// Add returns the sum with id.
func (s Sum) Add(id [32]byte) Sum {
	var carry uint64
	for i := 0; i < len(s); i += 8 {
		var w uint64
		w, carry = bits.Add64(binary.LittleEndian.Uint64(s[i:]), binary.LittleEndian.Uint64(id[i:]), carry)
		binary.LittleEndian.PutUint64(s[i:], w)
	}
	return s
}

// Sub returns the sum without id. The Sum of a part is taken away the same way.
func (s Sum) Sub(id [32]byte) Sum {
	var borrow uint64
	for i := 0; i < len(s); i += 8 {
		var w uint64
		w, borrow = bits.Sub64(binary.LittleEndian.Uint64(s[i:]), binary.LittleEndian.Uint64(id[i:]), borrow)
		binary.LittleEndian.PutUint64(s[i:], w)
	}
	return s
}

// FP is the fingerprint of count ids whose sum is s: the first 16 bytes of
// SHA-256 over the sum and negentropy's varint of the count.
func (s Sum) FP(count uint64) [16]byte {
	var buf [len(s) + maxVarint]byte
	h := sha256.Sum256(appendVarint(append(buf[:0], s[:]...), count))
	return [16]byte(h[:16])
}
