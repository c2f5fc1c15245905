// Package backup writes a whole home into one stream and makes a home of it again:
// settings, the log, the keys and the state's database, each as it was at one
// moment, while the node runs. What is derived is left out.
//
// [Write] and [Read] are the two ends of the format; [Restore] makes a home. A
// stream that was cut, altered or is something else is refused as backup_invalid. Whether it was made by the node whose keys are in it is shown by
// the seal of its end, under a secret of that node's own.
//
// Layout: the magic, then one zstd frame of records: type (1 byte), length (uvarint),
// payload. The first is a header, the last an end with the SHA-256 of all records
// before it. In between stand pairs of the log's engine, in order of their keys,
// and files, each begun by its name and mode and followed by its bytes.
package backup

import (
	"bufio"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/meshd/meshd/crdt/reason"
)

const magic = "MESHBAK1\n"

// The types of records.
const (
	typeHeader byte = 1
	typePair   byte = 2
	typeFile   byte = 3
	typeData   byte = 4
	typeEnd    byte = 5
)

func invalid(format string, args ...any) error {
	return reason.Refuse(reason.BackupInvalid, "this is not a sound backup: "+format, args...)
}

// Header says what a backup is of. Nothing in it is secret.
type Header struct {
	Made    time.Time `json:"made"`
	Program string    `json:"program"`
	Network string    `json:"network"`
	Node    string    `json:"node"`  // peer id
	Owner   string    `json:"owner"` // agent id, "" when there is none
	Shards  int       `json:"shards"`
	Changes uint64    `json:"changes"` // local sequence of the log, at least
	State   string    `json:"state"`   // "sqlite", or where it lies instead
	Keys    []string  `json:"keys"`    // did:key of those that write changes
}

// End closes a backup.
type End struct {
	Pairs  uint64 `json:"pairs"`
	Files  uint64 `json:"files"`
	Digest []byte `json:"sha256"`
	Seal   []byte `json:"seal"` // HMAC-SHA-256 of the digest
}

// Sealed reports whether the end was made under that secret.
func (e End) Sealed(secret [32]byte) bool { return hmac.Equal(e.Seal, seal(secret, e.Digest)) }

func seal(secret [32]byte, digest []byte) []byte {
	mac := hmac.New(sha256.New, secret[:])
	mac.Write([]byte("meshd backup\x00"))
	mac.Write(digest)
	return mac.Sum(nil)
}

// file begins a file.
type file struct {
	Name string      `json:"name"` // below the home, with slashes
	Mode fs.FileMode `json:"mode"`
}

func (f file) check() error {
	if f.Name == "" || len(f.Name) > maxName || !filepath.IsLocal(filepath.FromSlash(f.Name)) || strings.ContainsAny(f.Name, "\\\x00") ||
		filepath.ToSlash(filepath.Clean(filepath.FromSlash(f.Name))) != f.Name || f.Name == "." || f.Mode&^fs.ModePerm != 0 {
		return invalid("a file is called %.80q, mode %o", f.Name, f.Mode)
	}
	return nil
}

// writer writes records.
type writer struct {
	out *zstd.Encoder
	sum hash.Hash
	end End
	buf []byte
}

func newWriter(w io.Writer) (*writer, error) {
	if _, err := io.WriteString(w, magic); err != nil {
		return nil, err
	}
	enc, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(window))
	if err != nil {
		return nil, err
	}
	return &writer{out: enc, sum: sha256.New()}, nil
}

func (w *writer) record(kind byte, parts ...[]byte) error {
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	if size > maxRecord {
		return fmt.Errorf("a record of %d bytes", size)
	}
	w.buf = binary.AppendUvarint(append(w.buf[:0], kind), uint64(size))
	for _, p := range parts {
		w.buf = append(w.buf, p...)
	}
	if kind != typeEnd {
		w.sum.Write(w.buf)
	}
	_, err := w.out.Write(w.buf)
	return err
}

func (w *writer) json(kind byte, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return w.record(kind, text)
}

func (w *writer) pair(key string, value []byte) error {
	w.end.Pairs++
	return w.record(typePair, binary.AppendUvarint(nil, uint64(len(key))), []byte(key), value)
}

func (w *writer) file(f file, r io.Reader) error {
	if err := f.check(); err != nil {
		return err
	}
	w.end.Files++
	if err := w.json(typeFile, f); err != nil {
		return err
	}
	buf := make([]byte, chunk)
	for {
		n, err := io.ReadFull(r, buf)
		if n > 0 {
			if err := w.record(typeData, buf[:n]); err != nil {
				return err
			}
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (w *writer) close(secret [32]byte) error {
	w.end.Digest = w.sum.Sum(nil)
	w.end.Seal = seal(secret, w.end.Digest)
	if err := w.json(typeEnd, w.end); err != nil {
		return err
	}
	return w.out.Close()
}

// Sink takes what Read finds, in order. A nil function ignores it.
type Sink struct {
	Header func(Header) error
	Pair   func(key string, value []byte) error // value is only lent
	File   func(name string, mode fs.FileMode) error
	Data   func(b []byte) error // of the last File; only lent
}

// Read reads a backup to its end and checks that it is whole. Its error is the
// refusal backup_invalid, one of r, or what a function of the sink returned; what the sink was
// given before an error is not to be trusted.
func Read(r io.Reader, s Sink) (h Header, end End, err error) {
	start := make([]byte, len(magic))
	if _, err := io.ReadFull(r, start); err != nil || string(start) != magic {
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return h, end, err
		}
		return h, end, invalid("it does not begin as one")
	}
	src := &faulty{r: r}
	dec, err := zstd.NewReader(src, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(window), zstd.WithDecoderMaxMemory(2*window))
	if err != nil {
		return h, end, err
	}
	defer dec.Close()
	d := &decoder{in: bufio.NewReaderSize(dec, chunk), sum: sha256.New(), sink: s}
	err = d.run()
	if src.err != nil {
		return d.header, d.end, src.err
	}
	return d.header, d.end, err
}

// faulty remembers an error of reading that is not the stream's end, which the
// decompressor would hide among its own.
type faulty struct {
	r   io.Reader
	err error
}

func (f *faulty) Read(b []byte) (int, error) {
	n, err := f.r.Read(b)
	if err != nil && err != io.EOF {
		f.err = err
	}
	return n, err
}

type decoder struct {
	in     *bufio.Reader
	sum    hash.Hash
	sink   Sink
	header Header
	end    End
	begun  bool
	open   bool // a file
	counts End
	key    string // of the last pair
	buf    []byte
}

func (d *decoder) run() error {
	for {
		kind, payload, err := d.next()
		if err != nil {
			return err
		}
		if !d.begun && kind != typeHeader || d.begun && kind == typeHeader {
			return invalid("a record of type %d stands at a wrong place", kind)
		}
		if kind == typeEnd {
			return d.finish(payload)
		}
		if err := d.take(kind, payload); err != nil {
			return err
		}
	}
}

// next reads one record; the payload is valid until the next call.
func (d *decoder) next() (kind byte, payload []byte, err error) {
	if kind, err = d.in.ReadByte(); err != nil {
		return 0, nil, invalid("it is cut: %v", err)
	}
	size, err := binary.ReadUvarint(d.in)
	limit := uint64(maxRecord)
	if kind == typeHeader || kind == typeEnd || kind == typeFile {
		limit = maxHeader
	}
	if err != nil || size > limit {
		return 0, nil, invalid("it is cut or altered: a record of %d bytes, %v", size, err)
	}
	if uint64(cap(d.buf)) < size {
		d.buf = make([]byte, size)
	}
	d.buf = d.buf[:size]
	if _, err := io.ReadFull(d.in, d.buf); err != nil {
		return 0, nil, invalid("it is cut: %v", err)
	}
	if kind != typeEnd {
		d.sum.Write(binary.AppendUvarint([]byte{kind}, size))
		d.sum.Write(d.buf)
	}
	return kind, d.buf, nil
}

func (d *decoder) take(kind byte, payload []byte) error {
	switch kind {
	case typeHeader:
		d.begun = true
		if err := json.Unmarshal(payload, &d.header); err != nil {
			return invalid("its header: %v", err)
		}
		if d.sink.Header != nil {
			return d.sink.Header(d.header)
		}
	case typePair:
		size, w := binary.Uvarint(payload)
		if w <= 0 || size == 0 || size > uint64(len(payload)-w) {
			return invalid("a pair of the log has no key")
		}
		key, value := string(payload[w:w+int(size)]), payload[w+int(size):]
		if key <= d.key && d.counts.Pairs > 0 {
			return invalid("the pairs of the log are out of order")
		}
		d.key, d.open = key, false
		d.counts.Pairs++
		if d.sink.Pair != nil {
			return d.sink.Pair(key, value)
		}
	case typeFile:
		var f file
		if err := json.Unmarshal(payload, &f); err != nil {
			return invalid("a file: %v", err)
		}
		if err := f.check(); err != nil {
			return err
		}
		if d.open = true; d.counts.Files >= maxFiles {
			return invalid("more than %d files", maxFiles)
		}
		d.counts.Files++
		if d.sink.File != nil {
			return d.sink.File(f.Name, f.Mode)
		}
	case typeData:
		if !d.open {
			return invalid("bytes of no file")
		}
		if d.sink.Data != nil {
			return d.sink.Data(payload)
		}
	default:
		return invalid("a record of unknown type %d; a newer meshd may have written it", kind)
	}
	return nil
}

func (d *decoder) finish(payload []byte) error {
	if err := json.Unmarshal(payload, &d.end); err != nil {
		return invalid("its end: %v", err)
	}
	if d.end.Pairs != d.counts.Pairs || d.end.Files != d.counts.Files || !hmac.Equal(d.end.Digest, d.sum.Sum(nil)) {
		return invalid("its bytes are not those that were written")
	}
	if _, err := d.in.ReadByte(); err != io.EOF {
		return invalid("something follows its end")
	}
	return nil
}
