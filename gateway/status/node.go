package status

import (
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/incident"
	"github.com/meshd/meshd/node/view"
)

// Node is what this room needs of a node. Refusals are *reason.Refusal values.
type Node interface {
	// Components maps each part to ok, degraded, down or off.
	Components() map[string]string
	// Ready are the checks behind readiness, and their conjunction.
	Ready() (checks map[string]bool, ready bool)
	// Started is when the node began.
	Started() time.Time
	// Incidents is the book of the node, in which the gateway writes too.
	Incidents() *incident.Book
	// Counts are exact figures of public data.
	Counts() view.Counts
	// Network is the network's name and id.
	Network() (name string, id change.NetID)
}
