package fold_test

import (
	"testing"

	"github.com/meshd/meshd/crdt/board"
	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/internal/worldtest"
)

const aTask = "tsk_019ca945-0a00-7006-8c98-b6bad2ed9eee"

// stepOf is an act about aTask in a team.
func stepOf(t *testing.T, a *worldtest.Author, team change.Space, act string, hlc uint64) *change.Change {
	t.Helper()
	b, err := body.TaskAct{Task: aTask, Act: act}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return a.Change(change.KindTaskAct, team, b, worldtest.Options{HLC: hlc})
}

// Of two claims at once the first by time and id stands, on every node and in
// whatever order they came; a retracted message is in no list, and a checkpoint
// says the same as the log.
func TestTasksAndMessages(t *testing.T) {
	t.Parallel()
	w := worldtest.New(9)
	var s tale
	ada, bo, cy := w.Agent("Ada"), w.Agent("Bo"), w.Agent("Cy")
	s.add(ada.Bind(), bo.Bind(), cy.Bind())
	guild := s.add(ada.OpenGuild("Moles", body.Private))
	for _, a := range []*worldtest.Author{bo, cy} {
		a.UseRight(s.add(ada.Member(guild, a, "member")))
	}
	team := guild.Head.Space
	id, _ := team.Guild()
	base := uint64(1) << 52
	first := s.add(stepOf(t, bo, team, body.TaskClaim, base))
	second := s.add(stepOf(t, cy, team, body.TaskClaim, base+1))
	note, err := body.Message{Type: body.MessageText, Text: "hello", To: bo.ID}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	m := s.add(ada.Change(change.KindMessage, team, note, worldtest.Options{HLC: base + 2}))
	v := fold.New(w.Net)
	apply(v, s.changes...)
	state := func(v *fold.Views) board.State { return board.Fold(v.TaskSteps(team, aTask)) }
	if got := state(v); got.Status != board.Claimed || got.Claimer != bo.ID || got.Last != first.ID {
		t.Errorf("task %+v", got)
	}
	other := fold.New(w.Net)
	apply(other, s.changes[:len(s.changes)-3]...)
	apply(other, m, second, first)
	if state(other) != state(v) {
		t.Error("another order gives another state")
	}
	_, want := v.Hash()
	if _, got := other.Hash(); got != want {
		t.Error("another order gives other views")
	}
	loaded, err := fold.Load(w.Net, v.AppendCheckpoint(nil))
	if err != nil {
		t.Fatal(err)
	}
	if _, got := loaded.Hash(); got != want || state(loaded) != state(v) {
		t.Error("the checkpoint gives other views")
	}
	read := func(v *fold.Views) (out []change.AgentID) {
		v.Messages(id, fold.MessagePlace{}, func(_ fold.Act, to change.AgentID) bool {
			out = append(out, to)
			return true
		})
		return out
	}
	if got := read(loaded); len(got) != 1 || got[0] != bo.ID {
		t.Errorf("messages to %v", got)
	}
	gone, err := body.Retract{Target: m.ID}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	apply(loaded, ada.Change(change.KindEntryRetract, team, gone, worldtest.Options{Deps: []change.ID{m.ID}}))
	if got := read(loaded); len(got) != 0 {
		t.Errorf("a retracted message is read: %v", got)
	}
	// A release by a manager counts, one by a member who has not claimed does not.
	apply(loaded, stepOf(t, cy, team, body.TaskRelease, base+5))
	if got := state(loaded); got.Status != board.Claimed {
		t.Errorf("released by a stranger: %+v", got)
	}
	apply(loaded, stepOf(t, ada, team, body.TaskRelease, base+6))
	if got := state(loaded); got.Status != board.Open {
		t.Errorf("not released by the founder: %+v", got)
	}
}
