package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/node/store"
)

func (p *program) cmdStop() *cobra.Command {
	return &cobra.Command{
		Use: "stop", Short: "End the running node and wait until it has", Args: nothing,
		RunE: func(c *cobra.Command, _ []string) error { return p.stopNode(c.Context()) },
	}
}

func (p *program) stopNode(ctx context.Context) error {
	d, err := p.door(ctx, running)
	if err != nil {
		return err
	}
	defer d.close()
	if _, _, err := d.do(ctx, http.MethodPost, "/control/stop", nil, nil, nil); err != nil {
		return p.refused(err)
	}
	dir, err := p.homeDir()
	if err != nil {
		return err
	}
	if err := awaitUnlocked(ctx, dir, stopWithin+stopPatience); err != nil {
		return err
	}
	if p.json {
		return p.printJSON(map[string]bool{"stopped": true})
	}
	p.say("stopped")
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
