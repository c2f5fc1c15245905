package servicetest

import (
	"cmp"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/incident"
)

// Condition is how the node is, as a test sets it.
type Condition struct {
	Broken    *incident.Book
	NotReady  bool
	Behind    time.Duration             // age of the views
	OwnBehind time.Duration             // of it, what this node's writes made
	Sponsor   map[change.AgentID]string // roots of trees
	Down      map[string]string         // components that are not well, and how they are
}

// Incidents is the book of the node.
func (c *Condition) Incidents() *incident.Book { return c.Broken }

// Ready is the switch.
func (c *Condition) Ready() (map[string]bool, bool) {
	return map[string]bool{"store_open": true, "views_caught_up": !c.NotReady}, !c.NotReady
}

// Components is ok but for what Down says.
func (c *Condition) Components() map[string]string {
	out := map[string]string{"store": "ok", "gossip": "ok"}
	for k, v := range c.Down {
		out[k] = v
	}
	return out
}

// Lag is Behind, or 42 ms.
func (c *Condition) Lag() time.Duration { return cmp.Or(c.Behind, 42*time.Millisecond) }

// WriteLag is OwnBehind.
func (c *Condition) WriteLag() time.Duration { return c.OwnBehind }

// SponsorRoot is what Sponsor says.
func (c *Condition) SponsorRoot(id change.AgentID) string { return c.Sponsor[id] }
