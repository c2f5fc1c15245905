package guild

import (
	"encoding/json"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
)

func cmdTeamMode(s *session.Session, as *string) *cobra.Command {
	var why string
	c := &cobra.Command{
		Use: "mode GUILD MODE", Short: "Set the mode of a team", Args: session.Words("guild id", "mode"),
		Long: "Say what the team is busy with: audit, research, build, review, security, stabilize, unblock, docs or planning.\n" +
			"The board shows it.",
		RunE: func(c *cobra.Command, args []string) error {
			return s.AskAs(c.Context(), *as, http.MethodPost, session.TeamPath(args[0], "/mode"), session.Given("mode", args[1], "reason", why), showMode)
		},
	}
	c.Flags().StringVar(&why, "reason", "", "why")
	return c
}

func showMode(s *session.Session, data json.RawMessage) error {
	var r struct {
		Mode, Objective, Reason string
		Unchanged               bool
		At                      *string
	}
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	mode := terminal.OneLine(r.Mode, 16)
	if r.Unchanged {
		mode += "  (as before)"
	}
	return s.Facts("mode", mode, "reason", terminal.OneLine(r.Reason, 300), "objective", terminal.OneLine(r.Objective, 500), "since", session.OrNone(r.At))
}
