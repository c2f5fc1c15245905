// Package bounty says what became of a bounty: its opening and steps go in, in
// (hlc, id) order, with what its home confirmed, and the state comes out. It
// reads no clock: times are those that the steps claim, and what time alone
// brings about is a step of the home.
//
// The home is the gateway that keeps the reward. A bounty begins when the home
// has confirmed its opening. A claim and whatever decides about money count
// only when they are confirmed; the other steps count at once where they are
// allowed, until the home has confirmed something that comes later: then what it
// did not confirm before is passed over. So the steps that a home confirmed are
// a history of their own, which nothing that arrives late can move, as long as
// it asks Confirmable first.
//
// Start with Replay; use Confirmable at the home, and Due for its timers.
package bounty

import (
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/role"
)

// Status is one state of the machine.
type Status string

// The states. The zero Status is that of an opening that is not confirmed.
const (
	Open      Status = "open"
	Claimed   Status = "claimed"
	Submitted Status = "submitted"
	Accepted  Status = "accepted"
	Disputed  Status = "disputed"
	Paid      Status = "paid"
	Cancelled Status = "cancelled"
	Expired   Status = "expired"
	Refunded  Status = "refunded"
)

// Terminal reports whether no step leads out of s.
func (s Status) Terminal() bool {
	return s == Paid || s == Cancelled || s == Expired || s == Refunded
}

// Coarse is s as the specification's lifecycle names it.
func (s Status) Coarse() string {
	switch s {
	case Claimed, Submitted, Accepted:
		return "claimed"
	case Paid:
		return "completed"
	case Expired, Cancelled, Refunded:
		return "expired"
	}
	return string(s)
}

// Opening is what a bounty begins with.
type Opening struct {
	ID        change.ID
	HLC       uint64
	Agent     change.AgentID
	Deadline  int64 // milliseconds, 0 without one
	Confirmed bool
}

// Step is a bounty.act that has effect.
type Step struct {
	ID        change.ID
	HLC       uint64
	Agent     change.AgentID
	Rank      int  // of its role in the guild, role.Rank; 0 of a stranger
	Home      bool // its author is the home
	Confirmed bool
	Act       string
	Ref       change.ID
	Percent   int
	Proof     change.ID // hash of the proof of a submission, zero without one
}

func (s *Step) millis() int64 { return int64(s.HLC >> 10) }

// Event is one move.
type Event struct {
	From, To Status
	Act      string // "" for the opening
	Agent    change.AgentID
	At       int64 // milliseconds
	Change   change.ID
	Proof    change.ID
}

// What became of a submission.
const (
	Pending          = "pending"
	Rejected         = "rejected"
	ChangesRequested = "changes_requested"
	AcceptedWork     = "accepted"
	PaidWork         = "paid"
)

// Submission is one solution.
type Submission struct {
	ID       change.ID
	Agent    change.AgentID
	At       int64
	Resolved int64 // 0 while pending
	Status   string
	Proof    change.ID
}

// Governance is the newest proposal to pay, with the votes about it.
type Governance struct {
	Proposal change.ID
	Agent    change.AgentID
	Percent  int // of all weights, that are needed
	Votes    map[change.AgentID]bool
}

// State is what became of a bounty.
type State struct {
	Status      Status
	Creator     change.AgentID
	Deadline    int64
	Claimant    change.AgentID // zero while open
	LeaseEnd    int64          // of a claimed bounty
	Entered     int64          // when the state was entered
	Rounds      int            // requests for changes in this claim
	Submissions []Submission
	Governance  *Governance
	Events      []Event
	Share       int       // percent of the reward for the claimant, of a paid bounty
	Last        change.ID // the newest step that counts, or the opening
}

// Replay is the state after all steps, which come in (hlc, id) order.
func Replay(o Opening, steps []Step) State {
	s, _ := replay(o, steps)
	return s
}

// Standing is the state after the steps that the home has confirmed, and no others:
// where a home starts from that has judged all it knows of. What it did not let
// through may count elsewhere until it confirms the next step.
func Standing(o Opening, steps []Step) State {
	return Replay(o, slices.DeleteFunc(slices.Clone(steps), func(st Step) bool { return !st.Confirmed }))
}

func replay(o Opening, steps []Step) (State, map[change.ID]bool) {
	s := State{Creator: o.Agent, Deadline: o.Deadline, Last: o.ID}
	counted := map[change.ID]bool{}
	if !o.Confirmed {
		return s, counted
	}
	s.enter(Open, Event{Agent: o.Agent, At: int64(o.HLC >> 10), Change: o.ID})
	last := -1
	for i := range steps {
		if steps[i].Confirmed {
			last = i
		}
	}
	for i := range steps {
		st := &steps[i]
		if !st.Confirmed && (i < last || Needs(st.Act)) || s.Check(st) != nil {
			continue
		}
		s.take(st)
		counted[st.ID] = true
	}
	return s, counted
}

// Needs reports whether an act counts only when the home has confirmed it.
func Needs(act string) bool {
	switch act {
	case body.BountyRelease, body.BountySubmit, body.BountyChanges, body.BountyDispute, body.BountyPropose, body.BountyApprove, body.BountyReject:
		return false
	}
	return true
}

// Confirmable refuses a step that a home must not confirm: it would not count,
// or a step that was confirmed before would count no more. The id is that of one
// of the steps. Steps that nobody confirmed weigh nothing here, however many there
// are: with a later step confirmed they do not count.
func Confirmable(o Opening, steps []Step, id change.ID) error {
	at, stand := -1, make([]Step, 0, min(len(steps), MaxSteps)+1)
	for i := range steps {
		if steps[i].ID == id {
			at = len(stand)
		} else if !steps[i].Confirmed {
			continue
		}
		stand = append(stand, steps[i])
	}
	if at < 0 || !o.Confirmed {
		return reason.Refuse(reason.BadTransition, "no such step")
	}
	if err := bounded(stand, at); err != nil {
		return err
	}
	before, _ := replay(o, stand[:at])
	stand[at].Confirmed = true
	_, counted := replay(o, stand)
	for i := range stand {
		if !counted[stand[i].ID] {
			if err := before.Check(&stand[at]); err != nil {
				return err
			}
			// It comes before something that stands: shown as it looks today.
			today, _ := replay(o, slices.Delete(slices.Clone(stand), at, at+1))
			if err := today.Check(&stand[at]); err != nil {
				return err
			}
			return reason.Refuse(reason.BadTransition, "the step came too late")
		}
	}
	return nil
}

// bounded refuses a step of which there are too many. Votes and proposals are
// counted for each member by themselves, so that who votes and votes again takes
// nobody else's vote.
func bounded(stand []Step, at int) error {
	st, own, others := &stand[at], 0, 0
	for i := range stand {
		switch {
		case !governs(stand[i].Act):
			others++
		case stand[i].Agent == st.Agent:
			own++
		}
	}
	switch {
	case governs(st.Act) && own > MaxVotes:
		return reason.Refuse(reason.LimitReached, "a member votes and proposes %d times at most", MaxVotes)
	case prolongs(st.Act) && others > MaxSteps:
		return reason.Refuse(reason.LimitReached, "a bounty has %d steps at most", MaxSteps)
	}
	return nil
}

// governs reports whether an act is about the vote to pay.
func governs(act string) bool {
	return act == body.BountyPropose || act == body.BountyApprove || act == body.BountyReject
}

// prolongs reports whether an act can be repeated without an end. Every other act
// leads on to the end of the bounty, where its money is free again, and is let
// through however many steps there were.
func prolongs(act string) bool {
	switch act {
	case body.BountyClaim, body.BountyChanges:
		return true
	}
	return false
}

// payer reports whether the agent of a step may act for who pays: the creator,
// or an admin or owner of the guild, unless it is the one that earns, as who became
// an admin since it took the bounty.
func (s *State) payer(st *Step) bool {
	return st.Agent == s.Creator || st.Rank >= role.Rank(role.Admin) && st.Agent != s.Claimant
}

func (s *State) party(a change.AgentID) bool { return a == s.Creator || a == s.Claimant }

// Counts reports whether a step has moved the bounty.
func (s *State) Counts(step change.ID) bool {
	return slices.ContainsFunc(s.Events, func(e Event) bool { return e.Change == step })
}
