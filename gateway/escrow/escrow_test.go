package escrow_test

import (
	"context"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/bounty"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/access/accesstest"
	"github.com/meshd/meshd/gateway/escrow"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node/view"
)

// node is the home of one bounty.
type node struct {
	of        *accesstest.Mesh
	bounty    view.Bounty
	claims    int
	one       map[change.AgentID]bool // agents that are one party
	silenced  bool
	cut       bool
	work      body.BountyAct
	confirmed []change.ID
}

var _ escrow.Node = (*node)(nil)

func (n *node) Guild(ctx context.Context, id change.ID) (view.Guild, error) {
	return n.of.Guild(ctx, id)
}

func (n *node) TeamPage(ctx context.Context, id change.ID) (view.TeamPage, error) {
	return n.of.TeamPage(ctx, id)
}

func (n *node) RoleIn(ctx context.Context, agent change.AgentID, guild change.ID) string {
	g, _ := n.of.Guild(ctx, guild)
	return access.RoleIn(g, agent)
}

func (*node) AllGuilds(context.Context) []change.ID { return []change.ID{team} }

func (n *node) Bounties(context.Context, change.ID) []view.Bounty { return []view.Bounty{n.bounty} }

func (n *node) Bounty(context.Context, change.ID) (view.Bounty, error) {
	if n.cut {
		return view.Bounty{}, reason.Refuse(reason.BountyNotFound, "no such bounty")
	}
	return n.bounty, nil
}

func (n *node) BountyCut(context.Context, change.ID) bool                     { return n.cut }
func (n *node) BountyStep(context.Context, change.ID) (body.BountyAct, error) { return n.work, nil }
func (n *node) Claims(context.Context, change.AgentID, change.ID) int         { return n.claims }
func (n *node) HomeSilenced(context.Context, change.ID) bool                  { return n.silenced }
func (n *node) SameHands(_ context.Context, a, b change.AgentID) bool         { return n.one[a] && n.one[b] }

func (*node) WatchBounties(ctx context.Context, _ func(change.ID)) { <-ctx.Done() }

func (n *node) ConfirmBounty(_ context.Context, _, step change.ID) error {
	n.confirmed = append(n.confirmed, step)
	n.bounty.Waiting = nil
	return nil
}

func (*node) StepBountyAsHome(context.Context, change.ID, string) (bool, error) { return false, nil }

var (
	team = change.ID{4}
	id   = change.ID{9}
	text = id.Text(change.PrefixBounty)
)

const reward = 3 * state.MicroPerCredit

type bench struct {
	*accesstest.Bench
	*escrow.Service
	node           *node
	ada, bo, boss  *view.Agent // who pays, who earns, an owner of the team
	judge, another *view.Agent
}

func newBench(t *testing.T, status bounty.Status, policy map[string]any) *bench {
	b := &bench{Bench: accesstest.New(t)}
	b.ada, b.bo, b.boss, b.judge, b.another = b.AddAgent("ada"), b.AddAgent("bo"), b.AddAgent("boss"), b.AddAgent("judge"), b.AddAgent("another")
	if policy == nil {
		policy = map[string]any{}
	}
	policy["arbiters"] = []any{b.judge.ID.String(), b.boss.ID.String()}
	b.AddTeam(team, view.TeamPage{Policy: policy, Banned: []change.AgentID{b.another.ID}}, view.Member{AgentRef: b.boss.AgentRef, Role: role.Owner},
		view.Member{AgentRef: b.ada.AgentRef, Role: role.Admin}, view.Member{AgentRef: b.bo.AgentRef, Role: role.Member})
	b.node = &node{of: b.Mesh, bounty: view.Bounty{ID: id, Guild: team, Amount: reward, Currency: body.Credits, HomeHere: true,
		State: bounty.State{Status: status, Creator: b.ada.ID, Entered: b.Now.UnixMilli()}}}
	if status != bounty.Open {
		b.node.bounty.Claimant = b.bo.ID
	}
	b.node.bounty.Standing = b.node.bounty.State
	b.Service = escrow.New(b.node, b.Access, b.State)
	_, _, err := b.State.Post(t.Context(), state.Transfer{Op: state.OpGrant, Key: "x", Object: b.ada.ID.String(), Postings: []state.Posting{
		{Account: state.Grants, Amount: -reward}, {Account: state.AgentAccount(b.ada.ID.String()), Amount: reward}}}, b.Now)
	accesstest.Must(t, err)
	accesstest.Must(t, b.State.Reserve(t.Context(), text, b.ada.ID.String(), reward, b.Now))
	return b
}

func (b *bench) step(act string, agent *view.Agent) *bounty.Step {
	return &bounty.Step{ID: change.ID{1}, Agent: agent.ID, Act: act}
}

// What a home lets through depends on who asks and on what the team has decided.
func TestStepsAreAdmitted(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		status bounty.Status
		policy map[string]any
		act    string
		by     func(b *bench) *view.Agent
		tilt   func(n *node)
		admin  bool
		want   reason.Code
	}{
		"a claim":                       {status: bounty.Open, act: body.BountyClaim, by: func(b *bench) *view.Agent { return b.bo }},
		"a sixth":                       {status: bounty.Open, act: body.BountyClaim, by: func(b *bench) *view.Agent { return b.bo }, tilt: func(n *node) { n.claims = 5 }, want: reason.LimitReached},
		"by whom the team keeps out":    {status: bounty.Open, act: body.BountyClaim, by: func(b *bench) *view.Agent { return b.another }, want: reason.Banned},
		"by the payer's other hand":     {status: bounty.Open, act: body.BountyClaim, by: func(b *bench) *view.Agent { return b.bo }, tilt: func(n *node) { n.one[n.bounty.State.Creator], n.one[n.of.All()[1].ID] = true, true }, want: reason.SelfDeal},
		"a payout":                      {status: bounty.Accepted, act: body.BountyPayout, by: func(b *bench) *view.Agent { return b.ada }},
		"between two hands of one":      {status: bounty.Accepted, act: body.BountyPayout, by: func(b *bench) *view.Agent { return b.ada }, tilt: func(n *node) { n.one[n.bounty.State.Creator], n.one[n.bounty.Claimant] = true, true }, want: reason.SelfDeal},
		"where owners pay, by an admin": {status: bounty.Accepted, policy: map[string]any{"bounty_payout": "owner"}, act: body.BountyPayout, by: func(b *bench) *view.Agent { return b.ada }, want: reason.Forbidden},
		"and by an owner":               {status: bounty.Accepted, policy: map[string]any{"bounty_payout": "owner"}, act: body.BountyPayout, by: func(b *bench) *view.Agent { return b.boss }},
		"where the team votes":          {status: bounty.Accepted, policy: map[string]any{"bounty_payout": "governance"}, act: body.BountyPayout, by: func(b *bench) *view.Agent { return b.ada }, want: reason.GovernanceRequired},
		"a vote where nobody votes":     {status: bounty.Accepted, act: body.BountyPropose, by: func(b *bench) *view.Agent { return b.ada }, want: reason.Forbidden},
		"a verdict of an arbiter":       {status: bounty.Disputed, act: body.BountyPay, by: func(b *bench) *view.Agent { return b.judge }},
		"of nobody's arbiter":           {status: bounty.Disputed, act: body.BountyPay, by: func(b *bench) *view.Agent { return b.another }, want: reason.Forbidden},
		"of an admin of the gateway":    {status: bounty.Disputed, act: body.BountyRefund, by: func(b *bench) *view.Agent { return b.another }, admin: true},
		"of a party, admin or not":      {status: bounty.Disputed, act: body.BountyRefund, by: func(b *bench) *view.Agent { return b.ada }, admin: true, want: reason.Forbidden},
		"of who runs the team":          {status: bounty.Disputed, act: body.BountyPay, by: func(b *bench) *view.Agent { return b.boss }, want: reason.Forbidden},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, c.status, c.policy)
			b.node.one = map[change.AgentID]bool{}
			if c.tilt != nil {
				c.tilt(b.node)
			}
			if err := b.Admits(t.Context(), &b.node.bounty, b.step(c.act, c.by(b)), c.admin); reason.Of(err) != c.want {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// The votes of a team weigh by role: 3, 2 and 1 of 6 here, and half of them approve.
func TestVotesAreWeighed(t *testing.T) {
	t.Parallel()
	b := newBench(t, bounty.Accepted, map[string]any{"bounty_payout": "governance"})
	for _, c := range []struct {
		votes map[change.AgentID]bool
		want  string
	}{
		{nil, "pending"},
		{map[change.AgentID]bool{b.ada.ID: true}, "pending"},
		{map[change.AgentID]bool{b.ada.ID: true, b.bo.ID: true}, "approved"},
		{map[change.AgentID]bool{b.boss.ID: true}, "approved"},
		{map[change.AgentID]bool{b.boss.ID: false, b.bo.ID: false}, "rejected"},
		{map[change.AgentID]bool{b.another.ID: true}, "pending"}, // no member
	} {
		b.node.bounty.State.Governance = &bounty.Governance{Percent: 50, Votes: c.votes}
		if g := b.Governance(t.Context(), &b.node.bounty); g.Status != c.want || g.Total != 6 {
			t.Errorf("%v: %+v, want %s", c.votes, g, c.want)
		}
	}
}

// The ledger follows the log once, however often it is asked to.
func TestSettledOnce(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		status   bounty.Status
		share    int
		ada, bo  int64
		released string
	}{
		"paid":     {bounty.Paid, 100, 0, reward, state.EscrowReleased},
		"split":    {bounty.Paid, 50, reward / 2, reward / 2, state.EscrowReleased},
		"refunded": {bounty.Refunded, 0, reward, 0, state.EscrowRefunded},
		"open":     {bounty.Accepted, 0, 0, 0, state.EscrowReserved},
	} {
		b := newBench(t, c.status, nil)
		b.node.bounty.Share = c.share
		for range 2 {
			accesstest.Must(t, b.Settle(t.Context(), id))
		}
		e, err := b.State.EscrowOf(t.Context(), text)
		accesstest.Must(t, err)
		ada, err := b.State.Balance(t.Context(), state.AgentAccount(b.ada.ID.String()))
		accesstest.Must(t, err)
		bo, err := b.State.Balance(t.Context(), state.AgentAccount(b.bo.ID.String()))
		accesstest.Must(t, err)
		if e.State != c.released || ada != c.ada || bo != c.bo {
			t.Errorf("%s: the escrow is %s, who paid has %d and who earned %d", what, e.State, ada, bo)
		}
	}
}

// A step of another node is confirmed, or refused for good and not looked at again.
func TestHomeJudgesWhatWaits(t *testing.T) {
	t.Parallel()
	b := newBench(t, bounty.Open, nil)
	claim := *b.step(body.BountyClaim, b.bo)
	b.node.bounty.Waiting = []bounty.Step{claim}
	b.node.claims = 5
	accesstest.Must(t, b.TendBounties(t.Context()))
	code, err := b.State.StepRefused(t.Context(), claim.ID.Text(change.PrefixChange))
	if err != nil || code != string(reason.LimitReached) {
		t.Errorf("refused with %q, %v", code, err)
	}
	b.node.claims = 0
	accesstest.Must(t, b.TendBounties(t.Context()))
	if len(b.node.confirmed) != 0 {
		t.Error("a refused step was confirmed later")
	}
	submit := bounty.Step{ID: change.ID{2}, Agent: b.bo.ID, Act: body.BountySubmit}
	b.node.bounty.Waiting = []bounty.Step{submit}
	b.node.work = body.BountyAct{Text: "It is " + accesstest.Secret}
	accesstest.Must(t, b.TendBounties(t.Context()))
	if code, err := b.State.StepRefused(t.Context(), submit.ID.Text(change.PrefixChange)); err != nil || code != string(reason.SecretDetected) {
		t.Errorf("work with a secret is refused with %q, %v", code, err)
	}
	release := bounty.Step{ID: change.ID{3}, Agent: b.bo.ID, Act: body.BountyRelease}
	b.node.bounty.Waiting = []bounty.Step{release}
	accesstest.Must(t, b.TendBounties(t.Context()))
	if len(b.node.confirmed) != 1 || b.node.confirmed[0] != release.ID {
		t.Errorf("confirmed %v", b.node.confirmed)
	}
}

// A reward that nobody can decide about any more goes back, with a line in the audit log.
func TestStrandedRewardIsFreed(t *testing.T) {
	t.Parallel()
	b := newBench(t, bounty.Open, nil)
	onHold, err := b.HoldsReward(t.Context(), team)
	if err != nil || !onHold {
		t.Fatalf("nothing is held: %v", err)
	}
	b.node.cut = true
	accesstest.Must(t, b.TendBounties(t.Context()))
	if e, err := b.State.EscrowOf(t.Context(), text); err != nil || e.State != state.EscrowRefunded {
		t.Errorf("the escrow is %+v, %v", e, err)
	}
	if log, err := b.State.Audit(t.Context(), "gateway", "", 9); err != nil || len(log) != 1 || log[0].Action != "escrow.freed" {
		t.Errorf("audited as %+v, %v", log, err)
	}
}
