package core

import (
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
)

// WriterOf is the agent for which a change was written, zero when it is of none, and
// the key that signed it.
func (n *Core) WriterOf(c *change.Change) (change.AgentID, did.Key) {
	if e, ok := n.Views.Entry(c.ID); ok {
		return e.Agent, c.Head.Author
	}
	if a, ok := n.Views.Act(c.ID); ok {
		return a.Agent, c.Head.Author
	}
	a, _ := n.Views.AgentByKey(c.Head.Author)
	return a.ID, c.Head.Author
}
