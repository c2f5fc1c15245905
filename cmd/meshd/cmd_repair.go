package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/node/control"
	"github.com/meshd/meshd/node/repair"
	"github.com/meshd/meshd/node/store"
)

func (p *program) cmdRepair() *cobra.Command {
	return &cobra.Command{
		Use: "repair", Short: "Mend what is damaged in the store", Args: nothing,
		Long: "Read every stored change again and mend what is damaged: indexes from what is left, changes from copies of\n" +
			"the peers. A running node does that itself when it meets damage; this does it now. Without a running node the\n" +
			"store's files are written anew from what can be read of them, also when the store cannot be opened, and the\n" +
			"damaged ones are kept beside them; what is still missing comes from peers once the node runs. The exit code\n" +
			"is 3 when damaged changes are left.",
		RunE: func(c *cobra.Command, _ []string) error {
			r, offline, err := p.repair(c.Context())
			if err != nil {
				return p.refused(err)
			}
			return p.repaired(r, offline)
		},
	}
}

// repair has the running node mend its store, or does it in this process.
func (p *program) repair(ctx context.Context) (r repair.Report, offline bool, err error) {
	dir, err := p.homeDir()
	if err != nil {
		return r, false, err
	}
	client, err := control.Dial(dir)
	if err == nil {
		defer client.CloseIdleConnections()
		way := &door{client: client, base: control.BaseURL}
		data, _, err := way.do(ctx, http.MethodPost, "/control/repair", nil, nil, nil)
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
	r, err = p.repairHere(ctx)
	if err == nil && r.Blocks > 0 { // they are noted now, and opening writes the files anew
		r, err = p.repairHere(ctx)
	}
	return r, true, err
}

func (p *program) repairHere(ctx context.Context) (r repair.Report, err error) {
	dir, cfg, err := p.settings()
	if err != nil {
		return r, err
	}
	quietLibraries()
	home, err := store.Open(dir, store.Options{Command: commandLine()})
	if err != nil {
		return r, err
	}
	in, err := openWith(ctx, home, cfg, newLog(p.err, cfg.Config.Log, slog.LevelWarn), opening{salvage: true})
	if err != nil {
		return r, err
	}
	r, err = in.node.Repair(ctx)
	return r, errors.Join(err, in.close())
}

func (p *program) repaired(r repair.Report, offline bool) error {
	var left error
	if !r.OK() {
		left = errDegraded
	}
	if p.json {
		return errors.Join(p.printJSON(r), left)
	}
	for _, id := range r.Left {
		fmt.Fprintf(p.out, "%s  damaged, and no copy came\n", id)
	}
	if more := r.LeftAll - len(r.Left); more > 0 {
		fmt.Fprintf(p.out, "and %d more\n", more)
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
	return errors.Join(p.facts(
		"changes", fmt.Sprint(r.Changes), "damaged", fmt.Sprint(r.Damaged), "healed", fmt.Sprint(r.Healed), "left", fmt.Sprint(r.LeftAll),
		"unreadable", fmt.Sprint(r.Blocks), "peers", fmt.Sprint(r.Peers), "next", next), left)
}
