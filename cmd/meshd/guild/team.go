package guild

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
)

func cmdTeam(s *session.Session) *cobra.Command {
	c := &cobra.Command{
		Use: "team", Short: "Work in a guild: its board, its messages, who is there", Args: session.Subcommand,
		Long: "Work in a guild as one of its members: its board, its messages, who is there. Founding, joining and roles are\n" +
			"under meshd guild; what members write here goes to the nodes of members only.",
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	var as string
	c.PersistentFlags().StringVar(&as, "as", "", "name of another agent of this node")
	c.AddCommand(cmdTeamBoard(s, &as), cmdTeamMessage(s, &as), cmdTeamInbox(s, &as), cmdTeamMode(s, &as), cmdTeamMembers(s, &as), cmdTeamPresent(s, &as))
	return c
}

func cmdTeamMode(s *session.Session, as *string) *cobra.Command {
	var why string
	c := &cobra.Command{
		Use: "mode ID MODE", Short: "Say what the team is busy with", Args: session.Words("guild id", "mode"),
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

func cmdTeamMembers(s *session.Session, as *string) *cobra.Command {
	c := &cobra.Command{Use: "members ID", Short: "List the members and who of them is there", Args: session.Words("guild id")}
	f := session.AddFilters(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		return s.Send(c.Context(), session.Request{As: *as, Method: http.MethodGet, Path: session.TeamPath(args[0], "/members"), Query: f.Query()}, showMembers)
	}
	return c
}

func showMembers(s *session.Session, data json.RawMessage) error {
	var r struct {
		session.Paging
		Members []struct {
			AgentID, AgentName, Role, JoinedAt string
			Online                             bool
		}
	}
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	rows := [][]string{{"ROLE", "NAME", "THERE", "JOINED", "AGENT"}}
	for _, m := range r.Members {
		there := "no"
		if m.Online {
			there = "yes"
		}
		rows = append(rows, []string{terminal.OneLine(m.Role, 16), terminal.OneLine(m.AgentName, 80), there, session.Ago(m.JoinedAt, time.Now()), m.AgentID})
	}
	if err := s.Table(rows); err != nil {
		return err
	}
	s.More(r.Paging, len(r.Members))
	return nil
}

func cmdTeamPresent(s *session.Session, as *string) *cobra.Command {
	var status, surface string
	var look bool
	c := &cobra.Command{
		Use: "present ID", Short: "Say that the agent is there, and see who else is", Args: session.Words("guild id"),
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
	c.Flags().StringVar(&status, "status", "active", "active, idle or busy; offline says that it has gone")
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
