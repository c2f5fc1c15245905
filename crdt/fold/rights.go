package fold

import (
	"maps"
	"slices"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/rights"
	"github.com/meshd/meshd/identity/did"
)

// authority is what a change was written with, as effect judges it: its chain and the
// rights in its proof. Changes of a chain share it, nearly always.
type authority struct {
	chain           *rights.Chain
	identity, right change.ID
	next            *authority // another one of its chain
}

func (v *rightFold) authority(c *change.Change, ch *rights.Chain) *authority {
	u := v.rights.Use(c)
	return v.shared(ch, u.Identity, u.Right)
}

// fewAuthorities is how many authorities of a chain are looked through for one that is wanted:
// a chain that is written with more of them in turn has some twice.
const fewAuthorities = 8

func (v *rightFold) shared(ch *rights.Chain, identity, right change.ID) *authority {
	n := 0
	for w := v.authorities[ch]; w != nil && n < fewAuthorities; w = w.next {
		if w.identity == identity && w.right == right {
			return w
		}
		n++
	}
	w := &authority{ch, identity, right, v.authorities[ch]}
	v.authorities[ch] = w
	return w
}

func (w *authority) use(id change.ID, seq uint64) rights.Use {
	return rights.Use{ID: id, Chain: w.chain, Seq: seq, Identity: w.identity, Right: w.right}
}

// rightFold is what the control changes say: rights, guilds, grants and manifests.
type rightFold struct {
	*rowSum
	rights      *rights.State
	controls    []*change.Change             // what rights were made of, beside bindings
	authorities map[*rights.Chain]*authority // the newest of each chain
	guildRows   map[change.ID]*[32]byte
	grantRows   map[change.ID]*[32]byte
	manifests   []manifest
}

func newRightFold(rows *rowSum) rightFold {
	return rightFold{
		rowSum: rows, rights: rights.New(), authorities: map[*rights.Chain]*authority{}, guildRows: map[change.ID]*[32]byte{}, grantRows: map[change.ID]*[32]byte{},
	}
}

// rightQueries answer who may do what, and whose keys and chains are whose.
type rightQueries struct{ *guarded }

// applyControl folds a control change in and says whose changes have to be judged
// again because of it.
func (v *folded) applyControl(c *change.Change) (ds []Delta, t rights.Touched) {
	if c.Head.Kind == change.KindManifest {
		return v.applyManifest(c), t
	}
	known := v.rights.Knows(c.ID)
	t = v.rights.Apply(c)
	switch c.Head.Kind {
	case change.KindBind:
		return v.applyBind(c), t
	case change.KindRotate, change.KindGrant:
		if id, ok := c.Head.Space.Agent(); ok && v.agents[id] != nil {
			v.bound[c.ID] = v.agents[id]
		}
	}
	if !known && v.rights.Knows(c.ID) {
		v.controls = append(v.controls, c)
		ds = v.listRights(c)
	}
	return ds, t
}

// listRights gives a guild or grant its row.
func (v *folded) listRights(c *change.Change) []Delta {
	if guild, ok := c.Head.Space.Guild(); ok && c.Head.Kind == change.KindGuildOpen {
		v.regard(guild)
	}
	if c.Head.Kind == change.KindGrant {
		v.regrant(c.ID)
	}
	d := Delta{Kind: RightsChanged, ID: c.ID, Space: c.Head.Space}
	d.Agent, _ = c.Head.Space.Agent()
	if c.Head.Kind == change.KindEndorse {
		return append(v.noteEndorse(c), d)
	}
	return []Delta{d}
}

// rejudge asks again for the effect of what was touched.
func (v *folded) rejudge(t rights.Touched) (ds []Delta) {
	if t.Empty() {
		return nil
	}
	v.reconsider(change.ID{}) // what confirms a step may have lost its right
	for id := range t.Agents {
		a := v.agents[id]
		if a != nil {
			a.counted = unknownCount // a cut may settle a fork
		}
		if a != nil && v.reagent(a) {
			v.recountAll() // the manifest may name its new key
			ds = append(ds, Delta{Kind: AgentChanged, ID: a.rec.Binding, Agent: id, Space: id.Space()})
		}
		for _, g := range v.rights.GrantsIn(id.Space()) {
			v.regrant(g)
		}
	}
	for id := range t.Guilds {
		v.regard(id)
		for _, g := range v.rights.GrantsIn(change.TeamSpace(id)) {
			v.regrant(g)
		}
	}
	return append(ds, v.rejudgeContent(t)...)
}

func (v *folded) rejudgeContent(t rights.Touched) (ds []Delta) {
	w := v.worksOf(t)
	var again []*entry
	for e := range w.entries {
		if v.rights.Judge(e.authority.use(e.id, e.seq)).OK == (e.state == Excluded) {
			again = append(again, e)
		}
	}
	slices.SortFunc(again, compareEntries) // deltas come in one order everywhere
	for _, e := range again {
		v.recountEntry(e)
		if e.state == Excluded {
			e.state = Live
			ds = append(ds, v.countEntry(e)...)
			continue
		}
		ds = append(ds, v.discountEntry(e)...)
		e.state = Excluded
	}
	for id := range w.retracts {
		target := v.retracting[id]
		rs := v.retracts[target]
		i := slices.IndexFunc(rs, func(r retract) bool { return r.id == id })
		if i < 0 {
			continue
		}
		if r := &rs[i]; v.rights.Judge(r.authority.use(r.id, r.seq)).OK == r.off {
			r.off = !r.off
			ds = append(ds, v.refresh(target)...)
		}
	}
	acts := slices.SortedFunc(maps.Keys(w.acts), compareActs)
	for _, a := range acts {
		ds = append(ds, v.rejudgeAct(a)...)
	}
	for d, id := range w.docs {
		v.dirtyDocs[d.key] = d
		delta := Delta{Kind: DocChanged, ID: id, Space: d.key.space, Doc: string(d.key.name)}
		if u, here := d.uses[id]; here {
			delta.Agent = u.agent.id
		}
		ds = append(ds, delta)
	}
	return ds
}

// regard sets the row of a guild: none while no opening of it has effect.
func (v *rightFold) regard(id change.ID) {
	at := v.guildRows[id]
	if at == nil {
		at = new([32]byte)
		v.guildRows[id] = at
	}
	if _, ok := v.rights.Guild(id); ok {
		v.setRow(at, v.guildRow(id))
		return
	}
	v.dropRow(at)
}

// guildRow is ["guild", id, {founder, name, space, type, vis}].
func (v *rightFold) guildRow(id change.ID) []byte {
	g, _ := v.rights.Guild(id)
	return row("guild", id, cbor.Map{"founder": g.Founder[:], "name": g.Name, "space": string(g.Space), "type": g.Type, "vis": g.Visibility})
}

// regrant sets the row of a grant: none while the grant itself has no effect.
func (v *rightFold) regrant(id change.ID) {
	at := v.grantRows[id]
	if at == nil {
		at = new([32]byte)
		v.grantRows[id] = at
	}
	if _, st, ok := v.rights.Grant(id); ok && st.Stands {
		v.setRow(at, v.grantRow(id))
		return
	}
	v.dropRow(at)
}

// grantRow is ["grant", id, {agent, key, role?, space, state}].
func (v *rightFold) grantRow(id change.ID) []byte {
	g, st, _ := v.rights.Grant(id)
	m := cbor.Map{"agent": g.Agent[:], "key": g.Audience[:], "space": string(g.Space), "state": 0}
	if !st.Active {
		m["state"] = 1
	}
	if g.Role != "" {
		m["role"] = g.Role
	}
	return row("grant", id, m)
}

// Grant is a capability in the log and what became of it.
type Grant struct {
	ID        change.ID
	Space     change.Space
	HLC       uint64
	CID       string // of its token
	Role      string // "" when it is not a role's bundle
	Issuer    did.Key
	Agent     change.AgentID // for whom it was issued
	Audience  did.Key
	Holder    change.AgentID // the agent whose acting key the audience is or was, zero for a bare key
	Parents   []change.ID
	Expires   *int64 // Unix seconds; the term is judged by the reader's clock
	NotBefore *int64
	Active    bool      // it has effect, and nothing ended it
	EndedBy   change.ID // what ended it, zero when what it rests on fell away
}

func (v *rightFold) grant(id change.ID) (Grant, bool) {
	g, st, ok := v.rights.Grant(id)
	if !ok {
		return Grant{}, false
	}
	out := Grant{
		ID: g.ID, Space: g.Space, HLC: g.HLC, CID: g.CID, Role: g.Role, Issuer: g.Issuer, Agent: g.Agent, Audience: g.Audience, Parents: g.Parents,
		Expires: g.Expires, NotBefore: g.NotBefore, Active: st.Active, EndedBy: st.EndedBy,
	}
	out.Holder, _ = v.rights.Owner(g.Audience)
	return out, true
}

// Grant returns a grant by the id of its change.
func (v *rightQueries) Grant(id change.ID) (Grant, bool) {
	v.mu.Lock() // answers about rights are kept when first asked for
	defer v.mu.Unlock()
	return v.grant(id)
}

// grants are those that pass, by (hlc, id).
func (v *rightQueries) grants(pass func(Grant) bool) []Grant {
	v.mu.Lock()
	defer v.mu.Unlock()
	var out []Grant
	for id := range v.rights.EachGrant {
		if g, ok := v.grant(id); ok && pass(g) {
			out = append(out, g)
		}
	}
	slices.SortFunc(out, func(a, b Grant) int {
		if later(a.HLC, a.ID, b.HLC, b.ID) {
			return 1
		}
		return -1
	})
	return out
}

// GrantByCID returns the grant of a token. Of several that carry the same one it
// is the oldest.
func (v *rightQueries) GrantByCID(cid string) (Grant, bool) {
	gs := v.grants(func(g Grant) bool { return g.CID == cid })
	if len(gs) == 0 {
		return Grant{}, false
	}
	return gs[0], true
}

// GrantsTo are the grants for a key, oldest first.
func (v *rightQueries) GrantsTo(k did.Key) []Grant {
	return v.grants(func(g Grant) bool { return g.Audience == k })
}

// GrantsOf are the grants that an agent gave, received or has in its space, oldest
// first.
func (v *rightQueries) GrantsOf(id change.AgentID) []Grant {
	return v.grants(func(g Grant) bool { return g.Agent == id || g.Holder == id || g.Space == id.Space() })
}

// GrantsIn are the grants of a guild, oldest first.
func (v *rightQueries) GrantsIn(guild change.ID) []Grant {
	return v.grants(func(g Grant) bool { id, ok := g.Space.Guild(); return ok && id == guild })
}

// GrantsUnder are the grants that rest on one directly, oldest first.
func (v *rightQueries) GrantsUnder(id change.ID) []Grant {
	return v.grants(func(g Grant) bool { return slices.Contains(g.Parents, id) })
}

// KeysOf are the keys that write or wrote for an agent.
func (v *rightQueries) KeysOf(id change.AgentID) []did.Key {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.rights.KeysOf(id)
}

// Chains are the chains of an author, in no order.
func (v *rightQueries) Chains(k did.Key) []change.Chain {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return v.rights.Chains(k)
}

// Guild is a guild as its opening says. Who is in it say the grants of its space.
type Guild = rights.Guild

// Guild returns a guild.
func (v *rightQueries) Guild(id change.ID) (Guild, bool) {
	v.mu.Lock() // answers about rights are kept when first asked for
	defer v.mu.Unlock()
	return v.rights.Guild(id)
}

// Guilds are all guilds, in no order.
func (v *rightQueries) Guilds() []Guild {
	v.mu.Lock()
	defer v.mu.Unlock()
	out := make([]Guild, 0, len(v.guildRows))
	for id := range maps.Keys(v.guildRows) {
		if g, ok := v.rights.Guild(id); ok {
			out = append(out, g)
		}
	}
	return out
}

// Effect says whether a member counts, as far as rights decide it, and if not why.
func (v *rightQueries) Effect(c *change.Change) rights.Verdict {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.rights.Judge(v.rights.Use(c))
}
