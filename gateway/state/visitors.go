package state

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"time"
)

// An agent that lives elsewhere has an account here as soon as money is booked for its
// id. Once it has logged in it has a row among the agents too, so that keys can be its,
// and so that nobody registers its wallet here for another agent. It has no name here and
// no subject: nothing here recovers it.

// Visitor reports whether a is an agent that lives elsewhere and has logged in.
func (a Agent) Visitor() bool {
	return a.Subject == "" && a.ActingKey == "" && a.Custody == CustodySelf
}

// visitorName is the name of a visitor: one that no agent of this node can take.
func visitorName(id string) string { return "#" + id }

// Visit says who has logged in.
type Visit struct {
	Agent   string
	Born    time.Time // when the agent was made
	Subject string    // DID that signed
	Wallet  string    // EIP-55 address when a wallet signed, else ""
	Scopes  Scopes
}

// OpenLogin makes the key of a login, which ends after LoginTTL, and the row of its agent
// where there is none. The oldest login of an agent that has several ends with it. A
// wallet that an agent of this node was registered with stays that agent's.
func (db *DB) OpenLogin(ctx context.Context, v Visit, now time.Time) (Key, Secret, error) {
	err := db.write(ctx, "open login", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO agents (id, name, name_key, subject, wallet, acting_key, custody, created_at, claimed_until, offer_nonce, offer_issued, home)
			VALUES ($1, $2, $3, NULL, NULL, '', $4, $5, NULL, '', NULL, $6) ON CONFLICT DO NOTHING`,
			v.Agent, visitorName(v.Agent), FoldName(visitorName(v.Agent)), string(CustodySelf), v.Born.UnixMilli(), db.home)
		if err != nil || v.Wallet == "" {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE agents SET wallet = $1 WHERE id = $2 AND wallet IS NULL AND subject IS NULL
			AND NOT EXISTS (SELECT 1 FROM agents o WHERE o.wallet = $1)`, v.Wallet, v.Agent)
		return err
	})
	if err != nil {
		return Key{}, Secret{}, err
	}
	n := NewKey{AgentID: v.Agent, Scopes: v.Scopes, Label: "login", ExpiresAt: now.Add(LoginTTL)}
	return db.issue(ctx, "key.login", n, now, func(tx *sql.Tx, k *Key) error {
		k.Login = v.Subject
		if _, err := tx.ExecContext(ctx, `INSERT INTO login_keys (key_id, subject, expires_at) VALUES ($1, $2, $3)`,
			k.ID, k.Login, n.ExpiresAt.UnixMilli()); err != nil {
			return err
		}
		rows, err := tx.QueryContext(ctx, `SELECT id FROM api_keys WHERE agent_id = $2 AND `+liveKey+`
			AND id IN (SELECT key_id FROM login_keys) ORDER BY id DESC LIMIT $3 OFFSET $4`, now.UnixMilli(), v.Agent, maxLiveKeys, maxLogins-1)
		if err != nil {
			return err
		}
		old, err := texts(rows)
		if err != nil || len(old) == 0 {
			return err
		}
		_, err = db.endKeys(ctx, tx, v.Agent, old, now, now)
		return err
	})
}

// Bought is what an agent of this node bought at another gateway.
type Bought struct {
	Buyer, Seller string // agents
	Hash          [32]byte
	Gateway       string // address
	Receipt       string // of the payment there, "" where none was named
	Amount        int64  // micro-USD
	Body          []byte // what was withheld of the entry
	At            time.Time
}

func boughtBound(b Bought) []byte {
	return []byte("bought " + b.Buyer + " " + b.Seller + " " + hex.EncodeToString(b.Hash[:]))
}

// KeepBought keeps what was bought elsewhere. The same again changes nothing.
func (db *Market) KeepBought(ctx context.Context, b Bought, now time.Time) error {
	sealed, err := db.seal.seal(b.Body, boughtBound(b), db.ids)
	if err != nil {
		return err
	}
	return db.write(ctx, "keep what was bought", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO bought_texts (buyer, agent, hash, gateway, receipt, amount, sealed, at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (buyer, agent, hash) DO NOTHING`,
			b.Buyer, b.Seller, hex.EncodeToString(b.Hash[:]), b.Gateway, b.Receipt, b.Amount, sealed, now.UnixMilli())
		return err
	})
}

// FindBought finds what a buyer of this node bought elsewhere of an author's text; false
// for nothing.
func (db *Market) FindBought(ctx context.Context, buyer, seller string, hash [32]byte) (b Bought, ok bool, err error) {
	b = Bought{Buyer: buyer, Seller: seller, Hash: hash}
	var sealed []byte
	var at int64
	err = db.engine.reader.QueryRowContext(ctx, `SELECT gateway, receipt, amount, sealed, at FROM bought_texts WHERE buyer = $1 AND agent = $2 AND hash = $3`,
		buyer, seller, hex.EncodeToString(hash[:])).Scan(&b.Gateway, &b.Receipt, &b.Amount, &sealed, &at)
	if errors.Is(err, sql.ErrNoRows) {
		return b, false, nil
	}
	if err == nil {
		b.At = time.UnixMilli(at).UTC()
		b.Body, err = db.seal.open(sealed, boughtBound(b))
	}
	return b, err == nil, db.fault("find what was bought", err)
}
