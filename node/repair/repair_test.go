package repair

import (
	"context"
	"errors"
	"testing"
)

// A pass waits for the one that runs, which may wait for peers, no longer than its
// caller allows.
func TestPassWaitsAsLongAsItsCallerAllows(t *testing.T) {
	t.Parallel()
	k := &Keeper{turn: make(chan struct{}, 1)}
	k.turn <- struct{}{}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := k.Pass(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("a pass whose caller has gone: %v", err)
	}
}
