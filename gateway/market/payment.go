package market

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/pay"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/view"
)

// errSettles is the refusal of a payment that nobody could settle here.
func errSettles() error {
	return call.Hinted(reason.SettlementUnavailable, "this gateway cannot settle such a payment", "pay with credits")
}

// walletBuyer is who has bought when somebody without a key pays: the agent of the
// wallet, or the wallet.
func (s *Service) walletBuyer(ctx context.Context, offered pay.Offered) (string, error) {
	p, err := offered.Read()
	if err != nil {
		return "", err
	}
	a, err := s.state.AgentByWallet(ctx, p.Transfer.From.String())
	if reason.Of(err) == reason.AgentNotFound {
		return "wallet:" + p.Transfer.From.String(), nil
	}
	return a.ID, err
}

// buyWithPayment pays for an entry by x402. buyer is "" for a caller without a key.
// Nothing is charged for what the buyer has: that is state.ErrOwned.
func (s *Service) buyWithPayment(ctx context.Context, c call.Caller, offered pay.Offered, buyer string, e view.Entry) (*pay.PaymentReceipt, error) {
	p, err := offered.Read()
	if err != nil {
		return nil, err
	}
	if !s.cfg.Market.takes() {
		return nil, errSettles()
	}
	_, all := s.offerOf(e)
	if buyer == "" {
		// Here the signature alone says who has bought, so it has to be judged here.
		_, err := p.Check(all, s.access.Now())
		if err == nil && p.ByContract() {
			err = call.Hinted(reason.PaymentSignature, "a contract wallet needs an API key to pay with", "register an agent: POST /api/mesh/register")
		}
		if err != nil {
			return nil, s.orDue(ctx, c, e, err)
		}
		if buyer, err = s.walletBuyer(ctx, offered); err != nil {
			return nil, err
		}
		if e.Agent.ID.String() == buyer {
			return nil, state.ErrOwned // the author's own wallet
		}
	}
	sale, err := s.saleOf(ctx, buyer, e)
	if err != nil {
		return nil, err
	}
	work := charge{payment: p, offer: all, buyer: buyer, object: sale.Series, resource: all.Resource, purpose: state.Purchase{Sale: &sale}}
	done, fresh, err := s.takePayment(ctx, work)
	if err != nil {
		return nil, s.orDue(ctx, c, e, err)
	}
	if fresh {
		s.sold(ctx, e.ID.Text(change.PrefixEntry), buyer)
	}
	return receiptOf(done), nil
}

// orDue adds to a refusal of a payment how the entry can be paid.
func (s *Service) orDue(ctx context.Context, c call.Caller, e view.Entry, err error) error {
	var r *reason.Refusal
	if errors.As(err, &r) && r.Code.HTTP() == http.StatusPaymentRequired {
		return s.due(ctx, c, e, r)
	}
	return err
}

// charge is a payment that is to be taken, and for what.
type charge struct {
	payment  *pay.Payment
	offer    pay.Offer
	buyer    string
	object   string // one payment of a buyer for it at a time
	resource string
	purpose  state.Purchase
}

// receiptOf is what a client gets about a settled payment.
func receiptOf(p state.Payment) *pay.PaymentReceipt {
	r := &pay.PaymentReceipt{Success: true, Network: p.Purpose.Network, Payer: p.Payer, Amount: strconv.FormatInt(p.Amount, 10), Mode: p.Mode,
		SettledAt: call.Stamp(p.SettledAt), ReceiptID: p.ID}
	if p.Transaction != "" {
		r.Transaction = &p.Transaction
	}
	return r
}

// takePayment judges a payment, settles it and brings about what it is for. A nonce is kept
// before it is used. fresh is false when the same was paid before with this very
// payment, whose receipt then comes again.
func (s *Service) takePayment(ctx context.Context, w charge) (done state.Payment, fresh bool, err error) {
	now, p := s.access.Now(), w.payment
	terms, err := p.Check(w.offer, now)
	if err != nil {
		return done, false, err
	}
	if !terms.InMemory() && s.cfg.Market.Facilitator == nil {
		return done, false, errSettles()
	}
	w.purpose.Network = terms.Network.CAIP()
	if p.Version == 1 {
		w.purpose.Network = terms.Network.Name
	}
	row := state.Payment{
		Asset: terms.Network.CAIP() + "/" + terms.Network.Token.Contract.String(), Payer: p.Transfer.From.String(), Nonce: p.Nonce(), Resource: w.resource,
		Buyer: w.buyer, Object: w.object, Amount: terms.Amount, Payload: p.Raw, Purpose: w.purpose, Mode: state.ModeOnChain,
	}
	if terms.InMemory() {
		row.Mode = state.ModeInMemory
		done, fresh, err = s.state.PayFromAccount(ctx, row, now)
		if reason.Of(err) == reason.InsufficientCredits {
			err = reason.Refuse(reason.InsufficientFunds, "the account that this wallet belongs to has too few credits")
		}
		if err == nil && fresh {
			s.publishPayment(done, "settlement_completed", "")
		}
		return done, fresh, err
	}
	found, fresh, again, err := s.state.StartPayment(ctx, row, nil, now)
	if err != nil || found.State == state.PaymentSettled {
		return found, false, err
	}
	if fresh {
		s.publishPayment(found, "authorization_created", "")
	}
	// From here on the client may go away: what was begun is brought to its end.
	ctx = context.WithoutCancel(ctx)
	if fresh || again && !found.Sent() {
		if err := s.verifyPayment(ctx, found, p, terms, w.offer); err != nil {
			return found, false, err
		}
	}
	done, err = s.settlePayment(ctx, found, p, terms, w.offer)
	return done, err == nil, err
}

// verifyPayment asks the facilitator about a payment with which nothing was done yet. When
// it would not go through, its nonce is free again.
func (s *Service) verifyPayment(ctx context.Context, row state.Payment, p *pay.Payment, t pay.Terms, o pay.Offer) error {
	s.publishPayment(row, "verification_started", "")
	err := s.askFacilitator(func() error { return s.cfg.Market.Facilitator.Verify(ctx, p, t, o) }, func(err error) bool {
		return errors.Is(err, pay.ErrUnreachable) && ctx.Err() == nil
	})
	if err == nil {
		s.publishPayment(row, "verification_passed", "")
		return nil
	}
	var declined *pay.Declined
	refusal := call.Hinted(reason.SettlementUnavailable, "the facilitator of this gateway does not answer; nothing was charged", "try again later, or pay with credits")
	if errors.As(err, &declined) {
		code := reason.SettlementFailed
		switch {
		case strings.Contains(declined.Reason, "insufficient_funds"):
			code = reason.InsufficientFunds
		case strings.Contains(declined.Reason, "signature"):
			code = reason.PaymentSignature
		}
		refusal = reason.Refuse(code, "the facilitator says that the payment would not go through; nothing was charged").
			With(map[string]any{"invalidReason": declined.Reason})
	}
	s.publishPayment(row, "verification_failed", string(refusal.Code))
	return errors.Join(s.state.DropPayment(ctx, row.ID), refusal)
}

// settlePayment has a payment sent and books it. Until it is known what became of it, it
// stays open, and nothing is delivered.
func (s *Service) settlePayment(ctx context.Context, row state.Payment, p *pay.Payment, t pay.Terms, o pay.Offer) (state.Payment, error) {
	before := row.Sent() // by an attempt whose outcome is not known
	if err := s.state.SendPayment(ctx, row.ID); err != nil {
		return row, err
	}
	s.publishPayment(row, "settlement_started", "")
	transaction, err := s.cfg.Market.Facilitator.Settle(ctx, p, t, o)
	var declined *pay.Declined
	if errors.As(err, &declined) && !before {
		s.publishPayment(row, "settlement_failed", string(reason.SettlementFailed))
		return row, errors.Join(s.state.FailPayment(ctx, row.ID, string(reason.SettlementFailed), s.access.Now()),
			reason.Refuse(reason.SettlementFailed, "the facilitator refused to send the payment; nothing was charged").With(map[string]any{"errorReason": declined.Reason}))
	}
	if err == nil {
		row, err = s.state.SettlePayment(ctx, row.ID, transaction, s.access.Now())
		if err == nil {
			s.publishPayment(row, "settlement_completed", "")
			return row, nil
		}
	}
	left := s.state.LeavePayment(ctx, row.ID, s.access.Now())
	if err := errors.Join(left, unlessOpen(err)); err != nil {
		return row, err
	}
	return row, call.Hinted(reason.SettlementUnknown, "what became of the payment is not known yet; it is kept and asked about again",
		"send the same request with the same payment later; do not sign another one").
		With(map[string]any{"payment_id": row.ID, "retry_after": int(paymentPoll.Seconds())})
}

// unlessOpen is err, nil when it only says that the outcome of a payment is open.
func unlessOpen(err error) error {
	var declined *pay.Declined
	if errors.Is(err, pay.ErrUnknown) || errors.As(err, &declined) || reason.Of(err) == reason.SettlementUnknown {
		return nil
	}
	return err
}

// KeepPayments asks again about payments whose outcome is open, at once and then
// every minute, until ctx ends.
func (s *Service) KeepPayments(ctx context.Context, log *slog.Logger) {
	tick := time.NewTicker(paymentPoll)
	defer tick.Stop()
	for {
		if err := s.ReconcilePayments(ctx, log); err != nil && ctx.Err() == nil {
			log.Warn("open payments not looked at", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// ReconcilePayments asks again about payments whose outcome is open: left by a
// process that ended, or by an answer that never came. One with which nothing was
// done has failed. A transfer is sent at most once, whatever is asked, because the
// token takes a nonce once.
func (s *Service) ReconcilePayments(ctx context.Context, log *slog.Logger) error {
	open, err := s.state.OpenPayments(ctx, s.access.Now(), maxReconciled)
	if err != nil {
		return err
	}
	for _, row := range open {
		if ok, err := s.state.TakeUpPayment(ctx, row.ID, s.access.Now()); err != nil || !ok {
			if err != nil {
				return err
			}
			continue
		}
		if err := s.reconcile(ctx, row); err != nil {
			log.Warn("what became of a payment is not known", "payment", row.ID, "since", row.At, "error", err)
		}
	}
	return nil
}

func (s *Service) askAgain(ctx context.Context, row state.Payment) (state.Payment, error) {
	if s.cfg.Market.Facilitator == nil {
		return row, errSettles()
	}
	p, err := pay.FromObject(json.RawMessage(row.Payload)).Read()
	if err != nil {
		return row, fmt.Errorf("read kept payment: %w", err)
	}
	for _, n := range pay.Networks() {
		if strings.HasPrefix(row.Asset, n.CAIP()+"/") {
			t := pay.Terms{Network: n, Amount: row.Amount, PayTo: p.Transfer.To}
			return s.settlePayment(ctx, row, p, t, pay.Offer{Resource: row.Resource})
		}
	}
	return row, fmt.Errorf("payment %s is on a network that is not known", row.ID)
}

// publishPayment notifies an agent of the state of its payment.
func (s *Service) publishPayment(p state.Payment, step, code string) {
	fields := map[string]any{"event_id": p.ID, "nonce": p.Nonce, "payer": p.Payer, "amount": strconv.FormatInt(p.Amount, 10), "network": p.Purpose.Network}
	if p.Purpose.Sale != nil {
		fields["recipient"] = p.Purpose.Sale.Seller
	}
	if p.Transaction != "" {
		fields["transaction"] = p.Transaction
	}
	if code != "" {
		fields["code"] = code
	}
	s.mesh.Events().Publish(events.Event{Kind: events.PaymentStep, Object: p.Buyer, Data: events.Step{Name: "payment." + step, Fields: fields}})
}

// FacilitatorPart names the facilitator among the components.
const FacilitatorPart = "facilitator"

// askFacilitator asks a question that moves nothing, unless the facilitator did
// not answer the last ones; lost says of an error that it did not.
func (s *Service) askFacilitator(ask func() error, lost func(error) bool) error {
	return s.mesh.Incidents().Breaker(FacilitatorPart).Do(ask, lost)
}
