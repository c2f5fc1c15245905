package edge

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
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

func (p *pipes) Close() error { close(p.closed); return nil }

func (*pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p *pipes) dial() net.Conn {
	client, server := net.Pipe()
	p.conns <- server
	return client
}

// from is a connection that says it comes from an address.
type from struct {
	net.Conn
	addr string
}

func (f from) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(f.addr), 1234))
}

func (from) Close() error { return nil }

func TestConnectionsOfAnAddressAreLimited(t *testing.T) {
	t.Parallel()
	in := newPipes()
	refused := 0
	ln := LimitPerAddress(in, 2, func(a netip.Addr) bool { return a == netip.MustParseAddr("10.0.0.9") }, func() { refused++ })
	accepted := make(chan net.Conn)
	ended := make(chan error)
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				ended <- err
				return
			}
			accepted <- c
		}
	}()
	offer := func(addr string) { in.conns <- from{addr: addr} }
	var held []net.Conn
	for _, addr := range []string{
		"192.0.2.1", "192.0.2.1", "192.0.2.2", "::ffff:192.0.2.2", // two of each
		"2001:db8:0:100::1", "2001:db8:0:1ff::2", "2001:db8:0:200::1", // two of one /56, one of the next
		"10.0.0.9", "10.0.0.9", "10.0.0.9", // a proxy
	} {
		offer(addr)
		held = append(held, <-accepted)
	}
	for _, addr := range []string{"192.0.2.1", "192.0.2.2", "2001:db8:0:1ab::1"} {
		offer(addr) // closed, so the next one is what Accept returns
	}
	offer("192.0.2.3")
	if c := <-accepted; c.RemoteAddr().String() != "192.0.2.3:1234" {
		t.Fatalf("accepted %v", c.RemoteAddr())
	}
	if refused != 3 {
		t.Errorf("%d refused, want 3", refused)
	}
	_ = held[0].Close()
	_ = held[0].Close() // gives its place back once
	offer("192.0.2.1")
	<-accepted
	offer("192.0.2.1")
	offer("192.0.2.4")
	if c := <-accepted; c.RemoteAddr().String() != "192.0.2.4:1234" {
		t.Errorf("after one close two were accepted, the second %v", c.RemoteAddr())
	}
	_ = in.Close()
	if err := <-ended; !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
	if l := ln.(*limited); len(l.open) != 6 {
		t.Errorf("%d addresses tracked: %v", len(l.open), l.open)
	}
}

// TestBodyMustArrive sends bodies at different rates, on a fake clock.
func TestBodyMustArrive(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		size  int // said in Content-Length
		piece int // bytes a second
		reads bool
		err   error
		ends  time.Duration // at most
	}{
		"drop by drop":         {size: 100 << 10, piece: 1, reads: true, err: os.ErrDeadlineExceeded, ends: 8 * time.Second},
		"nothing at all":       {size: 100, piece: 0, reads: true, err: os.ErrDeadlineExceeded, ends: 8 * time.Second},
		"just fast enough":     {size: 20 << 10, piece: 1100, reads: true, ends: 22 * time.Second},
		"steady, but too long": {size: 100 << 10, piece: 2 << 10, reads: true, err: os.ErrDeadlineExceeded, ends: 32 * time.Second},
		"not even read":        {size: 100 << 10, piece: 1, ends: 8 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ln := newPipes()
				var got error
				handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if c.reads {
						_, got = io.Copy(io.Discard, r.Body)
					}
					w.WriteHeader(http.StatusNoContent)
				})
				srv := &http.Server{Handler: Pace(handler), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Second}
				ended := make(chan error, 1)
				go func() { ended <- srv.Serve(ln) }()
				start := time.Now()
				conn := ln.dial()
				wrote := make(chan struct{})
				go func() {
					defer close(wrote)
					fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n", c.size)
					for sent := 0; sent < c.size && c.piece > 0; sent += c.piece {
						if _, err := conn.Write(make([]byte, min(c.piece, c.size-sent))); err != nil {
							return
						}
						time.Sleep(time.Second)
					}
				}()
				_, _ = io.Copy(io.Discard, conn) // until the server closes
				took := time.Since(start)
				_ = conn.Close()
				<-wrote
				if !errors.Is(got, c.err) || (got == nil) != (c.err == nil) {
					t.Errorf("read ended with %v, want %v", got, c.err)
				}
				if took > c.ends {
					t.Errorf("the connection was held for %v", took)
				}
				_ = srv.Close()
				<-ended
			})
		})
	}
}

// TestAnswerMayTakeLongerThanABody: deadlines of the body are gone once it is
// read, or the server would take the silent client for gone.
func TestAnswerMayTakeLongerThanABody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ln := newPipes()
		var cut error
		handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			select {
			case <-time.After(2 * time.Minute):
			case <-r.Context().Done():
				cut = r.Context().Err()
			}
		})
		srv := &http.Server{Handler: Pace(handler)}
		ended := make(chan error, 1)
		go func() { ended <- srv.Serve(ln) }()
		conn := ln.dial()
		go func() {
			_, _ = io.WriteString(conn, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi")
		}()
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || resp.StatusCode != 200 || cut != nil {
			t.Errorf("response %v, %v; cut by %v", resp, err, cut)
		}
		_ = conn.Close()
		_ = srv.Close()
		<-ended
	})
}

func TestPlainCallersAreSentOn(t *testing.T) {
	t.Parallel()
	h := Redirect("https://mesh.example.org/base")
	for target, want := range map[string]string{
		"/":                          "https://mesh.example.org/base/",
		"/api/mesh?q=1":              "https://mesh.example.org/base/api/mesh?q=1",
		"http://evil.example/x":      "https://mesh.example.org/base/x",
		"//evil.example/x":           "https://mesh.example.org/base/evil.example/x",
		"/%0d%0aSet-Cookie:%20a=b/x": "https://mesh.example.org/base/%0D%0ASet-Cookie:%20a=b/x",
	} {
		r := httptest.NewRequest("GET", "/", nil)
		u, err := r.URL.Parse(target)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(target, "//") {
			u.Host, u.Path = "", target
		}
		r.URL, r.Host = u, "evil.example"
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != http.StatusPermanentRedirect || w.Header().Get("Location") != want {
			t.Errorf("%s: %d to %q, want %q", target, w.Code, w.Header().Get("Location"), want)
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("POST", "/api/mesh/contribute", strings.NewReader("secret")))
	if w.Code != http.StatusForbidden || w.Header().Get("Location") != "" {
		t.Errorf("a body in the clear: %d to %q", w.Code, w.Header().Get("Location"))
	}
}

// writePair writes a certificate for a name and its key.
func writePair(t *testing.T, dir, name string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{name}, NotBefore: now.Add(-time.Hour), NotAfter: now.Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{"cert.pem": {Type: "CERTIFICATE", Bytes: der}, "key.pem": {Type: "PRIVATE KEY", Bytes: private}} {
		if err := os.WriteFile(filepath.Join(dir, file), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func shown(t *testing.T, f *Files) string {
	t.Helper()
	pair, err := f.TLS().GetCertificate(&tls.ClientHelloInfo{})
	if err != nil {
		t.Fatal(err)
	}
	return pair.Leaf.DNSNames[0]
}

func TestCertificateFilesAreReadAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
		if _, err := FromFiles(cert, key, slog.New(slog.DiscardHandler)); err == nil {
			t.Fatal("no files, no fault")
		}
		writePair(t, dir, "one.example")
		f, err := FromFiles(cert, key, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- f.Serve(t.Context()) }()
		writePair(t, dir, "renewed.example")
		// The clock of the files is not the test's: make the difference plain.
		later := time.Now().Add(time.Hour)
		if err := os.Chtimes(cert, later, later); err != nil {
			t.Fatal(err)
		}
		if got := shown(t, f); got != "one.example" {
			t.Fatalf("before the next look: %s", got)
		}
		time.Sleep(certPoll + time.Second)
		if got := shown(t, f); got != "renewed.example" {
			t.Fatalf("after the next look: %s", got)
		}
		// Half a renewal: certificate and key do not fit.
		good, err := os.ReadFile(key)
		if err != nil {
			t.Fatal(err)
		}
		writePair(t, dir, "half.example")
		if err := os.WriteFile(key, good, 0o600); err != nil {
			t.Fatal(err)
		}
		if f.Reload() == nil {
			t.Error("a pair that does not fit was taken")
		}
		if got := shown(t, f); got != "renewed.example" {
			t.Fatalf("after half a renewal: %s", got)
		}
		if err := os.WriteFile(cert, make([]byte, maxPEM+1), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := f.Reload(); err == nil || !strings.Contains(err.Error(), "too long") {
			t.Errorf("a file that is too long: %v", err)
		}
		if f.TLS().MinVersion != tls.VersionTLS12 {
			t.Error("old versions of TLS are taken")
		}
	})
}
