package archive

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/gateway/plural"
	"github.com/meshd/meshd/node/store"
)

func cmdReindex(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "reindex", Short: "Rebuild the search index from the log", Args: session.Nothing,
		Long: "Build the search index anew from the log. The node must not run.",
		RunE: func(c *cobra.Command, _ []string) error { return reindexStore(c.Context(), s) },
	}
}

func reindexStore(ctx context.Context, s *session.Session) (err error) {
	dir, err := s.HomeDir()
	if err != nil {
		return err
	}
	if _, err := store.Inspect(dir); err != nil {
		return err
	}
	home, err := store.Open(dir, store.Options{Command: session.CommandLine()})
	if err != nil {
		return err
	}
	err = os.RemoveAll(home.Path(store.StoreDir, "index"))
	if err := errors.Join(err, home.Close()); err != nil {
		return fmt.Errorf("remove search index: %w", err)
	}
	in, err := s.OpenHome(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for in.Node.Status().IndexLag > 0 {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	entries := in.Node.Status().Entries
	if s.JSON {
		return s.PrintJSON(map[string]int{"entries": entries})
	}
	s.Say("indexed %s", plural.Count(entries, "entry"))
	return nil
}
