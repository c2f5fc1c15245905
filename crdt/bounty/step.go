package bounty

import (
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/role"
)

// move is where one act leads: from which states, and where to ("" stays).
type move struct {
	from []Status
	to   Status
}

var moves = map[string]move{
	body.BountyClaim:   {[]Status{Open}, Claimed},
	body.BountyRelease: {[]Status{Claimed}, Open},
	body.BountySubmit:  {[]Status{Claimed}, Submitted},
	body.BountyChanges: {[]Status{Submitted}, Claimed},
	body.BountyAccept:  {[]Status{Submitted}, Accepted},
	body.BountyPayout:  {[]Status{Accepted}, Paid},
	body.BountyCancel:  {[]Status{Open}, Cancelled},
	body.BountyExpire:  {[]Status{Open, Claimed}, Expired},
	body.BountyDispute: {[]Status{Submitted, Accepted}, Disputed},
	body.BountyPay:     {[]Status{Disputed}, Paid},
	body.BountySplit:   {[]Status{Disputed}, Paid},
	body.BountyRefund:  {[]Status{Accepted, Disputed}, Refunded},
	body.BountyPropose: {[]Status{Claimed, Submitted, Accepted}, ""},
	body.BountyApprove: {[]Status{Claimed, Submitted, Accepted}, ""},
	body.BountyReject:  {[]Status{Claimed, Submitted, Accepted}, ""},
}

// checks are what must be true for an act besides its state.
var checks = map[string]func(s *State, st *Step) error{
	body.BountyClaim:   checkClaim,
	body.BountyRelease: checkRelease,
	body.BountySubmit:  checkSubmit,
	body.BountyChanges: checkChanges,
	body.BountyAccept:  checkAccept,
	body.BountyPayout:  checkPayout,
	body.BountyCancel:  checkPayer,
	body.BountyExpire:  checkExpire,
	body.BountyDispute: checkDispute,
	body.BountyPay:     checkVerdict,
	body.BountySplit:   checkVerdict,
	body.BountyRefund:  checkRefund,
	body.BountyPropose: checkMember,
	body.BountyApprove: checkVote,
	body.BountyReject:  checkVote,
}

// Allowed are the states that a step leads to from s, in the order of the table
// of states.
func (s Status) Allowed() []string {
	out := []string{}
	for _, act := range body.BountyActs() {
		if r := moves[act]; r.to != "" && slices.Contains(r.from, s) && !slices.Contains(out, string(r.to)) {
			out = append(out, string(r.to))
		}
	}
	return out
}

// Check refuses a step that is not allowed now, with the code of api §1.11.
func (s *State) Check(st *Step) error {
	r, known := moves[st.Act]
	if !known {
		return reason.Refuse(reason.BadTransition, "no such step of a bounty")
	}
	if !slices.Contains(r.from, s.Status) {
		return s.misplaced(st, r.to)
	}
	return checks[st.Act](s, st)
}

// misplaced refuses a step whose state has passed or has not come.
func (s *State) misplaced(st *Step, to Status) error {
	switch {
	case s.Status == Expired && (st.Act == body.BountyClaim || st.Act == body.BountySubmit):
		return reason.Refuse(reason.BountyExpired, "the bounty has expired")
	case st.Act == body.BountyClaim && s.live():
		return reason.Refuse(reason.AlreadyClaimed, "another agent works on it already")
	case st.Act == body.BountySubmit && s.live() && s.Claimant != st.Agent:
		return reason.Refuse(reason.NotClaimant, "another agent works on it")
	}
	if to == "" {
		to = s.Status
	}
	return reason.Refuse(reason.BadTransition, "a %s bounty does not become %s by %s", s.Status, to, st.Act).
		With(map[string]any{"from": string(s.Status), "to": string(to), "allowed": s.Status.Allowed()})
}

func (s *State) live() bool {
	return s.Status == Claimed || s.Status == Submitted || s.Status == Accepted || s.Status == Disputed
}

func (s *State) late(st *Step) bool { return s.Deadline != 0 && st.millis() >= s.Deadline }

func checkClaim(s *State, st *Step) error {
	switch {
	case s.payer(st):
		return reason.Refuse(reason.SelfDeal, "who pays does not earn")
	case s.late(st):
		return reason.Refuse(reason.BountyExpired, "the deadline has passed")
	}
	return nil
}

func checkRelease(s *State, st *Step) error {
	if st.Agent == s.Claimant || (st.Home || s.payer(st)) && st.millis() >= s.LeaseEnd {
		return nil
	}
	return reason.Refuse(reason.NotClaimant, "only the claimant gives it back before the lease ends")
}

func checkSubmit(s *State, st *Step) error {
	switch {
	case st.Agent != s.Claimant:
		return reason.Refuse(reason.NotClaimant, "another agent works on it")
	case s.late(st):
		return reason.Refuse(reason.BountyExpired, "the deadline has passed")
	}
	return nil
}

func checkPayer(s *State, st *Step) error {
	switch {
	case st.Agent == s.Claimant && st.Rank >= role.Rank(role.Admin):
		return reason.Refuse(reason.SelfDeal, "who earns does not decide for who pays")
	case !s.payer(st):
		return reason.Refuse(reason.Forbidden, "only the payer's side decides this")
	}
	return nil
}

func checkChanges(s *State, st *Step) error {
	if err := checkPayer(s, st); err != nil {
		return err
	}
	if s.Rounds >= MaxRounds {
		return reason.Refuse(reason.LimitReached, "changes were asked for %d times", s.Rounds)
	}
	return nil
}

// checkWork refuses a reference to a submission that is not the live one.
func checkWork(s *State, st *Step) error {
	if n := len(s.Submissions); !st.Ref.IsZero() && (n == 0 || s.Submissions[n-1].ID != st.Ref) {
		return reason.Refuse(reason.SubmissionNotFound, "no such live submission")
	}
	return nil
}

func checkAccept(s *State, st *Step) error {
	if !s.payer(st) && !(st.Home && st.millis() >= s.Entered+AutoAccept) {
		return checkPayer(s, st)
	}
	return checkWork(s, st)
}

func checkPayout(s *State, st *Step) error {
	if !s.payer(st) && !(st.Home && st.millis() >= s.Entered+AutoPay) {
		return checkPayer(s, st)
	}
	return checkWork(s, st)
}

func checkExpire(s *State, st *Step) error {
	if !st.Home || !s.late(st) {
		return reason.Refuse(reason.Forbidden, "a bounty expires by its home, after its deadline")
	}
	return nil
}

func checkDispute(s *State, st *Step) error {
	switch {
	case st.Agent != s.Claimant && !s.payer(st):
		return reason.Refuse(reason.Forbidden, "only the two sides dispute")
	case st.millis() >= s.Entered+DisputeWindow:
		return reason.Refuse(reason.BadTransition, "a dispute begins within 14 days").
			With(map[string]any{"from": string(s.Status), "to": string(Disputed), "allowed": []string{}})
	}
	return nil
}

// checkVerdict refuses a verdict of a party. Who is an arbiter is said by the
// home, which confirms no verdict of anybody else.
func checkVerdict(s *State, st *Step) error {
	if s.party(st.Agent) || st.Home {
		return reason.Refuse(reason.Forbidden, "a party is no arbiter")
	}
	return nil
}

// checkRefund lets an arbiter decide a dispute, and the home end one that nobody
// decided. Where it would pay accepted work by time alone, the home may give the
// reward back instead: it has found that who pays and who earns are one party.
func checkRefund(s *State, st *Step) error {
	switch {
	case s.Status == Accepted && !st.Home:
		return s.misplaced(st, Refunded)
	case s.Status == Accepted:
		if st.millis() < s.Entered+AutoPay {
			return reason.Refuse(reason.Forbidden, "accepted work has 72 hours to be paid or disputed")
		}
		return nil
	case !st.Home:
		return checkVerdict(s, st)
	case st.millis() < s.Entered+DisputeEnd:
		return reason.Refuse(reason.Forbidden, "a dispute ends by itself after 30 days")
	}
	return nil
}

func checkMember(_ *State, st *Step) error {
	if st.Rank < role.Rank(role.Member) {
		return reason.Refuse(reason.NotAMember, "Not a member of this team")
	}
	return nil
}

func checkVote(s *State, st *Step) error {
	if err := checkMember(s, st); err != nil {
		return err
	}
	if s.Governance == nil || s.Governance.Proposal != st.Ref {
		return reason.Refuse(reason.BadTransition, "there is no such proposal").
			With(map[string]any{"from": string(s.Status), "to": string(s.Status), "allowed": s.Status.Allowed()})
	}
	return nil
}

// take makes a checked step count.
func (s *State) take(st *Step) {
	s.Last = st.ID
	now := st.millis()
	switch st.Act {
	case body.BountyClaim:
		s.Claimant, s.Rounds, s.LeaseEnd = st.Agent, 0, now+Lease
	case body.BountyRelease:
		s.Claimant, s.LeaseEnd, s.Governance = change.AgentID{}, 0, nil
	case body.BountySubmit:
		s.Submissions = append(s.Submissions, Submission{ID: st.ID, Agent: st.Agent, At: now, Status: Pending, Proof: st.Proof})
	case body.BountyChanges:
		s.Rounds++
		s.LeaseEnd = now + Lease
		s.work(ChangesRequested, now)
	case body.BountyAccept:
		s.work(AcceptedWork, now)
	case body.BountyPayout, body.BountyPay:
		s.Share = 100
		s.work(PaidWork, now)
	case body.BountySplit:
		s.Share = st.Percent
		s.work(PaidWork, now)
	case body.BountyRefund:
		s.work(Rejected, now)
	case body.BountyPropose:
		s.Governance = &Governance{Proposal: st.ID, Agent: st.Agent, Percent: st.Percent, Votes: map[change.AgentID]bool{}}
	case body.BountyApprove, body.BountyReject:
		s.Governance.Votes[st.Agent] = st.Act == body.BountyApprove
	}
	if to := moves[st.Act].to; to != "" {
		s.enter(to, Event{Act: st.Act, Agent: st.Agent, At: now, Change: st.ID, Proof: st.Proof})
	}
	if s.Status == Paid {
		for i := range s.Submissions[:max(0, len(s.Submissions)-1)] {
			s.Submissions[i].Status, s.Submissions[i].Resolved = Rejected, now
		}
	}
}

// work returns what became of the live submission.
func (s *State) work(status string, at int64) {
	if n := len(s.Submissions); n > 0 {
		s.Submissions[n-1].Status, s.Submissions[n-1].Resolved = status, at
	}
}

func (s *State) enter(to Status, e Event) {
	e.From, e.To = s.Status, to
	s.Status, s.Entered = to, e.At
	s.Events = append(s.Events, e)
}

// Due is the next step that time brings about and when, in milliseconds; act is
// "" when nothing is due ever.
func (s *State) Due() (act string, at int64) {
	switch s.Status {
	case Open:
		if s.Deadline != 0 {
			return body.BountyExpire, s.Deadline
		}
	case Claimed:
		if s.Deadline != 0 && s.Deadline <= s.LeaseEnd {
			return body.BountyExpire, s.Deadline
		}
		return body.BountyRelease, s.LeaseEnd
	case Submitted:
		return body.BountyAccept, s.Entered + AutoAccept
	case Accepted:
		return body.BountyPayout, s.Entered + AutoPay
	case Disputed:
		return body.BountyRefund, s.Entered + DisputeEnd
	}
	return "", 0
}
