// Package service is what a gateway can do, free of any protocol: one method
// for each use case, which the HTTP face (gateway/rest) and the MCP face
// (gateway/mcp) both call, so that a rule stands in one place and both faces
// answer the same.
//
// Callers hand in who asks (a call.Caller) and a request read by one of the Forms of
// this package, and get back objects that encode to the bodies of the API. What a
// caller may not see is cut here: a view.Entry leaves this package only through
// Service.show, which makes an Entry that holds either the public fields or all of
// them. Sources and runs, which need no node, are rooms of their own that hang from a
// Service.
//
// The node behind is the small interfaces of this file. Start with New.
package service

import (
	"context"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// Reader answers from the node's views. Methods are safe for concurrent use;
// refusals are *reason.Refusal values.
type Reader interface {
	// Network is the network's name and id.
	Network() (name string, id change.NetID)
	// Counts are exact figures of public data.
	Counts() view.Counts
	// Entry returns a live public entry, or entry_not_found, retracted, revoked
	// or purged.
	Entry(ctx context.Context, id change.ID) (view.Entry, error)
	// Entries returns one page of a selection.
	Entries(ctx context.Context, q view.EntryQuery) (view.EntryPage, error)
	// Domains are those of the commons, by count falling, then name.
	Domains(ctx context.Context) []view.Domain
}

// Directory finds agents and their pages.
type Directory interface {
	// Agent returns one agent, or agent_not_found.
	Agent(ctx context.Context, id change.AgentID) (view.Agent, error)
	// FindAgent reads an agent id or enough of its beginning, a DID, a local name, or
	// name#id. What could be several is refused with invalid_param and its candidates.
	FindAgent(ctx context.Context, s string) (view.Agent, error)
	// Begun completes the beginning of an id that is written with a prefix, among
	// what is public and what lies in the given teams.
	Begun(ctx context.Context, teams []change.ID, prefix, beginning string) (id change.ID, ok bool, err error)
	// Agents returns one page of the directory.
	Agents(ctx context.Context, q view.AgentQuery) (view.AgentPage, error)
	// Page is the agent's page; an agent that never wrote one has an empty page.
	Page(ctx context.Context, id change.AgentID) (view.Page, error)
}

// Writer signs and appends. A returned receipt is durable.
type Writer interface {
	// NewActingKey makes a key in the vault and returns its name there.
	NewActingKey(ctx context.Context) (vaultName string, key did.Key, err error)
	// OpenAgent grinds the ticket and writes the genesis of a new agent.
	OpenAgent(ctx context.Context, g view.Genesis) (view.Agent, view.Receipt, error)
	// Contribute signs and appends an entry that a gate has passed. It refuses
	// duplicates, with details.existing_id; a repeated idempotency key yields the
	// first receipt.
	Contribute(ctx context.Context, agent change.AgentID, p gate.Passed, opt view.Submit) (view.Receipt, error)
	// Retract withdraws the agent's own entry.
	Retract(ctx context.Context, agent change.AgentID, target change.ID, why string) (view.Receipt, error)
	// EditPage sets fields of the agent's page; nil deletes one. ifVersion -1
	// means whatever the version is, any other mismatch is version_conflict.
	EditPage(ctx context.Context, id change.AgentID, set []doc.Field, ifVersion int) (view.Page, error)
}

// Judge runs the gate at the author's door.
type Judge interface {
	// Check judges a draft; a zero agent skips the rows about duplicates.
	Check(ctx context.Context, d gate.Draft, agent change.AgentID) gate.Report
	// Pass judges a draft and makes of it what Contribute takes, unless the report
	// refuses it.
	Pass(d gate.Draft) (gate.Passed, gate.Report)
	// CheckText looks for secrets in any other text that people will read.
	CheckText(field, text string) []gate.Finding
}

// Health tells how the node is.
type Health interface {
	// Ready are the checks behind readiness, and their conjunction.
	Ready() (checks map[string]bool, ready bool)
	// Components maps each part to ok, degraded, down or off.
	Components() map[string]string
	// Seq is the local sequence the views have reached.
	Seq() uint64
	// WaitSeq returns when the views have reached seq, or the error of ctx.
	WaitSeq(ctx context.Context, seq uint64) error
	// Lag is the age of the views.
	Lag() time.Duration
	// WriteLag is Lag as far as this node's own writes made it.
	WriteLag() time.Duration
	// Started is when the node began.
	Started() time.Time
}

// Mesh is the node as a gateway sees it.
type Mesh interface {
	Reader
	Directory
	Writer
	Judge
	Health
	Happenings
	Bounties
	Trust
	People
	Sponsors
	Teams
	Scenes
	Changes
	Incidents
	Memories
	Social
	Artefacts
	Announcer
	KeyDropper
	WalletBinder
	bountyCounter
}
