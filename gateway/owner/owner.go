// Package owner gives a node's owner an agent at the first start: its acting key
// in the vault, its genesis in the log, a recovery key and an API key in files
// that only the owner can read.
//
// Start with Ensure. Every step looks first whether it was done, so that a start
// that was cut short anywhere is completed by the next one, and a complete one
// changes nothing. What Ensure returns names the files; their content never
// leaves this package.
package owner

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/store"
	"github.com/meshd/meshd/node/view"
)

// Owner is the agent of a node's owner and where its secrets lie.
type Owner struct {
	Agent        view.Agent
	APIKeyFile   string
	RecoveryFile string // "" once the owner has moved it elsewhere
	Created      bool   // by this call
	// Waiting says that the log knows nothing of the agent although its key is here:
	// the past of this home has to be fetched from peers first. Of Agent only the
	// id, the DID and a name are known then.
	Waiting bool
}

// APIKeyName is the name of the API key's file below the folder of keys.
const APIKeyName = "owner.api-key"

// keyLabel marks the API keys made here, so that one whose file was lost can be
// found and revoked.
const keyLabel = "owner"

// Mesh is what Ensure needs of a node; *node.Node is one.
type Mesh interface {
	Network() (name string, id change.NetID)
	Owner() (change.AgentID, bool)
	OwnerActingKey(ctx context.Context) (did.Key, error)
	Agent(ctx context.Context, id change.AgentID) (view.Agent, error)
	OpenAgent(ctx context.Context, g view.Genesis) (view.Agent, view.Receipt, error)
	// Unsure is why nothing may be signed now, nil when it may.
	Unsure() error
}

var _ Mesh = (*node.Node)(nil)

// Ensure makes what is missing of the owner's agent and returns it. The home is
// locked, and random is the source of the recovery key.
func Ensure(ctx context.Context, n Mesh, st *state.DB, home *store.Home, random io.Reader) (Owner, error) {
	key, err := n.OwnerActingKey(ctx)
	if err != nil {
		return Owner{}, fmt.Errorf("make the owner's key: %w", err)
	}
	_, net := n.Network()
	id := change.DeriveAgent(net, key)
	o := Owner{APIKeyFile: home.Path(store.KeysDir, APIKeyName), RecoveryFile: home.Path(store.KeysDir, RecoveryName(id))}
	if _, opened := n.Owner(); !opened {
		if n.Unsure() != nil {
			// A second genesis would fork the agent's first chain at its first place.
			o.Waiting, o.Agent = true, view.Agent{AgentRef: view.AgentRef{ID: id, Name: FirstName(id)}, DID: key}
			return o, nil
		}
		if err := open(ctx, n, st, id, o.RecoveryFile, random); err != nil {
			return Owner{}, fmt.Errorf("make the owner's agent: %w", err)
		}
		o.Created = true
	}
	if o.Agent, err = n.Agent(ctx, id); err != nil {
		return Owner{}, fmt.Errorf("find the owner's agent: %w", err)
	}
	if err := enrol(ctx, st, o.Agent); err != nil {
		return Owner{}, fmt.Errorf("record the owner's agent: %w", err)
	}
	if err := ensureAPIKey(ctx, st, id, o.APIKeyFile); err != nil {
		return Owner{}, fmt.Errorf("make the owner's API key: %w", err)
	}
	if _, err := os.Stat(o.RecoveryFile); errors.Is(err, fs.ErrNotExist) {
		o.RecoveryFile = ""
	}
	return o, nil
}

// FirstName is the name an owner's agent is born with.
func FirstName(id change.AgentID) string {
	return "agent-" + strings.TrimPrefix(id.String(), change.PrefixAgent)[:6]
}

// open writes the genesis. The recovery key is durable before the genesis that
// names its hash is.
func open(ctx context.Context, n Mesh, st *state.DB, id change.AgentID, recovery string, random io.Reader) error {
	next, err := ensureRecovery(recovery, random)
	if err != nil {
		return err
	}
	name := FirstName(id)
	if err := claim(ctx, st, id, name); err != nil {
		return err
	}
	hash := sha256.Sum256(next[:])
	_, _, err = n.OpenAgent(ctx, view.Genesis{
		KeyName: core.OwnerKey, Name: name, Custody: string(state.CustodySelf), Next: hash[:],
	})
	return err
}

// enrol makes the agent known to the gateway, also after its database was lost.
func enrol(ctx context.Context, st *state.DB, a view.Agent) error {
	_, err := st.AgentByID(ctx, a.ID.String())
	if reason.Of(err) != reason.AgentNotFound {
		return err
	}
	if err := claim(ctx, st, a.ID, a.Name); err != nil {
		return err
	}
	return st.ConfirmAgent(ctx, a.ID.String())
}

// claim reserves the name unless an earlier start has done it.
func claim(ctx context.Context, st *state.DB, id change.AgentID, name string) error {
	claims, err := st.Claims(ctx)
	if err != nil {
		return err
	}
	for _, c := range claims {
		if c.ID == id.String() {
			return nil
		}
	}
	now := time.Now()
	return st.ClaimName(ctx, state.Agent{
		ID: id.String(), Name: name, ActingKey: core.OwnerKey, Custody: state.CustodySelf, CreatedAt: now,
	}, now)
}

// ensureAPIKey makes the file with an API key when it is not there or contains a
// key that the database does not know. A key that the owner revoked stays dead.
func ensureAPIKey(ctx context.Context, st *state.DB, id change.AgentID, path string) error {
	now := time.Now()
	text, err := os.ReadFile(path)
	switch {
	case err == nil:
		secret, err := state.ParseSecret(strings.TrimSpace(string(text)))
		if err == nil {
			_, err = st.KeyBySecret(ctx, secret, now)
		}
		if reason.Of(err) != reason.InvalidToken {
			return knownKey(err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("read key file: %w", err)
	}
	if err := revokeLost(ctx, st, id, now); err != nil {
		return err
	}
	_, secret, err := st.CreateKey(ctx, state.NewKey{AgentID: id.String(), Scopes: state.Scopes{state.ScopeAll}, Label: keyLabel}, now)
	if err != nil {
		return err
	}
	return store.AtomicWrite(path, []byte(secret.Reveal()+"\n"), 0o600)
}

// knownKey keeps faults of the database, and forgives refusals of a dead key.
func knownKey(err error) error {
	var refusal *reason.Refusal
	if errors.As(err, &refusal) {
		return nil
	}
	return err
}

// revokeLost revokes keys that were made for the file and never written to it,
// or whose file is gone.
func revokeLost(ctx context.Context, st *state.DB, id change.AgentID, now time.Time) error {
	keys, err := st.KeysOf(ctx, id.String())
	if err != nil {
		return err
	}
	for _, k := range keys {
		if k.Label != keyLabel || !k.RevokedAt.IsZero() {
			continue
		}
		if _, err := st.RevokeKey(ctx, id.String(), k.ID, now); err != nil {
			return err
		}
	}
	return nil
}
