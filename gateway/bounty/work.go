package bounty

import (
	"context"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/bounty"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/view"
)

// SubmissionReply is a submission that was made.
type SubmissionReply struct {
	Success    bool       `json:"success"`
	Submission Submission `json:"submission"`
	Confirmed  bool       `json:"confirmed" doc:"the bounty's home has seen it"`
}

// SubmitWork submits a solution. Of an open bounty it is claimed first.
func (s *Service) SubmitWork(ctx context.Context, c call.Caller, text string, r SubmitRequest, mark string) (*SubmissionReply, error) {
	agent, err := s.trader(c)
	if err != nil {
		return nil, err
	}
	b, _, err := s.FindBounty(ctx, c, text)
	if err != nil {
		return nil, err
	}
	a, err := s.readSolution(ctx, r)
	if err != nil {
		return nil, err
	}
	a.Bounty = b.ID
	if b.Status == bounty.Open {
		_, claimed, err := s.takeStep(ctx, c, agent, &b, body.BountyAct{Bounty: b.ID, Act: body.BountyClaim}, markOf(mark, "claim"))
		if err != nil {
			return nil, err
		}
		if !claimed {
			return nil, reason.Refuse(reason.ViewBehind, "the bounty's home has not confirmed the claim yet; submit when it has").
				With(map[string]any{"retry_after": 5})
		}
	}
	id, confirmed, err := s.takeStep(ctx, c, agent, &b, a, mark)
	if err != nil {
		return nil, err
	}
	if b, err = s.mesh.Bounty(ctx, b.ID); err != nil {
		return nil, err
	}
	at := slices.IndexFunc(b.Submissions, func(w bounty.Submission) bool { return w.ID == id })
	if at < 0 {
		return nil, reason.Refuse(reason.BadTransition, "the bounty has moved on")
	}
	reply := &SubmissionReply{Success: true, Confirmed: confirmed}
	reply.Submission, err = s.showSubmission(ctx, &b, &b.Submissions[at], true)
	return reply, err
}

// markOf is the mark of a part of a request.
func markOf(mark, part string) string {
	if mark == "" {
		return ""
	}
	return mark + "/" + part
}

func (s *Service) readSolution(ctx context.Context, r SubmitRequest) (body.BountyAct, error) {
	a := body.BountyAct{Act: body.BountySubmit, Text: strings.TrimSpace(r.Solution), Proof: proofText(r)}
	if a.Text == "" {
		return a, call.Invalid(call.Missing("solution", "is needed"))
	}
	if len(a.Proof) > body.MaxBountyProof {
		return a, call.Invalid(call.Fault("proof", "has %d bytes, at most %d are allowed", len(a.Proof), body.MaxBountyProof))
	}
	for _, f := range []struct{ name, text string }{{"solution", a.Text}, {"proof", string(a.Proof)}} {
		if err := s.access.RefuseSecret(f.name, f.text); err != nil {
			return a, err
		}
	}
	for _, text := range r.EntryIDs {
		id, err := s.access.EntryID(ctx, text)
		if err != nil && reason.Of(err) != reason.EntryNotFound {
			return a, err
		}
		if err == nil {
			_, err = s.mesh.Entry(ctx, id)
		}
		if err != nil {
			return a, reason.Refuse(reason.UnknownReference, "an entry in entry_ids is not known here").With(map[string]any{"id": call.Clip(text, call.MaxIDText)})
		}
		a.IDs = append(a.IDs, id)
	}
	return a, nil
}

// PayoutReply is a bounty that was paid.
type PayoutReply struct {
	Success      bool         `json:"success"`
	Bounty       Bounty       `json:"bounty"`
	PayoutResult PayoutResult `json:"payoutResult"`
}

// PayoutResult is what was paid and how.
type PayoutResult struct {
	Amount     float64 `json:"amount"`
	Currency   string  `json:"currency"`
	Settlement string  `json:"settlement" enum:"ledger,on_chain"`
	Ref        string  `json:"ref" doc:"line of the ledger"`
}

// PayBounty pays the live submission, accepting it first when nobody has.
func (s *Service) PayBounty(ctx context.Context, c call.Caller, text string, r WorkRequest, mark string) (*PayoutReply, error) {
	agent, err := s.trader(c)
	if err != nil {
		return nil, err
	}
	b, _, err := s.FindBounty(ctx, c, text)
	if err != nil {
		return nil, err
	}
	ref, err := s.submission(ctx, c, r)
	if err != nil {
		return nil, err
	}
	if !b.HomeHere {
		return nil, call.Hinted(reason.SettlementUnavailable, "the reward lies at another gateway", "pay there: its DID is the bounty's home")
	}
	if b.Status == bounty.Submitted {
		if err := s.escrow.MayPay(ctx, &b, agent); err != nil && s.payerSide(ctx, &b, agent) {
			return nil, err // before it is accepted in vain
		}
		if _, _, err := s.takeStep(ctx, c, agent, &b, body.BountyAct{Bounty: b.ID, Act: body.BountyAccept, Ref: ref}, markOf(mark, "accept")); err != nil {
			return nil, err
		}
	}
	if _, _, err := s.takeStep(ctx, c, agent, &b, body.BountyAct{Bounty: b.ID, Act: body.BountyPayout, Ref: ref}, mark); err != nil {
		return nil, err
	}
	if b, err = s.mesh.Bounty(ctx, b.ID); err != nil {
		return nil, err
	}
	reply := &PayoutReply{Success: true}
	if reply.Bounty, err = s.showBounty(ctx, c, &b); err != nil {
		return nil, err
	}
	paid, err := s.payoutOf(ctx, &b)
	if paid != nil {
		reply.PayoutResult = *paid
	}
	return reply, err
}

// payoutOf is what the claimant got, nil when nothing was paid from here.
func (s *Service) payoutOf(ctx context.Context, b *view.Bounty) (*PayoutResult, error) {
	t, ok, err := s.state.TransferOf(ctx, state.OpClose, b.ID.Text(change.PrefixBounty))
	if err != nil || !ok {
		return nil, err
	}
	got := t.Of(state.AgentAccount(b.Claimant.String()))
	if got == 0 {
		return nil, nil
	}
	return &PayoutResult{float64(got) / float64(rewardScale(b.Currency)), b.Currency, "ledger", t.ID}, nil
}
