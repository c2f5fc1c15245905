package doc

import (
	"bytes"
	"crypto/sha256"
)

// Chunk is one decoded Automerge change. It is made by DecodeChunk alone and
// must not be changed.
type Chunk struct {
	Hash    [32]byte   // of the change: what dependencies name
	Actor   [16]byte   // the author
	Seq     uint64     // 1 for the first change of the author in the document
	StartOp uint64     // counter of the first operation
	Ops     uint64     // number of operations, 0 for a change that only joins heads
	Deps    [][32]byte // hashes of the changes it builds on, ascending
	Text    uint64     // characters of the texts it inserts into sequences: no less than its live text grows
	Raw     []byte     // the chunk itself

	others  [][16]byte // the actors behind index 1 and up
	columns columns
}

// The layout of a chunk (Automerge binary format, "change chunk").
const (
	chunkMagic  = "\x85\x6f\x4a\x83"
	chunkChange = 1 // the chunk type of an uncompressed change
)

// The column specifications of an operation: id << 4 | type. Bit 3 of the type
// would mean a compressed column and thus makes it unknown.
const (
	colObjActor  = 0<<4 | 1
	colObjCtr    = 0<<4 | 2
	colKeyActor  = 1<<4 | 1
	colKeyCtr    = 1<<4 | 3
	colKeyText   = 1<<4 | 5
	colInsert    = 3<<4 | 4
	colAction    = 4<<4 | 2
	colValueMeta = 5<<4 | 6
	colValue     = 5<<4 | 7
	colPredCount = 7 << 4
	colPredActor = 7<<4 | 1
	colPredCtr   = 7<<4 | 3
)

// columns are the bytes of each column of a chunk; one that was left out is empty.
type columns struct {
	objActor, objCtr              []byte
	keyActor, keyCtr, keyText     []byte
	insert, action                []byte
	valueMeta, value              []byte
	predCount, predActor, predCtr []byte
}

// slot is where the bytes of column spec belong, nil for a column that is not allowed.
func (c *columns) slot(spec uint64) *[]byte {
	switch spec {
	case colObjActor:
		return &c.objActor
	case colObjCtr:
		return &c.objCtr
	case colKeyActor:
		return &c.keyActor
	case colKeyCtr:
		return &c.keyCtr
	case colKeyText:
		return &c.keyText
	case colInsert:
		return &c.insert
	case colAction:
		return &c.action
	case colValueMeta:
		return &c.valueMeta
	case colValue:
		return &c.value
	case colPredCount:
		return &c.predCount
	case colPredActor:
		return &c.predActor
	case colPredCtr:
		return &c.predCtr
	}
	return nil
}

// DecodeChunk reads exactly one uncompressed Automerge change chunk. Every
// breach of the rules for documents is a bad_encoding refusal. What a single
// chunk cannot know, whether its author, its dependencies and the objects of
// other changes exist, is left to the caller and to Order.
//
// The Chunk keeps b, which must not be changed afterwards.
func DecodeChunk(b []byte) (*Chunk, error) {
	if len(b) > MaxChunk {
		return nil, refuse("chunk of %d bytes, at most %d are allowed", len(b), MaxChunk)
	}
	c := &Chunk{Raw: b}
	body, err := c.openHeader(b)
	if err != nil {
		return nil, err
	}
	if err := c.readMeta(&body); err != nil {
		return nil, err
	}
	if err := c.readColumns(&body); err != nil {
		return nil, err
	}
	if err := c.checkOps(); err != nil {
		return nil, err
	}
	return c, nil
}

// openHeader checks magic, checksum, type and length and returns the contents.
func (c *Chunk) openHeader(b []byte) (reader, error) {
	r := reader{b}
	magic, err := r.take(4)
	if err != nil || string(magic) != chunkMagic {
		return r, refuse("chunk does not start with the magic number")
	}
	sum, err := r.take(4)
	if err != nil {
		return r, refuse("chunk checksum: %v", err)
	}
	hashed := r.b
	kind, err := r.take(1)
	if err != nil || kind[0] != chunkChange {
		return r, refuse("chunk is not an uncompressed change")
	}
	n, err := r.uleb()
	if err != nil {
		return r, refuse("chunk length: %v", err)
	}
	if n != uint64(len(r.b)) {
		return r, refuse("chunk length says %d bytes, %d follow", n, len(r.b))
	}
	c.Hash = sha256.Sum256(hashed)
	if !bytes.Equal(sum, c.Hash[:4]) {
		return r, refuse("chunk checksum does not match")
	}
	return r, nil
}

// readMeta reads everything before the columns.
func (c *Chunk) readMeta(r *reader) error {
	n, err := r.uleb()
	if err != nil {
		return refuse("dependencies: %v", err)
	}
	if n > MaxDeps {
		return refuse("%d dependencies, at most %d are allowed", n, MaxDeps)
	}
	for i := range n {
		d, err := r.take(32)
		if err != nil {
			return refuse("dependencies: %v", err)
		}
		if i > 0 && bytes.Compare(d, c.Deps[i-1][:]) <= 0 {
			return refuse("dependencies are not in ascending order")
		}
		c.Deps = append(c.Deps, [32]byte(d))
	}
	if c.Actor, err = readActor(r); err != nil {
		return refuse("actor: %v", err)
	}
	if c.Seq, err = r.uleb(); err != nil {
		return refuse("seq: %v", err)
	}
	if c.StartOp, err = r.uleb(); err != nil {
		return refuse("start op: %v", err)
	}
	if c.Seq < 1 || c.StartOp < 1 || c.StartOp > maxCounter {
		return refuse("seq %d or start op %d is out of range", c.Seq, c.StartOp)
	}
	if c.Seq > 1 && n == 0 {
		return refuse("seq %d without dependencies", c.Seq)
	}
	time, err := r.sleb()
	if err != nil || time != 0 {
		return refuse("time is not 0")
	}
	message, err := r.uleb()
	if err != nil || message != 0 {
		return refuse("message is not empty")
	}
	return c.readOthers(r)
}

func (c *Chunk) readOthers(r *reader) error {
	n, err := r.uleb()
	if err != nil {
		return refuse("other actors: %v", err)
	}
	if n > MaxOps {
		return refuse("%d other actors, at most %d are allowed", n, MaxOps)
	}
	for i := range n {
		a, err := readActor(r)
		if err != nil {
			return refuse("other actors: %v", err)
		}
		if a == c.Actor || i > 0 && bytes.Compare(a[:], c.others[i-1][:]) <= 0 {
			return refuse("other actors are not in ascending order or name the author")
		}
		c.others = append(c.others, a)
	}
	return nil
}

func readActor(r *reader) (a [16]byte, err error) {
	n, err := r.uleb()
	if err != nil {
		return a, err
	}
	if n != actorSize {
		return a, errRange
	}
	b, err := r.take(n)
	if err != nil {
		return a, err
	}
	return [16]byte(b), nil
}

// readColumns cuts the rest of the chunk into its columns.
func (c *Chunk) readColumns(r *reader) error {
	n, err := r.uleb()
	if err != nil {
		return refuse("columns: %v", err)
	}
	type span struct{ spec, size uint64 }
	var spans []span
	for i := range n {
		var s span
		if s.spec, err = r.uleb(); err != nil {
			return refuse("columns: %v", err)
		}
		if s.size, err = r.uleb(); err != nil {
			return refuse("columns: %v", err)
		}
		if i > 0 && s.spec <= spans[i-1].spec {
			return refuse("columns are not in ascending order")
		}
		if c.columns.slot(s.spec) == nil {
			return refuse("column %d is not allowed", s.spec)
		}
		if s.size == 0 {
			return refuse("column %d is empty and must be left out", s.spec)
		}
		spans = append(spans, s)
	}
	for _, s := range spans {
		if *c.columns.slot(s.spec), err = r.take(s.size); err != nil {
			return refuse("column %d: %v", s.spec, err)
		}
	}
	if len(r.b) != 0 {
		return refuse("%d extra bytes after the columns", len(r.b))
	}
	return nil
}
