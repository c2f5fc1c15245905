package board

import (
	"context"
	"math"

	"github.com/meshd/meshd/crdt/board"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node/view"
)

// claimants are the agents that may claim in a team, each with the logical time up to
// which everything it wrote there is known here.
type claimants map[change.AgentID]uint64

// confirms reports whether the claim of a task stands: something later than it is here
// of every other agent that may claim. Claims take their turn by (hlc, id) and each chain
// goes up in hlc, so whatever has not come yet is after this one, and a claim that comes
// after takes nothing.
func (c claimants) confirms(s board.State) bool {
	if s.Status != board.Claimed {
		return false
	}
	for agent, known := range c {
		if agent != s.Claimer && known < s.First {
			return false
		}
	}
	return true
}

// claimants are who may claim in a team as far as this node knows. An ended role has
// no claims that are not here: its revocation cuts them off.
func (n *Boards) claimants(ctx context.Context, guild change.ID) (out claimants, err error) {
	g, ok := n.core.Views.Guild(guild)
	if !ok {
		return nil, errNoTask
	}
	out = claimants{g.Founder: 0}
	for _, r := range n.core.Views.GrantsIn(guild) {
		if r.Active && !r.Holder.IsZero() && r.Role != role.Viewer && !n.core.IsMessageRight(r) {
			out[r.Holder] = 0
		}
	}
	space := change.TeamSpace(guild)
	for agent := range out {
		if out[agent], err = n.known(ctx, agent, space); err != nil {
			return nil, err
		}
	}
	return out, n.doubt(ctx, out, space)
}

// doubt takes back what is known of agents elsewhere while a body is missing in the space:
// it may be that of a claim. More stubs than are looked at may have one among them.
func (n *Boards) doubt(ctx context.Context, c claimants, space change.Space) error {
	if n.core.Log.Counts().Missing == 0 {
		return nil
	}
	stubs, err := n.core.Log.Stubs(ctx, maxStubs)
	if err != nil {
		return err
	}
	missing := len(stubs) == maxStubs
	for _, id := range stubs {
		rec, err := n.core.Log.Get(ctx, id)
		missing = missing || err != nil || rec.Change.Head.Space == space
	}
	if !missing {
		return nil
	}
	for agent, known := range c {
		if known != math.MaxUint64 {
			c[agent] = 0
		}
	}
	return nil
}

// known is the logical time up to which all that an agent wrote in a space is here: for
// ever when its keys lie in this vault alone.
func (n *Boards) known(ctx context.Context, agent change.AgentID, space change.Space) (uint64, error) {
	keys := n.voices(agent)
	if len(keys) == 0 {
		return 0, nil
	}
	least := uint64(math.MaxUint64)
	for _, k := range keys {
		if n.core.Local.Has(k) && !n.core.Local.IsShared(k) && !n.core.Lineage.Unsure(k, space) {
			continue
		}
		_, _, end, _, err := n.core.Log.Tip(ctx, change.Chain{Author: k, Space: space, Lane: change.Content})
		if err != nil {
			return 0, err
		}
		least = min(least, end)
	}
	return least, nil
}

// voices are the keys that write for an agent: the one in force, and those of its devices.
func (n *Boards) voices(agent change.AgentID) (out []did.Key) {
	rec, ok := n.core.Views.Agent(agent)
	if !ok {
		return nil
	}
	out = append(out, rec.Key)
	for _, k := range n.core.Views.KeysOf(agent) {
		if k == rec.Key {
			continue
		}
		for _, g := range n.core.Views.GrantsTo(k) {
			if g.Active && g.Space == agent.Space() {
				out = append(out, k)
				break
			}
		}
	}
	return out
}

// confirm notes of claimed tasks whether their claims stand.
func (n *Boards) confirm(ctx context.Context, guild change.ID, tasks []view.Task) error {
	var c claimants
	for i, t := range tasks {
		if t.State.Status != board.Claimed {
			continue
		}
		if c == nil {
			var err error
			if c, err = n.claimants(ctx, guild); err != nil {
				return err
			}
		}
		tasks[i].Confirmed = c.confirms(t.State)
	}
	return nil
}
