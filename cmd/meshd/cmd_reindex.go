package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/gateway/plural"
	"github.com/meshd/meshd/node/store"
)

func (p *program) cmdReindex() *cobra.Command {
	return &cobra.Command{
		Use: "reindex", Short: "Build the search index anew from the log", Args: nothing,
		Long: "Build the search index anew from the log. The node must not run.",
		RunE: func(c *cobra.Command, _ []string) error { return p.reindex(c.Context()) },
	}
}

func (p *program) reindex(ctx context.Context) (err error) {
	dir, err := p.homeDir()
	if err != nil {
		return err
	}
	if _, err := store.Inspect(dir); err != nil {
		return err
	}
	home, err := store.Open(dir, store.Options{Command: commandLine()})
	if err != nil {
		return err
	}
	err = os.RemoveAll(home.Path(store.StoreDir, "index"))
	if err := errors.Join(err, home.Close()); err != nil {
		return fmt.Errorf("remove search index: %w", err)
	}
	in, err := p.openHome(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.close()) }()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for in.node.Status().IndexLag > 0 {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	entries := in.node.Status().Entries
	if p.json {
		return p.printJSON(map[string]int{"entries": entries})
	}
	p.say("indexed %s", plural.Count(entries, "entry"))
	return nil
}
