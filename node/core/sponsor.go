package core

import "github.com/meshd/meshd/crdt/change"

// MaxSponsorDepth bounds the walk to the root of a tree of sponsors. A longer
// chain counts as a separate tree from there on.
const MaxSponsorDepth = 16

// SponsorRoot is the key at the root of the tree of sponsors that an agent stands
// in, "" for an agent that nobody sponsored. The keys of an agent that rotated
// name the same tree, by its first sponsor.
func (n *Core) SponsorRoot(id change.AgentID) string {
	a, ok := n.Views.Agent(id)
	if !ok || a.Sponsor == nil {
		return ""
	}
	root := *a.Sponsor
	for range MaxSponsorDepth {
		above, ok := n.Views.AgentByKey(root)
		if !ok {
			break
		}
		if above.Sponsor == nil {
			return above.ID.String() // whichever key of it vouched
		}
		root = *above.Sponsor
	}
	return root.String()
}
