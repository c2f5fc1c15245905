package escrow

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/bounty"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node/view"
)

// A bounty's home is the gateway that keeps its reward. It alone decides what the
// log cannot: who is one party, how much one agent may have claimed, what the
// team's policy requires before money moves, who is an arbiter. What it lets through
// it confirms; what it does not, it refuses for good.

// Admits refuses a step that the home of a bounty does not confirm, besides what
// the state machine refuses. admin is whether somebody who runs this node asks.
func (s *Service) Admits(ctx context.Context, b *view.Bounty, st *bounty.Step, admin bool) error {
	e, err := s.state.EscrowOf(ctx, b.ID.Text(change.PrefixBounty))
	if err != nil {
		return err
	}
	if e.State != state.EscrowReserved && !b.Status.Terminal() && !(e.State != state.EscrowReleased && st.Act == body.BountyCancel) {
		return reason.Refuse(reason.SettlementUnavailable, "this gateway does not hold the reward any more")
	}
	switch st.Act {
	case body.BountyAccept, body.BountyPayout, body.BountyPay, body.BountySplit:
		byTime := st.Home && st.Act == body.BountyAccept // moves no money
		if !byTime && s.sharesHands(ctx, b) {
			return reason.Refuse(reason.SelfDeal, oneParty)
		}
	}
	switch st.Act {
	case body.BountyPayout:
		return s.MayPay(ctx, b, st.Agent)
	case body.BountyPay, body.BountySplit, body.BountyRefund:
		return s.MayJudge(ctx, b, st.Agent, admin || st.Home)
	}
	return s.Fits(ctx, b, st.Agent, st.Act)
}

// Fits refuses an agent that may not have a bounty.
func (s *Service) Fits(ctx context.Context, b *view.Bounty, agent change.AgentID, act string) error {
	switch act {
	case body.BountyClaim:
		if agent != b.State.Creator && s.mesh.SameHands(ctx, agent, b.State.Creator) {
			return reason.Refuse(reason.SelfDeal, oneParty)
		}
		if page, err := s.mesh.TeamPage(ctx, b.Guild); err != nil || slices.Contains(page.Banned, agent) {
			if err != nil {
				return err
			}
			return reason.Refuse(reason.Banned, "the team keeps this agent out")
		}
		if s.mesh.Claims(ctx, agent, b.ID) >= maxLiveClaims {
			return reason.Refuse(reason.LimitReached, "an agent works on %d bounties at most", maxLiveClaims).With(map[string]any{"limit": maxLiveClaims})
		}
	case body.BountyPropose, body.BountyApprove, body.BountyReject:
		if policy, err := s.payoutPolicy(ctx, b.Guild); err != nil || policy != policyGovernance {
			if err != nil {
				return err
			}
			return call.Hinted(reason.Forbidden, "this team pays without a vote", "its policy bounty_payout would have to be governance")
		}
	}
	return nil
}

// Values of the policy bounty_payout.
const (
	policyOwner      = "owner"
	policyAdmin      = "admin"
	policyGovernance = "governance"
)

// payoutPolicy is who may pay a team's bounties.
func (s *Service) payoutPolicy(ctx context.Context, guild change.ID) (string, error) {
	page, err := s.mesh.TeamPage(ctx, guild)
	if err != nil {
		return "", err
	}
	switch text, _ := page.Policy["bounty_payout"].(string); text {
	case policyOwner, policyGovernance:
		return text, nil
	}
	return policyAdmin, nil
}

// MayPay refuses a payout that the team's policy does not allow. What the home
// pays by itself, after 72 hours, needs no more than the vote where there is one.
func (s *Service) MayPay(ctx context.Context, b *view.Bounty, agent change.AgentID) error {
	policy, err := s.payoutPolicy(ctx, b.Guild)
	if err != nil {
		return err
	}
	switch policy {
	case policyOwner:
		due := b.Status == bounty.Accepted && s.access.Now().UnixMilli() >= b.Entered+bounty.AutoPay
		if s.mesh.RoleIn(ctx, agent, b.Guild) != role.Owner && !due {
			return reason.Refuse(reason.Forbidden, "in this team only an owner pays")
		}
	case policyGovernance:
		if g := s.Governance(ctx, b); g == nil || g.Status != "approved" {
			return call.Hinted(reason.GovernanceRequired, "the team has not approved the payout",
				"POST /api/mesh/bounties/"+b.ID.Text(change.PrefixBounty)+"/governance/propose")
		}
	}
	return nil
}

// MayJudge refuses a verdict of who is no arbiter: whoever runs this node, or an
// agent that the team's policy names under arbiters.
func (s *Service) MayJudge(ctx context.Context, b *view.Bounty, agent change.AgentID, admin bool) error {
	if agent == b.State.Creator || agent == b.Claimant {
		return reason.Refuse(reason.Forbidden, "a party is no arbiter")
	}
	if admin {
		return nil
	}
	page, err := s.mesh.TeamPage(ctx, b.Guild)
	if err != nil {
		return err
	}
	named, _ := page.Policy["arbiters"].([]any)
	if !slices.Contains(named, any(agent.String())) {
		return reason.Refuse(reason.Forbidden, "an arbiter is an admin of the home gateway, or named in the team's policy")
	}
	if role.Rank(s.mesh.RoleIn(ctx, agent, b.Guild)) >= role.Rank(role.Admin) ||
		s.mesh.SameHands(ctx, agent, b.State.Creator) || s.mesh.SameHands(ctx, agent, b.Claimant) {
		return call.Hinted(reason.Forbidden, "a party is no arbiter", "who may act for the payer, or shares a wallet or a sponsor with a side, is one of the parties")
	}
	return nil
}

// KeepsNoReward refuses with escrow_open while an agent has a bounty under way in a
// private team. There its key is the bounty's home, and nobody could end the bounty
// once that key has no place in the team.
func (s *Service) KeepsNoReward(ctx context.Context, g view.Guild, agent change.AgentID) error {
	if g.Space.Area() != change.AreaTeam {
		return nil
	}
	for _, b := range s.mesh.Bounties(ctx, g.ID) {
		if b.State.Creator == agent && b.Status != "" && !b.Status.Terminal() {
			return call.Hinted(reason.EscrowOpen, "the agent has a bounty under way in this team", "cancel it or bring it to its end first").
				With(map[string]any{"bounty_id": b.ID.Text(change.PrefixBounty)})
		}
	}
	return nil
}

// Settle moves the money that the state of a bounty decides about, whatever has
// become known of its sides since: what the log says is what the ledger does. It may
// be asked for at any time and again: the ledger closes an escrow once.
func (s *Service) Settle(ctx context.Context, id change.ID) error {
	b, err := s.mesh.Bounty(ctx, id)
	if err != nil || !b.HomeHere || !b.Status.Terminal() {
		return err
	}
	text := id.Text(change.PrefixBounty)
	if e, err := s.state.EscrowOf(ctx, text); err != nil || e.State != state.EscrowReserved {
		return err
	}
	claimant := ""
	if b.Share > 0 {
		claimant = b.Claimant.String()
	}
	_, err = s.state.CloseEscrow(ctx, text, claimant, b.Share, s.access.Now())
	return err
}

// KeepBounties confirms what other nodes wrote about the bounties whose home is
// here, takes the steps that time brings about, and settles, until ctx ends. It
// begins with everything that was left when the last process ended. failed receives
// of faults, after which it goes on.
func (s *Service) KeepBounties(ctx context.Context, failed func(error)) {
	changed := make(chan change.ID, maxChangedBounties)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		s.mesh.WatchBounties(ctx, func(id change.ID) {
			select {
			case changed <- id:
			default: // the next look at all of them finds it
			}
		})
	}()
	tick := time.NewTicker(bountyPoll)
	defer tick.Stop()
	report := func(err error) {
		if err != nil && ctx.Err() == nil {
			failed(err)
		}
	}
	report(s.TendBounties(ctx))
	for {
		select {
		case <-ctx.Done():
			<-watched
			return
		case id := <-changed:
			report(s.tend(ctx, id))
		case <-tick.C:
			report(s.TendBounties(ctx))
		}
	}
}

// TendBounties looks once at every bounty whose home is here.
func (s *Service) TendBounties(ctx context.Context) error {
	var errs []error
	for _, g := range s.mesh.AllGuilds(ctx) {
		for _, b := range s.mesh.Bounties(ctx, g) {
			if b.HomeHere {
				errs = append(errs, s.tend(ctx, b.ID))
			}
		}
	}
	return errors.Join(append(errs, s.freeStranded(ctx))...)
}

// tend brings one bounty up to date.
func (s *Service) tend(ctx context.Context, id change.ID) error {
	s.homes.Lock()
	defer s.homes.Unlock()
	b, err := s.mesh.Bounty(ctx, id)
	if err != nil || !b.HomeHere {
		return nil // it lost its effect, or is another's
	}
	if s.mesh.HomeSilenced(ctx, id) {
		return nil // nothing of it can be confirmed; freeStranded ends it
	}
	if b.Status == "" {
		return s.finishOpening(ctx, &b)
	}
	for _, st := range b.Waiting {
		if err := s.judgeStep(ctx, id, st); err != nil {
			return err
		}
	}
	for range maxTimers {
		stepped, err := s.timer(ctx, id)
		if err != nil {
			return err
		}
		if !stepped {
			break
		}
	}
	return s.Settle(ctx, id)
}

// finishOpening confirms an opening whose reward was reserved before the process
// ended.
func (s *Service) finishOpening(ctx context.Context, b *view.Bounty) error {
	e, err := s.state.EscrowOf(ctx, b.ID.Text(change.PrefixBounty))
	if err != nil || e.State != state.EscrowReserved {
		return err
	}
	return s.mesh.ConfirmBounty(ctx, b.ID, b.ID)
}

// judgeStep confirms a step that waits, or refuses it for good.
func (s *Service) judgeStep(ctx context.Context, id change.ID, st bounty.Step) error {
	if _, before := s.refused[st.ID]; before {
		return nil
	}
	name := st.ID.Text(change.PrefixChange)
	if code, err := s.state.StepRefused(ctx, name); err != nil || code != "" {
		if code != "" {
			s.noteRefused(st.ID)
		}
		return err
	}
	b, err := s.mesh.Bounty(ctx, id)
	if err != nil {
		return err
	}
	err = s.Admits(ctx, &b, &st, false)
	if err == nil && st.Act == body.BountySubmit {
		err = s.cleanWork(ctx, st.ID)
	}
	if err == nil {
		err = s.mesh.ConfirmBounty(ctx, id, st.ID)
	}
	var r *reason.Refusal
	if !errors.As(err, &r) {
		return err
	}
	switch r.Code {
	case reason.ReadOnly, reason.NotReady, reason.Overloaded:
		return err // not about the step
	}
	if err := s.state.RefuseStep(ctx, name, string(r.Code), s.access.Now()); err != nil {
		return err
	}
	s.noteRefused(st.ID)
	return nil
}

// noteRefused spares the database from being asked about a refused step at every
// look at its bounty: anybody may write steps, and they stay. homes is held.
func (s *Service) noteRefused(step change.ID) {
	if s.refused == nil || len(s.refused) >= maxRefusedSteps {
		s.refused = map[change.ID]struct{}{}
	}
	s.refused[step] = struct{}{}
}

// cleanWork refuses a submission from elsewhere that contains a secret.
func (s *Service) cleanWork(ctx context.Context, step change.ID) error {
	a, err := s.mesh.BountyStep(ctx, step)
	if err != nil {
		return err
	}
	if err := s.access.RefuseSecret("solution", a.Text); err != nil {
		return err
	}
	return s.access.RefuseSecret("proof", string(a.Proof))
}

// timer takes the step that time brings about.
func (s *Service) timer(ctx context.Context, id change.ID) (bool, error) {
	b, err := s.mesh.Bounty(ctx, id)
	if err != nil {
		return false, err
	}
	b.State = b.Standing // all that waited was judged
	act, at := b.Due()
	if act == "" || s.access.Now().UnixMilli() < at {
		return false, nil
	}
	refund := ""
	if act == body.BountyPayout {
		var wait bool
		if refund, wait, err = s.fateByTime(ctx, &b); err != nil || wait {
			return false, err
		}
	}
	stepped, err := s.mesh.StepBountyAsHome(ctx, id, refund)
	if err != nil {
		return false, fmt.Errorf("%s by time: %w", act, err)
	}
	return stepped, nil
}

// fateByTime is what time does with the reward of accepted work: it is paid, or goes
// back for a reason, or waits for the vote of the team. What was freed before the
// bounty had effect again has its fate already, and the log follows.
func (s *Service) fateByTime(ctx context.Context, b *view.Bounty) (refund string, wait bool, err error) {
	e, err := s.state.EscrowOf(ctx, b.ID.Text(change.PrefixBounty))
	switch {
	case err != nil:
		return "", false, err
	case e.State == state.EscrowReleased:
		return "", false, nil
	case e.State != state.EscrowReserved:
		return "the reward went back while nobody could decide about it", false, nil
	case s.sharesHands(ctx, b):
		return oneParty, false, nil // one pocket of a party pays its other: there is nothing to vote about
	}
	return "", s.MayPay(ctx, b, change.AgentID{}) != nil, nil
}
