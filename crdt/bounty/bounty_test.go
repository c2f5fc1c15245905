package bounty_test

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/bounty"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
)

var update = flag.Bool("update", false, "write the table anew")

const (
	hour  = int64(60 * 60 * 1000)
	start = int64(1_800_000_000_000)
)

// The agents of these tests: who pays, who earns, an admin, a member, an
// arbiter and the home, none of the last two with a role.
var creator, worker, admin, member, arbiter, home = agent(1), agent(2), agent(3), agent(4), agent(5), agent(6)

var ranks = map[change.AgentID]int{creator: 2, admin: 3, member: 2}

var names = map[change.AgentID]string{creator: "creator", worker: "worker", admin: "admin", member: "member", arbiter: "arbiter", home: "home"}

func agent(n byte) (id change.AgentID) { id[0] = n; return id }

func id(n int) (id change.ID) { id[0], id[1] = byte(n>>8), byte(n); return id }

func opening(deadline int64) bounty.Opening {
	return bounty.Opening{ID: id(1), HLC: uint64(start) << 10, Agent: creator, Deadline: deadline, Confirmed: true}
}

// step is a confirmed act by an agent some hours after the start; its id is its
// place.
func step(n int, hours int64, by change.AgentID, act string) bounty.Step {
	s := bounty.Step{ID: id(n), HLC: uint64(start+hours*hour) << 10, Agent: by, Rank: ranks[by], Home: by == home, Confirmed: true, Act: act}
	switch act {
	case body.BountySplit:
		s.Percent = 40
	case body.BountyPropose:
		s.Percent = 60
	case body.BountyApprove, body.BountyReject:
		s.Ref = id(90)
	}
	return s
}

// ways lead to each state, within ten hours.
func ways() map[bounty.Status][]bounty.Step {
	claim, submit, accept := step(11, 1, worker, "claim"), step(12, 2, worker, "submit"), step(13, 3, creator, "accept")
	return map[bounty.Status][]bounty.Step{
		bounty.Open:      nil,
		bounty.Claimed:   {claim},
		bounty.Submitted: {claim, submit},
		bounty.Accepted:  {claim, submit, accept},
		bounty.Disputed:  {claim, submit, step(13, 3, worker, "dispute")},
		bounty.Paid:      {claim, submit, accept, step(14, 4, admin, "payout")},
		bounty.Cancelled: {step(11, 1, creator, "cancel")},
		bounty.Expired:   {step(11, 10, home, "expire")},
		bounty.Refunded:  {claim, submit, step(13, 3, worker, "dispute"), step(14, 4, arbiter, "refund")},
	}
}

// The golden table shows for every state, act and agent what follows, early and
// when every time has passed.
func TestTableOfMoves(t *testing.T) {
	t.Parallel()
	statuses := []bounty.Status{bounty.Open, bounty.Claimed, bounty.Submitted, bounty.Accepted, bounty.Disputed, bounty.Paid, bounty.Cancelled, bounty.Expired, bounty.Refunded}
	var out strings.Builder
	for _, status := range statuses {
		deadline := start + 2000*hour
		if status == bounty.Expired {
			deadline = start + 10*hour
		}
		way := ways()[status]
		if got := bounty.Replay(opening(deadline), way).Status; got != status {
			t.Fatalf("the way to %s leads to %s", status, got)
		}
		for _, act := range body.BountyActs() {
			for _, when := range []int64{11, 1999, 2000} {
				var cells []string
				for _, by := range []change.AgentID{creator, worker, admin, member, arbiter, home} {
					s := step(99, when, by, act)
					next := bounty.Replay(opening(deadline), way)
					cell := ""
					if err := next.Check(&s); err != nil {
						cell = string(reason.Of(err))
					} else {
						cell = string(bounty.Replay(opening(deadline), append(slices.Clone(way), s)).Status)
					}
					cells = append(cells, names[by]+" "+cell)
				}
				fmt.Fprintf(&out, "%s %s at %d h: %s\n", status, act, when, strings.Join(cells, ", "))
			}
		}
	}
	golden(t, "moves.txt", out.String())
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		a, b := strings.Split(got, "\n"), strings.Split(string(want), "\n")
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				t.Fatalf("line %d is\n%s\nwant\n%s", i+1, a[i], b[i])
			}
		}
		t.Fatalf("%d lines, want %d", len(a), len(b))
	}
}

// The rows of the state machine in api §1.11, by hand.
func TestMovesOfTheInterface(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		from bounty.Status
		step bounty.Step
		to   bounty.Status
		code reason.Code
	}{
		{"a stranger claims", bounty.Open, step(20, 5, worker, "claim"), bounty.Claimed, ""},
		{"the payer claims", bounty.Open, step(20, 5, creator, "claim"), "", reason.SelfDeal},
		{"an admin claims", bounty.Open, step(20, 5, admin, "claim"), "", reason.SelfDeal},
		{"claimed after the deadline", bounty.Open, step(20, 2000, worker, "claim"), "", reason.BountyExpired},
		{"claimed twice", bounty.Claimed, step(20, 5, member, "claim"), "", reason.AlreadyClaimed},
		{"cancelled by the payer", bounty.Open, step(20, 5, creator, "cancel"), bounty.Cancelled, ""},
		{"cancelled by a member", bounty.Open, step(20, 5, member, "cancel"), "", reason.Forbidden},
		{"cancelled while claimed", bounty.Claimed, step(20, 5, creator, "cancel"), "", reason.BadTransition},
		{"expired in time", bounty.Open, step(20, 1999, home, "expire"), "", reason.Forbidden},
		{"expired", bounty.Claimed, step(20, 2000, home, "expire"), bounty.Expired, ""},
		{"expired by the payer", bounty.Claimed, step(20, 2000, creator, "expire"), "", reason.Forbidden},
		{"expired with work", bounty.Submitted, step(20, 2000, home, "expire"), "", reason.BadTransition},
		{"released", bounty.Claimed, step(20, 5, worker, "release"), bounty.Open, ""},
		{"released by another", bounty.Claimed, step(20, 5, member, "release"), "", reason.NotClaimant},
		{"taken back before the lease ends", bounty.Claimed, step(20, 72, creator, "release"), "", reason.NotClaimant},
		{"taken back", bounty.Claimed, step(20, 73, creator, "release"), bounty.Open, ""},
		{"lease ended", bounty.Claimed, step(20, 73, home, "release"), bounty.Open, ""},
		{"submitted by another", bounty.Claimed, step(20, 5, member, "submit"), "", reason.NotClaimant},
		{"submitted late", bounty.Claimed, step(20, 2000, worker, "submit"), "", reason.BountyExpired},
		{"submitted to an expired bounty", bounty.Expired, step(20, 2000, worker, "submit"), "", reason.BountyExpired},
		{"changes", bounty.Submitted, step(20, 5, admin, "changes"), bounty.Claimed, ""},
		{"changes by the worker", bounty.Submitted, step(20, 5, worker, "changes"), "", reason.Forbidden},
		{"accepted", bounty.Submitted, step(20, 5, creator, "accept"), bounty.Accepted, ""},
		{"accepted by nobody", bounty.Submitted, step(20, 2+14*24, home, "accept"), bounty.Accepted, ""},
		{"accepted by nobody too early", bounty.Submitted, step(20, 1+14*24, home, "accept"), "", reason.Forbidden},
		{"paid", bounty.Accepted, step(20, 5, creator, "payout"), bounty.Paid, ""},
		{"paid by nobody", bounty.Accepted, step(20, 3+72, home, "payout"), bounty.Paid, ""},
		{"paid by nobody too early", bounty.Accepted, step(20, 2+72, home, "payout"), "", reason.Forbidden},
		{"paid by the worker", bounty.Accepted, step(20, 5, worker, "payout"), "", reason.Forbidden},
		{"disputed", bounty.Accepted, step(20, 5, worker, "dispute"), bounty.Disputed, ""},
		{"disputed late", bounty.Submitted, step(20, 2+14*24, worker, "dispute"), "", reason.BadTransition},
		{"disputed by a member", bounty.Submitted, step(20, 5, member, "dispute"), "", reason.Forbidden},
		{"verdict", bounty.Disputed, step(20, 5, arbiter, "split"), bounty.Paid, ""},
		{"verdict of a party", bounty.Disputed, step(20, 5, worker, "pay"), "", reason.Forbidden},
		{"given back by the home", bounty.Accepted, step(20, 3+72, home, "refund"), bounty.Refunded, ""},
		{"given back by the home too early", bounty.Accepted, step(20, 2+72, home, "refund"), "", reason.Forbidden},
		{"given back by the payer", bounty.Accepted, step(20, 3+72, creator, "refund"), "", reason.BadTransition},
		{"given back by an arbiter", bounty.Accepted, step(20, 3+72, arbiter, "refund"), "", reason.BadTransition},
		{"given back before it is accepted", bounty.Submitted, step(20, 3+72, home, "refund"), "", reason.BadTransition},
		{"no verdict", bounty.Disputed, step(20, 3+30*24, home, "refund"), bounty.Refunded, ""},
	} {
		deadline := start + 2000*hour
		if c.from == bounty.Expired {
			deadline = start + 10*hour
		}
		steps := append(slices.Clone(ways()[c.from]), c.step)
		s := bounty.Replay(opening(deadline), steps[:len(steps)-1])
		if code := reason.Of(s.Check(&c.step)); code != c.code {
			t.Errorf("%s: code %q, want %q", c.name, code, c.code)
			continue
		}
		want := c.to
		if c.code != "" {
			want = c.from
			if reason.Of(bounty.Confirmable(opening(deadline), unconfirmed(steps), c.step.ID)) != c.code {
				t.Errorf("%s: a home would answer %v", c.name, bounty.Confirmable(opening(deadline), unconfirmed(steps), c.step.ID))
			}
		}
		if got := bounty.Replay(opening(deadline), steps); got.Status != want {
			t.Errorf("%s: becomes %s, want %s", c.name, got.Status, want)
		}
	}
}

// unconfirmed takes the confirmation of the last step away.
func unconfirmed(steps []bounty.Step) []bounty.Step {
	out := slices.Clone(steps)
	out[len(out)-1].Confirmed = false
	return out
}

func TestRoundsAreBounded(t *testing.T) {
	t.Parallel()
	steps := []bounty.Step{step(2, 1, worker, "claim")}
	for i := range bounty.MaxRounds + 1 {
		steps = append(steps, step(10+2*i, int64(2+2*i), worker, "submit"), step(11+2*i, int64(3+2*i), creator, "changes"))
	}
	s := bounty.Replay(opening(0), steps)
	if s.Status != bounty.Submitted || s.Rounds != bounty.MaxRounds || len(s.Submissions) != bounty.MaxRounds+1 {
		t.Fatalf("%s after %d rounds with %d submissions", s.Status, s.Rounds, len(s.Submissions))
	}
	if code := reason.Of(s.Check(&steps[len(steps)-1])); code != reason.LimitReached {
		t.Errorf("code %q", code)
	}
	if last := s.Submissions[0]; last.Status != bounty.ChangesRequested || last.Resolved == 0 {
		t.Errorf("first submission %+v", last)
	}
}

// What needs the home counts only when it is confirmed, and what it passed over
// counts no more.
func TestUnconfirmedSteps(t *testing.T) {
	t.Parallel()
	claim, other := step(11, 1, worker, "claim"), step(12, 1, member, "claim")
	claim.Confirmed, other.Confirmed = false, false
	if s := bounty.Replay(opening(0), []bounty.Step{claim, other}); s.Status != bounty.Open {
		t.Fatalf("%s without a confirmation", s.Status)
	}
	other.Confirmed = true
	steps := []bounty.Step{claim, other}
	if s := bounty.Replay(opening(0), steps); s.Claimant != member {
		t.Fatalf("claimed by %s", names[s.Claimant])
	}
	if code := reason.Of(bounty.Confirmable(opening(0), steps, claim.ID)); code != reason.AlreadyClaimed {
		t.Errorf("an earlier claim would be confirmed: %q", code)
	}
	free := step(13, 2, member, "submit")
	free.Confirmed = false
	steps = append(steps, free)
	if s := bounty.Replay(opening(0), steps); s.Status != bounty.Submitted {
		t.Errorf("%s after a submission that waits for its confirmation", s.Status)
	}
	back := step(14, 3, member, "release")
	if s := bounty.Replay(opening(0), append(steps, back)); s.Status != bounty.Open {
		t.Errorf("%s: the home passed the submission over", s.Status)
	}
	unopened := opening(0)
	unopened.Confirmed = false
	if s := bounty.Replay(unopened, steps); s.Status != "" || len(s.Events) != 0 {
		t.Errorf("%q without a home", s.Status)
	}
	if bounty.Confirmable(unopened, steps, free.ID) == nil {
		t.Error("a step of a bounty that was never opened would be confirmed")
	}
}

func TestGovernanceCountsTheLastVote(t *testing.T) {
	t.Parallel()
	way := ways()[bounty.Accepted]
	proposal := step(90, 5, member, "propose")
	first, again, stray := step(91, 6, admin, "approve"), step(92, 7, admin, "reject"), step(93, 8, worker, "approve")
	s := bounty.Replay(opening(0), append(slices.Clone(way), proposal, first, again, stray))
	if g := s.Governance; g == nil || g.Percent != 60 || !reflect.DeepEqual(g.Votes, map[change.AgentID]bool{admin: false}) {
		t.Errorf("governance %+v", s.Governance)
	}
	if len(s.Events) != 4 {
		t.Errorf("%d moves: votes move nothing", len(s.Events))
	}
	foreign := step(94, 9, admin, "approve")
	foreign.Ref = id(1000)
	if code := reason.Of(s.Check(&foreign)); code != reason.BadTransition {
		t.Errorf("a vote about another proposal: %q", code)
	}
}

func TestDueIsTheNextTimer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from     bounty.Status
		deadline int64
		act      string
		hours    int64
	}{
		{bounty.Open, 0, "", 0},
		{bounty.Open, start + 9*hour, "expire", 9},
		{bounty.Claimed, 0, "release", 73},
		{bounty.Claimed, start + 73*hour, "expire", 73},
		{bounty.Claimed, start + 74*hour, "release", 73},
		{bounty.Submitted, start + 9*hour, "accept", 2 + 14*24},
		{bounty.Accepted, 0, "payout", 3 + 72},
		{bounty.Disputed, 0, "refund", 3 + 30*24},
		{bounty.Paid, 0, "", 0},
	} {
		s := bounty.Replay(opening(c.deadline), ways()[c.from])
		act, at := s.Due()
		if act != c.act || act != "" && at != start+c.hours*hour {
			t.Errorf("%s: %s at %d h, want %s at %d h", c.from, act, (at-start)/hour, c.act, c.hours)
		}
		if act == "" {
			continue
		}
		due := step(99, (at-start)/hour, home, act)
		if err := s.Check(&due); err != nil {
			t.Errorf("%s: what is due is refused: %v", c.from, err)
		}
		if early := step(99, (at-start)/hour-1, home, act); s.Check(&early) == nil {
			t.Errorf("%s: %s passes an hour early", c.from, act)
		}
	}
}

func anyStep(t *rapid.T, n int) bounty.Step {
	by := rapid.SampledFrom([]change.AgentID{creator, worker, admin, member, arbiter, home}).Draw(t, "by")
	s := step(n, rapid.Int64Range(1, 2000).Draw(t, "hour"), by, rapid.SampledFrom(body.BountyActs()).Draw(t, "act"))
	s.Confirmed = rapid.Bool().Draw(t, "confirmed")
	return s
}

// A home that asks Confirmable keeps every step it confirmed, whatever comes
// when; and money is decided once.
func TestConfirmedStepsStand(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		o := opening(rapid.SampledFrom([]int64{0, start + 500*hour}).Draw(t, "deadline"))
		var here []bounty.Step // in (hlc, id) order
		var decided bounty.Status
		for n := range rapid.IntRange(0, 40).Draw(t, "steps") {
			s := anyStep(t, n+2)
			s.Confirmed = false
			here = append(here, s)
			slices.SortFunc(here, func(a, b bounty.Step) int { return cmp.Or(cmp.Compare(a.HLC, b.HLC), a.ID.Compare(b.ID)) })
			if bounty.Confirmable(o, here, s.ID) == nil {
				here[slices.IndexFunc(here, func(x bounty.Step) bool { return x.ID == s.ID })].Confirmed = true
			}
			state := bounty.Replay(o, here)
			moved := map[change.ID]bool{}
			for _, e := range state.Events {
				moved[e.Change] = true
			}
			for _, x := range here {
				votes := x.Act == body.BountyPropose || x.Act == body.BountyApprove || x.Act == body.BountyReject
				if x.Confirmed && !votes && !moved[x.ID] {
					t.Fatalf("the confirmed %s is gone", x.Act)
				}
			}
			if decided.Terminal() && state.Status != decided {
				t.Fatalf("%s became %s", decided, state.Status)
			}
			decided = state.Status
		}
	})
}

// Whatever the steps, the state is one of the machine, moves join up, and the
// same steps give the same state.
func TestReplayIsConsistent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var steps []bounty.Step
		for n := range rapid.IntRange(0, 60).Draw(t, "steps") {
			steps = append(steps, anyStep(t, n+2))
		}
		slices.SortFunc(steps, func(a, b bounty.Step) int { return cmp.Or(cmp.Compare(a.HLC, b.HLC), a.ID.Compare(b.ID)) })
		s := bounty.Replay(opening(start+900*hour), steps)
		if !reflect.DeepEqual(s, bounty.Replay(opening(start+900*hour), steps)) {
			t.Fatal("two states of the same steps")
		}
		at := bounty.Status("")
		for _, e := range s.Events {
			if e.From != at || at.Terminal() {
				t.Fatalf("from %s after %s", e.From, at)
			}
			at = e.To
		}
		if at != s.Status || (s.Status == bounty.Paid) != (s.Share > 0) {
			t.Fatalf("%s after events that end in %s, share %d", s.Status, at, s.Share)
		}
		if worked := s.Status != bounty.Open && s.Status != bounty.Cancelled && s.Status != bounty.Expired; worked && s.Claimant == (change.AgentID{}) {
			t.Fatalf("%s by nobody", s.Status)
		}
	})
}
