package state

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/meshd/meshd/crdt/reason"
)

// Custody says where an agent's acting key lies.
type Custody string

// The custodies of api §0.12.
const (
	CustodyGateway Custody = "gateway" // in this node's vault, outranked by a controller
	CustodySelf    Custody = "self"    // on the agent's own node
)

// Agent is an agent hosted on this node.
type Agent struct {
	ID        string // agt_…
	Name      string // as written by its owner
	Subject   string // DID that proved itself at registration; "" for the node's own agent
	Wallet    string // EIP-55 address when the subject is a wallet, else ""
	ActingKey string // name of the acting key in the vault; "" when it lies elsewhere
	Custody   Custody
	CreatedAt time.Time
	Offer     Offer
}

// Offer is what makes the text of the challenge an agent registered with, apart
// from facts that are in the log: its nonce and when it was issued. The zero Offer
// is that of an agent without a challenge.
type Offer struct {
	Nonce  string
	Issued time.Time
}

// Claim is a registration under way: its name and subject are taken, its agent
// is not yet visible.
type Claim struct {
	Agent
	Until time.Time // another registration may take the name over after this
}

// FoldName returns the form in which names are compared: normalised (NFC) and
// case-folded.
func FoldName(name string) string {
	return norm.NFC.String(cases.Fold().String(norm.NFC.String(name)))
}

// ClaimName reserves a's name, subject and wallet for ten minutes. Of two
// concurrent claims of one of them exactly one succeeds; the other is refused with name_taken or wallet_taken. The winner writes the genesis and
// then calls ConfirmAgent, or ReleaseClaim when it failed. The name's form is
// the caller's to check.
func (db *Accounts) ClaimName(ctx context.Context, a Agent, now time.Time) error {
	key := FoldName(a.Name)
	return db.write(ctx, "claim name", func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM agents
			WHERE claimed_until <= $1 AND (name_key = $2 OR subject = $3 OR wallet = $4)`,
			now.UnixMilli(), key, a.Subject, a.Wallet); err != nil {
			return err
		}
		res, err := tx.ExecContext(ctx, `INSERT INTO agents
			(id, name, name_key, subject, wallet, acting_key, custody, created_at, claimed_until, offer_nonce, offer_issued, home)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT DO NOTHING`,
			a.ID, a.Name, key, textOrNull(a.Subject), textOrNull(a.Wallet), a.ActingKey, string(a.Custody),
			a.CreatedAt.UnixMilli(), now.Add(claimTTL).UnixMilli(), a.Offer.Nonce, millis(a.Offer.Issued), db.home)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 1 {
			return err
		}
		return whoTook(ctx, tx, a, key)
	})
}

// whoTook returns why a claim found its place taken. The subject comes first: its
// owner needs a hint to recovery, not to choose another name.
func whoTook(ctx context.Context, tx *sql.Tx, a Agent, nameKey string) error {
	var subjects, names int
	err := tx.QueryRowContext(ctx, `SELECT
		COALESCE(SUM(CASE WHEN subject = $1 OR wallet = $3 THEN 1 ELSE 0 END), 0),
		COALESCE(SUM(CASE WHEN name_key = $2 THEN 1 ELSE 0 END), 0)
		FROM agents WHERE subject = $1 OR name_key = $2 OR wallet = $3`, a.Subject, nameKey, a.Wallet).Scan(&subjects, &names)
	switch {
	case err != nil:
		return err
	case subjects > 0:
		return SubjectTaken()
	case names > 0:
		return reason.Refuse(reason.NameTaken, "the name is in use on this node")
	}
	return fmt.Errorf("agent id %s exists", a.ID)
}

// SubjectTaken is the refusal of a second agent for one wallet or key.
func SubjectTaken() error {
	r := reason.Refuse(reason.WalletTaken, "this wallet or key already has an agent on this node")
	r.Hint = "get a new API key for it: POST /api/mesh/key/challenge leads there"
	return r
}

// SubjectElsewhere is the refusal of a second agent for a wallet or key that speaks for an
// agent of another node.
func SubjectElsewhere() error {
	r := reason.Refuse(reason.WalletTaken, "this wallet or key speaks for an agent that lives on another node")
	r.Hint = "it needs no second one here: log in, POST /api/mesh/login/challenge"
	return r
}

// ConfirmAgent makes a claimed agent visible. It refuses with name_taken when
// the claim ran out and was given away, and is idempotent.
func (db *Accounts) ConfirmAgent(ctx context.Context, agentID string) error {
	return db.write(ctx, "confirm agent", func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `UPDATE agents SET claimed_until = NULL WHERE id = $1`, agentID)
		return oneRow(res, err, reason.Refuse(reason.NameTaken, "the registration took too long and its name was given away"))
	})
}

// ReleaseClaim gives a claimed name and subject back. It leaves confirmed
// agents alone and is idempotent.
func (db *Accounts) ReleaseClaim(ctx context.Context, agentID string) error {
	_, err := db.engine.writer.ExecContext(ctx,
		`DELETE FROM agents WHERE id = $1 AND claimed_until IS NOT NULL`, agentID)
	return db.fault("release claim", err)
}

// Claims returns up to 100 registrations under way at this gateway, oldest first. At start, and
// later for claims past their end, the caller settles each: confirm when the
// log has its genesis, release when not.
func (db *Accounts) Claims(ctx context.Context) ([]Claim, error) {
	return query(ctx, db.base, "list claims", scanClaim, selectAgent+`
		WHERE claimed_until IS NOT NULL AND home = $2 ORDER BY created_at, id LIMIT $1`, MaxPage, db.home)
}

// AgentByID returns a confirmed agent, or agent_not_found.
func (db *Accounts) AgentByID(ctx context.Context, id string) (Agent, error) {
	return db.agent(ctx, `id = $1`, id)
}

// AgentByName returns the confirmed agent of that name in any case, or
// agent_not_found.
func (db *Accounts) AgentByName(ctx context.Context, name string) (Agent, error) {
	return db.agent(ctx, `name_key = $1`, FoldName(name))
}

// AgentBySubject returns the confirmed agent that this DID registered, or
// agent_not_found.
func (db *Accounts) AgentBySubject(ctx context.Context, did string) (Agent, error) {
	return db.agent(ctx, `subject = $1`, did)
}

// AgentByWallet returns the confirmed agent of a wallet, by its EIP-55 address,
// or agent_not_found.
func (db *Accounts) AgentByWallet(ctx context.Context, address string) (Agent, error) {
	return db.agent(ctx, `wallet = $1`, address)
}

// Agents returns up to limit (at most 100) confirmed agents whose folded name
// follows after, in the order of folded names. after "" starts.
func (db *Accounts) Agents(ctx context.Context, after string, limit int) ([]Agent, error) {
	claims, err := query(ctx, db.base, "list agents", scanClaim, selectAgent+`
		WHERE claimed_until IS NULL AND name_key > $1 ORDER BY name_key LIMIT $2`, FoldName(after), min(limit, MaxPage))
	agents := make([]Agent, len(claims))
	for i, c := range claims {
		agents[i] = c.Agent
	}
	return agents, err
}

// SetActingKey records where a confirmed agent's acting key lies after it
// turned or was taken home. Unknown agents are agent_not_found.
func (db *Accounts) SetActingKey(ctx context.Context, agentID, actingKey string, custody Custody) error {
	return db.write(ctx, "set acting key", func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `UPDATE agents SET acting_key = $1, custody = $2
			WHERE id = $3 AND claimed_until IS NULL`, actingKey, string(custody), agentID)
		return oneRow(res, err, noAgent())
	})
}

const selectAgent = `SELECT id, name, COALESCE(subject, ''), COALESCE(wallet, ''), acting_key, custody, created_at, claimed_until,
	offer_nonce, offer_issued FROM agents `

func (db *Accounts) agent(ctx context.Context, where, arg string) (Agent, error) {
	c, err := scanClaim(db.engine.reader.QueryRowContext(ctx, selectAgent+`
		WHERE claimed_until IS NULL AND `+where, arg))
	if errors.Is(err, sql.ErrNoRows) {
		err = noAgent()
	}
	return c.Agent, db.fault("find agent", err)
}

func noAgent() error {
	return reason.Refuse(reason.AgentNotFound, "no such agent is hosted on this node")
}

// scanner is a row of database/sql, alone or in a set.
type scanner interface{ Scan(...any) error }

func scanClaim(row scanner) (Claim, error) {
	var c Claim
	var created, until, issued sql.NullInt64
	err := row.Scan(&c.ID, &c.Name, &c.Subject, &c.Wallet, &c.ActingKey, &c.Custody, &created, &until, &c.Offer.Nonce, &issued)
	c.CreatedAt, c.Until, c.Offer.Issued = moment(created), moment(until), moment(issued)
	return c, err
}

// query reads all rows of a statement on the reader.
func query[T any](ctx context.Context, db *base, what string, scan func(scanner) (T, error), stmt string, args ...any) ([]T, error) {
	rows, err := db.engine.reader.QueryContext(ctx, stmt, args...)
	if err != nil {
		return nil, db.fault(what, err)
	}
	all, err := collect(rows, scan)
	return all, db.fault(what, err)
}

// collect scans and closes rows.
func collect[T any](rows *sql.Rows, scan func(scanner) (T, error)) ([]T, error) {
	defer rows.Close()
	var all []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, rows.Err()
}

// textOrNull is the stored form of a text that may be absent.
func textOrNull(s string) sql.NullString { return sql.NullString{String: s, Valid: s != ""} }

// oneRow returns none when the statement changed no row.
func oneRow(res sql.Result, err, none error) error {
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err == nil && n == 0 {
		return none
	}
	return err
}
