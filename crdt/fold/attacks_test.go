package fold_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/internal/worldtest"
)

func viewsOf(w *worldtest.World, cs changes) *fold.Views {
	v := fold.New(w.Net)
	apply(v, cs...)
	return v
}

func live(v *fold.Views, c *change.Change) bool {
	e, ok := v.Entry(c.ID)
	return ok && e.State == fold.Live
}

// sameInAnyOrder wants equal rows however cs come.
func sameInAnyOrder(t *testing.T, w *worldtest.World, cs changes) {
	t.Helper()
	w.Verify(cs...)
	want := viewsOf(w, cs).Rows()
	for seed := range uint64(200) {
		if !slices.EqualFunc(viewsOf(w, shuffled(cs, seed)).Rows(), want, bytes.Equal) {
			t.Fatalf("order %d gives other rows", seed)
		}
	}
}

func walletOf(w *worldtest.World) []string { return []string{worldtest.Account(w.Wallet("w"))} }

func TestWhoWasRemovedCannotLeaveToTakeItsWorkAlong(t *testing.T) {
	t.Parallel()
	w := worldtest.New(1)
	ada, bo := w.Agent("ada"), w.Agent("bo")
	cs := changes{ada.Bind(), bo.Bind()}
	guild := ada.OpenGuild("gophers", body.Private)
	member := ada.Member(guild, bo, "member")
	kept := in(bo, guild.Head.Space, "kept")
	cs = append(cs, guild, member, kept, ada.Revoke(member, worldtest.CutAt(kept)), bo.Revoke(member, body.Cuts{}))
	sameInAnyOrder(t, w, cs)
	if v := viewsOf(w, cs); !live(v, kept) {
		t.Errorf("what the removal kept is gone: %v", v.Effect(kept))
	}
}

// A key that founded a guild and was replaced opens it once more, as another agent.
func TestOldKeyOfTheFounderGainsNothing(t *testing.T) {
	t.Parallel()
	w := worldtest.New(1)
	first, bo := w.Agent("first"), w.Agent("bo")
	cs := changes{first.Bind(), bo.Bind()}
	ada, rotation := first.Rotate("old", nil, body.Rotate{Cut: first.Cut()})
	guild := ada.OpenGuild("gophers", body.Public)
	member := ada.Member(guild, bo, "member")
	entry := in(bo, guild.Head.Space, "entry")
	_, away := ada.Rotate("new", nil, body.Rotate{Cut: ada.Cut()})
	thief := w.Agent("old")
	born := thief.BindAs(body.Bind{Name: "thief"})
	again := thief.OpenGuild("gophers", body.Public)
	b, err := body.Revoke{Grant: member.ID, Cut: body.Cuts{}}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	revoke := thief.Change(change.KindRevoke, guild.Head.Space, b, worldtest.Options{Deps: []change.ID{member.ID}, Proof: []change.ID{born.ID, again.ID}})
	cs = append(cs, rotation, guild, member, entry, away, born, again, revoke)
	sameInAnyOrder(t, w, cs)
	if v := viewsOf(w, cs); !live(v, entry) {
		t.Errorf("an old key has removed a member: %v", v.Effect(entry))
	}
}

func TestOneKeyInTwoAgents(t *testing.T) {
	t.Parallel()
	w := worldtest.New(1)
	ada, bo, cy := w.Agent("ada"), w.Agent("bo"), w.Agent("cy")
	cs := changes{ada.Bind(), bo.Bind(), cy.Bind()}
	guild := ada.OpenGuild("gophers", body.Private)
	_, borrowed := cy.Rotate("bo", nil, body.Rotate{Cut: cy.Cut()})
	member := ada.Member(guild, bo, "member")
	cs = append(cs, guild, borrowed, member, in(bo, guild.Head.Space, "entry"), bo.Revoke(member, body.Cuts{}))
	sameInAnyOrder(t, w, cs)
}

// The grant of an admin may come before its agent is known.
func TestGrantBeforeItsHolderIsBorn(t *testing.T) {
	t.Parallel()
	w := worldtest.New(1)
	ada, bo, cy := w.Agent("ada"), w.Agent("bo"), w.Agent("cy")
	cs := changes{ada.Bind(), bo.BindAs(body.Bind{Name: "bo", Controllers: walletOf(w)}), cy.Bind()}
	guild := ada.OpenGuild("gophers", body.Public)
	admin, member := ada.Member(guild, bo, "admin"), ada.Member(guild, cy, "member")
	entry, cut := in(cy, guild.Head.Space, "entry"), bo.Cut()
	revoke := bo.Revoke(member, body.Cuts{})
	_, rotation := bo.Rotate("new", worldtest.ByWallet(w.Wallet("w")), body.Rotate{Cut: cut})
	cs = append(cs, guild, admin, member, entry, revoke, rotation)
	sameInAnyOrder(t, w, cs)
	if v := viewsOf(w, cs); !live(v, entry) {
		t.Errorf("a revocation beyond a cut counts: %v", v.Effect(entry))
	}
}

func TestCutOfARotationDropsABranchOfTheGenesis(t *testing.T) {
	t.Parallel()
	w := worldtest.New(1)
	bo := w.Agent("bo")
	twin := bo.Clone()
	honest := bo.BindAs(body.Bind{Name: "honest", Controllers: append(walletOf(w), w.Key("more").Key().String())})
	w.Advance(1000)
	forged := twin.BindAs(body.Bind{Name: "thief", Controllers: walletOf(w)})
	_, rotation := bo.Rotate("new", worldtest.ByWallet(w.Wallet("w")), body.Rotate{Cut: bo.Cut()})
	cs := changes{honest, forged, rotation}
	sameInAnyOrder(t, w, cs)
	if a, _ := viewsOf(w, cs).Agent(bo.ID); a.Name != "honest" || len(a.Controllers) != 2 {
		t.Errorf("named %q with %d controllers: a branch counts that the cut dropped", a.Name, len(a.Controllers))
	}
}

func TestCutGivesABranchItsWeightBack(t *testing.T) {
	t.Parallel()
	w := worldtest.New(1)
	bo := w.Agent("bo")
	cs := changes{bo.BindAs(body.Bind{Name: "bo", Controllers: walletOf(w)})}
	twin := bo.Clone()
	left, right := bo.Entry("go", "left"), twin.Entry("go", "right")
	_, rotation := bo.Rotate("new", worldtest.ByWallet(w.Wallet("w")), body.Rotate{Cut: bo.Cut()})
	cs = append(cs, left, right, rotation)
	sameInAnyOrder(t, w, cs)
	v := viewsOf(w, cs)
	if s, _ := v.Stats(bo.ID); s.Reputation.Contributions != 1 || !live(v, left) || live(v, right) {
		t.Errorf("%d contributions, left %t, right %t", s.Reputation.Contributions, live(v, left), live(v, right))
	}
}

// Each key of a line endorses all endorses of the one before, in vain: nine times
// the questions at each key if answers were not kept.
func TestEndorsesOfEndorsesCostLittle(t *testing.T) {
	t.Parallel()
	w := worldtest.New(1)
	bo := w.Agent("bo")
	cs := changes{bo.Bind()}
	entry := bo.Entry("go", "entry")
	cs = append(cs, entry)
	last := changes{entry}
	for i := range 20 {
		next, rotation := bo.Rotate(fmt.Sprint("key ", i), nil, body.Rotate{Cut: body.Cut{}})
		if cs = append(cs, rotation); i == 19 {
			break
		}
		var endorses changes
		for range 9 {
			endorses = append(endorses, next.Endorse(change.Commons("go"), body.Readmit, last...))
		}
		cs, last, bo = append(cs, endorses...), endorses, next
	}
	w.Verify(cs...)
	if v := viewsOf(w, cs); live(v, entry) { // ends at all
		t.Errorf("endorses that count for nothing readmit: %v", v.Effect(entry))
	}
}

// The founder of another guild cites its own opening to end a membership here.
func TestFounderOfAnotherGuildEndsNothing(t *testing.T) {
	t.Parallel()
	w := worldtest.New(7)
	var s tale
	ada, bo, guild := founded(w, &s)
	mal := w.Agent("Mal")
	s.add(mal.Bind())
	g := s.add(ada.Member(guild, bo, "member"))
	e := s.add(in(bo, guild.Head.Space, "work"))
	own := s.add(mal.OpenGuild("Own", body.Public))
	b, err := body.Revoke{Grant: g.ID, Cut: body.Cuts{}}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	s.add(mal.Change(change.KindRevoke, guild.Head.Space, b, worldtest.Options{Deps: []change.ID{g.ID}, Proof: []change.ID{mal.Binding.ID, own.ID}}))
	w.Verify(s.changes...) // it is a member: who may end a grant is a matter of effect
	v := fold.New(w.Net)
	apply(v, s.changes...)
	s.expect(changes{e}, nil).check(t, v)
}

// A cut names a change that is not here yet. What it keeps in a guild that came
// after the cut counts when that change comes.
func TestCutMeetsAGuildThatCameLater(t *testing.T) {
	t.Parallel()
	w := worldtest.New(1)
	ada, bo := w.Agent("Ada"), w.Agent("Bo")
	cs := changes{ada.Bind(), bo.Bind()}
	device, lent := ada.Device("device", "*")
	guild := ada.OpenGuild("Moles", body.Public)
	member := device.Member(guild, bo, "member")
	_, last := ada.Device("another", "*")
	_, rotation := ada.Rotate("next", nil, body.Rotate{Cut: ada.Cut()})
	w.Verify(append(cs, lent, guild, member, last, rotation)...)
	want := viewsOf(w, append(cs, lent, guild, member, last, rotation))
	v := fold.New(w.Net)
	apply(v, cs[0], cs[1], rotation, lent, guild, member, last)
	if a, b := v.Rows(), want.Rows(); !slices.EqualFunc(a, b, bytes.Equal) {
		t.Errorf("%d rows where the rotation came first, %d where it came last", len(a), len(b))
	}
}
