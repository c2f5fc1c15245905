package sync

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/reason"
)

// kind is the type byte of a frame.
type kind byte

const (
	kindHello kind = iota + 1
	kindRange
	kindWant
	kindPull
	kindChanges
	kindGone
	kindHave
	kindDone
	kindBusy
	kindError
	kindFilter
	kindSketch
)

var kindNames = [...]string{"", "hello", "range", "want", "pull", "changes", "gone", "have", "done", "busy", "error", "filter", "sketch"}

// String is the word of the specification.
func (k kind) String() string {
	if int(k) < len(kindNames) && k > 0 {
		return kindNames[k]
	}
	return fmt.Sprintf("type %d", byte(k))
}

// stream is what a session runs over: a libp2p stream, or one end of a pipe.
type stream interface {
	io.ReadWriter
	SetReadDeadline(t time.Time) error
	SetWriteDeadline(t time.Time) error
}

// wire is a stream of frames with deadlines and counted bytes. It is for one
// goroutine.
type wire struct {
	ctx  context.Context // ends the reading and writing
	s    stream
	r    *bufio.Reader
	end  time.Time   // of the session; no frame may take longer
	stop func() bool // of the context's watch over s

	in, out  uint64 // bytes of frames, with their lengths
	payload  []byte // of the frame read last
	frame    []byte // of the frame written last
	unpacked []byte // of the changes read last
}

// newWire makes a wire over s. Reads and writes fail when ctx ends, until the
// caller calls stop, and after limit.
func newWire(ctx context.Context, s stream, limit time.Duration) *wire {
	stop := context.AfterFunc(ctx, func() {
		past := time.Unix(1, 0)
		_ = s.SetReadDeadline(past)
		_ = s.SetWriteDeadline(past)
	})
	return &wire{ctx: ctx, s: s, r: bufio.NewReader(s), end: time.Now().Add(limit), stop: stop}
}

func (w *wire) deadline(set func(time.Time) error) error {
	t := time.Now().Add(frameTime)
	if t.After(w.end) {
		t = w.end
	}
	if err := set(t); err != nil {
		return fmt.Errorf("set deadline: %w", err)
	}
	// Asked last: the end of ctx may have set its own deadline just before ours.
	return context.Cause(w.ctx)
}

// read returns the next frame; payload is valid until the next read. Between
// frames the end of the stream is io.EOF.
func (w *wire) read() (k kind, payload []byte, err error) {
	if err := w.deadline(w.s.SetReadDeadline); err != nil {
		return 0, nil, err
	}
	n, err := w.length()
	if err != nil {
		return 0, nil, err
	}
	if cap(w.payload) < n {
		w.payload = make([]byte, n)
	}
	b := w.payload[:n]
	if _, err := io.ReadFull(w.r, b); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return 0, nil, fmt.Errorf("read frame: %w", err)
	}
	w.in += uint64(n)
	return kind(b[0]), b[1:], nil
}

// length reads the uvarint before a frame, in its shortest form only.
func (w *wire) length() (int, error) {
	n, shift := uint64(0), 0
	for {
		b, err := w.r.ReadByte()
		if err != nil {
			if shift == 0 && errors.Is(err, io.EOF) {
				return 0, io.EOF
			}
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return 0, fmt.Errorf("read length: %w", err)
		}
		w.in++
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			if b == 0 {
				return 0, refuse("length is zero or not in its shortest form")
			}
			break
		}
		if shift += 7; shift > 14 {
			return 0, refuse("frame above %d bytes", maxFrame)
		}
	}
	if n > maxFrame {
		return 0, refuse("frame of %d bytes, limit %d", n, maxFrame)
	}
	return int(n), nil
}

// write sends one frame.
func (w *wire) write(k kind, payload []byte) error {
	n := len(payload) + 1
	if n > maxFrame {
		return fmt.Errorf("write %v: %d bytes, limit %d", k, n, maxFrame)
	}
	w.frame = append(binary.AppendUvarint(w.frame[:0], uint64(n)), byte(k))
	w.frame = append(w.frame, payload...)
	if err := w.deadline(w.s.SetWriteDeadline); err != nil {
		return err
	}
	m, err := w.s.Write(w.frame)
	w.out += uint64(m)
	if err != nil {
		return fmt.Errorf("write %v: %w", k, err)
	}
	return nil
}

// refuse says that a peer's bytes break the protocol.
func refuse(format string, args ...any) error {
	return reason.Refuse(reason.BadEncoding, format, args...)
}

// field is one key of a payload's map and how its value is read.
type field struct {
	key      string
	optional bool
	read     func(r *cbor.Reader) error
}

// decodeMap reads payload as a canonical map of exactly these fields, which
// stand in canonical order. Every failure is bad_encoding.
func decodeMap(k kind, payload []byte, fields ...field) error {
	r := cbor.NewReader(payload)
	err := readMap(r, fields)
	if err == nil {
		err = r.Done()
	}
	if err != nil {
		return refuse("%v: %v", k, err)
	}
	return nil
}

func readMap(r *cbor.Reader, fields []field) error {
	n, err := r.Map()
	if err != nil {
		return err
	}
	keys := r.Keys()
	for range n {
		key, err := keys.Next()
		if err != nil {
			return err
		}
		for len(fields) > 0 && fields[0].key != key && fields[0].optional {
			fields = fields[1:]
		}
		if len(fields) == 0 || fields[0].key != key {
			return fmt.Errorf("key %q: %w", key, errKey)
		}
		if err := fields[0].read(r); err != nil {
			return fmt.Errorf("key %q: %w", key, err)
		}
		fields = fields[1:]
	}
	for _, f := range fields {
		if !f.optional {
			return fmt.Errorf("key %q: %w", f.key, errAbsent)
		}
	}
	r.End()
	return nil
}

var (
	errKey    = errors.New("not a key of this frame, or another is absent before it")
	errAbsent = errors.New("absent")
	errLimit  = errors.New("over its limit")
	errSize   = errors.New("wrong size")
	errTwice  = errors.New("twice")
)

func uintField(key string, to *uint64, limit uint64) field {
	return field{key: key, read: func(r *cbor.Reader) (err error) {
		if *to, err = r.Uint(); err == nil && *to > limit {
			err = errLimit
		}
		return err
	}}
}

func setField(to *string) field {
	return field{key: "set", read: func(r *cbor.Reader) (err error) { *to, err = readSet(r); return err }}
}

func readSet(r *cbor.Reader) (string, error) {
	s, err := r.Text()
	if err == nil && (s == "" || len(s) > maxSetName) {
		err = errLimit
	}
	return s, err
}

func fpField(to *[16]byte) field {
	return field{key: "fp", read: func(r *cbor.Reader) error { return readFixed(r, to[:]) }}
}

func readFixed(r *cbor.Reader, to []byte) error {
	b, err := r.Bytes()
	if err != nil {
		return err
	}
	if len(b) != len(to) {
		return errSize
	}
	copy(to, b)
	return nil
}

// idsField reads ids of 32 bytes, or of their first 16. They alias the input.
func idsField(to *[][]byte, limit int) field {
	return field{key: "ids", read: func(r *cbor.Reader) error {
		n, err := r.Array()
		if err != nil {
			return err
		}
		if n > limit {
			return errLimit
		}
		ids := make([][]byte, 0, n)
		for range n {
			id, err := r.Bytes()
			if err != nil {
				return err
			}
			if len(id) != prefixSize && len(id) != idSize {
				return errSize
			}
			ids = append(ids, id)
		}
		r.End()
		*to = ids
		return nil
	}}
}

const (
	idSize     = 32
	prefixSize = 16 // of an id as a sketch yields it
)

func appendIDs(b []byte, ids [][]byte) []byte {
	b = cbor.AppendArray(cbor.AppendText(b, "ids"), len(ids))
	for _, id := range ids {
		b = cbor.AppendBytes(b, id)
	}
	return b
}

func appendSet(b []byte, set string) []byte {
	return cbor.AppendText(cbor.AppendText(b, "set"), set)
}

func appendUint(b []byte, key string, n uint64) []byte {
	return cbor.AppendUint(cbor.AppendText(b, key), n)
}

func appendBytes(b []byte, key string, v []byte) []byte {
	return cbor.AppendBytes(cbor.AppendText(b, key), v)
}
