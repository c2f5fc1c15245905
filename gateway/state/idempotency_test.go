package state_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/state/statetest"
)

// twinRow is what the rules of idempotency remember of one key, written as
// plainly as possible.
type twinRow struct {
	body   byte
	run    *state.Run
	status int // 0 while running
	until  time.Time
}

func TestIdempotencyMatchesTwin(t *testing.T) {
	t.Parallel()
	db, _ := openTemp(t)
	world := 0
	rapid.Check(t, func(rt *rapid.T) {
		world++
		ctx := context.WithoutCancel(t.Context())
		now := statetest.Start
		twin := map[string]*twinRow{}
		var runs []*state.Run
		owner := map[*state.Run]string{}
		for step := range rapid.IntRange(1, 25).Draw(rt, "steps") {
			now = now.Add(rapid.SampledFrom([]time.Duration{0, time.Second, 150 * time.Second, 10 * time.Minute, 24 * time.Hour}).Draw(rt, "pause"))
			switch rapid.SampledFrom([]string{"begin", "end"}).Draw(rt, "act") {
			case "begin":
				key := rapid.SampledFrom([]string{"a", "b"}).Draw(rt, "key")
				body := rapid.SampledFrom([]byte{1, 1, 1, 2}).Draw(rt, "body")
				req := state.Request{Principal: fmt.Sprint(world), Key: key, BodyHash: [32]byte{body}}
				run, reply, err := db.Begin(ctx, req, now)
				row := twin[key]
				if row != nil && !now.Before(row.until) {
					row = nil
				}
				want := reason.Code("")
				switch {
				case row != nil && row.body != body:
					want = reason.IdempotencyMismatch
				case row != nil && row.status == 0:
					want = reason.IdempotencyInProgress
				}
				if reason.Of(err) != want {
					rt.Fatalf("step %d: begin gave %v, twin %q", step, err, want)
				}
				if want != "" {
					continue
				}
				if row != nil {
					if reply == nil || reply.Status != row.status {
						rt.Fatalf("step %d: reply %+v, twin status %d", step, reply, row.status)
					}
					continue
				}
				if run == nil {
					rt.Fatalf("step %d: no run", step)
				}
				twin[key] = &twinRow{body: body, run: run, until: now.Add(150 * time.Second)}
				runs, owner[run] = append(runs, run), key
			case "end":
				if len(runs) == 0 {
					continue
				}
				run := rapid.SampledFrom(runs).Draw(rt, "run")
				row := twin[owner[run]]
				held := row != nil && row.run == run && row.status == 0
				if rapid.Bool().Draw(rt, "give up") {
					if err := db.Abort(ctx, run); err != nil {
						rt.Fatal(err)
					}
					if held {
						delete(twin, owner[run])
					}
					continue
				}
				secret := rapid.Bool().Draw(rt, "key-bearing")
				err := db.Finish(ctx, run, state.Reply{Status: 200 + step, Secret: secret}, now)
				if (err == nil) != held {
					rt.Fatalf("step %d: finish gave %v, twin held %v", step, err, held)
				}
				if held {
					row.status, row.until = 200+step, now.Add(map[bool]time.Duration{true: 10 * time.Minute, false: 24 * time.Hour}[secret])
				}
			}
		}
	})
}
