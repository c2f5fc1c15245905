package gateway

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a listener whose connections are pipes in memory.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
}

func newPipes() *pipes { return &pipes{make(chan net.Conn), make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	select {
	case <-p.closed:
	default:
		close(p.closed)
	}
	return nil
}

func (*pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p *pipes) dial() net.Conn {
	client, server := net.Pipe()
	p.conns <- server
	return client
}

func TestSlowHeadersAreCut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		ln, done := newPipes(), make(chan error, 1)
		go func() {
			done <- serveHTTP(ctx, ln, newServer(http.NotFoundHandler(), slog.New(slog.DiscardHandler)), nil)
		}()
		start := time.Now()
		c := ln.dial()
		wrote := make(chan struct{})
		go func() {
			defer close(wrote)
			for _, b := range []byte("GET / HTTP/1.1\r\nX-Slow: " + strings.Repeat("a", 1000)) {
				if _, err := c.Write([]byte{b}); err != nil {
					return
				}
				time.Sleep(time.Second)
			}
		}()
		_, _ = io.Copy(io.Discard, c)
		<-wrote
		if took := time.Since(start); took > readHeaderTime+2*time.Second {
			t.Errorf("a slow client was kept for %v", took)
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func TestDrainLetsRequestsFinishForTenSeconds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		work     time.Duration
		answered bool
		ends     time.Duration
	}{
		"short request": {4 * time.Second, true, 4 * time.Second},
		"long request":  {time.Minute, false, drainTime},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				ln, done := newPipes(), make(chan error, 1)
				running := make(chan struct{})
				handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					close(running)
					select {
					case <-time.After(c.work):
					case <-r.Context().Done():
					}
				})
				go func() { done <- serveHTTP(ctx, ln, newServer(handler, slog.New(slog.DiscardHandler)), nil) }()
				conn := ln.dial()
				go func() { _, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n") }()
				<-running
				stopped := time.Now()
				cancel()
				resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
				if (err == nil) != c.answered {
					t.Errorf("response %v, %v", resp, err)
				}
				err = <-done
				if took := time.Since(stopped); took < c.ends || took > c.ends+2*time.Second {
					t.Errorf("ended after %v", took)
				}
				if (err == nil) != c.answered {
					t.Errorf("serve: %v", err)
				}
				_ = conn.Close()
			})
		})
	}
}

// TestSilentConnectionsDoNotHoldTheDrain keeps connections that have sent nothing,
// or half of a request, as browsers and attackers do.
func TestSilentConnectionsDoNotHoldTheDrain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		ln, done := newPipes(), make(chan error, 1)
		go func() {
			done <- serveHTTP(ctx, ln, newServer(http.NotFoundHandler(), slog.New(slog.DiscardHandler)), nil)
		}()
		quiet, half := ln.dial(), ln.dial()
		_, _ = io.WriteString(half, "GET / HTTP/1.1\r\nHo")
		stopped := time.Now()
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if took := time.Since(stopped); took > time.Second {
			t.Errorf("ended after %v", took)
		}
		for _, c := range []net.Conn{quiet, half} {
			_ = c.Close()
		}
	})
}

// TestSlowReaderIsCut answers a client that reads nothing.
func TestSlowReaderIsCut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		ln, done := newPipes(), make(chan error, 1)
		var wrote error
		answered := make(chan struct{})
		handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			defer close(answered)
			for wrote == nil {
				_, wrote = w.Write(make([]byte, 64<<10))
			}
		})
		go func() { done <- serveHTTP(ctx, ln, newServer(handler, slog.New(slog.DiscardHandler)), nil) }()
		start := time.Now()
		conn := ln.dial()
		_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
		<-answered
		if took := time.Since(start); took > writeTime+2*time.Second {
			t.Errorf("an answer was held up for %v", took)
		}
		_ = conn.Close()
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
