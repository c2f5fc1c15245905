package right

import (
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/node/core"
)

// MessageRightsOf are the active grants by which a viewer may write messages in a guild,
// those whose term is over among them.
func (n *Rights) MessageRightsOf(guild change.ID, agent change.AgentID) []fold.Grant {
	var out []fold.Grant
	for _, g := range n.core.Views.GrantsIn(guild) {
		if g.Holder == agent && g.Active && n.core.IsMessageRight(g) {
			out = append(out, g)
		}
	}
	return out
}

// RightToWrite is the right by which an agent writes a kind in a guild: the
// strongest it has, and for a viewer's messages the one beside its role. A viewer
// without that is refused with capability_missing.
func (n *Rights) RightToWrite(agent change.AgentID, space change.Space, kind string) (core.Right, error) {
	r, err := n.core.RightIn(agent, space)
	if err != nil || kind != change.KindMessage || r.Role != role.Viewer {
		return r, err
	}
	guild, _ := space.Guild()
	for _, g := range n.MessageRightsOf(guild, agent) {
		if n.core.InTerm(g) {
			return core.Right{ID: g.ID, Home: r.Home, Grant: &g}, nil
		}
	}
	return core.Right{}, reason.Refuse(reason.CapabilityMissing, "the home of the team has given this viewer no right to write messages yet").
		With(map[string]any{"missing": map[string]any{"ability": ucan.Message, "resource": space.Resource(n.core.Judge.Net())}})
}
