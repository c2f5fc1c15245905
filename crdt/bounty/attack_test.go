package bounty_test

import (
	"errors"
	"github.com/meshd/meshd/crdt/change"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/bounty"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/role"
)

// Anybody may write steps that nobody confirms. They must not lock up a reward.
func TestStepsOfStrangersLockUpNothing(t *testing.T) {
	t.Parallel()
	var steps []bounty.Step
	for n := range 3 * bounty.MaxSteps {
		s := step(n+100, 0, agent(9), body.BountyDispute)
		s.Confirmed = false
		steps = append(steps, s)
	}
	cancel := step(20, 5, creator, body.BountyCancel)
	cancel.Confirmed = false
	steps = append(steps, cancel)
	if err := bounty.Confirmable(opening(0), steps, cancel.ID); err != nil {
		t.Fatalf("cancel among the steps of a stranger: %v", err)
	}
}

// Who takes a bounty and gives it back without an end comes to an end, and who
// pays still gets the reward back.
func TestEndlessClaimsEnd(t *testing.T) {
	t.Parallel()
	var steps []bounty.Step
	add := func(s bounty.Step) error {
		s.ID = id(len(steps) + 100)
		s.Confirmed = false
		err := bounty.Confirmable(opening(0), append(steps, s), s.ID)
		if s.Confirmed = err == nil; s.Confirmed {
			steps = append(steps, s)
		}
		return err
	}
	for range bounty.MaxSteps / 2 {
		for _, act := range []string{body.BountyClaim, body.BountyRelease} {
			if err := add(step(0, 1, worker, act)); err != nil {
				t.Fatalf("%s as step %d: %v", act, len(steps), err)
			}
		}
	}
	if err := add(step(0, 1, worker, body.BountyClaim)); reason.Of(err) != reason.LimitReached {
		t.Fatalf("claim after %d steps: %v", len(steps), err)
	}
	if err := add(step(0, 1, creator, body.BountyCancel)); err != nil {
		t.Fatalf("cancel after %d steps: %v", len(steps), err)
	}
}

// A claimant that becomes an admin of the guild does not decide about its work.
func TestWhoEarnsIsNotWhoPays(t *testing.T) {
	t.Parallel()
	risen := func(act string) *bounty.Step {
		s := step(50, 6, worker, act)
		s.Rank = role.Rank(role.Admin)
		return &s
	}
	for status, act := range map[bounty.Status]string{bounty.Submitted: body.BountyAccept, bounty.Accepted: body.BountyPayout} {
		s := bounty.Replay(opening(0), ways()[status])
		if err := s.Check(risen(act)); reason.Of(err) != reason.SelfDeal {
			t.Errorf("%s by the claimant: %v", act, err)
		}
	}
	s := bounty.Replay(opening(0), ways()[bounty.Submitted])
	if err := s.Check(risen(body.BountyChanges)); reason.Of(err) != reason.SelfDeal {
		t.Errorf("changes by the claimant: %v", err)
	}
	s = bounty.Replay(opening(0), ways()[bounty.Claimed])
	if err := s.Check(risen(body.BountyRelease)); err != nil {
		t.Errorf("the claimant gives it back: %v", err)
	}
}

// Who votes and votes again comes to an end, and takes nobody else's vote and no
// step of the two sides.
func TestVotesAreBoundedForEachMember(t *testing.T) {
	t.Parallel()
	var steps []bounty.Step
	add := func(s bounty.Step) error {
		s.ID = id(len(steps) + 100)
		s.Confirmed = false
		err := bounty.Confirmable(opening(0), append(steps, s), s.ID)
		if s.Confirmed = err == nil; s.Confirmed {
			steps = append(steps, s)
		}
		return err
	}
	by := func(agent change.AgentID, act string, ref change.ID) bounty.Step {
		s := step(0, 1, agent, act)
		s.Rank, s.Ref, s.Percent = role.Rank(role.Member), ref, 60
		return s
	}
	if err := errors.Join(add(step(0, 1, worker, body.BountyClaim)), add(step(0, 1, worker, body.BountySubmit))); err != nil {
		t.Fatal(err)
	}
	restless, calm := change.AgentID{71}, change.AgentID{72}
	if err := add(by(restless, body.BountyPropose, change.ID{})); err != nil {
		t.Fatal(err)
	}
	proposal := steps[len(steps)-1].ID
	for i := range bounty.MaxVotes - 1 {
		if err := add(by(restless, []string{body.BountyApprove, body.BountyReject}[i%2], proposal)); err != nil {
			t.Fatalf("vote %d: %v", i, err)
		}
	}
	for _, act := range []string{body.BountyApprove, body.BountyPropose} {
		if err := add(by(restless, act, proposal)); reason.Of(err) != reason.LimitReached {
			t.Errorf("%s after %d votes: %v", act, bounty.MaxVotes, err)
		}
	}
	if err := add(by(calm, body.BountyApprove, proposal)); err != nil {
		t.Errorf("another member's vote: %v", err)
	}
	if err := add(step(0, 1, creator, body.BountyChanges)); err != nil {
		t.Errorf("the payer: %v", err)
	}
}
