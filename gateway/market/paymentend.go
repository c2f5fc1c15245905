package market

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/pay"
	"github.com/meshd/meshd/gateway/state"
)

// What the owner of a node may say about a payment whose outcome is open.
const (
	PaymentSettled = "settled" // it arrived, in a transaction that is named
	PaymentFailed  = "failed"  // it did not and cannot any more
	PaymentRetry   = "retry"   // ask the facilitator again now
)

// PaymentOrder ends a payment by hand, or has it taken up again.
type PaymentOrder struct {
	ID          string `json:"id"`
	Outcome     string `json:"outcome"`
	Transaction string `json:"transaction,omitempty"` // of a settled one
	Reason      string `json:"reason,omitempty"`      // how it was found out; not needed to ask again
}

// PaymentReport is a payment as the owner of the node sees it. It contains no
// signature.
type PaymentReport struct {
	ID          string  `json:"id"`
	State       string  `json:"state"` // started, settled or failed
	For         string  `json:"for"`   // sale, credits or payout
	Object      string  `json:"object"`
	Buyer       string  `json:"buyer"`
	Payer       string  `json:"payer"`
	Network     string  `json:"network"`
	Amount      string  `json:"amount"` // units of the asset
	Nonce       string  `json:"nonce"`
	Sent        bool    `json:"sent"` // it may have reached the chain
	Transaction *string `json:"transaction"`
	Since       string  `json:"since"`
	ValidBefore *string `json:"valid_before"` // until then it may still be sent
}

// PaymentReply is a payment after an order.
type PaymentReply struct {
	Changed bool          `json:"changed"` // false: it was so before
	Payment PaymentReport `json:"payment"`
}

// PaymentsReply are the payments under way.
type PaymentsReply struct {
	Payments []PaymentReport `json:"payments"`
}

// PaymentsUnderWay lists the payments that have not ended, oldest first, at most
// fifty. Only the owner of the node may see it.
func (s *Service) PaymentsUnderWay(ctx context.Context) (*PaymentsReply, error) {
	rows, err := s.state.PaymentsUnderWay(ctx, maxReconciled)
	if err != nil {
		return nil, err
	}
	reply := &PaymentsReply{Payments: []PaymentReport{}}
	for _, row := range rows {
		reply.Payments = append(reply.Payments, reportOf(row))
	}
	return reply, nil
}

// EndPayment carries out what the owner of the node, named by actor, says about a
// payment. Settling brings about what it is for; failing gives back what was set
// aside, and is refused while the authorisation can still be used, since what is
// failed here could then arrive. Both are in the audit log and change nothing when
// said again. Asking again answers as the payment itself would: settlement_unknown
// when its outcome stays open.
func (s *Service) EndPayment(ctx context.Context, actor string, o PaymentOrder) (*PaymentReply, error) {
	o.Reason = strings.TrimSpace(o.Reason)
	if err := checkOrder(o); err != nil {
		return nil, err
	}
	ctx = context.WithoutCancel(ctx) // what was begun is brought to its end
	if o.Outcome == PaymentRetry {
		return s.retryPayment(ctx, actor, o)
	}
	if o.Outcome == PaymentFailed {
		if err := s.outOfTerm(ctx, o.ID); err != nil {
			return nil, err
		}
	}
	row, changed, err := s.state.EndPayment(ctx, o.ID, state.PaymentEnd{
		State: o.Outcome, Transaction: strings.ToLower(o.Transaction), Actor: actor, Reason: o.Reason}, s.access.Now())
	if err != nil {
		return nil, err
	}
	if changed {
		s.publishEnd(ctx, row)
	}
	return &PaymentReply{changed, reportOf(row)}, nil
}

// checkOrder refuses an order that says too little or too much.
func checkOrder(o PaymentOrder) error {
	bad := func(param, text string) error {
		return reason.Refuse(reason.InvalidParam, "%s %s", param, text).With(map[string]any{"param": param})
	}
	settled := o.Outcome == PaymentSettled
	switch {
	case !strings.HasPrefix(o.ID, "pay_") || len(o.ID) > call.MaxIDText:
		return bad("id", "must be that of a payment, pay_…")
	case !settled && o.Outcome != PaymentFailed && o.Outcome != PaymentRetry:
		return bad("outcome", "must be settled, failed or retry")
	case settled && !pay.IsTransaction(o.Transaction):
		return bad("transaction", "must name the transaction, 0x and hex digits")
	case !settled && o.Transaction != "":
		return bad("transaction", "is for a payment that settled")
	case o.Reason == "" && o.Outcome != PaymentRetry:
		return bad("reason", "is needed")
	case utf8.RuneCountInString(o.Reason) > call.MaxReason:
		return bad("reason", fmt.Sprintf("has at most %d characters", call.MaxReason))
	}
	return nil
}

// outOfTerm refuses to fail a payment that somebody could still send.
func (s *Service) outOfTerm(ctx context.Context, id string) error {
	row, ok, err := s.state.FindPayment(ctx, id)
	if err != nil || !ok || row.State != state.PaymentStarted || !row.Sent() {
		return err
	}
	until, err := validBefore(row)
	if err != nil {
		return err
	}
	if until = until.Add(paymentGrace); s.access.Now().Before(until) {
		return call.Hinted(reason.BadTransition, "the payment can still arrive, so it has not failed", "say so again after "+call.Stamp(until)+", once no transaction has used its nonce").
			With(map[string]any{"from": row.State, "to": PaymentFailed, "allowed": []string{PaymentSettled}, "not_before": call.Stamp(until)})
	}
	return nil
}

// validBefore is until when the authorisation of a payment can be used.
func validBefore(row state.Payment) (time.Time, error) {
	p, err := pay.FromObject(json.RawMessage(row.Payload)).Read()
	if err != nil {
		return time.Time{}, fmt.Errorf("read kept payment: %w", err)
	}
	return time.Unix(int64(min(p.Transfer.ValidBefore, call.MaxMoment/1000)), 0), nil
}

func (s *Service) retryPayment(ctx context.Context, actor string, o PaymentOrder) (*PaymentReply, error) {
	row, claimed, err := s.state.ClaimPayment(ctx, o.ID, s.access.Now())
	if err != nil || !claimed {
		return &PaymentReply{false, reportOf(row)}, err
	}
	if err := errors.Join(s.access.Audit(ctx, actor, "payment.retried", row.ID, o.Reason), s.reconcile(ctx, row)); err != nil {
		return nil, err
	}
	row, _, err = s.state.FindPayment(ctx, row.ID)
	return &PaymentReply{row.State != state.PaymentStarted, reportOf(row)}, err
}

// reconcile asks again about one payment that this process has taken up. One with
// which nothing was done has failed.
func (s *Service) reconcile(ctx context.Context, row state.Payment) error {
	if !row.Sent() {
		if err := s.state.FailPayment(ctx, row.ID, string(reason.SettlementFailed), s.access.Now()); err != nil {
			return err
		}
		s.publishPayment(row, "settlement_failed", string(reason.SettlementFailed))
		return nil
	}
	done, err := s.askAgain(ctx, row)
	if err != nil {
		return errors.Join(err, s.state.LeavePayment(ctx, row.ID, s.access.Now()))
	}
	s.soldBy(ctx, done)
	return nil
}

// publishEnd notifies the buyer, and the seller of what was sold.
func (s *Service) publishEnd(ctx context.Context, row state.Payment) {
	if row.State == state.PaymentFailed {
		s.publishPayment(row, "settlement_failed", row.Code)
		return
	}
	s.publishPayment(row, "settlement_completed", "")
	s.soldBy(ctx, row)
}

// soldBy notifies an author of a sale whose payment settled without its buyer.
func (s *Service) soldBy(ctx context.Context, row state.Payment) {
	if sale := row.Purpose.Sale; sale != nil {
		s.sold(ctx, sale.Entry, row.Buyer)
	}
}

func reportOf(row state.Payment) PaymentReport {
	r := PaymentReport{ID: row.ID, State: row.State, Object: row.Object, Buyer: row.Buyer, Payer: row.Payer, Network: row.Purpose.Network,
		Amount: strconv.FormatInt(row.Amount, 10), Nonce: row.Nonce, Sent: row.Sent(), Since: call.Stamp(row.At)}
	switch p := row.Purpose; {
	case p.Sale != nil:
		r.For, r.Object = "sale", p.Sale.Entry
	case p.TopUp > 0:
		r.For = "credits"
	default:
		r.For = "payout"
	}
	if row.Transaction != "" {
		r.Transaction = &row.Transaction
	}
	if until, err := validBefore(row); err == nil {
		r.ValidBefore = call.StampOrNil(until)
	}
	return r
}
