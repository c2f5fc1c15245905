package bounty

import (
	"context"
	"errors"
	"strings"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/bounty"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/node/view"
)

// ClaimBounty takes a bounty for the caller.
func (s *Service) ClaimBounty(ctx context.Context, c call.Caller, id, mark string) (*BountyReply, error) {
	return s.step(ctx, c, id, body.BountyAct{Act: body.BountyClaim}, mark)
}

// ReleaseBounty gives a claim back.
func (s *Service) ReleaseBounty(ctx context.Context, c call.Caller, id, mark string) (*BountyReply, error) {
	return s.step(ctx, c, id, body.BountyAct{Act: body.BountyRelease}, mark)
}

// CancelBounty takes an open bounty back, with its reward.
func (s *Service) CancelBounty(ctx context.Context, c call.Caller, id, mark string) (*BountyReply, error) {
	return s.step(ctx, c, id, body.BountyAct{Act: body.BountyCancel}, mark)
}

// RequestChanges asks the claimant for more.
func (s *Service) RequestChanges(ctx context.Context, c call.Caller, id string, r BountyReasonRequest, mark string) (*BountyReply, error) {
	return s.reasoned(ctx, c, id, body.BountyChanges, r, mark)
}

// DisputeBounty asks for an arbiter.
func (s *Service) DisputeBounty(ctx context.Context, c call.Caller, id string, r BountyReasonRequest, mark string) (*BountyReply, error) {
	return s.reasoned(ctx, c, id, body.BountyDispute, r, mark)
}

func (s *Service) reasoned(ctx context.Context, c call.Caller, id, act string, r BountyReasonRequest, mark string) (*BountyReply, error) {
	why := strings.TrimSpace(r.Reason)
	if why == "" {
		return nil, call.Invalid(call.Missing("reason", "is needed"))
	}
	if err := s.access.RefuseSecret("reason", why); err != nil {
		return nil, err
	}
	return s.step(ctx, c, id, body.BountyAct{Act: act, Text: why}, mark)
}

// AcceptWork accepts the live submission.
func (s *Service) AcceptWork(ctx context.Context, c call.Caller, id string, r WorkRequest, mark string) (*BountyReply, error) {
	ref, err := s.submission(ctx, c, r)
	if err != nil {
		return nil, err
	}
	return s.step(ctx, c, id, body.BountyAct{Act: body.BountyAccept, Ref: ref}, mark)
}

// submission reads the id of a submission, zero when none is named.
func (s *Service) submission(ctx context.Context, c call.Caller, r WorkRequest) (change.ID, error) {
	text := r.SubmissionID
	if text == "" {
		return change.ID{}, nil
	}
	return s.access.IDFor(ctx, c, change.PrefixSubmission, text, reason.Refuse(reason.SubmissionNotFound, "no such submission"))
}

// ResolveBounty ends a dispute by a verdict.
func (s *Service) ResolveBounty(ctx context.Context, c call.Caller, id string, r VerdictRequest, mark string) (*BountyReply, error) {
	var bad []call.Problem
	if strings.TrimSpace(r.Verdict) == "" {
		bad = append(bad, call.Missing("verdict", "is needed"))
	}
	if strings.TrimSpace(r.Reason) == "" {
		bad = append(bad, call.Missing("reason", "is needed"))
	}
	split := r.Verdict == body.BountySplit
	if split && !r.SplitPct.Given {
		bad = append(bad, call.Missing("split_pct", "is needed for a split"))
	}
	if err := call.Invalid(bad...); err != nil {
		return nil, err
	}
	a := body.BountyAct{Act: r.Verdict, Text: strings.TrimSpace(r.Reason)}
	if split {
		a.Percent = r.SplitPct.Value
	}
	if err := s.access.RefuseSecret("reason", a.Text); err != nil {
		return nil, err
	}
	return s.step(ctx, c, id, a, mark)
}

// step takes one step for the caller.
func (s *Service) step(ctx context.Context, c call.Caller, text string, a body.BountyAct, mark string) (*BountyReply, error) {
	agent, err := s.trader(c)
	if err != nil {
		return nil, err
	}
	b, _, err := s.FindBounty(ctx, c, text)
	if err != nil {
		return nil, err
	}
	a.Bounty = b.ID
	_, confirmed, err := s.takeStep(ctx, c, agent, &b, a, mark)
	if err != nil {
		return nil, err
	}
	return s.stepped(ctx, c, b.ID, confirmed)
}

func (s *Service) stepped(ctx context.Context, c call.Caller, id change.ID, confirmed bool) (*BountyReply, error) {
	b, err := s.mesh.Bounty(ctx, id)
	if err != nil {
		return nil, err
	}
	reply := &BountyReply{Success: true, Confirmed: confirmed}
	if !confirmed {
		url := "/api/mesh/bounties/" + id.Text(change.PrefixBounty) + "/lifecycle"
		reply.StatusURL = &url
	}
	reply.Bounty, err = s.showBounty(ctx, c, &b)
	return reply, err
}

// takeStep writes a step. Where this node is the home it is judged, written, confirmed
// and settled in one go; otherwise the home is waited for a few seconds.
func (s *Service) takeStep(ctx context.Context, c call.Caller, agent change.AgentID, b *view.Bounty, a body.BountyAct, mark string) (id change.ID, confirmed bool, err error) {
	if err := s.access.SignedDeal(ctx, c, b.Guild); err != nil {
		return id, false, err
	}
	if b.HomeHere {
		s.escrow.Homes().Lock()
		defer s.escrow.Homes().Unlock()
		fresh, err := s.mesh.Bounty(ctx, b.ID)
		if err != nil {
			return id, false, err
		}
		if err := s.escrow.Admits(ctx, &fresh, &bounty.Step{Agent: agent, Act: a.Act, Ref: a.Ref}, s.access.IsAdmin(c)); err != nil {
			return id, false, s.earlier(&fresh, agent, a, err)
		}
	} else if err := s.escrow.Fits(ctx, b, agent, a.Act); err != nil {
		return id, false, err
	}
	if id, err = s.mesh.StepBounty(ctx, agent, a, mark); err != nil {
		return id, false, err
	}
	if b.HomeHere {
		if err := s.mesh.ConfirmBounty(ctx, b.ID, id); err != nil {
			return id, false, err
		}
		return id, true, s.escrow.Settle(ctx, b.ID)
	}
	wait, cancel := context.WithTimeout(ctx, homeWait)
	defer cancel()
	switch err := s.mesh.AwaitStep(wait, b.ID, id); {
	case err == nil:
		return id, true, nil
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		return id, false, nil
	default:
		return id, false, err
	}
}

// earlier is what stands against a step by the machine when it stands before what
// the home has against it: that a bounty is gone is more to know than that one
// may not have it.
func (s *Service) earlier(b *view.Bounty, agent change.AgentID, a body.BountyAct, err error) error {
	step := bounty.Step{HLC: uint64(s.access.Now().UnixMilli()) << 10, Agent: agent, Act: a.Act, Ref: a.Ref, Percent: a.Percent}
	if code := reason.Of(b.Check(&step)); code == reason.AlreadyClaimed || code == reason.BountyExpired || code == reason.BadTransition {
		return b.Check(&step)
	}
	return err
}
