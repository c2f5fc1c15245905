package index

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// segment is one immutable file of documents, a part for each space in it. Only the
// marks of removed documents change; they live in the manifest.
type segment struct {
	number uint64
	size   uint32
	sum    uint32 // CRC-32C of the file without its last four bytes
	names  []string
	parts  map[string]*part // by space; names gives their order in the file
}

// File layout, all integers little endian:
//
//	segmentMagic, part*, directory, offset of the directory u64, CRC-32C of all before u32
//	directory: varint count, then for each part: varint length + space, varint offset, varint length
//
// A part begins with partHeader integers u32: documents, terms, and the lengths of key
// data, term data, posting directory and postings. The sections follow in the order of
// decodePart. The posting directory has a block for each block of the term table: varint
// offset of its first list, then for each term varint df, fields byte, varint length.
const (
	segmentMagic = "meshidx1"
	footerSize   = 12
	partHeader   = 6
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// decodeSegment reads the bytes of a segment file and keeps them.
func decodeSegment(b []byte, fields int) (*segment, error) {
	if len(b) < len(segmentMagic)+footerSize || len(b) > maxFile || string(b[:len(segmentMagic)]) != segmentMagic {
		return nil, fmt.Errorf("%w: not a segment", ErrCorrupt)
	}
	end := len(b) - footerSize
	sum := crc32.Checksum(b[:len(b)-4], castagnoli)
	if sum != binary.LittleEndian.Uint32(b[len(b)-4:]) {
		return nil, fmt.Errorf("%w: checksum of a segment differs", ErrCorrupt)
	}
	off := binary.LittleEndian.Uint64(b[end:])
	if off > uint64(end) {
		return nil, fmt.Errorf("%w: directory of a segment lies outside", ErrCorrupt)
	}
	s := &segment{size: uint32(len(b)), sum: sum, parts: make(map[string]*part)}
	dir := decoder{data: b[off:end]}
	for range dir.varint() {
		name := string(dir.bytes(dir.varint()))
		at, size := dir.varint(), dir.varint()
		if dir.bad || at > off || size > off-at || validSpace(name) != nil || s.parts[name] != nil {
			return nil, fmt.Errorf("%w: directory of a segment is malformed", ErrCorrupt)
		}
		p, err := decodePart(b[at:at+size], fields)
		if err != nil {
			return nil, err
		}
		s.names = append(s.names, name)
		s.parts[name] = p
	}
	if dir.bad || len(dir.data) > 0 {
		return nil, fmt.Errorf("%w: directory of a segment is malformed", ErrCorrupt)
	}
	return s, nil
}

func (s *segment) count() (live, all int) {
	for _, p := range s.parts {
		live += p.live
		all += p.docs()
	}
	return live, all
}

func decodePart(b []byte, fields int) (*part, error) {
	d := decoder{data: b}
	var head [partHeader]uint64
	for i := range head {
		if v := d.bytes(4); !d.bad {
			head[i] = uint64(binary.LittleEndian.Uint32(v))
		}
	}
	docs, terms := head[0], head[1]
	if d.bad || docs > uint64(len(b)) || terms > uint64(len(b)) {
		return nil, fmt.Errorf("%w: head of a part is malformed", ErrCorrupt)
	}
	p := &part{columns: columns{fields: fields}}
	p.lens = d.bytes(docs * uint64(fields))
	p.priors = d.bytes(2 * docs)
	p.times = d.bytes(8 * docs)
	dict := &segDictionary{}
	dict.keys = table{n: int(docs), offsets: d.bytes(4 * uint64(blocks(int(docs)))), data: d.bytes(head[2])}
	dict.terms = table{n: int(terms), offsets: d.bytes(4 * uint64(blocks(int(terms)))), data: d.bytes(head[3])}
	dict.offsets = d.bytes(4 * uint64(blocks(int(terms))))
	dict.entries = d.bytes(head[4])
	dict.postings = d.bytes(head[5])
	if d.bad || len(d.data) > 0 {
		return nil, fmt.Errorf("%w: sections of a part do not fill it", ErrCorrupt)
	}
	p.terms = dict
	p.count()
	return p, nil
}

// segDictionary is the dictionary of a part in a segment. Documents are numbered in the
// order of their keys.
type segDictionary struct {
	keys     table
	terms    table
	offsets  []byte // of the blocks in entries, 4 bytes each
	entries  []byte // the posting directory
	postings []byte
}

var _ dictionary = (*segDictionary)(nil)

func (d *segDictionary) find(key string) (uint32, bool) {
	i, ok := d.keys.find(key)
	return uint32(i), ok
}

func (d *segDictionary) key(doc uint32) string { return d.keys.at(int(doc)) }

func (d *segDictionary) less(a, b uint32) bool { return a < b }

func (d *segDictionary) after(key string) func(uint32) bool {
	first, found := d.keys.find(key)
	if found {
		first++
	}
	return func(doc uint32) bool { return int(doc) >= first }
}

func (d *segDictionary) list(term string) (list, bool, error) {
	i, ok := d.terms.find(term)
	if !ok {
		return list{}, false, nil
	}
	next := d.directory(i / blockSize)
	for range i % blockSize {
		if _, err := next(); err != nil {
			return list{}, false, err
		}
	}
	l, err := next()
	return l, err == nil, err
}

// directory reads the lists of block b of the term table one after the other.
func (d *segDictionary) directory(b int) func() (list, error) {
	off := binary.LittleEndian.Uint32(d.offsets[4*b:])
	r := decoder{bad: uint64(off) > uint64(len(d.entries))}
	if !r.bad {
		r.data = d.entries[off:]
	}
	at := r.varint()
	return func() (list, error) {
		df, mask, size := r.varint(), r.bytes(1), r.varint()
		if r.bad || at > uint64(len(d.postings)) || size > uint64(len(d.postings))-at || df > uint64(d.keys.n) {
			return list{}, fmt.Errorf("%w: posting directory is malformed", ErrCorrupt)
		}
		l := list{df: uint32(df), mask: mask[0], data: d.postings[at : at+size]}
		at += size
		return l, nil
	}
}

func (d *segDictionary) documents() func() (string, uint32, bool) {
	r := d.keys.rows()
	return func() (string, uint32, bool) {
		if !r.step() {
			return "", 0, false
		}
		return string(r.entry), uint32(r.at), true
	}
}

func (d *segDictionary) lists() func() (string, list, bool, error) {
	r := d.terms.rows()
	var next func() (list, error)
	return func() (string, list, bool, error) {
		if !r.step() {
			return "", list{}, false, nil
		}
		if r.at%blockSize == 0 {
			next = d.directory(r.at / blockSize)
		}
		l, err := next()
		return string(r.entry), l, err == nil, err
	}
}

// decoder takes pieces off the front of bytes. After the first piece that is not there
// it is bad and gives zero values.
type decoder struct {
	data []byte
	bad  bool
}

func (d *decoder) bytes(n uint64) []byte {
	if d.bad || n > uint64(len(d.data)) {
		d.bad = true
		return nil
	}
	out := d.data[:n:n]
	d.data = d.data[n:]
	return out
}

func (d *decoder) varint() uint64 {
	v, n := binary.Uvarint(d.data)
	if d.bad || n <= 0 {
		d.bad = true
		return 0
	}
	d.data = d.data[n:]
	return v
}

func (d *decoder) uint64() uint64 {
	if b := d.bytes(8); !d.bad {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}
