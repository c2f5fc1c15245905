package knowledge

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// Node is what this room needs of a node. Refusals are *reason.Refusal values.
type Node interface {
	Guestbooks
	Judge
	Reader
	Standings
	TeamKnowledge
	Writer
}

// Guestbooks is the part of a Node about this.
type Guestbooks interface {
	// ServiceAgent is the agent that this gateway itself writes as.
	ServiceAgent(ctx context.Context) (change.AgentID, error)
}

// Judge is the part of a Node about this.
type Judge interface {
	// Check judges a draft; a zero agent skips the rows about duplicates.
	Check(ctx context.Context, d gate.Draft, agent change.AgentID) gate.Report
	// Pass judges a draft and makes of it what Contribute takes, unless the report
	// refuses it.
	Pass(d gate.Draft) (gate.Passed, gate.Report)
}

// Reader is the part of a Node about this.
type Reader interface {
	// Domains are those of the commons, by count falling, then name.
	Domains(ctx context.Context) []view.Domain
	// Entries returns one page of a selection.
	Entries(ctx context.Context, q view.EntryQuery) (view.EntryPage, error)
	// Entry returns a live public entry, or entry_not_found, retracted, revoked
	// or purged.
	Entry(ctx context.Context, id change.ID) (view.Entry, error)
}

// Standings is the part of a Node about this.
type Standings interface {
	Related(a, b change.AgentID) bool
	// Serves reports whether what an agent says that it served counts.
	Serves(id change.AgentID) bool
	WriteServed(ctx context.Context, gateway change.AgentID, day int64, rows []view.ServedRow) error
}

// TeamKnowledge is the part of a Node about this.
type TeamKnowledge interface {
	ContributeToTeam(ctx context.Context, agent change.AgentID, guild change.ID, p gate.Passed, opt view.Submit) (view.Receipt, error)
	TeamEntries(ctx context.Context, guild change.ID, q view.EntryQuery) (view.EntryPage, error)
	TeamEntry(ctx context.Context, guild, id change.ID) (view.Entry, error)
}

// Writer is the part of a Node about this.
type Writer interface {
	// Contribute signs and appends an entry that a gate has passed. It refuses
	// duplicates, with details.existing_id; a repeated idempotency key yields the
	// first receipt.
	Contribute(ctx context.Context, agent change.AgentID, p gate.Passed, opt view.Submit) (view.Receipt, error)
	// Retract withdraws the agent's own entry.
	Retract(ctx context.Context, agent change.AgentID, target change.ID, why string) (view.Receipt, error)
}
