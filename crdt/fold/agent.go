package fold

import (
	"maps"
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/rights"
	"github.com/meshd/meshd/identity/did"
)

// Agent is the record of an agent as its bindings make it.
type Agent struct {
	ID          change.AgentID
	Key         did.Key   // the acting key in force
	Binding     change.ID // the record of that key: a genesis or a rotation
	Keys        []did.Key // of its line, the first one first
	Contested   bool      // rotations dispute the key: it writes nothing that counts
	Name        string
	Home        string
	Controllers []string
	Proven      []string // controllers whose proof every node can check
	Next        []byte   // hash of the recovery key, or nil
	PQ          []byte   // ML-DSA-65 half of Key, as Binding names it: control changes then have two signatures; or nil
	Box         []byte   // X25519 key that messages to it are sealed for, or nil
	Sponsor     *did.Key
	CreatedHLC  uint64
}

// agent is an Agent with the bindings it is recomputed from.
type agent struct {
	id      change.AgentID
	binds   []binding // by (hlc, id)
	rec     Agent
	row     [32]byte // hash of its row; zero before there is one
	live    timeline // its public entries that are shown
	intros  int      // introductions among live
	counted int      // contributions that count, or unknownCount
	works   works    // all content it wrote
	weight  int64    // score without votes, as it was at the epoch weighed
	weighed uint64
}

const unknownCount = -1

type binding struct {
	id        change.ID
	hlc       uint64
	seq       uint64
	key       did.Key
	body      body.Bind
	authority *authority // nil for a genesis
	off       bool       // it has no effect
}

// agentFold is the agents and what each of them, and each guild, wrote.
type agentFold struct {
	*rowSum
	*rightFold
	agents     map[change.AgentID]*agent
	bound      map[change.ID]*agent // by the id of each identity: binding, rotation, device's grant
	guildWorks map[change.ID]*works
}

func newAgentFold(rows *rowSum, rights *rightFold) agentFold {
	return agentFold{
		rowSum: rows, rightFold: rights, agents: map[change.AgentID]*agent{}, bound: map[change.ID]*agent{}, guildWorks: map[change.ID]*works{},
	}
}

// agentQueries answer about agents.
type agentQueries struct{ *guarded }

// identity is the agent that a content change writes for.
func (v *agentFold) identity(c *change.Change) *agent {
	if len(c.Head.Proof) == 0 {
		return nil
	}
	return v.bound[c.Head.Proof[0]]
}

func (v *agentFold) applyBind(c *change.Change) []Delta {
	id, ok := c.Head.Space.Agent()
	if !ok || v.bound[c.ID] != nil {
		return nil
	}
	b, err := body.ParseBind(c.Body, c.Head.Seq == 1)
	if err != nil {
		return nil
	}
	n := binding{id: c.ID, hlc: c.Head.HLC, seq: c.Head.Seq, key: c.Head.Author, body: b}
	if c.Head.Seq > 1 {
		n.authority = v.authority(c, v.rights.Chain(c.Head.Chain()))
	}
	return v.bind(id, n)
}

func (v *agentFold) bind(id change.AgentID, b binding) []Delta {
	kind := AgentChanged
	a := v.agents[id]
	if a == nil {
		kind = AgentNew
		a = &agent{id: id}
		v.agents[id] = a
	}
	v.bound[b.id] = a
	at, _ := slices.BinarySearchFunc(a.binds, b, func(x, y binding) int {
		if later(x.hlc, x.id, y.hlc, y.id) {
			return 1
		}
		return -1
	})
	a.binds = slices.Insert(a.binds, at, b)
	v.reagent(a)
	return []Delta{{Kind: kind, ID: b.id, Agent: id, Space: id.Space()}}
}

// reagent makes the record of an agent anew and says whether it changed.
func (v *agentFold) reagent(a *agent) bool {
	was := a.row
	st, _ := v.rights.Agent(a.id)
	for i := range a.binds {
		if b := &a.binds[i]; b.authority != nil {
			b.off = !v.rights.Judge(b.authority.use(b.id, b.seq)).OK
		} else {
			b.off = !slices.Contains(st.Births, b.id)
		}
	}
	a.recompute(st)
	v.setRow(&a.row, agentRow(a.rec))
	return was != a.row
}

// recompute derives the record from the bindings with effect and from who speaks
// for the agent. Name and home come from the newest binding that has them. Every
// controller that was ever proven stays proven as long as it is one: what any
// node can check does not become false by a newer proof.
func (a *agent) recompute(st rights.Standing) {
	rec := Agent{
		ID: a.id, Key: st.Key, Binding: st.Record, Keys: st.Keys, Contested: st.Contested,
		Controllers: slices.Clone(st.Controllers), Next: st.Next, PQ: st.PQ,
	}
	born := false
	for _, b := range a.binds {
		if b.off {
			continue
		}
		if b.seq == 1 && b.authority == nil && !born {
			born, rec.CreatedHLC = true, b.hlc
			if len(st.Keys) == 1 {
				rec.Binding, rec.PQ = b.id, b.body.PQ // of a forked genesis the first
			}
			if b.body.Sponsor != nil {
				rec.Sponsor = &b.body.Sponsor.By
			}
		}
		if b.body.Name != "" {
			rec.Name = b.body.Name
		}
		if b.body.Home != "" {
			rec.Home = b.body.Home
		}
		// Whoever lost its key lost what was sealed for that key too.
		if b.body.Box != nil && b.key == st.Key {
			rec.Box = b.body.Box
		}
		if p := b.body.Proof; p != nil && !slices.Contains(rec.Proven, p.By) {
			rec.Proven = append(rec.Proven, p.By)
		}
	}
	rec.Proven = slices.DeleteFunc(rec.Proven, func(c string) bool { return !slices.Contains(rec.Controllers, c) })
	a.rec = rec
}

// agentRow is ["agent", id, {ctl, home?, key, name, next?}].
func agentRow(a Agent) []byte {
	m := cbor.Map{"key": a.Key[:], "name": a.Name}
	ctl := make([]any, len(a.Controllers))
	for i, c := range a.Controllers {
		ctl[i] = c
	}
	m["ctl"] = ctl
	if a.Home != "" {
		m["home"] = a.Home
	}
	if a.Next != nil {
		m["next"] = a.Next
	}
	return row("agent", a.ID, m)
}

// Agent returns the record of an agent.
func (v *agentQueries) Agent(id change.AgentID) (Agent, bool) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	if a := v.agents[id]; a != nil {
		return a.rec, true
	}
	return Agent{}, false
}

// AgentByKey returns the agent whose acting key k is or was.
func (v *agentQueries) AgentByKey(k did.Key) (Agent, bool) {
	v.mu.Lock() // a line of keys is kept when first asked for
	defer v.mu.Unlock()
	if id, ok := v.rights.Owner(k); ok && v.agents[id] != nil {
		return v.agents[id].rec, true
	}
	return Agent{}, false
}

// AgentStats is what a directory shows beside a record.
type AgentStats struct {
	Agent
	Live       int // public entries that are shown, without introductions
	Reputation Reputation
	LastHLC    uint64 // of its newest shown entry, or 0
	Host       string // of the gateway of the manifest that sponsored it, or ""
}

// Agents returns every agent with its figures, in no order.
func (v *agentQueries) Agents() []AgentStats {
	v.mu.Lock() // counts are kept when first asked for
	defer v.mu.Unlock()
	out := make([]AgentStats, 0, len(v.agents))
	for _, a := range v.agents {
		out = append(out, v.stats(a))
	}
	return out
}

// eachLocked is how many agents EachReputation rates before it releases the lock for others.
const eachLocked = 64

// EachReputation calls each with every agent's reputation, in no order. A crowd of
// agents is rated a few at a time, so that readers do not wait for all of them:
// what is folded meanwhile may be seen or not. each must not ask the views.
func (v *agentQueries) EachReputation(each func(change.AgentID, Reputation)) {
	v.mu.RLock()
	ids := slices.AppendSeq(make([]change.AgentID, 0, len(v.agents)), maps.Keys(v.agents))
	v.mu.RUnlock()
	for some := range slices.Chunk(ids, eachLocked) {
		v.mu.Lock() // counts are kept when first asked for
		for _, id := range some {
			if a := v.agents[id]; a != nil {
				each(id, v.reputation(a))
			}
		}
		v.mu.Unlock()
	}
}

// Stats returns one agent with its figures.
func (v *agentQueries) Stats(id change.AgentID) (AgentStats, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if a := v.agents[id]; a != nil {
		return v.stats(a), true
	}
	return AgentStats{}, false
}

func (v *reputationFold) stats(a *agent) AgentStats {
	s := AgentStats{Agent: a.rec, Live: len(a.live) - a.intros, Reputation: v.reputation(a), Host: v.sponsorHost(a)}
	if n := len(a.live); n > 0 {
		s.LastHLC = a.live[n-1].hlc
	}
	return s
}

// Genesis is the change that an agent began with, the oldest where its genesis is
// forked.
func (v *agentQueries) Genesis(id change.AgentID) change.ID {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return v.genesis(id)
}

func (v *agentFold) genesis(id change.AgentID) change.ID {
	if a := v.agents[id]; a != nil {
		for _, b := range a.binds {
			if b.authority == nil {
				return b.id
			}
		}
	}
	return change.ID{}
}

// Related reports whether two agents share a proven controller or a sponsor, so
// that neither counts for the other.
func (v *agentQueries) Related(x, y change.AgentID) bool {
	v.mu.RLock()
	a, b := v.agents[x], v.agents[y]
	known := a != nil && b != nil
	proven, sponsored := known && sameProven(a, b), known && sameSponsor(a, b)
	v.mu.RUnlock()
	if proven || !sponsored {
		return proven
	}
	v.mu.Lock() // a line of keys is kept when first asked for
	defer v.mu.Unlock()
	a, b = v.agents[x], v.agents[y]
	return a != nil && b != nil && v.related(a, b)
}
