package instance

import (
	"context"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/state/cluster"
	"github.com/meshd/meshd/node"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/store"
)

// StatePlaceFile, in a home whose state lies in Postgres, says where. Without it a
// start that lacks the connection string would begin an empty state on SQLite, in
// which no agent, key or account is known.
const StatePlaceFile = "state.postgres"

// StatePlace is where the state of a home lies, "" for its own SQLite file.
func StatePlace(home *store.Home) string {
	text, err := os.ReadFile(home.Path(StatePlaceFile))
	if err != nil {
		return ""
	}
	return terminal.OneLine(string(text), 300)
}

// checkState refuses settings that would leave the state of a home behind.
func checkState(home *store.Home, cfg config.State) error {
	place := StatePlace(home)
	if place == "" || cfg.Postgres != "" {
		return nil
	}
	return config.Faults{{Key: "state.postgres", Text: "is not set, but the state of this home lies in Postgres at " + place +
		": set MESHD_STATE_POSTGRES, or remove " + home.Path(StatePlaceFile) + " to begin anew on SQLite"}}
}

// openState opens the database the settings name: Postgres, or the file in the
// home folder.
func (in *Instance) openState(ctx context.Context) (*state.DB, error) {
	pepper, err := in.secret("gateway pepper")
	if err != nil {
		return nil, err
	}
	cfg := state.Config{Pepper: pepper[:], Random: rand.Reader}
	if dsn := in.Settings.Config.State.Postgres; dsn != "" {
		cfg.Home = in.Node.PeerID().String()
		db, err := state.OpenPostgres(ctx, dsn.Reveal(), cfg)
		if errors.Is(err, state.ErrPepper) {
			mismatch := reason.Refuse(reason.SecretMismatch, "the state at %s was begun with another secret than this gateway has", state.PostgresPlace(dsn.Reveal()))
			mismatch.Hint = "set state.secret_file to a copy of the file of the gateway that began it; nothing was changed"
			return nil, errors.Join(mismatch, err)
		}
		if err != nil {
			return nil, err
		}
		place := state.PostgresPlace(dsn.Reveal())
		if StatePlace(in.Home) == place {
			return db, nil
		}
		if err := store.AtomicWrite(in.Home.Path(StatePlaceFile), []byte(place+"\n"), 0o600); err != nil {
			return nil, errors.Join(fmt.Errorf("note where the state lies: %w", err), db.Close(ctx))
		}
		return db, nil
	}
	return state.Open(ctx, in.Home.Path(store.StateFile), cfg)
}

// share has the node sign in turns with the other gateways of its database. Without a
// secret that they share there are none.
func (in *Instance) share(ctx context.Context) error {
	cfg := in.Settings.Config.State
	if cfg.Postgres == "" || cfg.SecretFile == "" {
		return nil
	}
	pepper, err := in.secret("gateway pepper")
	if err != nil {
		return err
	}
	in.cluster, err = cluster.Open(cfg.Postgres.Reveal(), state.Config{Pepper: pepper[:], Random: rand.Reader, Home: in.Node.PeerID().String()})
	if err != nil {
		return err
	}
	return node.Share(ctx, in.Node, in.cluster)
}

// secret is derived from the file that the gateways of one database share, or
// without one from the node's own key.
func (in *Instance) secret(purpose string) ([32]byte, error) {
	path := in.Settings.Config.State.SecretFile
	if path == "" {
		return in.Node.Secret(purpose)
	}
	f, err := os.Open(in.Home.Resolve(path))
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
