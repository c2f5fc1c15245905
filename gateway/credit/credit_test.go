package credit_test

import (
	"context"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access/accesstest"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/credit"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/view"
)

// node finds agents.
type node struct{ of *accesstest.Directory }

var _ credit.Node = node{}

func (n node) Agent(ctx context.Context, id change.AgentID) (view.Agent, error) {
	return n.of.Agent(ctx, id)
}

func (n node) FindAgent(ctx context.Context, text string) (view.Agent, error) {
	return n.of.FindAgent(ctx, text)
}

type bench struct {
	*accesstest.Bench
	*credit.Service
	ada *view.Agent
}

func newBench(t *testing.T, start int64) *bench {
	b := &bench{Bench: accesstest.New(t)}
	b.Service = credit.New(node{&b.Directory}, b.Access, b.State, b.Pages, start)
	b.ada = b.AddAgent("ada")
	return b
}

func (b *bench) give(t *testing.T, who call.Caller, raw, mark string) (*credit.GrantReply, error) {
	t.Helper()
	return b.GrantCredits(t.Context(), who, accesstest.Request(t, credit.GrantForm, raw), mark)
}

// Who is hosted here begins with the starting credits, once; others have none.
func TestAgentsBeginWithCredits(t *testing.T) {
	t.Parallel()
	b := newBench(t, 5*state.MicroPerCredit)
	far := b.AddAgent("far")
	far.Local = false
	for what, c := range map[string]struct {
		agent change.AgentID
		want  float64
	}{"hosted here": {b.ada.ID, 5}, "hosted elsewhere": {far.ID, 0}, "known to nobody": {change.AgentID{1}, 0}} {
		for range 2 {
			got, err := b.Credits(t.Context(), accesstest.As(c.agent))
			if err != nil || got.Balance != c.want {
				t.Errorf("%s: %+v, %v", what, got, err)
			}
		}
	}
	_, err := b.Credits(t.Context(), call.Caller{})
	accesstest.Refused(t, "nobody", err, reason.AuthRequired)
}

// Only who runs the gateway gives credits; a grant under one mark is one grant and one
// line of the audit log.
func TestGrants(t *testing.T) {
	t.Parallel()
	b := newBench(t, 0)
	const grant = `{"agent_id": "ada", "amount": 2.5, "reason": "for the talk"}`
	_, err := b.give(t, accesstest.As(b.ada.ID), grant, "")
	accesstest.Refused(t, "an agent", err, reason.NotFound)
	for raw, want := range map[string]reason.Code{
		`{"agent_id": "ada", "amount": 0, "reason": "x"}`:           reason.ValidationFailed,
		`{"agent_id": "ada", "amount": 0.000000001, "reason": "x"}`: reason.ValidationFailed,
		`{"agent_id": "ada", "amount": 1}`:                          reason.ValidationFailed,
		`{"agent_id": "bo", "amount": 1, "reason": "x"}`:            reason.AgentNotFound,
	} {
		_, err := b.give(t, accesstest.Owner(), raw, "")
		accesstest.Refused(t, raw, err, want)
	}
	if _, err := credit.GrantForm.FromJSON([]byte(`{"agent_id": "ada", "amount": 1000001, "reason": "x"}`)); reason.Of(err) != reason.ValidationFailed {
		t.Errorf("more than a million: %v", err)
	}
	for range 2 {
		got, err := b.give(t, accesstest.Owner(), grant, "once")
		if err != nil || got.Amount != 2.5 || got.Balance != 2.5 {
			t.Errorf("%+v, %v", got, err)
		}
	}
	log, err := b.State.Audit(t.Context(), "node", "", 10)
	if err != nil || len(log) != 1 || log[0].Action != "credits.granted" || log[0].Detail["reason"] != "for the talk" {
		t.Errorf("audited as %+v, %v", log, err)
	}
	b.Admins = []change.AgentID{b.ada.ID}
	if _, err := b.give(t, accesstest.As(b.ada.ID), grant, "twice"); err != nil {
		t.Errorf("an admin: %v", err)
	}
}

// An account lists its own lines, newest first; a cell that a spreadsheet would run is a text.
func TestTransactions(t *testing.T) {
	t.Parallel()
	b := newBench(t, 0)
	for i, why := range []string{"first", "=1+1", "third"} {
		_, err := b.give(t, accesstest.Owner(), `{"agent_id": "ada", "amount": 1, "reason": "`+why+`"}`, string(rune('a'+i)))
		accesstest.Must(t, err)
	}
	ada := accesstest.As(b.ada.ID)
	page, err := b.Transactions(t.Context(), ada, accesstest.Request(t, credit.TransactionsForm, `{"limit": 2}`))
	if err != nil || page.Total != 3 || page.Count != 2 || page.Transactions[0].Memo != "third" || !page.HasMore {
		t.Fatalf("%+v, %v", page, err)
	}
	rest, err := b.Transactions(t.Context(), ada, accesstest.Request(t, credit.TransactionsForm, `{"limit": 2, "cursor": "`+*page.NextCursor+`"}`))
	if err != nil || rest.Count != 1 || rest.Transactions[0].Memo != "first" || rest.HasMore {
		t.Errorf("%+v, %v", rest, err)
	}
	csv, err := page.CSV()
	if err != nil || !strings.Contains(string(csv), ",'=1+1,") {
		t.Errorf("%s, %v", csv, err)
	}
	other, err := b.Transactions(t.Context(), accesstest.As(b.AddAgent("bo").ID), accesstest.Request(t, credit.TransactionsForm, `{}`))
	if err != nil || other.Total != 0 {
		t.Errorf("another's: %+v, %v", other, err)
	}
}
