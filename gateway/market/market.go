package market

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/credit"
	"github.com/meshd/meshd/gateway/cursor"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/pay"
	"github.com/meshd/meshd/gateway/people"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/wallet"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// Market is the money of a gateway. The zero Market gives new agents nothing, takes
// no fee and no payment from outside.
type Market struct {
	// StartingCredits is what an agent hosted here begins with, in micro-USD. It is
	// given once, when the account is first looked at. Where anybody may register,
	// anything over nothing invites mills of agents.
	StartingCredits int64
	// FeeBPS is what the gateway keeps of a sale, in hundredths of a percent.
	FeeBPS int64
	// PayTo is the wallet that payments from outside go to; the zero address takes
	// none.
	PayTo   did.Address
	Network pay.Network
	// Facilitator sends payments to the chain; nil: only small ones are taken, from
	// the accounts of wallets that are registered here.
	Facilitator *pay.Facilitator
	// Treasury is the key of PayTo, for paying out; nil: nothing is paid out.
	Treasury *wallet.Key
}

// fee is the gateway's part of a sale.
func (m Market) fee(micro int64) int64 { return micro/10_000*m.FeeBPS + micro%10_000*m.FeeBPS/10_000 }

// takes reports whether payments from outside are taken at all.
func (m Market) takes() bool { return m.PayTo != did.Address{} }

// offer says what something costs. all also has the terms that cannot be settled
// here, against which a payment is judged all the same.
func (m Market) offer(resource, description string, micro int64) (shown, all pay.Offer) {
	o := pay.Offer{Resource: resource, Description: description}
	if !m.takes() {
		return o, o
	}
	t := pay.Terms{Network: m.Network, Amount: micro, PayTo: m.PayTo}
	all = o
	all.Terms = []pay.Terms{t}
	if t.InMemory() || m.Facilitator != nil {
		return all, all
	}
	return o, all
}

// MarketRequest selects paid entries.
type MarketRequest struct {
	call.Request
	call.PageOf
	Type     string            `field:"type"`
	Domain   []string          `field:"domain"`
	MinPrice call.Opt[float64] `field:"min_price"`
	MaxPrice call.Opt[float64] `field:"max_price"`
	Sort     string            `field:"sort"`
}

// MarketForm reads a MarketRequest.
var MarketForm = call.Define[MarketRequest](append(call.Form{
	{Name: "type", Enum: call.KnowledgeTypes, Help: "Only this type."},
	{Name: "domain", Kind: call.Texts, Items: call.MaxDomains, Max: body.MaxDomain, Help: "Only these domains, separated by commas."},
	{Name: "min_price", Kind: call.Number, Min: 0, Max: call.MaxPrice, Help: "USD, at least."},
	{Name: "max_price", Kind: call.Number, Min: 0, Max: call.MaxPrice, Help: "USD, at most."},
	{Name: "sort", Enum: []string{"recent", "sales", "price", "top"}, Default: "recent", Help: "Order; price begins with the cheapest."},
}, call.PageFields(call.MaxPage)...))

// MarketReply is a page of paid entries.
type MarketReply struct {
	Success bool              `json:"success"`
	Entries []knowledge.Entry `json:"entries"`
	call.Paging
}

// Marketplace lists paid entries.
func (s *Service) Marketplace(ctx context.Context, c call.Caller, r MarketRequest) (*MarketReply, error) {
	q := view.EntryQuery{}
	if t := r.Type; t != "" {
		q.Types = []string{t}
	}
	for _, d := range r.Domain {
		if d != "" {
			q.Domains = append(q.Domains, gate.CleanDomain(d))
		}
	}
	all, err := s.onSale(ctx, q)
	if err != nil {
		return nil, err
	}
	least, most := int64(0), int64(math.MaxInt64)
	if r.MinPrice.Given {
		least = knowledge.PriceIn(r.MinPrice.Value)
	}
	if r.MaxPrice.Given {
		most = knowledge.PriceIn(r.MaxPrice.Value)
	}
	all = slices.DeleteFunc(all, func(o onSale) bool { return o.entry.Body.Price < least || o.entry.Body.Price > most })
	reply := &MarketReply{Success: true}
	reply.Entries, reply.Paging, err = s.salesPage(ctx, c, r.Sort, r.PageOf, r.Filter("marketplace"), all)
	return reply, err
}

// onSale is a paid entry with how often it was bought here.
type onSale struct {
	entry view.Entry
	sales int
}

// onSale finds the newest paid entries of a selection, maxOnSale at most.
func (s *Service) onSale(ctx context.Context, q view.EntryQuery) ([]onSale, error) {
	premium := true
	q.Premium, q.Sort, q.Limit, q.Intro = &premium, "recent", call.MaxPage, true
	var out []onSale
	for {
		page, err := s.mesh.Entries(ctx, q)
		if err != nil {
			return nil, fmt.Errorf("list paid entries: %w", err)
		}
		for _, e := range page.Entries {
			sales, err := s.state.CountSales(ctx, e.Agent.ID.String(), e.Body.Hash)
			if err != nil {
				return nil, err
			}
			out = append(out, onSale{e, sales})
		}
		if page.Next == nil || len(out) >= maxOnSale {
			return out, nil
		}
		q.After = page.Next
	}
}

// saleKey orders paid entries as asked for, ties by id. Each key is of one width.
func saleKey(sort string, o *onSale) string {
	n := math.MaxInt64 - o.entry.CreatedAt.UnixMilli()
	switch sort {
	case "sales":
		n = math.MaxInt64 - int64(o.sales)
	case "price":
		n = o.entry.Body.Price
	case "top":
		n = math.MaxInt64/2 - int64(2*o.entry.Reuses+o.entry.Counts.Up-o.entry.Counts.Down)
	}
	return call.SortKey(n) + o.entry.ID.String()
}

// salesPage shows a page of paid entries.
func (s *Service) salesPage(ctx context.Context, c call.Caller, by string, wanted call.PageOf, filter cursor.Filter, all []onSale) ([]knowledge.Entry, call.Paging, error) {
	slices.SortFunc(all, func(a, b onSale) int { return strings.Compare(saleKey(by, &a), saleKey(by, &b)) })
	total := len(all)
	if wanted.Cursor != "" {
		place, err := s.pages.Place(wanted.Cursor, filter)
		if err != nil {
			return nil, call.Paging{}, err
		}
		at, same := slices.BinarySearchFunc(all, place.Sort, func(o onSale, key string) int { return strings.Compare(saleKey(by, &o), key) })
		if same {
			at++
		}
		all = all[at:]
	}
	page, out := all[:min(wanted.Limit, len(all))], []knowledge.Entry{}
	for _, o := range page {
		shown := s.knowledge.ShowTo(ctx, o.entry, c)
		p := shown.Shown()
		p.AuthorTier, p.SalesCount = o.entry.Agent.Tier, &o.sales
		out = append(out, shown)
	}
	paging := call.Paging{Count: len(page), Total: total}
	if len(page) < len(all) {
		return out, paging, s.pages.Next(&paging, filter, cursor.Place{Sort: saleKey(by, &page[len(page)-1])})
	}
	return out, paging, nil
}

// StorefrontRequest pages through what an agent sells.
type StorefrontRequest struct {
	call.Request
	call.PageOf
	Sort string `field:"sort"`
}

// StorefrontForm reads a StorefrontRequest.
var StorefrontForm = call.Define[StorefrontRequest](append(call.Form{
	{Name: "sort", Enum: []string{"recent", "sales", "price", "top"}, Default: "recent", Help: "Order; price begins with the cheapest."},
}, call.PageFields(call.MaxPage)...))

// StorefrontReply is what one agent sells.
type StorefrontReply struct {
	Success bool               `json:"success"`
	Agent   people.AgentRecord `json:"agent"`
	Entries []knowledge.Entry  `json:"entries"`
	call.Paging
	Stats StorefrontStats `json:"stats"`
}

// StorefrontStats are figures of what an agent sells.
type StorefrontStats struct {
	Listed  int      `json:"listed"`
	Sales   int      `json:"sales" doc:"at this gateway"`
	Rating  *float64 `json:"rating" doc:"part of the votes that are for what is listed, null without votes"`
	Revenue *float64 `json:"revenue,omitempty" doc:"credits, less the fees; for the agent itself"`
}

// Storefront shows what one agent sells.
func (s *Service) Storefront(ctx context.Context, c call.Caller, id string, r StorefrontRequest) (*StorefrontReply, error) {
	if id == "self" {
		if err := c.RequireKey(); err != nil {
			return nil, err
		}
		if id = c.AgentID; id == "" {
			_, err := access.Actor(c)
			return nil, err
		}
	}
	a, err := s.access.FindAgent(ctx, id)
	if err != nil {
		return nil, err
	}
	all, err := s.onSale(ctx, view.EntryQuery{Agent: a.ID})
	if err != nil {
		return nil, err
	}
	reply := &StorefrontReply{Success: true, Agent: s.people.Record(a, s.profile.PageOf(ctx, a)), Stats: StorefrontStats{Listed: len(all)}}
	up, votes := 0, 0
	for _, o := range all {
		up, votes = up+o.entry.Counts.Up, votes+o.entry.Counts.Up+o.entry.Counts.Down
	}
	if votes > 0 {
		rating := math.Round(float64(up)/float64(votes)*1000) / 1000
		reply.Stats.Rating = &rating
	}
	sales, revenue, err := s.state.SalesBy(ctx, a.ID.String())
	if err != nil {
		return nil, err
	}
	reply.Stats.Sales = sales
	if c.AgentID == a.ID.String() && c.RequireKey() == nil {
		n := credit.Of(revenue)
		reply.Stats.Revenue = &n
	}
	reply.Entries, reply.Paging, err = s.salesPage(ctx, c, r.Sort, r.PageOf, r.Filter("storefront/"+a.ID.String()), all)
	return reply, err
}

// entryOnSale finds a paid entry, and its id as clients write it.
func (s *Service) entryOnSale(ctx context.Context, id string) (view.Entry, change.ID, error) {
	key, err := s.access.EntryID(ctx, id)
	if err != nil {
		return view.Entry{}, key, err
	}
	e, err := s.mesh.Entry(ctx, key)
	e.Blurred = false // who asks for it by its id is shown it
	if err == nil && e.Held != "" {
		err = reason.Refuse(reason.Quarantined, "")
	}
	return e, key, err
}
