package fold

import (
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
)

// DailyServed is how much of what was served of one entry on one day counts.
const DailyServed = 50

// delivery is what a gateway says it served on one day.
type delivery struct{ body.Served }

func (d delivery) pack(w *writer) {
	w.uint(uint64(d.Day))
	w.uint(uint64(len(d.Rows)))
	for _, row := range d.Rows {
		w.id(row.Entry)
		w.uint(uint64(row.Count))
	}
}

func unpackServed(r *reader) said {
	d := delivery{body.Served{Day: int64(r.uint())}}
	for range r.count(33) {
		d.Rows = append(d.Rows, body.ServedRow{Entry: r.id(), Count: int64(r.uint())})
	}
	return d
}

// readServed takes the gateway itself for what its counts are about.
func readServed(c *change.Change) (change.ID, said, error) {
	b, err := body.ParseServed(c.Body)
	id, _ := c.Head.Space.Agent()
	return change.ID(id), delivery{b}, err
}

// tally is what all counters add up to; it is made anew when one of them changes.
type tally struct {
	served map[change.ID]int      // by entry: days capped, gateways added up
	faults map[*agent]int         // refusals by labelers that stand against what an agent wrote
	blamed map[change.ID]int      // the same by target
	lost   map[*agent]int         // disputes about bounties
	cited  map[change.ID][]*agent // by entry: whose accepted work builds upon it
}

// countedKinds are those whose acts are summed over all targets.
var countedKinds = []string{change.KindLabel, change.KindServed, change.KindBountyOpen, change.KindBountyAct}

// regardCounter keeps counters up to date with an act that came or went.
func (v *reputationFold) regardCounter(a *act, here bool) {
	if !slices.Contains(countedKinds, a.kind) {
		return
	}
	if v.counters[a.kind] == nil {
		v.counters[a.kind] = map[*act]bool{}
	}
	if here {
		v.counters[a.kind][a] = true
	} else {
		delete(v.counters[a.kind], a)
	}
	v.recount(a)
}

// recount forgets what rests on an act.
func (v *reputationFold) recount(a *act) {
	if !slices.Contains(countedKinds, a.kind) || !v.weighs(a) {
		return
	}
	v.sums = nil
	switch a.kind {
	case change.KindBountyOpen:
		v.reconsider(a.id)
	case change.KindBountyAct:
		v.reconsider(a.target)
	}
	if e := v.entries[a.target]; e != nil {
		e.agent.counted = unknownCount
	}
}

// weighs reports whether an act may count at all: anybody may write labels and say
// what it served, and what nobody listed says must not make everything be counted
// anew. When the manifest or the keys of an agent change, all is.
func (v *reputationFold) weighs(a *act) bool {
	if a.kind != change.KindLabel && a.kind != change.KindServed {
		return true
	}
	m := v.manifest()
	if m == nil {
		return false
	}
	if a.kind == change.KindLabel {
		return labels(a.agent, m.body.Labelers)
	}
	return slices.ContainsFunc(m.body.Gateways, func(g body.Gateway) bool { return slices.Contains(a.agent.rec.Keys, g.Key) })
}

// labels reports whether an agent is one of some labelers.
func labels(a *agent, labelers []did.Key) bool {
	return slices.ContainsFunc(a.rec.Keys, func(k did.Key) bool { return slices.Contains(labelers, k) })
}

// recountEntry forgets what rests on labels of an entry that came or went.
func (v *reputationFold) recountEntry(e *entry) {
	if len(v.about[e.id]) > 0 {
		v.sums = nil
		e.agent.counted = unknownCount
	}
}

// recountAll forgets what rests on the manifest, forks or rights.
func (v *reputationFold) recountAll() {
	v.reconsider(change.ID{})
	for _, a := range v.agents {
		a.counted = unknownCount
	}
}

// tally sums the counters of the manifest's gateways and labelers.
func (v *reputationFold) tally() *tally {
	if v.sums != nil {
		return v.sums
	}
	t := &tally{served: map[change.ID]int{}, faults: map[*agent]int{}, blamed: map[change.ID]int{}, lost: map[*agent]int{}, cited: map[change.ID][]*agent{}}
	v.sums = t
	m := v.manifest()
	if m == nil {
		return t
	}
	for a := range v.counters[change.KindLabel] {
		if _, done := t.blamed[a.target]; done || a.off || !labels(a.agent, m.body.Labelers) {
			continue
		}
		n := v.blame(a.target, m.body.Labelers)
		t.blamed[a.target] = n
		if e := v.entries[a.target]; e != nil && !e.private() && e.state != Excluded {
			t.faults[e.agent] += n
		}
	}
	v.sumServed(t, m.body.Gateways)
	v.sumVerdicts(t, m.body.Gateways)
	return t
}

// sumServed takes of each gateway, day and entry the largest count, adds the
// gateways and caps each day.
func (v *reputationFold) sumServed(t *tally, gateways []body.Gateway) {
	type cell struct {
		gateway *agent
		day     int64
		entry   change.ID
	}
	type sum struct {
		day   int64
		entry change.ID
	}
	largest := map[cell]int64{}
	for a := range v.counters[change.KindServed] {
		listed := slices.ContainsFunc(gateways, func(g body.Gateway) bool { return slices.Contains(a.agent.rec.Keys, g.Key) })
		if a.off || a.retracted || !listed || a.space != a.agent.id.Space() || v.describeAct(a).Forked {
			continue
		}
		d := a.said.(delivery)
		for _, row := range d.Rows {
			at := cell{a.agent, d.Day, row.Entry}
			largest[at] = max(largest[at], min(row.Count, DailyServed))
		}
	}
	days := map[sum]int64{}
	for at, n := range largest {
		days[sum{at.day, at.entry}] += n
	}
	for at, n := range days {
		t.served[at.entry] += int(min(n, DailyServed))
	}
}
