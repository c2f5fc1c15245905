package rest

import (
	"errors"
	"net/http"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/credit"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/market"
	"github.com/meshd/meshd/gateway/pay"
	"github.com/meshd/meshd/gateway/state"
)

// paymentCodes are those that a request may be refused with which pays.
var paymentCodes = []reason.Code{reason.PaymentRequired, reason.PaymentMalformed, reason.PaymentUnsupported, reason.PaymentAmount, reason.PaymentExpired,
	reason.PaymentSignature, reason.PaymentReplayed, reason.IdempotencyInProgress, reason.InsufficientCredits, reason.InsufficientFunds,
	reason.SettlementFailed, reason.SettlementUnknown, reason.SettlementUnavailable}

// askPayment adds to a refusal of what is not paid how to pay in version 2 of x402.
func askPayment(out http.Header, err error) {
	var due *knowledge.Due
	if !errors.As(err, &due) {
		return
	}
	if text, err := due.Offer.Header(due.Text); err == nil {
		out.Set(pay.HeaderRequired, text)
	}
}

// paid adds to an answer what became of the payment that came with its request.
func paid(a answer, r *request, receipt *pay.PaymentReceipt) (answer, error) {
	offered := pay.FromHeaders(r.Header)
	if receipt == nil || offered.None() {
		return a, nil
	}
	text, err := receipt.Header()
	if err != nil {
		return a, err
	}
	if r.Header.Get(pay.Header2) != "" {
		return a.with(pay.HeaderResponse2, text), nil
	}
	return a.with(pay.HeaderResponse1, text), nil
}

func readEntry(h *Handler, r *request) (answer, error) {
	reply, receipt, err := h.service.Market.EntryFor(r.Context(), r.caller, r.PathValue("id"), pay.FromHeaders(r.Header))
	if err != nil {
		return answer{}, err
	}
	return paid(answer{value: reply}, r, receipt)
}

// paidRoutes are what is sold here.
func paidRoutes() []route {
	return []route{
		{method: "GET", path: "/api/mesh/marketplace", summary: "List paid entries", bucket: limit.Read, query: market.MarketForm,
			reply: (*market.MarketReply)(nil), codes: []reason.Code{reason.InvalidParam, reason.InvalidCursor}, list: true, cache: shared,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Market.Marketplace(r.Context(), r.caller, r.values))
			}},
		{method: "GET", path: "/api/mesh/agent/{id}/storefront", summary: "What one agent sells", bucket: limit.Read, query: market.StorefrontForm,
			reply: (*market.StorefrontReply)(nil), codes: []reason.Code{reason.AgentNotFound, reason.AuthRequired, reason.InvalidParam, reason.InvalidCursor}, list: true, cache: private,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Market.Storefront(r.Context(), r.caller, r.PathValue("id"), r.values))
			}},
		{method: "POST", path: "/api/mesh/entry/{id}/buy", summary: "Buy a paid entry, with credits or a payment by x402", keyed: true, scope: state.ScopePay,
			bucket: limit.Pay, timeout: timePay, reply: (*market.BuyReply)(nil), once: true,
			codes: append([]reason.Code{reason.EntryNotFound, reason.Retracted, reason.Revoked, reason.Purged}, paymentCodes...),
			handle: func(h *Handler, r *request) (answer, error) {
				reply, err := h.service.Market.Buy(r.Context(), r.caller, r.PathValue("id"), pay.FromHeaders(r.Header))
				if err != nil {
					return answer{}, err
				}
				return paid(answer{value: reply}, r, reply.Receipt)
			}},
	}
}

// creditRoutes are the accounts of agents.
func creditRoutes() []route {
	return []route{
		{method: "GET", path: "/api/credits", summary: "The caller's account", keyed: true, bucket: limit.Read, reply: (*credit.CreditsReply)(nil), cache: private,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Credits.Credits(r.Context(), r.caller))
			}},
		{method: "GET", path: "/api/mesh/transactions", summary: "Lines of the caller's account", keyed: true, bucket: limit.Read, query: credit.TransactionsForm,
			reply: (*credit.TransactionsReply)(nil), codes: []reason.Code{reason.InvalidParam, reason.InvalidCursor}, list: true, cache: private, handle: transactions},
		{method: "GET", path: "/api/credits/prices", summary: "What things cost here", bucket: limit.Read, reply: (*market.PricesReply)(nil), cache: unchanged,
			handle: func(h *Handler, r *request) (answer, error) { return answer{value: h.service.Market.Prices()}, nil }},
		{method: "POST", path: "/api/credits/check", summary: "Ask whether the caller's credits cover a price", keyed: true, bucket: limit.Pay,
			body: market.CheckCreditsForm, reply: (*market.CheckCreditsReply)(nil), codes: []reason.Code{reason.EntryNotFound, reason.Retracted, reason.Revoked, reason.Purged},
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Market.CheckCredits(r.Context(), r.caller, r.values))
			}},
		{method: "POST", path: "/api/credits/purchase", summary: "Buy a package of credits with a payment by x402", keyed: true, scope: state.ScopePay,
			bucket: limit.Pay, timeout: timePay, body: market.PurchaseForm, reply: (*market.PurchaseReply)(nil), once: true, codes: paymentCodes,
			handle: func(h *Handler, r *request) (answer, error) {
				reply, err := h.service.Market.PurchaseCredits(r.Context(), r.caller, r.values, pay.FromHeaders(r.Header))
				if err != nil {
					return answer{}, err
				}
				return paid(answer{value: reply}, r, reply.Receipt)
			}},
		{method: "POST", path: "/api/credits/withdraw", summary: "Have earnings paid out to the agent's wallet", keyed: true, scope: state.ScopePay,
			bucket: limit.Pay, timeout: timePay, body: market.WithdrawForm, reply: (*market.WithdrawReply)(nil), once: true,
			codes: []reason.Code{reason.InvalidWallet, reason.InsufficientCredits, reason.SettlementFailed, reason.SettlementUnknown, reason.SettlementUnavailable},
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Market.Withdraw(r.Context(), r.caller, r.values))
			}},
		{method: "POST", path: "/api/admin/credits/grant", summary: "Give an agent credits; for who runs the gateway", bucket: limit.Write,
			body: credit.GrantForm, reply: (*credit.GrantReply)(nil), once: true, codes: []reason.Code{reason.AgentNotFound, reason.NotFound},
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Credits.GrantCredits(r.Context(), r.caller, r.values, r.mark))
			}},
	}
}

func transactions(h *Handler, r *request) (answer, error) {
	reply, err := h.service.Credits.Transactions(r.Context(), r.caller, r.values)
	if err != nil || r.values.Text("format") != "csv" {
		return value(reply, err)
	}
	raw, err := reply.CSV()
	a := answer{raw: raw, kind: "text/csv; charset=utf-8"}.with("Content-Disposition", `attachment; filename="transactions.csv"`)
	if reply.NextCursor != nil {
		a = a.with("X-Next-Cursor", *reply.NextCursor)
	}
	return a, err
}
