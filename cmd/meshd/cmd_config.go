package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/gateway/admin"
)

func (p *program) cmdConfig() *cobra.Command {
	c := &cobra.Command{Use: "config", Short: "Show settings, or apply changed ones", Args: subcommand, RunE: func(c *cobra.Command, _ []string) error { return c.Help() }}
	c.AddCommand(p.cmdConfigShow(), p.cmdConfigReload())
	return c
}

func (p *program) cmdConfigShow() *cobra.Command {
	var effective, origin bool
	c := &cobra.Command{
		Use: "show", Short: "Show settings that were chosen; with --effective, all of them", Args: nothing,
		RunE: func(*cobra.Command, []string) error {
			_, cfg, err := p.settings()
			if cfg == nil {
				return err
			}
			rows := [][]string{{"KEY", "VALUE", "APPLIES"}}
			if origin {
				rows[0] = append(rows[0], "ORIGIN")
			}
			all := cfg.Effective()
			shown := all[:0:0]
			for _, s := range all {
				if !effective && !cfg.Chosen(s.Key) {
					continue
				}
				shown = append(shown, s)
				row := []string{s.Key, s.Value, s.Apply}
				if origin {
					row = append(row, s.Origin)
				}
				rows = append(rows, row)
			}
			if p.json {
				return errors.Join(err, p.printJSON(map[string]any{"settings": shown}))
			}
			return errors.Join(err, p.table(rows))
		},
	}
	c.Flags().BoolVar(&effective, "effective", false, "every key, with its value in force")
	c.Flags().BoolVar(&origin, "origin", false, "where each value came from")
	return c
}

func (p *program) cmdConfigReload() *cobra.Command {
	return &cobra.Command{
		Use: "reload", Short: "Let the running node read its settings again", Args: nothing,
		RunE: func(c *cobra.Command, _ []string) error {
			return p.withAnswer(c.Context(), running, http.MethodPost, "/control/reload", nil, nil, func(data json.RawMessage) error {
				var r admin.ReloadReply
				if err := decode(data, &r); err != nil {
					return err
				}
				if r.Faults != "" {
					return errors.New("nothing was changed:\n" + r.Faults)
				}
				if p.json {
					return p.printRaw(data)
				}
				return p.facts("changed now", listed(r.Live), "after a restart", listed(r.Restart))
			})
		},
	}
}

func listed(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}
