package core

import (
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/node/view"
)

// Homes reports whether a guild's founder is an agent of this node.
func (n *Core) Homes(g fold.Guild) bool {
	rec, ok := n.Views.Agent(g.Founder)
	return ok && n.speaksFor(rec)
}

// AgentRef names an agent in a list; one that is not known here has only its id.
func (n *Core) AgentRef(id change.AgentID) view.AgentRef {
	if s, ok := n.AgentCache.Find(n, id); ok {
		return n.Ref(s)
	}
	return view.AgentRef{ID: id}
}
