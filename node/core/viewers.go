package core

import (
	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/identity/ucan"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
)

// MessageFact marks the token of a message right.
const MessageFact = "viewer_messages"

// A message right is what lets a viewer write messages where the policy of the
// team allows it: a grant of no role, beside the viewer's own, whose token holds
// one ability in the team's space. It makes nobody a member. Only who may grant
// everything can give it, so the home of the team does, for the founder.

// isMessageRight tells a message right from other grants of no role.
func (n *Core) IsMessageRight(g fold.Grant) bool {
	if _, inGuild := g.Space.Guild(); !inGuild || g.Role != "" {
		return false
	}
	c, err := n.Log.Member(g.ID)
	if err != nil || c == nil || c.Body == nil {
		return false
	}
	b, err := body.ParseGrant(c.Body)
	if err != nil {
		return false
	}
	t, _ := v0.Parse(b.Token)
	if t == nil || len(t.Caps) != 1 || t.Caps[0].Can != ucan.Message {
		return false
	}
	marked, _ := t.Facts[MessageFact].(bool)
	return marked
}

// MessageRightsOf are those of one agent.
func (n *Core) MessageRightsOf(guild change.ID, agent change.AgentID) []fold.Grant {
	var out []fold.Grant
	for _, g := range n.Views.GrantsIn(guild) {
		if g.Holder == agent && g.Active && n.IsMessageRight(g) {
			out = append(out, g)
		}
	}
	return out
}

// RightToWrite is the right by which an agent writes a kind in a guild: the
// strongest it has, and for a viewer's messages the one beside its role. A viewer
// without that is refused with capability_missing.
func (n *Core) RightToWrite(agent change.AgentID, space change.Space, kind string) (right, error) {
	r, err := n.RightIn(agent, space)
	if err != nil || kind != change.KindMessage || r.Role != role.Viewer {
		return r, err
	}
	guild, _ := space.Guild()
	for _, g := range n.MessageRightsOf(guild, agent) {
		if n.InTerm(g) {
			return right{Id: g.ID, Home: r.Home, Grant: &g}, nil
		}
	}
	return right{}, reason.Refuse(reason.CapabilityMissing, "the home of the team has given this viewer no right to write messages yet").
		With(map[string]any{"missing": map[string]any{"ability": ucan.Message, "resource": space.Resource(n.Judge.Net())}})
}
