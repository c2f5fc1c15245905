package main

import (
	"context"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/meshd/meshd/gateway"
	"github.com/meshd/meshd/gateway/edge"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/store"
)

// openState opens the database the settings name: Postgres, or the file in the
// home folder.
func (in *instance) openState(ctx context.Context) (*state.DB, error) {
	pepper, err := in.secret("gateway pepper")
	if err != nil {
		return nil, err
	}
	cfg := state.Config{Pepper: pepper[:], Random: rand.Reader}
	if dsn := in.cfg.Config.State.Postgres; dsn != "" {
		cfg.Home = in.node.PeerID().String()
		return state.OpenPostgres(ctx, dsn.Reveal(), cfg)
	}
	return state.Open(ctx, in.home.Path(store.StateFile), cfg)
}

// secret is derived from the file that the gateways of one database share, or
// without one from the node's own key.
func (in *instance) secret(purpose string) ([32]byte, error) {
	path := in.cfg.Config.State.SecretFile
	if path == "" {
		return in.node.Secret(purpose)
	}
	f, err := os.Open(in.home.Resolve(path))
	if err != nil {
		return [32]byte{}, fmt.Errorf("state.secret_file: %w", err)
	}
	defer f.Close()
	shared, err := io.ReadAll(io.LimitReader(f, maxSharedSecret+1))
	switch {
	case err != nil:
		return [32]byte{}, fmt.Errorf("state.secret_file: %w", err)
	case len(shared) < minSharedSecret || len(shared) > maxSharedSecret:
		return [32]byte{}, fmt.Errorf("state.secret_file: want %d to %d bytes", minSharedSecret, maxSharedSecret)
	}
	if info, err := f.Stat(); err != nil || info.Mode().Perm()&0o077 != 0 {
		return [32]byte{}, errors.Join(err, errors.New("state.secret_file: others may read it; chmod 600"))
	}
	key, err := hkdf.Key(sha256.New, shared, nil, "meshd shared "+purpose, 32)
	if err != nil {
		return [32]byte{}, fmt.Errorf("state.secret_file: %w", err)
	}
	return [32]byte(key), nil
}

// tlsOf are the settings of the listener's encryption with their paths resolved.
func tlsOf(home *store.Home, g config.Gateway) gateway.TLS {
	t := gateway.TLS{Mode: g.TLS, Redirect: g.RedirectListen}
	switch g.TLS {
	case "files":
		t.CertFile, t.KeyFile = home.Resolve(g.TLSCert), home.Resolve(g.TLSKey)
	case "acme":
		t.ACME = edge.ACMEConfig{Domains: g.ACMEDomains, Email: g.ACMEEmail, Directory: g.ACMEDirectory, Dir: home.Path("tls")}
		if g.ACMERoot != "" {
			t.ACME.RootFile = home.Resolve(g.ACMERoot)
		}
	}
	return t
}
