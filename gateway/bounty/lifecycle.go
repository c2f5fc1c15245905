package bounty

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/bounty"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/escrow"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node/view"
)

// LifecycleReply is all that the caller may know of a bounty.
type LifecycleReply struct {
	Success     bool               `json:"success"`
	Bounty      Bounty             `json:"bounty"`
	Team        BountyTeam         `json:"team"`
	Task        *BountyTask        `json:"task"`
	Lifecycle   Lifecycle          `json:"lifecycle"`
	Submissions []Submission       `json:"submissions"`
	Governance  *escrow.Governance `json:"governance"`
	Events      []BountyMove       `json:"events"`
	NextActions []string           `json:"next_actions" doc:"what this caller may do now, as METHOD /path"`
}

// BountyTeam names the guild of a bounty.
type BountyTeam struct {
	ID         string `json:"id"`
	Name       string `json:"name"`
	Type       string `json:"type"`
	Visibility string `json:"visibility"`
}

// Lifecycle is where a bounty stands, in short.
type Lifecycle struct {
	Status           string  `json:"status" enum:"open,claimed,completed,expired,disputed"`
	State            string  `json:"state" enum:"open,claimed,submitted,accepted,disputed,paid,cancelled,expired,refunded"`
	ClaimedBy        *string `json:"claimedBy"`
	CreatedAt        string  `json:"createdAt"`
	Deadline         *string `json:"deadline"`
	CompletedAt      *string `json:"completedAt"`
	SubmissionCount  int     `json:"submissionCount"`
	GovernanceStatus *string `json:"governanceStatus" enum:"pending,approved,rejected"`
}

// Submission is a solution that was submitted. The solution itself is for who
// pays and for who made it.
type Submission struct {
	ID            string        `json:"id,omitempty"`
	BountyID      string        `json:"bountyId"`
	TeamID        string        `json:"teamId"`
	SubmitterID   string        `json:"submitterId,omitempty"`
	SubmitterName string        `json:"submitterName"`
	Status        string        `json:"status" enum:"pending,accepted,rejected,changes_requested,paid"`
	SubmittedAt   string        `json:"submittedAt"`
	ResolvedAt    *string       `json:"resolvedAt"`
	HasProof      bool          `json:"hasProof"`
	Solution      string        `json:"solution,omitempty"`
	Proof         any           `json:"proof,omitempty"`
	EntryIDs      []string      `json:"entry_ids,omitempty"`
	PayoutResult  *PayoutResult `json:"payoutResult,omitempty"`
}

// BountyLifecycle returns all that the caller may know of a bounty.
func (s *Service) BountyLifecycle(ctx context.Context, c call.Caller, text string) (*LifecycleReply, error) {
	b, g, err := s.FindBounty(ctx, c, text)
	if err != nil {
		return nil, err
	}
	r := &LifecycleReply{
		Success: true, Team: BountyTeam{g.ID.Text(change.PrefixGuild), g.Name, g.Type, g.Visibility}, Submissions: []Submission{}, NextActions: []string{},
	}
	if r.Bounty, err = s.showBounty(ctx, c, &b); err != nil {
		return nil, err
	}
	if s.access.IsMember(c, g) {
		if r.Task, err = s.taskOf(ctx, &b); err != nil {
			return nil, err
		}
	}
	for i := range b.Submissions {
		w := &b.Submissions[i]
		if c.Masked() {
			r.Submissions = append(r.Submissions, maskedWork(&b, w))
			continue
		}
		shown, err := s.showSubmission(ctx, &b, w, s.readsWork(ctx, c, &b, w))
		if err != nil {
			return nil, err
		}
		r.Submissions = append(r.Submissions, shown)
	}
	r.Events, r.Governance = r.Bounty.Events, s.showGovernance(ctx, c, &b)
	r.Lifecycle = Lifecycle{
		Status: b.Status.Coarse(), State: string(b.Status), ClaimedBy: r.Bounty.ClaimedBy, CreatedAt: r.Bounty.CreatedAt, Deadline: r.Bounty.Deadline,
		CompletedAt: r.Bounty.CompletedAt, SubmissionCount: len(b.Submissions),
	}
	if r.Governance != nil {
		r.Lifecycle.GovernanceStatus = &r.Governance.Status
	}
	r.NextActions = s.nextActions(ctx, c, &b)
	return r, nil
}

// maskedWork is a submission for who has no key: neither who nor what.
func maskedWork(b *view.Bounty, w *bounty.Submission) Submission {
	return Submission{
		BountyID: b.ID.Text(change.PrefixBounty), TeamID: b.Guild.Text(change.PrefixGuild), SubmitterName: call.UnknownAuthor, Status: w.Status,
		SubmittedAt: call.Stamp(time.UnixMilli(w.At)), ResolvedAt: resolvedAt(w), HasProof: !w.Proof.IsZero(),
	}
}

func resolvedAt(w *bounty.Submission) *string {
	if w.Resolved == 0 {
		return nil
	}
	return call.StampOrNil(time.UnixMilli(w.Resolved))
}

// readsWork reports whether the caller may read a solution: it made it, pays for
// it, or judges a dispute.
func (s *Service) readsWork(ctx context.Context, c call.Caller, b *view.Bounty, w *bounty.Submission) bool {
	if s.access.IsAdmin(c) {
		return true
	}
	agent, err := access.Actor(c)
	if err != nil || c.ByToken() {
		return false
	}
	return agent == w.Agent || s.payerSide(ctx, b, agent) || b.Status == bounty.Disputed && s.escrow.MayJudge(ctx, b, agent, false) == nil
}

// showSubmission is a submission for holders of a key, with the solution when
// whole.
func (s *Service) showSubmission(ctx context.Context, b *view.Bounty, w *bounty.Submission, whole bool) (Submission, error) {
	out := maskedWork(b, w)
	out.ID, out.SubmitterID, out.SubmitterName = w.ID.Text(change.PrefixSubmission), w.Agent.String(), b.Names[w.Agent].Handle
	if !whole {
		return out, nil
	}
	a, err := s.mesh.BountyStep(ctx, w.ID)
	if err != nil {
		return out, err
	}
	out.Solution = a.Text
	if len(a.Proof) > 0 && json.Unmarshal(a.Proof, &out.Proof) != nil {
		out.Proof = nil // bytes of another program, which are no JSON
	}
	for _, id := range a.IDs {
		out.EntryIDs = append(out.EntryIDs, id.Text(change.PrefixEntry))
	}
	if w.Status == bounty.PaidWork {
		out.PayoutResult, err = s.payoutOf(ctx, b)
	}
	return out, err
}

// action is a step that somebody may take, as it is asked for.
type action struct{ act, path string }

var actions = []action{
	{body.BountyClaim, "claim"}, {body.BountyRelease, "release"}, {body.BountySubmit, "submit"}, {body.BountyChanges, "request-changes"},
	{body.BountyAccept, "accept"}, {body.BountyPayout, "payout"}, {body.BountyCancel, "cancel"}, {body.BountyDispute, "dispute"},
	{body.BountyPay, "resolve"}, {body.BountyPropose, "governance/propose"}, {body.BountyApprove, "governance/vote"},
}

// nextActions are the steps that the caller may take now.
func (s *Service) nextActions(ctx context.Context, c call.Caller, b *view.Bounty) []string {
	out := []string{}
	agent, err := access.Actor(c)
	if c.Kind == auth.Anonymous || c.ByToken() || err != nil {
		return out
	}
	path := "POST /api/mesh/bounties/" + b.ID.Text(change.PrefixBounty) + "/"
	for _, a := range actions {
		if s.mayStep(ctx, c, b, agent, a.act) {
			out = append(out, path+a.path)
		}
	}
	return out
}

func (s *Service) mayStep(ctx context.Context, c call.Caller, b *view.Bounty, agent change.AgentID, act string) bool {
	st := bounty.Step{
		HLC: uint64(s.access.Now().UnixMilli()) << 10, Agent: agent, Rank: role.Rank(s.mesh.RoleIn(ctx, agent, b.Guild)), Act: act,
	}
	if act == body.BountyApprove && b.State.Governance != nil {
		st.Ref = b.State.Governance.Proposal
	}
	if b.State.Check(&st) != nil {
		return false
	}
	if b.HomeHere {
		return s.escrow.Admits(ctx, b, &st, s.access.IsAdmin(c)) == nil
	}
	switch {
	case act == body.BountyPay:
		return s.escrow.MayJudge(ctx, b, agent, s.access.IsAdmin(c)) == nil
	case act == body.BountyPayout:
		return false // is asked for at the home
	}
	return s.escrow.Fits(ctx, b, agent, act) == nil
}

// ProposeRequest asks a team to approve a payout.
type ProposeRequest struct {
	call.Request
	Title       string  `field:"title"`
	Description string  `field:"description"`
	Threshold   float64 `field:"threshold"`
}

// ProposeForm reads a ProposeRequest.
var ProposeForm = call.Define[ProposeRequest](call.Form{
	{Name: "title", Min: 1, Max: body.MaxBountyTitle, Required: true, Help: "What is proposed."},
	{Name: "description", Max: call.MaxBountyReason, Help: "Why."},
	{Name: "threshold", Kind: call.Number, Max: 1, Default: 0.5, Help: "Share of all weights that must approve; at least half."},
})

// BallotRequest is a vote about it.
type BallotRequest struct {
	call.Request
	Value string `field:"value"`
}

// BallotForm reads a BallotRequest.
var BallotForm = call.Define[BallotRequest](call.Form{{Name: "value", Enum: []string{body.BountyApprove, body.BountyReject}, Required: true, Help: "The vote. Its weight follows from the role."}})

// GovernanceReply is a bounty's proposal after a step.
type GovernanceReply struct {
	Success    bool               `json:"success"`
	Governance *escrow.Governance `json:"governance"`
	Bounty     Bounty             `json:"bounty"`
}

// showGovernance is the proposal with its texts, for holders of a key.
func (s *Service) showGovernance(ctx context.Context, c call.Caller, b *view.Bounty) *escrow.Governance {
	g := s.escrow.Governance(ctx, b)
	if g == nil || c.Masked() {
		return g
	}
	id := b.State.Governance.Proposal
	g.ProposalID = id.Text(change.PrefixChange)
	if a, err := s.mesh.BountyStep(ctx, id); err == nil {
		g.Title, g.Description = a.Title, a.Text
	}
	return g
}

// ProposePayout asks the team to approve a payout.
func (s *Service) ProposePayout(ctx context.Context, c call.Caller, id string, r ProposeRequest, mark string) (*GovernanceReply, error) {
	title, why := strings.TrimSpace(r.Title), strings.TrimSpace(r.Description)
	percent := int(r.Threshold*100 + 0.5)
	var bad []call.Problem
	if title == "" {
		bad = append(bad, call.Missing("title", "is needed"))
	}
	if percent < body.MinThreshold {
		bad = append(bad, call.Fault("threshold", "must be %g to 1", body.MinThreshold/100.0))
	}
	if err := call.Invalid(bad...); err != nil {
		return nil, err
	}
	for _, f := range []struct{ name, text string }{{"title", title}, {"description", why}} {
		if err := s.access.RefuseSecret(f.name, f.text); err != nil {
			return nil, err
		}
	}
	return s.govern(ctx, c, id, body.BountyAct{Act: body.BountyPropose, Title: title, Text: why, Percent: percent}, mark)
}

// VotePayout votes about the proposal.
func (s *Service) VotePayout(ctx context.Context, c call.Caller, id string, r BallotRequest, mark string) (*GovernanceReply, error) {
	value := r.Value
	if !slices.Contains([]string{body.BountyApprove, body.BountyReject}, value) {
		return nil, call.Invalid(call.Missing("value", "is needed"))
	}
	a := body.BountyAct{Act: value}
	if b, _, err := s.FindBounty(ctx, c, id); err == nil && b.State.Governance != nil {
		a.Ref = b.State.Governance.Proposal
	}
	return s.govern(ctx, c, id, a, mark)
}

func (s *Service) govern(ctx context.Context, c call.Caller, text string, a body.BountyAct, mark string) (*GovernanceReply, error) {
	r, err := s.step(ctx, c, text, a, mark)
	if err != nil {
		return nil, err
	}
	b, _, err := s.FindBounty(ctx, c, text)
	if err != nil {
		return nil, err
	}
	return &GovernanceReply{Success: true, Governance: s.showGovernance(ctx, c, &b), Bounty: r.Bounty}, nil
}
