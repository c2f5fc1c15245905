package account

import (
	"context"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/view"
)

// Node is what this room needs of a node. Refusals are *reason.Refusal values.
type Node interface {
	keyring
	identities

	// Agent returns one agent, or agent_not_found.
	Agent(ctx context.Context, id change.AgentID) (view.Agent, error)
	// FindAgent reads an agent id or enough of its beginning, a DID, a local name, or
	// name@home or name#id. What could be several is refused with invalid_param and its candidates.
	FindAgent(ctx context.Context, s string) (view.Agent, error)
	// Speaks refuses a key or wallet that does not speak for an agent now:
	// agent_not_found, key_revoked for a key that was rotated, forked_author while two parties
	// may have the agent's key, and capability_missing for anybody else.
	Speaks(agent change.AgentID, by did.DID) error
	// EditPage sets fields of the agent's page; nil deletes one. ifVersion -1
	// means whatever the version is, any other mismatch is version_conflict.
	EditPage(ctx context.Context, id change.AgentID, set []doc.Field, ifVersion int) (view.Page, error)
	// Network is the network's name and id.
	Network() (name string, id change.NetID)
}

// keyring is the keys in the vault of the node, and what others learn of API keys.
type keyring interface {
	// NewActingKey makes a key in the vault and returns its name there.
	NewActingKey(ctx context.Context) (vaultName string, key did.Key, err error)
	// DropActingKey deletes a key whose challenge was never answered. A key that an
	// agent was opened with or rotated to is kept.
	DropActingKey(ctx context.Context, vaultName string) error
	// NewDeviceKey makes a key in the vault that an agent of another node may lend
	// its voice to, by a capability for that key.
	NewDeviceKey(ctx context.Context) (did.Key, error)
	// AnnounceKey reports to the bus what happened to an API key of an agent hosted here.
	// The kind is one of events.KeyCreated, KeyRevoked and KeyRecovered.
	AnnounceKey(kind events.Kind, agent change.AgentID, key events.APIKey)
}

// identities are the changes that an identity is made of: its beginning, later proofs and rotations.
type identities interface {
	// OpenAgent grinds the ticket and writes the genesis of a new agent.
	OpenAgent(ctx context.Context, g view.Genesis) (view.Agent, view.Receipt, error)
	// BindController adds the proof of a controller to an agent hosted here, by a
	// later binding. The refusal is that of the rules: binding_invalid when the proof
	// does not authorise the key that acts for the agent, or is by no controller.
	BindController(ctx context.Context, id change.AgentID, p binding.Proof) (view.Agent, error)
	rotations
}

// rotations take agents over to other keys.
type rotations interface {
	// RotationDraft is what a rotation of an agent to the key to would say: all
	// but the consent. next may be the hash of a new recovery key. The cut accepts
	// what the key in force has written as far as this node has seen it.
	RotationDraft(ctx context.Context, agent change.AgentID, to keys.HybridKey, next []byte) (view.RotationDraft, error)
	// OfferRotation makes a key in this vault and says what a rotation to it would say, for
	// a controller of an agent that this node writes for to consent to. The caller owns the
	// key by its name in the vault, until CompleteRotation, and deletes it if that never comes.
	OfferRotation(ctx context.Context, agent change.AgentID, second view.Second) (vaultName string, d view.RotationDraft, err error)
	// CompleteRotation signs a rotation that OfferRotation drafted and somebody has consented
	// to. What this node has of the old key beyond the cut, written between the two, the
	// new key takes back in at once. The refusal is rotation_invalid, as the rules say or
	// when another rotation came first.
	CompleteRotation(ctx context.Context, agent change.AgentID, to did.Key, r body.Rotate) (view.Agent, error)
	// Admit takes in a rotation that was signed elsewhere: it proves itself. The
	// refusal is that of the rules, rotation_invalid above all.
	Admit(ctx context.Context, c *change.Change) (view.Agent, error)
}
