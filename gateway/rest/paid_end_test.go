package rest_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/market"
	"github.com/meshd/meshd/gateway/state"
)

// silent makes a facilitator that never says what became of a transfer.
func silent(f *facilitator) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.settle = func(w http.ResponseWriter, _ map[string]any) { w.WriteHeader(http.StatusGatewayTimeout) }
}

// end orders what the owner of the node says, and checks the code of the answer.
func (s *shop) end(o market.PaymentOrder, code reason.Code) *market.PaymentReply {
	s.t.Helper()
	r, err := s.service.Market.EndPayment(s.t.Context(), "agt_owner", o)
	if reason.Of(err) != code || err != nil && code == "" {
		s.t.Fatalf("%+v: %v, want %q", o, err, code)
	}
	return r
}

// underWay are the payments that have not ended.
func (s *shop) underWay() []market.PaymentReport {
	s.t.Helper()
	r, err := s.service.Market.PaymentsUnderWay(s.t.Context())
	must(s.t, err)
	return r.Payments
}

// ended are the lines of the audit log about payments, newest first.
func (s *shop) ended() (out []state.AuditEntry) {
	s.t.Helper()
	log, err := s.state.Audit(s.t.Context(), "agt_owner", "", 100)
	must(s.t, err)
	for _, e := range log {
		if strings.HasPrefix(e.Action, "payment.") {
			out = append(out, e)
		}
	}
	return out
}

const foundOut = "looked it up on the chain"

// TestPaymentIsSettledByHand: the facilitator is silent for ever. The owner has found
// the transaction: the entry is delivered, the author paid, once.
func TestPaymentIsSettledByHand(t *testing.T) {
	t.Parallel()
	f := honest()
	s := newShop(t, f)
	path, other := s.sells(0.5, nil), s.sells(0.5, map[string]any{"content": secretLesson + " Another."})
	silent(f)
	stranger := walletOf(t, 50)
	header := s.header1(stranger, s.transfer(stranger, 500_000))
	unknown := s.want(s.as("bo", "GET", path, nil, header), 504, "settlement_unknown")
	id := unknown.json["details"].(map[string]any)["payment_id"].(string)
	open := s.underWay()
	if len(open) != 1 || open[0].ID != id || open[0].For != "sale" || open[0].Amount != "500000" || !open[0].Sent || open[0].State != "started" ||
		open[0].ValidBefore == nil || open[0].Buyer != s.ids["bo"] || open[0].Payer != stranger.Address().String() {
		t.Fatalf("under way %+v", open)
	}
	s.end(market.PaymentOrder{ID: id, Outcome: "retry"}, reason.SettlementUnknown)
	r := s.end(market.PaymentOrder{ID: id, Outcome: "settled", Transaction: "0xAB01", Reason: foundOut}, "")
	if !r.Changed || r.Payment.State != "settled" || *r.Payment.Transaction != "0xab01" {
		t.Errorf("%+v", r)
	}
	for range 2 {
		if got := s.want(s.as("bo", "GET", path, nil, header), 200, ""); !strings.Contains(string(got.raw), "canarytext") {
			t.Errorf("%s", got.raw)
		}
		if r := s.end(market.PaymentOrder{ID: id, Outcome: "settled", Transaction: "0xab01", Reason: "again"}, ""); r.Changed {
			t.Error("settled twice")
		}
		if r := s.end(market.PaymentOrder{ID: id, Outcome: "retry"}, ""); r.Changed || r.Payment.State != "settled" {
			t.Errorf("asked about what has settled: %+v", r)
		}
		s.holds("ada", 42.5)
	}
	s.end(market.PaymentOrder{ID: id, Outcome: "settled", Transaction: "0xab02", Reason: foundOut}, reason.BadTransition)
	s.end(market.PaymentOrder{ID: id, Outcome: "failed", Reason: foundOut}, reason.BadTransition)
	if n := s.want(s.as("ada", "GET", "/api/mesh/notifications", nil, nil), 200, "").json["total"]; n != 1.0 {
		t.Errorf("ada has %v notices", n)
	}
	log := s.ended()
	if len(log) != 2 || log[0].Action != "payment.settled" || log[0].Object != id || log[0].Detail["reason"] != foundOut || log[0].Detail["transaction"] != "0xab01" ||
		log[1].Action != "payment.retried" {
		t.Errorf("audit %+v", log)
	}

	// One transaction settles one payment, whoever says so.
	s.want(s.as("bo", "GET", other, nil, s.header1(stranger, s.transfer(stranger, 500_000))), 504, "settlement_unknown")
	open = s.underWay()
	s.end(market.PaymentOrder{ID: open[0].ID, Outcome: "settled", Transaction: "0xAb01", Reason: foundOut}, reason.PaymentReplayed)
	s.holds("ada", 42.5)
	if len(s.ended()) != 2 {
		t.Errorf("audit %+v", s.ended())
	}
}

// TestPaymentIsFailedByHand: nothing arrived. While somebody could still send it, that
// is not believed; then the buyer may pay anew.
func TestPaymentIsFailedByHand(t *testing.T) {
	t.Parallel()
	f := honest()
	s := newShop(t, f)
	s.grant("bo", 1000)
	path := s.sells(0.5, nil)
	silent(f)
	stranger := walletOf(t, 50)
	header := s.header1(stranger, s.transfer(stranger, 500_000))
	unknown := s.want(s.as("bo", "POST", path+"/buy", nil, header), 504, "settlement_unknown")
	fail := market.PaymentOrder{ID: unknown.json["details"].(map[string]any)["payment_id"].(string), Outcome: "failed", Reason: foundOut}
	s.end(fail, reason.BadTransition)
	s.clock.Add(5 * time.Minute)
	s.end(fail, reason.BadTransition)
	s.want(s.as("bo", "POST", path+"/buy", nil, nil), 409, "idempotency_in_progress")
	s.clock.Add(2 * time.Minute)
	if r := s.end(fail, ""); !r.Changed || r.Payment.State != "failed" {
		t.Errorf("%+v", r)
	}
	if r := s.end(fail, ""); r.Changed {
		t.Error("failed twice")
	}
	s.end(market.PaymentOrder{ID: fail.ID, Outcome: "settled", Transaction: "0xab", Reason: foundOut}, reason.BadTransition)
	if log := s.ended(); len(log) != 1 || log[0].Action != "payment.failed" {
		t.Errorf("audit %+v", log)
	}
	s.holds("ada", 0)
	s.want(s.as("bo", "POST", path+"/buy", nil, nil), 200, "")
	s.holds("ada", 42.5)
}

// TestPayoutIsEndedByHand: what was set aside for a payout goes its way by the owner's
// word: back to the agent, or out.
func TestPayoutIsEndedByHand(t *testing.T) {
	t.Parallel()
	f := honest()
	s := newShop(t, f)
	s.grant("bo", 1000)
	for _, text := range []string{"", " Another.", " One more."} {
		s.want(s.as("bo", "POST", s.sells(2, map[string]any{"content": secretLesson + text})+"/buy", nil, nil), 200, "")
	}
	silent(f)
	s.want(s.as("ada", "POST", "/api/credits/withdraw", map[string]any{"amount": 1}, nil), 504, "settlement_unknown")
	s.holds("ada", 410)
	back := s.underWay()[0]
	if back.For != "payout" || back.Payer != s.treasury.Address().String() {
		t.Errorf("%+v", back)
	}
	s.clock.Add(16 * time.Minute)
	s.end(market.PaymentOrder{ID: back.ID, Outcome: "failed", Reason: foundOut}, "")
	s.holds("ada", 510)
	s.want(s.as("ada", "POST", "/api/credits/withdraw", map[string]any{"amount": 1}, nil), 504, "settlement_unknown")
	s.end(market.PaymentOrder{ID: s.underWay()[0].ID, Outcome: "settled", Transaction: "0xab", Reason: foundOut}, "")
	s.holds("ada", 410)
	if open := s.underWay(); len(open) != 0 {
		t.Errorf("under way %+v", open)
	}
}

// TestPaymentIsTakenUpByHand: the facilitator is well again, and the owner does not
// wait for the next minute.
func TestPaymentIsTakenUpByHand(t *testing.T) {
	t.Parallel()
	f := honest()
	s := newShop(t, f)
	path := s.sells(0.5, nil)
	silent(f)
	stranger := walletOf(t, 50)
	s.want(s.as("bo", "GET", path, nil, s.header1(stranger, s.transfer(stranger, 500_000))), 504, "settlement_unknown")
	id := s.underWay()[0].ID
	f.mu.Lock()
	f.settle = nil
	f.mu.Unlock()
	if r := s.end(market.PaymentOrder{ID: id, Outcome: "retry", Reason: "it is well again"}, ""); !r.Changed || r.Payment.State != "settled" || r.Payment.Transaction == nil {
		t.Errorf("%+v", r)
	}
	s.holds("ada", 42.5)
	s.want(s.as("bo", "GET", path, nil, nil), 200, "")
}

// TestPaymentInHandIsLeftAlone: while a process waits for the facilitator, nobody else
// ends the payment.
func TestPaymentInHandIsLeftAlone(t *testing.T) {
	t.Parallel()
	f := honest()
	s := newShop(t, f)
	path := s.sells(0.5, nil)
	reached, answer := make(chan struct{}), make(chan struct{})
	release := sync.OnceFunc(func() { close(answer) })
	t.Cleanup(release)
	f.settle = func(w http.ResponseWriter, asked map[string]any) {
		close(reached)
		<-answer
		say(w, f.send(asked))
	}
	stranger := walletOf(t, 50)
	header, done := s.header1(stranger, s.transfer(stranger, 500_000)), make(chan reply)
	go func() { done <- s.as("bo", "GET", path, nil, header) }()
	<-reached
	id := s.underWay()[0].ID
	for _, o := range []market.PaymentOrder{
		{ID: id, Outcome: "settled", Transaction: "0xab", Reason: foundOut}, {ID: id, Outcome: "retry"},
	} {
		s.end(o, reason.IdempotencyInProgress)
	}
	release()
	s.want(<-done, 200, "")
	s.holds("ada", 42.5)
}

func TestOrdersAboutPaymentsAreRead(t *testing.T) {
	t.Parallel()
	s := newShop(t, honest())
	long := strings.Repeat("é", 301)
	for _, o := range []market.PaymentOrder{
		{},
		{ID: "led_1", Outcome: "failed", Reason: foundOut},
		{ID: "pay_1", Outcome: "started", Reason: foundOut},
		{ID: "pay_1", Outcome: "settled", Reason: foundOut},
		{ID: "pay_1", Outcome: "settled", Transaction: "ab", Reason: foundOut},
		{ID: "pay_1", Outcome: "settled", Transaction: "0x" + strings.Repeat("a", 127), Reason: foundOut},
		{ID: "pay_1", Outcome: "settled", Transaction: "0xab", Reason: " "},
		{ID: "pay_1", Outcome: "failed", Transaction: "0xab", Reason: foundOut},
		{ID: "pay_1", Outcome: "failed"},
		{ID: "pay_1", Outcome: "retry", Transaction: "0xab"},
		{ID: "pay_1", Outcome: "failed", Reason: long},
	} {
		s.end(o, reason.InvalidParam)
	}
	for _, outcome := range []string{"settled", "failed", "retry"} {
		s.end(market.PaymentOrder{ID: "pay_1", Outcome: outcome, Transaction: map[bool]string{true: "0xab"}[outcome == "settled"], Reason: foundOut}, reason.NotFound)
	}
	if log := s.ended(); len(log) != 0 {
		t.Errorf("audit %+v", log)
	}
}
