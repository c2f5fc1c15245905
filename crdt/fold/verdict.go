package fold

import (
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/bounty"
	"github.com/meshd/meshd/crdt/change"
)

// verdict is what a bounty does to reputations.
type verdict struct {
	loser change.AgentID // of a dispute that an arbiter ended, else zero
	by    change.AgentID // whose work was accepted, else zero
	cites []change.ID    // entries that the accepted work builds upon
}

// verdictOf reads a public bounty whose home is a gateway of the manifest; of any
// other nothing follows, since its home could say what it likes.
func (v *bountyFold) verdictOf(a *act, gateways []body.Gateway) (out verdict) {
	o := a.said.(offer)
	if a.off || a.space.Area() != change.AreaGuild || !slices.ContainsFunc(gateways, func(g body.Gateway) bool { return g.Key == o.home }) {
		return out
	}
	if known, ok := v.verdicts[a.id]; ok {
		return known
	}
	b := v.readBounty(a)
	for _, e := range b.Events {
		if e.From != bounty.Disputed || e.Agent == b.homeAgent(e.Change) {
			continue // it was not disputed, or ended by time alone
		}
		switch e.Act {
		case body.BountyPay:
			out.loser = b.Creator
		case body.BountyRefund:
			out.loser = b.Claimant
		}
	}
	if n := len(b.Submissions); n > 0 && (b.Status == bounty.Accepted || b.Status == bounty.Paid) {
		work := b.Submissions[n-1]
		out.by = work.Agent
		if d := v.acts[work.ID]; d != nil {
			out.cites = d.said.(deed).cites
		}
	}
	v.verdicts[a.id] = out
	return out
}

// homeAgent is the agent of a step when the home took it, else zero.
func (b *Bounty) homeAgent(step change.ID) change.AgentID {
	for _, s := range b.Steps {
		if s.ID == step && s.Home {
			return s.Agent
		}
	}
	return change.AgentID{}
}

// sumVerdicts adds what bounties say to a tally.
func (v *reputationFold) sumVerdicts(t *tally, gateways []body.Gateway) {
	for a := range v.counters[change.KindBountyOpen] {
		d := v.verdictOf(a, gateways)
		if l := v.agents[d.loser]; l != nil {
			t.lost[l]++
		}
		if by := v.agents[d.by]; by != nil {
			for _, id := range d.cites {
				if !slices.Contains(t.cited[id], by) {
					t.cited[id] = append(t.cited[id], by)
				}
			}
		}
	}
}

// reconsider forgets what followed from a bounty, or with a zero id from all, and
// then also what rests on rights elsewhere.
func (v *reputationFold) reconsider(id change.ID) {
	v.sums = nil
	if !id.IsZero() {
		delete(v.verdicts, id)
		v.unreadBounty(id)
		return
	}
	clear(v.verdicts)
	clear(v.opinions)
	clear(v.bounties)
	clear(v.claims)
	for a := range v.counters[change.KindBountyOpen] {
		v.unread[a.id] = true
	}
}
