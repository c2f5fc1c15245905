package service

import (
	"context"
	"errors"
	"time"

	"github.com/meshd/meshd/crdt/reason"
)

// workshop bounds the work that compiling and drawing take: so many at a time,
// each for so long. Who finds no bench free waits a little and is then sent away.
type workshop struct{ benches chan struct{} }

func newWorkshop() *workshop { return &workshop{make(chan struct{}, maxBenches)} }

var errWorkTime = errors.New("work took too long")

// do runs a piece of work. step is called by the work again and again and ends
// it when its time is over or the caller has gone.
func (w *workshop) do(ctx context.Context, limit time.Duration, late reason.Code, work func(step func() error) error) error {
	wait, cancel := context.WithTimeout(ctx, benchWait)
	defer cancel()
	select {
	case w.benches <- struct{}{}:
		defer func() { <-w.benches }()
	case <-wait.Done():
		if err := ctx.Err(); err != nil {
			return err
		}
		return reason.Refuse(reason.Overloaded, "every place for compiling and drawing is taken; try again").With(map[string]any{"retry_after": 2})
	}
	over, stop := context.WithTimeoutCause(ctx, limit, errWorkTime)
	defer stop()
	err := work(func() error { return context.Cause(over) })
	if errors.Is(err, errWorkTime) {
		return reason.Refuse(late, "the work took longer than it may").With(map[string]any{"seconds": int(limit / time.Second)})
	}
	return err
}
