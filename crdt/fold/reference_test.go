package fold_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/big"
	"slices"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/identity/did"
)

// reference is the fold as the words say it: a full replay over the set of
// members, with nothing kept between two questions. It reads bodies by hand and
// shares no code with the views but the order of document edits.
type reference struct {
	cs []*change.Change // by (hlc, id), each once, with its body when any copy has one
}

func replay(members []*change.Change) *reference {
	byID := map[change.ID]*change.Change{}
	for _, c := range members {
		if old := byID[c.ID]; old == nil || old.Body == nil {
			byID[c.ID] = c
		}
	}
	r := &reference{}
	for _, c := range byID {
		r.cs = append(r.cs, c)
	}
	slices.SortFunc(r.cs, (*change.Change).Compare)
	return r
}

// withEffect are the changes of a kind whose bodies are here, in order.
func (r *reference) withEffect(kind string) (out []*change.Change) {
	for _, c := range r.cs {
		if c.Head.Kind == kind && c.Body != nil {
			out = append(out, c)
		}
	}
	return out
}

func fields(c *change.Change) cbor.Map {
	m, err := cbor.DecodeMap(c.Body)
	if err != nil {
		panic(fmt.Sprintf("member with a bad body: %v", err))
	}
	return m
}

// agentOf is the agent that c writes for: that of its identity.
func (r *reference) agentOf(c *change.Change) change.AgentID {
	for _, b := range r.cs {
		if b.ID == c.Head.Proof[0] {
			id, _ := b.Head.Space.Agent()
			return id
		}
	}
	panic("identity is not here")
}

type refAgent struct {
	id         change.AgentID
	key        did.Key
	name, home string
	ctl        []any
	next       []byte
	sponsor    []byte
	proven     []string
	born       *change.Change
}

func (r *reference) agents() map[change.AgentID]*refAgent {
	out := map[change.AgentID]*refAgent{}
	for _, c := range r.withEffect(change.KindBind) { // oldest first
		id, _ := c.Head.Space.Agent()
		a := out[id]
		if a == nil {
			a = &refAgent{id: id, ctl: []any{}}
			out[id] = a
		}
		m := fields(c)
		if s, ok := m["name"].(string); ok {
			a.name = s
		}
		if s, ok := m["home"].(string); ok && s != "" { // an empty one is none
			a.home = s
		}
		if p, ok := m["bind"].(cbor.Map); ok {
			a.proven = append(a.proven, p["by"].(string))
		}
		if c.Head.Seq != 1 {
			continue
		}
		ctl, _ := m["ctl"].([]any)
		next, _ := m["next"].([]byte)
		if a.born == nil {
			a.born, a.key, a.next = c, c.Head.Author, next
			a.ctl = append(a.ctl, ctl...)
			if s, ok := m["sponsor"].(cbor.Map); ok {
				a.sponsor = s["by"].([]byte)
			}
			continue
		}
		a.ctl = slices.DeleteFunc(a.ctl, func(c any) bool { return !slices.Contains(ctl, c) })
		if !bytes.Equal(a.next, next) {
			a.next = nil
		}
	}
	for _, a := range out {
		a.proven = slices.DeleteFunc(a.proven, func(p string) bool { return !slices.Contains(a.ctl, any(p)) })
	}
	return out
}

// state of an entry: hidden by a retract of its agent in its space, else by a
// later entry of the same agent that supersedes it.
func (r *reference) state(e *change.Change) fold.State {
	for _, c := range r.withEffect(change.KindEntryRetract) {
		if bytes.Equal(fields(c)["target"].([]byte), e.ID[:]) && r.agentOf(c) == r.agentOf(e) && c.Head.Space == e.Head.Space {
			return fold.Retracted
		}
	}
	for _, c := range r.withEffect(change.KindEntryPut) {
		if s, ok := fields(c)["supersedes"].([]byte); ok && bytes.Equal(s, e.ID[:]) && r.agentOf(c) == r.agentOf(e) && c.Compare(e) > 0 {
			return fold.Superseded
		}
	}
	return fold.Live
}

func (r *reference) live() (out []*change.Change) {
	for _, e := range r.withEffect(change.KindEntryPut) {
		if r.state(e) == fold.Live {
			out = append(out, e)
		}
	}
	return out
}

func mustEncode(v any) []byte {
	b, err := cbor.Encode(v)
	if err != nil {
		panic(err)
	}
	return b
}

func (r *reference) rows() (out [][]byte) {
	for id, a := range r.agents() {
		m := cbor.Map{"key": a.key[:], "name": a.name, "ctl": a.ctl}
		if a.home != "" {
			m["home"] = a.home
		}
		if a.next != nil {
			m["next"] = a.next
		}
		out = append(out, mustEncode([]any{"agent", id[:], m}))
	}
	for _, e := range r.withEffect(change.KindEntryPut) {
		agent := r.agentOf(e)
		out = append(out, mustEncode([]any{"entry", e.ID[:], cbor.Map{
			"agent": agent[:], "bh": e.Head.BodyHash[:], "hlc": e.Head.HLC, "space": string(e.Head.Space), "state": int(r.state(e)),
			"type": fields(e)["type"],
		}}))
	}
	out = append(out, r.actRows()...)
	for key, edits := range r.documents() {
		ordered, heads, _ := doc.Order(edits)
		if len(ordered) == 0 {
			continue
		}
		list := make([]any, len(heads))
		for i := range heads {
			list[i] = heads[i][:]
		}
		id := sha256.Sum256([]byte(key))
		out = append(out, mustEncode([]any{"doc", id[:], cbor.Map{"heads": list}}))
	}
	slices.SortFunc(out, bytes.Compare)
	return out
}

// documents are the edits with effect of each document, by space ‖ \0 ‖ name.
func (r *reference) documents() map[string][]doc.Edit {
	out := map[string][]doc.Edit{}
	for _, c := range r.withEffect(change.KindDocEdit) {
		m := fields(c)
		chunk, err := doc.DecodeChunk(m["chunk"].([]byte))
		if err != nil {
			panic(err)
		}
		key := string(c.Head.Space) + "\x00" + m["doc"].(string)
		out[key] = append(out[key], doc.Edit{HLC: c.Head.HLC, ID: c.ID, Chunk: chunk})
	}
	return out
}

// viewHash is the fp of wire §16 over the hashes of rows, with big integers.
func viewHash(rows [][]byte) [16]byte {
	sum := new(big.Int)
	for _, row := range rows {
		h := sha256.Sum256(row)
		slices.Reverse(h[:]) // little-endian
		sum.Add(sum, new(big.Int).SetBytes(h[:]))
	}
	sum.Mod(sum, new(big.Int).Lsh(big.NewInt(1), 256))
	var le [32]byte
	sum.FillBytes(le[:])
	slices.Reverse(le[:])
	varint := []byte{byte(len(rows) & 0x7f)}
	for n := len(rows) >> 7; n > 0; n >>= 7 {
		varint = append([]byte{byte(n&0x7f | 0x80)}, varint...)
	}
	h := sha256.Sum256(append(le[:], varint...))
	return [16]byte(h[:16])
}

// forks are the chains with two members at one place, and the lowest such place.
func (r *reference) forks() map[change.Chain]uint64 {
	at := map[change.Chain]map[uint64]change.ID{}
	out := map[change.Chain]uint64{}
	for _, c := range r.cs {
		ch, seq := c.Head.Chain(), c.Head.Seq
		if at[ch] == nil {
			at[ch] = map[uint64]change.ID{}
		}
		id, taken := at[ch][seq]
		if lowest, forked := out[ch]; taken && id != c.ID && (!forked || seq < lowest) {
			out[ch] = seq
		}
		at[ch][seq] = c.ID
	}
	return out
}

func (r *reference) forked(c *change.Change) bool {
	seq, ok := r.forks()[c.Head.Chain()]
	return ok && c.Head.Seq >= seq
}

func intro(c *change.Change) bool {
	tags, _ := fields(c)["tags"].([]any)
	return slices.Contains(tags, any(fold.IntroTag))
}

func (r *reference) contributions(id change.AgentID) (n int) {
	days := map[int64]int{}
	for _, e := range r.live() {
		if r.agentOf(e) != id || intro(e) || r.forked(e) || r.blame(e) > 0 {
			continue
		}
		day := e.Head.Millis() / (24 * 60 * 60 * 1000)
		if days[day]++; days[day] <= 50 {
			n++
		}
	}
	return n
}

// citing are the other agents that cite e in entries shown; weighed leaves out
// those whose word counts for nothing.
func (r *reference) citing(e *change.Change, weighed bool) int {
	agents := r.agents()
	author := agents[r.agentOf(e)]
	out := map[change.AgentID]bool{}
	for _, c := range r.live() {
		reuses, _ := fields(c)["reuses"].([]any)
		cites := slices.ContainsFunc(reuses, func(v any) bool { return bytes.Equal(v.([]byte), e.ID[:]) })
		by := agents[r.agentOf(c)]
		if !cites || by.id == author.id {
			continue
		}
		related := by.sponsor != nil && bytes.Equal(by.sponsor, author.sponsor) ||
			slices.ContainsFunc(by.proven, func(p string) bool { return slices.Contains(author.proven, p) })
		if weighed && (r.forked(c) || related || r.contributions(by.id) < 3) {
			continue
		}
		out[by.id] = true
	}
	return len(out)
}

func (r *reference) reuses(id change.AgentID) (n int) {
	for _, e := range r.live() {
		if r.agentOf(e) == id && !intro(e) && !r.forked(e) && r.blame(e) == 0 {
			n += r.citing(e, true)
		}
	}
	return n
}
