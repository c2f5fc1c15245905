// Package fold turns the set of members into views: agents, entries, domains,
// documents, and the inputs of reputation (wire §10). Equal sets with equal
// bodies give equal views and an equal Hash, whatever order the changes came
// in; nothing here reads a clock or a limit.
//
// A change touches a few objects, and each is recomputed from its changes in
// (hlc, id) order. Taking effect back (a purge now, cuts later) is that same
// recomputation, never a reverse operation. Texts stay in the log: views hold
// what lists and counts need, about 400 bytes an entry with two tags.
//
// Start with New and Apply; read with Entry, Newest, Agent, Domains, Document.
package fold

import (
	"sync"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/recon"
	"github.com/meshd/meshd/crdt/rights"
)

// Views are all views of one node. They are safe for concurrent use; Apply and
// Withdraw take turns.
type Views struct {
	mu sync.RWMutex
	folded
}

// folded is what was made of the changes so far.
type folded struct {
	net change.NetID

	rights     *rights.State
	controls   []*change.Change // what rights were made of, beside bindings
	agents     map[change.AgentID]*agent
	bound      map[change.ID]*agent    // by the id of each identity: binding, rotation, device's grant
	writs      map[*rights.Chain]*writ // the newest of each chain
	guildRows  map[change.ID]*[32]byte
	grantRows  map[change.ID]*[32]byte
	entries    map[change.ID]*entry
	live       timeline                   // public entries that are shown, oldest first
	intros     timeline                   // introductions among live
	teams      map[change.Space]*timeline // entries of teams, which are in no list else
	domains    map[string]*domain
	retracts   map[change.ID][]retract // by target, known or not
	retracting map[change.ID]change.ID // from each retract to its target
	guildWorks map[change.ID]*works
	successor  map[change.ID][]*entry // entries that supersede the target
	citers     map[change.ID][]*entry // entries that reuse the target
	docs       map[docKey]*document
	shelf      map[docKey][]*document  // the generations of a document, by its base name
	edited     map[change.ID]*document // by the id of each edit
	dirtyDocs  map[docKey]*document
	acts       map[change.ID]*act
	about      map[change.ID][]*act        // by target, in (hlc, id) order
	endorsed   map[change.ID][]endorsement // by what is endorsed, readmissions left out
	opinions   map[change.ID]*opinion      // by target, as far as they were asked for
	verdicts   map[change.ID]verdict       // of bounties, as far as they were asked for
	bounties   map[change.ID]*Bounty       // the same
	claims     map[change.AgentID]int      // bounties that agents work on, among those above
	unread     map[change.ID]bool          // openings whose bounty is not among those above
	counters   map[string]map[*act]bool    // acts of countedKinds, by kind
	sums       *tally                      // what they add up to; nil when it has to be found anew
	epoch      uint64                      // raised by every change, so that what was computed before is seen to be old
	manifests  []manifest
	places     map[place]*place
	words      map[string]string // tags, each kept once

	rows uint64
	sum  recon.Sum
}

// New makes empty views of a network.
func New(net change.NetID) *Views {
	return &Views{folded: folded{
		net: net, rights: rights.New(), agents: map[change.AgentID]*agent{}, bound: map[change.ID]*agent{}, writs: map[*rights.Chain]*writ{},
		guildRows: map[change.ID]*[32]byte{}, grantRows: map[change.ID]*[32]byte{}, entries: map[change.ID]*entry{}, domains: map[string]*domain{}, teams: map[change.Space]*timeline{},
		retracts: map[change.ID][]retract{}, retracting: map[change.ID]change.ID{}, guildWorks: map[change.ID]*works{}, successor: map[change.ID][]*entry{}, citers: map[change.ID][]*entry{},
		docs: map[docKey]*document{}, shelf: map[docKey][]*document{}, edited: map[change.ID]*document{}, dirtyDocs: map[docKey]*document{},
		acts: map[change.ID]*act{}, about: map[change.ID][]*act{}, endorsed: map[change.ID][]endorsement{}, verdicts: map[change.ID]verdict{}, opinions: map[change.ID]*opinion{}, bounties: map[change.ID]*Bounty{}, claims: map[change.AgentID]int{}, unread: map[change.ID]bool{}, counters: map[string]map[*act]bool{}, epoch: 1, places: map[place]*place{}, words: map[string]string{},
	}}
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
// which holds in every order in which members can arrive. A stub only takes
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

func (v *Views) applyContent(c *change.Change, ch *rights.Chain) []Delta {
	switch c.Head.Kind {
	case change.KindEntryPut:
		return v.applyEntry(c, ch)
	case change.KindEntryRetract:
		return v.applyRetract(c, ch)
	case change.KindDocEdit:
		return v.applyEdit(c, ch)
	}
	if _, is := actKinds[c.Head.Kind]; is {
		return v.applyAct(c, ch)
	}
	return nil
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

// identity is the agent that a content change writes for.
func (v *Views) identity(c *change.Change) *agent {
	if len(c.Head.Proof) == 0 {
		return nil
	}
	return v.bound[c.Head.Proof[0]]
}

func (v *Views) word(s string) string {
	if w, ok := v.words[s]; ok {
		return w
	}
	v.words[s] = s
	return s
}

// weightless reports whether an entry counts for nothing but content: it lies on a
// fork that no cut has settled (wire §11).
func (v *Views) weightless(e *entry) bool {
	forked := e.writ.chain.Forked()
	return forked != 0 && e.seq >= forked && !v.rights.Judge(e.writ.use(e.id, e.seq)).Held
}

// forkChanged makes counts that rest on a chain be counted anew.
func (v *Views) forkChanged(key change.Chain) {
	if id, ok := v.rights.Owner(key.Author); ok && v.agents[id] != nil {
		v.agents[id].counted = unknownCount
	}
	v.recountAll() // a gateway's or labeler's counts may have lost their weight
}

// Forked reports whether two changes stand at one place of the chain, and the
// lowest such place.
func (v *Views) Forked(key change.Chain) (seq uint64, forked bool) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	if ch := v.rights.Chain(key); ch != nil && ch.Forked() != 0 {
		return ch.Forked(), true
	}
	return 0, false
}

// Forks are all forked chains with their lowest forked place, in no order.
func (v *Views) Forks() map[change.Chain]uint64 {
	v.mu.RLock()
	defer v.mu.RUnlock()
	out := map[change.Chain]uint64{}
	for ch := range v.rights.AllChains {
		if ch.Forked() != 0 {
			out[ch.Key()] = ch.Forked()
		}
	}
	return out
}

type manifest struct {
	id   change.ID
	hlc  uint64
	body body.Manifest
}

func (v *Views) applyManifest(c *change.Change) []Delta {
	m, err := body.ParseManifest(c.Body)
	if err != nil {
		return nil
	}
	for _, old := range v.manifests {
		if old.id == c.ID {
			return nil
		}
	}
	v.manifests = append(v.manifests, manifest{c.ID, c.Head.HLC, m})
	v.recountAll()
	return []Delta{{Kind: ManifestChanged, ID: c.ID, Space: c.Head.Space}}
}

// Manifest is the newest manifest of the network; ok is false when there is none.
func (v *Views) Manifest() (m body.Manifest, ok bool) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	best := v.manifest()
	if best == nil {
		return m, false
	}
	return best.body, true
}

func (v *Views) manifest() (best *manifest) {
	for i := range v.manifests {
		n := &v.manifests[i]
		if best == nil || later(n.hlc, n.id, best.hlc, best.id) {
			best = n
		}
	}
	return best
}

func later(hlc uint64, id change.ID, than uint64, thanID change.ID) bool {
	return hlc > than || hlc == than && id.Compare(thanID) > 0
}
