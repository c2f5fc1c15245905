package state

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/meshd/meshd/crdt/reason"
)

// States of a payment.
const (
	PaymentStarted = "started" // its nonce is taken; whether money moved is open
	PaymentSettled = "settled"
	PaymentFailed  = "failed" // nothing moved; its nonce stays used
)

// Ways in which a payment is settled.
const (
	ModeInMemory = "in_memory" // from the account of the agent that the wallet belongs to
	ModeOnChain  = "on_chain"
)

// Payment is a transfer that a wallet signed, or that this gateway signed to pay an
// agent out, with what it is for.
type Payment struct {
	ID                  string // pay_ and a UUIDv7
	Asset, Payer, Nonce string // together unique
	Resource            string // what it was offered for
	Buyer               string // whose it is
	Object              string // with Buyer, what one payment at a time is under way for
	Amount              int64  // units of the asset
	State, Mode         string
	Transaction         string // "" for none
	Code                string // why it is not settled
	Payload             []byte // what was signed, as the client sent it
	Purpose             Purchase
	At, SettledAt       time.Time
}

// Purchase is what a payment brings about when it is settled. One of the three is
// set.
type Purchase struct {
	Network  string `json:"network"`
	Sale     *Sale  `json:"sale,omitempty"`
	TopUp    int64  `json:"topup,omitempty"`    // micro-USD for the buyer
	Withdraw int64  `json:"withdraw,omitempty"` // micro-USD of the buyer's
}

const selectPayment = `SELECT id, asset, payer, nonce, resource, buyer, object, amount, state, mode, tx, code, payload, detail, at, settled_at, lease_until FROM payments`

func scanPayment(row scanner) (p Payment, lease int64, err error) {
	var detail string
	var at, settled int64
	if err = row.Scan(&p.ID, &p.Asset, &p.Payer, &p.Nonce, &p.Resource, &p.Buyer, &p.Object, &p.Amount, &p.State, &p.Mode, &p.Transaction, &p.Code,
		&p.Payload, &detail, &at, &settled, &lease); err != nil {
		return p, 0, err
	}
	p.At = time.UnixMilli(at).UTC()
	if settled > 0 {
		p.SettledAt = time.UnixMilli(settled).UTC()
	}
	if err = json.Unmarshal([]byte(detail), &p.Purpose); err != nil {
		err = fmt.Errorf("decode purpose of %s: %w", p.ID, err)
	}
	return p, lease, err
}

// StartPayment takes the nonce of a payment, durably, before anything else is done
// with it. Of a nonce that was taken before, the payment comes back as it is and
// fresh is false; when it is of another resource, and also when it failed, it is
// payment_replayed. One that was started and left lying may be taken up again, and
// then again is true. While one is under way for the same buyer and object,
// another is refused with idempotency_in_progress. money, when not nil, is posted in
// the same transaction.
func (db *Market) StartPayment(ctx context.Context, p Payment, money *Transfer, now time.Time) (found Payment, fresh, again bool, err error) {
	err = db.write(ctx, "start payment", func(tx *sql.Tx) error {
		found, fresh, again, err = db.start(ctx, tx, p, now)
		if err == nil && fresh && money != nil {
			_, err = db.post(ctx, tx, money, now)
		}
		return err
	})
	return found, fresh, again, err
}

func (db *Market) start(ctx context.Context, tx *sql.Tx, p Payment, now time.Time) (Payment, bool, bool, error) {
	old, lease, err := scanPayment(tx.QueryRowContext(ctx, selectPayment+` WHERE asset = $1 AND payer = $2 AND nonce = $3`, p.Asset, p.Payer, p.Nonce))
	if err == nil {
		switch {
		case old.Resource != p.Resource || old.Buyer != p.Buyer || old.State == PaymentFailed:
			return old, false, false, reason.Refuse(reason.PaymentReplayed, "the nonce of this payment was used before")
		case old.State == PaymentStarted && lease > now.UnixMilli():
			return old, false, false, reason.Refuse(reason.IdempotencyInProgress, "this payment is being settled")
		case old.State == PaymentStarted:
			_, err := tx.ExecContext(ctx, `UPDATE payments SET lease_until = $1 WHERE id = $2`, now.Add(paymentLease).UnixMilli(), old.ID)
			return old, false, true, err
		}
		return old, false, false, nil
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return p, false, false, err
	}
	if sale := p.Purpose.Sale; sale != nil {
		var owned bool
		if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM purchases WHERE buyer = $1 AND series = $2)`, sale.Buyer, sale.Series).Scan(&owned); err != nil || owned {
			return p, false, false, cmp.Or(err, ErrOwned)
		}
	}
	uuid, err := db.ids.V7(now)
	if err != nil {
		return p, false, false, err
	}
	p.ID, p.State, p.At = "pay_"+uuid, PaymentStarted, now.UTC().Truncate(time.Millisecond)
	detail, err := json.Marshal(p.Purpose)
	if err != nil {
		return p, false, false, err
	}
	res, err := tx.ExecContext(ctx, `INSERT INTO payments
		(id, asset, payer, nonce, resource, buyer, object, amount, state, mode, tx, code, payload, detail, at, lease_until, settled_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, '', '', $11, $12, $13, $14, 0) ON CONFLICT DO NOTHING`,
		p.ID, p.Asset, p.Payer, p.Nonce, p.Resource, p.Buyer, p.Object, p.Amount, p.State, p.Mode, p.Payload, string(detail),
		p.At.UnixMilli(), now.Add(paymentLease).UnixMilli())
	if err != nil {
		return p, false, false, err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return p, false, false, errors.Join(err, reason.Refuse(reason.IdempotencyInProgress, "another payment for this is not settled yet").
			With(map[string]any{"retry_after": int(paymentLease.Seconds())}))
	}
	return p, true, false, nil
}

// DropPayment forgets a payment that was started and of which it is known that
// nothing was done with it, so that its nonce may come again.
func (db *Market) DropPayment(ctx context.Context, id string) error {
	return db.write(ctx, "drop payment", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM payments WHERE id = $1 AND state = 'started'`, id)
		return err
	})
}

// SettlePayment brings about what a started payment is for, and marks it settled,
// both or neither. A transaction settles one payment: a second one for it is
// refused with settlement_unknown. Settling again changes nothing.
func (db *Market) SettlePayment(ctx context.Context, id, transaction string, now time.Time) (p Payment, err error) {
	err = db.write(ctx, "settle payment", func(tx *sql.Tx) error {
		p, err = db.settle(ctx, tx, id, transaction, now)
		return err
	})
	return p, err
}

func (db *Market) settle(ctx context.Context, tx *sql.Tx, id, transaction string, now time.Time) (Payment, error) {
	p, _, err := scanPayment(tx.QueryRowContext(ctx, selectPayment+` WHERE id = $1`, id))
	if err != nil || p.State == PaymentSettled {
		return p, err
	}
	if transaction != "" {
		var others int
		if err := tx.QueryRowContext(ctx, `SELECT COUNT(*) FROM payments WHERE asset = $1 AND tx = $2`, p.Asset, transaction).Scan(&others); err != nil {
			return p, err
		}
		if others > 0 {
			return p, reason.Refuse(reason.SettlementUnknown, "that transaction has settled another payment")
		}
	}
	p.State, p.Transaction, p.Code, p.SettledAt = PaymentSettled, transaction, "", now.UTC().Truncate(time.Millisecond)
	if err := db.bringAbout(ctx, tx, p, now); err != nil {
		return p, err
	}
	_, err = tx.ExecContext(ctx, `UPDATE payments SET state = $1, tx = $2, code = '', settled_at = $3 WHERE id = $4`, p.State, transaction, p.SettledAt.UnixMilli(), id)
	return p, err
}

// ErrOwned: what would be paid for was bought before.
var ErrOwned = errors.New("bought before")

// bringAbout moves the money of a settled payment.
func (db *Market) bringAbout(ctx context.Context, tx *sql.Tx, p Payment, now time.Time) error {
	chain := ChainAccount(p.Purpose.Network)
	var t Transfer
	switch {
	case p.Purpose.Sale != nil:
		from := chain
		if p.Mode == ModeInMemory {
			owner, err := db.walletOwner(ctx, tx, p.Payer)
			if err != nil {
				return err
			}
			from = AgentAccount(owner)
		}
		_, fresh, err := db.sell(ctx, tx, *p.Purpose.Sale, from, p.Mode+" "+p.ID, now)
		if err == nil && !fresh {
			err = fmt.Errorf("payment %s is for what its buyer has: %w", p.ID, ErrOwned)
		}
		return err
	case p.Purpose.TopUp > 0:
		t = Transfer{Op: OpTopUp, Postings: []Posting{{chain, -p.Purpose.TopUp}, {AgentAccount(p.Buyer), p.Purpose.TopUp}}}
	case p.Purpose.Withdraw > 0:
		t = Transfer{Op: OpWithdrawEnd, Postings: []Posting{{ReservedAccount(p.Buyer), -p.Purpose.Withdraw}, {chain, p.Purpose.Withdraw}}}
	default:
		return fmt.Errorf("payment %s is for nothing", p.ID)
	}
	t.Key, t.Object, t.Memo = p.ID, p.Buyer, p.Transaction
	_, err := db.post(ctx, tx, &t, now)
	return err
}

// walletOwner is the agent that a wallet belongs to here; without one the wallet has
// no account to take from.
func (db *Market) walletOwner(ctx context.Context, tx *sql.Tx, address string) (agent string, err error) {
	err = tx.QueryRowContext(ctx, `SELECT id FROM agents WHERE wallet = $1 AND claimed_until IS NULL`, address).Scan(&agent)
	if errors.Is(err, sql.ErrNoRows) {
		return "", reason.Refuse(reason.InsufficientFunds, "the wallet belongs to no agent of this gateway, so there is no account to take a small amount from")
	}
	return agent, err
}

// PayFromAccount takes the nonce of a small payment, moves its money from the account
// of the wallet's agent and brings about what it is for: all in one transaction, or
// nothing. Of a nonce that was used for the same, the payment comes back as it is.
func (db *Market) PayFromAccount(ctx context.Context, p Payment, now time.Time) (done Payment, fresh bool, err error) {
	err = db.write(ctx, "pay from account", func(tx *sql.Tx) error {
		if done, fresh, _, err = db.start(ctx, tx, p, now); err != nil || done.State == PaymentSettled {
			return err
		}
		done, err = db.settle(ctx, tx, done.ID, "", now)
		return err
	})
	return done, fresh, err
}

// FailPayment ends a started payment with which nothing moved, and gives back what
// was reserved for it.
func (db *Market) FailPayment(ctx context.Context, id, code string, now time.Time) error {
	return db.write(ctx, "fail payment", func(tx *sql.Tx) error {
		p, _, err := scanPayment(tx.QueryRowContext(ctx, selectPayment+` WHERE id = $1`, id))
		if err != nil || p.State != PaymentStarted {
			return err
		}
		_, err = db.fail(ctx, tx, p, code, now)
		return err
	})
}

func (db *Market) fail(ctx context.Context, tx *sql.Tx, p Payment, code string, now time.Time) (Payment, error) {
	if out := p.Purpose.Withdraw; out > 0 {
		back := Transfer{Op: OpWithdrawEnd, Key: p.ID, Object: p.Buyer, Memo: code,
			Postings: []Posting{{ReservedAccount(p.Buyer), -out}, {AgentAccount(p.Buyer), out}}}
		if _, err := db.post(ctx, tx, &back, now); err != nil {
			return p, err
		}
	}
	p.State, p.Code = PaymentFailed, code
	_, err := tx.ExecContext(ctx, `UPDATE payments SET state = 'failed', code = $1 WHERE id = $2`, code, p.ID)
	return p, err
}

// SendPayment notes, before it is done, that the transfer of a payment is sent.
// From then on its outcome is open until it is known.
func (db *Market) SendPayment(ctx context.Context, id string) error {
	return db.write(ctx, "send payment", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE payments SET code = $1 WHERE id = $2 AND state = 'started'`, string(reason.SettlementUnknown), id)
		return err
	})
}

// Sent reports whether the transfer of a payment may have been sent.
func (p Payment) Sent() bool { return p.State != PaymentStarted || p.Code != "" }

// LeavePayment lets a started payment be taken up again at once.
func (db *Market) LeavePayment(ctx context.Context, id string, now time.Time) error {
	return db.write(ctx, "leave payment", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE payments SET lease_until = $1 WHERE id = $2 AND state = 'started'`, now.UnixMilli(), id)
		return err
	})
}

// OpenPayments are started payments whose process is not at them any more, oldest
// first.
func (db *Market) OpenPayments(ctx context.Context, now time.Time, limit int) ([]Payment, error) {
	return query(ctx, db.base, "list open payments", func(row scanner) (Payment, error) {
		p, _, err := scanPayment(row)
		return p, err
	}, selectPayment+` WHERE state = 'started' AND lease_until <= $1 ORDER BY at, id LIMIT $2`, now.UnixMilli(), limit)
}

// FindPayment finds a payment by its id.
func (db *Market) FindPayment(ctx context.Context, id string) (Payment, bool, error) {
	p, _, err := scanPayment(db.engine.reader.QueryRowContext(ctx, selectPayment+` WHERE id = $1`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return p, false, nil
	}
	return p, err == nil, db.fault("find payment", err)
}

// TakeUpPayment leaves a started payment to one process for a while; false when
// another has it, or it has ended.
func (db *Market) TakeUpPayment(ctx context.Context, id string, now time.Time) (ok bool, err error) {
	err = db.write(ctx, "take payment up", func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `UPDATE payments SET lease_until = $1 WHERE id = $2 AND state = 'started' AND lease_until <= $3`,
			now.Add(paymentLease).UnixMilli(), id, now.UnixMilli())
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		ok = n == 1
		return err
	})
	return ok, err
}
