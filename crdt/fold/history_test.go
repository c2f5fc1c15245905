package fold_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/wallet"
)

// writer is an author, or a copy of one that forks its chains, with where it
// stands in its documents.
type writer struct {
	*worldtest.Author
	docs map[string]place
	last uint64 // hlc of its newest change
}

type place struct {
	seq, ops uint64
	head     [32]byte
}

// history draws a story and keeps what it needs to go on.
type history struct {
	t       *rapid.T
	w       *worldtest.World
	writers []*writer
	made    []*change.Change
	entries []*change.Change
}

var (
	sponsor    = keys.FromSeed([32]byte{1})
	controller = keys.FromSeed([32]byte{2})
)

// draw makes a random history: several agents that bind, write, cite, retract,
// supersede, edit documents and fork, in causal order.
func draw(t *rapid.T) (*worldtest.World, []*change.Change) {
	h := &history{t: t, w: worldtest.NewRooted(7)}
	for i := range rapid.IntRange(1, 3).Draw(t, "agents") {
		h.genesis(h.w.Agent(fmt.Sprint("agent ", i)))
	}
	for range rapid.IntRange(0, 30).Draw(t, "changes") {
		h.step()
	}
	var members []*change.Change
	for _, v := range h.w.Verify(h.made...) {
		members = append(members, v.Change())
	}
	return h.w, members
}

func (h *history) one(label string, of int) bool { return rapid.IntRange(1, of).Draw(h.t, label) == 1 }

func (h *history) keep(a *writer, c *change.Change) {
	h.made = append(h.made, c)
	a.last = max(a.last, c.Head.HLC)
	if c.Head.Kind == change.KindEntryPut {
		h.entries = append(h.entries, c)
	}
}

// genesis binds a, and at times a twin that forks the genesis.
func (h *history) genesis(a *worldtest.Author) {
	twins := []*worldtest.Author{a}
	if h.one("forked genesis", 5) {
		twins = append(twins, a.Clone())
	}
	for i, a := range twins {
		v := body.Bind{Name: fmt.Sprint(a.Name, " ", i)}
		if h.one("sponsored", 3) {
			sig := sponsor.Sign(binding.SponsorMessage(h.w.Net, a.Key.Key()))
			v.Sponsor = &body.Sponsor{By: sponsor.Key(), Sig: sig[:]}
		}
		if h.one("controlled", 2) {
			v.Controllers = append(v.Controllers, controller.Key().String())
			if h.one("proven", 2) {
				v.Proof = h.proof(a)
			}
		}
		if h.one("second controller", 3) {
			v.Controllers = append(v.Controllers, sponsor.Key().String())
		}
		if h.one("recovery key", 2) {
			v.Next = make([]byte, 32)
			v.Next[0] = byte(rapid.IntRange(0, 1).Draw(h.t, "next"))
		}
		w := &writer{Author: a, docs: map[string]place{}}
		h.writers = append(h.writers, w)
		h.keep(w, a.BindAs(v))
	}
}

func (h *history) proof(a *worldtest.Author) *binding.Proof {
	issued := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	text, err := binding.Challenge{
		Purpose: wallet.Registration, Network: h.w.Net, Subject: did.OfKey(controller.Key()), Nonce: "12345678",
		Key: a.Key.Key(), Issued: issued, Expires: issued.Add(time.Minute),
	}.Text()
	if err != nil {
		panic(err)
	}
	sig := controller.Sign([]byte(text))
	return &binding.Proof{Alg: binding.AlgEd25519, By: controller.Key().String(), Sig: sig[:], Text: text}
}

func (h *history) step() {
	a := rapid.SampledFrom(h.writers).Draw(h.t, "writer")
	switch kind := rapid.IntRange(0, 27).Draw(h.t, "kind"); {
	case kind > 19:
		h.words(a)
	case kind < 8:
		h.entry(a)
	case kind < 11:
		h.retract(a)
	case kind < 14:
		h.edit(a)
	case kind < 16:
		v := body.Bind{}
		if h.one("renamed", 2) {
			v.Name = fmt.Sprint("name ", len(h.made))
		}
		if h.one("moved", 2) {
			v.Home = fmt.Sprint("home", len(h.made), ".example")
		}
		h.keep(a, a.BindAs(v))
	case kind == 16:
		h.writers = append(h.writers, &writer{Author: a.Clone(), docs: maps.Clone(a.docs), last: a.last})
	case kind == 17:
		h.keep(a, a.Change("zeta", change.Commons("go"), []byte{0xa0}, worldtest.Options{}))
	case kind == 18: // a body that fails its row: a member without effect
		h.keep(a, a.Change(change.KindEntryPut, change.Commons("go"), []byte{0xa0}, worldtest.Options{}))
		h.entries = h.entries[:len(h.entries)-1]
	default:
		h.w.Advance(12 * 60 * 60 * 1000)
	}
}

func (h *history) domain() string {
	return rapid.SampledFrom([]string{"go", "rust"}).Draw(h.t, "domain")
}

func (h *history) entry(a *writer) {
	v := body.Entry{
		Type: rapid.SampledFrom([]string{body.Wisdom, body.Pattern}).Draw(h.t, "type"), Text: worldtest.Text(fmt.Sprint("lesson ", len(h.made))),
		Confidence: body.DefaultConfidence,
	}
	if h.one("introduction", 8) {
		v.Tags = []string{fold.IntroTag}
	}
	if len(h.entries) > 0 {
		pick := rapid.SampledFrom(h.entries)
		for range rapid.IntRange(0, 3).Draw(h.t, "reuses") {
			v.Reuses = append(v.Reuses, pick.Draw(h.t, "reused").ID)
		}
		if h.one("supersedes", 4) {
			v.Supersedes = pick.Draw(h.t, "superseded").ID
		}
	}
	b, err := v.Encode()
	if err != nil {
		panic(err)
	}
	o := worldtest.Options{}
	if last := h.made[len(h.made)-1].Head.HLC; a.last < last && h.one("same moment", 3) {
		o.HLC = last
	}
	h.keep(a, a.Change(change.KindEntryPut, change.Commons(h.domain()), b, o))
}

// retract takes back an entry: one's own or another's, in its space or elsewhere.
func (h *history) retract(a *writer) {
	if len(h.entries) == 0 {
		return
	}
	target := rapid.SampledFrom(h.entries).Draw(h.t, "target")
	space := target.Head.Space
	if h.one("elsewhere", 5) {
		space = change.Commons(h.domain())
	}
	b, err := body.Retract{Target: target.ID}.Encode()
	if err != nil {
		panic(err)
	}
	h.keep(a, a.Change(change.KindEntryRetract, space, b, worldtest.Options{Deps: []change.ID{target.ID}}))
}

// edit continues one of a's documents. Writers of one key that forked continue
// from the same place.
func (h *history) edit(a *writer) {
	name := rapid.SampledFrom([]string{"page", "page~2", "room"}).Draw(h.t, "document")
	at := a.docs[name]
	var deps [][32]byte
	if at.seq > 0 {
		deps = [][32]byte{at.head}
	}
	space := a.ID.Space()
	raw := worldtest.Chunk(a.Actor(space, name), at.seq+1, at.ops+1, deps, fmt.Sprint("key", len(h.made)), "value")
	chunk, err := doc.DecodeChunk(raw)
	if err != nil {
		panic(err)
	}
	a.docs[name] = place{at.seq + 1, at.ops + 1, chunk.Hash}
	h.keep(a, a.Edit(space, name, raw))
}

// parents are what must be applied before c.
func parents(c *change.Change) []change.ID { return append(c.Head.Parents(), c.Head.Proof...) }

// shuffled is a random order in which members can arrive. Some content comes as
// a stub first and with its body later.
func shuffled(members []*change.Change, seed uint64) []*change.Change {
	rng := rand.New(rand.NewPCG(seed, 2))
	var out []*change.Change
	here := map[change.ID]bool{}
	waiting := slices.Clone(members)
	for len(waiting) > 0 {
		var ready []int
		for i, c := range waiting {
			if !slices.ContainsFunc(parents(c), func(id change.ID) bool { return !here[id] }) {
				ready = append(ready, i)
			}
		}
		i := ready[rng.IntN(len(ready))]
		c := waiting[i]
		waiting = slices.Delete(waiting, i, i+1)
		if !here[c.ID] && c.Body != nil && change.LaneOf(c.Head.Kind) == change.Content && rng.IntN(4) == 0 {
			out = append(out, c.Stub())
			waiting = append(waiting, c) // its body comes at some later time
		} else {
			out = append(out, c)
		}
		here[c.ID] = true
	}
	return out
}

func apply(v *fold.Views, cs ...*change.Change) {
	for _, c := range cs {
		v.Apply(c)
	}
}
