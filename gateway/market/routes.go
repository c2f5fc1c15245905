package market

import (
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/pay"
	"github.com/meshd/meshd/identity/ucan"
)

// paymentCodes are those that a request may be refused with which pays.
var paymentCodes = []reason.Code{reason.PaymentRequired, reason.PaymentMalformed, reason.PaymentUnsupported, reason.PaymentAmount, reason.PaymentExpired,
	reason.PaymentSignature, reason.PaymentReplayed, reason.IdempotencyInProgress, reason.InsufficientCredits, reason.InsufficientFunds,
	reason.SettlementFailed, reason.SettlementUnknown, reason.SettlementUnavailable}

// Routes are the endpoints of this room.
func Routes(s *Service) []endpoint.Route {
	return []endpoint.Route{
		{Method: "GET", Path: "/api/mesh/entry/{id}", Summary: "One entry", Needs: auth.Everybody(auth.Commons, ucan.EntryRead), Bucket: limit.Read, Reply: (*knowledge.EntryReply)(nil), Cache: endpoint.Private,
			Codes: endpoint.With(endpoint.EntryCodes, paymentCodes...), Timeout: endpoint.PayTime,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				reply, receipt, err := s.EntryFor(r.Context(), r.Caller, r.ID(), pay.FromHeaders(r.Header))
				if err != nil {
					return endpoint.Answer{}, err
				}
				return paid(endpoint.Answer{Value: reply}, r, receipt)
			}},
		{Method: "GET", Path: "/api/mesh/marketplace", Summary: "List paid entries", Needs: auth.Everybody(auth.Commons, ucan.EntryRead), Bucket: limit.Read, Query: MarketForm.Form,
			Reply: (*MarketReply)(nil), Codes: []reason.Code{reason.InvalidParam, reason.InvalidCursor}, List: true, Cache: endpoint.Shared,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Marketplace(r.Context(), r.Caller, MarketForm.Read(r.Values)))
			}},
		{Method: "GET", Path: "/api/mesh/agent/{id}/storefront", Summary: "What one agent sells", Needs: auth.Everybody(auth.Commons, ucan.EntryRead), Bucket: limit.Read, Query: StorefrontForm.Form,
			Reply: (*StorefrontReply)(nil), Codes: []reason.Code{reason.AgentNotFound, reason.AuthRequired, reason.InvalidParam, reason.InvalidCursor}, List: true, Cache: endpoint.Private,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Storefront(r.Context(), r.Caller, r.ID(), StorefrontForm.Read(r.Values)))
			}},
		{Method: "POST", Path: "/api/mesh/entry/{id}/buy", Summary: "Buy a paid entry, with credits or a payment by x402", Needs: auth.OwnPart("credits", ucan.CreditSpend),
			Bucket: limit.Pay, Timeout: endpoint.PayTime, Reply: (*BuyReply)(nil), Once: true,
			Codes: endpoint.With(endpoint.EntryCodes, paymentCodes...),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				reply, err := s.Buy(r.Context(), r.Caller, r.ID(), pay.FromHeaders(r.Header))
				if err != nil {
					return endpoint.Answer{}, err
				}
				return paid(endpoint.Answer{Value: reply}, r, reply.Receipt)
			}},
		{Method: "GET", Path: "/api/credits/prices", Summary: "What things cost here", Bucket: limit.Read, Reply: (*PricesReply)(nil), Cache: endpoint.Unchanged,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) { return endpoint.Answer{Value: s.Prices()}, nil }},
		{Method: "POST", Path: "/api/credits/check", Summary: "Ask whether the caller's credits cover a price", Needs: auth.OwnPart("credits", ucan.CreditRead), Bucket: limit.Pay,
			Body: CheckCreditsForm.Form, Reply: (*CheckCreditsReply)(nil), Codes: endpoint.EntryCodes,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.CheckCredits(r.Context(), r.Caller, CheckCreditsForm.Read(r.Values)))
			}},
		{Method: "POST", Path: "/api/credits/purchase", Summary: "Buy a package of credits with a payment by x402", Needs: auth.OwnPart("credits", ucan.CreditSpend),
			Bucket: limit.Pay, Timeout: endpoint.PayTime, Body: PurchaseForm.Form, Reply: (*PurchaseReply)(nil), Once: true, Codes: paymentCodes,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				reply, err := s.PurchaseCredits(r.Context(), r.Caller, PurchaseForm.Read(r.Values), pay.FromHeaders(r.Header))
				if err != nil {
					return endpoint.Answer{}, err
				}
				return paid(endpoint.Answer{Value: reply}, r, reply.Receipt)
			}},
		{Method: "POST", Path: "/api/credits/withdraw", Summary: "Have earnings paid out to the agent's wallet", Needs: auth.OwnPart("credits", ucan.CreditPayOut),
			Bucket: limit.Pay, Timeout: endpoint.PayTime, Body: WithdrawForm.Form, Reply: (*WithdrawReply)(nil), Once: true,
			Codes: []reason.Code{reason.InvalidWallet, reason.InsufficientCredits, reason.SettlementFailed, reason.SettlementUnknown, reason.SettlementUnavailable},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Withdraw(r.Context(), r.Caller, WithdrawForm.Read(r.Values)))
			}},
	}
}

// paid adds to an answer what became of the payment that came with its request.
func paid(a endpoint.Answer, r *endpoint.Request, receipt *pay.PaymentReceipt) (endpoint.Answer, error) {
	if receipt == nil || pay.FromHeaders(r.Header).None() {
		return a, nil
	}
	text, err := receipt.Header()
	if err != nil {
		return a, err
	}
	if r.Header.Get(pay.Header2) != "" {
		return a.With(pay.HeaderResponse2, text), nil
	}
	return a.With(pay.HeaderResponse1, text), nil
}
