package index

import (
	"encoding/binary"
	"math/bits"
)

// columns are the values the search reads for each document, by document number, in the
// bytes a segment stores: the memtable appends to its own, a segment's point into its
// file.
type columns struct {
	fields int
	lens   []byte // fields bytes a document, see quantiseLen
	priors []byte // 2 bytes a document, in units of 1/priorUnit
	times  []byte // 8 bytes a document, milliseconds
}

func (c *columns) add(lens []byte, prior uint16, time int64) {
	c.lens = append(c.lens, lens[:c.fields]...)
	c.priors = binary.LittleEndian.AppendUint16(c.priors, prior)
	c.times = binary.LittleEndian.AppendUint64(c.times, uint64(time))
}

func (c *columns) docs() int { return len(c.priors) / 2 }

func (c *columns) lengths(doc uint32) []byte {
	at := int(doc) * c.fields
	return c.lens[at : at+c.fields]
}

func (c *columns) prior(doc uint32) uint16 { return binary.LittleEndian.Uint16(c.priors[2*int(doc):]) }

func (c *columns) time(doc uint32) int64 {
	return int64(binary.LittleEndian.Uint64(c.times[8*int(doc):]))
}

// quantiseLen keeps a field length in one byte: exact below 32, then in steps of a
// sixteenth. Statistics are summed from the quantised value, so that they can be taken
// back exactly when a document is removed.
func quantiseLen(n int) byte {
	if n < 32 {
		return byte(n)
	}
	shift := bits.Len(uint(n)) - 5 // the top five bits, the first of which is always set
	return byte(min(16*shift+n>>shift, 255))
}

// lenOf is the length that q stands for, the lower end of its step.
var lenOf = func() (table [256]uint32) {
	for q := range table {
		if q < 32 {
			table[q] = uint32(q)
			continue
		}
		shift := q/16 - 1
		table[q] = uint32(16+q%16) << shift
	}
	return table
}()

// marks is a set of document numbers.
type marks []uint64

func (m marks) has(doc uint32) bool {
	w := int(doc / 64)
	return w < len(m) && m[w]&(1<<(doc%64)) != 0
}

// with returns m with doc in it, grown when needed.
func (m marks) with(doc uint32) marks {
	for int(doc/64) >= len(m) {
		m = append(m, 0)
	}
	m[doc/64] |= 1 << (doc % 64)
	return m
}

// word returns the 64 marks from document 64*w on.
func (m marks) word(w int) uint64 {
	if w < len(m) {
		return m[w]
	}
	return 0
}
