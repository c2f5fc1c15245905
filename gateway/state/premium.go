package state

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/meshd/meshd/crdt/reason"
)

// Premium is what is withheld of a paid entry.
type Premium struct {
	Series string // shared by the versions of one entry
	Body   []byte // as KeepPremium got it
	Owned  bool   // the agent that was asked about bought it
}

// KeepPremium keeps what is withheld of an entry, before the entry is written. hash
// is what the log has of it, and after the hash of the version it replaces, zero for
// none. The same again changes nothing.
func (db *Market) KeepPremium(ctx context.Context, agent string, hash, after [32]byte, body []byte, now time.Time) error {
	series, err := db.NewID("ser_", now)
	if err != nil {
		return err
	}
	name := hex.EncodeToString(hash[:])
	sealed, err := db.seal.seal(body, premiumBound(agent, name), db.ids)
	if err != nil {
		return err
	}
	return db.write(ctx, "keep premium text", func(tx *sql.Tx) error {
		if after != [32]byte{} {
			err := tx.QueryRowContext(ctx, `SELECT series FROM premium_texts WHERE agent = $1 AND hash = $2`, agent, hex.EncodeToString(after[:])).Scan(&series)
			if err != nil && !errors.Is(err, sql.ErrNoRows) {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO premium_texts (agent, hash, series, sealed, created_at) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (agent, hash) DO NOTHING`, agent, name, series, sealed, now.UnixMilli())
		return err
	})
}

func premiumBound(agent, hash string) []byte { return []byte("premium " + agent + " " + hash) }

// Premium finds what is withheld of an entry, and whether a buyer has it; false when
// it is not kept here.
func (db *Market) Premium(ctx context.Context, agent string, hash [32]byte, buyer string) (p Premium, ok bool, err error) {
	name := hex.EncodeToString(hash[:])
	var sealed []byte
	err = db.engine.reader.QueryRowContext(ctx, `SELECT series, sealed, EXISTS (SELECT 1 FROM purchases b WHERE b.buyer = $3 AND b.series = p.series)
		FROM premium_texts p WHERE agent = $1 AND hash = $2`, agent, name, buyer).Scan(&p.Series, &sealed, &p.Owned)
	if errors.Is(err, sql.ErrNoRows) {
		return p, false, nil
	}
	if err == nil {
		p.Body, err = db.seal.open(sealed, premiumBound(agent, name))
	}
	return p, err == nil, db.fault("find premium text", err)
}

// HasPremium reports whether what is withheld of an entry is kept here.
func (db *Market) HasPremium(ctx context.Context, agent string, hash [32]byte) (ok bool, err error) {
	err = db.engine.reader.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM premium_texts WHERE agent = $1 AND hash = $2)`, agent, hex.EncodeToString(hash[:])).Scan(&ok)
	return ok, db.fault("find premium text", err)
}

// DropPremium removes what is withheld of an entry, for good, bought elsewhere or sold
// here. Who bought it keeps the purchase, and has nothing more to read.
func (db *Market) DropPremium(ctx context.Context, agent string, hash [32]byte) error {
	return db.write(ctx, "drop premium text", func(tx *sql.Tx) error {
		for _, stmt := range []string{`DELETE FROM premium_texts WHERE agent = $1 AND hash = $2`, `DELETE FROM bought_texts WHERE agent = $1 AND hash = $2`} {
			if _, err := tx.ExecContext(ctx, stmt, agent, hex.EncodeToString(hash[:])); err != nil {
				return err
			}
		}
		return nil
	})
}

// Sale is a purchase: who bought which series, as which entry, from whom, for how
// much.
type Sale struct {
	Buyer, Series, Entry, Seller string
	Amount                       int64 // micro-USD
	Fee                          int64 // of the amount
	Ledger                       string
	At                           time.Time
}

// transfer moves the money of a sale out of an account.
func (s Sale) transfer(from, memo string) Transfer {
	t := Transfer{Op: OpSale, Key: s.Buyer + "/" + s.Series, Object: s.Entry, Memo: memo, Postings: []Posting{{from, -s.Amount}}}
	if s.Amount > s.Fee {
		t.Postings = append(t.Postings, Posting{AgentAccount(s.Seller), s.Amount - s.Fee})
	}
	if s.Fee > 0 {
		t.Postings = append(t.Postings, Posting{Fees, s.Fee})
	}
	return t
}

// Buy takes the price of an entry from the buyer's credits and gives the buyer the
// entry, both or neither. Who has it is charged nothing and gets the first sale.
func (db *Market) Buy(ctx context.Context, s Sale, now time.Time) (done Sale, fresh bool, err error) {
	err = db.write(ctx, "buy entry", func(tx *sql.Tx) error {
		var paying bool
		if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM payments WHERE buyer = $1 AND object = $2 AND state = 'started')`, s.Buyer, s.Series).Scan(&paying); err != nil {
			return err
		}
		if paying {
			return reason.Refuse(reason.IdempotencyInProgress, "a payment for this is not settled yet")
		}
		done, fresh, err = db.sell(ctx, tx, s, AgentAccount(s.Buyer), "credits", now)
		return err
	})
	return done, fresh, err
}

// sell writes a sale and moves its money within a transaction, unless the buyer has
// the entry.
func (db *Market) sell(ctx context.Context, tx *sql.Tx, s Sale, from, memo string, now time.Time) (done Sale, fresh bool, err error) {
	done, err = scanSale(tx.QueryRowContext(ctx, selectSale+` WHERE buyer = $1 AND series = $2`, s.Buyer, s.Series))
	if !errors.Is(err, sql.ErrNoRows) {
		return done, false, err
	}
	t := s.transfer(from, memo)
	if fresh, err = db.post(ctx, tx, &t, now); err != nil {
		return s, false, err
	}
	if !fresh {
		return s, false, fmt.Errorf("sale %s was charged without being written", t.Key)
	}
	s.Ledger, s.At = t.ID, t.At
	_, err = tx.ExecContext(ctx, `INSERT INTO purchases (buyer, series, entry, seller, amount, ledger, at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		s.Buyer, s.Series, s.Entry, s.Seller, s.Amount, s.Ledger, s.At.UnixMilli())
	if err != nil {
		return s, false, err
	}
	return s, true, db.owe(ctx, tx, Owed{Kind: OwedSale, Subject: s.Entry + "/" + s.Buyer, Agent: s.Seller}, now)
}

const selectSale = `SELECT buyer, series, entry, seller, amount, ledger, at FROM purchases`

func scanSale(row scanner) (s Sale, err error) {
	var at int64
	err = row.Scan(&s.Buyer, &s.Series, &s.Entry, &s.Seller, &s.Amount, &s.Ledger, &at)
	s.At = time.UnixMilli(at).UTC()
	return s, err
}

// CountSales counts how often the series of an entry was bought here.
func (db *Market) CountSales(ctx context.Context, agent string, hash [32]byte) (n int, err error) {
	err = db.engine.reader.QueryRowContext(ctx, `SELECT COUNT(*) FROM purchases WHERE series IN (SELECT series FROM premium_texts WHERE agent = $1 AND hash = $2)`,
		agent, hex.EncodeToString(hash[:])).Scan(&n)
	return n, db.fault("count sales", err)
}

// SalesBy counts what an agent sold here and what it got for it, less the fees.
func (db *Market) SalesBy(ctx context.Context, agent string) (n int, revenue int64, err error) {
	err = db.engine.reader.QueryRowContext(ctx, `SELECT COUNT(*), CAST(COALESCE(SUM(p.amount), 0) AS BIGINT) FROM purchases s
		LEFT JOIN postings p ON p.transfer = s.ledger AND p.account = $2 AND p.amount > 0 WHERE s.seller = $1`, agent, AgentAccount(agent)).Scan(&n, &revenue)
	return n, revenue, db.fault("count sales", err)
}

// PremiumHash is what the log has of a text that is sold.
func PremiumHash(text string) [32]byte { return sha256.Sum256([]byte(text)) }
