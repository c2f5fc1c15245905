package body

import (
	"slices"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
)

// The currencies of a reward.
const (
	Credits = "credits"
	USDC    = "USDC"
)

// BountyOpen is the body of bounty.open: work with a reward. It counts once the
// home has confirmed it.
type BountyOpen struct {
	Title    string  // 1…MaxBountyTitle characters
	Text     string  // ≤ MaxBountyText characters
	Amount   int64   // micro-USD, 1…MaxReward
	Currency string  // Credits or USDC
	Deadline int64   // milliseconds since 1970, 0 without one
	Home     did.Key // who confirms its steps and holds the reward
	Task     string  // id of the task of the board that it pays for, or ""
}

// ParseBountyOpen is the row of bounty.open.
func ParseBountyOpen(b []byte) (BountyOpen, error) {
	r := parse(b)
	v := BountyOpen{
		Title: r.text("title", required, 1, MaxBountyTitle), Text: r.text("text", optional, 0, MaxBountyText),
		Currency: r.text("cur", required, 1, MaxRole), Home: r.key("home"), Task: r.text("task", optional, 0, MaxTask),
	}
	v.Amount, _ = r.integer("amount", required, MaxReward)
	v.Deadline, _ = r.integer("deadline", optional, cbor.MaxInt>>10)
	if r.err == nil {
		switch {
		case v.Amount == 0:
			r.fail("amount", "a reward is more than nothing")
		case v.Currency != Credits && v.Currency != USDC:
			r.fail("cur", "want credits or USDC")
		case v.Task != "" && !ValidTask(v.Task):
			r.fail("task", "want tsk_ and a UUID in lower case")
		}
	}
	return v, r.refusal()
}

// Encode returns the canonical body. Empty fields are left out.
func (v BountyOpen) Encode() ([]byte, error) {
	m := cbor.Map{"title": v.Title, "amount": v.Amount, "cur": v.Currency, "home": v.Home[:]}
	putText(m, "text", v.Text)
	putText(m, "task", v.Task)
	if v.Deadline != 0 {
		m["deadline"] = v.Deadline
	}
	return encode(m)
}

// The steps of a bounty. Who may take which, and when, is told by package
// bounty.
const (
	BountyClaim   = "claim"
	BountyRelease = "release"
	BountySubmit  = "submit"
	BountyChanges = "changes" // the payer asks for changes
	BountyAccept  = "accept"
	BountyPayout  = "payout"
	BountyCancel  = "cancel"
	BountyExpire  = "expire"
	BountyDispute = "dispute"
	BountyPay     = "pay"    // verdict: all to the claimant
	BountySplit   = "split"  // verdict: Percent to the claimant, the rest back
	BountyRefund  = "refund" // verdict: all back; of the home also in place of a payout to its own payer
	BountyPropose = "propose"
	BountyApprove = "approve" // votes for the proposal in Ref
	BountyReject  = "reject"  // votes against it
)

var bountyActs = []string{
	BountyClaim, BountyRelease, BountySubmit, BountyChanges, BountyAccept, BountyPayout, BountyCancel, BountyExpire,
	BountyDispute, BountyPay, BountySplit, BountyRefund, BountyPropose, BountyApprove, BountyReject,
}

// BountyActs are the steps of a bounty in the order of their numbers. The slice
// is new.
func BountyActs() []string { return slices.Clone(bountyActs) }

// BountyAct is the body of bounty.act: one step of a bounty.
type BountyAct struct {
	Bounty  change.ID // the bounty.open
	Act     string
	Ref     change.ID   // submission of accept and payout, proposal of a vote, or zero
	Title   string      // of a proposal, ≤ MaxBountyTitle characters
	Text    string      // solution of submit, else reason, ≤ MaxSolution characters
	Proof   []byte      // of submit, ≤ MaxBountyProof bytes
	IDs     []change.ID // entries that a solution cites, ≤ MaxReuses
	Percent int         // claimant's share of split, threshold of propose; else 0
}

// ParseBountyAct is the row of bounty.act; parents are those of the head, which
// must hold the bounty.
func ParseBountyAct(b []byte, parents []change.ID) (BountyAct, error) {
	r := parse(b)
	v := BountyAct{
		Bounty: r.id("bounty", required), Act: r.text("act", required, 1, MaxRole), Ref: r.id("ref", optional),
		Title: r.text("title", optional, 0, MaxBountyTitle), Text: r.text("text", optional, 0, MaxSolution),
		Proof: r.bytes("proof", optional, MaxBountyProof), IDs: r.ids("ids", optional, MaxReuses),
	}
	percent, _ := r.integer("pct", optional, 100)
	v.Percent = int(percent)
	if r.err == nil {
		v.check(r)
	}
	if err := r.refusal(); err != nil {
		return v, err
	}
	return v, holds(parents, v.Bounty)
}

func (v BountyAct) check(r *row) {
	vote := v.Act == BountyApprove || v.Act == BountyReject
	switch {
	case !slices.Contains(bountyActs, v.Act):
		r.fail("act", "no such step of a bounty")
	case v.Act == BountySubmit && v.Text == "":
		r.fail("text", "a submission has a solution")
	case vote == v.Ref.IsZero() && (vote || v.Act != BountyAccept && v.Act != BountyPayout):
		r.fail("ref", "is for votes, accept and payout, and a vote needs it")
	case v.Act == BountySplit && (v.Percent < 1 || v.Percent > 99):
		r.fail("pct", "a split gives 1 to 99 percent")
	case v.Act == BountyPropose && (v.Percent < MinThreshold || v.Title == ""):
		r.fail("pct", "a proposal has a title and a threshold of 50 to 100 percent")
	case v.Act != BountySplit && v.Act != BountyPropose && v.Percent != 0:
		r.fail("pct", "is for split and propose")
	case v.Act != BountySubmit && (len(v.Proof) > 0 || len(v.IDs) > 0):
		r.fail("proof", "is for submit")
	}
}

// Encode returns the canonical body. Empty fields are left out.
func (v BountyAct) Encode() ([]byte, error) {
	m := cbor.Map{"bounty": v.Bounty[:], "act": v.Act}
	putID(m, "ref", v.Ref)
	putText(m, "title", v.Title)
	putText(m, "text", v.Text)
	putBytes(m, "proof", v.Proof)
	if len(v.IDs) > 0 {
		m["ids"] = idItems(v.IDs)
	}
	if v.Percent != 0 {
		m["pct"] = v.Percent
	}
	return encode(m)
}
