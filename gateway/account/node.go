package account

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/view"
)

// Node is what this room needs of a node. Refusals are *reason.Refusal values.
type Node interface {
	Announcer
	Directory
	KeyDropper
	Reader
	Trust
	WalletBinder
	Writer
}

// Announcer is the part of a Node about this.
type Announcer interface {
	AnnounceKey(kind events.Kind, agent change.AgentID, key events.APIKey)
}

// Directory is the part of a Node about this.
type Directory interface {
	// Agent returns one agent, or agent_not_found.
	Agent(ctx context.Context, id change.AgentID) (view.Agent, error)
	// FindAgent reads an agent id or enough of its beginning, a DID, a local name, or
	// name#id. What could be several is refused with invalid_param and its candidates.
	FindAgent(ctx context.Context, s string) (view.Agent, error)
}

// KeyDropper is the part of a Node about this.
type KeyDropper interface {
	DropActingKey(ctx context.Context, vaultName string) error
}

// Reader is the part of a Node about this.
type Reader interface {
	// Network is the network's name and id.
	Network() (name string, id change.NetID)
}

// Trust is the part of a Node about this.
type Trust interface {
	Admit(ctx context.Context, c *change.Change) (view.Agent, error)
	NewDeviceKey(ctx context.Context) (did.Key, error)
	RotationDraft(ctx context.Context, agent change.AgentID, to did.Key, next []byte) (view.RotationDraft, error)
}

// WalletBinder is the part of a Node about this.
type WalletBinder interface {
	BindController(ctx context.Context, id change.AgentID, p binding.Proof) (view.Agent, error)
}

// Writer is the part of a Node about this.
type Writer interface {
	// EditPage sets fields of the agent's page; nil deletes one. ifVersion -1
	// means whatever the version is, any other mismatch is version_conflict.
	EditPage(ctx context.Context, id change.AgentID, set []doc.Field, ifVersion int) (view.Page, error)
	// NewActingKey makes a key in the vault and returns its name there.
	NewActingKey(ctx context.Context) (vaultName string, key did.Key, err error)
	// OpenAgent grinds the ticket and writes the genesis of a new agent.
	OpenAgent(ctx context.Context, g view.Genesis) (view.Agent, view.Receipt, error)
}
