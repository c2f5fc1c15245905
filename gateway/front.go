package gateway

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/netutil"

	"github.com/meshd/meshd/gateway/edge"
	"github.com/meshd/meshd/gateway/limit"
)

// TLS says how the listener is encrypted.
type TLS struct {
	Mode     string // "" or "off", "files", "acme"
	CertFile string // of files
	KeyFile  string
	ACME     edge.ACMEConfig // of acme; the ports are filled in
	// Redirect is the address, IP:PORT, of a plain listener that sends callers to
	// the public URL; "" for none.
	Redirect string
}

// on reports whether the listener is encrypted.
func (t TLS) on() bool { return t.Mode == "files" || t.Mode == "acme" }

func (c Config) validateTLS() error {
	switch {
	case c.TLS.Mode != "" && c.TLS.Mode != "off" && !c.TLS.on():
		return fmt.Errorf("TLS mode %q is not known", c.TLS.Mode)
	case c.TLS.Redirect != "" && (!c.TLS.on() || c.PublicURL == ""):
		return errors.New("a listener that redirects needs TLS and a public URL")
	}
	return nil
}

// listenPlain binds the address that redirects, when there is one.
func (g *Gateway) listenPlain(ctx context.Context) (net.Listener, error) {
	if g.cfg.TLS.Redirect == "" {
		return nil, nil
	}
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", g.cfg.TLS.Redirect)
	if err != nil {
		return nil, fmt.Errorf("listen for plain HTTP: %w", err)
	}
	return ln, nil
}

// certificates are those of the listener, nil without TLS. plain is where
// challenges by plain HTTP arrive, or nil.
func (g *Gateway) certificates(plain net.Listener) (edge.Certificates, error) {
	switch g.cfg.TLS.Mode {
	case "files":
		return edge.FromFiles(g.cfg.TLS.CertFile, g.cfg.TLS.KeyFile, g.cfg.Log)
	case "acme":
		cfg := g.cfg.TLS.ACME
		cfg.Log, cfg.TLSPort = g.cfg.Log, portOf(g.Addr())
		if plain != nil {
			cfg.HTTPPort = portOf(plain.Addr())
		}
		return edge.FromACME(cfg)
	}
	return nil, nil
}

func portOf(a net.Addr) int {
	if tcp, ok := a.(*net.TCPAddr); ok {
		return tcp.Port
	}
	return 0
}

// ReloadCertificates looks for newer certificates at once. It does nothing
// before Serve or without TLS.
func (g *Gateway) ReloadCertificates() error {
	if c := g.certs.Load(); c != nil {
		return (*c).Reload()
	}
	return nil
}

// answer serves the listener, with what stands before it in the public role,
// until ctx ends and requests have drained.
func (g *Gateway) answer(ctx context.Context) error {
	ln := *g.listener.Load()
	plain, err := g.listenPlain(ctx)
	if err != nil {
		return errors.Join(err, ln.Close())
	}
	certs, err := g.certificates(plain)
	if err != nil {
		err = errors.Join(fmt.Errorf("prepare certificates: %w", err), ln.Close())
		if plain != nil {
			err = errors.Join(err, plain.Close())
		}
		return err
	}
	srv := newServer(g.Handler(), g.cfg.Log)
	if g.cfg.Connections > 0 {
		ln = netutil.LimitListener(ln, g.cfg.Connections)
		if plain != nil { // short ones that are sent to the other listener
			plain = netutil.LimitListener(plain, max(g.cfg.Connections/8, 1))
		}
	}
	if g.cfg.Public {
		ln = edge.LimitPerAddress(ln, g.perAddress(), g.unlimited(), g.meter.connectionRefused)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	parts := []func(context.Context) error{}
	if certs != nil {
		g.certs.Store(&certs)
		srv.TLSConfig = certs.TLS()
		parts = append(parts, certs.Serve)
	}
	if plain != nil {
		front := edge.Redirect(g.cfg.PublicURL)
		if acme, ok := certs.(*edge.ACME); ok {
			front = acme.Challenges(front)
		}
		parts = append(parts, func(ctx context.Context) error {
			return serveHTTP(ctx, edge.LimitPerAddress(plain, g.perAddress(), g.unlimited(), g.meter.connectionRefused), newServer(front, g.cfg.Log), nil)
		})
	}
	failed := make(chan error, len(parts))
	for _, part := range parts {
		go func() {
			err := part(ctx)
			if err != nil {
				cancel()
			}
			failed <- err
		}()
	}
	err = serveHTTP(ctx, ln, srv, g.beginDrain)
	cancel()
	for range parts {
		err = errors.Join(err, <-failed)
	}
	return err
}

func (g *Gateway) perAddress() int {
	if g.cfg.ConnectionsPerAddress > 0 {
		return g.cfg.ConnectionsPerAddress
	}
	return defaultPerAddress
}

// unlimited are addresses that may open any number of connections: proxies, which
// carry those of many, and this machine.
func (g *Gateway) unlimited() func(netip.Addr) bool {
	proxies, _ := limit.ParseProxies(g.cfg.TrustedProxies) // checked by Validate
	return func(a netip.Addr) bool { return a.IsLoopback() || proxies.Trusts(a) }
}

// beginDrain makes /readyz say no and, for as long as the owner chose, goes on
// taking requests, so that a balancer sees it before connections are refused.
func (g *Gateway) beginDrain() {
	g.draining.Store(true)
	timer := time.NewTimer(g.cfg.DrainDelay)
	defer timer.Stop()
	<-timer.C
}

// newServer is a server with the time-outs of a listener that anybody can reach.
// Bodies have deadlines of their own (edge.Pace), because one of the server's
// would cut answers that take longer than a body may.
func newServer(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler: edge.Pace(handler), ReadHeaderTimeout: readHeaderTime, WriteTimeout: writeTime,
		IdleTimeout: idleTime, MaxHeaderBytes: maxHeaders,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
		HTTP2:    &http.HTTP2Config{MaxConcurrentStreams: maxStreams, SendPingTimeout: idleTime, WriteByteTimeout: writeTime},
	}
}

// serveHTTP answers the connections of ln until ctx ends, then drains: before, if
// not nil, runs first, and then connections are refused while running requests
// finish. Connections that have asked nothing yet are cut.
func serveHTTP(ctx context.Context, ln net.Listener, srv *http.Server, before func()) error {
	silent := &silent{conns: map[net.Conn]bool{}}
	srv.ConnState = silent.state
	srv.RegisterOnShutdown(silent.cut)
	ended := make(chan error, 1)
	go func() {
		ln := netutil.LimitListener(ln, maxConns)
		if srv.TLSConfig != nil {
			ended <- srv.ServeTLS(ln, "", "")
			return
		}
		ended <- srv.Serve(ln)
	}()
	select {
	case err := <-ended:
		return fmt.Errorf("serve HTTP: %w", err)
	case <-ctx.Done():
	}
	if before != nil {
		before()
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
	defer cancel()
	err := srv.Shutdown(drain)
	if err != nil {
		err = errors.Join(fmt.Errorf("drain requests: %w", err), srv.Close())
	}
	<-ended
	return err
}

// silent are the connections that have not sent a whole request yet. Once it
// drains, the library answers none that comes on them, and yet counts them as busy
// until they are five seconds old, so that one which a browser keeps in reserve
// would delay every stop.
type silent struct {
	mu    sync.Mutex // guards what follows
	conns map[net.Conn]bool
	over  bool
}

// state is what a server reports of its connections.
func (s *silent) state(c net.Conn, state http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case state != http.StateNew:
		delete(s.conns, c)
	case s.over:
		_ = c.Close() // its server finds out
	default:
		s.conns[c] = true
	}
}

// cut ends those there are and those that come.
func (s *silent) cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	for c := range s.conns {
		_ = c.Close() // its server finds out
	}
}

// strictly has browsers use HTTPS alone from now on, when the public
// address is one.
func (g *Gateway) strictly(next http.Handler) http.Handler {
	if !g.cfg.Public || !strings.HasPrefix(g.URL(), "https://") {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Strict-Transport-Security", strictTransport)
		next.ServeHTTP(w, r)
	})
}
