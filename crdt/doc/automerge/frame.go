package automerge

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/meshd/meshd/crdt/doc"
)

// The pipe between engine and worker carries frames: four bytes of length, big
// endian, then the message. Both ends are one program, so there is no version.
const (
	ready = "meshd doc-worker" // the worker's first frame

	opLoad = 'l' // chunks → state
	opEdit = 'e' // chunks, actor, fields → heads, chunk

	replyOK    = 0
	replyError = 1
)

func writeFrame(w io.Writer, b []byte) error {
	frame := make([]byte, 4, 4+len(b))
	binary.BigEndian.PutUint32(frame, uint32(len(b)))
	_, err := w.Write(append(frame, b...))
	return err
}

// readFrame returns io.EOF only between frames.
func readFrame(r io.Reader, limit uint32) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(head[:])
	if n > limit {
		return nil, fmt.Errorf("frame of %d bytes, at most %d are allowed", n, limit)
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(r, b); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	return b, nil
}

func encodeLoad(chunks [][]byte) []byte { return appendChunks([]byte{opLoad}, chunks) }

func encodeEdit(r doc.EditRequest) ([]byte, error) {
	b := appendChunks([]byte{opEdit}, r.History)
	b = append(b, r.Actor[:]...)
	b = binary.AppendUvarint(b, uint64(len(r.Set)))
	seen := make(map[string]bool, len(r.Set))
	for _, f := range r.Set {
		if seen[f.Key] {
			return nil, fmt.Errorf("key %.64q is set twice", f.Key)
		}
		seen[f.Key] = true
		var err error
		if b, err = appendKey(b, f.Key); err != nil {
			return nil, err
		}
		if b, err = appendValue(b, f.Value, 0); err != nil {
			return nil, fmt.Errorf("key %.64q: %w", f.Key, err)
		}
	}
	return b, nil
}

// decodeRequest reads what encodeLoad and encodeEdit write.
func decodeRequest(b []byte) (op byte, r doc.EditRequest, err error) {
	d := decoder{b: b}
	op = d.byte()
	for range d.count() {
		r.History = append(r.History, d.bytes())
	}
	switch op {
	case opLoad:
	case opEdit:
		copy(r.Actor[:], d.take(uint64(len(r.Actor))))
		for range d.count() {
			key := string(d.bytes())
			r.Set = append(r.Set, doc.Field{Key: key, Value: d.value(0)})
		}
	default:
		d.fail(errors.New("unknown request"))
	}
	return op, r, d.end()
}

func encodeState(s doc.State) ([]byte, error) {
	return appendValue(appendHeads(nil, s.Heads), s.Root, 0)
}

func decodeState(b []byte) (s doc.State, err error) {
	d := decoder{b: b}
	s.Heads = d.heads()
	root, ok := d.value(0).(map[string]any)
	if !ok {
		d.fail(errors.New("root is no map"))
	}
	s.Root = root
	return s, d.end()
}

// encodeEdited writes the heads before the edit and its chunk, empty when
// there was nothing to change.
func encodeEdited(heads [][32]byte, chunk []byte) ([]byte, error) {
	return appendBytes(appendHeads(nil, heads), chunk), nil
}

func decodeEdited(b []byte) (heads [][32]byte, chunk []byte, err error) {
	d := decoder{b: b}
	heads = d.heads()
	chunk = d.bytes()
	return heads, chunk, d.end()
}

func appendChunks(b []byte, chunks [][]byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(chunks)))
	for _, c := range chunks {
		b = appendBytes(b, c)
	}
	return b
}

func appendHeads(b []byte, heads [][32]byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(heads)))
	for _, h := range heads {
		b = append(b, h[:]...)
	}
	return b
}

func appendBytes[T string | []byte](b []byte, s T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}
