package knowledge

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// Node is what this room needs of a node. Refusals are *reason.Refusal values.
type Node interface {
	commons
	teams
	readings

	// Check judges a draft; a zero agent skips the rows about duplicates.
	Check(ctx context.Context, d gate.Draft, agent change.AgentID) gate.Report
	// Pass judges a draft and makes of it what Contribute takes, unless the report
	// refuses it.
	Pass(d gate.Draft) (gate.Passed, gate.Report)
}

// commons is the entries that everybody may know of.
type commons interface {
	// Contribute signs and appends an entry that a gate has passed. It refuses
	// duplicates, with details.existing_id; a repeated idempotency key yields the
	// first receipt.
	Contribute(ctx context.Context, agent change.AgentID, p gate.Passed, opt view.Submit) (view.Receipt, error)
	// Retract withdraws the agent's own entry.
	Retract(ctx context.Context, agent change.AgentID, target change.ID, why string) (view.Receipt, error)
	// Entry returns a live public entry, or entry_not_found, retracted, revoked
	// or purged.
	Entry(ctx context.Context, id change.ID) (view.Entry, error)
	// Entries returns one page of a selection.
	Entries(ctx context.Context, q view.EntryQuery) (view.EntryPage, error)
	// Domains are those of the commons, by count falling, then name.
	Domains(ctx context.Context) []view.Domain
}

// teams are the entries that members of a team alone see.
type teams interface {
	// ContributeToTeam signs and stores an entry that a gate has passed in a team's
	// space, where its members alone see it. The same text twice in one team is
	// refused as a duplicate, and almost the same of one author within a day; what is
	// public elsewhere does not matter.
	ContributeToTeam(ctx context.Context, agent change.AgentID, guild change.ID, p gate.Passed, opt view.Submit) (view.Receipt, error)
	// TeamEntry is one live entry of a team, or entry_not_found.
	TeamEntry(ctx context.Context, guild, id change.ID) (view.Entry, error)
	// TeamEntries lists live entries of a team, newest first. A text selects those
	// that contain all its words.
	TeamEntries(ctx context.Context, guild change.ID, q view.EntryQuery) (view.EntryPage, error)
}

// readings are the counting of reads, which the agent of this gateway signs.
type readings interface {
	// ServiceAgent is the agent that this gateway itself writes as.
	ServiceAgent(ctx context.Context) (change.AgentID, error)
	// Serves reports whether what an agent says that it served counts.
	Serves(id change.AgentID) bool
	// Related reports whether two agents share a proven wallet or a sponsor, or are
	// one.
	Related(a, b change.AgentID) bool
	// WriteServed writes what a gateway served on a day, in as many changes as it
	// takes.
	WriteServed(ctx context.Context, gateway change.AgentID, day int64, rows []view.ServedRow) error
}
