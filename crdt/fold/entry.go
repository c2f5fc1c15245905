package fold

import (
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/rights"
)

// State says whether an entry is shown.
type State uint8

// The states, with the numbers they have in a row.
const (
	Live State = iota
	Retracted
	Superseded
	Excluded // its right was taken back: it has no effect, and no row
)

// IntroTag marks an introduction, which no count counts.
const IntroTag = "introduction"

// Entry is what the views know of an entry without reading its text.
type Entry struct {
	ID     change.ID
	HLC    uint64
	Agent  change.AgentID
	Space  change.Space
	Domain string
	Type   string
	Tags   []string // must not be written to
	Price  int64    // micro-USD
	State  State
	Reuses int // entries of other agents that cite it
}

// entry is an Entry in its place among the others.
type entry struct {
	id         change.ID
	bh         change.ID
	hlc        uint64
	seq        uint64
	writ       *writ
	agent      *agent
	place      *place
	tags       []string
	price      int64
	supersedes *change.ID // nil for most
	reuses     []change.ID
	kind       kind
	state      State
}

// place is where entries lie; they share it.
type place struct {
	space  change.Space
	domain string
}

// place returns the one place of that space and domain.
func (v *Views) place(space change.Space, domain string) *place {
	key := place{space, domain}
	p := v.places[key]
	if p == nil {
		p = &key
		v.places[key] = p
	}
	return p
}

// kind is the type of an entry in one byte: its place in kinds.
type kind uint8

var kinds = [...]string{body.Wisdom, body.Pattern, body.Gotcha}

func kindOf(s string) kind { return kind(slices.Index(kinds[:], s)) }

func (k kind) String() string { return kinds[k] }

func (e *entry) intro() bool { return slices.Contains(e.tags, IntroTag) }

type retract struct {
	id    change.ID
	agent *agent
	space change.Space
	writ  *writ
	seq   uint64
	off   bool // it has no effect
}

func (v *Views) applyEntry(c *change.Change, ch *rights.Chain) []Delta {
	a := v.identity(c)
	if a == nil || v.entries[c.ID] != nil {
		return nil
	}
	b, err := body.ParseEntry(c.Body, c.Head.Space)
	if err != nil {
		return nil
	}
	e := &entry{
		id: c.ID, bh: c.Head.BodyHash, hlc: c.Head.HLC, seq: c.Head.Seq, writ: v.writ(c, ch), agent: a,
		kind: kindOf(b.Type), price: b.Price, reuses: b.Reuses,
	}
	domain := c.Head.Space.Domain()
	if domain == "" {
		domain = b.Domain
	}
	e.place = v.place(c.Head.Space, domain)
	if !b.Supersedes.IsZero() {
		e.supersedes = &change.ID{}
		*e.supersedes = b.Supersedes
	}
	for _, t := range b.Tags {
		e.tags = append(e.tags, v.word(t))
	}
	v.entries[e.id] = e
	v.each(a, c.Head.Space, func(w *works) { w.addEntry(e) })
	v.recountEntry(e)
	if !v.rights.Judge(e.writ.use(e.id, e.seq)).OK {
		e.state = Excluded
		v.forgetOpinions(e) // it is known now, if only to be left out
		return nil
	}
	return v.countEntry(e)
}

// countEntry gives an entry effect.
func (v *Views) countEntry(e *entry) []Delta {
	v.forgetOpinions(e)
	for _, id := range e.reuses {
		v.citers[id] = append(v.citers[id], e)
	}
	e.state = v.stateOf(e)
	v.addRow(entryRow(e))
	var ds []Delta
	if e.state == Live {
		v.show(e)
		ds = append(ds, Delta{Kind: EntryNew, ID: e.id, Agent: e.agent.id, Space: e.place.space})
	}
	if e.supersedes != nil {
		v.successor[*e.supersedes] = append(v.successor[*e.supersedes], e)
		ds = append(ds, v.refresh(*e.supersedes)...)
	}
	return ds
}

func (v *Views) withdrawEntry(id change.ID) []Delta {
	e := v.entries[id]
	if e == nil {
		return nil
	}
	delete(v.entries, id)
	v.each(e.agent, e.place.space, func(w *works) { delete(w.entries, e) })
	v.recountEntry(e)
	if e.state == Excluded {
		v.forgetOpinions(e)
		return nil
	}
	return v.discountEntry(e)
}

// discountEntry takes the effect of an entry back.
func (v *Views) discountEntry(e *entry) []Delta {
	v.forgetOpinions(e)
	for _, t := range e.reuses {
		v.citers[t] = without(v.citers[t], e)
	}
	v.subRow(entryRow(e))
	var ds []Delta
	if e.state == Live {
		v.hide(e)
		ds = append(ds, Delta{Kind: EntryHidden, ID: e.id, Agent: e.agent.id, Space: e.place.space})
	}
	if e.supersedes != nil {
		v.successor[*e.supersedes] = without(v.successor[*e.supersedes], e)
		ds = append(ds, v.refresh(*e.supersedes)...)
	}
	return ds
}

func without(es []*entry, e *entry) []*entry {
	return slices.DeleteFunc(es, func(x *entry) bool { return x == e })
}

func (v *Views) applyRetract(c *change.Change, ch *rights.Chain) []Delta {
	a := v.identity(c)
	b, err := body.ParseRetract(c.Body, c.Head.Parents())
	if a == nil || err != nil {
		return nil
	}
	if _, known := v.retracting[c.ID]; known {
		return nil
	}
	r := retract{id: c.ID, agent: a, space: c.Head.Space, writ: v.writ(c, ch), seq: c.Head.Seq}
	r.off = !v.rights.Judge(r.writ.use(r.id, r.seq)).OK
	v.addRetract(b.Target, r)
	return v.refresh(b.Target)
}

func (v *Views) withdrawRetract(id change.ID) []Delta {
	target, ok := v.retracting[id]
	if !ok {
		return nil
	}
	rs := v.retracts[target]
	i := slices.IndexFunc(rs, func(r retract) bool { return r.id == id })
	r := rs[i]
	delete(v.retracting, id)
	v.each(r.agent, r.space, func(w *works) { delete(w.retracts, id) })
	if v.retracts[target] = slices.Delete(rs, i, i+1); len(v.retracts[target]) == 0 {
		delete(v.retracts, target)
	}
	return v.refresh(target)
}

func (v *Views) addRetract(target change.ID, r retract) {
	v.retracts[target] = append(v.retracts[target], r)
	v.retracting[r.id] = target
	v.each(r.agent, r.space, func(w *works) { w.addRetract(r.id) })
}

// refresh recomputes the state of an entry after something about it changed.
func (v *Views) refresh(id change.ID) []Delta {
	if a := v.acts[id]; a != nil {
		return v.refreshAct(a)
	}
	e := v.entries[id]
	if e == nil || e.state == Excluded {
		return nil
	}
	was, now := e.state, v.stateOf(e)
	if now == was {
		return nil
	}
	v.subRow(entryRow(e))
	e.state = now
	v.addRow(entryRow(e))
	switch {
	case e.state == Live:
		v.show(e)
		return []Delta{{Kind: EntryNew, ID: e.id, Agent: e.agent.id, Space: e.place.space}}
	case was == Live:
		v.hide(e)
		return []Delta{{Kind: EntryHidden, ID: e.id, Agent: e.agent.id, Space: e.place.space}}
	}
	return nil
}

// stateOf is a pure function of what is known about e: a retract by its agent in
// its space outweighs a later entry of the same agent that supersedes it.
func (v *Views) stateOf(e *entry) State {
	if v.takenBack(e.id, e.agent, e.place.space) {
		return Retracted
	}
	for _, s := range v.successor[e.id] {
		if v.replaces(s, e) {
			return Superseded
		}
	}
	return Live
}

// replaces reports whether s, which says that it supersedes e, may.
func (v *Views) replaces(s, e *entry) bool {
	return s.agent == e.agent && later(s.hlc, s.id, e.hlc, e.id) && (s.place.space == e.place.space || s.place.space.Area() != change.AreaTeam)
}

// private reports whether e lies in a team, which only its members may see: it
// stands in no public list, index or count.
func (e *entry) private() bool { return e.place.space.Area() == change.AreaTeam }

func (v *Views) show(e *entry) {
	if e.private() {
		v.team(e.place.space).insert(e)
		return
	}
	v.live.insert(e)
	e.agent.live.insert(e)
	e.agent.counted = unknownCount
	d := v.domains[e.place.domain]
	if d == nil {
		d = &domain{}
		v.domains[e.place.domain] = d
	}
	d.live.insert(e)
	if e.intro() {
		e.agent.intros++
		v.intros.insert(e)
		d.intros.insert(e)
	}
}

func (v *Views) hide(e *entry) {
	if e.private() {
		v.team(e.place.space).remove(e)
		return
	}
	v.live.remove(e)
	e.agent.live.remove(e)
	e.agent.counted = unknownCount
	d := v.domains[e.place.domain]
	if e.intro() {
		e.agent.intros--
		v.intros.remove(e)
		d.intros.remove(e)
	}
	if d.live.remove(e); len(d.live) == 0 {
		delete(v.domains, e.place.domain)
	}
}

func (v *Views) team(space change.Space) *timeline {
	t := v.teams[space]
	if t == nil {
		t = &timeline{}
		v.teams[space] = t
	}
	return t
}

// entryRow is ["entry", id, {agent, bh, hlc, space, state, type}].
func entryRow(e *entry) []byte {
	return row("entry", e.id, cbor.Map{
		"agent": e.agent.id[:], "bh": e.bh[:], "hlc": e.hlc, "space": string(e.place.space), "state": int(e.state), "type": e.kind.String(),
	})
}

// timeline holds entries by (hlc, id), oldest first. Most come at the end.
type timeline []*entry

func compareEntries(a, b *entry) int {
	if a.hlc != b.hlc {
		if a.hlc < b.hlc {
			return -1
		}
		return 1
	}
	return a.id.Compare(b.id)
}

func (t *timeline) insert(e *entry) {
	if n := len(*t); n == 0 || compareEntries((*t)[n-1], e) < 0 {
		*t = append(*t, e)
		return
	}
	at, _ := slices.BinarySearchFunc(*t, e, compareEntries)
	*t = slices.Insert(*t, at, e)
}

// within counts the entries of a span of logical time, in which until 0 is no end.
func (t timeline) within(since, until uint64) int {
	from, to := 0, len(t)
	if since > 0 {
		from, _ = slices.BinarySearchFunc(t, since, compareTime)
	}
	if until > 0 {
		to, _ = slices.BinarySearchFunc(t, until, compareTime)
	}
	return max(0, to-from)
}

func compareTime(e *entry, hlc uint64) int {
	if e.hlc < hlc {
		return -1
	}
	return 1 // the first of several of one time is what is looked for
}

func (t *timeline) remove(e *entry) {
	if at, ok := slices.BinarySearchFunc(*t, e, compareEntries); ok {
		*t = slices.Delete(*t, at, at+1)
	}
}
