package state

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/meshd/meshd/crdt/reason"
)

// PaymentEnd is what somebody found out about a payment whose outcome was open.
type PaymentEnd struct {
	State       string // PaymentSettled or PaymentFailed
	Transaction string // of a settled one
	Actor       string // who says so, for the audit log
	Reason      string // how it was found out
}

// EndPayment ends a started payment by somebody's word: it brings about what the
// payment is for, or gives back what was reserved for it, and writes a line into the
// audit log, all of it or nothing. Saying the same again changes nothing, and changed
// is false. Refused are another end than it has with bad_transition, a payment that a
// process is at with idempotency_in_progress, a transaction that has settled another
// with payment_replayed, and an id of none with not_found.
func (db *Market) EndPayment(ctx context.Context, id string, end PaymentEnd, now time.Time) (p Payment, changed bool, err error) {
	if end.State != PaymentSettled && end.State != PaymentFailed {
		return p, false, fmt.Errorf("end payment: no end %q", end.State)
	}
	err = db.write(ctx, "end payment", func(tx *sql.Tx) error {
		p, changed, err = db.endPayment(ctx, tx, id, end, now)
		return err
	})
	return p, changed && err == nil, err
}

func (db *Market) endPayment(ctx context.Context, tx *sql.Tx, id string, end PaymentEnd, now time.Time) (Payment, bool, error) {
	p, lease, err := scanPayment(tx.QueryRowContext(ctx, selectPayment+` WHERE id = $1`, id))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return p, false, errNoPayment()
	case err != nil:
		return p, false, err
	case p.State == end.State && (p.State == PaymentFailed || p.Transaction == end.Transaction):
		return p, false, nil
	case p.State != PaymentStarted:
		return p, false, reason.Refuse(reason.BadTransition, "the payment has %s already", p.State).
			With(map[string]any{"from": p.State, "to": end.State, "allowed": []string{}, "transaction": p.Transaction})
	case lease > now.UnixMilli():
		return p, false, busyPayment(lease, now)
	}
	if end.State == PaymentSettled {
		p, err = db.settle(ctx, tx, id, end.Transaction, now)
		switch {
		case reason.Of(err) == reason.SettlementUnknown:
			return p, false, reason.Refuse(reason.PaymentReplayed, "that transaction has settled another payment")
		case errors.Is(err, ErrOwned):
			return p, false, reason.Refuse(reason.BadTransition, "the buyer has what this payment is for by another purchase")
		}
	} else {
		p, err = db.fail(ctx, tx, p, string(reason.SettlementFailed), now)
	}
	if err != nil {
		return p, false, err
	}
	_, err = db.audit(ctx, tx, AuditEntry{At: now, Actor: end.Actor, Action: "payment." + end.State, Object: id,
		Detail: map[string]any{"reason": end.Reason, "transaction": end.Transaction, "buyer": p.Buyer, "amount": p.Amount}})
	return p, true, err
}

func errNoPayment() error { return reason.Refuse(reason.NotFound, "no such payment") }

// busyPayment is the refusal of a payment that a process is at.
func busyPayment(lease int64, now time.Time) error {
	wait := max(1, (lease-now.UnixMilli()+999)/1000)
	return reason.Refuse(reason.IdempotencyInProgress, "this payment is being settled right now").With(map[string]any{"retry_after": wait})
}

// ClaimPayment leaves a started payment to the caller for a while, as TakeUpPayment
// does, and returns it. One that has ended comes back as it is, with claimed false.
// Refused are one that another process is at with idempotency_in_progress and an id
// of none with not_found.
func (db *Market) ClaimPayment(ctx context.Context, id string, now time.Time) (p Payment, claimed bool, err error) {
	err = db.write(ctx, "claim payment", func(tx *sql.Tx) error {
		var lease int64
		p, lease, err = scanPayment(tx.QueryRowContext(ctx, selectPayment+` WHERE id = $1`, id))
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return errNoPayment()
		case err != nil || p.State != PaymentStarted:
			return err
		case lease > now.UnixMilli():
			return busyPayment(lease, now)
		}
		_, err = tx.ExecContext(ctx, `UPDATE payments SET lease_until = $1 WHERE id = $2`, now.Add(paymentLease).UnixMilli(), id)
		claimed = err == nil
		return err
	})
	return p, claimed && err == nil, err
}

// PaymentsUnderWay are all started payments, oldest first, whether a process is at
// them or not.
func (db *Market) PaymentsUnderWay(ctx context.Context, limit int) ([]Payment, error) {
	return query(ctx, db.base, "list payments under way", func(row scanner) (Payment, error) {
		p, _, err := scanPayment(row)
		return p, err
	}, selectPayment+` WHERE state = 'started' ORDER BY at, id LIMIT $1`, limit)
}
