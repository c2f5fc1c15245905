package fold

import "slices"

// DailyContributions is how many entries of one UTC day count for their author.
const DailyContributions = 50

// minCiter is how many contributions an agent needs before its citations count.
const minCiter = 3

// Reputation is the fold of api §1.17. Votes, labels and served counts are
// zero until their kinds are judged.
type Reputation struct {
	Score         int64 // hundredths of a point
	Tier          string
	Contributions int
	Reuses        int
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

// Score is the formula of api §1.17 for the inputs this release has, in
// hundredths, half away from zero:
//
//	D = 0.3·contributions,  R = min(20·reuses/contributions, 40, 2·D),  D + R
//
// with R = 0 for fewer than three contributions.
func Score(contributions, reuses int) int64 {
	c, r := int64(contributions), int64(reuses)
	d := 30 * c
	if c < 3 {
		return d
	}
	most := min(4000, 2*d)
	if 2000*r >= most*c {
		return d + most
	}
	return d + (2*2000*r+c)/(2*c)
}

func (v *Views) reputation(a *agent) Reputation {
	rep := Reputation{Contributions: v.contributions(a)}
	for _, e := range a.live {
		if !e.intro() && !v.weightless(e) {
			rep.Reuses += v.counted(e)
		}
	}
	rep.Score = Score(rep.Contributions, rep.Reuses)
	rep.Tier = Tier(rep.Score)
	return rep
}

// contributions counts a's live public entries: no introductions, nothing on a
// forked chain, at most DailyContributions a UTC day.
func (v *Views) contributions(a *agent) int {
	if a.counted != unknownCount {
		return a.counted
	}
	n, today, day := 0, 0, uint64(0)
	for _, e := range a.live {
		if e.intro() || v.weightless(e) || e.place.space.Domain() == "" {
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
func (v *Views) citations(e *entry) int {
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
func (v *Views) counted(e *entry) int {
	var seen []*agent
	for _, c := range v.citers[e.id] {
		if c.state != Live || c.private() || c.agent == e.agent || v.weightless(c) || slices.Contains(seen, c.agent) ||
			related(c.agent, e.agent) || v.contributions(c.agent) < minCiter {
			continue
		}
		seen = append(seen, c.agent)
	}
	return len(seen)
}

// related reports whether two agents share a proven controller or a sponsor.
func related(a, b *agent) bool {
	for _, p := range a.rec.Proven {
		if slices.Contains(b.rec.Proven, p) {
			return true
		}
	}
	return a.rec.Sponsor != nil && b.rec.Sponsor != nil && *a.rec.Sponsor == *b.rec.Sponsor
}
