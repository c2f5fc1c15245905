package engine

import (
	"encoding/binary"
	"hash/crc32"
)

// A write-ahead log of Pebble is a row of chunks in blocks of 32 KiB. A chunk has
// a header of 7, 11 or 19 bytes: CRC, length, kind, low half of the file's number
// and, in the newest form, the offset up to which the file was synced when the
// chunk was written. So a bad chunk below such an offset was once good: that is
// damage, and not the end that a crash leaves. A clean end has a trailer, a chunk
// with the next number; what is bad before it was once good too.
const (
	walBlock      = 32 << 10
	walHead       = 7
	walNumbered   = 11
	walSynced     = 19
	walFull       = 1 // within a form: full, first, middle, last
	walFirst      = 2
	walLast       = 4
	walKinds      = 12
	walKindsAForm = 4
)

// chunk is a good chunk of a write-ahead log.
type chunk struct {
	data   []byte
	place  int // walFull to walLast
	synced uint64
	end    int // offset of what follows
	eof    bool
}

// walChunk reads the chunk at an offset; ok is false when there is no good one.
func walChunk(file []byte, at int, number uint32) (c chunk, ok bool) {
	block := file[:min(len(file), (at/walBlock+1)*walBlock)]
	if at+walHead > len(block) {
		return c, false
	}
	sum, length, kind := binary.LittleEndian.Uint32(block[at:]), int(binary.LittleEndian.Uint16(block[at+4:])), int(block[at+6])
	if kind < 1 || kind > walKinds {
		return c, false
	}
	head := [...]int{walHead, walNumbered, walSynced}[(kind-1)/walKindsAForm]
	if at+head+length > len(block) {
		return c, false
	}
	if head > walHead {
		switch binary.LittleEndian.Uint32(block[at+7:]) {
		case number:
		case number + 1:
			return chunk{eof: true}, sum == 0 && length == 0
		default:
			return c, false
		}
	}
	if walSum(block[at+6:at+head+length]) != sum {
		return c, false
	}
	if head == walSynced {
		c.synced = binary.LittleEndian.Uint64(block[at+11:])
	}
	c.data, c.place, c.end = block[at+head:at+head+length], (kind-1)%walKindsAForm+1, at+head+length
	return c, true
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func walSum(b []byte) uint32 {
	c := crc32.Checksum(b, castagnoli)
	return (c>>15 | c<<17) + 0xa282ead8
}

// walRecords calls visit with every record of a write-ahead log that can be read,
// also behind damage, and reports whether there is any.
func walRecords(file []byte, number uint32, visit func([]byte)) (damaged bool) {
	var record []byte
	whole := false // record begins with a first chunk
	bad := -1      // offset of the first bad chunk
	for at := 0; at < len(file); {
		if left := walBlock - at%walBlock; left < walSynced && allZero(file[at:min(len(file), at+left)]) {
			at += left
			continue
		}
		c, ok := walChunk(file, at, number)
		if !ok {
			if bad < 0 {
				bad = at
			}
			whole = false
			at++ // a good one may follow anywhere
			continue
		}
		if bad >= 0 && (c.eof || c.synced > uint64(bad)) {
			damaged = true
		}
		if c.eof {
			return damaged
		}
		at = c.end
		switch c.place {
		case walFull:
			record, whole = append(record[:0], c.data...), true
		case walFirst:
			record, whole = append(record[:0], c.data...), true
			continue
		default:
			record = append(record, c.data...)
		}
		if whole && (c.place == walFull || c.place == walLast) {
			visit(record)
		}
		whole = whole && c.place != walFull && c.place != walLast
	}
	return damaged
}

func allZero(b []byte) bool {
	for _, x := range b {
		if x != 0 {
			return false
		}
	}
	return true
}
