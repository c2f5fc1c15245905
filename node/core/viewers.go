package core

import (
	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/identity/ucan"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
)

// MessageFact is the fact that marks the token of a message right.
const MessageFact = "viewer_messages"

// A message right is what lets a viewer write messages where the policy of the
// team allows it: a grant of no role, beside the viewer's own, whose token has
// one ability in the team's space. It makes nobody a member. Only who may grant
// everything can give it, so the home of the team does, for the founder.

// IsMessageRight distinguishes a message right from other grants of no role.
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
