package rest_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/cursor"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/market"
	"github.com/meshd/meshd/gateway/mcp"
	"github.com/meshd/meshd/gateway/pay"
	"github.com/meshd/meshd/gateway/service"
)

// sells gives the world a wallet and a facilitator.
func (w *refusalWorld) sells() {
	w.t.Helper()
	w.chain = honest()
	srv := httptest.NewServer(w.chain)
	w.t.Cleanup(srv.Close)
	facilitator, err := pay.NewFacilitator(srv.URL)
	must(w.t, err)
	network, _ := pay.FindNetwork("base-sepolia")
	cursors, err := cursor.New(bytes.Repeat([]byte{3}, 32))
	must(w.t, err)
	limits, err := limit.New(limit.Config{Disabled: true})
	must(w.t, err)
	w.service, err = service.New(w.node, w.world.state, cursors, limits, service.Config{Version: "1.2.3", DID: w.gateway.Key().String(), Tools: mcp.Tools(), BaseURL: func() string { return base },
		Now: w.clock.Now, Market: market.Market{FeeBPS: 1500, PayTo: walletOf(w.t, 99).Address(), Network: network, Facilitator: facilitator}})
	must(w.t, err)
}

// asksPayment reports whether a text is the object that requests a payment.
func asksPayment(code reason.Code, text string) bool {
	var said struct {
		X402Version int
		Code        reason.Code
		Resource    struct{ URL string }
		Accepts     []any
	}
	return code.HTTP() == http.StatusPaymentRequired && json.Unmarshal([]byte(text), &said) == nil && said.X402Version == 2 && said.Code == code &&
		strings.HasPrefix(said.Resource.URL, "mcp://tool/") && said.Accepts != nil
}

// priced is a request of bo's to read a new paid entry of cy's, and the payment for
// it that a stranger's wallet signs.
func (w *refusalWorld) priced(what string, usd float64) (ask, fields) {
	w.t.Helper()
	body := contribution(what)
	body["price"] = usd
	id := w.as("cy", "POST", "/api/mesh/contribute", body, 201, "")["id"].(string)
	w.nonces++
	from := walletOf(w.t, 60)
	s := &shop{world: w.world, treasury: walletOf(w.t, 99), nonces: byte(w.nonces)}
	s.network, _ = pay.FindNetwork("base-sepolia")
	t := s.transfer(from, uint64(usd*1e6))
	t.Nonce[5] = 0xcc
	return ask{who: "bo", method: "GET", path: "/api/mesh/entry/" + id, tool: "get_entry", args: fields{"id": id}},
		fields{"x402Version": 1, "scheme": "exact", "network": "base-sepolia", "payload": payload(t, s.sign(from, t))}
}

// mispaid is the case of a payment that is refused once something of it was changed.
func mispaid(code reason.Code, usd float64, spoil func(w *refusalWorld, payment, terms fields)) refusalCase {
	return refusalCase{code: code, provoke: func(w *refusalWorld) {
		a, p := w.priced("for "+string(code), usd)
		a.payment = p
		body := p["payload"].(map[string]any)
		spoil(w, p, body["authorization"].(map[string]any))
		w.both(code, a)
		w.chain.verify, w.chain.settle = nil, nil
	}}
}

// refusalsOfPayments are about what is sold.
var refusalsOfPayments = []refusalCase{
	{code: reason.PaymentRequired, provoke: func(w *refusalWorld) {
		a, _ := w.priced("for whoever pays", 0.5)
		w.both(reason.PaymentRequired, a)
	}},
	mispaid(reason.PaymentMalformed, 0.5, func(_ *refusalWorld, p, _ fields) { p["payload"] = "0x" }),
	mispaid(reason.PaymentUnsupported, 0.5, func(_ *refusalWorld, p, _ fields) { p["network"] = "polygon" }),
	mispaid(reason.PaymentAmount, 0.5, func(_ *refusalWorld, _, terms fields) { terms["value"] = "499999" }),
	mispaid(reason.PaymentExpired, 0.5, func(w *refusalWorld, _, terms fields) {
		terms["validBefore"] = json.Number(encode(w.t, w.clock.Now().Add(2*time.Hour).Unix())).String()
	}),
	mispaid(reason.PaymentSignature, 0.5, func(_ *refusalWorld, _, terms fields) { terms["nonce"] = "0x" + strings.Repeat("11", 32) }),
	mispaid(reason.InsufficientFunds, 0.05, func(*refusalWorld, fields, fields) {}),
	mispaid(reason.SettlementFailed, 0.5, func(w *refusalWorld, _, _ fields) {
		w.chain.verify = func(r http.ResponseWriter, _ map[string]any) {
			say(r, fields{"isValid": false, "invalidReason": "unexpected_verify_error"})
		}
	}),
	mispaid(reason.SettlementUnknown, 0.5, func(w *refusalWorld, _, _ fields) {
		w.chain.settle = func(r http.ResponseWriter, _ map[string]any) { r.WriteHeader(http.StatusBadGateway) }
	}),
	mispaid(reason.PaymentReplayed, 0.5, func(w *refusalWorld, p, _ fields) {
		a, _ := w.priced("for what was paid", 0.5)
		a.payment = p
		if rec := w.send(a, a.method, a.path, ""); rec.Code != http.StatusOK {
			w.t.Errorf("a good payment is refused: %s", rec.Body)
		}
	}),
}
