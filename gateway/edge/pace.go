package edge

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

// Pace makes every request body arrive at 1 KiB a second on average, after five
// seconds of grace, and whole within thirty seconds. A read of a body that is
// later fails with os.ErrDeadlineExceeded, and the connection (in HTTP/2: the
// stream) ends with the request. What a handler leaves unread has the grace to
// arrive, so a refused upload does not keep its connection open.
//
// A deadline of the server's own would go on after the body and cut requests
// that are answered slowly, such as event streams.
func Pace(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		b := &pacedBody{body: r.Body, conn: http.NewResponseController(w), start: time.Now()}
		r.Body = b
		defer b.leave()
		next.ServeHTTP(w, r)
	})
}

type pacedBody struct {
	body  io.ReadCloser
	conn  *http.ResponseController
	start time.Time
	read  int64
	ended bool // at its end, or broken
	free  bool // the connection has no read deadlines, as in tests
}

// Read waits for bytes until the body is late.
func (b *pacedBody) Read(p []byte) (int, error) {
	if b.ended {
		return b.body.Read(p)
	}
	late := min(bodyTime, bodyGrace+time.Duration(b.read)*time.Second/bodyRate)
	b.deadline(b.start.Add(late))
	n, err := b.body.Read(p)
	b.read += int64(n)
	if err != nil {
		b.ended = true
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			b.deadline(time.Time{}) // the server watches the connection while we answer
		}
	}
	return n, err
}

// Close leaves the rest to the server.
func (b *pacedBody) Close() error { return b.body.Close() }

// leave bounds how long the server waits for what nobody read.
func (b *pacedBody) leave() {
	if !b.ended {
		b.deadline(time.Now().Add(bodyGrace))
	}
}

func (b *pacedBody) deadline(at time.Time) {
	if !b.free {
		b.free = b.conn.SetReadDeadline(at) != nil
	}
}
