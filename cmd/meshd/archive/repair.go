package archive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/instance"
	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/node/control"
	"github.com/meshd/meshd/node/repair"
	"github.com/meshd/meshd/node/store"
)

func cmdRepair(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "repair", Short: "Repair what is damaged in the store", Args: session.Nothing,
		Long: "Read every stored change again and mend what is damaged: indexes from what is left, changes from copies of\n" +
			"the peers. A running node does that itself when it meets damage; this does it now. Without a running node the\n" +
			"store's files are written anew from what can be read of them, also when the store cannot be opened, and the\n" +
			"damaged ones are kept beside them; what is still missing comes from peers once the node runs. The exit code\n" +
			"is 3 when damaged changes are left.",
		RunE: func(c *cobra.Command, _ []string) error {
			r, offline, err := repairStore(c.Context(), s)
			if err != nil {
				return s.Refused(err)
			}
			return repaired(s, r, offline)
		},
	}
}

// repairStore has the running node mend its store, or does it in this process.
func repairStore(ctx context.Context, s *session.Session) (r repair.Report, offline bool, err error) {
	dir, err := s.HomeDir()
	if err != nil {
		return r, false, err
	}
	way, err := session.Dial(dir)
	if err == nil {
		defer way.HTTP.CloseIdleConnections()
		data, _, err := way.Do(ctx, http.MethodPost, "/control/repair", nil, nil, nil)
		if err == nil {
			err = json.Unmarshal(data, &r)
		}
		return r, false, err
	}
	if !errors.Is(err, control.ErrNotRunning) {
		return r, false, err
	}
	if _, err := store.Inspect(dir); err != nil {
		return r, true, err
	}
	r, err = repairHere(ctx, s)
	if err == nil && r.Blocks > 0 { // they are noted now, and opening writes the files anew
		r, err = repairHere(ctx, s)
	}
	return r, true, err
}

func repairHere(ctx context.Context, s *session.Session) (r repair.Report, err error) {
	dir, cfg, err := s.Settings()
	if err != nil {
		return r, err
	}
	instance.QuietLibraries()
	home, err := store.Open(dir, store.Options{Command: session.CommandLine()})
	if err != nil {
		return r, err
	}
	in, err := instance.OpenWith(ctx, home, cfg, instance.NewLog(s.Err, cfg.Config.Log, slog.LevelWarn), instance.Opening{Salvage: true})
	if err != nil {
		return r, err
	}
	r, err = in.Node.Repair(ctx)
	return r, errors.Join(err, in.Close())
}

func repaired(s *session.Session, r repair.Report, offline bool) error {
	var left error
	if !r.OK() {
		left = session.ErrDegraded
	}
	if s.JSON {
		return errors.Join(s.PrintJSON(r), left)
	}
	for _, id := range r.Left {
		fmt.Fprintf(s.Out, "%s  damaged, and no copy came\n", id)
	}
	if more := r.LeftAll - len(r.Left); more > 0 {
		fmt.Fprintf(s.Out, "and %d more\n", more)
	}
	next := ""
	switch {
	case !r.OK() && offline:
		next = "meshd run fetches what is left from peers"
	case !r.OK():
		next = "the node asks its peers again by itself; meshd peers shows who they are"
	case r.Blocks > 0:
		next = "stop and start the node: its files are written anew without the unreadable ranges"
	}
	return errors.Join(s.Facts(
		"changes", fmt.Sprint(r.Changes), "damaged", fmt.Sprint(r.Damaged), "healed", fmt.Sprint(r.Healed), "left", fmt.Sprint(r.LeftAll),
		"unreadable", fmt.Sprint(r.Blocks), "peers", fmt.Sprint(r.Peers), "next", next), left)
}
