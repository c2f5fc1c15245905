package admin

import (
	"context"
	"io"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/node"
	"github.com/meshd/meshd/node/account"
	"github.com/meshd/meshd/node/backup"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/health"
	"github.com/meshd/meshd/node/peering"
	"github.com/meshd/meshd/node/repair"
	"github.com/meshd/meshd/node/transfer"
	"github.com/meshd/meshd/node/view"
)

// Node is what the handlers need; *node.Node is one.
type Node interface {
	condition
	copies
	identities
	keyring
	visits
}

// visits are what agents of this node sign for gateways that do not host them.
type visits interface {
	// Present signs a token by which an agent of this node does one thing in its own
	// space at a gateway, once.
	Present(agent change.AgentID, gateway did.Key, can, part string, life time.Duration) (string, error)
	// SignLogin signs the text by which an agent of this node logs in at a gateway. A text
	// that is anything else is invalid_param.
	SignLogin(agent change.AgentID, text string) (did.Key, []byte, error)
}

var _ Node = (*node.Node)(nil)

// condition is the state of the node and what it stores, and the search for damage and its repair.
type condition interface {
	// Status describes the node now.
	Status() health.Status
	// Peers lists the peers this node knows, connected ones first.
	Peers() []health.PeerStatus
	// SyncNow runs a pass with every connected peer. With wait it repeats until one
	// pass leaves all of them equal, or ctx ends.
	SyncNow(ctx context.Context, wait bool) ([]peering.PassSummary, bool, error)
	// Damaged counts the changes, and the parts of the store, that are known to be
	// damaged.
	Damaged() int
	// Verify reads every stored change again and reports what does not fit. It is
	// the quick half of VerifyDeep.
	Verify(ctx context.Context) (node.DeepCheck, error)
	// VerifyDeep reads every stored change again, checks ids, bodies and indexes,
	// and folds the whole log anew beside the views in use.
	VerifyDeep(ctx context.Context) (node.DeepCheck, error)
	// Repair looks at everything that is stored and mends what it can, with the help
	// of the peers that are connected.
	Repair(ctx context.Context) (repair.Report, error)
	// Unsure is the refusal of what agents here would write while the node does not
	// know how far their public chains go, nil when it does.
	Unsure() error
}

// copies are what goes in and out of the node as files, and what is taken off it for good.
type copies interface {
	// Export writes every change that this node has as NDJSON, auth first, each set
	// in (hlc, id) order, so that reading it from the top finds the past of every
	// change before it. Changes that arrive meanwhile may or may not be in it. With
	// public it leaves out the sets of private teams; Private says what is in them.
	// It writes what is sound, and says what it lacks.
	Export(ctx context.Context, w io.Writer, public bool) (transfer.Exported, error)
	// Import reads an export and judges every change as if a peer had sent it. A
	// line that is not good, or longer than any change is, is named and the rest goes
	// on; the error is a fault of reading or of this node.
	Import(ctx context.Context, r io.Reader) (transfer.ImportReport, error)
	// Backup writes the whole home as it is now, while the node goes on. state copies
	// the state's database to a file; it is nil when the state lies elsewhere, and
	// where then says where.
	Backup(ctx context.Context, w io.Writer, state func(ctx context.Context, path string) error, where string) (backup.End, error)
	// Private counts the sets of private teams that this node has, and the changes in
	// them.
	Private() (sets int, changes uint64)
	// Purge removes the text of an entry from this node for good; its head stays,
	// so chains and fingerprints do not change.
	Purge(ctx context.Context, id change.ID) error
	// Begun finds the id of which beginning, without its prefix, is the first part;
	// several are refused with candidates.
	Begun(ctx context.Context, teams []change.ID, prefix, beginning string) (id change.ID, ok bool, err error)
}

// identities are the agents that the node speaks for, and the keys they do it with.
type identities interface {
	// FindAgent finds an agent by its id or the beginning of it, by a DID it signs with
	// or is controlled by, by its name when it is hosted here, or by name@home or name#id.
	FindAgent(ctx context.Context, s string) (view.Agent, error)
	// Owner is the agent of this node's owner; ok is false before it was made.
	Owner() (change.AgentID, bool)
	// Rename gives an agent hosted here another name by a later binding.
	Rename(ctx context.Context, id change.AgentID, name string) (view.Agent, error)
	// LostVoice refuses, with revoked, to write as an agent, by its name or id, whose
	// voice a key of this vault had until its grant was ended. It is nil for any other.
	LostVoice(agent string) error
	// RotateHere takes an agent over to a new acting key of this vault, with the
	// consent of the key in force or of a controller. The recovery key is spent by
	// consenting: the turn should then bring the hash of a new one. A key with a second
	// half needs the consent of who outranks the acting key, where anybody does.
	RotateHere(ctx context.Context, agent change.AgentID, by account.Consent, turn view.Turn) (view.Agent, error)
	// ConsentOfKey is the consent of the key in force, when it lies in this vault.
	ConsentOfKey(agent change.AgentID) account.Consent
	// Author finds the key by which this node may write for an agent. The refusal
	// is agent_not_found or forbidden, or why a record of an agent here may be lacking:
	// home_unsure or store_damaged.
	Author(agent change.AgentID) (core.Author, error)
}

// keyring is the vault of the node, and the keys that come into it.
type keyring interface {
	// Vault is the node's key store, for commands that manage keys.
	Vault() *vault.Vault
	// ImportKey stores a secret that was made elsewhere under a name of the vault.
	// A key that acts for agents does so from now on. public is what the secret must
	// belong to. The refusal is name_taken or invalid_param; nothing is stored then.
	ImportKey(name string, kind vault.Kind, secret [32]byte, public string) (vault.Info, error)
	// ImportHybrid is ImportKey for a key with an ML-DSA-65 half, whose seed is second.
	ImportHybrid(name string, kind vault.Kind, secret, second [32]byte, public string) (vault.Info, error)
}
