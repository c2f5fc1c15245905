package service

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/bounty"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node/view"
)

// NewBountyForm opens a bounty.
var NewBountyForm = Form{
	{Name: "teamId", Aliases: []string{"team_id"}, Max: maxIDText, Required: true, Help: "The guild that offers it."},
	{Name: "taskId", Aliases: []string{"task_id"}, Max: maxIDText, Help: "Task of its board to pay for; without it one is added."},
	{Name: "title", Max: body.MaxBountyTitle, Help: "What is to be done; needed without taskId."},
	{Name: "description", Max: body.MaxBountyText, Help: "What counts as done; needed without taskId."},
	{Name: "priority", Kind: Int, Min: 1, Max: 10, Help: "Of the task that is added."},
	{Name: "amount", Kind: Number, Max: maxReward, Required: true, Help: "Reward, over 0."},
	{Name: "currency", Enum: []string{body.Credits, body.USDC}, Default: body.Credits, Help: "What amount counts."},
	{Name: "deadline", Kind: Moment, Help: "RFC 3339 or milliseconds since 1970; an hour to a year ahead."},
}

// The forms of the steps of a bounty.
var (
	SubmitForm = Form{
		{Name: "solution", Min: 1, Max: body.MaxSolution, Required: true, Help: "The work, or where it is."},
		{Name: "proof", Kind: TextOrMap, Max: body.MaxBountyProof, Help: "What shows it, at most 4 KiB."},
		{Name: "entry_ids", Aliases: []string{"entryIds"}, Kind: Texts, Items: body.MaxReuses, Max: maxIDText, Help: "Entries that came of it."},
	}
	BountyReasonForm = Form{{Name: "reason", Min: 1, Max: maxBountyReason, Required: true, Help: "Why."}}
	WorkForm         = Form{{Name: "submissionId", Aliases: []string{"submission_id"}, Max: maxIDText, Help: "The live submission; the latest when absent."}}
	VerdictForm      = Form{
		{Name: "verdict", Enum: []string{body.BountyPay, body.BountyRefund, body.BountySplit}, Required: true, Help: "What becomes of the reward."},
		{Name: "split_pct", Kind: Int, Min: 1, Max: 99, Help: "Percent for the claimant, of a split."},
		{Name: "reason", Min: 1, Max: maxBountyReason, Required: true, Help: "Why."},
	}
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
func (s *Service) OpenBounty(ctx context.Context, c Caller, v Values, mark string) (*NewBountyReply, error) {
	agent, err := s.trader(c)
	if err != nil {
		return nil, err
	}
	g, err := s.findGuild(ctx, v.Text("teamId"))
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
	n, err := s.readNewBounty(v)
	if err != nil {
		return nil, err
	}
	n.Guild = g.ID
	return s.openBounty(ctx, c, agent, n, v, mark)
}

// trader is the agent of a caller that may deal with bounties.
func (s *Service) trader(c Caller) (change.AgentID, error) {
	if err := c.RequireScope(state.ScopeBounty); err != nil {
		return change.AgentID{}, err
	}
	return actor(c)
}

func (s *Service) readNewBounty(v Values) (view.NewBounty, error) {
	n := view.NewBounty{
		Title: strings.TrimSpace(v.Text("title")), Text: strings.TrimSpace(v.Text("description")), Currency: v.Text("currency"),
		Deadline: v.Time("deadline"), Task: v.Text("taskId"),
	}
	var bad []problem
	if !v.Has("amount") || v.Null("amount") {
		bad = append(bad, problem{"amount", reason.MissingField, "is needed"})
	} else if n.Amount = int64(math.Round(v.Number("amount") * float64(rewardScale(n.Currency)))); n.Amount <= 0 {
		bad = append(bad, fault("amount", "must be more than 0"))
	}
	if n.Task == "" {
		for _, f := range []struct{ name, text string }{{"title", n.Title}, {"description", n.Text}} {
			if f.text == "" {
				bad = append(bad, problem{f.name, reason.MissingField, "is needed without taskId"})
			}
		}
	} else if !body.ValidTask(n.Task) {
		return n, reason.Refuse(reason.TaskNotFound, "no such task on the board")
	}
	if now := s.cfg.Now(); !n.Deadline.IsZero() && (n.Deadline.Before(now.Add(minDeadline)) || n.Deadline.After(now.Add(maxDeadline))) {
		bad = append(bad, fault("deadline", "must be an hour to a year ahead"))
	}
	if err := invalid(bad); err != nil {
		return n, err
	}
	for _, f := range []struct{ name, text string }{{"title", n.Title}, {"description", n.Text}} {
		if err := s.noSecret(f.name, f.text); err != nil {
			return n, err
		}
	}
	if n.Currency == body.USDC {
		return n, hinted(reason.SettlementUnavailable, "this gateway settles in credits only", "offer the reward in credits")
	}
	return n, nil
}

// noSecret refuses a text that looks like a credential.
func (s *Service) noSecret(field, text string) error {
	if findings := s.mesh.CheckText(field, text); len(findings) > 0 {
		return reason.Refuse(findings[0].Code, "%s looks like it holds a secret", field).With(map[string]any{"field": field})
	}
	return nil
}

// openBounty adds the task, opens, reserves and confirms. What stops in between
// is taken up by the same request again, or by KeepBounties: an opening with a
// reserve is confirmed, one without counts nowhere.
func (s *Service) openBounty(ctx context.Context, c Caller, agent change.AgentID, n view.NewBounty, v Values, mark string) (*NewBountyReply, error) {
	s.homes.Lock()
	defer s.homes.Unlock()
	reply := &NewBountyReply{Success: true, TeamID: n.Guild.Text(change.PrefixGuild), Warnings: listOf(v.Warnings)}
	b, opened := s.mesh.BountyOpened(ctx, agent, mark)
	if !opened {
		if err := s.canPay(ctx, agent, n.Amount); err != nil {
			return nil, err
		}
		var err error
		if reply.CreatedTask, err = s.taskFor(ctx, agent, &n, v.Int("priority")); err != nil {
			return nil, err
		}
		if b, err = s.mesh.OpenBounty(ctx, agent, n, mark); err != nil {
			return nil, err
		}
	}
	id := b.ID.Text(change.PrefixBounty)
	if err := s.state.Reserve(ctx, id, agent.String(), b.Amount, s.cfg.Now()); err != nil {
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

// canPay refuses a reward that the account does not hold. The ledger refuses it
// too; this comes before anything is written.
func (s *Service) canPay(ctx context.Context, agent change.AgentID, micro int64) error {
	have, err := s.balance(ctx, agent.String())
	if err != nil {
		return err
	}
	if have < micro {
		return insufficient(have, micro)
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
			n.Title = clip(t.Title, body.MaxBountyTitle)
		}
		if n.Text == "" {
			n.Text = clip(t.Description, body.MaxBountyText)
		}
		return false, nil
	}
	id, err := s.state.NewID("tsk_", s.cfg.Now())
	if err != nil {
		return false, err
	}
	card := view.Card{Title: n.Title, Description: clip(n.Text, maxCardText), Priority: priority, Source: "bounty"}
	if priority == 0 {
		card.Priority = defaultPriority
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

// ClaimBounty takes a bounty for the caller.
func (s *Service) ClaimBounty(ctx context.Context, c Caller, id, mark string) (*BountyReply, error) {
	return s.step(ctx, c, id, body.BountyAct{Act: body.BountyClaim}, mark)
}

// ReleaseBounty gives a claim back.
func (s *Service) ReleaseBounty(ctx context.Context, c Caller, id, mark string) (*BountyReply, error) {
	return s.step(ctx, c, id, body.BountyAct{Act: body.BountyRelease}, mark)
}

// CancelBounty takes an open bounty back, with its reward.
func (s *Service) CancelBounty(ctx context.Context, c Caller, id, mark string) (*BountyReply, error) {
	return s.step(ctx, c, id, body.BountyAct{Act: body.BountyCancel}, mark)
}

// RequestChanges asks the claimant for more.
func (s *Service) RequestChanges(ctx context.Context, c Caller, id string, v Values, mark string) (*BountyReply, error) {
	return s.reasoned(ctx, c, id, body.BountyChanges, v, mark)
}

// DisputeBounty asks for an arbiter.
func (s *Service) DisputeBounty(ctx context.Context, c Caller, id string, v Values, mark string) (*BountyReply, error) {
	return s.reasoned(ctx, c, id, body.BountyDispute, v, mark)
}

func (s *Service) reasoned(ctx context.Context, c Caller, id, act string, v Values, mark string) (*BountyReply, error) {
	why := strings.TrimSpace(v.Text("reason"))
	if why == "" {
		return nil, invalid([]problem{{"reason", reason.MissingField, "is needed"}})
	}
	if err := s.noSecret("reason", why); err != nil {
		return nil, err
	}
	return s.step(ctx, c, id, body.BountyAct{Act: act, Text: why}, mark)
}

// AcceptWork accepts the live submission.
func (s *Service) AcceptWork(ctx context.Context, c Caller, id string, v Values, mark string) (*BountyReply, error) {
	ref, err := readSubmission(v)
	if err != nil {
		return nil, err
	}
	return s.step(ctx, c, id, body.BountyAct{Act: body.BountyAccept, Ref: ref}, mark)
}

func readSubmission(v Values) (change.ID, error) {
	text := v.Text("submissionId")
	if text == "" {
		return change.ID{}, nil
	}
	id, err := change.ParseID(change.PrefixSubmission, text)
	if err != nil {
		return change.ID{}, reason.Refuse(reason.SubmissionNotFound, "no such submission")
	}
	return id, nil
}

// ResolveBounty ends a dispute by a verdict.
func (s *Service) ResolveBounty(ctx context.Context, c Caller, id string, v Values, mark string) (*BountyReply, error) {
	var bad []problem
	for _, name := range []string{"verdict", "reason"} {
		if strings.TrimSpace(v.Text(name)) == "" {
			bad = append(bad, problem{name, reason.MissingField, "is needed"})
		}
	}
	split := v.Text("verdict") == body.BountySplit
	if split && !v.Has("split_pct") {
		bad = append(bad, problem{"split_pct", reason.MissingField, "is needed for a split"})
	}
	if err := invalid(bad); err != nil {
		return nil, err
	}
	a := body.BountyAct{Act: v.Text("verdict"), Text: strings.TrimSpace(v.Text("reason"))}
	if split {
		a.Percent = v.Int("split_pct")
	}
	if err := s.noSecret("reason", a.Text); err != nil {
		return nil, err
	}
	return s.step(ctx, c, id, a, mark)
}

// step takes one step for the caller.
func (s *Service) step(ctx context.Context, c Caller, text string, a body.BountyAct, mark string) (*BountyReply, error) {
	agent, err := s.trader(c)
	if err != nil {
		return nil, err
	}
	b, _, err := s.findBounty(ctx, c, text)
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

func (s *Service) stepped(ctx context.Context, c Caller, id change.ID, confirmed bool) (*BountyReply, error) {
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
func (s *Service) takeStep(ctx context.Context, c Caller, agent change.AgentID, b *view.Bounty, a body.BountyAct, mark string) (id change.ID, confirmed bool, err error) {
	if b.HomeHere {
		s.homes.Lock()
		defer s.homes.Unlock()
		fresh, err := s.mesh.Bounty(ctx, b.ID)
		if err != nil {
			return id, false, err
		}
		if err := s.admits(ctx, &fresh, &bounty.Step{Agent: agent, Act: a.Act, Ref: a.Ref}, s.isAdmin(c)); err != nil {
			return id, false, s.earlier(&fresh, agent, a, err)
		}
	} else if err := s.fits(ctx, b, agent, a.Act); err != nil {
		return id, false, err
	}
	if id, err = s.mesh.StepBounty(ctx, agent, a, mark); err != nil {
		return id, false, err
	}
	if b.HomeHere {
		if err := s.mesh.ConfirmBounty(ctx, b.ID, id); err != nil {
			return id, false, err
		}
		return id, true, s.settleBounty(ctx, b.ID)
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
	step := bounty.Step{HLC: uint64(s.cfg.Now().UnixMilli()) << 10, Agent: agent, Act: a.Act, Ref: a.Ref, Percent: a.Percent}
	if code := reason.Of(b.Check(&step)); code == reason.AlreadyClaimed || code == reason.BountyExpired || code == reason.BadTransition {
		return b.Check(&step)
	}
	return err
}

// SubmissionReply is a submission that was made.
type SubmissionReply struct {
	Success    bool       `json:"success"`
	Submission Submission `json:"submission"`
	Confirmed  bool       `json:"confirmed" doc:"the bounty's home has seen it"`
}

// SubmitWork hands a solution in. Of an open bounty it is claimed first.
func (s *Service) SubmitWork(ctx context.Context, c Caller, text string, v Values, mark string) (*SubmissionReply, error) {
	agent, err := s.trader(c)
	if err != nil {
		return nil, err
	}
	b, _, err := s.findBounty(ctx, c, text)
	if err != nil {
		return nil, err
	}
	a, err := s.readSolution(ctx, v)
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

func (s *Service) readSolution(ctx context.Context, v Values) (body.BountyAct, error) {
	a := body.BountyAct{Act: body.BountySubmit, Text: strings.TrimSpace(v.Text("solution")), Proof: proofText(v)}
	if a.Text == "" {
		return a, invalid([]problem{{"solution", reason.MissingField, "is needed"}})
	}
	if len(a.Proof) > body.MaxBountyProof {
		return a, invalid([]problem{fault("proof", "has %d bytes, at most %d are allowed", len(a.Proof), body.MaxBountyProof)})
	}
	for _, f := range []struct{ name, text string }{{"solution", a.Text}, {"proof", string(a.Proof)}} {
		if err := s.noSecret(f.name, f.text); err != nil {
			return a, err
		}
	}
	for _, text := range v.Texts("entry_ids") {
		id, err := change.ParseID(change.PrefixEntry, text)
		if err == nil {
			_, err = s.mesh.Entry(ctx, id)
		}
		if err != nil {
			return a, reason.Refuse(reason.UnknownReference, "an entry in entry_ids is not known here").With(map[string]any{"id": clip(text, maxIDText)})
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
func (s *Service) PayBounty(ctx context.Context, c Caller, text string, v Values, mark string) (*PayoutReply, error) {
	agent, err := s.trader(c)
	if err != nil {
		return nil, err
	}
	b, _, err := s.findBounty(ctx, c, text)
	if err != nil {
		return nil, err
	}
	ref, err := readSubmission(v)
	if err != nil {
		return nil, err
	}
	if !b.HomeHere {
		return nil, hinted(reason.SettlementUnavailable, "the reward lies at another gateway", "pay there: its DID is the bounty's home")
	}
	if b.Status == bounty.Submitted {
		if err := s.mayPay(ctx, &b, agent); err != nil && s.payerSide(ctx, &b, agent) {
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

// Moment fields take milliseconds too.
func parseMoment(s string) (time.Time, error) {
	if ms, err := strconv.ParseInt(s, 10, 64); err == nil {
		if ms < 0 || ms > maxMoment {
			return time.Time{}, errors.New("is no time in milliseconds")
		}
		return time.UnixMilli(ms).UTC(), nil
	}
	return parseTime(s)
}
