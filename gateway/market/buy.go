package market

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/credit"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/notice"
	"github.com/meshd/meshd/gateway/pay"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/view"
)

// BuyReply is an entry that the caller has.
type BuyReply struct {
	Success      bool                `json:"success"`
	AlreadyOwned bool                `json:"already_owned,omitempty" doc:"nothing was charged"`
	Entry        knowledge.Entry     `json:"entry"`
	Receipt      *pay.PaymentReceipt `json:"receipt" doc:"null when nothing was charged"`
}

// Buy pays for an entry: from the caller's credits, or with a payment that came with
// the request.
func (s *Service) Buy(ctx context.Context, c call.Caller, id string, offered pay.Offered) (*BuyReply, error) {
	if err := c.RequireScope(state.ScopePay); err != nil {
		return nil, err
	}
	agent, err := access.Actor(c)
	if err != nil {
		return nil, err
	}
	e, _, err := s.entryOnSale(ctx, id)
	if err != nil {
		return nil, err
	}
	open, shown, err := s.knowledge.OpenFor(ctx, e, c)
	if err != nil {
		return nil, err
	}
	if !knowledge.IsPremium(e.Body) || open.Body.Text != "" {
		return &BuyReply{Success: true, AlreadyOwned: true, Entry: shown}, nil
	}
	if err := s.knowledge.SoldHere(ctx, e); err != nil {
		return nil, err
	}
	var receipt *pay.PaymentReceipt
	if offered.None() {
		receipt, err = s.buyWithCredits(ctx, c, agent, e)
	} else {
		receipt, err = s.buyWithPayment(ctx, c, offered, agent.String(), e)
	}
	owned := errors.Is(err, state.ErrOwned)
	if err != nil && !owned {
		return nil, err
	}
	if open, err = s.opened(ctx, agent.String(), e); err != nil {
		return nil, err
	}
	return &BuyReply{Success: true, AlreadyOwned: owned, Entry: s.knowledge.Reveal(open, c, knowledge.HasBought), Receipt: receipt}, nil
}

// opened is an entry that a buyer has just paid for.
func (s *Service) opened(ctx context.Context, buyer string, e view.Entry) (view.Entry, error) {
	got, err := s.knowledge.Unlock(ctx, buyer, &e)
	if err == nil && got == knowledge.HasNothing {
		err = fmt.Errorf("entry %s is paid for and stays locked", e.ID.Text(change.PrefixEntry))
	}
	return e, err
}

// EntryFor shows one entry, to callers with a key only when they need not pay for it
// or have. A payment that came with the request is taken, from callers without a key
// too; one for an entry that is free, or had already, is not looked at.
func (s *Service) EntryFor(ctx context.Context, c call.Caller, id string, offered pay.Offered) (*knowledge.EntryReply, *pay.PaymentReceipt, error) {
	e, _, err := s.entryOnSale(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	open, shown, err := s.knowledge.OpenFor(ctx, e, c)
	if err != nil {
		return nil, nil, err
	}
	unpaid := knowledge.IsPremium(e.Body) && open.Body.Text == ""
	if !unpaid || offered.None() && c.Masked() {
		reply, err := s.knowledge.EntryReply(ctx, c, open, shown)
		return reply, nil, err
	}
	if offered.None() {
		return nil, nil, s.due(ctx, c, e, reason.Refuse(reason.PaymentRequired, "this entry has to be bought"))
	}
	if err := s.knowledge.SoldHere(ctx, e); err != nil {
		return nil, nil, err
	}
	buyer := ""
	if c.RequireKey() == nil {
		buyer = c.AgentID
	}
	receipt, err := s.buyWithPayment(ctx, c, offered, buyer, e)
	if err != nil && !errors.Is(err, state.ErrOwned) {
		return nil, nil, err
	}
	if buyer == "" {
		if buyer, err = s.walletBuyer(ctx, offered); err != nil {
			return nil, nil, err
		}
	}
	if open, err = s.opened(ctx, buyer, e); err != nil {
		return nil, nil, err
	}
	reply, err := s.knowledge.EntryReply(ctx, c, open, s.knowledge.Reveal(open, c, knowledge.HasBought))
	return reply, receipt, err
}

// saleOf is the sale of an entry to a buyer.
func (s *Service) saleOf(ctx context.Context, buyer string, e view.Entry) (state.Sale, error) {
	seller := e.Agent.ID.String()
	p, ok, err := s.state.Premium(ctx, seller, e.Body.Hash, buyer)
	if err == nil && !ok {
		err = s.knowledge.SoldHere(ctx, e)
	}
	return state.Sale{Buyer: buyer, Series: p.Series, Entry: e.ID.Text(change.PrefixEntry), Seller: seller,
		Amount: e.Body.Price, Fee: s.cfg.Market.fee(e.Body.Price)}, err
}

func (s *Service) buyWithCredits(ctx context.Context, c call.Caller, agent change.AgentID, e view.Entry) (*pay.PaymentReceipt, error) {
	if _, err := s.credit.Balance(ctx, agent.String()); err != nil { // what it begins with
		return nil, err
	}
	sale, err := s.saleOf(ctx, agent.String(), e)
	if err != nil {
		return nil, err
	}
	done, fresh, err := s.state.Buy(ctx, sale, s.access.Now())
	switch {
	case reason.Of(err) == reason.InsufficientCredits:
		return nil, s.due(ctx, c, e, reason.Refuse(reason.PaymentRequired, "the account has too few credits for this entry"))
	case err != nil:
		return nil, err
	case !fresh:
		return nil, state.ErrOwned
	}
	s.sold(ctx, e.ID.Text(change.PrefixEntry), done.Buyer)
	return &pay.PaymentReceipt{Success: true, Network: "credits", Payer: done.Buyer, Amount: strconv.FormatInt(done.Amount, 10), Mode: "credits",
		SettledAt: call.Stamp(done.At), ReceiptID: done.Ledger}, nil
}

// sold notifies an author of a sale, which the ledger has already; when it cannot, it is
// owed and tried again.
func (s *Service) sold(ctx context.Context, entry, buyer string) {
	s.owed.Try(ctx, state.OwedSale, entry+"/"+buyer)
}

// NotifySale is the notice of a sale. It names nobody.
func (s *Service) NotifySale(ctx context.Context, o state.Owed) error {
	seller, err := change.ParseAgentID(o.Agent)
	if err != nil {
		return fmt.Errorf("read seller: %w", err)
	}
	entry, _, _ := strings.Cut(o.Subject, "/")
	return s.notice.Keep(ctx, view.AgentRef{ID: seller}, notice.Sale, o.Subject, "An entry of yours was bought.", "/api/mesh/entry/"+entry)
}

// offerOf says what an entry costs.
func (s *Service) offerOf(e view.Entry) (shown, all pay.Offer) {
	return s.cfg.Market.offer(s.access.BaseURL()+"/api/mesh/entry/"+e.ID.Text(change.PrefixEntry), "premium entry", e.Body.Price)
}

// due is the refusal of what is not paid for, with how it can be paid.
func (s *Service) due(ctx context.Context, c call.Caller, e view.Entry, r *reason.Refusal) error {
	offer, _ := s.offerOf(e)
	entry := s.knowledge.Show(e, c)
	var elsewhere *reason.Refusal
	if errors.As(s.knowledge.SoldHere(ctx, e), &elsewhere) && elsewhere.Code == reason.SettlementUnavailable {
		offer.Terms = nil // nothing can be paid for here
		refusal := call.Hinted(reason.PaymentRequired, elsewhere.Text, elsewhere.Hint)
		return &knowledge.Due{Refusal: refusal.With(elsewhere.Details), Offer: offer, Entry: &entry}
	}
	err := s.dueFor(ctx, c, offer, e.Body.Price, r)
	var d *knowledge.Due
	if errors.As(err, &d) {
		d.Entry = &entry
	}
	return err
}

// dueFor is the refusal of an amount that is not paid.
func (s *Service) dueFor(ctx context.Context, c call.Caller, offer pay.Offer, micro int64, r *reason.Refusal) error {
	settlement := "on_chain"
	if micro < pay.InMemoryBelow {
		settlement = "in_memory"
	}
	details := map[string]any{"required_credits": credit.Of(micro), "purchase": "POST /api/credits/purchase", "settlement": settlement}
	if c.RequireKey() == nil && c.AgentID != "" {
		have, err := s.credit.Balance(ctx, c.AgentID)
		if err != nil {
			return err
		}
		details["balance"] = state.Credits(have)
		if r.Code == reason.PaymentRequired && have < micro && len(offer.Terms) == 0 {
			r = &reason.Refusal{Code: reason.InsufficientCredits, Text: r.Text}
		}
	}
	for key, x := range r.Details {
		details[key] = x
	}
	out := r.With(details)
	if out.Hint == "" && c.Kind != auth.Anonymous {
		out.Hint = "POST /api/mesh/entry/{id}/buy pays with credits; accepts says what x402 takes"
	}
	return &knowledge.Due{Refusal: out, Offer: offer}
}
