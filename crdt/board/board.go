// Package board says what the steps of a task add up to: who works on it, since
// when, and whether it is done (wire §8, task.act). The card of a task, its
// title and the like, lies in the document board and is no matter of this
// package.
//
// Everything here is a pure function of the steps, so that equal steps give an
// equal state on every node. A step that does not fit the state when its turn
// comes in (hlc, id) order changes nothing: of two claims at once the first in
// that order stands, everywhere. Step.Take answers the same question at the
// API, with the code of the refusal.
//
// Leases are not in the state. A claim names when it began; whoever asks judges
// by a clock whether it has lasted too long, and the team's home node ends it by
// a release.
package board

import (
	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
)

// Status is where a task stands.
type Status string

// The states of a task.
const (
	Open    Status = "open"
	Claimed Status = "claimed"
	Blocked Status = "blocked"
	Done    Status = "done"
)

// Step is one task.act with effect.
type Step struct {
	ID      change.ID
	HLC     uint64
	Agent   change.AgentID
	Manages bool // its author is an admin or owner by the right it was written with
	Act     string
	To      change.AgentID // of a delegation
}

// State is a task after some steps. The zero State is no task's; New begins one.
type State struct {
	Status  Status
	Claimer change.AgentID // who works on it, or worked on it when it was blocked
	Since   uint64         // logical time of the last claim, renewals included
	First   uint64         // logical time of the claim that began this work
	Closer  change.AgentID // who finished it
	Closed  uint64         // logical time of that
	Last    change.ID      // the last step that changed something, zero before any
	Said    change.ID      // the step whose text is the reason or summary in force
	Steps   int            // how many steps changed something
}

// New is a task that nobody has touched.
func New() State { return State{Status: Open} }

// Fold is what steps in (hlc, id) order make of a task.
func Fold(steps []Step) State {
	s := New()
	for _, st := range steps {
		s, _ = st.Take(s)
	}
	return s
}

// Take is the state after the step, or s itself and why the step changes nothing:
// already_claimed, not_claimant or bad_transition.
func (st Step) Take(s State) (State, error) {
	next, err := st.take(s)
	if err != nil {
		return s, err
	}
	next.Last, next.Steps = st.ID, s.Steps+1
	return next, nil
}

func (st Step) take(s State) (State, error) {
	mine := s.Claimer == st.Agent || st.Manages
	switch st.Act {
	case body.TaskClaim:
		return st.claim(s)
	case body.TaskRelease:
		if s.Status != Claimed {
			return s, transition(st.Act, s.Status)
		}
		if !mine {
			return s, errNotClaimant
		}
		return s.open(), nil
	case body.TaskDone:
		switch {
		case s.Status == Done:
			return s, transition(st.Act, s.Status)
		case s.Status == Claimed && !mine, s.Status != Claimed && !st.Manages:
			return s, errNotClaimant
		}
		s.Status, s.Closer, s.Closed, s.Said = Done, st.Agent, st.HLC, st.ID
		return s, nil
	case body.TaskBlock:
		if s.Status == Done || s.Status == Blocked {
			return s, transition(st.Act, s.Status)
		}
		s.Status, s.Said = Blocked, st.ID
		return s, nil
	case body.TaskReopen:
		if s.Status != Done && s.Status != Blocked {
			return s, transition(st.Act, s.Status)
		}
		return s.open(), nil
	case body.TaskDelegate:
		switch {
		case s.Status == Done:
			return s, transition(st.Act, s.Status)
		case s.Status == Claimed && !mine:
			return s, errNotClaimant
		}
		s.Status, s.Claimer, s.Since, s.First, s.Said = Claimed, st.To, st.HLC, st.HLC, change.ID{}
		return s, nil
	}
	return s, reason.Refuse(reason.BadTransition, "a task knows no %s", st.Act)
}

// claim takes an open task, or renews a claim of the same agent.
func (st Step) claim(s State) (State, error) {
	switch {
	case s.Status == Open:
		s.Status, s.Claimer, s.Since, s.First = Claimed, st.Agent, st.HLC, st.HLC
	case s.Status == Claimed && s.Claimer == st.Agent:
		s.Since = st.HLC
	case s.Status == Claimed:
		return s, reason.Refuse(reason.AlreadyClaimed, "another agent works on the task")
	default:
		return s, transition(st.Act, s.Status)
	}
	return s, nil
}

// open is the task with nobody on it. What it took to get there is history.
func (s State) open() State {
	return State{Status: Open, Steps: s.Steps}
}

var errNotClaimant = reason.Refuse(reason.NotClaimant, "only who works on the task, or an admin, can do this")

func transition(act string, from Status) error {
	return reason.Refuse(reason.BadTransition, "a task that is %s cannot be asked to %s", from, act)
}
