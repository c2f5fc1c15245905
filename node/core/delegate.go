package core

import (
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/role"
)

// Right is what an agent may rest on in a guild: its opening, or a grant.
type Right struct {
	ID    change.ID    // what a proof names
	Home  change.Space // where the roles of the guild are kept
	Role  string       // "" for a message right
	Grant *fold.Grant  // nil for the founder
}

// RightIn is the strongest right of an agent in a guild's or team's space, or
// the refusal not_a_member. What is left of a viewer's right to write messages
// when the role is gone is none.
func (n *Core) RightIn(agent change.AgentID, space change.Space) (Right, error) {
	id, ok := space.Guild()
	if !ok {
		return Right{}, reason.Refuse(reason.InvalidParam, "%s is no guild", space)
	}
	g, ok := n.Views.Guild(id)
	if !ok {
		return Right{}, reason.Refuse(reason.TeamNotFound, "no such guild")
	}
	if g.Founder == agent {
		return Right{ID: g.Opened, Home: g.Space, Role: role.Owner}, nil
	}
	var best *fold.Grant
	for _, m := range n.Views.GrantsIn(id) {
		if m.Holder == agent && m.Active && n.InTerm(m) && (best == nil || role.Rank(m.Role) > role.Rank(best.Role)) && !n.IsMessageRight(m) {
			best = &m
		}
	}
	if best == nil {
		return Right{}, reason.Refuse(reason.NotAMember, "Not a member of this team")
	}
	return Right{ID: best.ID, Home: g.Space, Role: best.Role, Grant: best}, nil
}
