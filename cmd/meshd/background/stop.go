package background

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/node/control"
	"github.com/meshd/meshd/node/store"
)

func cmdStop(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "stop", Short: "Stop the running node and wait until it has ended", Args: session.Nothing,
		RunE: func(c *cobra.Command, _ []string) error { return stopNode(c.Context(), s) },
	}
}

func stopNode(ctx context.Context, s *session.Session) error {
	if err := Stop(ctx, s); err != nil {
		return err
	}
	if s.JSON {
		return s.PrintJSON(map[string]bool{"stopped": true})
	}
	s.Say("stopped")
	return nil
}

// Stop ends the running node and waits until its process has ended.
func Stop(ctx context.Context, s *session.Session) error {
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
	return awaitUnlocked(ctx, dir, stopWithin+stopPatience)
}

func cmdRestart(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "restart", Short: "Stop the node in the background, if one runs, and start it again", Args: session.Nothing,
		Long: "Stop the node in the background and start it again, with the settings as they are now and this version of\n" +
			"the program. Where none runs one is started. A node of a terminal or a service is restarted there.",
		RunE: func(c *cobra.Command, _ []string) error {
			n, err := Restart(c.Context(), s)
			if err != nil {
				return err
			}
			return report(s, n)
		},
	}
}

// Restart ends the node in the background, if one runs, and starts it with the program
// that lies under the name of this one now. A node of a terminal or a service is an error.
func Restart(ctx context.Context, s *session.Session) (Node, error) {
	home, err := s.HomeDir()
	if err != nil {
		return Node{}, err
	}
	if _, _, err := s.Settings(); err != nil {
		return Node{}, err // a node that runs is not ended for settings that start none
	}
	switch n, err := find(ctx, home); {
	case errors.Is(err, control.ErrNotRunning):
	case err != nil:
		return Node{}, err
	case !n.ours:
		return Node{}, fmt.Errorf("process %d was started by a terminal or a service: restart it there, or meshd stop, then meshd start", n.PID)
	default:
		if err := Stop(ctx, s); err != nil {
			return Node{}, err
		}
	}
	return Start(ctx, s)
}

// awaitUnlocked waits until no process has the home.
func awaitUnlocked(ctx context.Context, dir string, limit time.Duration) error {
	home, err := store.Inspect(dir)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	tick := time.NewTicker(every)
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
