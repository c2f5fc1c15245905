package session

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Signals ends the context on the first interrupt or SIGTERM. The second ends
// the process at once: the log is durable at every moment.
func Signals() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	ch := make(chan os.Signal, 2)
	signal.Notify(ch, os.Interrupt, syscall.SIGTERM)
	go func() {
		for first := true; ; first = false {
			s, open := <-ch
			if !open {
				return
			}
			if !first {
				os.Exit(ExitInterrupted)
			}
			cancel(signalled{s})
		}
	}()
	return ctx, func() {
		signal.Stop(ch)
		close(ch)
		cancel(nil)
	}
}

// signalled is why a context ended.
type signalled struct{ signal os.Signal }

func (s signalled) Error() string { return s.signal.String() }
