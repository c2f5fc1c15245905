package edge

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/letsencrypt/pebble/v2/ca"
	"github.com/letsencrypt/pebble/v2/db"
	"github.com/letsencrypt/pebble/v2/va"
	"github.com/letsencrypt/pebble/v2/wfe"
	"github.com/miekg/dns"
)

// authority is a certificate authority on this machine, with a resolver that
// leads every name here.
func authority(t *testing.T, httpPort, tlsPort int) (directory, roots string, issued *x509.CertPool) {
	t.Helper()
	names := listen(t)
	resolver := &dns.Server{Listener: names, Handler: dns.HandlerFunc(func(w dns.ResponseWriter, q *dns.Msg) {
		m := new(dns.Msg).SetReply(q)
		if q.Question[0].Qtype == dns.TypeA {
			m.Answer = []dns.RR{&dns.A{Hdr: dns.RR_Header{Name: q.Question[0].Name, Rrtype: dns.TypeA, Class: dns.ClassINET}, A: net.IPv4(127, 0, 0, 1)}}
		}
		_ = w.WriteMsg(m)
	})}
	go func() { _ = resolver.ActivateAndServe() }()
	t.Cleanup(func() { _ = resolver.Shutdown() })

	quiet := log.New(io.Discard, "", 0)
	store := db.NewMemoryStore()
	profiles := map[string]ca.Profile{"default": {Description: "for tests", ValidityPeriod: 7776000}}
	maker := ca.New(quiet, store, "", "ecdsa", 0, 1, profiles)
	checker := va.New(quiet, httpPort, tlsPort, false, names.Addr().String(), store)
	front := wfe.New(quiet, store, checker, maker, nil, false, false, 1, 1)
	server := httptest.NewTLSServer(front.Handler())
	t.Cleanup(server.Close)

	roots = filepath.Join(t.TempDir(), "roots.pem")
	if err := os.WriteFile(roots, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	issued = x509.NewCertPool()
	issued.AddCert(maker.GetRootCert(0).Cert)
	return server.URL + wfe.DirectoryPath, roots, issued
}

// TestCertificateIsFetched runs the whole order at an authority: a name is proved
// by TLS alone, or by plain HTTP when TLS is out of reach.
func TestCertificateIsFetched(t *testing.T) {
	t.Setenv("PEBBLE_VA_NOSLEEP", "1")
	t.Setenv("PEBBLE_WFE_NONCEREJECT", "0")
	for _, byHTTP := range []bool{false, true} {
		name := map[bool]string{false: "by TLS", true: "by HTTP"}[byHTTP]
		t.Run(name, func(t *testing.T) {
			secure, plain := listen(t), listen(t)
			tlsPort := port(secure)
			if byHTTP {
				tlsPort = 1 // where nobody answers
			}
			directory, roots, issued := authority(t, port(plain), tlsPort)
			cfg := ACMEConfig{Domains: []string{"mesh.example.org"}, Directory: directory, RootFile: roots, Dir: t.TempDir(),
				TLSPort: port(secure), Log: slog.New(slog.DiscardHandler)}
			if byHTTP {
				cfg.HTTPPort = port(plain)
			}
			a, err := FromACME(cfg)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			srv := &http.Server{TLSConfig: a.TLS(), Handler: http.NotFoundHandler(), ErrorLog: log.New(io.Discard, "", 0)}
			front := &http.Server{Handler: a.Challenges(Redirect("https://mesh.example.org"))}
			go func() { _ = srv.ServeTLS(secure, "", "") }()
			go func() { _ = front.Serve(plain) }()
			ended := make(chan error, 1)
			go func() { ended <- a.Serve(ctx) }()
			t.Cleanup(func() {
				cancel()
				if err := <-ended; err != nil {
					t.Error(err)
				}
				_ = srv.Close()
				_ = front.Close()
			})
			client := &tls.Config{ServerName: "mesh.example.org", RootCAs: issued, NextProtos: []string{"h2"}}
			for deadline := time.Now().Add(60 * time.Second); ; {
				c, err := tls.Dial("tcp", secure.Addr().String(), client)
				if err == nil {
					if got := c.ConnectionState().NegotiatedProtocol; got != "h2" {
						t.Errorf("protocol %q", got)
					}
					_ = c.Close()
					return
				}
				if time.Now().After(deadline) {
					t.Fatalf("no certificate: %v", err)
				}
				// The order takes some seconds, and no event says when it is done.
				select {
				case <-time.After(100 * time.Millisecond):
				case err := <-ended:
					t.Fatalf("serve: %v", err)
				}
			}
		})
	}
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ln.Close() })
	return ln
}

func port(ln net.Listener) int { return ln.Addr().(*net.TCPAddr).Port }

func TestACMEConfigIsChecked(t *testing.T) {
	t.Parallel()
	if _, err := FromACME(ACMEConfig{TLSPort: 443}); err == nil {
		t.Error("fetching for no name")
	}
	if _, err := FromACME(ACMEConfig{Domains: []string{"a.example"}, TLSPort: 443, RootFile: os.DevNull}); err == nil {
		t.Error("roots without a root")
	}
}
