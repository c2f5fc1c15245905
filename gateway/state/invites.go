package state

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/base32"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/reason"
)

// Invite lets whoever has its code into a team. The code itself is not kept.
type Invite struct {
	ID        string // inv_ and a UUIDv7
	Team      string
	Role      string
	Uses      int // that are left
	MadeBy    string
	MadeWith  string // the API key, whose end is its end; "" for none
	MadeAt    time.Time
	ExpiresAt time.Time
}

// NewInvite stores an invitation and returns it with its code, of 120 random
// bits, which is shown once. A team has a bounded number of live ones.
func (db *Keys) NewInvite(ctx context.Context, in Invite, now time.Time) (Invite, string, error) {
	uuid, err := db.ids.V7(now)
	if err != nil {
		return Invite{}, "", err
	}
	var random [15]byte
	if err := db.ids.Read(random[:]); err != nil {
		return Invite{}, "", err
	}
	code := strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(random[:]))
	in.ID, in.MadeAt = "inv_"+uuid, now.UTC().Truncate(time.Millisecond)
	err = db.write(ctx, "make invitation", func(tx *sql.Tx) error {
		var live int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM invites WHERE team = $2 AND `+liveInvite, now.UnixMilli(), in.Team).Scan(&live); err != nil {
			return err
		}
		if live >= maxInvites {
			return reason.Refuse(reason.LimitReached, "a team has at most %d live invitations", maxInvites)
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO invites (id, team, digest, role, uses, made_by, made_at, expires_at, made_with)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
			in.ID, in.Team, db.inviteDigest(code), in.Role, in.Uses, in.MadeBy, now.UnixMilli(), in.ExpiresAt.UnixMilli(), in.MadeWith)
		return err
	})
	return in, code, err
}

// inviteDigest is what is kept of a code. Looking it up by a keyed digest gives a
// guesser nothing by its time.
func (db *Keys) inviteDigest(code string) []byte {
	mac := hmac.New(sha256.New, db.pepper[:])
	mac.Write([]byte("meshd invite\x00"))
	mac.Write([]byte(code))
	return mac.Sum(nil)
}

const (
	inviteColumns = `id, team, role, uses, made_by, made_at, expires_at, made_with`
	selectInvite  = `SELECT ` + inviteColumns + ` FROM invites `

	// liveInvite is the condition under which an invitation opens at $1.
	liveInvite = `expires_at > $1 AND uses > 0 AND (made_with = '' OR EXISTS (SELECT 1 FROM api_keys WHERE api_keys.id = invites.made_with AND ` + liveKey + `))`
)

var errInvite = reason.Refuse(reason.InviteInvalid, "the invitation is missing, wrong, used up or expired")

// Invite finds a live invitation by its code, or refuses with invite_invalid.
func (db *Keys) Invite(ctx context.Context, code string, now time.Time) (Invite, error) {
	in, err := scanInvite(db.engine.reader.QueryRowContext(ctx, selectInvite+`
		WHERE digest = $2 AND `+liveInvite, now.UnixMilli(), db.inviteDigest(code)))
	if errors.Is(err, sql.ErrNoRows) {
		err = errInvite
	}
	return in, db.fault("find invitation", err)
}

// Invites are the live invitations of a team, newest first.
func (db *Keys) Invites(ctx context.Context, team string, now time.Time) ([]Invite, error) {
	return query(ctx, db.base, "list invitations", scanInvite, selectInvite+`
		WHERE team = $2 AND `+liveInvite+` ORDER BY id DESC`, now.UnixMilli(), team)
}

// InvitesWith are the ids of the invitations that were made with API keys and would
// open at now but for the end of these, sorted.
func (db *Keys) InvitesWith(ctx context.Context, keys []string, now time.Time) (ids []string, err error) {
	for _, key := range keys {
		found, err := query(ctx, db.base, "list invitations of a key", scanInvite, selectInvite+`WHERE made_with = $2 AND expires_at > $1 AND uses > 0`, now.UnixMilli(), key)
		if err != nil {
			return nil, err
		}
		for _, in := range found {
			ids = append(ids, in.ID)
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// UseInvite takes one use of an invitation, or refuses with invite_invalid. Of
// two at once for the last use one wins. ReturnUse gives it back.
func (db *Keys) UseInvite(ctx context.Context, team, code string, now time.Time) (in Invite, err error) {
	err = db.write(ctx, "use invitation", func(tx *sql.Tx) error {
		in, err = scanInvite(tx.QueryRowContext(ctx, `UPDATE invites SET uses = uses - 1
			WHERE digest = $2 AND team = $3 AND `+liveInvite+`
			RETURNING `+inviteColumns, now.UnixMilli(), db.inviteDigest(code), team))
		if errors.Is(err, sql.ErrNoRows) {
			return errInvite
		}
		return err
	})
	return in, err
}

// ReturnUse gives a use back that led to nothing.
func (db *Keys) ReturnUse(ctx context.Context, id string) error {
	return db.write(ctx, "return use of invitation", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE invites SET uses = uses + 1 WHERE id = $1`, id)
		return err
	})
}

// DropInvite takes an invitation of a team back, or refuses with not_found.
func (db *Keys) DropInvite(ctx context.Context, team, id string) error {
	return db.write(ctx, "drop invitation", func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `DELETE FROM invites WHERE id = $1 AND team = $2`, id, team)
		return oneRow(res, err, reason.Refuse(reason.NotFound, "the team has no such invitation"))
	})
}

func scanInvite(row scanner) (Invite, error) {
	var in Invite
	var made, ends sql.NullInt64
	err := row.Scan(&in.ID, &in.Team, &in.Role, &in.Uses, &in.MadeBy, &made, &ends, &in.MadeWith)
	in.MadeAt, in.ExpiresAt = moment(made), moment(ends)
	return in, err
}

// Wait puts an agent on the list of those who wait for a place in a team, once,
// and returns its position, 1 for the first.
func (db *Keys) Wait(ctx context.Context, team, agent string, now time.Time) (position int, err error) {
	err = db.write(ctx, "wait for a place", func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `INSERT INTO waitlist (team, agent, at) VALUES ($1, $2, $3)
			ON CONFLICT (team, agent) DO NOTHING`, team, agent, now.UnixMilli()); err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, `SELECT count(*) FROM waitlist AS w, waitlist AS me
			WHERE w.team = $1 AND me.team = $1 AND me.agent = $2 AND (w.at < me.at OR w.at = me.at AND w.agent <= me.agent)`, team, agent).Scan(&position)
	})
	return position, err
}

// Ahead is how many agents wait for a place in a team before this one; an agent
// that does not wait has all before it.
func (db *Keys) Ahead(ctx context.Context, team, agent string) (count int, err error) {
	all, err := query(ctx, db.base, "list who waits", func(row scanner) (id string, err error) {
		err = row.Scan(&id)
		return id, err
	}, `SELECT agent FROM waitlist WHERE team = $1 ORDER BY at, agent LIMIT $2`, team, maxWaiting)
	for i, id := range all {
		if id == agent {
			return i, err
		}
	}
	return len(all), err
}

// Unwait takes an agent off the list.
func (db *Keys) Unwait(ctx context.Context, team, agent string) error {
	return db.write(ctx, "leave the waiting list", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM waitlist WHERE team = $1 AND agent = $2`, team, agent)
		return err
	})
}
