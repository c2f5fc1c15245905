package state_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/meshd/meshd/gateway/state/statetest"
)

// giveUp calls f with a context that ends within the time a statement takes, as that
// of a client which closes its connection does.
func giveUp(t *testing.T, f func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	end := time.Now().Add(time.Duration(rand.IntN(400)) * time.Microsecond)
	go func() {
		defer close(ended)
		for time.Now().Before(end) { // a timer is later than a statement is long
		}
		cancel()
	}()
	if err := f(ctx); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	<-ended
}

// A request that is given up while SQLite answers it leaves no statement behind: one that
// writes would refuse every later commit, one that reads would show its connection the
// database as it was then. (modernc.org/sqlite before 1.40.1 left it behind.)
func TestGivenUpRequestsLeaveNothingBehind(t *testing.T) {
	t.Parallel()
	db, _ := openTemp(t)
	write := func(ctx context.Context, mark int) error {
		_, _, err := db.AppendEvents(ctx, "node", nil, uint64(mark), statetest.Start)
		return err
	}
	requests := 2_000
	if testing.Short() {
		requests = 300
	}
	for i := range requests {
		giveUp(t, func(ctx context.Context) error { return write(ctx, i) })
		giveUp(t, func(ctx context.Context) error {
			_, _, err := db.EventMark(ctx, "node")
			return err
		})
		if i%10 != 0 {
			continue
		}
		if err := write(t.Context(), i+1_000_000); err != nil {
			t.Fatalf("write after %d requests were given up: %v", i+1, err)
		}
		if mark, _, err := db.EventMark(t.Context(), "node"); err != nil || mark != uint64(i+1_000_000) {
			t.Fatalf("read after %d requests were given up: mark %d, %v", i+1, mark, err)
		}
	}
}
