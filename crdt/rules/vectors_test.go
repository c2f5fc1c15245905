package rules_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/internal/vectortest"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/rules"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
)

func docActor(k did.Key, space change.Space, name string) [16]byte {
	return doc.Actor(k, string(space), name)
}

// changeIn is a change that comes alone to a node that has past.
type changeIn struct {
	Network string              `json:"network"` // a network file
	Past    []vectortest.Change `json:"past"`
	Change  vectortest.Change   `json:"change"`
}

type changeOut struct {
	ID     vectortest.Hex `json:"id"`
	Author string         `json:"author"`
	Set    string         `json:"set"`
	Lane   string         `json:"lane"`
}

type changeVector = vectortest.Vector[changeIn, changeOut]

func (m *maker) in(c vectortest.Change, past []*change.Change) changeIn {
	m.t.Helper()
	file, err := change.NetworkFile{Genesis: m.genesis}.Encode()
	if err != nil {
		m.t.Fatal(err)
	}
	in := changeIn{Network: file, Change: c, Past: []vectortest.Change{}}
	for _, p := range past {
		in.Past = append(in.Past, vectortest.Of(p))
	}
	return in
}

// out is what a judge says of the member c.
func (m *maker) out(c *change.Change) *changeOut {
	return &changeOut{
		ID: c.ID[:], Author: c.Head.Author.String(), Set: change.SetOf(c.Head.Space, c.Head.Kind, m.genesis.Shards),
		Lane: change.LaneOf(c.Head.Kind).String(),
	}
}

// replay makes the judge and the past of a vector; all of the past are members.
func replay(t testing.TB, in changeIn) (*rules.Judge, log) {
	t.Helper()
	f, err := change.ParseNetworkFile(in.Network)
	if err != nil {
		t.Fatal(err)
	}
	j, err := rules.NewJudge(f.Genesis)
	if err != nil {
		t.Fatal(err)
	}
	past := log{}
	for i, p := range in.Past {
		v, err := check(j, past, p)
		if err != nil {
			t.Fatalf("past %d: %v", i, err)
		}
		past[v.Change().ID] = v.Change()
	}
	return j, past
}

func validVectors(t testing.TB) []changeVector {
	t.Helper()
	var out []changeVector
	add := func(m *maker, name string, c *change.Change, past ...*change.Change) *change.Change {
		out = append(out, changeVector{Name: name, In: m.in(vectortest.Of(c), past), Out: &changeOut{
			ID: c.ID[:], Author: c.Head.Author.String(), Set: change.SetOf(c.Head.Space, c.Head.Kind, m.genesis.Shards),
			Lane: change.LaneOf(c.Head.Kind).String(),
		}})
		return c
	}

	// The pair that two independent programs agreed on.
	b := newMaker(t, change.Builtin())
	ada := key(0x11)
	first := b.genesisDraft(ada, body.Bind{Name: "Ada", Pow: 91912})
	first.HLC = 0x00068b3a2f500000
	pair := add(b, "first published pair: profile.bind", b.seal(ada, first))
	add(b, "first published pair: entry.put", b.seal(ada, b.entryDraft(pair, "go", entry())), pair)

	m := newMaker(t, vectorNet())
	root, bo, cy := key(0x33), key(0x22), key(0x44)
	bind := add(m, "profile.bind, plain", m.bind(ada, body.Bind{Name: "Ada"}))
	boBind := m.bind(bo, body.Bind{Name: "Bo"})

	// Control lane.
	add(m, "profile.bind, proven by a key", m.bind(ada, body.Bind{
		Name: "Ada", Controllers: []string{cy.Key().String()}, Proof: m.keyProof(ada, cy),
	}))
	_, account := m.wallet(0x55)
	add(m, "profile.bind, proven by a wallet", m.bind(ada, body.Bind{
		Name: "Ada", Controllers: []string{account.String()}, Proof: m.walletProof(ada, 0x55),
	}))
	siwe := add(m, "profile.bind, proven by a sign-in text", m.bind(ada, body.Bind{
		Name: "Ada", Controllers: []string{cy.Key().String(), account.String()}, Proof: m.siweProof(ada, 0x55),
	}))
	add(m, "profile.bind, claimed wallet without a proof", m.bind(ada, body.Bind{Name: "Ada", Controllers: []string{account.String()}}))
	add(m, "profile.bind, sponsored, with home, next and box", m.bind(ada, body.Bind{
		Name: "Ada", Home: "mesh.example", Next: bytes.Repeat([]byte{7}, 32), Box: bytes.Repeat([]byte{8}, 32), Sponsor: m.sponsor(ada, cy),
	}))
	add(m, "profile.bind, name of 2", m.bind(ada, body.Bind{Name: "Aé"}))
	add(m, "profile.bind, name of 64", m.bind(ada, body.Bind{Name: strings.Repeat("é", 64)}))
	add(m, "profile.bind, unknown key", m.seal(ada, func() change.Draft {
		d := m.genesisDraft(ada, body.Bind{Name: "Ada"})
		d.Body = m.cbor(cbor.Map{"name": "Ada", "pow": m.pow(ada.Key()), "zzz": []any{1, "x"}})
		return d
	}()))
	hy := hybrid(0x11)
	pq := add(m, "profile.bind, with a post-quantum key and sig2", m.sealHybrid(hy, m.genesisDraft(ada, body.Bind{Name: "Ada", PQ: hy.Key().PQ})))
	add(m, "profile.bind, seq 2, with sig2", m.sealHybrid(hy, m.later(pq, pq, body.Bind{Home: "mesh.example"})), pq)
	add(m, "entry.put by an author with a post-quantum key", m.seal(ada, m.entryDraft(pq, "go", entry())), pq)
	second := add(m, "profile.bind, seq 2", m.seal(ada, m.later(bind, bind, body.Bind{Name: "Ada L."})), bind)
	add(m, "profile.bind, seq 3, by way of a later binding", m.seal(ada, m.later(second, second, body.Bind{Home: "mesh.example"})), bind, second)
	add(m, "profile.bind, seq 2, without a field", m.seal(ada, m.later(bind, bind, body.Bind{})), bind)
	add(m, "profile.bind, seq 2, another controller proves itself", m.seal(ada, m.later(siwe, siwe, body.Bind{Proof: m.keyProof(ada, cy)})), siwe)
	add(m, "profile.bind, seq 2, what it may not change is ignored", m.seal(ada, m.later(bind, bind, body.Bind{
		Name: "Ada", Controllers: []string{account.String()}, Next: bytes.Repeat([]byte{7}, 32), PQ: hy.Key().PQ, Pow: 1,
	})), bind)
	manifest := change.Draft{Space: change.SpaceNet, Kind: change.KindManifest, HLC: start, Body: m.encode(body.Manifest{
		Bootstrap: []string{"/dns4/mesh.example/tcp/443/wss"}, Gateways: []body.Gateway{{Host: "mesh.example", Key: bo.Key()}}, Labelers: []did.Key{cy.Key()},
	})}
	man := add(m, "net.manifest by a root that is no agent", m.seal(root, manifest))
	rootBind := m.bind(root, body.Bind{Name: "root"})
	empty := on(man, change.Draft{Space: change.SpaceNet, Kind: change.KindManifest, HLC: start + 9, Body: m.encode(body.Manifest{}), Proof: ids(rootBind)})
	add(m, "net.manifest, seq 2, by a root that is an agent", m.seal(root, empty), man, rootBind)
	hyRoot := hybrid(0x33)
	pqRoot := m.sealHybrid(hyRoot, m.genesisDraft(root, body.Bind{Name: "root", PQ: hyRoot.Key().PQ}))
	add(m, "net.manifest with sig2", m.sealHybrid(hyRoot, change.Draft{
		Net: m.net, Space: change.SpaceNet, Kind: change.KindManifest, HLC: start + 9, Seq: 1, Body: m.encode(body.Manifest{}), Proof: ids(pqRoot),
	}), pqRoot)

	// Content lane.
	one := add(m, "entry.put", m.seal(ada, m.entryDraft(bind, "go", entry())), bind)
	full := entry()
	full.Title, full.Tags, full.Confidence, full.Price = "Sync first", []string{"storage", "wal"}, 950, 1_500_000
	full.Evidence, full.Source = []string{"fsync(2)"}, "https://go.example/log"
	full.Receipt, full.Meta = []byte(`{"amount":1}`), []byte(`{"a":{"b":[1,2.5]},"z":null}`)
	full.ReceiptSHA = sha256.Sum256(full.Receipt)
	full.Reuses, full.Supersedes = ids(bind), one.ID
	d := on(one, m.entryDraft(bind, "go", full))
	d.HLC = start + 5
	add(m, "entry.put, seq 2, every field", m.seal(ada, d), bind, one)
	add(m, "entry.put, premium", m.seal(ada, m.entryDraft(bind, "go", body.Entry{Type: body.Pattern, Hash: sha256.Sum256([]byte("x")), Price: 5})), bind)
	sized := func(n int) change.Draft {
		v := entry()
		v.Text = strings.Repeat("字", n)
		return m.entryDraft(bind, "go", v)
	}
	add(m, "entry.put, 40 characters", m.seal(ada, sized(body.MinEntry)), bind)
	add(m, "entry.put, 4000 characters", m.seal(ada, sized(body.MaxEntry)), bind)
	d = m.entryDraft(bind, "go", entry())
	d.Body = m.largest()
	add(m, "entry.put, largest body", m.seal(ada, d), bind)
	d = m.entryDraft(second, "go", entry())
	add(m, "entry.put, identity is a later binding", m.seal(ada, d), bind, second)
	add(m, "entry.put, no logical time but its past", m.seal(ada, change.Draft{
		Space: change.Commons("go"), Kind: change.KindEntryPut, Body: m.encode(entry()), HLC: cbor.MaxInt, Proof: ids(bind),
	}), bind)
	d = change.Draft{Space: one.Head.Space, Kind: change.KindEntryRetract, Body: m.encode(body.Retract{Target: one.ID, Why: "wrong"}), HLC: start + 2, Deps: ids(one), Proof: ids(bind)}
	add(m, "entry.retract of prev, which stands for the dep", m.seal(ada, on(one, d)), bind, one)
	two := m.seal(ada, on(one, change.Draft{Space: one.Head.Space, Kind: "zeta", HLC: start + 2, Proof: ids(bind)}))
	d.HLC = start + 3
	add(m, "entry.retract of a dep", m.seal(ada, on(two, d)), bind, one, two)
	d.Proof = ids(boBind)
	add(m, "entry.retract of another's entry: a member, without effect", m.seal(bo, d), bind, boBind, one)
	add(m, "doc.edit", m.seal(ada, m.page(ada, bind, ada)), bind)
	target := func(kind string, k did.Key, by *change.Change, space change.Space, target *change.Change) change.Draft {
		says := cbor.Map{"target": target.ID[:], "value": 1}
		switch kind {
		case change.KindComment:
			says = cbor.Map{"target": target.ID[:], "text": "Seen here too.", "mood": "glad"}
		case change.KindLabel:
			says = cbor.Map{"target": target.ID[:], "value": body.LabelSpam, "why": "bought"}
		}
		return change.Draft{
			Space: space, Kind: kind, Body: m.cbor(says), HLC: max(by.Head.HLC, target.Head.HLC) + 1,
			Deps: ids(target), Proof: ids(by),
		}
	}
	add(m, "vote", m.seal(bo, target(change.KindVote, bo.Key(), boBind, one.Head.Space, one)), bind, boBind, one)
	add(m, "comment in another's guestbook", m.seal(bo, target(change.KindComment, bo.Key(), boBind, bind.Head.Space, bind)), bind, boBind)
	add(m, "label on another's page", m.seal(bo, target(change.KindLabel, bo.Key(), boBind, bind.Head.Space, bind)), bind, boBind)
	guild := change.Space("guild/" + change.Base32(bytes.Repeat([]byte{5}, 32)))
	step := target(change.KindBountyAct, bo.Key(), boBind, guild, bind)
	step.Body = m.cbor(cbor.Map{"bounty": bind.ID[:], "act": "claim"})
	add(m, "bounty.act in a guild", m.seal(bo, step), bind, boBind)
	add(m, "served in one's own space", m.seal(ada, change.Draft{
		Space: bind.Head.Space, Kind: change.KindServed, Body: m.cbor(cbor.Map{"day": 1, "rows": []any{}}), HLC: start + 1, Proof: ids(bind),
	}), bind)
	add(m, "unknown kind", m.seal(bo, change.Draft{Space: change.Commons("go"), Kind: "zeta.spin", Body: []byte{0xa0}, HLC: start + 1, Proof: ids(boBind)}), boBind)
	add(m, "unknown kind, body that is no map", m.seal(bo, change.Draft{Space: change.Commons("go"), Kind: "zeta", Body: []byte{}, HLC: start + 1, Proof: ids(boBind)}), boBind)
	add(m, "stub of content", m.seal(ada, m.entryDraft(bind, "go", entry())).Stub(), bind)
	eight := []*change.Change{bind, boBind}
	for i := range 8 {
		d := m.entryDraft(bind, "go", entry())
		if i > 0 {
			d = on(eight[len(eight)-1], d)
		}
		d.HLC = start + uint64(i) + 2
		eight = append(eight, m.seal(ada, d))
	}
	add(m, "eight deps, four proofs", m.seal(bo, change.Draft{
		Space: change.Commons("go"), Kind: "zeta", HLC: start + 20, Deps: ids(eight[2:]...), Proof: ids(boBind, bind, boBind, bind),
	}), eight...)
	return out
}

func TestValidChanges(t *testing.T) {
	t.Parallel()
	for _, v := range vectortest.Golden(t, "change/valid.json", validVectors(t)) {
		j, past := replay(t, v.In)
		got, err := check(j, past, v.In.Change)
		if err != nil {
			t.Errorf("%s: %v", v.Name, err)
			continue
		}
		c := got.Change()
		lane := change.LaneOf(c.Head.Kind).String()
		if !bytes.Equal(c.ID[:], v.Out.ID) || got.Set() != v.Out.Set || lane != v.Out.Lane || c.Head.Author.String() != v.Out.Author || !got.OwnSignature() {
			t.Errorf("%s: id %s, set %s, lane %s, author %s, own %t", v.Name, c.ID, got.Set(), lane, c.Head.Author, got.OwnSignature())
		}
	}
}

func TestFirstPublishedPairIsAMember(t *testing.T) {
	t.Parallel()
	vs := vectortest.Read[changeIn, changeOut](t, "change/valid.json")
	for i, want := range []string{
		"27b309bf9c9fd20576695179a9d7798c450b1bc6ac2f516a3b630b7f0749d1e7", "c25d932a84c4267099492830e595d8b4053f1271dd64d506a73d4a0e0cfac33e",
	} {
		if got := hex.EncodeToString(vs[i].Out.ID); got != want {
			t.Errorf("%s: id %s", vs[i].Name, got)
		}
	}
}

func refusedVectors(t testing.TB) []changeVector {
	t.Helper()
	m := newMaker(t, vectorNet())
	var out []changeVector
	raw := func(code reason.Code, name string, c vectortest.Change, past ...*change.Change) {
		out = append(out, changeVector{Name: string(code) + ": " + name, In: m.in(c, past), Code: code})
	}
	add := func(code reason.Code, name string, c *change.Change, past ...*change.Change) {
		raw(code, name, vectortest.Of(c), past...)
	}
	ada, bo, root := key(0x11), key(0x22), key(0x33)
	bind, boBind := m.bind(ada, body.Bind{Name: "Ada"}), m.bind(bo, body.Bind{Name: "Bo"})
	draft := m.entryDraft(bind, "go", entry())
	one := m.seal(ada, draft)
	with := func(d change.Draft, edit func(*change.Draft)) change.Draft {
		edit(&d)
		return d
	}
	absent := change.ID(bytes.Repeat([]byte{0xee}, 32))

	// Head.
	add(reason.BadEncoding, "another network", m.seal(ada, with(draft, func(d *change.Draft) { d.Net[0]++ })), bind)
	weak := *one.Head
	weak.Author = did.Key{0xed, 0x01, 1} // the neutral point: every message has a signature under it
	add(reason.BadEncoding, "author of small order", &change.Change{ID: weak.Digest(), Head: &weak, RawHead: weak.Encode(), Body: one.Body}, bind)
	spoiled := *one.Head
	spoiled.Sig[0] ^= 1
	add(reason.BadChangeSignature, "one bit of sig", &change.Change{ID: one.ID, Head: &spoiled, RawHead: spoiled.Encode(), Body: one.Body}, bind)
	forged := *one.Head
	forged.Sig = bo.Sign(one.ID.Preimage())
	add(reason.BadChangeSignature, "signed by another", &change.Change{ID: one.ID, Head: &forged, RawHead: forged.Encode(), Body: one.Body}, bind)
	plain := *one.Head
	plain.Sig = ada.Sign(one.ID[:])
	add(reason.BadChangeSignature, "signed without the preimage", &change.Change{ID: one.ID, Head: &plain, RawHead: plain.Encode(), Body: one.Body}, bind)
	hy := hybrid(0x11)
	pqBind := body.Bind{Name: "Ada", PQ: hy.Key().PQ}
	pqDraft := m.genesisDraft(ada, pqBind)
	pq := m.sealHybrid(hy, pqDraft)
	add(reason.BadChangeSignature, "no sig2 of an author with a post-quantum key", m.seal(ada, pqDraft))
	add(reason.BadChangeSignature, "no sig2 on a later binding", m.seal(ada, m.later(pq, pq, body.Bind{Name: "Eve"})), pq)
	add(reason.BadChangeSignature, "sig2 of an author without a post-quantum key", m.sealHybrid(hy, m.genesisDraft(ada, body.Bind{Name: "Ada"})))
	half := *pq.Head
	half.Sig2 = bytes.Clone(half.Sig2)
	half.Sig2[7] ^= 1
	add(reason.BadChangeSignature, "one bit of sig2", &change.Change{ID: pq.ID, Head: &half, RawHead: half.Encode(), Body: pq.Body})
	half = *pq.Head
	half.Sig = ada.Sign(pq.ID.Preimage())
	add(reason.BadChangeSignature, "sig of the plain message beside sig2", &change.Change{ID: pq.ID, Head: &half, RawHead: half.Encode(), Body: pq.Body})

	add(reason.MissingDeps, "prev", m.seal(ada, on(one, with(draft, func(d *change.Draft) { d.HLC = start + 9 }))), bind)
	add(reason.MissingDeps, "proof", one)
	add(reason.MissingDeps, "a dep", m.seal(ada, with(draft, func(d *change.Draft) { d.Deps = []change.ID{absent} })), bind)
	add(reason.MissingDeps, "the body of a control change", bind.Stub())
	add(reason.MissingDeps, "the body of a later binding", m.seal(ada, m.later(bind, bind, body.Bind{})).Stub(), bind)

	next := with(draft, func(d *change.Draft) { d.HLC = start + 9 })
	add(reason.BadSequence, "seq leaves a gap", m.seal(ada, with(on(one, next), func(d *change.Draft) { d.Seq = 3 })), bind, one)
	add(reason.BadSequence, "seq stands still", m.seal(ada, with(on(m.seal(ada, on(one, next)), next), func(d *change.Draft) {
		d.Seq, d.HLC = 2, start+10
	})), bind, one, m.seal(ada, on(one, next)))
	add(reason.BadSequence, "prev in another space", m.seal(ada, with(on(one, next), func(d *change.Draft) { d.Space = change.Commons("rust") })), bind, one)
	boOne := m.seal(bo, m.entryDraft(boBind, "go", entry()))
	add(reason.BadSequence, "prev by another author", m.seal(ada, on(boOne, next)), bind, boBind, boOne)
	add(reason.BadSequence, "prev in the other lane", m.seal(ada, on(bind, m.page(ada, bind, ada))), bind)
	add(reason.BadSequence, "hlc at that of prev", m.seal(ada, with(on(one, next), func(d *change.Draft) { d.HLC = one.Head.HLC })), bind, one)
	add(reason.BadSequence, "hlc at that of a dep", m.seal(ada, with(draft, func(d *change.Draft) { d.Deps = ids(boOne) })), bind, boBind, boOne)
	add(reason.BadSequence, "hlc at that of a proof", m.seal(ada, with(draft, func(d *change.Draft) { d.HLC = bind.Head.HLC })), bind)
	add(reason.BadSequence, "hlc before the network began", m.seal(ada, with(m.genesisDraft(ada, body.Bind{Name: "Ada"}), func(d *change.Draft) { d.HLC = start - 1 })))
	far := m.seal(bo, m.entryDraft(boBind, otherShard("go", 3), entry()))
	add(reason.BadSequence, "a dep in another set", m.seal(ada, with(next, func(d *change.Draft) { d.Deps = ids(far) })), bind, boBind, far)
	add(reason.BadSequence, "a proof in another set", m.seal(ada, with(next, func(d *change.Draft) { d.Proof = ids(bind, far) })), bind, boBind, far)
	add(reason.BadSequence, "a control change that refers to content", m.seal(ada, with(m.later(bind, bind, body.Bind{}), func(d *change.Draft) {
		d.Deps, d.HLC = ids(one), start+9
	})), bind, one)

	// Authority.
	missing := reason.CapabilityMissing
	add(missing, "no proof", m.seal(ada, with(draft, func(d *change.Draft) { d.Proof = nil })), bind)
	add(missing, "proof is no binding", m.seal(ada, with(on(one, next), func(d *change.Draft) { d.Proof = ids(one) })), bind, one)
	add(missing, "the binding of another", m.seal(ada, with(draft, func(d *change.Draft) { d.Proof = ids(boBind) })), boBind)
	add(missing, "the binding in the second place", m.seal(ada, with(draft, func(d *change.Draft) { d.Proof = ids(boBind, bind) })), bind, boBind)
	add(missing, "an entry in an agent's space", m.seal(ada, with(draft, func(d *change.Draft) { d.Space = bind.Head.Space })), bind)
	add(missing, "a document in the commons", m.seal(ada, with(m.page(ada, bind, ada), func(d *change.Draft) { d.Space = change.Commons("go") })), bind)
	add(missing, "another's page", m.seal(bo, m.page(ada, boBind, bo)), bind, boBind)
	add(missing, "a vote in another's space", m.seal(bo, change.Draft{Space: bind.Head.Space, Kind: change.KindVote, HLC: start + 1, Proof: ids(boBind)}), boBind)
	add(missing, "an unknown kind in another's space", m.seal(bo, change.Draft{Space: bind.Head.Space, Kind: "zeta", HLC: start + 1, Proof: ids(boBind)}), boBind)
	id := change.Base32(bytes.Repeat([]byte{5}, 32))
	for _, kind := range []string{change.KindEntryPut, change.KindDocEdit, change.KindBountyOpen} {
		add(missing, kind+" in a guild without a role", m.seal(ada, with(draft, func(d *change.Draft) { d.Space, d.Kind = change.Space("guild/"+id), kind })), bind)
	}
	for _, kind := range []string{change.KindEntryPut, change.KindVote, change.KindMessage, "zeta"} {
		add(missing, kind+" in a team without a role", m.seal(ada, with(draft, func(d *change.Draft) { d.Space, d.Kind = change.Space("team/"+id), kind })), bind)
	}
	manifest := change.Draft{Space: change.SpaceNet, Kind: change.KindManifest, HLC: start + 1, Body: m.encode(body.Manifest{})}
	add(missing, "a manifest by no root", m.seal(ada, with(manifest, func(d *change.Draft) { d.Proof = ids(bind) })), bind)
	add(missing, "a manifest outside of net", m.seal(root, with(manifest, func(d *change.Draft) { d.Space = m.agent(root).Space() })))
	add(missing, "a manifest with another's identity", m.seal(root, with(manifest, func(d *change.Draft) { d.Proof = ids(bind) })), bind)
	boLater := m.seal(bo, m.later(boBind, boBind, body.Bind{}))
	add(missing, "a later binding without a proof", m.seal(ada, with(m.later(bind, bind, body.Bind{}), func(d *change.Draft) { d.Proof = nil })), bind)
	add(missing, "a later binding with another's identity", m.seal(ada, m.later(bind, boLater, body.Bind{})), bind, boBind, boLater)
	add(missing, "a binding in the commons", m.seal(ada, with(m.genesisDraft(ada, body.Bind{Name: "Ada"}), func(d *change.Draft) { d.Space = change.Commons("go") })))

	chain := []*change.Change{bind}
	for range 10 {
		last := chain[len(chain)-1]
		chain = append(chain, m.seal(ada, m.later(last, last, body.Bind{})))
	}
	last := chain[10]
	add(reason.ChainInvalid, "eleven bindings up to the genesis", m.seal(ada, m.later(last, last, body.Bind{})), chain...)

	invalid := reason.BindingInvalid
	cy := key(0x44)
	add(invalid, "the space of another key", m.seal(ada, with(m.genesisDraft(ada, body.Bind{Name: "Ada"}), func(d *change.Draft) { d.Space = m.agent(bo).Space() })))
	add(invalid, "a genesis with a proof", m.seal(ada, with(m.genesisDraft(ada, body.Bind{Name: "Ada"}), func(d *change.Draft) { d.Proof, d.HLC = ids(boBind), start+1 })), boBind)
	add(invalid, "a ticket with too few bits", m.bind(ada, body.Bind{Name: "Ada", Pow: badTicket(m, ada.Key())}))
	add(invalid, "the sponsor of another", m.bind(ada, body.Bind{Name: "Ada", Sponsor: m.sponsor(bo, cy)}))
	ctl := []string{cy.Key().String()}
	add(invalid, "a proof for another key", m.bind(ada, body.Bind{Name: "Ada", Controllers: ctl, Proof: m.keyProof(bo, cy)}))
	add(invalid, "a proof by no controller", m.bind(ada, body.Bind{Name: "Ada", Controllers: ctl, Proof: m.keyProof(ada, bo)}))
	add(invalid, "a proof that does not verify", m.bind(ada, body.Bind{Name: "Ada", Controllers: ctl, Proof: func() *binding.Proof {
		p := m.keyProof(ada, cy)
		p.Sig[0] ^= 1
		return p
	}()}))
	add(invalid, "a later proof by no controller", m.seal(ada, m.later(bind, bind, body.Bind{Controllers: ctl, Proof: m.keyProof(ada, cy)})), bind)

	// Body.
	mixed := vectortest.Of(one)
	other := vectortest.Hex("\xa0")
	mixed[1] = &other
	raw(reason.BlobMismatch, "another body", mixed, bind)
	entryBody := func(code reason.Code, name string, v cbor.Map) {
		add(code, "entry.put: "+name, m.seal(ada, with(draft, func(d *change.Draft) { d.Body = m.cbor(v) })), bind)
	}
	text := entry().Text
	entryBody(reason.InvalidType, "unknown type", cbor.Map{"type": "rumour", "text": text})
	entryBody(reason.TooShort, "39 characters", cbor.Map{"type": "wisdom", "text": strings.Repeat("字", 39)})
	entryBody(reason.TooShort, "40 characters that collapse to 39", cbor.Map{"type": "wisdom", "text": strings.Repeat("字", 20) + "  " + strings.Repeat("字", 18)})
	entryBody(reason.TooLong, "4001 characters", cbor.Map{"type": "wisdom", "text": strings.Repeat("字", 4001)})
	entryBody(reason.ReceiptMismatch, "another hash", cbor.Map{"type": "wisdom", "text": text, "receipt": []byte("{}"), "rsha": bytes.Repeat([]byte{1}, 32)})
	entryBody(reason.ReceiptMismatch, "a hash of zeros", cbor.Map{"type": "wisdom", "text": text, "receipt": []byte("{}"), "rsha": make([]byte, 32)})
	entryBody(reason.BadEncoding, "no text", cbor.Map{"type": "wisdom"})
	entryBody(reason.BadEncoding, "text and hash", cbor.Map{"type": "wisdom", "text": text, "hash": make([]byte, 32)})
	entryBody(reason.BadEncoding, "a domain in the commons", cbor.Map{"type": "wisdom", "text": text, "domain": "go"})
	add(reason.BadEncoding, "entry.put: no map", m.seal(ada, with(draft, func(d *change.Draft) { d.Body = []byte{0x80} })), bind)
	add(reason.BadEncoding, "entry.put: trailing byte", m.seal(ada, with(draft, func(d *change.Draft) { d.Body = append(bytes.Clone(d.Body), 0) })), bind)
	add(reason.BadEncoding, "entry.put: empty body", m.seal(ada, with(draft, func(d *change.Draft) { d.Body = []byte{} })), bind)
	two := m.seal(ada, on(one, with(draft, func(d *change.Draft) { d.HLC = start + 5 })))
	add(reason.BadEncoding, "entry.retract: target is no dep and not prev", m.seal(ada, on(two, change.Draft{
		Space: one.Head.Space, Kind: change.KindEntryRetract, Body: m.encode(body.Retract{Target: one.ID}), HLC: start + 9, Proof: ids(bind),
	})), bind, one, two)
	about := func(kind string, space change.Space, says cbor.Map) *change.Change {
		return m.seal(bo, change.Draft{Space: space, Kind: kind, Body: m.cbor(says), HLC: start + 9, Deps: ids(bind), Proof: ids(boBind)})
	}
	add(reason.BadEncoding, "comment: a note of 501", about(change.KindComment, bind.Head.Space, cbor.Map{"target": bind.ID[:], "text": strings.Repeat("é", 501)}), bind, boBind)
	add(reason.BadEncoding, "comment: target is no dep", about(change.KindComment, bind.Head.Space, cbor.Map{"target": boBind.ID[:], "text": "x"}), bind, boBind)
	add(reason.BadEncoding, "label: of no value", about(change.KindLabel, bind.Head.Space, cbor.Map{"target": bind.ID[:], "value": "ugly"}), bind, boBind)
	add(reason.BadEncoding, "served: none", m.seal(ada, change.Draft{
		Space: bind.Head.Space, Kind: change.KindServed, HLC: start + 9, Proof: ids(bind), Body: m.cbor(cbor.Map{"day": 1, "rows": []any{[]any{bind.ID[:], 0}}}),
	}), bind)
	add(reason.BadEncoding, "doc.edit: the actor of another", m.seal(ada, m.page(ada, bind, bo)), bind)
	add(reason.BadEncoding, "profile.bind: name of 1", m.bind(ada, body.Bind{Name: "é"}))
	add(reason.BadEncoding, "profile.bind: name of 65", m.bind(ada, body.Bind{Name: strings.Repeat("é", 65)}))
	add(reason.BadEncoding, "profile.bind: genesis without a name", m.bind(ada, body.Bind{}))
	add(reason.BadEncoding, "profile.bind: a later name of 65", m.seal(ada, m.later(bind, bind, body.Bind{Name: strings.Repeat("é", 65)})), bind)
	add(reason.BadEncoding, "net.manifest: no map", m.seal(root, with(manifest, func(d *change.Draft) { d.Body = []byte{0x80} })))
	return out
}

// otherShard is a domain whose open set is not that of domain.
func otherShard(domain string, shards int) string {
	for c := 'a'; ; c++ {
		if d := string(c); change.SetOf(change.Commons(d), "x", shards) != change.SetOf(change.Commons(domain), "x", shards) {
			return d
		}
	}
}

func badTicket(m *maker, k did.Key) uint64 {
	for p := uint64(1); ; p++ {
		if binding.TicketBits(m.net, k, p) < m.genesis.Bits {
			return p
		}
	}
}

func TestRefusedChanges(t *testing.T) {
	t.Parallel()
	seen := map[reason.Code]bool{}
	for _, v := range vectortest.Golden(t, "change/refused.json", refusedVectors(t)) {
		j, past := replay(t, v.In)
		_, err := check(j, past, v.In.Change)
		if got := reason.Of(err); got != v.Code {
			t.Errorf("%s: got %v", v.Name, err)
		}
		if got := rules.MissingIDs(err); (len(got) > 0) != (v.Code == reason.MissingDeps) {
			t.Errorf("%s: missing %v", v.Name, got)
		}
		seen[v.Code] = true
	}
	for _, c := range []reason.Code{
		reason.BadEncoding, reason.BadChangeSignature, reason.MissingDeps, reason.BadSequence, reason.CapabilityMissing, reason.ChainInvalid,
		reason.BindingInvalid, reason.BlobMismatch, reason.InvalidType, reason.TooShort, reason.TooLong, reason.ReceiptMismatch,
	} {
		if !seen[c] {
			t.Errorf("no vector is refused with %s", c)
		}
	}
}
