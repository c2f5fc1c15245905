package runtime_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/runtime"
	"github.com/meshd/meshd/gateway/workshop"
)

// counted makes ids one after the other.
type counted int

func (n *counted) NewID(prefix string, _ time.Time) (string, error) {
	*n++
	return fmt.Sprint(prefix, *n), nil
}

// bench is a room whose clock stands until it is moved.
type bench struct {
	*runtime.Service
	now time.Time
}

func newBench() *bench {
	b := &bench{now: time.Unix(1e9, 0)}
	b.Service = runtime.New(workshop.New(workshop.Config{}), new(counted), func() time.Time { return b.now })
	return b
}

func as(agent string) call.Caller {
	return call.Caller{Principal: auth.Principal{Kind: auth.Key, AgentID: agent}}
}

func request[T any](t *testing.T, f call.FormOf[T], raw string) T {
	t.Helper()
	r, err := f.ReadJSON([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (b *bench) begin(t *testing.T, who call.Caller) (*runtime.VMRunReply, error) {
	t.Helper()
	return b.BeginRun(t.Context(), who, request(t, runtime.VMRunForm, `{"code": "object \"A\" { state { n: 0 } on \"update\" { state.n += 1 } }"}`))
}

func TestRunsAreTheirOwners(t *testing.T) {
	t.Parallel()
	b := newBench()
	ada, bo := as("agt_ada"), as("agt_bo")
	if _, err := b.begin(t, call.Caller{}); reason.Of(err) != reason.AuthRequired {
		t.Errorf("a run of nobody: %v", err)
	}
	r, err := b.begin(t, ada)
	if err != nil {
		t.Fatal(err)
	}
	stepped, err := b.StepRun(t.Context(), ada, r.ID, request(t, runtime.VMStepForm, `{"ms": 500}`))
	if err != nil || stepped.Steps != 30 || string(stepped.State[0].Value) != "30" {
		t.Fatalf("half a second of 60 steps: %+v, %v", stepped, err)
	}
	for what, err := range map[string]error{
		"shown":   second(b.Run(t.Context(), bo, r.ID)),
		"stepped": second(b.StepRun(t.Context(), bo, r.ID, request(t, runtime.VMStepForm, `{"ms": 1}`))),
		"ended":   b.EndRun(t.Context(), bo, r.ID),
	} {
		if reason.Of(err) != reason.NotFound {
			t.Errorf("another's run %s: %v", what, err)
		}
	}
	b.now = b.now.Add(10*time.Minute - time.Second)
	if again, err := b.Run(t.Context(), ada, r.ID); err != nil || again.Steps != 30 {
		t.Errorf("before its end: %+v, %v", again, err)
	}
	b.now = b.now.Add(10 * time.Minute)
	if _, err := b.Run(t.Context(), ada, r.ID); reason.Of(err) != reason.NotFound {
		t.Errorf("ten minutes after it was asked for: %v", err)
	}
}

// A run goes no further than its steps, and says so.
func TestRunWaitsForItsSteps(t *testing.T) {
	t.Parallel()
	b := newBench()
	ada, step := as("agt_ada"), request(t, runtime.VMStepForm, `{"ms": 1}`)
	r, err := b.begin(t, ada)
	if err != nil || r.Status != "waiting" {
		t.Fatalf("begun: %+v, %v", r, err)
	}
	b.now = b.now.Add(time.Minute)
	if r, err = b.Run(t.Context(), ada, r.ID); err != nil || r.Status != "waiting" || r.Steps != 0 || r.Time != 0 {
		t.Fatalf("a minute later: %+v, %v", r, err)
	}
	for i := range 1000 {
		if r, err = b.StepRun(t.Context(), ada, r.ID, step); err != nil || (r.Status != "waiting") != (i == 999) {
			t.Fatalf("after step %d: %s, %v", i, r.Status, err)
		}
	}
	if r.Status != "ended" || r.Steps != 60 {
		t.Errorf("after the last step: %s, %d steps", r.Status, r.Steps)
	}
	if _, err := b.StepRun(t.Context(), ada, r.ID, step); reason.Of(err) != reason.LimitReached {
		t.Errorf("a step more: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

func TestRunsAreBounded(t *testing.T) {
	t.Parallel()
	b := newBench()
	var last *runtime.VMRunReply
	for i := range 4 {
		var err error
		if last, err = b.begin(t, as("agt_ada")); err != nil {
			t.Fatalf("run %d: %v", i, err)
		}
	}
	if _, err := b.begin(t, as("agt_ada")); reason.Of(err) != reason.LimitReached {
		t.Errorf("a fifth run of one owner: %v", err)
	}
	if err := b.EndRun(t.Context(), as("agt_ada"), last.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := b.begin(t, as("agt_ada")); err != nil {
		t.Errorf("after one was ended: %v", err)
	}
	for i := range 28 {
		if _, err := b.begin(t, as(fmt.Sprint("agt_", i))); err != nil {
			t.Fatalf("run %d of others: %v", i, err)
		}
	}
	var full *reason.Refusal
	if _, err := b.begin(t, as("agt_late")); !errors.As(err, &full) || full.Code != reason.Overloaded || full.Details["retry_after"] == nil {
		t.Errorf("where every place is taken: %v", err)
	}
	b.now = b.now.Add(10 * time.Minute)
	if _, err := b.begin(t, as("agt_late")); err != nil {
		t.Errorf("after their time: %v", err)
	}
}

// A step that is refused changes nothing.
func TestBadStepsAreRefused(t *testing.T) {
	t.Parallel()
	b := newBench()
	ada := as("agt_ada")
	r, err := b.begin(t, ada)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		raw  string
		code reason.Code
	}{
		{`{}`, reason.MissingField},
		{`{"ms": 1, "events": [{"name": ""}]}`, reason.ValidationFailed},
		{`{"ms": 1, "events": [{"name": "x", "node": "nobody"}]}`, reason.ValidationFailed},
	} {
		if _, err := b.StepRun(t.Context(), ada, r.ID, request(t, runtime.VMStepForm, c.raw)); reason.Of(err) != c.code {
			t.Errorf("%s: %v", c.raw, err)
		}
	}
	if now, err := b.Run(t.Context(), ada, r.ID); err != nil || now.Steps != 0 || len(now.Replay.Inputs) != 0 {
		t.Errorf("after refused steps: %+v, %v", now, err)
	}
}

func TestTreeEndsWithItsResult(t *testing.T) {
	t.Parallel()
	b := newBench()
	got, err := b.RunTree(t.Context(), as("agt_ada"), request(t, runtime.TreeRunForm,
		`{"tree": {"type": "sequence", "children": [{"type": "condition", "check": "state.n > 0"}, {"type": "action", "do": "state.n += 1"}]}, "blackboard": {"n": 1}, "ticks": 9}`))
	if err != nil || got.Status != "success" || got.Ticks != 1 || string(got.Blackboard["n"]) != "2" {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = b.RunTree(t.Context(), as("agt_ada"), request(t, runtime.TreeRunForm, `{"tree": {"type": "dance"}}`))
	if reason.Of(err) != reason.ValidationFailed {
		t.Errorf("a node of no type: %v", err)
	}
}
