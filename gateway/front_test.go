package gateway_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/gateway"
)

// authority signs certificates for tests.
type authority struct {
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
	pool *x509.CertPool
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), IsCA: true, BasicConstraintsValid: true, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	must(t, err)
	cert, err := x509.ParseCertificate(der)
	must(t, err)
	a := &authority{key, cert, x509.NewCertPool()}
	a.pool.AddCert(cert)
	return a
}

// write makes a certificate for a name in dir.
func (a *authority) write(t *testing.T, dir, name string) (certFile, keyFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(2), DNSNames: []string{name}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, key.Public(), a.key)
	must(t, err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	must(t, err)
	certFile, keyFile = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	must(t, os.WriteFile(certFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	must(t, os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}), 0o600))
	return certFile, keyFile
}

// client reaches every name at one address.
func (a *authority) client(t *testing.T, name, address string, http2 bool) *http.Client {
	transport := &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: a.pool, ServerName: name},
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, "tcp", address)
		},
		ForceAttemptHTTP2: http2,
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

func freePort(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	must(t, ln.Close())
	return ln.Addr().String()
}

// start serves a public gateway until the test ends or stop is called.
func start(t *testing.T, cfg gateway.Config) (w world, stop func() error) {
	t.Helper()
	cfg.Public, cfg.Listen = true, "127.0.0.1:0"
	w = newWorld(t, cfg)
	ctx, cancel := context.WithCancel(t.Context())
	must(t, w.Listen(ctx))
	done := make(chan error, 1)
	go func() { done <- w.Serve(ctx) }()
	ended := false
	stop = func() error {
		cancel()
		if ended {
			return nil
		}
		ended = true
		return <-done
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	return w, stop
}

func TestPublicListenerSpeaksTLS(t *testing.T) {
	t.Parallel()
	ca, dir, plain := newAuthority(t), t.TempDir(), freePort(t)
	cert, key := ca.write(t, dir, "mesh.example.org")
	w, _ := start(t, gateway.Config{PublicURL: "https://mesh.example.org",
		TLS: gateway.TLS{Mode: "files", CertFile: cert, KeyFile: key, Redirect: plain}})
	client := ca.client(t, "mesh.example.org", w.Addr().String(), true)
	resp, err := client.Get("https://mesh.example.org/api/mesh")
	must(t, err)
	body, err := io.ReadAll(resp.Body)
	must(t, err)
	must(t, resp.Body.Close())
	if resp.StatusCode != 200 || resp.Proto != "HTTP/2.0" || resp.Header.Get("Strict-Transport-Security") != "max-age=31536000" ||
		!strings.Contains(string(body), `"https://mesh.example.org/mcp"`) {
		t.Errorf("%s %s %v %.200s", resp.Status, resp.Proto, resp.Header, body)
	}

	resp, err = http.DefaultTransport.RoundTrip(request(t, "http://"+plain+"/api/mesh?a=b", "evil.example"))
	must(t, err)
	must(t, resp.Body.Close())
	if resp.StatusCode != 308 || resp.Header.Get("Location") != "https://mesh.example.org/api/mesh?a=b" {
		t.Errorf("plain HTTP: %s to %s", resp.Status, resp.Header.Get("Location"))
	}

	// A renewed certificate is shown to the next caller, by its new name.
	ca.write(t, dir, "renewed.example.org")
	must(t, w.ReloadCertificates())
	resp, err = ca.client(t, "renewed.example.org", w.Addr().String(), false).Get("https://renewed.example.org/livez")
	must(t, err)
	must(t, resp.Body.Close())
	old := &tls.Config{RootCAs: ca.pool, ServerName: "renewed.example.org", MaxVersion: tls.VersionTLS11}
	if c, err := tls.Dial("tcp", w.Addr().String(), old); err == nil {
		_ = c.Close()
		t.Error("an old version of TLS was spoken")
	}
}

func request(t *testing.T, url, host string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	must(t, err)
	r.Host = host
	return r
}

func TestHeadersAreBounded(t *testing.T) {
	t.Parallel()
	w, _ := start(t, gateway.Config{})
	for size, want := range map[int]int{28 << 10: 200, 40 << 10: 431} {
		r := request(t, w.URL()+"/livez", "localhost")
		r.Header.Set("X-Long", strings.Repeat("a", size))
		resp, err := http.DefaultClient.Do(r)
		must(t, err)
		must(t, resp.Body.Close())
		if resp.StatusCode != want {
			t.Errorf("%d bytes of headers: %d, want %d", size, resp.StatusCode, want)
		}
	}
}

// TestDrain stops a gateway while one request runs: first it says that it is not
// ready and still answers, then it refuses connections, and the request ends.
func TestDrain(t *testing.T) {
	t.Parallel()
	w, stop := start(t, gateway.Config{DrainDelay: time.Second})
	slow, err := net.Dial("tcp", w.Addr().String())
	must(t, err)
	defer slow.Close()
	body := `{"type":"gotcha"}`
	_, err = fmt.Fprintf(slow, "POST /api/mesh/contribute/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", len(body))
	must(t, err)
	_, ready := get(t, w.URL()+"/readyz")
	if ready["ready"] != true {
		t.Fatalf("before: %v", ready)
	}
	ended := make(chan error, 1)
	go func() { ended <- stop() }()
	status := 200
	var checks any
	for status == 200 { // until the stop has begun
		var out map[string]any
		status, out = get(t, w.URL()+"/readyz")
		checks = out["checks"]
	}
	if status != 503 || checks.(map[string]any)["not_stopping"] != false {
		t.Errorf("while stopping: %d %v", status, checks)
	}
	if status, _ := get(t, w.URL()+"/api/mesh"); status != 200 {
		t.Errorf("a request while stopping: %d", status)
	}
	http.DefaultClient.CloseIdleConnections()
	for { // until connections are refused
		c, err := net.Dial("tcp", w.Addr().String())
		if err != nil {
			break
		}
		_ = c.Close()
	}
	_, err = io.WriteString(slow, body)
	must(t, err)
	resp, err := http.ReadResponse(bufio.NewReader(slow), nil)
	if err != nil {
		t.Fatalf("the running request was cut: %v", err)
	}
	must(t, resp.Body.Close())
	must(t, <-ended)
}

func TestOneAddressHasManyConnectionsOnlyToAPoint(t *testing.T) {
	t.Parallel()
	// Loopback addresses are exempt, as proxies on this machine would be; what the
	// limit does with others is tested where it is.
	w, _ := start(t, gateway.Config{ConnectionsPerAddress: 4})
	for range 20 {
		c, err := net.Dial("tcp", w.Addr().String())
		must(t, err)
		defer c.Close()
	}
	if status, _ := get(t, w.URL()+"/api/mesh"); status != 200 {
		t.Errorf("beside twenty of this machine: %d", status)
	}
}

func TestTLSConfigIsChecked(t *testing.T) {
	t.Parallel()
	for name, cfg := range map[string]gateway.Config{
		"unknown mode":        {TLS: gateway.TLS{Mode: "magic"}},
		"redirect without":    {PublicURL: "https://a.example", TLS: gateway.TLS{Redirect: "127.0.0.1:0"}},
		"redirect to nowhere": {TLS: gateway.TLS{Mode: "acme", Redirect: "127.0.0.1:0"}},
	} {
		cfg.Listen = "127.0.0.1:0"
		if cfg.Validate() == nil {
			t.Errorf("%s was taken", name)
		}
	}
	w := newWorld(t, gateway.Config{Listen: "127.0.0.1:0", TLS: gateway.TLS{Mode: "files", CertFile: "/nowhere", KeyFile: "/nowhere"}})
	if err := w.Serve(t.Context()); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("without a certificate: %v", err)
	}
}

// One connection more than the bound is answered only when another has ended.
func TestConnectionsAreBounded(t *testing.T) {
	t.Parallel()
	const bound = 3
	w, stop := start(t, gateway.Config{Listen: "127.0.0.1:0", Connections: bound})
	ask := func(c net.Conn) error {
		_, err := io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
		return err
	}
	dial := func() (net.Conn, *bufio.Reader) {
		var d net.Dialer
		c, err := d.DialContext(t.Context(), "tcp", w.Addr().String())
		must(t, err)
		t.Cleanup(func() { _ = c.Close() })
		must(t, ask(c))
		return c, bufio.NewReader(c)
	}
	var first net.Conn
	for i := range bound {
		c, r := dial()
		if _, err := r.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = c
		}
	}
	c, r := dial()
	must(t, c.SetReadDeadline(time.Now().Add(100*time.Millisecond)))
	if line, err := r.ReadString('\n'); err == nil {
		t.Errorf("one connection over the bound is answered with %q", line)
	}
	must(t, first.Close())
	must(t, c.SetReadDeadline(time.Now().Add(time.Minute)))
	if _, err := r.ReadString('\n'); err != nil {
		t.Errorf("it is not answered when another has ended: %v", err)
	}
	must(t, stop())
}
