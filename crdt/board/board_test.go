package board_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/crdt/board"
	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
)

var ada, bo = change.AgentID{1}, change.AgentID{2}

func TestSteps(t *testing.T) {
	t.Parallel()
	claim := func(a change.AgentID) board.Step { return board.Step{Agent: a, Act: body.TaskClaim} }
	by := func(a change.AgentID, act string) board.Step { return board.Step{Agent: a, Act: act} }
	admin := func(act string) board.Step { return board.Step{Agent: bo, Manages: true, Act: act} }
	for _, c := range []struct {
		name   string
		before []board.Step
		step   board.Step
		want   board.Status
		who    change.AgentID
		code   reason.Code
	}{
		{"claim", nil, claim(ada), board.Claimed, ada, ""},
		{"claim again", []board.Step{claim(ada)}, claim(ada), board.Claimed, ada, ""},
		{"claim what another has", []board.Step{claim(ada)}, claim(bo), board.Claimed, ada, reason.AlreadyClaimed},
		{"claim what is blocked", []board.Step{by(ada, body.TaskBlock)}, claim(bo), board.Blocked, change.AgentID{}, reason.BadTransition},
		{"release", []board.Step{claim(ada)}, by(ada, body.TaskRelease), board.Open, change.AgentID{}, ""},
		{"release of another", []board.Step{claim(ada)}, by(bo, body.TaskRelease), board.Claimed, ada, reason.NotClaimant},
		{"release by an admin", []board.Step{claim(ada)}, admin(body.TaskRelease), board.Open, change.AgentID{}, ""},
		{"release what is open", nil, by(ada, body.TaskRelease), board.Open, change.AgentID{}, reason.BadTransition},
		{"done", []board.Step{claim(ada)}, by(ada, body.TaskDone), board.Done, ada, ""},
		{"done without a claim", nil, by(ada, body.TaskDone), board.Open, change.AgentID{}, reason.NotClaimant},
		{"done by an admin", nil, admin(body.TaskDone), board.Done, change.AgentID{}, ""},
		{"done twice", []board.Step{claim(ada), by(ada, body.TaskDone)}, by(ada, body.TaskDone), board.Done, ada, reason.BadTransition},
		{"block", []board.Step{claim(ada)}, by(bo, body.TaskBlock), board.Blocked, ada, ""},
		{"reopen what is blocked", []board.Step{claim(ada), by(bo, body.TaskBlock)}, by(bo, body.TaskReopen), board.Open, change.AgentID{}, ""},
		{"reopen what is open", nil, by(bo, body.TaskReopen), board.Open, change.AgentID{}, reason.BadTransition},
		{"reopen what is done", []board.Step{admin(body.TaskDone)}, by(ada, body.TaskReopen), board.Open, change.AgentID{}, ""},
		{"delegate", nil, board.Step{Agent: ada, Act: body.TaskDelegate, To: bo}, board.Claimed, bo, ""},
		{"delegate what another has", []board.Step{claim(bo)}, board.Step{Agent: ada, Act: body.TaskDelegate, To: ada}, board.Claimed, bo, reason.NotClaimant},
		{"an unknown act", nil, by(ada, "dance"), board.Open, change.AgentID{}, reason.BadTransition},
	} {
		s := board.Fold(c.before)
		got, err := c.step.Take(s)
		if reason.Of(err) != c.code || got.Status != c.want || got.Claimer != c.who {
			t.Errorf("%s: %s of %x, %v", c.name, got.Status, got.Claimer[:1], err)
		}
		if c.code != "" && got != s {
			t.Errorf("%s: refused and changed", c.name)
		}
		if c.code == "" && got.Steps != s.Steps+1 {
			t.Errorf("%s: %d steps after %d", c.name, got.Steps, s.Steps)
		}
	}
}

// Whatever steps come, a claimed task has a claimant, an open one has none, a
// refused step leaves no trace, and nobody but the claimant or an admin ends a
// claim by release or done.
func TestStatesHold(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := board.New()
		for i := range rapid.IntRange(0, 40).Draw(t, "steps") {
			st := board.Step{
				ID: change.ID{byte(i + 1)}, HLC: uint64(i + 1), Agent: change.AgentID{byte(rapid.IntRange(1, 3).Draw(t, "agent"))}, Manages: rapid.Bool().Draw(t, "manages"),
				Act: rapid.SampledFrom([]string{body.TaskClaim, body.TaskRelease, body.TaskDone, body.TaskBlock, body.TaskReopen, body.TaskDelegate, "x"}).Draw(t, "act"),
			}
			if st.Act == body.TaskDelegate {
				st.To = change.AgentID{byte(rapid.IntRange(1, 3).Draw(t, "to"))}
			}
			next, err := st.Take(s)
			if err != nil && next != s {
				t.Fatal("a refused step left a trace")
			}
			if next.Status == board.Claimed && next.Claimer.IsZero() || next.Status == board.Open && !next.Claimer.IsZero() || next.Status == board.Done && next.Closer.IsZero() {
				t.Fatalf("%+v", next)
			}
			if s.Status == board.Claimed && (next.Status == board.Open || next.Status == board.Done) && st.Agent != s.Claimer && !st.Manages {
				t.Fatalf("%s by a stranger ended a claim", st.Act)
			}
			s = next
		}
	})
}
