package state

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Escrow is what became of the reward of a bounty.
type Escrow struct {
	State    string // none, reserved, released or refunded
	LedgerID string // of the transfer that made it so, "" for none
}

// States of an escrow.
const (
	EscrowNone     = "none"
	EscrowReserved = "reserved"
	EscrowReleased = "released" // at least a part went to the claimant
	EscrowRefunded = "refunded"
)

// Reserve moves a reward from its payer into the escrow of a bounty, once.
func (db *Ledger) Reserve(ctx context.Context, bounty, payer string, micro int64, now time.Time) error {
	_, _, err := db.Post(ctx, Transfer{
		Op: OpReserve, Key: bounty, Object: bounty,
		Postings: []Posting{{AgentAccount(payer), -micro}, {EscrowAccount(bounty), micro}},
	}, now)
	return err
}

// CloseEscrow empties the escrow of a bounty, once and for good: share percent go to
// the claimant, the rest back to whoever paid. A fraction of a micro-USD goes
// back. Closing again changes nothing, whatever it asks for.
func (db *Ledger) CloseEscrow(ctx context.Context, bounty, claimant string, share int, now time.Time) (Transfer, error) {
	if share < 0 || share > 100 || share > 0 && claimant == "" {
		return Transfer{}, fmt.Errorf("close the escrow of %s: share %d for %q", bounty, share, claimant)
	}
	held, ok, err := db.TransferOf(ctx, OpReserve, bounty)
	if err != nil {
		return Transfer{}, err
	}
	if !ok {
		return Transfer{}, fmt.Errorf("close the escrow of %s: nothing was reserved", bounty)
	}
	total := held.Of(EscrowAccount(bounty))
	earned := total / 100 * int64(share)
	earned += total % 100 * int64(share) / 100
	ps := []Posting{{EscrowAccount(bounty), -total}}
	if earned > 0 {
		ps = append(ps, Posting{AgentAccount(claimant), earned})
	}
	if earned < total {
		ps = append(ps, Posting{held.Counterparty(EscrowAccount(bounty)), total - earned})
	}
	t, _, err := db.Post(ctx, Transfer{Op: OpClose, Key: bounty, Object: bounty, Memo: fmt.Sprintf("%d %%", share), Postings: ps}, now)
	return t, err
}

// OpenEscrows are the bounties whose reward is reserved here, oldest first.
func (db *Ledger) OpenEscrows(ctx context.Context) ([]string, error) {
	return query(ctx, db.base, "list open escrows", func(row scanner) (key string, err error) {
		err = row.Scan(&key)
		return key, err
	}, `SELECT r.key FROM transfers r WHERE r.op = $1
		AND NOT EXISTS (SELECT 1 FROM transfers c WHERE c.op = $2 AND c.key = r.key) ORDER BY r.at, r.id`, OpReserve, OpClose)
}

// EscrowOf is what became of the reward of a bounty.
func (db *Ledger) EscrowOf(ctx context.Context, bounty string) (Escrow, error) {
	t, ok, err := db.TransferOf(ctx, OpClose, bounty)
	switch {
	case err != nil:
		return Escrow{}, err
	case ok && t.Memo == "0 %":
		return Escrow{EscrowRefunded, t.ID}, nil
	case ok:
		return Escrow{EscrowReleased, t.ID}, nil
	}
	t, ok, err = db.TransferOf(ctx, OpReserve, bounty)
	if err != nil || !ok {
		return Escrow{State: EscrowNone}, err
	}
	return Escrow{EscrowReserved, t.ID}, nil
}

// RefuseStep remembers for good that a step of a bounty is not confirmed here.
func (db *Ledger) RefuseStep(ctx context.Context, step, code string, now time.Time) error {
	return db.write(ctx, "refuse step", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO step_refusals (step, code, at) VALUES ($1, $2, $3) ON CONFLICT (step) DO NOTHING`,
			step, code, now.UnixMilli())
		return err
	})
}

// StepRefused is the code with which a step was refused, "" when it was not.
func (db *Ledger) StepRefused(ctx context.Context, step string) (code string, err error) {
	err = db.engine.reader.QueryRowContext(ctx, `SELECT code FROM step_refusals WHERE step = $1`, step).Scan(&code)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return code, db.fault("find refused step", err)
}
