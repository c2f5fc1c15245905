package fold

import "slices"

// DailyContributions is how many entries of one UTC day count for their author.
const DailyContributions = 50

// minCiter is how many contributions an agent needs before its citations count.
const minCiter = 3

// minVoter is the score without votes, in hundredths, from which on an agent's
// votes count.
const minVoter = 500

// Inputs are what reputation is computed from (api §1.17).
type Inputs struct {
	Contributions int
	Served        int
	Reuses        int
	Up, Down      int // votes of agents whose word has weight
	Labels        int // upheld against entries of the agent
	Disputes      int // lost
}

// Reputation is the fold of api §1.17, in hundredths of a point.
type Reputation struct {
	Inputs
	Score     int64
	Tier      string
	Direct    int64 // D
	Reuse     int64 // R
	Votes     int64 // V
	Penalties int64 // P
}

// reputationFold is what changes do to the standing of agents.
type reputationFold struct {
	*rightFold
	*agentFold
	*entryFold
	*actFold
	*opinionFold
	*bountyFold
	sums  *tally // what counters add up to; nil when it has to be found anew
	epoch uint64 // raised by every change, so that what was computed before is seen to be old
}

func newReputationFold(rights *rightFold, agents *agentFold, entries *entryFold, acts *actFold, opinions *opinionFold, bounties *bountyFold) reputationFold {
	return reputationFold{rightFold: rights, agentFold: agents, entryFold: entries, actFold: acts, opinionFold: opinions, bountyFold: bounties, epoch: 1}
}

// tiers, highest first, by their thresholds in hundredths.
var tiers = []struct {
	name  string
	least int64
}{{"authority", 10000}, {"expert", 3000}, {"contributor", 500}, {"newcomer", 0}}

// Tier is the tier of a score in hundredths: its threshold, without memory.
func Tier(score int64) string {
	for _, t := range tiers {
		if score >= t.least {
			return t.name
		}
	}
	return tiers[len(tiers)-1].name
}

// Next is the tier above a score in hundredths and what it takes to get there;
// "" at the highest.
func Next(score int64) (tier string, missing int64) {
	for i := len(tiers) - 1; i >= 0; i-- {
		if tiers[i].least > score {
			return tiers[i].name, tiers[i].least - score
		}
	}
	return "", 0
}

// Rate is the formula of api §1.17 in hundredths, half away from zero:
//
//	D = 0.3·contributions + 0.2·served
//	e = reuses / contributions, 0 for fewer than three contributions
//	R = min(20·e, 40, 2·D)
//	V = 0.1·(up − down), at least −5 and at most 5
//	P = 2·labels + disputes
//	score = max(0, D + R + V − P)
//
// Only R has a fraction of a hundredth, so rounding it rounds the sum.
func Rate(in Inputs) Reputation {
	rep := Reputation{
		Inputs: in, Direct: 30*int64(in.Contributions) + 20*int64(in.Served),
		Votes:     max(-500, min(10*int64(in.Up-in.Down), 500)),
		Penalties: 200*int64(in.Labels) + 100*int64(in.Disputes),
	}
	if c, r := int64(in.Contributions), int64(in.Reuses); c >= 3 {
		rep.Reuse = min(4000, 2*rep.Direct)
		if 2000*r < rep.Reuse*c {
			rep.Reuse = (2*2000*r + c) / (2 * c)
		}
	}
	rep.Score = max(0, rep.Direct+rep.Reuse+rep.Votes-rep.Penalties)
	rep.Tier = Tier(rep.Score)
	return rep
}

func (v *reputationFold) reputation(a *agent) Reputation {
	in := v.inputs(a)
	for _, e := range a.live {
		if !v.counts(e) {
			continue
		}
		for voter, value := range v.ballots(e.id) {
			by := v.agents[voter]
			if value == 0 || by == nil || v.related(by, a) || v.withoutVotes(by) < minVoter {
				continue
			}
			if value > 0 {
				in.Up++
			} else {
				in.Down++
			}
		}
	}
	return Rate(in)
}

// inputs are those of a without votes.
func (v *reputationFold) inputs(a *agent) Inputs {
	sums := v.tally()
	in := Inputs{Contributions: v.contributions(a), Labels: sums.faults[a], Disputes: sums.lost[a]}
	for _, e := range a.live {
		if v.counts(e) {
			in.Reuses += v.counted(e)
			in.Served += sums.served[e.id]
		}
	}
	return in
}

// withoutVotes is the score of a voter as if nobody had voted. It reads no votes,
// so asking for it while counting votes comes to an end.
func (v *reputationFold) withoutVotes(a *agent) int64 {
	if a.weighed != v.epoch {
		a.weighed, a.weight = v.epoch, Rate(v.inputs(a)).Score
	}
	return a.weight
}

// counts reports whether a live public entry does anything for its author: no
// introduction, nothing on a forked chain, and nothing that a labeler of the
// manifest refuses.
func (v *reputationFold) counts(e *entry) bool {
	return !e.intro() && !v.weightless(e) && v.tally().blamed[e.id] == 0
}

// contributions counts a's live public entries that count, in the commons, at
// most DailyContributions a UTC day.
func (v *reputationFold) contributions(a *agent) int {
	if a.counted != unknownCount {
		return a.counted
	}
	n, today, day := 0, 0, uint64(0)
	for _, e := range a.live {
		if e.place.space.Domain() == "" || !v.counts(e) {
			continue
		}
		if d := e.hlc >> 10 / 86_400_000; d != day {
			day, today = d, 0
		}
		if today++; today <= DailyContributions {
			n++
		}
	}
	a.counted = n
	return n
}

// citations is how many distinct other agents cite e in entries that are shown.
func (v *entryFold) citations(e *entry) int {
	var seen []*agent
	for _, c := range v.citers[e.id] {
		if c.state == Live && !c.private() && c.agent != e.agent && !slices.Contains(seen, c.agent) {
			seen = append(seen, c.agent)
		}
	}
	return len(seen)
}

// counted is citations by agents whose word has weight: with contributions of
// their own, and without a wallet or sponsor in common with the author.
func (v *reputationFold) counted(e *entry) int {
	var seen []*agent
	for _, c := range v.citers[e.id] {
		if c.state != Live || c.private() || c.agent == e.agent || v.weightless(c) || slices.Contains(seen, c.agent) ||
			v.related(c.agent, e.agent) || v.contributions(c.agent) < minCiter {
			continue
		}
		seen = append(seen, c.agent)
	}
	for _, by := range v.tally().cited[e.id] {
		if by != e.agent && !slices.Contains(seen, by) && !v.related(by, e.agent) && v.contributions(by) >= minCiter {
			seen = append(seen, by)
		}
	}
	return len(seen)
}

// related reports whether two agents share a proven controller or a sponsor. A
// gateway of the manifest sponsors whoever registers there, which makes nobody a
// relative.
func (v *agentFold) related(a, b *agent) bool {
	return sameProven(a, b) || sameSponsor(a, b) && v.hostOf(*a.rec.Sponsor) == ""
}

func sameProven(a, b *agent) bool {
	return slices.ContainsFunc(a.rec.Proven, func(p string) bool { return slices.Contains(b.rec.Proven, p) })
}

func sameSponsor(a, b *agent) bool {
	return a.rec.Sponsor != nil && b.rec.Sponsor != nil && *a.rec.Sponsor == *b.rec.Sponsor
}
