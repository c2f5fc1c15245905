package mcp

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/knowledge"
)

// limit is the context in which a handler works: it has the values of ctx, which
// the library made, and ends with the client's or when the time of the message
// is over; own is another time, 0 for that of every message. The library is kept
// from both ends, so what a handler answers after one is still sent.
func (x *exchange) limit(ctx context.Context, own time.Duration) (context.Context, context.CancelFunc) {
	if x.client == nil {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ending{x.client, ctx}, max(x.within, own))
}

// ending ends as one context does and has the values of another.
type ending struct {
	context.Context
	values context.Context
}

// Value is that of the other context.
func (e ending) Value(key any) any { return e.values.Value(key) }

// late reports a fault as a timeout when it came after the time of ctx was over,
// whatever became of the end's own error on its way up. A refusal stays.
func late(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) && knowledge.Explain(err).Code == reason.Internal {
		return fmt.Errorf("%w: %w", context.DeadlineExceeded, err)
	}
	return err
}
