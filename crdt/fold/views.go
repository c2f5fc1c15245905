// Package fold turns the set of members into views: agents, entries, domains,
// documents, and the inputs of reputation (wire §10). Equal sets with equal
// bodies give equal views and an equal Hash, whatever order the changes came
// in; nothing here reads a clock or a limit.
//
// A change touches a few objects, and each is recomputed from its changes in
// (hlc, id) order. Taking effect back (a purge now, cuts later) is that same
// recomputation, never a reverse operation. Texts stay in the log: views keep
// what lists and counts need, about 400 bytes an entry with two tags.
//
// Start with New and Apply; read with Entry, Newest, Agent, Domains, Document.
package fold

import (
	"sync"

	"github.com/meshd/meshd/crdt/change"
)

// Views are all views of one node. They are safe for concurrent use; Apply and
// Withdraw take turns. What they answer stands with the object that it is about.
type Views struct {
	guarded
	rightQueries
	agentQueries
	entryQueries
	documentQueries
	actQueries
	opinionQueries
	bountyQueries
}

// guarded is what was folded behind its lock. Queries share it, and read it under
// the lock only: Become puts another in its place.
type guarded struct {
	mu sync.RWMutex
	*folded
}

// New makes empty views of a network.
func New(net change.NetID) *Views {
	v := &Views{guarded: guarded{folded: newFolded(net)}}
	g := &v.guarded
	v.rightQueries, v.agentQueries, v.entryQueries = rightQueries{g}, agentQueries{g}, entryQueries{g}
	v.documentQueries, v.actQueries = documentQueries{g}, actQueries{g}
	v.opinionQueries, v.bountyQueries = opinionQueries{g}, bountyQueries{g}
	return v
}

// Become makes v what o is. o must not be used any more.
func (v *Views) Become(o *Views) {
	v.mu.Lock()
	defer v.mu.Unlock()
	epoch := v.epoch
	v.folded = o.folded
	v.epoch = max(v.epoch, epoch) + 1
}

// What a Delta says happened to an object.
type DeltaKind uint8

// The kinds of Delta.
const (
	AgentNew DeltaKind = iota + 1
	AgentChanged
	EntryNew    // shown for the first time, or again
	EntryHidden // retracted, superseded or taken back
	DocChanged
	ManifestChanged
	ChainForked
	RightsChanged // of a guild, or of what an agent has lent: roles, capabilities
	Acted         // an act came, or is gone again; Target, Act and Gone say more
)

// Delta names one object that a change touched.
type Delta struct {
	Kind  DeltaKind
	ID    change.ID // the entry, or the change for the other kinds
	Agent change.AgentID
	Space change.Space
	Doc   string

	Target change.ID // what an act is about
	Act    string    // its kind
	Gone   bool      // it has no effect any more
}

// Apply folds one member in. Its prev and proof must have been applied before,
// which is true in every order in which members can arrive. A stub only takes
// its place in its chain; applied again with its body it takes effect. Applying
// a change twice changes nothing.
func (v *Views) Apply(c *change.Change) []Delta {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.epoch++
	var ds []Delta
	ch, forked, touched := v.rights.Place(c.Head, c.ID)
	if forked {
		v.forkChanged(ch.Key())
		ds = append(ds, Delta{Kind: ChainForked, ID: c.ID, Space: c.Head.Space})
	}
	if c.Body != nil {
		if change.IsControl(c.Head.Kind) {
			more, t := v.applyControl(c)
			ds = append(ds, more...)
			touched.Add(t)
		} else {
			ds = append(ds, v.applyContent(c, ch)...)
		}
	}
	return append(ds, v.rejudge(touched)...)
}

// Withdraw takes the effect of a content change back, because its body is no
// longer here. Its place in its chain stays.
func (v *Views) Withdraw(c *change.Change) []Delta {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.epoch++
	switch c.Head.Kind {
	case change.KindEntryPut:
		return v.withdrawEntry(c.ID)
	case change.KindEntryRetract:
		return v.withdrawRetract(c.ID)
	case change.KindDocEdit:
		return v.withdrawEdit(c)
	}
	return v.withdrawAct(c.ID)
}

func later(hlc uint64, id change.ID, than uint64, thanID change.ID) bool {
	return hlc > than || hlc == than && id.Compare(thanID) > 0
}
