package state

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// AuditEntry is one act worth remembering. It contains no secret and no content.
type AuditEntry struct {
	ID     string // aud_ and a UUIDv7; given by AppendAudit
	At     time.Time
	Actor  string // agent id, or "node"
	Action string // such as key.recovered
	Object string // id of what was acted on
	Detail map[string]any
}

// AppendAudit writes e and returns its id. Actor, action or object above 256
// bytes, or a detail above 4 KiB of JSON, is an error.
func (db *base) AppendAudit(ctx context.Context, e AuditEntry) (id string, err error) {
	err = db.write(ctx, "append audit entry", func(tx *sql.Tx) error {
		id, err = db.audit(ctx, tx, e)
		return err
	})
	if err != nil {
		return "", err
	}
	return id, nil
}

// audit writes e in the transaction of what it records.
func (db *base) audit(ctx context.Context, tx *sql.Tx, e AuditEntry) (string, error) {
	detail, err := json.Marshal(e.Detail)
	if err != nil {
		return "", fmt.Errorf("encode audit detail: %w", err)
	}
	if len(detail) > maxAuditDetail || max(len(e.Actor), len(e.Action), len(e.Object)) > maxAuditText {
		return "", errors.New("audit entry is too long")
	}
	uuid, err := db.ids.V7(e.At)
	if err != nil {
		return "", err
	}
	id := "aud_" + uuid
	_, err = tx.ExecContext(ctx, `INSERT INTO audit (id, at, actor, action, object, detail)
		VALUES ($1, $2, $3, $4, $5, $6)`, id, e.At.UnixMilli(), e.Actor, e.Action, e.Object, string(detail))
	return id, err
}

// Audit returns up to limit (at most 100) entries older than the one named
// before, newest first. before "" starts at the newest; actor "" means all.
func (db *base) Audit(ctx context.Context, actor, before string, limit int) ([]AuditEntry, error) {
	return query(ctx, db, "list audit entries", scanAudit, `SELECT id, at, actor, action, object, detail FROM audit
		WHERE ($1 = '' OR actor = $1) AND ($2 = '' OR id < $2) ORDER BY id DESC LIMIT $3`,
		actor, before, min(limit, MaxPage))
}

func scanAudit(row scanner) (AuditEntry, error) {
	var e AuditEntry
	var at sql.NullInt64
	var detail string
	if err := row.Scan(&e.ID, &at, &e.Actor, &e.Action, &e.Object, &detail); err != nil {
		return AuditEntry{}, err
	}
	e.At = moment(at)
	return e, json.Unmarshal([]byte(detail), &e.Detail)
}

// NewID is a prefix and a UUID of version 7, for what a caller names itself.
func (db *base) NewID(prefix string, now time.Time) (string, error) {
	uuid, err := db.ids.V7(now)
	return prefix + uuid, err
}
