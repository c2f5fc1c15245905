package fold

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/rights"
	"github.com/meshd/meshd/identity/did"
)

// Load reads what AppendCheckpoint wrote for the same network. It keeps nothing
// of b.
func Load(net change.NetID, b []byte) (*Views, error) {
	head := len(checkpointMagic) + len(net)
	if len(b) < head+sha256.Size {
		return nil, fmt.Errorf("%w: %d bytes", ErrCheckpoint, len(b))
	}
	payload, sum := b[:len(b)-sha256.Size], b[len(b)-sha256.Size:]
	if sha256.Sum256(payload) != [32]byte(sum) {
		return nil, fmt.Errorf("%w: checksum", ErrCheckpoint)
	}
	if string(payload[:len(checkpointMagic)]) != checkpointMagic || change.NetID(payload[len(checkpointMagic):head]) != net {
		return nil, fmt.Errorf("%w: format or network", ErrCheckpoint)
	}
	v := New(net)
	r := reader{b: payload[head:]}
	chains := r.chains(v.folded)
	authorities := r.authorities(v.folded, chains)
	agents := r.agents(v.folded, chains, authorities)
	r.controls(v.folded)
	r.entries(v.folded, authorities, agents)
	r.rest(v.folded, authorities, agents)
	r.loadActs(v.folded, authorities, agents)
	if r.err == nil && len(r.b) != 0 {
		r.fail()
	}
	if r.err != nil {
		return nil, r.err
	}
	return v, nil
}

// reader reads what writer wrote. After the first fault every read gives zero
// values and every count is zero, so that loops end.
type reader struct {
	b    []byte
	refs []string
	err  error
}

func (r *reader) fail() {
	if r.err == nil {
		r.err = fmt.Errorf("%w: contents", ErrCheckpoint)
	}
	r.b = nil
}

func (r *reader) uint() uint64 {
	n, size := binary.Uvarint(r.b)
	if size <= 0 {
		r.fail()
		return 0
	}
	r.b = r.b[size:]
	return n
}

// count reads how many items follow, each of at least least bytes.
func (r *reader) count(least int) int {
	n := r.uint()
	if n > uint64(len(r.b)/least) {
		r.fail()
		return 0
	}
	return int(n)
}

func (r *reader) raw(n int) []byte {
	if n < 0 || n > len(r.b) {
		r.fail()
		return make([]byte, max(0, min(n, 64)))
	}
	out := r.b[:n:n]
	r.b = r.b[n:]
	return out
}

func (r *reader) blob() []byte { return r.raw(r.count(1)) }
func (r *reader) id() change.ID {
	return change.ID(r.raw(32))
}

func (r *reader) text() string {
	n := r.uint()
	switch {
	case n < uint64(len(r.refs)):
		return r.refs[n]
	case n == uint64(len(r.refs)) && r.err == nil:
		s := string(r.blob())
		r.refs = append(r.refs, s)
		return s
	}
	r.fail()
	return ""
}

func (r *reader) chains(v *folded) []*rights.Chain {
	all := make([]*rights.Chain, r.count(38))
	for i := range all {
		key := change.Chain{Author: did.Key(r.raw(did.KeySize)), Space: change.Space(r.text()), Lane: change.Lane(r.uint())}
		forked := r.uint()
		trunk := make([][16]byte, r.count(16))
		for j := range trunk {
			trunk[j] = [16]byte(r.raw(16))
		}
		var side []rights.Step
		for range r.count(33) {
			side = append(side, rights.Step{ID: [16]byte(r.raw(16)), Prev: [16]byte(r.raw(16)), Seq: r.uint()})
		}
		all[i] = v.rights.Restore(key, trunk, side, forked)
	}
	return all
}

func (r *reader) authorities(v *folded, chains []*rights.Chain) []*authority {
	all := make([]*authority, r.count(65))
	for i := range all {
		at := r.uint()
		if at >= uint64(len(chains)) {
			r.fail()
			return nil
		}
		all[i] = v.shared(chains[at], r.id(), r.id())
	}
	return all
}

func (r *reader) authority(authorities []*authority) *authority {
	if at := r.uint(); at < uint64(len(authorities)) {
		return authorities[at]
	}
	r.fail()
	return nil
}

func (r *reader) agents(v *folded, chains []*rights.Chain, authorities []*authority) []*agent {
	all := make([]*agent, r.count(33))
	for i := range all {
		id := change.AgentID(r.id())
		for range r.count(67) {
			b := binding{id: r.id(), hlc: r.uint(), seq: r.uint(), key: did.Key(r.raw(did.KeySize))}
			var use rights.Use
			if b.seq > 1 {
				if b.authority = r.authority(authorities); b.authority == nil {
					return nil
				}
				use = b.authority.use(b.id, b.seq)
			} else if at := r.uint(); at < uint64(len(chains)) {
				use = rights.Use{ID: b.id, Chain: chains[at], Seq: b.seq}
			} else {
				r.fail()
				return nil
			}
			var err error
			if b.body, err = body.ParseBind(slices.Clone(r.blob()), b.seq == 1); err != nil {
				r.fail()
				return nil
			}
			v.rights.Bind(id, use, b.body)
			v.bind(id, b)
		}
		if all[i] = v.agents[id]; all[i] == nil {
			r.fail()
			return nil
		}
	}
	return all
}

func (r *reader) controls(v *folded) {
	for range r.count(2) {
		c, err := change.Decode(slices.Clone(r.blob()), slices.Clone(r.blob()))
		if err != nil || r.err != nil {
			r.fail()
			return
		}
		_, t := v.applyControl(c)
		v.rejudge(t)
	}
	// A binding may rest on what has just come back.
	for _, a := range v.agents {
		if len(a.binds) > 1 {
			v.reagent(a)
		}
	}
}

func (r *reader) entries(v *folded, authorities []*authority, agents []*agent) {
	sum := r.id()
	n := r.count(70)
	v.entries = make(map[change.ID]*entry, n)
	for range n {
		e := &entry{id: r.id(), bh: r.id(), hlc: r.uint(), seq: r.uint()}
		e.authority = r.authority(authorities)
		ag := r.uint()
		if e.authority == nil || ag >= uint64(len(agents)) {
			r.fail()
			return
		}
		e.agent = agents[ag]
		e.place = v.place(change.Space(r.text()), r.text())
		e.kind = kind(min(r.uint(), uint64(len(kinds))))
		e.price, e.state = int64(r.uint()), State(min(r.uint(), uint64(Excluded)+1))
		for range r.count(1) {
			e.tags = append(e.tags, v.word(r.text()))
		}
		if s := r.blob(); len(s) == len(change.ID{}) {
			id := change.ID(s)
			e.supersedes = &id
			if e.state != Excluded {
				v.successor[id] = append(v.successor[id], e)
			}
		}
		for range r.count(32) {
			id := r.id()
			e.reuses = append(e.reuses, id)
			if e.state != Excluded {
				v.citers[id] = append(v.citers[id], e)
			}
		}
		if e.place.space.Area() == change.AreaNone || int(e.kind) == len(kinds) || e.hlc > cbor.MaxInt || e.state > Excluded || v.entries[e.id] != nil {
			r.fail()
		}
		if r.err != nil {
			return
		}
		v.entries[e.id] = e
		v.each(e.agent, e.place.space, func(w *works) { w.addEntry(e) })
		if e.state == Live {
			v.show(e)
		}
		if e.state != Excluded {
			v.rows++
		}
	}
	v.sum = v.sum.Add(sum)
}

func (r *reader) rest(v *folded, authorities []*authority, agents []*agent) {
	for range r.count(33) {
		target := r.id()
		for range r.count(34) {
			id, ag := r.id(), r.uint()
			if ag >= uint64(len(agents)) {
				r.fail()
				return
			}
			rt := retract{id: id, agent: agents[ag], space: change.Space(r.text()), authority: r.authority(authorities), seq: r.uint()}
			if rt.authority == nil {
				return
			}
			rt.off = !v.rights.Judge(rt.authority.use(rt.id, rt.seq)).OK
			v.addRetract(target, rt)
		}
	}
	for range r.count(3) {
		k := docKey{change.Space(r.text()), doc.Name(r.text())}
		if _, err := doc.ParseName(string(k.name)); err != nil {
			r.fail()
			return
		}
		for range r.count(34) {
			e := doc.Edit{ID: r.id(), HLC: r.uint()}
			ag := r.uint()
			u := docUse{authority: r.authority(authorities), seq: r.uint()}
			if u.authority == nil || ag >= uint64(len(agents)) {
				r.fail()
				return
			}
			u.agent = agents[ag]
			var err error
			if e.Chunk, err = doc.DecodeChunk(slices.Clone(r.blob())); err != nil {
				r.fail()
				return
			}
			v.addEdit(k, e, u)
		}
	}
	for range r.count(34) {
		m := manifest{id: r.id(), hlc: r.uint()}
		var err error
		if m.body, err = body.ParseManifest(r.blob()); err != nil {
			r.fail()
			return
		}
		v.manifests = append(v.manifests, m)
	}
}
