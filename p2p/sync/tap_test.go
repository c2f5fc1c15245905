package sync

import (
	"errors"
	"io"
	"net"
	"testing"
	"time"
)

// tap is a pipe whose answers pass through change, frame by frame; the empty
// kind cuts the connection there.
func tap(t testing.TB, change func(k kind, payload []byte) (kind, []byte)) (ours, theirs net.Conn) {
	return tapBoth(t, change, nil)
}

// tapBoth is tap with the requests changed too; nil leaves them as they are.
func tapBoth(t testing.TB, answers, asks func(k kind, payload []byte) (kind, []byte)) (ours, theirs net.Conn) {
	t.Helper()
	ours, left := net.Pipe()
	right, theirs := net.Pipe()
	relay := func(from, to net.Conn, change func(k kind, payload []byte) (kind, []byte)) {
		defer left.Close()
		defer right.Close()
		if change == nil {
			_, _ = io.Copy(to, from)
			return
		}
		in, out := newWire(t.Context(), from, time.Hour), newWire(t.Context(), to, time.Hour)
		for {
			k, payload, err := in.read()
			if err != nil {
				if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrClosedPipe) {
					t.Logf("tap: %v", err)
				}
				return
			}
			if k, payload = change(k, payload); k == 0 {
				return
			}
			if err := out.write(k, payload); err != nil {
				return
			}
		}
	}
	go relay(right, left, answers)
	go relay(left, right, asks)
	return ours, theirs
}
