package cluster

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"time"

	"github.com/meshd/meshd/gateway/limit"
)

// Take takes tokens of a meter that all gateways share. The database knows a meter by a
// digest, so it keeps no list of addresses.
func (db *DB) Take(m limit.Metered, tokens int) (got int, debt time.Duration, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), meterWait)
	defer cancel()
	mac := hmac.New(sha256.New, db.meterKey)
	mac.Write([]byte(m.ID))
	id := base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:18])
	var left int64
	err = db.meters.QueryRowContext(ctx, `WITH t AS (SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000000000)::bigint AS now)
		INSERT INTO rate_meters AS m (id, full_at, got, expires_at)
		SELECT $1, t.now + $2::bigint * $3::bigint, $2::bigint, (t.now + $4::bigint) / 1000000 FROM t
		ON CONFLICT (id) DO UPDATE SET
			got = `+granted+`, full_at = GREATEST(m.full_at, (SELECT now FROM t)) + $3::bigint * `+granted+`, expires_at = excluded.expires_at
		RETURNING got, full_at - (SELECT now FROM t)`,
		id, tokens, int64(m.Interval), int64(m.Interval)*int64(m.Quantity)).Scan(&got, &left)
	return got, max(0, time.Duration(left)), fault("take tokens", err)
}

// granted is how many of the wanted tokens a meter has: those that its debt leaves room for.
const granted = `LEAST($2::bigint, GREATEST(0, ((SELECT now FROM t) + $4::bigint - GREATEST(m.full_at, (SELECT now FROM t))) / $3::bigint))`

var _ limit.Pool = (*DB)(nil)
