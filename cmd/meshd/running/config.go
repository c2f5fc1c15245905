package running

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/gateway/admin"
)

func cmdConfig(s *session.Session) *cobra.Command {
	c := &cobra.Command{Use: "config", Short: "Show settings, change them, or apply changed ones", Args: session.Subcommand, RunE: func(c *cobra.Command, _ []string) error { return c.Help() }}
	c.AddCommand(cmdConfigShow(s), cmdConfigGet(s), cmdConfigSet(s), cmdConfigUnset(s), cmdConfigEdit(s), cmdConfigReload(s))
	return c
}

func cmdConfigShow(s *session.Session) *cobra.Command {
	var effective, origin bool
	c := &cobra.Command{
		Use: "show", Short: "Show settings that were chosen; with --effective, all of them", Args: session.Nothing,
		RunE: func(*cobra.Command, []string) error {
			_, cfg, err := s.Settings()
			if cfg == nil {
				return err
			}
			rows := [][]string{{"KEY", "VALUE", "APPLIES"}}
			if origin {
				rows[0] = append(rows[0], "ORIGIN")
			}
			all := cfg.Effective()
			shown := all[:0:0]
			for _, set := range all {
				if !effective && !cfg.Chosen(set.Key) {
					continue
				}
				shown = append(shown, set)
				row := []string{set.Key, set.Value, set.Apply}
				if origin {
					row = append(row, set.Origin)
				}
				rows = append(rows, row)
			}
			if s.JSON {
				return errors.Join(err, s.PrintJSON(map[string]any{"settings": shown}))
			}
			return errors.Join(err, s.Table(rows))
		},
	}
	c.Flags().BoolVar(&effective, "effective", false, "every key, with its value in force")
	c.Flags().BoolVar(&origin, "origin", false, "where each value came from")
	return c
}

func cmdConfigReload(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "reload", Short: "Reload the settings of the running node", Args: session.Nothing,
		RunE: func(c *cobra.Command, _ []string) error {
			return s.WithAnswer(c.Context(), session.Running, http.MethodPost, "/control/reload", nil, nil, func(data json.RawMessage) error {
				var r admin.ReloadReply
				if err := session.Decode(data, &r); err != nil {
					return err
				}
				if r.Faults != "" {
					return errors.New("nothing was changed:\n" + r.Faults)
				}
				if s.JSON {
					return s.PrintRaw(data)
				}
				return s.Facts("changed now", listed(r.Live), "after a restart", listed(r.Restart))
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
