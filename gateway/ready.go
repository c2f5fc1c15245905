package gateway

import (
	"context"
	"sync"
	"time"
)

// database remembers for a second whether the database answered, so that a flood
// of health checks is not a flood of queries.
type database struct {
	ping func(context.Context) error

	mu sync.Mutex // guards at and up; held while asking, so that one asks
	at time.Time
	up bool
}

func (d *database) answers() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if time.Since(d.at) >= pingEvery || d.at.IsZero() {
		ctx, cancel := context.WithTimeout(context.Background(), pingTime)
		defer cancel()
		d.up = d.ping(ctx) == nil
		d.at = time.Now()
	}
	return d.up
}

// checks are the gateway's own conditions of readiness.
func (g *Gateway) checks() map[string]bool {
	return map[string]bool{"database": g.database.answers(), "not_stopping": !g.draining.Load()}
}
