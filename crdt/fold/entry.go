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
	authority  *authority
	agent      *agent
	place      *place
	tags       []string
	price      int64
	supersedes *change.ID // nil for most
	reuses     []change.ID
	kind       kind
	state      State
}

// entryFold is the entries, and the lists in which those stand that are shown.
type entryFold struct {
	*agentFold
	*retractFold
	entries   map[change.ID]*entry
	live      timeline                   // public entries that are shown, oldest first
	intros    timeline                   // introductions among live
	teams     map[change.Space]*timeline // entries of teams, which are in no list else
	domains   map[string]*domain
	successor map[change.ID][]*entry // entries that supersede the target
	citers    map[change.ID][]*entry // entries that reuse the target
	places    map[place]*place
	words     map[string]string // tags, each kept once
}

func newEntryFold(agents *agentFold, retracts *retractFold) entryFold {
	return entryFold{
		agentFold: agents, retractFold: retracts, entries: map[change.ID]*entry{}, teams: map[change.Space]*timeline{}, domains: map[string]*domain{},
		successor: map[change.ID][]*entry{}, citers: map[change.ID][]*entry{}, places: map[place]*place{}, words: map[string]string{},
	}
}

// entryQueries answer about entries and domains.
type entryQueries struct{ *guarded }

// place is where entries lie; they share it.
type place struct {
	space  change.Space
	domain string
}

// place returns the one place of that space and domain.
func (v *entryFold) place(space change.Space, domain string) *place {
	key := place{space, domain}
	p := v.places[key]
	if p == nil {
		p = &key
		v.places[key] = p
	}
	return p
}

// word returns the one copy of a tag.
func (v *entryFold) word(s string) string {
	if w, ok := v.words[s]; ok {
		return w
	}
	v.words[s] = s
	return s
}

// kind is the type of an entry in one byte: its place in kinds.
type kind uint8

var kinds = [...]string{body.Wisdom, body.Pattern, body.Gotcha}

func kindOf(s string) kind { return kind(slices.Index(kinds[:], s)) }

func (k kind) String() string { return kinds[k] }

func (e *entry) intro() bool { return slices.Contains(e.tags, IntroTag) }

func (v *folded) applyEntry(c *change.Change, ch *rights.Chain) []Delta {
	a := v.identity(c)
	if a == nil || v.entries[c.ID] != nil {
		return nil
	}
	b, err := body.ParseEntry(c.Body, c.Head.Space)
	if err != nil {
		return nil
	}
	e := &entry{
		id: c.ID, bh: c.Head.BodyHash, hlc: c.Head.HLC, seq: c.Head.Seq, authority: v.authority(c, ch), agent: a,
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
	if !v.rights.Judge(e.authority.use(e.id, e.seq)).OK {
		e.state = Excluded
		v.forgetOpinions(e) // it is known now, if only to be left out
		return nil
	}
	return v.countEntry(e)
}

// countEntry gives an entry effect.
func (v *folded) countEntry(e *entry) []Delta {
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

func (v *folded) withdrawEntry(id change.ID) []Delta {
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
func (v *folded) discountEntry(e *entry) []Delta {
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

// refresh recomputes the state of an entry after something about it changed.
func (v *folded) refresh(id change.ID) []Delta {
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
func (v *entryFold) stateOf(e *entry) State {
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
func (v *entryFold) replaces(s, e *entry) bool {
	return s.agent == e.agent && later(s.hlc, s.id, e.hlc, e.id) && (s.place.space == e.place.space || s.place.space.Area() != change.AreaTeam)
}

// private reports whether e lies in a team, which only its members may see: it
// stands in no public list, index or count.
func (e *entry) private() bool { return e.place.space.Area() == change.AreaTeam }

func (v *entryFold) show(e *entry) {
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

func (v *entryFold) hide(e *entry) {
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

func (v *entryFold) team(space change.Space) *timeline {
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
