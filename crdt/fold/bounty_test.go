package fold_test

import (
	"cmp"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/bounty"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/internal/worldtest"
)

// market is a public guild with a bounty: Ada founded it and pays, Bo earns, Hub
// is the home.
type market struct {
	tale
	ada, bo, hub *worldtest.Author
	w            *worldtest.World
	guild, open  *change.Change
}

func marketOf(t testing.TB, seed uint64) *market {
	t.Helper()
	return marketIn(t, worldtest.New(seed))
}

func marketIn(t testing.TB, w *worldtest.World) *market {
	t.Helper()
	m := &market{w: w, ada: w.Agent("Ada"), bo: w.Agent("Bo"), hub: w.Agent("Hub")}
	m.add(m.ada.Bind(), m.bo.Bind(), m.hub.Bind())
	m.guild = m.add(m.ada.OpenGuild("Market", body.Public))
	b, err := body.BountyOpen{Title: "Mend", Amount: 100_000, Currency: body.Credits, Home: m.hub.Key.Key()}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	m.open = m.add(m.ada.Change(change.KindBountyOpen, m.guild.Head.Space, b, worldtest.Options{}))
	m.confirm(m.open)
	return m
}

func (m *market) step(t testing.TB, by *worldtest.Author, v body.BountyAct) *change.Change {
	t.Helper()
	v.Bounty = m.open.ID
	b, err := v.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return m.add(by.Change(change.KindBountyAct, m.open.Head.Space, b, worldtest.Options{Deps: []change.ID{m.open.ID}}))
}

func (m *market) confirm(c *change.Change) *change.Change {
	return m.add(m.hub.Endorse(m.open.Head.Space, body.Confirm, c))
}

// whole is a bounty from its opening to its payment.
func (m *market) whole(t testing.TB) {
	for _, s := range []struct {
		by  *worldtest.Author
		act body.BountyAct
	}{
		{m.bo, body.BountyAct{Act: body.BountyClaim}},
		{m.bo, body.BountyAct{Act: body.BountySubmit, Text: "first", Proof: []byte("{}")}},
		{m.ada, body.BountyAct{Act: body.BountyChanges, Text: "more"}},
		{m.bo, body.BountyAct{Act: body.BountySubmit, Text: "second"}},
		{m.ada, body.BountyAct{Act: body.BountyAccept}},
		{m.ada, body.BountyAct{Act: body.BountyPayout}},
	} {
		m.confirm(m.step(t, s.by, s.act))
	}
}

func TestBountyFromOpeningToPayment(t *testing.T) {
	t.Parallel()
	m := marketOf(t, 21)
	m.whole(t)
	m.w.Verify(m.changes...)
	v := fold.New(m.w.Net)
	apply(v, m.changes...)
	b, ok := v.Bounty(m.open.ID)
	if !ok || b.Status != bounty.Paid || b.Claimant != m.bo.ID || b.Share != 100 || len(b.Submissions) != 2 || len(b.Events) != 7 {
		t.Fatalf("%t %+v", ok, b)
	}
	if b.Submissions[0].Proof.IsZero() || !b.Submissions[1].Proof.IsZero() {
		t.Error("the proofs are not distinguished")
	}
	loaded, err := fold.Load(m.w.Net, v.AppendCheckpoint(nil))
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := loaded.Bounty(m.open.ID); !reflect.DeepEqual(again, b) {
		t.Errorf("from a checkpoint %+v", again)
	}
	guild, _ := m.guild.Head.Space.Guild()
	if all := v.Bounties(guild); len(all) != 1 || !reflect.DeepEqual(all[0], b) {
		t.Errorf("of the guild: %+v", all)
	}
}

// Only the home's word counts, and only in the bounty's own space.
func TestConfirmationsOfOthersCountNothing(t *testing.T) {
	t.Parallel()
	m := marketOf(t, 22)
	claim := m.step(t, m.bo, body.BountyAct{Act: body.BountyClaim})
	m.add(m.bo.Endorse(m.open.Head.Space, body.Confirm, claim), m.ada.Endorse(m.open.Head.Space, body.Confirm, claim))
	m.add(m.hub.Endorse(m.hub.ID.Space(), body.Confirm, claim), m.hub.Endorse(m.open.Head.Space, body.Approve, claim))
	m.w.Verify(m.changes...)
	v := fold.New(m.w.Net)
	apply(v, m.changes...)
	if b, _ := v.Bounty(m.open.ID); b.Status != bounty.Open || len(b.Steps) != 1 {
		t.Fatalf("%s with %d steps", b.Status, len(b.Steps))
	}
	late := m.confirm(claim)
	m.w.Verify(late)
	apply(v, late)
	if b, _ := v.Bounty(m.open.ID); b.Status != bounty.Claimed {
		t.Fatalf("%s after the home confirmed", b.Status)
	}
}

// In a public guild a stranger may name any role in its proof; it gives nothing.
func TestBorrowedRoleGivesNothing(t *testing.T) {
	t.Parallel()
	m := marketOf(t, 23)
	enc, err := body.BountyAct{Bounty: m.open.ID, Act: body.BountyCancel}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	c := m.add(m.bo.Change(change.KindBountyAct, m.open.Head.Space, enc, worldtest.Options{
		Deps: []change.ID{m.open.ID}, Proof: []change.ID{m.bo.Binding.ID, m.guild.ID},
	}))
	m.confirm(c)
	m.w.Verify(m.changes...)
	v := fold.New(m.w.Net)
	apply(v, m.changes...)
	if b, _ := v.Bounty(m.open.ID); b.Status != bounty.Open || b.Steps[0].Rank != 0 {
		t.Fatalf("%s by a stranger of rank %d", b.Status, b.Steps[0].Rank)
	}
}

// Every order in which changes can arrive, with steps that contradict each other,
// a fork and the removal of an admin, gives the state of the machine on what has
// effect.
func TestBountyInAnyOrder(t *testing.T) {
	t.Parallel()
	m := marketOf(t, 24)
	cy := m.w.Agent("Cy")
	m.add(cy.Bind())
	admin := m.add(m.ada.Member(m.guild, cy, "admin"))
	cy.UseRight(admin)
	twin := m.bo.Clone()
	m.confirm(m.step(t, m.bo, body.BountyAct{Act: body.BountyClaim}))
	m.step(t, twin, body.BountyAct{Act: body.BountyClaim}) // a fork
	m.confirm(m.step(t, m.bo, body.BountyAct{Act: body.BountySubmit, Text: "done"}))
	m.confirm(m.step(t, cy, body.BountyAct{Act: body.BountyAccept}))
	m.step(t, m.ada, body.BountyAct{Act: body.BountyChanges})
	cut := m.ada.Revoke(admin, body.Cuts{})
	m.add(cut)
	m.confirm(m.step(t, m.ada, body.BountyAct{Act: body.BountyAccept}))
	m.w.Verify(m.changes...)
	ref := fold.New(m.w.Net)
	apply(ref, m.changes...)
	want, _ := ref.Bounty(m.open.ID)
	_, hash := ref.Hash()
	if want.Status != bounty.Accepted || want.Events[3].Agent != m.ada.ID {
		t.Fatalf("%s, %+v", want.Status, want.Events)
	}
	if !slices.IsSortedFunc(want.Steps, func(a, b bounty.Step) int { return cmp.Or(cmp.Compare(a.HLC, b.HLC), a.ID.Compare(b.ID)) }) {
		t.Error("steps are not in (hlc, id) order")
	}
	rapid.Check(t, func(t *rapid.T) {
		v := fold.New(m.w.Net)
		apply(v, arrival(t, m.changes)...)
		got, _ := v.Bounty(m.open.ID)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v, want %+v", got, want)
		}
		if _, h := v.Hash(); h != hash {
			t.Fatal("another hash")
		}
	})
}

// arrival is an order in which each change comes after its past.
func arrival(t *rapid.T, cs []*change.Change) []*change.Change {
	left := slices.Clone(cs)
	var out []*change.Change
	here := map[change.ID]bool{}
	for len(left) > 0 {
		var ready []int
		for i, c := range left {
			past := slices.Concat(c.Head.Parents(), c.Head.Proof)
			if !slices.ContainsFunc(past, func(id change.ID) bool { return !here[id] && !id.IsZero() }) {
				ready = append(ready, i)
			}
		}
		at := rapid.SampledFrom(ready).Draw(t, "next")
		here[left[at].ID] = true
		out = append(out, left[at])
		left = slices.Delete(left, at, at+1)
	}
	return out
}
