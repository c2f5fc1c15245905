package state

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/reason"
)

// Accounts of the ledger that belong to nobody. Grants is where credits come
// from that nobody paid for; it and the accounts of chains, which are the world
// outside, go below zero without a bound.
const (
	Grants = "grants"
	Fees   = "fees"
)

// AgentAccount is what an agent may spend.
func AgentAccount(agent string) string { return "agent:" + agent }

// ReservedAccount is what an agent has asked to be paid out and that is on its way.
func ReservedAccount(agent string) string { return "agent:" + agent + ":reserved" }

// ChainAccount is what came from a chain, below zero, and went to it.
func ChainAccount(network string) string { return chainPrefix + network }

const chainPrefix = "chain:"

// EscrowAccount keeps the reward of a bounty.
func EscrowAccount(bounty string) string { return "escrow:" + bounty }

// Operations of the ledger. With a key each happens once.
const (
	OpGrant   = "grant"   // by an admin
	OpStart   = "start"   // what a new agent begins with; key: the agent
	OpReserve = "reserve" // payer to escrow; key: the bounty
	OpClose   = "close"   // escrow to claimant, back, or both; key: the bounty
	OpSale    = "sale"    // buyer, or a chain, to seller and fees; key: buyer and series of the entry
	OpTopUp   = "topup"   // chain to agent; key: the payment

	OpWithdraw    = "withdraw"     // agent to what it has reserved; key: the payment
	OpWithdrawEnd = "withdraw_end" // from there to the chain, or back; key: the payment
)

// Ops are the operations of the ledger.
func Ops() []string {
	return []string{OpGrant, OpStart, OpReserve, OpClose, OpSale, OpTopUp, OpWithdraw, OpWithdrawEnd}
}

// Posting adds an amount, which may be negative, to an account.
type Posting struct {
	Account string
	Amount  int64 // micro-USD
}

// Transfer is one move of money.
type Transfer struct {
	ID       string // led_ and a UUIDv7; given by Post
	Op       string
	Key      string // with Op it is unique
	Object   string // what it was for: id of a bounty, an entry or an agent
	Memo     string
	At       time.Time // given by Post
	Postings []Posting
}

// Post writes a transfer whole or not at all. When one of that operation and key
// was written before, that one is returned, fresh is false and nothing moves. It
// refuses with insufficient_credits when an account but Grants and those of chains
// would go below zero.
func (db *Ledger) Post(ctx context.Context, t Transfer, now time.Time) (done Transfer, fresh bool, err error) {
	err = db.write(ctx, "post transfer", func(tx *sql.Tx) error {
		fresh, err = db.post(ctx, tx, &t, now)
		return err
	})
	if err != nil {
		return Transfer{}, false, err
	}
	if !fresh {
		done, _, err = db.TransferOf(ctx, t.Op, t.Key)
		return done, false, err
	}
	return t, true, nil
}

// post writes a transfer within a transaction and gives it its id and time; false
// when one of that operation and key is there.
func (db *base) post(ctx context.Context, tx *sql.Tx, t *Transfer, now time.Time) (fresh bool, err error) {
	if err := t.check(); err != nil {
		return false, err
	}
	uuid, err := db.ids.V7(now)
	if err != nil {
		return false, err
	}
	t.ID, t.At = "led_"+uuid, now.UTC().Truncate(time.Millisecond)
	res, err := tx.ExecContext(ctx, `INSERT INTO transfers (id, op, key, object, memo, at) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (op, key) DO NOTHING`, t.ID, t.Op, t.Key, t.Object, t.Memo, t.At.UnixMilli())
	if err != nil {
		return false, err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return false, err
	}
	for i, p := range t.Postings {
		if _, err := tx.ExecContext(ctx, `INSERT INTO postings (transfer, place, account, amount) VALUES ($1, $2, $3, $4)`,
			t.ID, i, p.Account, p.Amount); err != nil {
			return false, err
		}
	}
	return true, covered(ctx, tx, t.Postings)
}

// check refuses what would not be double entry. Such a transfer is a fault of the
// caller.
func (t Transfer) check() error {
	var sum int64
	for _, p := range t.Postings {
		if p.Account == "" || p.Amount == 0 || p.Amount > maxMoney || p.Amount < -maxMoney {
			return fmt.Errorf("posting of %d to %q", p.Amount, p.Account)
		}
		sum += p.Amount
	}
	switch {
	case sum != 0 || len(t.Postings) < 2 || len(t.Postings) > maxPostings:
		return fmt.Errorf("%d postings add up to %d", len(t.Postings), sum)
	case t.Op == "" || t.Key == "" || max(len(t.Op), len(t.Key), len(t.Object), len(t.Memo)) > maxTransferText:
		return errors.New("a transfer needs an operation and a key, and its texts are bounded")
	}
	return nil
}

// covered refuses when an account that paid has less than nothing.
func covered(ctx context.Context, tx *sql.Tx, ps []Posting) error {
	for _, p := range ps {
		if p.Amount > 0 || p.Account == Grants || strings.HasPrefix(p.Account, chainPrefix) {
			continue
		}
		var sum int64
		if err := tx.QueryRowContext(ctx, sumAccount, p.Account).Scan(&sum); err != nil {
			return err
		}
		if sum < 0 {
			return reason.Refuse(reason.InsufficientCredits, "the account has too few credits").
				With(map[string]any{"balance": Credits(sum - p.Amount), "required_credits": Credits(-p.Amount)})
		}
	}
	return nil
}

const sumAccount = `SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM postings WHERE account = $1`

// Balance is the sum of an account.
func (db *Ledger) Balance(ctx context.Context, account string) (sum int64, err error) {
	err = db.engine.reader.QueryRowContext(ctx, sumAccount, account).Scan(&sum)
	return sum, db.fault("sum account", err)
}

// TransferOf finds a transfer by its operation and key.
func (db *Ledger) TransferOf(ctx context.Context, op, key string) (t Transfer, ok bool, err error) {
	ts, err := db.transfers(ctx, `SELECT id, op, key, object, memo, at FROM transfers WHERE op = $1 AND key = $2`, op, key)
	if err != nil || len(ts) == 0 {
		return Transfer{}, false, err
	}
	return ts[0], true, nil
}

// TransferFilter selects transfers of one account. Zero fields do not filter.
type TransferFilter struct {
	Op           string
	Since, Until time.Time // inclusive, exclusive
	Before       string    // id; only older ones
}

// Transfers are those with a posting to an account, newest first, at most limit.
func (db *Ledger) Transfers(ctx context.Context, account string, f TransferFilter, limit int) ([]Transfer, error) {
	until := int64(math.MaxInt64)
	if !f.Until.IsZero() {
		until = f.Until.UnixMilli()
	}
	since := int64(math.MinInt64)
	if !f.Since.IsZero() {
		since = f.Since.UnixMilli()
	}
	return db.transfers(ctx, `SELECT id, op, key, object, memo, at FROM transfers WHERE
		id IN (SELECT transfer FROM postings WHERE account = $1) AND ($2 = '' OR op = $2) AND at >= $3 AND at < $4 AND ($5 = '' OR id < $5)
		ORDER BY id DESC LIMIT $6`, account, f.Op, since, until, f.Before, min(limit, MaxPage))
}

// CountTransfers counts what Transfers lists.
func (db *Ledger) CountTransfers(ctx context.Context, account string, f TransferFilter) (n int, err error) {
	until := int64(math.MaxInt64)
	if !f.Until.IsZero() {
		until = f.Until.UnixMilli()
	}
	since := int64(math.MinInt64)
	if !f.Since.IsZero() {
		since = f.Since.UnixMilli()
	}
	err = db.engine.reader.QueryRowContext(ctx, `SELECT COUNT(*) FROM transfers WHERE
		id IN (SELECT transfer FROM postings WHERE account = $1) AND ($2 = '' OR op = $2) AND at >= $3 AND at < $4`,
		account, f.Op, since, until).Scan(&n)
	return n, db.fault("count transfers", err)
}

func (db *Ledger) transfers(ctx context.Context, stmt string, args ...any) ([]Transfer, error) {
	ts, err := query(ctx, db.base, "list transfers", func(row scanner) (t Transfer, err error) {
		var at sql.NullInt64
		err = row.Scan(&t.ID, &t.Op, &t.Key, &t.Object, &t.Memo, &at)
		t.At = moment(at)
		return t, err
	}, stmt, args...)
	if err != nil {
		return nil, err
	}
	for i := range ts {
		ts[i].Postings, err = query(ctx, db.base, "list postings", func(row scanner) (p Posting, err error) {
			err = row.Scan(&p.Account, &p.Amount)
			return p, err
		}, `SELECT account, amount FROM postings WHERE transfer = $1 ORDER BY place`, ts[i].ID)
		if err != nil {
			return nil, err
		}
	}
	return ts, nil
}

// Of is what a transfer added to an account.
func (t Transfer) Of(account string) (sum int64) {
	for _, p := range t.Postings {
		if p.Account == account {
			sum += p.Amount
		}
	}
	return sum
}

// Counterparty is the first other account of a transfer.
func (t Transfer) Counterparty(account string) string {
	at := slices.IndexFunc(t.Postings, func(p Posting) bool { return p.Account != account })
	if at < 0 {
		return ""
	}
	return t.Postings[at].Account
}

// MicroPerCredit is how many micro-USD one credit is: 1 credit is 0.01 USD.
const MicroPerCredit = 10_000

// Credits writes an amount of micro-USD as credits, with no more digits than it
// needs.
func Credits(micro int64) string {
	sign := ""
	if micro < 0 {
		sign, micro = "-", -micro
	}
	text := fmt.Sprintf("%s%d.%04d", sign, micro/MicroPerCredit, micro%MicroPerCredit)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// Sums are what went through an account.
type Sums struct {
	Reserved  int64 // it lies in escrows that are not closed, or is on its way to a chain
	Spent     int64 // it went to others, and did not come back
	Purchased int64 // it came from a chain
	Earned    int64 // others paid it: rewards, and sales less the fee
	Withdrawn int64 // it went to a chain, or is on its way
}

// AccountSums adds up what went through an agent's account.
func (db *Ledger) AccountSums(ctx context.Context, agent string) (s Sums, err error) {
	account := AgentAccount(agent)
	var onTheWay int64
	err = db.engine.reader.QueryRowContext(ctx, `SELECT
		CAST(COALESCE(SUM(CASE WHEN t.op = $2 AND c.id IS NULL THEN -p.amount ELSE 0 END), 0) AS BIGINT),
		CAST(COALESCE(SUM(CASE WHEN t.op = $2 AND c.id IS NULL OR t.op IN ($5, $6) THEN 0 WHEN t.op = $2 OR p.amount < 0 THEN -p.amount
			WHEN t.op = $3 AND p.amount > 0 AND EXISTS (`+paidByIt+`) THEN -p.amount ELSE 0 END), 0) AS BIGINT),
		CAST(COALESCE(SUM(CASE WHEN t.op = $4 THEN p.amount ELSE 0 END), 0) AS BIGINT),
		CAST(COALESCE(SUM(CASE WHEN p.amount > 0 AND (t.op = $7 OR t.op = $3 AND NOT EXISTS (`+paidByIt+`)) THEN p.amount ELSE 0 END), 0) AS BIGINT),
		CAST(COALESCE(SUM(CASE WHEN t.op IN ($5, $6) THEN -p.amount ELSE 0 END), 0) AS BIGINT),
		(SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM postings WHERE account = $8)
		FROM postings p JOIN transfers t ON t.id = p.transfer LEFT JOIN transfers c ON c.op = $3 AND c.key = t.key AND t.op = $2
		WHERE p.account = $1`, account, OpReserve, OpClose, OpTopUp, OpWithdraw, OpWithdrawEnd, OpSale, ReservedAccount(agent)).
		Scan(&s.Reserved, &s.Spent, &s.Purchased, &s.Earned, &s.Withdrawn, &onTheWay)
	s.Reserved += onTheWay
	return s, db.fault("add up account", err)
}

// paidByIt finds, of a closed escrow, that this account filled it.
const paidByIt = `SELECT 1 FROM postings o JOIN transfers r ON r.id = o.transfer WHERE r.op = $2 AND r.key = t.key AND o.account = $1`

// EarnedSince adds up what others paid an agent from a time on.
func (db *Ledger) EarnedSince(ctx context.Context, agent string, since time.Time) (sum int64, err error) {
	err = db.engine.reader.QueryRowContext(ctx, `SELECT
		CAST(COALESCE(SUM(CASE WHEN t.op = $4 OR NOT EXISTS (`+paidByIt+`) THEN p.amount ELSE 0 END), 0) AS BIGINT)
		FROM postings p JOIN transfers t ON t.id = p.transfer
		WHERE p.account = $1 AND p.amount > 0 AND t.op IN ($3, $4) AND t.at >= $5`, AgentAccount(agent), OpReserve, OpClose, OpSale, since.UnixMilli()).Scan(&sum)
	return sum, db.fault("add up earnings", err)
}
