package index

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// list is the postings of one term in one part: which documents contain it and how often in
// each field. A list in a segment points into its file.
type list struct {
	df   uint32 // documents in data, removed ones included
	mask uint8  // fields in which any of them contains the term; 0 for a facet
	data []byte
}

// posting is one document of a list.
type posting struct {
	doc  uint32
	mask uint8
	tf   [maxFields]uint16
}

// Encoding of one posting: the varint distance to the document before it, less one, and,
// unless the list is a facet's, a code byte. A code below 0x80 is a single field: three
// bits field, four bits frequency less one. Code 0x80 is followed by the byte of fields
// and a varint frequency for each. In prose the first form is nine postings of ten.
const manyFields = 0x80

// appendPosting appends the posting of doc, next being the lowest number it may have.
// Fields of mask have a frequency above 0.
func appendPosting(dst []byte, next, doc uint32, mask uint8, tf *[maxFields]uint16) []byte {
	dst = binary.AppendUvarint(dst, uint64(doc-next))
	if mask == 0 {
		return dst
	}
	if f := bits.TrailingZeros8(mask); mask == 1<<f && tf[f] <= 16 {
		return append(dst, byte(f<<4)|byte(tf[f]-1))
	}
	dst = append(dst, manyFields, mask)
	for m := mask; m != 0; m &= m - 1 {
		dst = binary.AppendUvarint(dst, uint64(tf[bits.TrailingZeros8(m)]))
	}
	return dst
}

// walk reads a list in order of the document number. It starts before the first posting.
type walk struct {
	posting
	data   []byte
	next   uint32 // lowest number the following posting may have
	limit  uint32 // documents of the part
	fields int
	facet  bool
	bad    bool // the bytes are no list of this part; the walk has ended
}

func (l list) walk(facet bool, fields int, limit int) walk {
	return walk{data: l.data, limit: uint32(limit), fields: fields, facet: facet}
}

// step goes to the following posting and reports whether there is one. In a list of
// several fields only the frequencies of the posting's own fields are meaningful.
func (w *walk) step() bool {
	if len(w.data) == 0 {
		return false
	}
	var gap uint64
	if b := w.data[0]; b < 0x80 {
		gap, w.data = uint64(b), w.data[1:]
	} else if gap = w.varint(); w.bad {
		return false
	}
	if gap >= uint64(w.limit-w.next) {
		return w.fail()
	}
	w.doc = w.next + uint32(gap)
	w.next = w.doc + 1
	if w.facet {
		return true
	}
	if len(w.data) == 0 {
		return w.fail()
	}
	code := w.data[0]
	w.data = w.data[1:]
	if code < manyFields {
		f := code >> 4
		if int(f) >= w.fields {
			return w.fail()
		}
		w.mask = 1 << f
		w.tf[f] = uint16(code&15) + 1
		return true
	}
	return w.many(code)
}

func (w *walk) many(code byte) bool {
	if code != manyFields || len(w.data) == 0 || w.data[0] == 0 || int(w.data[0]) >= 1<<w.fields {
		return w.fail()
	}
	w.mask = w.data[0]
	w.data = w.data[1:]
	for m := w.mask; m != 0; m &= m - 1 {
		tf := w.varint()
		if w.bad || tf == 0 || tf > math.MaxUint16 {
			return w.fail()
		}
		w.tf[bits.TrailingZeros8(m)] = uint16(tf)
	}
	return true
}

func (w *walk) varint() uint64 {
	v, n := binary.Uvarint(w.data)
	if n <= 0 {
		w.fail()
		return 0
	}
	w.data = w.data[n:]
	return v
}

func (w *walk) fail() bool {
	w.bad, w.data = true, nil
	return false
}
