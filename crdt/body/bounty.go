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
	Deadline int64   // milliseconds since 1970, 1…MaxDeadline, or 0 without one
	Home     did.Key // who confirms its steps and keeps the reward
	Task     string  // id of the task of the board that it pays for, or ""
}

// ParseBountyOpen is the row of bounty.open.
func ParseBountyOpen(b []byte) (BountyOpen, error) {
	r := parse(b)
	v := BountyOpen{
		Title: r.text("title", required, 1, MaxBountyTitle), Text: r.text("text", optional, 0, MaxBountyText),
		Currency: r.word("cur", required, Credits, USDC), Home: r.key("home"), Task: r.task("task", optional),
	}
	v.Amount, _ = r.integer("amount", required, 1, MaxReward)
	v.Deadline, _ = r.integer("deadline", optional, 1, MaxDeadline)
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

// The steps of a bounty. Who may take which, and when, is decided by package
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
// must contain the bounty.
func ParseBountyAct(b []byte, parents []change.ID) (BountyAct, error) {
	r := parse(b)
	v := BountyAct{Bounty: r.parent("bounty", parents), Act: r.word("act", required, bountyActs...)}
	switch v.Act {
	case BountyApprove, BountyReject:
		v.Ref = r.id("ref", required)
	case BountyAccept, BountyPayout:
		v.Ref = r.id("ref", optional)
	default:
		r.nowhere("ref")
	}
	var percent int64
	switch v.Act {
	case BountySplit:
		percent, _ = r.integer("pct", required, 1, 99)
	case BountyPropose:
		percent, _ = r.integer("pct", required, MinThreshold, 100)
	default:
		r.nowhere("pct")
	}
	v.Percent = int(percent)
	if v.Act == BountyPropose {
		v.Title = r.text("title", required, 1, MaxBountyTitle)
	} else {
		v.Title = r.text("title", optional, 0, MaxBountyTitle)
	}
	if v.Act == BountySubmit {
		v.Text = r.text("text", required, 1, MaxSolution)
		v.Proof, v.IDs = r.bytes("proof", optional, 0, MaxBountyProof), r.ids("ids", optional, MaxReuses)
	} else {
		v.Text = r.text("text", optional, 0, MaxSolution)
		r.nowhere("proof", "ids")
	}
	return v, r.refusal()
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
