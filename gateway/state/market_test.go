package state

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestMoneyIsKept does anything in any order, processes that end between two steps
// among it, and then checks what the ledger promises: each transfer adds up to
// nothing, no account but those of grants and chains is below zero, each operation
// was charged once, and what was bought is what was paid for.
func TestMoneyIsKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	runs := 0
	rapid.Check(t, func(r *rapid.T) {
		runs++
		db, err := Open(t.Context(), filepath.Join(dir, fmt.Sprint(runs, ".db")), Config{Pepper: bytes.Repeat([]byte{7}, pepperSize), Random: rand.Reader})
		if err != nil {
			r.Fatal(err)
		}
		defer db.engine.close()
		now := time.UnixMilli(1_800_000_000_000)
		ctx := t.Context()
		var texts [2]Premium
		for i := range texts {
			hash := PremiumHash(fmt.Sprint(i))
			if err := db.KeepPremium(ctx, "ada", hash, [32]byte{}, []byte("x"), now); err != nil {
				r.Fatal(err)
			}
			if texts[i], _, err = db.Premium(ctx, "ada", hash, ""); err != nil {
				r.Fatal(err)
			}
		}
		if _, err := db.engine.writer.ExecContext(ctx, `INSERT INTO agents (id, name, name_key, wallet, acting_key, custody, created_at, home)
			VALUES ('bo', 'bo', 'bo', '0xbo', 'k', 'gateway', 0, '')`); err != nil {
			r.Fatal(err)
		}
		var open []Payment
		steps := rapid.IntRange(1, 25).Draw(r, "steps")
		for n := range steps {
			who := rapid.SampledFrom([]string{"bo", "cy", "ada"}).Draw(r, "who")
			amount := rapid.Int64Range(1, 300).Draw(r, "amount")
			sale := Sale{Buyer: who, Series: rapid.SampledFrom(texts[:]).Draw(r, "text").Series, Entry: "ent_1", Seller: "ada", Amount: amount, Fee: amount * 15 / 100}
			p := Payment{Asset: "usdc", Payer: "0xbo", Nonce: fmt.Sprint(rapid.IntRange(0, 6).Draw(r, "nonce")), Resource: "/", Buyer: who, Object: sale.Series, Amount: amount,
				Mode: ModeOnChain, Payload: []byte("{}"), Purpose: Purchase{Network: "base", Sale: &sale}}
			switch rapid.IntRange(0, 8).Draw(r, "step") {
			case 0:
				_, _, _ = db.Post(ctx, Transfer{Op: OpGrant, Key: fmt.Sprint(n), Postings: []Posting{{Grants, -amount}, {AgentAccount(who), amount}}}, now)
			case 1:
				_, _, _ = db.Buy(ctx, sale, now)
			case 2:
				p.Mode = ModeInMemory
				_, _, _ = db.PayFromAccount(ctx, p, now)
			case 3:
				if started, fresh, _, err := db.StartPayment(ctx, p, nil, now); err == nil && fresh {
					open = append(open, started)
				}
			case 4:
				p.Object, p.Purpose = "credits", Purchase{Network: "base", TopUp: amount}
				if started, fresh, _, err := db.StartPayment(ctx, p, nil, now); err == nil && fresh {
					open = append(open, started)
				}
			case 5:
				p.Object, p.Purpose = "withdraw", Purchase{Network: "base", Withdraw: amount}
				reserve := &Transfer{Op: OpWithdraw, Key: fmt.Sprint("w", n), Postings: []Posting{{AgentAccount(who), -amount}, {ReservedAccount(who), amount}}}
				if started, fresh, _, err := db.StartPayment(ctx, p, reserve, now); err == nil && fresh {
					open = append(open, started)
				}
			case 6, 7:
				if len(open) > 0 { // perhaps again, perhaps with a transaction of another
					_, _ = db.SettlePayment(ctx, rapid.SampledFrom(open).Draw(r, "payment").ID, fmt.Sprint("0x", rapid.IntRange(0, 3).Draw(r, "tx")), now)
				}
			case 8:
				if len(open) > 0 {
					_ = db.FailPayment(ctx, rapid.SampledFrom(open).Draw(r, "payment").ID, "x", now)
				}
			}
			now = now.Add(time.Duration(rapid.IntRange(0, 120).Draw(r, "seconds")) * time.Second)
		}
		for what, stmt := range map[string]string{
			"transfers that do not add up": `SELECT COUNT(*) FROM (SELECT transfer FROM postings GROUP BY transfer HAVING SUM(amount) <> 0 OR COUNT(*) < 2)`,
			"accounts below zero":          `SELECT COUNT(*) FROM (SELECT account FROM postings WHERE account <> 'grants' AND account NOT LIKE 'chain:%' GROUP BY account HAVING SUM(amount) < 0)`,
			"operations charged twice":     `SELECT COUNT(*) FROM (SELECT op FROM transfers GROUP BY op, key HAVING COUNT(*) > 1)`,
			"purchases without a charge":   `SELECT COUNT(*) FROM purchases b WHERE NOT EXISTS (SELECT 1 FROM transfers t WHERE t.id = b.ledger AND t.op = 'sale' AND t.key = b.buyer || '/' || b.series)`,
			"charges without a purchase":   `SELECT COUNT(*) FROM transfers t WHERE t.op = 'sale' AND NOT EXISTS (SELECT 1 FROM purchases b WHERE b.ledger = t.id)`,
			"settled payments for nothing": `SELECT COUNT(*) FROM payments p WHERE p.state = 'settled' AND NOT EXISTS (SELECT 1 FROM transfers t WHERE t.key = p.id OR t.memo LIKE '%' || p.id)`,
			"open payments that were made": `SELECT COUNT(*) FROM payments p WHERE p.state <> 'settled' AND EXISTS (SELECT 1 FROM transfers t WHERE t.op IN ('topup', 'sale') AND (t.key = p.id OR t.memo LIKE '%' || p.id))`,
			"reserves of what has ended": `SELECT ABS(COALESCE((SELECT SUM(amount) FROM postings WHERE account LIKE '%:reserved'), 0)
				- COALESCE((SELECT SUM(amount) FROM payments WHERE object = 'withdraw' AND state = 'started'), 0))`,
		} {
			var n int64
			if err := db.engine.reader.QueryRowContext(ctx, stmt).Scan(&n); err != nil || n != 0 {
				r.Errorf("%s: %d, %v", what, n, err)
			}
		}
	})
}
