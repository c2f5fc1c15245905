package node_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/attest"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/passport"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/view"
)

// answers are what a node says to a passport, by name of the check.
func (b *box) answers(p passport.Passport, own string) map[string]attest.Answer {
	b.t.Helper()
	found, err := b.CheckPassport(b.t.Context(), p, own)
	if err != nil {
		b.t.Fatal(err)
	}
	out := map[string]attest.Answer{}
	for _, f := range found {
		out[f.Name] = f.Answer
	}
	if len(out) != 5 {
		b.t.Fatalf("checks %v", found)
	}
	return out
}

func (b *box) wants(what string, p passport.Passport, want map[string]attest.Answer) {
	b.t.Helper()
	got := b.answers(p, "did:web:own.example")
	for _, name := range []string{"issuer", "agent", "delegation", "revocation", "memory"} {
		w, listed := want[name]
		if !listed {
			w = attest.Yes
		}
		if got[name] != w {
			b.t.Errorf("%s: %s is answered with %v, want %v", what, name, got[name], w)
		}
	}
}

func TestPassportIsCheckedAgainstTheLog(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	defer b.shut()
	ada, bo := b.agent("Ada"), b.agent("Bo")
	entry := b.contribute(bo, lesson).ID.Text(change.PrefixEntry)
	until := time.Now().Add(time.Hour)
	c, err := b.Delegate(t.Context(), ada.ID, view.Delegation{Audience: bo.DID, Can: []string{"entry/put"}, Expires: &until})
	if err != nil {
		t.Fatal(err)
	}
	p := b.passportOf(bo, passport.FormJSON, true)
	if !slices.Equal(p.Delegation, []string{c.CID}) {
		t.Fatalf("chain %v", p.Delegation)
	}
	b.wants("as issued", p, nil)
	if at, err := b.PlaceInPassport(t.Context(), p, entry); err != nil || p.Memory.Contains(entry, at) != nil {
		t.Errorf("place of the entry: %v", err)
	}
	if _, err := b.PlaceInPassport(t.Context(), p, "ent_none"); code(err) != reason.EntryNotFound {
		t.Errorf("place of no entry: %v", err)
	}

	edited := func(f func(p *passport.Passport)) passport.Passport {
		q := p
		q.Delegation = slices.Clone(p.Delegation)
		f(&q)
		return q
	}
	const unknown, no = attest.Unknown, attest.No
	stranger := keys.FromSeed([32]byte{9}).Key()
	b.wants("a stranger", edited(func(q *passport.Passport) { q.Subject, q.Issuer, q.Delegation = stranger, stranger.String(), nil }),
		map[string]attest.Answer{"agent": unknown, "memory": unknown})
	b.wants("signed by a stranger", edited(func(q *passport.Passport) { q.Issuer, q.Delegation = stranger.String(), nil }), map[string]attest.Answer{"issuer": no})
	b.wants("signed by a stranger with a right of another", edited(func(q *passport.Passport) { q.Issuer = stranger.String() }), map[string]attest.Answer{"issuer": no})
	b.wants("signed by who gave the right", edited(func(q *passport.Passport) { q.Issuer = ada.DID.String() }), map[string]attest.Answer{"issuer": no})
	b.wants("a token nobody has", edited(func(q *passport.Passport) { q.Issuer, q.Delegation = stranger.String(), []string{ucan.CID("x")} }),
		map[string]attest.Answer{"issuer": unknown, "delegation": unknown, "revocation": unknown})
	b.wants("a token too many", edited(func(q *passport.Passport) { q.Delegation = append(q.Delegation, ucan.CID("x")) }),
		map[string]attest.Answer{"delegation": no, "revocation": unknown})
	b.wants("another's token", edited(func(q *passport.Passport) {
		q.Subject, q.Issuer, q.Memory = ada.DID, ada.DID.String(), passport.Memory{}
	}),
		map[string]attest.Answer{"delegation": no, "memory": unknown})
	b.wants("by its host", edited(func(q *passport.Passport) { q.Issuer = "did:web:own.example" }), nil)
	b.wants("by another host", edited(func(q *passport.Passport) { q.Issuer = "did:web:else.example" }), nil)
	b.wants("with other counts", edited(func(q *passport.Passport) { q.Memory.Gotcha, q.Memory.Wisdom = 0, 1 }), map[string]attest.Answer{"memory": no})
	b.wants("with another state", edited(func(q *passport.Passport) { q.State.SHA256[0] ^= 1 }), map[string]attest.Answer{"memory": no})

	b.contribute(bo, retold(1))
	b.wants("after another entry", p, map[string]attest.Answer{"memory": unknown})
	if _, err := b.PlaceInPassport(t.Context(), p, entry); code(err) != reason.EntryNotFound {
		t.Errorf("place in a memory of before: %v", err)
	}
	if _, err := b.Revoke(t.Context(), ada.ID, c.ID, nil, ""); err != nil {
		t.Fatal(err)
	}
	b.wants("after the right was taken back", p, map[string]attest.Answer{"memory": unknown, "revocation": no})
	if _, err := b.RotateHere(t.Context(), bo.ID, b.ConsentOfKey(bo.ID), view.Turn{}); err != nil {
		t.Fatal(err)
	}
	if got := b.answers(p, ""); got["agent"] != no {
		t.Errorf("after a rotation the agent is %v", got["agent"])
	}
}

func TestPassportOfADeviceIsCheckedByItsLoan(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, 2, nil)
		home, laptop := c.nodes[0], c.nodes[1]
		ada := home.agent("Ada")
		c.within(twoTurns, "the agent arrives", func() bool { _, err := laptop.Agent(t.Context(), ada.ID); return err == nil })
		lend(t, home, laptop, ada, time.Hour)
		c.within(twoTurns, "the loan arrives", func() bool { a, err := laptop.Agent(t.Context(), ada.ID); return err == nil && a.Local })
		p := laptop.passportOf(ada, passport.FormBinary, false)
		home.wants("by a device", p, nil)
		q := p
		q.Issuer = keys.FromSeed([32]byte{9}).Key().String()
		home.wants("by another key, with the device's loan", q, map[string]attest.Answer{"issuer": attest.No})
		time.Sleep(2 * time.Hour)
		home.wants("after its term", p, map[string]attest.Answer{"issuer": attest.No, "revocation": attest.No})
	})
}

// A passport of a host is signed with the key that its document lists.
func TestPassportOfAHost(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	defer b.shut()
	ada := b.agent("Ada")
	order := view.PassportOrder{Host: "did:web:own.example", Key: "owner"}
	issued := func(resolve passport.Resolver) (passport.Passport, error) {
		raw, err := b.Passport(t.Context(), ada.ID, order)
		if err != nil {
			t.Fatal(err)
		}
		return passport.ReadAny(raw, resolve)
	}
	if p, err := issued(nil); err != nil || p.Issuer != ada.DID.String() {
		t.Fatalf("without an owner: %q %v", p.Issuer, err)
	}
	if _, err := b.OwnerActingKey(t.Context()); err != nil {
		t.Fatal(err)
	}
	owner, _, err := b.OpenAgent(t.Context(), view.Genesis{KeyName: core.OwnerKey, Name: "owner", Custody: "self"})
	if err != nil {
		t.Fatal(err)
	}
	p, err := issued(func(method string) (did.Key, error) {
		if method != "did:web:own.example#owner" {
			t.Errorf("signed with %s", method)
		}
		return owner.DID, nil
	})
	if err != nil || p.Issuer != order.Host || p.Subject != ada.DID {
		t.Fatalf("by the host: %q %v", p.Issuer, err)
	}
	b.wants("by the host", p, nil)
	order.Host = "own.example"
	if _, err := b.Passport(t.Context(), ada.ID, order); err == nil {
		t.Error("a host that is no did:web issues")
	}
}

func TestPassportOfAnotherHome(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	defer b.shut()
	key, _, err := b.NewActingKey(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ada, _, err := b.OpenAgent(t.Context(), view.Genesis{KeyName: key, Name: "Ada", Custody: "self", Home: "mesh.example.org:8443"})
	if err != nil {
		t.Fatal(err)
	}
	p := b.passportOf(ada, passport.FormJSON, false)
	for issuer, want := range map[string]attest.Answer{
		"did:web:mesh.example.org%3A8443": attest.Yes, "did:web:mesh.example.org": attest.No, "did:web:else.example.org": attest.No, "did:web:own.example": attest.Yes,
	} {
		p.Issuer = issuer
		b.wants(issuer, p, map[string]attest.Answer{"issuer": want})
	}
}
