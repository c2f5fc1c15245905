package bounty_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/body"
	crdtbounty "github.com/meshd/meshd/crdt/bounty"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/access/accesstest"
	"github.com/meshd/meshd/gateway/board"
	"github.com/meshd/meshd/gateway/bounty"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/credit"
	"github.com/meshd/meshd/gateway/escrow"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node/view"
)

// node is the home of the bounties that are opened on it. It has what the tests use
// alone.
type node struct {
	bounty.Node
	of       *accesstest.Mesh
	tasks    map[string]view.Task
	bounties []view.Bounty
	marks    map[string]int // places of what was opened
	silent   bool           // another node is the home, and does not answer
}

func (n *node) Guild(ctx context.Context, id change.ID) (view.Guild, error) {
	return n.of.Guild(ctx, id)
}

func (n *node) RoleIn(ctx context.Context, agent change.AgentID, guild change.ID) string {
	g, _ := n.of.Guild(ctx, guild)
	return access.RoleIn(g, agent)
}

func (n *node) AllGuilds(ctx context.Context) (ids []change.ID) {
	for _, g := range n.of.Guilds(ctx) {
		ids = append(ids, g.ID)
	}
	return ids
}

func (n *node) AddTasks(_ context.Context, _ change.AgentID, _ change.ID, ids []string, cards []view.Card, _ bool) ([]view.Task, []string, error) {
	n.tasks[ids[0]] = view.Task{ID: ids[0], Card: cards[0]}
	return nil, nil, nil
}

func (n *node) Task(_ context.Context, _ change.ID, id string) (view.Task, error) {
	t, ok := n.tasks[id]
	if !ok {
		return t, reason.Refuse(reason.TaskNotFound, "no such task")
	}
	return t, nil
}

func (n *node) BountyOpened(_ context.Context, _ change.AgentID, mark string) (view.Bounty, bool) {
	i, ok := n.marks[mark]
	if !ok || mark == "" {
		return view.Bounty{}, false
	}
	return n.bounties[i], true
}

func (n *node) OpenBounty(_ context.Context, agent change.AgentID, b view.NewBounty, mark string) (view.Bounty, error) {
	out := view.Bounty{ID: change.ID{byte(len(n.bounties) + 1)}, Guild: b.Guild, Title: b.Title, Amount: b.Amount, Currency: b.Currency, Deadline: b.Deadline,
		Task: b.Task, HomeHere: true, Creator: view.AgentRef{ID: agent, Handle: "ada"}, State: crdtbounty.State{Creator: agent}}
	n.marks[mark] = len(n.bounties)
	n.bounties = append(n.bounties, out)
	return out, nil
}

func (n *node) at(id change.ID) *view.Bounty {
	if i := int(id[0]) - 1; i >= 0 && i < len(n.bounties) {
		return &n.bounties[i]
	}
	return nil
}

func (n *node) Bounty(_ context.Context, id change.ID) (view.Bounty, error) {
	if b := n.at(id); b != nil {
		return *b, nil
	}
	return view.Bounty{}, reason.Refuse(reason.BountyNotFound, "no such bounty")
}

func (n *node) Bounties(_ context.Context, guild change.ID) (out []view.Bounty) {
	for _, b := range n.bounties {
		if b.Guild == guild {
			out = append(out, b)
		}
	}
	return out
}

func (n *node) ConfirmBounty(_ context.Context, id, step change.ID) error {
	if b := n.at(id); id == step {
		b.Status = crdtbounty.Open
	}
	return nil
}

func (n *node) StepBounty(_ context.Context, agent change.AgentID, a body.BountyAct, _ string) (change.ID, error) {
	b := n.at(a.Bounty)
	switch a.Act {
	case body.BountyClaim:
		b.Status, b.Claimant = crdtbounty.Claimed, agent
	case body.BountyCancel:
		b.Status = crdtbounty.Cancelled
	}
	return change.ID{77}, nil
}

func (*node) BountyText(context.Context, change.ID) (string, error) {
	return "What counts as done.", nil
}

func (n *node) AwaitStep(context.Context, change.ID, change.ID) error {
	if n.silent {
		return context.DeadlineExceeded
	}
	return nil
}

// home is what the room escrow needs.
type home struct {
	escrow.Node
	n *node
}

func (h home) Bounty(ctx context.Context, id change.ID) (view.Bounty, error) {
	return h.n.Bounty(ctx, id)
}

func (h home) TeamPage(ctx context.Context, id change.ID) (view.TeamPage, error) {
	return h.n.of.TeamPage(ctx, id)
}
func (home) SameHands(context.Context, change.AgentID, change.AgentID) bool { return false }
func (home) Claims(context.Context, change.AgentID, change.ID) int          { return 0 }
func (h home) Guild(ctx context.Context, id change.ID) (view.Guild, error) {
	return h.n.of.Guild(ctx, id)
}

var (
	public  = change.ID{4}
	private = change.ID{5}
)

type bench struct {
	*accesstest.Bench
	*bounty.Service
	node            *node
	ada, bo, viewer *view.Agent
}

// newBench has ada and a viewer in a public guild and in a private team; ada has 10 credits.
func newBench(t *testing.T) *bench {
	b := &bench{Bench: accesstest.New(t)}
	b.node = &node{of: b.Mesh, tasks: map[string]view.Task{}, marks: map[string]int{}}
	b.ada, b.bo, b.viewer = b.AddAgent("ada"), b.AddAgent("bo"), b.AddAgent("viewer")
	for id, space := range map[change.ID]change.Space{public: "guild/" + change.Space(change.Base32(public[:])), private: change.TeamSpace(private)} {
		b.AddTeam(id, view.TeamPage{}, view.Member{AgentRef: b.ada.AgentRef, Role: role.Member}, view.Member{AgentRef: b.viewer.AgentRef, Role: role.Viewer})
		b.InSpace(id, space)
	}
	_, _, err := b.State.Post(t.Context(), state.Transfer{Op: state.OpGrant, Key: "x", Object: b.ada.ID.String(), Postings: []state.Posting{
		{Account: state.Grants, Amount: -10 * state.MicroPerCredit}, {Account: state.AgentAccount(b.ada.ID.String()), Amount: 10 * state.MicroPerCredit}}}, b.Now)
	accesstest.Must(t, err)
	boards := board.New(nil, b.Access, b.State, b.Pages)
	b.Service = bounty.New(b.node, b.Access, boards, credit.New(&b.Directory, b.Access, b.State, b.Pages, 0), escrow.New(home{n: b.node}, b.Access, b.State), b.State, b.Pages)
	return b
}

func (b *bench) open(t *testing.T, who *view.Agent, guild change.ID, more, mark string) (*bounty.NewBountyReply, error) {
	t.Helper()
	raw := fmt.Sprintf(`{"teamId": %q, "title": "Mend the roof", "description": "It is dry."%s}`, guild.Text(change.PrefixGuild), more)
	return b.OpenBounty(t.Context(), accesstest.As(who.ID), accesstest.Request(t, bounty.NewBountyForm, raw), mark)
}

func (b *bench) balance(t *testing.T) int64 {
	t.Helper()
	n, err := b.State.Balance(t.Context(), state.AgentAccount(b.ada.ID.String()))
	accesstest.Must(t, err)
	return n / state.MicroPerCredit
}

// The reward leaves the account when a bounty is opened, once for a request, and comes back when it is cancelled.
func TestRewardIsReserved(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var id string
	for range 2 {
		got, err := b.open(t, b.ada, public, `, "amount": 3`, "mark")
		if err != nil || got.Bounty.Status != "open" || got.Bounty.Escrow.State != state.EscrowReserved || got.Task == nil || got.Task.Title != "Mend the roof" || b.balance(t) != 7 {
			t.Fatalf("%+v, %v; %d credits are left", got, err, b.balance(t))
		}
		id = got.Bounty.ID
	}
	if len(b.node.bounties) != 1 {
		t.Errorf("one request opened %d", len(b.node.bounties))
	}
	got, err := b.CancelBounty(t.Context(), accesstest.As(b.ada.ID), id, "")
	if err != nil || !got.Confirmed || got.Bounty.Escrow.State != state.EscrowRefunded || b.balance(t) != 10 {
		t.Errorf("%+v, %v; %d credits are left", got, err, b.balance(t))
	}
}

func TestBountiesAreJudged(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	at := func(d time.Duration) string { return b.Now.Add(d).Format(time.RFC3339) }
	for what, c := range map[string]struct {
		who  *view.Agent
		more string
		want reason.Code
	}{
		"more than there is":  {b.ada, `, "amount": 11`, reason.InsufficientCredits},
		"nothing":             {b.ada, `, "amount": 0`, reason.ValidationFailed},
		"no amount":           {b.ada, ``, reason.ValidationFailed},
		"in USDC":             {b.ada, `, "amount": 1, "currency": "USDC"`, reason.SettlementUnavailable},
		"within an hour":      {b.ada, `, "amount": 1, "deadline": "` + at(time.Hour-time.Second) + `"`, reason.ValidationFailed},
		"in more than a year": {b.ada, `, "amount": 1, "deadline": "` + at(365*24*time.Hour+time.Second) + `"`, reason.ValidationFailed},
		"a secret":            {b.ada, `, "amount": 1, "description": "` + accesstest.Secret + `"`, reason.SecretDetected},
		"a viewer":            {b.viewer, `, "amount": 1`, reason.Forbidden},
		"a stranger":          {b.bo, `, "amount": 1`, reason.NotAMember},
	} {
		raw := `{"teamId": "` + public.Text(change.PrefixGuild) + `"` + c.more + `}`
		for name, text := range map[string]string{"title": "Mend the roof", "description": "It is dry."} {
			if !strings.Contains(raw, `"`+name+`":`) {
				raw = strings.TrimSuffix(raw, "}") + `, "` + name + `": "` + text + `"}`
			}
		}
		_, err := b.OpenBounty(t.Context(), accesstest.As(c.who.ID), accesstest.Request(t, bounty.NewBountyForm, raw), "")
		accesstest.Refused(t, what, err, c.want)
	}
	if b.balance(t) != 10 || len(b.node.bounties) != 0 || len(b.node.tasks) != 0 {
		t.Errorf("refused openings left %d credits, %d bounties and %d tasks", b.balance(t), len(b.node.bounties), len(b.node.tasks))
	}
}

// Everybody sees the bounties of public guilds, members alone those of their teams; who
// works on one is shown to holders of a key.
func TestWhoSeesABounty(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	open, err := b.open(t, b.ada, public, `, "amount": 1`, "1")
	accesstest.Must(t, err)
	hidden, err := b.open(t, b.ada, private, `, "amount": 2`, "2")
	accesstest.Must(t, err)
	_, err = b.ClaimBounty(t.Context(), accesstest.As(b.bo.ID), open.Bounty.ID, "")
	accesstest.Must(t, err)
	for what, c := range map[string]struct {
		who   call.Caller
		count int
		by    string
	}{
		"nobody":   {call.Caller{}, 1, call.UnknownAuthor},
		"an agent": {accesstest.As(b.bo.ID), 1, b.bo.ID.String()},
		"a member": {accesstest.As(b.viewer.ID), 2, b.bo.ID.String()},
	} {
		got, err := b.Bounties(t.Context(), c.who, accesstest.Request(t, bounty.BountiesForm, `{"sort": "amount"}`))
		if err != nil || got.Total != c.count || *got.Bounties[c.count-1].ClaimedBy != c.by {
			t.Errorf("%s sees %+v, %v", what, got, err)
		}
		_, _, err = b.FindBounty(t.Context(), c.who, hidden.Bounty.ID)
		if (err == nil) != (c.count == 2) || err != nil && reason.Of(err) != reason.BountyNotFound {
			t.Errorf("%s finds the hidden one: %v", what, err)
		}
	}
	_, err = b.ClaimBounty(t.Context(), accesstest.As(b.bo.ID), hidden.Bounty.ID, "")
	accesstest.Refused(t, "a stranger claims the hidden one", err, reason.BountyNotFound)
	_, err = b.ClaimBounty(t.Context(), accesstest.As(b.bo.ID, state.ScopeWrite), open.Bounty.ID, "")
	accesstest.Refused(t, "a key without the scope", err, reason.ScopeMissing)
}

// Where another node is the home a step waits for its word, and says where to look.
func TestStepsElsewhereWait(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	open, err := b.open(t, b.ada, public, `, "amount": 1`, "")
	accesstest.Must(t, err)
	b.node.bounties[0].HomeHere, b.node.silent = false, true
	got, err := b.ClaimBounty(t.Context(), accesstest.As(b.bo.ID), open.Bounty.ID, "")
	if err != nil || got.Confirmed || got.StatusURL == nil {
		t.Errorf("%+v, %v", got, err)
	}
	b.node.silent = false
	if got, err = b.ClaimBounty(t.Context(), accesstest.As(b.bo.ID), open.Bounty.ID, ""); err != nil || !got.Confirmed {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = b.DisputeBounty(t.Context(), accesstest.As(b.ada.ID), open.Bounty.ID, accesstest.Request(t, bounty.BountyReasonForm, `{"reason": "`+accesstest.Secret+`"}`), "")
	accesstest.Refused(t, "a dispute with a secret", err, reason.SecretDetected)
}
