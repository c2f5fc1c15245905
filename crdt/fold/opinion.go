package fold

import (
	"github.com/meshd/meshd/crdt/change"
)

// maxOpinions bounds the opinions that are kept. They are those that readers ask
// about, which is a page or two again and again; when there are more, all are
// forgotten and those still asked for are worked out anew.
const maxOpinions = 16_384

// opinion is what agents say of a target. It is worked out when it is first asked
// for and kept until something that it rests on changes: an act about the target
// or about an older entry that it replaced, a comment's parent or label, an entry
// that replaces another, any right, fork or manifest.
type opinion struct {
	ballots  map[change.AgentID]ballot // one an agent; must not be written to
	up, down int
	comments int // to be read
}

// silence is the opinion of what nothing was said about.
var silence = &opinion{}

// opinionFold is what is said of things, worked out from the acts about them.
type opinionFold struct {
	*agentFold
	*entryFold
	*documentFold
	*actFold
	opinions map[change.ID]*opinion // by target, as far as they were asked for
}

func newOpinionFold(agents *agentFold, entries *entryFold, docs *documentFold, acts *actFold) opinionFold {
	return opinionFold{agentFold: agents, entryFold: entries, documentFold: docs, actFold: acts, opinions: map[change.ID]*opinion{}}
}

// opinionQueries answer what acts about a thing add up to.
type opinionQueries struct{ *guarded }

// opinion is that of a target, for readers that hold no lock.
func (v *opinionQueries) opinion(target change.ID) *opinion {
	v.mu.RLock()
	o := v.known(target)
	v.mu.RUnlock()
	if o != nil {
		return o
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.opinionOf(target)
}

// known is the opinion of a target if it needs no working out, else nil. Reading
// suffices for it, so that it delays nobody.
func (v *opinionFold) known(target change.ID) *opinion {
	if len(v.about[target]) > 0 {
		return v.opinions[target]
	}
	if e := v.entries[target]; e != nil && e.supersedes != nil {
		return v.opinions[target]
	}
	return silence
}

// opinionOf is the opinion of a target, kept from now on.
func (v *opinionFold) opinionOf(target change.ID) *opinion {
	if o := v.known(target); o != nil {
		return o
	}
	o := &opinion{ballots: v.countBallots(target), comments: v.commentCount(target)}
	for _, value := range o.ballots {
		switch {
		case value > 0:
			o.up++
		case value < 0:
			o.down++
		}
	}
	if len(v.opinions) >= maxOpinions {
		clear(v.opinions)
	}
	v.opinions[target] = o
	return o
}

// ballots are the votes about a target that count, one an agent.
func (v *opinionFold) ballots(target change.ID) map[change.AgentID]ballot {
	return v.opinionOf(target).ballots
}

func (v *opinionFold) votes(target change.ID) (up, down int) {
	o := v.opinionOf(target)
	return o.up, o.down
}

func (v *opinionFold) countBallots(target change.ID) map[change.AgentID]ballot {
	var last map[change.AgentID]*act
	for _, id := range v.versionIDs(target) {
		space, by, ok := v.whose(id)
		if !ok {
			continue
		}
		v.on(id, change.KindVote, func(a *act) {
			if a.space != space || a.agent == by || a.retracted || v.describeAct(a).Forked {
				return
			}
			if last == nil {
				last = map[change.AgentID]*act{}
			}
			if old := last[a.agent.id]; old == nil || compareActs(old, a) < 0 {
				last[a.agent.id] = a
			}
		})
	}
	var out map[change.AgentID]ballot
	for id, a := range last {
		if out == nil {
			out = make(map[change.AgentID]ballot, len(last))
		}
		out[id] = a.said.(ballot)
	}
	return out
}

// reopen forgets the opinions that an act is part of or is the target of.
func (v *opinionFold) reopen(a *act) {
	v.forgetOpinion(a.id)
	switch a.kind {
	case change.KindVote, change.KindComment:
		v.forgetOpinion(a.target)
	case change.KindLabel: // it may delete the comment that it is about
		if c := v.acts[a.target]; c != nil && c.kind == change.KindComment {
			v.forgetOpinion(c.target)
		}
	}
}

// forgetOpinion forgets that of a target and of the entries that replaced it,
// which inherit it.
func (v *opinionFold) forgetOpinion(target change.ID) {
	delete(v.opinions, target)
	e := v.entries[target]
	for range maxVersions {
		if e == nil {
			return
		}
		if e = v.heir(e); e != nil {
			delete(v.opinions, e.id)
		}
	}
}

// forgetOpinions forgets those that an entry which came or went can change: its
// own, and those of a whole line when it replaces another or is replaced. Who
// inherits from it cannot be asked any more when it is gone.
func (v *opinionFold) forgetOpinions(e *entry) {
	if e.supersedes != nil || len(v.successor[e.id]) > 0 {
		clear(v.opinions)
		return
	}
	v.forgetOpinion(e.id)
}
