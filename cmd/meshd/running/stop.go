package running

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/node/store"
)

func cmdStop(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "stop", Short: "Stop the running node and wait until it has ended", Args: session.Nothing,
		RunE: func(c *cobra.Command, _ []string) error { return stopNode(c.Context(), s) },
	}
}

func stopNode(ctx context.Context, s *session.Session) error {
	d, err := s.Connect(ctx, session.Running)
	if err != nil {
		return err
	}
	defer d.Close()
	if _, _, err := d.Do(ctx, http.MethodPost, "/control/stop", nil, nil, nil); err != nil {
		return s.Refused(err)
	}
	dir, err := s.HomeDir()
	if err != nil {
		return err
	}
	if err := awaitUnlocked(ctx, dir, stopWithin+stopPatience); err != nil {
		return err
	}
	if s.JSON {
		return s.PrintJSON(map[string]bool{"stopped": true})
	}
	s.Say("stopped")
	return nil
}

// awaitUnlocked waits until no process has the home.
func awaitUnlocked(ctx context.Context, dir string, limit time.Duration) error {
	home, err := store.Inspect(dir)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		holder, held, err := home.Holder()
		if err != nil || !held {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return errors.Join(fmt.Errorf("process %d still has %s", holder.PID, dir), ctx.Err())
		}
	}
}
