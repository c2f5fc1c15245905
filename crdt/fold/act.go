package fold

import (
	"slices"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/rights"
	"github.com/meshd/meshd/identity/did"
)

// act is a content change about something else: a vote for an entry, a step of a
// bounty. What acts add up to is computed from them when it is asked for, so that
// taking one back needs nothing but to leave it out.
type act struct {
	id, bh    change.ID
	hlc, seq  uint64
	kind      string
	agent     *agent
	space     change.Space
	authority *authority
	target    change.ID
	said      said
	off       bool // it has no effect
	retracted bool
}

// actFold is the acts, by what they are about.
type actFold struct {
	*rightFold
	acts     map[change.ID]*act
	about    map[change.ID][]*act        // by target, in (hlc, id) order
	endorsed map[change.ID][]endorsement // by what is endorsed, readmissions left out
	counters map[string]map[*act]bool    // acts of countedKinds, by kind
}

func newActFold(rights *rightFold) actFold {
	return actFold{
		rightFold: rights, acts: map[change.ID]*act{}, about: map[change.ID][]*act{}, endorsed: map[change.ID][]endorsement{}, counters: map[string]map[*act]bool{},
	}
}

// actQueries answer about acts one by one: comments, labels, messages, steps.
type actQueries struct{ *guarded }

// said is what the views keep of the body of an act; texts stay in the log.
type said interface {
	pack(w *writer)
}

// actKind is how the views read one kind of act.
type actKind struct {
	// read returns what a body is about and what it says. The row has passed.
	read   func(c *change.Change) (target change.ID, s said, err error)
	unpack func(r *reader) said // reads what pack of the same kind wrote
}

// actKinds are the kinds that are acts. To add one, give it a row in rules.
var actKinds = map[string]actKind{
	change.KindVote:       {readVote, unpackVote},
	change.KindTaskAct:    {readTask, unpackStep},
	change.KindMessage:    {readMessage, unpackNote},
	change.KindComment:    {readComment, unpackComment},
	change.KindLabel:      {readLabel, unpackLabel},
	change.KindServed:     {readServed, unpackServed},
	change.KindBountyOpen: {readOffer, unpackOffer},
	change.KindBountyAct:  {readDeed, unpackDeed},
}

// actNames are the kinds in the order of their names, which checkpoints number.
var actNames = func() []string {
	var out []string
	for k := range actKinds {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}()

// Act is an act as readers see it.
type Act struct {
	ID        change.ID
	HLC       uint64
	Agent     change.AgentID // for whom it was written
	Author    did.Key        // the key that signed
	Space     change.Space
	Kind      string
	Target    change.ID
	Retracted bool // by its agent
	Forked    bool // it lies on a fork that no cut has settled, where votes and counts weigh nothing
	said      said
}

func (v *actFold) describeAct(a *act) Act {
	forked := a.authority.chain.Forked()
	return Act{
		ID: a.id, HLC: a.hlc, Agent: a.agent.id, Author: a.authority.chain.Key().Author, Space: a.space, Kind: a.kind, Target: a.target, Retracted: a.retracted,
		Forked: forked != 0 && a.seq >= forked && !v.rights.Judge(a.authority.use(a.id, a.seq)).Held, said: a.said,
	}
}

func (v *folded) applyAct(c *change.Change, ch *rights.Chain) []Delta {
	ag := v.identity(c)
	if ag == nil || v.acts[c.ID] != nil {
		return nil
	}
	target, s, err := actKinds[c.Head.Kind].read(c)
	if err != nil {
		return nil
	}
	a := &act{
		id: c.ID, bh: c.Head.BodyHash, hlc: c.Head.HLC, seq: c.Head.Seq, kind: c.Head.Kind, agent: ag, space: c.Head.Space, authority: v.authority(c, ch), target: target, said: s,
	}
	v.placeAct(a)
	if a.off {
		return nil
	}
	return v.acted(a)
}

// placeAct puts an act among the others and judges it.
func (v *folded) placeAct(a *act) {
	v.acts[a.id] = a
	v.each(a.agent, a.space, func(w *works) { w.addAct(a) })
	a.off = !v.rights.Judge(a.authority.use(a.id, a.seq)).OK
	a.retracted = v.takenBack(a.id, a.agent, a.space)
	on := v.about[a.target]
	at, _ := slices.BinarySearchFunc(on, a, compareActs)
	v.about[a.target] = slices.Insert(on, at, a)
	v.regardCounter(a, true)
	v.reopen(a)
	if !a.off {
		v.addRow(actRow(a))
	}
}

func compareActs(a, b *act) int {
	if a.hlc != b.hlc {
		if a.hlc < b.hlc {
			return -1
		}
		return 1
	}
	return a.id.Compare(b.id)
}

func (v *folded) withdrawAct(id change.ID) []Delta {
	a := v.acts[id]
	if a == nil {
		return nil
	}
	delete(v.acts, id)
	v.each(a.agent, a.space, func(w *works) { delete(w.acts, a) })
	v.regardCounter(a, false)
	if v.about[a.target] = slices.DeleteFunc(v.about[a.target], func(x *act) bool { return x == a }); len(v.about[a.target]) == 0 {
		delete(v.about, a.target)
	}
	v.reopen(a)
	if a.off {
		return nil
	}
	v.subRow(actRow(a))
	return v.acted(a)
}

// rejudgeAct asks again whether an act has effect.
func (v *folded) rejudgeAct(a *act) []Delta {
	off := !v.rights.Judge(a.authority.use(a.id, a.seq)).OK
	if off == a.off {
		return nil
	}
	if a.off = off; off {
		v.subRow(actRow(a))
	} else {
		v.addRow(actRow(a))
	}
	return v.acted(a)
}

// refreshAct recomputes whether an act is retracted.
func (v *folded) refreshAct(a *act) []Delta {
	now := v.takenBack(a.id, a.agent, a.space)
	if now == a.retracted {
		return nil
	}
	if a.off {
		a.retracted = now
		return nil
	}
	v.subRow(actRow(a))
	a.retracted = now
	v.addRow(actRow(a))
	return v.acted(a)
}

func (v *folded) acted(a *act) []Delta {
	v.recount(a)
	v.reopen(a)
	return []Delta{{Kind: Acted, ID: a.id, Agent: a.agent.id, Space: a.space, Target: a.target, Act: a.kind, Gone: a.off || a.retracted || v.acts[a.id] == nil}}
}

// actRow is [kind, id, {agent, bh, hlc, space, state, target}].
func actRow(a *act) []byte {
	state := Live
	if a.retracted {
		state = Retracted
	}
	return row(a.kind, a.id, cbor.Map{
		"agent": a.agent.id[:], "bh": a.bh[:], "hlc": a.hlc, "space": string(a.space), "state": int(state), "target": a.target[:],
	})
}

// on calls yield for the acts of one kind about a target that have effect, in
// (hlc, id) order, retracted ones too.
func (v *actFold) on(target change.ID, kind string, yield func(*act)) {
	for _, a := range v.about[target] {
		if a.kind == kind && !a.off {
			yield(a)
		}
	}
}

// Act returns an act that has effect, retracted or not.
func (v *actQueries) Act(id change.ID) (Act, bool) {
	v.mu.Lock() // answers about rights are kept when first asked for
	defer v.mu.Unlock()
	if a := v.acts[id]; a != nil && !a.off {
		return v.describeAct(a), true
	}
	return Act{}, false
}

// packActs writes every act; Load reads them by loadActs.
func (w *writer) packActs(v *folded, authorities map[*authority]int, agents map[*agent]int) {
	w.uint(uint64(len(v.acts)))
	for _, a := range v.acts {
		w.uint(uint64(slices.Index(actNames, a.kind)))
		w.id(a.id)
		w.id(a.bh)
		w.uint(a.hlc)
		w.uint(a.seq)
		w.uint(uint64(agents[a.agent]))
		w.uint(uint64(authorities[a.authority]))
		w.space(a.space)
		w.id(a.target)
		a.said.pack(w)
	}
}

func (r *reader) loadActs(v *folded, authorities []*authority, agents []*agent) {
	for range r.count(100) {
		kind := r.uint()
		if kind >= uint64(len(actNames)) {
			r.fail()
			return
		}
		a := &act{kind: actNames[kind], id: r.id(), bh: r.id(), hlc: r.uint(), seq: r.uint()}
		ag := r.uint()
		if a.authority = r.authority(authorities); a.authority == nil || ag >= uint64(len(agents)) {
			r.fail()
			return
		}
		a.agent, a.space, a.target = agents[ag], change.Space(r.text()), r.id()
		a.said = actKinds[a.kind].unpack(r)
		if r.err != nil || v.acts[a.id] != nil || a.space.Area() == change.AreaNone || a.hlc > cbor.MaxInt {
			r.fail()
			return
		}
		v.placeAct(a)
	}
}
