// Package frame has the form in which protocols of one request and one answer write
// either on a stream.
package frame

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Write sends a frame: its length in four bytes, most significant first, and its bytes,
// of which there are at most so many.
func Write(w io.Writer, b []byte, most int) error {
	if len(b) > most {
		return fmt.Errorf("frame of %d bytes", len(b))
	}
	_, err := w.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(b))), b...))
	return err
}

// Err says that a peer's bytes are no frame.
var Err = errors.New("not a frame")

// Read receives a frame of at most so many bytes.
func Read(r io.Reader, most int) ([]byte, error) {
	var head [4]byte
	switch _, err := io.ReadFull(r, head[:]); {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("%w: its length is missing", Err)
	case err != nil:
		return nil, fmt.Errorf("read a frame: %w", err)
	}
	n := binary.BigEndian.Uint32(head[:])
	if int64(n) > int64(most) {
		return nil, fmt.Errorf("%w: of %d bytes", Err, n)
	}
	b := make([]byte, n)
	switch _, err := io.ReadFull(r, b); {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("%w: its end is missing", Err)
	case err != nil:
		return nil, fmt.Errorf("read a frame: %w", err)
	}
	return b, nil
}
