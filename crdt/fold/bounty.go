package fold

import (
	"crypto/sha256"
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/bounty"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/role"
)

// offer is what the views keep of a bounty.open.
type offer struct {
	title, cur, task string
	amount, deadline int64
	home             did.Key
}

func (o offer) pack(w *writer) {
	w.blob([]byte(o.title))
	w.text(o.cur)
	w.blob([]byte(o.task))
	w.uint(uint64(o.amount))
	w.uint(uint64(o.deadline))
	w.raw(o.home[:])
}

func unpackOffer(r *reader) said {
	return offer{
		title: string(r.blob()), cur: r.text(), task: string(r.blob()), amount: int64(r.uint()), deadline: int64(r.uint()), home: did.Key(r.raw(did.KeySize)),
	}
}

// readOffer is about the guild in which the bounty lies, so that its bounties are
// found together.
func readOffer(c *change.Change) (change.ID, said, error) {
	b, err := body.ParseBountyOpen(c.Body)
	guild, _ := c.Head.Space.Guild()
	return guild, offer{b.Title, b.Currency, b.Task, b.Amount, b.Deadline, b.Home}, err
}

// deed is what the views keep of a bounty.act.
type deed struct {
	act     uint8 // place in deedActs
	percent uint8
	ref     change.ID
	proof   change.ID
	cites   []change.ID // entries that a solution builds upon
}

var deedActs = body.BountyActs()

func (d deed) pack(w *writer) {
	w.uint(uint64(d.act))
	w.uint(uint64(d.percent))
	w.id(d.ref)
	w.id(d.proof)
	w.uint(uint64(len(d.cites)))
	for _, id := range d.cites {
		w.id(id)
	}
}

func unpackDeed(r *reader) said {
	d := deed{act: uint8(min(r.uint(), uint64(len(deedActs)))), percent: uint8(min(r.uint(), 101)), ref: r.id(), proof: r.id()}
	for range r.count(len(change.ID{})) {
		d.cites = append(d.cites, r.id())
	}
	if int(d.act) == len(deedActs) || d.percent > 100 {
		r.fail()
		return deed{}
	}
	return d
}

func readDeed(c *change.Change) (change.ID, said, error) {
	b, err := body.ParseBountyAct(c.Body, c.Head.Parents())
	d := deed{act: uint8(max(0, slices.Index(deedActs, b.Act))), percent: uint8(b.Percent), ref: b.Ref, cites: b.IDs}
	if len(b.Proof) > 0 {
		d.proof = sha256.Sum256(b.Proof)
	}
	return b.Bounty, d, err
}

// Bounty is a bounty with all its steps and what became of it. Its texts lie in
// the log. Readers share what it points to, which must not be written to.
type Bounty struct {
	ID       change.ID
	HLC      uint64
	Agent    change.AgentID
	Space    change.Space
	Title    string
	Amount   int64 // micro-USD
	Currency string
	Deadline int64 // milliseconds, 0 without one
	Task     string
	Home     did.Key
	Steps    []bounty.Step // all that have effect, in (hlc, id) order
	bounty.State
}

// bountyFold is what became of bounties, as far as it was asked for.
type bountyFold struct {
	*rightFold
	*actFold
	bounties map[change.ID]*Bounty
	claims   map[change.AgentID]int // bounties that agents work on, among those above
	unread   map[change.ID]bool     // openings whose bounty is not among those above
	verdicts map[change.ID]verdict
}

func newBountyFold(rights *rightFold, acts *actFold) bountyFold {
	return bountyFold{
		rightFold: rights, actFold: acts, bounties: map[change.ID]*Bounty{}, claims: map[change.AgentID]int{}, unread: map[change.ID]bool{}, verdicts: map[change.ID]verdict{},
	}
}

// bountyQueries answer about bounties.
type bountyQueries struct{ *guarded }

// Opening is what its machine begins with.
func (b *Bounty) Opening() bounty.Opening {
	return bounty.Opening{ID: b.ID, HLC: b.HLC, Agent: b.Agent, Deadline: b.Deadline, Confirmed: b.Status != ""}
}

// Bounty returns a bounty. One that its home has not confirmed has the status "".
func (v *bountyQueries) Bounty(id change.ID) (Bounty, bool) {
	v.mu.RLock()
	b := v.bounties[id]
	v.mu.RUnlock()
	if b != nil {
		return *b, true
	}
	v.mu.Lock() // answers are kept when first asked for
	defer v.mu.Unlock()
	a := v.acts[id]
	if a == nil || a.off || a.kind != change.KindBountyOpen {
		return Bounty{}, false
	}
	return *v.readBounty(a), true
}

// BountyOf is the bounty that an act or an opening belongs to.
func (v *bountyQueries) BountyOf(id change.ID) (change.ID, bool) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	a := v.acts[id]
	switch {
	case a == nil:
		return change.ID{}, false
	case a.kind == change.KindBountyOpen:
		return id, true
	}
	return a.target, a.kind == change.KindBountyAct
}

// Bounties are the bounties of a guild, by (hlc, id) of their openings, the
// unconfirmed ones too.
func (v *bountyQueries) Bounties(guild change.ID) []Bounty {
	v.mu.RLock()
	out, ok := v.bountiesIn(guild, func(a *act) *Bounty { return v.bounties[a.id] })
	v.mu.RUnlock()
	if ok {
		return out
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	out, _ = v.bountiesIn(guild, v.readBounty)
	return out
}

// bountiesIn says false when one of them is not at hand.
func (v *bountyFold) bountiesIn(guild change.ID, read func(*act) *Bounty) (out []Bounty, ok bool) {
	ok = true
	v.on(guild, change.KindBountyOpen, func(a *act) {
		if b := read(a); b != nil {
			out = append(out, *b)
		} else {
			ok = false
		}
	})
	return out, ok
}

// Claims is how many bounties an agent works on, those that it has submitted and
// nobody has judged among them. The bounty but is left out.
func (v *bountyQueries) Claims(id change.AgentID, but change.ID) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	for open := range v.unread {
		if a := v.acts[open]; a != nil && !a.off && a.kind == change.KindBountyOpen {
			v.readBounty(a)
		}
	}
	clear(v.unread)
	n := v.claims[id]
	if b := v.bounties[but]; b != nil && b.worker() == id && n > 0 {
		n--
	}
	return n
}

// worker is who works on a bounty, zero when nobody does.
func (b *Bounty) worker() change.AgentID {
	if b.Status == bounty.Claimed || b.Status == bounty.Submitted {
		return b.Claimant
	}
	return change.AgentID{}
}

// readBounty is the bounty of an opening, kept from now on until reconsider.
func (v *bountyFold) readBounty(a *act) *Bounty {
	if b := v.bounties[a.id]; b != nil {
		return b
	}
	b := v.bountyOf(a)
	b.Steps, b.Submissions, b.Events = slices.Clip(b.Steps), slices.Clip(b.Submissions), slices.Clip(b.Events) // whoever appends has a copy
	v.bounties[a.id] = &b
	delete(v.unread, a.id)
	if w := b.worker(); !w.IsZero() {
		v.claims[w]++
	}
	return &b
}

// unreadBounty forgets a bounty.
func (v *bountyFold) unreadBounty(id change.ID) {
	if a := v.acts[id]; a != nil && a.kind == change.KindBountyOpen {
		v.unread[id] = true
	}
	b := v.bounties[id]
	if b == nil {
		return
	}
	delete(v.bounties, id)
	if w := b.worker(); !w.IsZero() {
		if v.claims[w]--; v.claims[w] == 0 {
			delete(v.claims, w)
		}
	}
}

func (v *bountyFold) bountyOf(a *act) Bounty {
	o := a.said.(offer)
	b := Bounty{
		ID: a.id, HLC: a.hlc, Agent: a.agent.id, Space: a.space, Title: o.title, Amount: o.amount, Currency: o.cur, Deadline: o.deadline, Task: o.task, Home: o.home,
	}
	v.on(a.id, change.KindBountyAct, func(s *act) {
		if s.space != a.space {
			return
		}
		d := s.said.(deed)
		b.Steps = append(b.Steps, bounty.Step{
			ID: s.id, HLC: s.hlc, Agent: s.agent.id, Rank: v.rankOf(s), Home: v.sameLine(s.authority.chain.Key().Author, o.home), Confirmed: v.confirmed(s, o.home),
			Act: deedActs[d.act], Ref: d.ref, Percent: int(d.percent), Proof: d.proof,
		})
	})
	b.State = bounty.Replay(bounty.Opening{ID: a.id, HLC: a.hlc, Agent: a.agent.id, Deadline: o.deadline, Confirmed: v.confirmed(a, o.home)}, b.Steps)
	return b
}

// confirmed reports whether a home has confirmed an act in its space.
func (v *actFold) confirmed(a *act, home did.Key) bool {
	// Whose word it is comes first: anybody may endorse, and judging takes longest.
	return slices.ContainsFunc(v.endorsed[a.id], func(e endorsement) bool {
		return e.as == body.Confirm && e.space == a.space && v.sameLine(e.key, home) && v.rights.Judge(e.use).OK
	})
}

// SameLine reports whether a key is another, or its agent's acting key before or
// after it. What a key wrote after it was replaced has no effect, so that a home
// stays one and the same when its agent rotates.
func (v *rightQueries) SameLine(k, other did.Key) bool {
	v.mu.Lock() // a line of keys is kept when first asked for
	defer v.mu.Unlock()
	return v.sameLine(k, other)
}

func (v *rightFold) sameLine(k, other did.Key) bool {
	if k == other {
		return true
	}
	a, ok := v.rights.Owner(k)
	b, both := v.rights.Owner(other)
	return ok && both && a == b
}

// rankOf is the rank of the role that an act in a guild was written with. In a
// public guild nothing before this asks whose role a change names.
func (v *actFold) rankOf(a *act) int {
	guild, ok := a.space.Guild()
	if !ok || a.authority.right.IsZero() {
		return 0
	}
	if g, ok := v.rights.Guild(guild); ok && g.Opened == a.authority.right {
		if g.Founder == a.agent.id {
			return role.Rank(role.Owner)
		}
		return 0
	}
	g, st, ok := v.rights.Grant(a.authority.right)
	if !ok {
		return 0
	}
	if in, ok := g.Space.Guild(); !ok || in != guild {
		return 0
	}
	if holder, ok := v.rights.Owner(g.Audience); !ok || holder != a.agent.id {
		return 0
	}
	return st.Level
}
