package market_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access/accesstest"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/credit"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/market"
	"github.com/meshd/meshd/gateway/notice"
	"github.com/meshd/meshd/gateway/owed"
	"github.com/meshd/meshd/gateway/pay"
	"github.com/meshd/meshd/gateway/people"
	"github.com/meshd/meshd/gateway/profile"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/incident"
	"github.com/meshd/meshd/node/view"
)

// node has entries that are sold.
type node struct {
	entries []view.Entry
	of      *accesstest.Directory
	bus     *events.Bus
	book    *incident.Book
}

var _ market.Node = (*node)(nil)

func (n *node) Entry(_ context.Context, id change.ID) (view.Entry, error) {
	for _, e := range n.entries {
		if e.ID == id {
			return e, nil
		}
	}
	return view.Entry{}, reason.Refuse(reason.EntryNotFound, "no such entry")
}

func (n *node) Entries(_ context.Context, q view.EntryQuery) (view.EntryPage, error) {
	var page view.EntryPage
	for _, e := range n.entries {
		if q.Agent.IsZero() || q.Agent == e.Agent.ID {
			page.Entries = append(page.Entries, e)
		}
	}
	return page, nil
}

func (n *node) Agent(ctx context.Context, id change.AgentID) (view.Agent, error) {
	return n.of.Agent(ctx, id)
}

func (n *node) Events() *events.Bus       { return n.bus }
func (n *node) Incidents() *incident.Book { return n.book }

// entries is what the room knowledge needs to show them.
type entries struct{ knowledge.Node }

func (entries) Check(context.Context, gate.Draft, change.AgentID) gate.Report { return gate.Report{} }

// news is what the room notice needs to report a sale.
type news struct {
	notice.Node
	of  *accesstest.Directory
	bus *events.Bus
}

func (n news) Agent(ctx context.Context, id change.AgentID) (view.Agent, error) {
	return n.of.Agent(ctx, id)
}
func (n news) Events() *events.Bus { return n.bus }

// blank is a room profile of empty pages.
type blank struct{ profile.Node }

func (blank) Page(context.Context, change.AgentID) (view.Page, error) { return view.Page{}, nil }

type bench struct {
	*accesstest.Bench
	*market.Service
	node    *node
	ada, bo *view.Agent // ada sells, bo has 3 credits
}

func newBench(t *testing.T) *bench {
	b := &bench{Bench: accesstest.New(t)}
	b.node = &node{of: &b.Directory, bus: events.New(events.Config{}), book: incident.New(b.Clock, nil)}
	b.ada, b.bo = b.AddAgent("ada"), b.AddAgent("bo")
	b.ada.Tier = "expert"
	credits := credit.New(&b.Directory, b.Access, b.State, b.Pages, 0)
	shown := knowledge.New(entries{}, b.Access, nil, b.State, b.Pages, "")
	notices := notice.New(news{of: &b.Directory, bus: b.node.bus}, b.Access, b.State, b.Pages)
	profiles := profile.New(blank{}, b.Access)
	agents := people.New(nil, b.Access, nil, credits, shown, profiles, nil, b.State, b.Pages, "1.2.3")
	owes := owed.New(b.State, b.Clock, nil, map[string]owed.Act{
		state.OwedSale: func(ctx context.Context, o state.Owed) error { return b.NotifySale(ctx, o) },
	})
	b.Service = market.New(b.node, b.Access, credits, shown, notices, agents, profiles, b.State, b.Pages, owes, market.Config{Market: market.Market{FeeBPS: 1000}})
	_, _, err := b.State.Post(t.Context(), state.Transfer{Op: state.OpGrant, Key: "x", Object: b.bo.ID.String(), Postings: []state.Posting{
		{Account: state.Grants, Amount: -3 * state.MicroPerCredit}, {Account: state.AgentAccount(b.bo.ID.String()), Amount: 3 * state.MicroPerCredit}}}, b.Now)
	accesstest.Must(t, err)
	return b
}

// sell offers a text of ada's for so many credits and is its id; here is whether the text
// lies at this gateway.
func (b *bench) sell(t *testing.T, text string, credits int64, here bool) string {
	t.Helper()
	id, hash := change.ID{byte(len(b.node.entries) + 1)}, state.PremiumHash(text)
	if here {
		raw, err := json.Marshal(map[string]string{"text": text})
		accesstest.Must(t, err)
		accesstest.Must(t, b.State.KeepPremium(t.Context(), b.ada.ID.String(), hash, [32]byte{}, raw, b.Now))
	}
	b.node.entries = append(b.node.entries, view.Entry{ID: id, Domain: "go", Agent: b.ada.AgentRef, CreatedAt: b.Now,
		Body: body.Entry{Type: "gotcha", Hash: hash, Price: credits * state.MicroPerCredit}})
	return id.Text(change.PrefixEntry)
}

func (b *bench) balance(t *testing.T, a *view.Agent) float64 {
	t.Helper()
	n, err := b.State.Balance(t.Context(), state.AgentAccount(a.ID.String()))
	accesstest.Must(t, err)
	return credit.Of(n)
}

// Who buys is charged once and has the text from then on; the author earns it less the fee and is notified.
func TestEntryIsBoughtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	id := b.sell(t, "The hidden text.", 2, true)
	bo := accesstest.As(b.bo.ID)
	for i := range 2 {
		got, err := b.Buy(t.Context(), bo, id, pay.Offered{})
		if err != nil || got.AlreadyOwned != (i == 1) || (got.Receipt == nil) != (i == 1) || got.Entry.Public().Content != "The hidden text." {
			t.Fatalf("time %d: %+v, %v", i, got, err)
		}
	}
	if bo, ada := b.balance(t, b.bo), b.balance(t, b.ada); bo != 1 || ada != 1.8 {
		t.Errorf("the buyer has %v, the author %v", bo, ada)
	}
	if notified, _, err := b.State.CountNotifications(t.Context(), b.ada.ID.String()); err != nil || notified != 1 {
		t.Errorf("the author is notified %d times, %v", notified, err)
	}
	if got, err := b.Buy(t.Context(), accesstest.As(b.ada.ID), id, pay.Offered{}); err != nil || !got.AlreadyOwned {
		t.Errorf("one's own: %+v, %v", got, err)
	}
}

func TestWhatIsNotBought(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	dear, far := b.sell(t, "The hidden text.", 4, true), b.sell(t, "Another text.", 1, false)
	held := b.sell(t, "A third text.", 1, true)
	b.node.entries[2].Held = reason.Quarantined
	for what, c := range map[string]struct {
		who  call.Caller
		id   string
		want reason.Code
	}{
		"nobody":                      {call.Caller{}, dear, reason.AuthRequired},
		"a key that may not pay":      {accesstest.As(b.bo.ID, state.ScopeRead), dear, reason.ScopeMissing},
		"with too few credits":        {accesstest.As(b.bo.ID, state.ScopePay), dear, reason.InsufficientCredits},
		"what is sold elsewhere":      {accesstest.As(b.bo.ID, state.ScopePay), far, reason.SettlementUnavailable},
		"what is held back":           {accesstest.As(b.bo.ID, state.ScopePay), held, reason.Quarantined},
		"what is no entry of anybody": {accesstest.As(b.bo.ID, state.ScopePay), change.ID{9}.Text(change.PrefixEntry), reason.EntryNotFound},
	} {
		_, err := b.Buy(t.Context(), c.who, c.id, pay.Offered{})
		accesstest.Refused(t, what, err, c.want)
		if raw, _ := json.Marshal(knowledge.NewErrorBody(err, "")); strings.Contains(string(raw), "hidden text") {
			t.Errorf("%s: the refusal has the text: %s", what, raw)
		}
	}
	if b.balance(t, b.bo) != 3 {
		t.Errorf("refused purchases left %v credits", b.balance(t, b.bo))
	}
}

// The marketplace selects by price and orders by sales; only the agent itself sees what it earned.
func TestMarketplace(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var ids []string
	for i := range 3 {
		ids = append(ids, b.sell(t, fmt.Sprint("text ", i), int64(i+1), true))
	}
	_, err := b.Buy(t.Context(), accesstest.As(b.bo.ID), ids[1], pay.Offered{})
	accesstest.Must(t, err)
	usd := func(credits int64) float64 { return knowledge.USD(credits * state.MicroPerCredit) }
	for raw, want := range map[string]string{
		`{"sort": "price"}`: strings.Join(ids, " "),
		fmt.Sprintf(`{"sort": "price", "min_price": %v, "max_price": %v}`, usd(2), usd(2)): ids[1],
		`{"sort": "sales", "limit": 1}`: ids[1],
	} {
		page, err := b.Marketplace(t.Context(), call.Caller{}, accesstest.Request(t, market.MarketForm, raw))
		accesstest.Must(t, err)
		var got []string
		for _, e := range page.Entries {
			got = append(got, e.Public().ID)
			if e.Public().AuthorTier != "expert" || !e.Public().Locked {
				t.Errorf("%s: %+v", raw, e.Public())
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", raw, got, want)
		}
	}
	for who, shown := range map[*view.Agent]bool{b.ada: true, b.bo: false} {
		got, err := b.Storefront(t.Context(), accesstest.As(who.ID), "ada", accesstest.Request(t, market.StorefrontForm, `{}`))
		if err != nil || got.Stats.Listed != 3 || got.Stats.Sales != 1 || (got.Stats.Revenue != nil) != shown {
			t.Errorf("%s sees %+v, %v", who.Name, got.Stats, err)
		}
	}
}
