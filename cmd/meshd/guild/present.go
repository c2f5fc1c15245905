package guild

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
)

func cmdTeamPresent(s *session.Session, as *string) *cobra.Command {
	var status, surface string
	var look bool
	c := &cobra.Command{
		Use: "present GUILD", Short: "Report the agent as present, and list who else is", Args: session.Words("guild id"),
		Long: "Say that the agent is there, and see who else is. It counts for five minutes and renews the agent's claims on\n" +
			"the board. Presence stays on this node; with --look nothing is said.",
		RunE: func(c *cobra.Command, args []string) error {
			if err := session.NotWith(c, "look", "status", "surface"); err != nil {
				return err
			}
			if look {
				return s.AskAs(c.Context(), *as, http.MethodGet, session.TeamPath(args[0], "/presence"), nil, showPresent)
			}
			return s.AskAs(c.Context(), *as, http.MethodPost, session.TeamPath(args[0], "/presence"), session.Given("status", status, "surface", surface), showPresent)
		},
	}
	c.Flags().StringVar(&status, "status", "active", "what it is doing, or that it has gone")
	session.Choices(c, "status", "active", "idle", "busy", "offline")
	c.Flags().StringVar(&surface, "surface", "", "where the agent runs, such as an editor")
	c.Flags().BoolVar(&look, "look", false, "only see who is there")
	return c
}

func showPresent(s *session.Session, data json.RawMessage) error {
	var r struct {
		Online        []struct{ AgentID, AgentName, Role, Surface, Status, LastHeartbeat string }
		TTL           int  `json:"ttl_s"`
		LeasesRenewed *int `json:"leases_renewed"`
	}
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	if len(r.Online) == 0 {
		s.Say("nobody is there")
		return nil
	}
	rows := [][]string{{"STATUS", "NAME", "ROLE", "SURFACE", "SEEN", "AGENT"}}
	for _, a := range r.Online {
		rows = append(rows, []string{terminal.OneLine(a.Status, 16), terminal.OneLine(a.AgentName, 80), terminal.OneLine(a.Role, 16), terminal.OneLine(a.Surface, 32), session.Ago(a.LastHeartbeat, time.Now()), a.AgentID})
	}
	if err := s.Table(rows); err != nil {
		return err
	}
	if r.LeasesRenewed != nil && *r.LeasesRenewed > 0 {
		s.Say("\nclaims renewed: %d", *r.LeasesRenewed)
	}
	return nil
}
