package state

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/reason"
)

// Request is a request that carries an Idempotency-Key.
type Request struct {
	Principal string // agent id, or address prefix of an anonymous caller
	Method    string
	Path      string
	Key       string
	BodyHash  [sha256.Size]byte
}

// Reply is what was answered.
type Reply struct {
	Status int
	Header http.Header // those worth repeating, such as Location
	Body   []byte
	// Stored, when not nil, is stored instead of Body, which contains what may be
	// shown once and kept nowhere.
	Stored []byte
	// Secret marks a body that carries an API key: it is stored encrypted, and
	// for ten minutes instead of a day.
	Secret bool
}

// Run is the right to answer a request, of the one caller that Begin gave
// it to. It ends with Finish or Abort, or after 150 seconds by itself.
type Run struct {
	req Request
	id  string
}

// CheckIdempotencyKey accepts 1 to 128 visible ASCII characters and refuses
// anything else with invalid_param.
func CheckIdempotencyKey(key string) error {
	if key == "" || len(key) > maxIdempotencyKey || strings.ContainsFunc(key, func(r rune) bool { return r < '!' || r > '~' }) {
		return reason.Refuse(reason.InvalidParam, "Idempotency-Key must have 1 to %d visible ASCII characters", maxIdempotencyKey)
	}
	return nil
}

// Begin starts a request or finds what was answered before. Exactly one of the
// results is set:
//   - a Run: the request is new, answer it and then Finish or Abort;
//   - a Reply: the same request was answered, send it again;
//   - an error: idempotency_mismatch (the key was used with another body),
//     idempotency_in_progress (the first request still runs), invalid_param,
//     or a fault of the database.
//
// Of concurrent first requests one gets the Run.
func (db *Events) Begin(ctx context.Context, req Request, now time.Time) (*Run, *Reply, error) {
	if err := CheckIdempotencyKey(req.Key); err != nil {
		return nil, nil, err
	}
	if len(req.Method)+len(req.Path) > maxTarget {
		return nil, nil, reason.Refuse(reason.InvalidParam, "the path is too long for an Idempotency-Key")
	}
	id, err := db.ids.V4()
	if err != nil {
		return nil, nil, db.fault("begin request", err)
	}
	var run *Run
	var reply *Reply
	err = db.write(ctx, "begin request", func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM idempotency WHERE `+thisRequest+` AND expires_at <= $5`,
			req.args(now.UnixMilli())...); err != nil {
			return err
		}
		res, err := tx.ExecContext(ctx, `INSERT INTO idempotency
			(principal, method, path, key, body_hash, run, expires_at, state, status, header, body, sealed)
			VALUES ($1, $2, $3, $4, $5, $6, $7, 'running', 0, '', $8, 0) ON CONFLICT DO NOTHING`,
			req.args(req.BodyHash[:], id, now.Add(runLease).UnixMilli(), []byte{})...)
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		if err != nil {
			return err
		}
		if n == 1 {
			run = &Run{req, id}
			return nil
		}
		reply, err = db.stored(ctx, tx, req)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return run, reply, nil
}

// stored reads the reply to an earlier request of the same key.
func (db *Events) stored(ctx context.Context, tx *sql.Tx, req Request) (*Reply, error) {
	var hash, body []byte
	var state, header string
	var status, sealed int
	if err := tx.QueryRowContext(ctx, `SELECT body_hash, state, status, header, body, sealed
		FROM idempotency WHERE `+thisRequest, req.args()...).
		Scan(&hash, &state, &status, &header, &body, &sealed); err != nil {
		return nil, err
	}
	if string(hash) != string(req.BodyHash[:]) {
		return nil, reason.Refuse(reason.IdempotencyMismatch, "the Idempotency-Key was used with another body")
	}
	if state == "running" {
		return nil, reason.Refuse(reason.IdempotencyInProgress, "the first request with this Idempotency-Key still runs")
	}
	reply := &Reply{Status: status, Body: body, Secret: sealed == 1}
	if err := json.Unmarshal([]byte(header), &reply.Header); err != nil {
		return nil, fmt.Errorf("decode stored headers: %w", err)
	}
	if reply.Secret {
		plain, err := db.seal.open(body, req.bound(status))
		if err != nil {
			return nil, err
		}
		reply.Body = plain
	}
	return reply, nil
}

// Finish stores the reply of a run. The effect of the request must be durable
// before. It fails when the run was lost: another caller has then begun anew.
func (db *Events) Finish(ctx context.Context, run *Run, reply Reply, now time.Time) error {
	const what = "finish request"
	if reply.Stored != nil {
		reply.Body = reply.Stored
	}
	if len(reply.Body) > maxReply {
		return db.fault(what, fmt.Errorf("reply has %d bytes, limit %d", len(reply.Body), maxReply))
	}
	header, err := json.Marshal(reply.Header)
	if err != nil {
		return db.fault(what, fmt.Errorf("encode headers: %w", err))
	}
	if len(header) > maxReplyHeader {
		return db.fault(what, fmt.Errorf("headers have %d bytes, limit %d", len(header), maxReplyHeader))
	}
	// Never nil: a nil slice is a null in SQL.
	body, sealed, kept := append([]byte{}, reply.Body...), 0, replyKept
	if reply.Secret {
		if body, err = db.seal.seal(reply.Body, run.req.bound(reply.Status), db.ids); err != nil {
			return db.fault(what, err)
		}
		sealed, kept = 1, sealedKept
	}
	return db.write(ctx, what, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `UPDATE idempotency
			SET state = 'done', status = $5, header = $6, body = $7, sealed = $8, expires_at = $9
			WHERE `+thisRequest+` AND run = $10 AND state = 'running'`,
			run.req.args(reply.Status, string(header), body, sealed, now.Add(kept).UnixMilli(), run.id)...)
		return oneRow(res, err, errors.New("run is no longer held"))
	})
}

// Abort gives a run back without a reply, so that the key may be used again.
// It does nothing after Finish.
func (db *Events) Abort(ctx context.Context, run *Run) error {
	_, err := db.engine.writer.ExecContext(ctx, `DELETE FROM idempotency
		WHERE `+thisRequest+` AND run = $5 AND state = 'running'`, run.req.args(run.id)...)
	return db.fault("abort request", err)
}

const thisRequest = `principal = $1 AND method = $2 AND path = $3 AND key = $4`

// args is the key of the row, $1 to $4, and what follows.
func (r Request) args(more ...any) []any {
	return append([]any{r.Principal, r.Method, r.Path, r.Key}, more...)
}

// bound ties a sealed body to its row: moved to another row it does not open.
func (r Request) bound(status int) []byte {
	return fmt.Appendf(nil, "%q %q %q %q %d", r.Principal, r.Method, r.Path, r.Key, status)
}
