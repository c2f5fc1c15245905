package bounty

import (
	"context"
	"math"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/credit"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node/view"
)

// NewBountyRequest opens a bounty.
type NewBountyRequest struct {
	call.Request
	TeamID      string            `field:"teamId"`
	TaskID      string            `field:"taskId"`
	Title       string            `field:"title"`
	Description string            `field:"description"`
	Priority    int               `field:"priority"`
	Amount      call.Opt[float64] `field:"amount"`
	Currency    string            `field:"currency"`
	Deadline    time.Time         `field:"deadline"`
}

// NewBountyForm reads a NewBountyRequest.
var NewBountyForm = call.Define[NewBountyRequest](call.Form{
	{Name: "teamId", Aliases: []string{"team_id"}, Max: call.MaxIDText, Required: true, Help: "The guild that offers it."},
	{Name: "taskId", Aliases: []string{"task_id"}, Max: call.MaxIDText, Help: "Task of its board to pay for; without it one is added."},
	{Name: "title", Max: body.MaxBountyTitle, Help: "What is to be done; needed without taskId."},
	{Name: "description", Max: body.MaxBountyText, Help: "What counts as done; needed without taskId."},
	{Name: "priority", Kind: call.Int, Min: 1, Max: maxPriority, Help: "Of the task that is added."},
	{Name: "amount", Kind: call.Number, Max: maxReward, Required: true, Help: "Reward, over 0."},
	{Name: "currency", Enum: []string{body.Credits, body.USDC}, Default: body.Credits, Help: "What amount counts."},
	{Name: "deadline", Kind: call.Moment, Help: "RFC 3339 or milliseconds since 1970; an hour to a year ahead."},
})

// SubmitRequest submits a solution.
type SubmitRequest struct {
	call.Request
	Solution string   `field:"solution"`
	Proof    any      `field:"proof"`
	EntryIDs []string `field:"entry_ids"`
}

// BountyReasonRequest says why a step is taken.
type BountyReasonRequest struct {
	call.Request
	Reason string `field:"reason"`
}

// WorkRequest names a submission; without one the latest is meant.
type WorkRequest struct {
	call.Request
	SubmissionID string `field:"submissionId"`
}

// VerdictRequest ends a dispute.
type VerdictRequest struct {
	call.Request
	Verdict  string        `field:"verdict"`
	SplitPct call.Opt[int] `field:"split_pct"`
	Reason   string        `field:"reason"`
}

// The forms of the steps of a bounty.
var (
	SubmitForm = call.Define[SubmitRequest](call.Form{
		{Name: "solution", Min: 1, Max: body.MaxSolution, Required: true, Help: "The work, or where it is."},
		{Name: "proof", Kind: call.TextOrMap, Max: body.MaxBountyProof, Help: "What shows it."},
		{Name: "entry_ids", Aliases: []string{"entryIds"}, Kind: call.Texts, Items: body.MaxReuses, Max: call.MaxIDText, Help: "Entries that came of it."},
	})
	BountyReasonForm = call.Define[BountyReasonRequest](call.Form{{Name: "reason", Min: 1, Max: call.MaxBountyReason, Required: true, Help: "Why."}})
	WorkForm         = call.Define[WorkRequest](call.Form{{Name: "submissionId", Aliases: []string{"submission_id"}, Max: call.MaxIDText, Help: "The live submission; the latest when absent."}})
	VerdictForm      = call.Define[VerdictRequest](call.Form{
		{Name: "verdict", Enum: []string{body.BountyPay, body.BountyRefund, body.BountySplit}, Required: true, Help: "What becomes of the reward."},
		{Name: "split_pct", Kind: call.Int, Min: 1, Max: maxSplit, Help: "Percent for the claimant, of a split."},
		{Name: "reason", Min: 1, Max: call.MaxBountyReason, Required: true, Help: "Why."},
	})
)

// BountyTask is the task that a bounty pays for.
type BountyTask struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Status   string `json:"status"`
	Priority int    `json:"priority"`
}

// NewBountyReply is a bounty that was opened.
type NewBountyReply struct {
	Success     bool        `json:"success"`
	TeamID      string      `json:"teamId"`
	Task        *BountyTask `json:"task"`
	CreatedTask bool        `json:"createdTask"`
	Bounty      Bounty      `json:"bounty"`
	Warnings    []string    `json:"warnings"`
}

// BountyReply is a bounty after a step.
type BountyReply struct {
	Success   bool    `json:"success"`
	Bounty    Bounty  `json:"bounty"`
	Confirmed bool    `json:"confirmed" doc:"the step counts; false while the bounty's home has not answered"`
	StatusURL *string `json:"status_url,omitempty" doc:"where to look again"`
}

// OpenBounty opens a bounty of a guild and takes its reward from the caller.
func (s *Service) OpenBounty(ctx context.Context, c call.Caller, r NewBountyRequest, mark string) (*NewBountyReply, error) {
	agent, err := s.trader(c)
	if err != nil {
		return nil, err
	}
	g, err := s.access.FindGuild(ctx, c, r.TeamID)
	if err != nil {
		return nil, err
	}
	if !s.seesGuild(c, g) {
		return nil, reason.Refuse(reason.TeamNotFound, "no such guild")
	}
	switch rank := role.Rank(s.mesh.RoleIn(ctx, agent, g.ID)); {
	case rank == 0:
		return nil, reason.Refuse(reason.NotAMember, "Not a member of this team")
	case rank < role.Rank(role.Member):
		return nil, reason.Refuse(reason.Forbidden, "opening bounties needs the role of a member")
	}
	if err := s.access.SignedDeal(ctx, c, g.ID); err != nil {
		return nil, err
	}
	n, err := s.readNewBounty(r)
	if err != nil {
		return nil, err
	}
	n.Guild = g.ID
	if n.Task != "" {
		if n.Task, err = s.board.TaskID(ctx, g.ID, n.Task); err != nil {
			return nil, err
		}
	}
	return s.openBounty(ctx, c, agent, n, r, mark)
}

// trader is the agent of a caller that may deal with bounties.
func (s *Service) trader(c call.Caller) (change.AgentID, error) {
	if err := c.RequireScope(state.ScopeBounty); err != nil {
		return change.AgentID{}, err
	}
	return access.Actor(c)
}

func (s *Service) readNewBounty(r NewBountyRequest) (view.NewBounty, error) {
	n := view.NewBounty{
		Title: strings.TrimSpace(r.Title), Text: strings.TrimSpace(r.Description), Currency: r.Currency,
		Deadline: r.Deadline, Task: r.TaskID,
	}
	var bad []call.Problem
	if !r.Amount.Given || r.Amount.Null {
		bad = append(bad, call.Missing("amount", "is needed"))
	} else if n.Amount = int64(math.Round(r.Amount.Value * float64(rewardScale(n.Currency)))); n.Amount <= 0 {
		bad = append(bad, call.Fault("amount", "must be more than 0"))
	}
	if n.Task == "" {
		for _, f := range []struct{ name, text string }{{"title", n.Title}, {"description", n.Text}} {
			if f.text == "" {
				bad = append(bad, call.Missing(f.name, "is needed without taskId"))
			}
		}
	}
	if now := s.access.Now(); !n.Deadline.IsZero() && (n.Deadline.Before(now.Add(minDeadline)) || n.Deadline.After(now.Add(maxDeadline))) {
		bad = append(bad, call.Fault("deadline", "must be an hour to a year ahead"))
	}
	if err := call.Invalid(bad...); err != nil {
		return n, err
	}
	for _, f := range []struct{ name, text string }{{"title", n.Title}, {"description", n.Text}} {
		if err := s.access.RefuseSecret(f.name, f.text); err != nil {
			return n, err
		}
	}
	if n.Currency == body.USDC {
		return n, call.Hinted(reason.SettlementUnavailable, "this gateway settles in credits only", "offer the reward in credits")
	}
	return n, nil
}

// openBounty adds the task, opens, reserves and confirms. What stops in between
// is taken up by the same request again, or by KeepBounties: an opening with a
// reserve is confirmed, one without counts nowhere.
func (s *Service) openBounty(ctx context.Context, c call.Caller, agent change.AgentID, n view.NewBounty, r NewBountyRequest, mark string) (*NewBountyReply, error) {
	s.escrow.Homes().Lock()
	defer s.escrow.Homes().Unlock()
	reply := &NewBountyReply{Success: true, TeamID: n.Guild.Text(change.PrefixGuild), Warnings: call.ListOf(r.Warnings())}
	b, opened := s.mesh.BountyOpened(ctx, agent, mark)
	if !opened {
		if err := s.canPay(ctx, agent, n.Amount); err != nil {
			return nil, err
		}
		var err error
		if reply.CreatedTask, err = s.taskFor(ctx, agent, &n, r.Priority); err != nil {
			return nil, err
		}
		if b, err = s.mesh.OpenBounty(ctx, agent, n, mark); err != nil {
			return nil, err
		}
	}
	id := b.ID.Text(change.PrefixBounty)
	if err := s.state.Reserve(ctx, id, agent.String(), b.Amount, s.access.Now()); err != nil {
		return nil, err
	}
	if err := s.mesh.ConfirmBounty(ctx, b.ID, b.ID); err != nil {
		return nil, err
	}
	b, err := s.mesh.Bounty(ctx, b.ID)
	if err != nil {
		return nil, err
	}
	if reply.Task, err = s.taskOf(ctx, &b); err != nil {
		return nil, err
	}
	reply.Bounty, err = s.showBounty(ctx, c, &b)
	return reply, err
}

// canPay refuses a reward that the balance does not cover. The ledger refuses it
// too; this comes before anything is written.
func (s *Service) canPay(ctx context.Context, agent change.AgentID, micro int64) error {
	have, err := s.credit.Balance(ctx, agent.String())
	if err != nil {
		return err
	}
	if have < micro {
		return credit.Insufficient(have, micro)
	}
	return nil
}

// taskFor adds the task of a new bounty to the board, or takes title and text
// from the one it names.
func (s *Service) taskFor(ctx context.Context, agent change.AgentID, n *view.NewBounty, priority int) (created bool, err error) {
	if n.Task != "" {
		t, err := s.mesh.Task(ctx, n.Guild, n.Task)
		if err != nil {
			return false, err
		}
		if n.Title == "" {
			n.Title = call.Clip(t.Title, body.MaxBountyTitle)
		}
		if n.Text == "" {
			n.Text = call.Clip(t.Description, body.MaxBountyText)
		}
		return false, nil
	}
	id, err := s.state.NewID("tsk_", s.access.Now())
	if err != nil {
		return false, err
	}
	card := view.Card{Title: n.Title, Description: call.Clip(n.Text, maxCardText), Priority: priority, Source: "bounty"}
	if priority == 0 {
		card.Priority = call.DefaultPriority
	}
	if _, _, err := s.mesh.AddTasks(ctx, agent, n.Guild, []string{id}, []view.Card{card}, false); err != nil {
		return false, err
	}
	n.Task = id
	return true, nil
}

// taskOf is the task of a bounty, nil when it has none or the board is not here.
func (s *Service) taskOf(ctx context.Context, b *view.Bounty) (*BountyTask, error) {
	if b.Task == "" {
		return nil, nil
	}
	t, err := s.mesh.Task(ctx, b.Guild, b.Task)
	switch {
	case reason.Of(err) == reason.TaskNotFound:
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &BountyTask{t.ID, t.Title, string(t.State.Status), t.Priority}, nil
}
