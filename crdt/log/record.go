package log

import (
	"encoding/binary"
	"errors"
	"hash/crc32"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/recon"
)

// Every value ends in a CRC-32C of its key and its content: a flipped bit, or a
// value under another's key, is seen when read. Heads and bodies are checked
// against their SHA-256 besides.

var (
	castagnoli = crc32.MakeTable(crc32.Castagnoli)

	errAbsent   = errors.New("record is absent")
	errShort    = errors.New("record is cut short")
	errChecksum = errors.New("record fails its checksum")
	errTrailing = errors.New("bytes follow the record")
)

// seal appends the checksum to the content of key that begins at start of b.
func seal(b []byte, start int, key string) []byte {
	sum := crc32.Update(0, castagnoli, []byte(key))
	sum = crc32.Update(sum, castagnoli, b[start:])
	return binary.LittleEndian.AppendUint32(b, sum)
}

// unseal returns the content of a sealed value.
func unseal(key string, value []byte) ([]byte, error) {
	if len(value) < 4 {
		return nil, errShort
	}
	content := value[:len(value)-4]
	sum := crc32.Update(0, castagnoli, []byte(key))
	sum = crc32.Update(sum, castagnoli, content)
	if binary.LittleEndian.Uint32(value[len(content):]) != sum {
		return nil, errChecksum
	}
	return content, nil
}

// fields reads a record from front to back and keeps the first error.
type fields struct {
	b   []byte
	err error
}

func open(key string, value []byte) fields {
	b, err := unseal(key, value)
	return fields{b: b, err: err}
}

func (f *fields) uint() uint64 {
	if f.err != nil {
		return 0
	}
	v, n := binary.Uvarint(f.b)
	if n <= 0 {
		f.err = errShort
		return 0
	}
	f.b = f.b[n:]
	return v
}

func (f *fields) bytes(n uint64) []byte {
	if f.err != nil {
		return nil
	}
	if n > uint64(len(f.b)) {
		f.err = errShort
		return nil
	}
	b := f.b[:n]
	f.b = f.b[n:]
	return b
}

func (f *fields) id() (id change.ID) {
	copy(id[:], f.bytes(uint64(len(id))))
	return id
}

func (f *fields) text() string { return string(f.bytes(f.uint())) }

// done reports the first error, or that something is left.
func (f *fields) done() error {
	if f.err == nil && len(f.b) > 0 {
		f.err = errTrailing
	}
	return f.err
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// place is where a member lies.
type place struct {
	set  string
	item recon.Item
	seq  uint64
}

func appendPlace(b []byte, key string, p place) []byte {
	start := len(b)
	b = appendText(b, p.set)
	b = binary.AppendUvarint(b, p.item.HLC)
	b = binary.AppendUvarint(b, p.seq)
	b = append(b, p.item.ID[:]...)
	return seal(b, start, key)
}

func decodePlace(key string, value []byte) (place, error) {
	f := open(key, value)
	p := place{set: f.text()}
	p.item.HLC = f.uint()
	p.seq = f.uint()
	p.item.ID = f.id()
	return p, f.done()
}

// headRecord is what lies under prefixHead.
type headRecord struct {
	own bool
	seq uint64
	raw []byte
}

func appendHead(b []byte, key string, h headRecord) []byte {
	start := len(b)
	own := byte(0)
	if h.own {
		own = 1
	}
	b = append(b, own)
	b = binary.AppendUvarint(b, h.seq)
	b = append(b, h.raw...)
	return seal(b, start, key)
}

// decodeHeadRecord keeps value.
func decodeHeadRecord(key string, value []byte) (headRecord, error) {
	f := open(key, value)
	own := f.uint()
	h := headRecord{own: own == 1, seq: f.uint(), raw: f.b}
	if f.err == nil && own > 1 {
		f.err = errTrailing
	}
	return h, f.err
}

// bodyRecord is what lies under prefixBody.
type bodyRecord struct {
	state  State
	reason reason.Code
	held   reason.Code
	body   []byte // of Present
}

func appendBody(b []byte, key string, r bodyRecord) []byte {
	start := len(b)
	b = append(b, byte(r.state))
	b = appendText(b, string(r.reason))
	b = appendText(b, string(r.held))
	b = append(b, r.body...)
	return seal(b, start, key)
}

var errState = errors.New("record has no known state")

// decodeBodyRecord keeps value.
func decodeBodyRecord(key string, value []byte) (bodyRecord, error) {
	f := open(key, value)
	state := f.uint()
	r := bodyRecord{state: State(state), reason: reason.Code(f.text()), held: reason.Code(f.text())}
	switch {
	case f.err != nil:
		return bodyRecord{}, f.err
	case state > uint64(Purged):
		return bodyRecord{}, errState
	case r.state == Present:
		r.body = f.b
		if r.body == nil {
			r.body = []byte{}
		}
		return r, nil
	}
	return r, f.done()
}

// tip is the end of a chain.
type tip struct {
	id     change.ID
	seq    uint64
	hlc    uint64
	forked bool
	unsure bool // found again after damage: a member adrift may be the true end
}

// Flags of a tip.
const (
	tipForked = 1 << iota
	tipUnsure
)

func appendTip(b []byte, key string, t tip) []byte {
	start := len(b)
	flags := byte(0)
	if t.forked {
		flags |= tipForked
	}
	if t.unsure {
		flags |= tipUnsure
	}
	b = append(b, flags)
	b = binary.AppendUvarint(b, t.seq)
	b = binary.AppendUvarint(b, t.hlc)
	b = append(b, t.id[:]...)
	return seal(b, start, key)
}

func decodeTip(key string, value []byte) (tip, error) {
	f := open(key, value)
	flags := f.uint()
	t := tip{forked: flags&tipForked != 0, unsure: flags&tipUnsure != 0, seq: f.uint(), hlc: f.uint()}
	t.id = f.id()
	return t, f.done()
}

// appendNote is the record of an index whose key says it all, or a text.
func appendNote(b []byte, key, text string) []byte {
	start := len(b)
	b = append(b, text...)
	return seal(b, start, key)
}

// formatVersion changes when an older program could not read the log.
const formatVersion = 1

func appendState(b []byte, shards int, s state) []byte {
	start := len(b)
	for _, v := range []uint64{
		formatVersion, uint64(shards), s.seq,
		s.counts.Members, s.counts.Missing, s.counts.RowFailed, s.counts.Purged, s.counts.Held,
	} {
		b = binary.AppendUvarint(b, v)
	}
	return seal(b, start, stateKey)
}

func decodeState(value []byte) (version uint64, shards uint64, s state, err error) {
	f := open(stateKey, value)
	version, shards, s.seq = f.uint(), f.uint(), f.uint()
	c := &s.counts
	for _, v := range []*uint64{&c.Members, &c.Missing, &c.RowFailed, &c.Purged, &c.Held} {
		*v = f.uint()
	}
	return version, shards, s, f.done()
}
