package market

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/credit"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/pay"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/wallet"
)

// Price is what an operation costs.
type Price struct {
	Operation string  `json:"operation"`
	Credits   float64 `json:"credits"`
	Served    bool    `json:"served" doc:"whether this gateway has the operation"`
	Note      string  `json:"note,omitempty"`
}

// prices is the one table of prices.
var prices = []Price{
	{Operation: "contribute", Served: true},
	{Operation: "language", Served: true, Note: "parse, check, traits and compile"},
	{Operation: "render", Served: true},
	{Operation: "platform"},
	{Operation: "export"},
	{Operation: "deploy"},
	{Operation: "absorb_extract_knowledge", Credits: 20},
	{Operation: "absorb_run_absorb_shallow", Credits: 10},
	{Operation: "absorb_run_absorb_deep", Credits: 50},
	{Operation: "absorb_run_improve_quick", Credits: 25},
	{Operation: "absorb_run_improve_balanced", Credits: 75},
	{Operation: "absorb_run_improve_deep", Credits: 150},
	{Operation: "absorb_run_pipeline_l0", Credits: 100, Note: "an iteration"},
	{Operation: "absorb_run_pipeline_l1", Credits: 75, Note: "an iteration"},
	{Operation: "absorb_run_pipeline_l2", Credits: 150, Note: "an iteration"},
}

// Package is an amount of credits that is sold.
type Package struct {
	Package string  `json:"package"`
	Credits int64   `json:"credits"`
	USD     float64 `json:"usd"`

	micro int64 // of the price
}

var packages = []Package{
	{"500", 500, 5, 5_000_000},
	{"2500", 2500, 20, 20_000_000},
	{"10000", 10_000, 75, 75_000_000},
	{"50000", 50_000, 350, 350_000_000},
}

func packageNames() (out []string) {
	for _, p := range packages {
		out = append(out, p.Package)
	}
	return out
}

// PricesReply is what things cost here.
type PricesReply struct {
	Success    bool      `json:"success"`
	CreditUSD  float64   `json:"credit_usd" doc:"USD of one credit"`
	Operations []Price   `json:"operations"`
	Packages   []Package `json:"packages"`
	FeeBPS     int64     `json:"fee_bps" doc:"the gateway's part of a sale, in hundredths of a percent"`
	Purchase   bool      `json:"purchase" doc:"whether packages can be bought here"`
	Withdraw   bool      `json:"withdraw" doc:"whether earnings can be paid out here"`
}

// Prices returns what things cost here. A paid entry costs what its author asks.
func (s *Service) Prices() *PricesReply {
	m := s.cfg.Market
	return &PricesReply{true, knowledge.USD(state.MicroPerCredit), slices.Clone(prices), slices.Clone(packages), m.FeeBPS, m.takes() && m.Facilitator != nil, m.pays()}
}

// pays reports whether anything can be paid out.
func (m Market) pays() bool { return m.takes() && m.Facilitator != nil && m.Treasury != nil }

// CheckCreditsRequest asks whether something can be paid.
type CheckCreditsRequest struct {
	call.Request
	Operation string `field:"operation"`
}

// CheckCreditsForm reads a CheckCreditsRequest.
var CheckCreditsForm = call.Define[CheckCreditsRequest](call.Form{{Name: "operation", Max: call.MaxIDText, Required: true, Help: "An operation of GET /api/credits/prices, or the id of a paid entry."}})

// CheckCreditsReply says whether the caller's credits cover a price.
type CheckCreditsReply struct {
	Success bool    `json:"success"`
	OK      bool    `json:"ok"`
	Price   float64 `json:"price" doc:"credits"`
	Balance float64 `json:"balance"`
}

// CheckCredits compares a price with the caller's account, and charges nothing.
func (s *Service) CheckCredits(ctx context.Context, c call.Caller, r CheckCreditsRequest) (*CheckCreditsReply, error) {
	if err := c.RequireKey(); err != nil {
		return nil, err
	}
	agent, err := access.Actor(c)
	if err != nil {
		return nil, err
	}
	name := r.Operation
	if name == "" {
		return nil, call.Invalid(call.Missing("operation", "is needed"))
	}
	micro := int64(0)
	if strings.HasPrefix(name, "ent_") {
		e, _, err := s.entryOnSale(ctx, name)
		if err != nil {
			return nil, err
		}
		open, _, err := s.knowledge.OpenFor(ctx, e, c)
		if err != nil {
			return nil, err
		}
		if open.Body.Text == "" {
			micro = e.Body.Price
		}
	} else {
		at := slices.IndexFunc(prices, func(p Price) bool { return p.Operation == name })
		if at < 0 {
			return nil, call.Invalid(call.Fault("operation", "is none of GET /api/credits/prices"))
		}
		micro = int64(prices[at].Credits * state.MicroPerCredit)
	}
	have, err := s.credit.Balance(ctx, agent.String())
	if err != nil {
		return nil, err
	}
	return &CheckCreditsReply{true, have >= micro, credit.Of(micro), credit.Of(have)}, nil
}

// PurchaseRequest names a package of credits.
type PurchaseRequest struct {
	call.Request
	Package string `field:"package"`
}

// PurchaseForm reads a PurchaseRequest.
var PurchaseForm = call.Define[PurchaseRequest](call.Form{{Name: "package", Enum: packageNames(), Required: true, Help: "Which package of GET /api/credits/prices."}})

// PurchaseReply is an account after a purchase.
type PurchaseReply struct {
	Success bool                `json:"success"`
	Package string              `json:"package"`
	Credits int64               `json:"credits"`
	Balance float64             `json:"balance"`
	Receipt *pay.PaymentReceipt `json:"receipt"`
}

// PurchaseCredits sells the caller a package for a payment over the chain.
func (s *Service) PurchaseCredits(ctx context.Context, c call.Caller, in PurchaseRequest, offered pay.Offered) (*PurchaseReply, error) {
	if err := c.RequireScope(state.ScopePay); err != nil {
		return nil, err
	}
	agent, err := access.Actor(c)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(packages, func(p Package) bool { return p.Package == in.Package })
	if at < 0 {
		return nil, call.Invalid(call.Missing("package", "is needed"))
	}
	pack := packages[at]
	shown, all := s.cfg.Market.offer(s.access.BaseURL()+"/api/credits/purchase?package="+pack.Package, strconv.FormatInt(pack.Credits, 10)+" credits", pack.micro)
	if len(shown.Terms) == 0 {
		return nil, call.Hinted(reason.SettlementUnavailable, "this gateway sells no credits", "earn some by a bounty or a sale, or ask who runs this gateway")
	}
	if offered.None() {
		return nil, s.dueFor(ctx, c, shown, pack.micro, reason.Refuse(reason.PaymentRequired, "%d credits cost %g USD", pack.Credits, pack.USD))
	}
	p, err := offered.Read()
	if err != nil {
		return nil, err
	}
	id := agent.String()
	done, _, err := s.takePayment(ctx, charge{payment: p, offer: all, buyer: id, object: "credits", resource: all.Resource,
		purpose: state.Purchase{TopUp: pack.Credits * state.MicroPerCredit}})
	var r *reason.Refusal
	if errors.As(err, &r) && r.Code.HTTP() == reason.PaymentRequired.HTTP() {
		return nil, s.dueFor(ctx, c, shown, pack.micro, r)
	}
	if err != nil {
		return nil, err
	}
	have, err := s.credit.Balance(ctx, id)
	if err != nil {
		return nil, err
	}
	return &PurchaseReply{true, pack.Package, pack.Credits, credit.Of(have), receiptOf(done)}, nil
}

// WithdrawRequest asks for earnings.
type WithdrawRequest struct {
	call.Request
	Amount float64 `field:"amount"`
}

// WithdrawForm reads a WithdrawRequest.
var WithdrawForm = call.Define[WithdrawRequest](call.Form{{Name: "amount", Kind: call.Number, Min: 1, Max: maxPayout, Required: true, Help: "USD. Only what was earned is paid out."}})

// WithdrawReply is an account after a payout.
type WithdrawReply struct {
	Success bool                `json:"success"`
	Amount  float64             `json:"amount" doc:"USD"`
	Wallet  string              `json:"wallet"`
	Balance float64             `json:"balance"`
	Receipt *pay.PaymentReceipt `json:"receipt"`
}

// Withdraw pays earnings out to the wallet that the caller's agent was registered
// with. The amount is set aside first; it comes back only when it is known that
// nothing was sent.
func (s *Service) Withdraw(ctx context.Context, c call.Caller, r WithdrawRequest) (*WithdrawReply, error) {
	if err := c.RequireScope(state.ScopePay); err != nil {
		return nil, err
	}
	agent, err := access.Actor(c)
	if err != nil {
		return nil, err
	}
	micro, id := knowledge.PriceIn(r.Amount), agent.String()
	if micro < minPayout {
		return nil, call.Invalid(call.Fault("amount", "must be at least %d USD", minPayout/microUSD))
	}
	if !s.cfg.Market.pays() {
		return nil, call.Hinted(reason.SettlementUnavailable, "this gateway pays nothing out", "ask who runs it")
	}
	to, err := s.payoutWallet(ctx, agent)
	if err != nil {
		return nil, err
	}
	row, payment, terms, err := s.payout(id, to, micro)
	if err != nil {
		return nil, err
	}
	// What is earned is asked for after the amount was set aside: of two requests at
	// once one is refused, and the second look sees what the first took.
	reserve := &state.Transfer{Op: state.OpWithdraw, Key: row.Nonce, Object: id, Postings: []state.Posting{
		{Account: state.AgentAccount(id), Amount: -micro}, {Account: state.ReservedAccount(id), Amount: micro}}}
	found, _, _, err := s.state.StartPayment(ctx, row, reserve, s.access.Now())
	if err != nil {
		return nil, err
	}
	ctx = context.WithoutCancel(ctx)
	sums, err := s.state.AccountSums(ctx, id)
	if err == nil && sums.Earned < sums.Withdrawn {
		err = reason.Refuse(reason.InsufficientCredits, "only what was earned is paid out").
			With(map[string]any{"earned": credit.Of(sums.Earned - sums.Withdrawn + micro), "required_credits": credit.Of(micro)})
	}
	if err != nil {
		return nil, errors.Join(s.state.FailPayment(ctx, found.ID, string(reason.InsufficientCredits), s.access.Now()), err)
	}
	done, err := s.settlePayment(ctx, found, payment, terms, pay.Offer{Resource: row.Resource, Description: "payout"})
	if err != nil {
		return nil, err
	}
	have, err := s.credit.Balance(ctx, id)
	if err != nil {
		return nil, err
	}
	return &WithdrawReply{true, knowledge.USD(micro), to.String(), credit.Of(have), receiptOf(done)}, nil
}

// payoutWallet is the wallet that an agent was registered with here. An agent that lives
// elsewhere gets its earnings to the one wallet that provably controls it.
func (s *Service) payoutWallet(ctx context.Context, agent change.AgentID) (did.Address, error) {
	a, err := s.state.AgentByID(ctx, agent.String())
	if err != nil && reason.Of(err) != reason.AgentNotFound {
		return did.Address{}, err
	}
	if err != nil || a.Visitor() {
		return s.provenWallet(ctx, agent)
	}
	if a.Wallet == "" {
		return did.Address{}, call.Hinted(reason.InvalidWallet, "this agent was registered without a wallet", "earnings go to the wallet of an agent that is registered with one")
	}
	to, err := did.ParseChecksummed(a.Wallet)
	if err != nil {
		return to, fmt.Errorf("read the wallet of %s: %w", agent, err)
	}
	return to, nil
}

// provenWallet is the wallet among the controllers of an agent whose proof every node can
// check; a wallet that its record merely names is nobody's word.
func (s *Service) provenWallet(ctx context.Context, agent change.AgentID) (to did.Address, err error) {
	a, err := s.mesh.Agent(ctx, agent)
	if err != nil {
		return to, err
	}
	found := 0
	for _, by := range a.Proven {
		if account, err := did.ParseAccount(by); err == nil {
			to, found = account.Address, found+1
		}
	}
	if found != 1 {
		return to, call.Hinted(reason.InvalidWallet, "the record of this agent has no wallet, or not one, whose proof every node can check",
			"earnings go to the wallet of an agent that was registered with one: meshd register NAME --wallet FILE")
	}
	return to, nil
}

// payout signs a transfer from the treasury.
func (s *Service) payout(agent string, to did.Address, micro int64) (state.Payment, *pay.Payment, pay.Terms, error) {
	m := s.cfg.Market
	t := wallet.Transfer{From: m.Treasury.Address(), To: to, Value: uint64(micro), ValidBefore: uint64(s.access.Now().Add(payoutTerm).Unix())}
	if _, err := io.ReadFull(s.cfg.Random, t.Nonce[:]); err != nil {
		return state.Payment{}, nil, pay.Terms{}, fmt.Errorf("make a nonce: %w", err)
	}
	p, terms, err := pay.ByTreasury(m.Network, t, m.Treasury.SignDigest)
	return state.Payment{
		Asset: m.Network.CAIP() + "/" + m.Network.Token.Contract.String(), Payer: t.From.String(), Nonce: p.Nonce(), Resource: s.access.BaseURL() + "/api/credits/withdraw",
		Buyer: agent, Object: "withdraw", Amount: micro, Mode: state.ModeOnChain, Payload: p.Raw,
		Purpose: state.Purchase{Network: m.Network.CAIP(), Withdraw: micro},
	}, p, terms, err
}
