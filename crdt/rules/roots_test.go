package rules_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/internal/vectortest"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/rules"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
)

// hybridNet is a network of two roots with second keys.
func hybridNet() change.Genesis {
	g := vectorNet()
	g.Name, g.Roots, g.PQ = "hybrid roots", nil, nil
	for _, b := range []byte{0x33, 0x44} {
		k := hybrid(b).Key()
		g.Roots, g.PQ = append(g.Roots, k.Key), append(g.PQ, change.HashPQ(k.PQ))
	}
	return g
}

// Where the genesis names second keys of the roots, a manifest with anything but both
// signatures of one root is no member; where it does not, it acts as ever.
func TestHybridRoots(t *testing.T) {
	t.Parallel()
	m, old := newMaker(t, hybridNet()), newMaker(t, vectorNet())
	one, two, ed := hybrid(0x33), hybrid(0x44), key(0x33)
	law := body.Manifest{Bootstrap: []string{"/dns4/mesh.example/tcp/443/wss"}, Labelers: []did.Key{key(0x22).Key()}, PQ: one.Key().PQ}
	draft := func(v body.Manifest, proof ...*change.Change) change.Draft {
		return change.Draft{Net: m.net, Space: change.SpaceNet, Kind: change.KindManifest, Body: m.encode(v), HLC: start + 1, Seq: 1, Proof: ids(proof...)}
	}
	var out []changeVector
	ok := func(m *maker, rule, name string, c *change.Change, past ...*change.Change) *change.Change {
		out = append(out, changeVector{Name: name, In: m.in(vectortest.Of(c), past), Out: m.out(c), Rule: rule})
		return c
	}
	bad := func(code reason.Code, rule, name string, c *change.Change, past ...*change.Change) {
		out = append(out, changeVector{Name: string(code) + ": " + name, In: m.in(vectortest.Of(c), past), Code: code, Rule: rule})
	}
	resigned := func(c *change.Change, sign func(h *change.Head)) *change.Change {
		h := *c.Head
		h.Sig2 = bytes.Clone(h.Sig2)
		sign(&h)
		return &change.Change{ID: c.ID, Head: &h, RawHead: h.Encode(), Body: c.Body}
	}

	first := ok(m, "11.26", "a manifest with both signatures of its root", m.sealHybrid(one, draft(law)))
	next := law
	next.Bootstrap = nil
	ok(m, "11.26", "the next one of the same root", m.sealHybrid(one, on(first, func() change.Draft { d := draft(next); d.HLC += 9; return d }())), first)
	theirs := law
	theirs.PQ = two.Key().PQ
	ok(m, "11.26", "one of the other root", m.sealHybrid(two, draft(theirs)))
	bare := m.bind(ed, body.Bind{Name: "root"})
	ok(m, "11.26", "one of a root that is an agent without a second key", m.sealHybrid(one, draft(law, bare)), bare)
	twice := m.sealHybrid(one, m.genesisDraft(ed, body.Bind{Name: "root", PQ: one.Key().PQ}))
	ok(m, "11.26", "one of a root that is an agent with its second key", m.sealHybrid(one, draft(law, twice)), twice)

	bad(reason.BadChangeSignature, "11.26", "signed with the Ed25519 key alone", m.seal(ed, draft(law)))
	bad(reason.BadChangeSignature, "11.26", "signed with the Ed25519 key alone, without pq", m.seal(ed, draft(body.Manifest{})))
	bad(reason.BadChangeSignature, "11.26", "signed with the Ed25519 key alone, by an agent", m.seal(ed, draft(law, bare)), bare)
	bad(reason.BadChangeSignature, "11.26", "sig2 stripped", resigned(first, func(h *change.Head) { h.Sig2 = nil }))
	bad(reason.BadChangeSignature, "11.26", "sig2 stripped and sig made anew", resigned(first, func(h *change.Head) { h.Sig2, h.Sig = nil, ed.Sign(first.ID.Preimage()) }))
	bad(reason.BadChangeSignature, "11.26", "sig of the plain message beside sig2", resigned(first, func(h *change.Head) { h.Sig = ed.Sign(first.ID.Preimage()) }))
	bad(reason.BadChangeSignature, "11.26", "one bit of sig2", resigned(first, func(h *change.Head) { h.Sig2[9] ^= 1 }))
	bad(reason.BadChangeSignature, "11.26", "one bit of sig", resigned(first, func(h *change.Head) { h.Sig[9] ^= 1 }))
	stranger := keys.NewHybridSigner(ed, [32]byte{9})
	own := law
	own.PQ = stranger.Key().PQ
	bad(reason.BadChangeSignature, "11.26", "a second key that the genesis does not name", m.sealHybrid(stranger, draft(own)))
	bad(reason.BadChangeSignature, "11.26", "sig2 of a second key that the genesis does not name", m.sealHybrid(stranger, draft(law)))
	mixed := keys.NewHybridSigner(ed, [32]byte(bytes.Repeat([]byte{0x45}, 32)))
	bad(reason.BadChangeSignature, "11.26", "the second key of the other root", m.sealHybrid(mixed, draft(theirs)))
	bad(reason.BadChangeSignature, "11.26", "sig2 of another change of the root", resigned(first, func(h *change.Head) { h.Sig2 = m.sealHybrid(one, draft(next)).Head.Sig2 }))
	bad(reason.BadChangeSignature, "11.26", "both signatures made for another purpose", resigned(first, func(h *change.Head) {
		sig, sig2, err := one.Sign("passport", h.Unsigned())
		if err != nil {
			t.Fatal(err)
		}
		h.Sig, h.Sig2 = sig, sig2
	}))
	none := law
	none.PQ = nil
	bad(reason.BadChangeSignature, "11.26", "no pq", m.sealHybrid(one, draft(none)))
	short := draft(law)
	short.Body = m.cbor(map[string]any{"bootstrap": []any{}, "gateways": []any{}, "labelers": []any{}, "pq": law.PQ[1:]})
	bad(reason.BadChangeSignature, "11.26", "a pq that is no key", m.sealHybrid(one, short))
	bad(reason.MissingDeps, "12.2", "the body of a manifest of a hybrid root", first.Stub())
	bad(reason.BadChangeSignature, "12.2", "neither sig2 nor the body", m.seal(ed, draft(law)).Stub())
	noMap := draft(law)
	noMap.Body = []byte{0x80}
	bad(reason.BadEncoding, "12.2", "no map, with both signatures", m.sealHybrid(one, noMap))
	bad(reason.CapabilityMissing, "12.2", "both signatures of no root", m.sealHybrid(hybrid(0x55), draft(law)))

	d := draft(body.Manifest{})
	d.Net = old.net
	ok(old, "11.26", "one signature, where the genesis names no second keys", old.seal(ed, d))
	d.Body = m.cbor(map[string]any{"bootstrap": []any{}, "gateways": []any{}, "labelers": []any{}, "pq": "anything"})
	ok(old, "10.4", "a pq that means nothing there", old.seal(ed, d))
	prove(t, vectortest.Golden(t, "change/roots.json", out))
}

// What a batch of changes says about one of them makes no difference: a stripped
// manifest that its descendants continue is refused like one that comes alone.
func TestStrippedManifestInABatch(t *testing.T) {
	t.Parallel()
	m, one := newMaker(t, hybridNet()), hybrid(0x33)
	b := m.encode(body.Manifest{PQ: one.Key().PQ})
	first := m.sealHybrid(one, change.Draft{Net: m.net, Space: change.SpaceNet, Kind: change.KindManifest, Body: b, HLC: start + 1, Seq: 1})
	next := m.sealHybrid(one, on(first, change.Draft{Net: m.net, Space: change.SpaceNet, Kind: change.KindManifest, Body: b, HLC: start + 2}))
	h := *first.Head
	h.Sig2, h.Sig = nil, key(0x33).Sign(first.ID.Preimage())
	stripped := &change.Change{ID: first.ID, Head: &h, RawHead: h.Encode(), Body: first.Body}
	batch := []*change.Change{stripped, next}
	past := log{}
	for i, ev := range rules.Authenticate(batch) {
		_, err := m.judge.Check(batch[i], ev, past)
		var r *reason.Refusal
		want := []reason.Code{reason.BadChangeSignature, reason.MissingDeps}[i]
		if !errors.As(err, &r) || r.Code != want {
			t.Errorf("change %d: %v, want %s", i, err, want)
		}
	}
	if _, err := m.judge.Check(first, rules.Unproven, past); err != nil {
		t.Errorf("with both signatures: %v", err)
	}
}
