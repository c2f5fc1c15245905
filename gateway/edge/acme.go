package edge

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/caddyserver/certmagic"
	"go.uber.org/zap"
)

// ACMEConfig says for which names, and from whom, certificates are fetched.
type ACMEConfig struct {
	Domains   []string
	Email     string // the authority may write to it; may be empty
	Directory string // of the authority; empty: Let's Encrypt
	RootFile  string // roots of a private directory; empty: the system's
	Dir       string // folder of account and certificates
	TLSPort   int    // of our TLS listener, which answers challenges
	HTTPPort  int    // of our plain listener; 0: none, and no challenge by it
	Log       *slog.Logger
}

// ACME fetches certificates from an authority and renews them in time (RFC
// 8555), proving each name by a challenge on our own listeners.
type ACME struct {
	cfg    ACMEConfig
	magic  *certmagic.Config
	cache  *certmagic.Cache
	issuer *certmagic.ACMEIssuer
}

var _ Certificates = (*ACME)(nil)

// FromACME prepares fetching. Nothing is asked of the authority before Serve, so
// that the listeners are there to answer its challenges.
func FromACME(cfg ACMEConfig) (*ACME, error) {
	if len(cfg.Domains) == 0 || cfg.TLSPort == 0 {
		return nil, errors.New("fetching certificates needs domains and a TLS listener")
	}
	a := &ACME{cfg: cfg}
	quiet := zap.NewNop() // logEvent logs what happens
	template := certmagic.Config{Storage: &certmagic.FileStorage{Path: cfg.Dir}, OnEvent: a.logEvent, Logger: quiet}
	a.cache = certmagic.NewCache(certmagic.CacheOptions{
		GetConfigForCert: func(certmagic.Certificate) (*certmagic.Config, error) { return a.magic, nil },
		Logger:           quiet,
	})
	a.magic = certmagic.New(a.cache, template)
	issuer := certmagic.ACMEIssuer{
		CA: cfg.Directory, Email: cfg.Email, Agreed: true, Logger: quiet,
		AltTLSALPNPort: cfg.TLSPort, AltHTTPPort: cfg.HTTPPort, DisableHTTPChallenge: cfg.HTTPPort == 0,
	}
	if issuer.CA == "" {
		issuer.CA = certmagic.LetsEncryptProductionCA
	}
	// Without this, faults of a private authority would be tried at the test
	// authority of Let's Encrypt.
	issuer.TestCA = issuer.CA
	if cfg.RootFile != "" {
		pem, err := readPEM(cfg.RootFile)
		if err != nil {
			return nil, fmt.Errorf("read roots of the authority: %w", err)
		}
		issuer.TrustedRoots = x509.NewCertPool()
		if !issuer.TrustedRoots.AppendCertsFromPEM(pem) {
			return nil, errors.New("read roots of the authority: no certificate in the file")
		}
	}
	a.issuer = certmagic.NewACMEIssuer(a.magic, issuer)
	a.magic.Issuers = []certmagic.Issuer{a.issuer}
	return a, nil
}

// Serve fetches what is missing and renews what ends soon until ctx ends. An
// authority that cannot be reached is asked again with growing pauses; until it
// answers, callers get no connection.
func (a *ACME) Serve(ctx context.Context) error {
	defer a.cache.Stop()
	if err := a.magic.ManageAsync(ctx, a.cfg.Domains); err != nil && ctx.Err() == nil {
		return fmt.Errorf("manage certificates: %w", err)
	}
	<-ctx.Done()
	return nil
}

// Reload does nothing: certificates renew by themselves.
func (a *ACME) Reload() error { return nil }

// TLS shows the certificate of the name a caller requests, and answers the
// challenges that come by TLS.
func (a *ACME) TLS() *tls.Config {
	cfg := baseTLS(a.magic.GetCertificate)
	cfg.NextProtos = append(cfg.NextProtos, a.magic.TLSConfig().NextProtos...) // acme-tls/1
	return cfg
}

// Challenges answers those that come by plain HTTP, and forwards the rest.
func (a *ACME) Challenges(next http.Handler) http.Handler { return a.issuer.HTTPChallengeHandler(next) }

// logEvent logs the steps an operator looks for.
func (a *ACME) logEvent(_ context.Context, event string, data map[string]any) error {
	switch event {
	case "cert_obtained":
		a.cfg.Log.Info("certificate obtained", "name", data["identifier"], "renewal", data["renewal"])
	case "cert_failed":
		a.cfg.Log.Error("certificate not obtained", "name", data["identifier"], "renewal", data["renewal"], "error", data["error"])
	}
	return nil
}
