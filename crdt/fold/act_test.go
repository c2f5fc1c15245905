package fold_test

import (
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/internal/worldtest"
)

// ballotOf votes for or against a target.
func ballotOf(t *testing.T, a *worldtest.Author, target *change.Change, value int64) *change.Change {
	t.Helper()
	b, err := body.Vote{Target: target.ID, Value: value}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return a.Change(change.KindVote, target.Head.Space, b, worldtest.Options{Deps: []change.ID{target.ID}})
}

func wantVotes(t *testing.T, v *fold.Views, target *change.Change, up, down int) {
	t.Helper()
	if u, d := v.Votes(target.ID); u != up || d != down {
		t.Errorf("votes %d up, %d down; want %d, %d", u, d, up, down)
	}
}

// The last vote of an agent counts, its own entry counts nothing, and whatever
// order the changes come in, from a checkpoint too, the views are the same.
func TestVotes(t *testing.T) {
	t.Parallel()
	w := worldtest.New(3)
	ada, bo, cy := w.Agent("Ada"), w.Agent("Bo"), w.Agent("Cy")
	cs := []*change.Change{ada.Bind(), bo.Bind(), cy.Bind()}
	e := ada.Entry("go", "vote on me")
	cs = append(cs, e, ballotOf(t, ada, e, 1), ballotOf(t, bo, e, -1), ballotOf(t, cy, e, 1), ballotOf(t, bo, e, 1))
	w.Verify(cs...)
	v := fold.New(w.Net)
	apply(v, cs...)
	wantVotes(t, v, e, 2, 0)
	if v.VoteOf(e.ID, bo.ID) != 1 || v.VoteOf(e.ID, ada.ID) != 0 {
		t.Error("the vote of one agent is wrong")
	}
	_, want := v.Hash()
	other := fold.New(w.Net)
	apply(other, cs[0], cs[1], cs[2], cs[5], cs[7], cs[6], cs[3], cs[4])
	if _, got := other.Hash(); got != want {
		t.Error("another order gives other views")
	}
	loaded, err := fold.Load(w.Net, v.AppendCheckpoint(nil))
	if err != nil {
		t.Fatal(err)
	}
	if _, got := loaded.Hash(); got != want {
		t.Error("the checkpoint gives other views")
	}
	wantVotes(t, loaded, e, 2, 0)
	for _, d := range loaded.Withdraw(cs[6]) {
		if d.Kind != fold.Acted || !d.Gone || d.Target != e.ID || d.Act != change.KindVote {
			t.Errorf("delta %+v", d)
		}
	}
	wantVotes(t, loaded, e, 1, 0)
}

// A vote with a right that was taken back counts no more, and again when it is
// readmitted.
func TestVotesUnderACut(t *testing.T) {
	t.Parallel()
	w := worldtest.New(4)
	var s tale
	ada, bo := w.Agent("Ada"), w.Agent("Bo")
	s.add(ada.Bind(), bo.Bind())
	guild := s.add(ada.OpenGuild("Moles", body.Private))
	member := s.add(ada.Member(guild, bo, "member"))
	bo.UseRight(member)
	team := in(ada, guild.Head.Space, "an entry of the founder")
	e := s.add(team)
	vote := s.add(ballotOf(t, bo, e, 1))
	w.Verify(s.changes...)
	v := fold.New(w.Net)
	apply(v, s.changes...)
	wantVotes(t, v, e, 1, 0)
	cut := ada.Revoke(member, body.Cuts{})
	w.Verify(cut)
	apply(v, cut)
	again := ada.Endorse(guild.Head.Space, body.Readmit, vote)
	w.Verify(again)
	wantVotes(t, v, e, 0, 0)
	apply(v, again)
	wantVotes(t, v, e, 1, 0)
	other := fold.New(w.Net)
	apply(other, append(append([]*change.Change{}, s.changes...), cut, again)...)
	_, a := v.Hash()
	if _, b := other.Hash(); a != b {
		t.Error("another order gives other views")
	}
}
