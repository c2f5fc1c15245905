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

// statePlaceFile, in a home whose state lies in Postgres, says where. Without it a
// start that lacks the connection string would begin an empty state on SQLite, in
// which no agent, key or account is known.
const statePlaceFile = "state.postgres"

// statePlace is where the state of a home lies, "" for its own SQLite file.
func statePlace(home *store.Home) string {
	text, err := os.ReadFile(home.Path(statePlaceFile))
	if err != nil {
		return ""
	}
	return oneLine(string(text), 300)
}

// checkState refuses settings that would leave the state of a home behind.
func checkState(home *store.Home, cfg config.State) error {
	place := statePlace(home)
	if place == "" || cfg.Postgres != "" {
		return nil
	}
	return config.Faults{{Key: "state.postgres", Text: "is not set, but the state of this home lies in Postgres at " + place +
		": set MESHD_STATE_POSTGRES, or remove " + home.Path(statePlaceFile) + " to begin anew on SQLite"}}
}

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
		db, err := state.OpenPostgres(ctx, dsn.Reveal(), cfg)
		if err != nil {
			return nil, err
		}
		place := state.PostgresPlace(dsn.Reveal())
		if statePlace(in.home) == place {
			return db, nil
		}
		if err := store.AtomicWrite(in.home.Path(statePlaceFile), []byte(place+"\n"), 0o600); err != nil {
			return nil, errors.Join(fmt.Errorf("note where the state lies: %w", err), db.Close(ctx))
		}
		return db, nil
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
