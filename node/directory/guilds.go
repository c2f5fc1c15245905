package directory

import (
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/node/view"
)

// Homes reports whether a guild's founder is an agent of this node.
func (n *Directory) Homes(g fold.Guild) bool {
	rec, ok := n.core.Views.Agent(g.Founder)
	return ok && n.core.SpeaksFor(rec)
}

// AgentRef names an agent in a list; one that is not known here has only its id.
func (n *Directory) AgentRef(id change.AgentID) view.AgentRef {
	if s, ok := n.AgentCache.Find(n, id); ok {
		return n.core.Ref(s)
	}
	return view.AgentRef{ID: id}
}
