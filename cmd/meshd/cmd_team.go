package main

import (
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"github.com/spf13/cobra"
)

func (p *program) cmdTeam() *cobra.Command {
	c := &cobra.Command{
		Use: "team", Short: "Work in a guild: its board, its messages, who is there", Args: subcommand,
		Long: "Work in a guild as one of its members: its board, its messages, who is there. Founding, joining and roles are\n" +
			"under meshd guild; what members write here goes to the nodes of members only.",
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	var as string
	c.PersistentFlags().StringVar(&as, "as", "", "name of another agent of this node")
	c.AddCommand(p.cmdTeamBoard(&as), p.cmdTeamMessage(&as), p.cmdTeamInbox(&as), p.cmdTeamMode(&as), p.cmdTeamMembers(&as), p.cmdTeamPresent(&as))
	return c
}

// teamPath is the address of something in a team.
func teamPath(team string, rest string) string {
	return "/api/mesh/team/" + url.PathEscape(team) + rest
}

func (p *program) cmdTeamMode(as *string) *cobra.Command {
	var why string
	c := &cobra.Command{
		Use: "mode ID MODE", Short: "Say what the team is busy with", Args: words("guild id", "mode"),
		Long: "Say what the team is busy with: audit, research, build, review, security, stabilize, unblock, docs or planning.\n" +
			"The board shows it.",
		RunE: func(c *cobra.Command, args []string) error {
			return p.askAs(c.Context(), *as, http.MethodPost, teamPath(args[0], "/mode"), given("mode", args[1], "reason", why), p.showMode)
		},
	}
	c.Flags().StringVar(&why, "reason", "", "why")
	return c
}

func (p *program) showMode(data json.RawMessage) error {
	var r struct {
		Mode, Objective, Reason string
		Unchanged               bool
		At                      *string
	}
	if err := decode(data, &r); err != nil {
		return err
	}
	mode := oneLine(r.Mode, 16)
	if r.Unchanged {
		mode += "  (as before)"
	}
	return p.facts("mode", mode, "reason", oneLine(r.Reason, 300), "objective", oneLine(r.Objective, 500), "since", orNone(r.At))
}

func (p *program) cmdTeamMembers(as *string) *cobra.Command {
	c := &cobra.Command{Use: "members ID", Short: "List the members and who of them is there", Args: words("guild id")}
	f := addFilters(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		return p.errand(c.Context(), errand{as: *as, method: http.MethodGet, path: teamPath(args[0], "/members"), query: f.query()}, p.showMembers)
	}
	return c
}

func (p *program) showMembers(data json.RawMessage) error {
	var r struct {
		paging
		Members []struct {
			AgentID, AgentName, Role, JoinedAt string
			Online                             bool
		}
	}
	if err := decode(data, &r); err != nil {
		return err
	}
	rows := [][]string{{"ROLE", "NAME", "THERE", "JOINED", "AGENT"}}
	for _, m := range r.Members {
		there := "no"
		if m.Online {
			there = "yes"
		}
		rows = append(rows, []string{oneLine(m.Role, 16), oneLine(m.AgentName, 80), there, ago(m.JoinedAt, time.Now()), m.AgentID})
	}
	if err := p.table(rows); err != nil {
		return err
	}
	p.more(r.paging, len(r.Members))
	return nil
}

func (p *program) cmdTeamPresent(as *string) *cobra.Command {
	var status, surface string
	var look bool
	c := &cobra.Command{
		Use: "present ID", Short: "Say that the agent is there, and see who else is", Args: words("guild id"),
		Long: "Say that the agent is there, and see who else is. It counts for five minutes and renews the agent's claims on\n" +
			"the board. Presence stays on this node; with --look nothing is said.",
		RunE: func(c *cobra.Command, args []string) error {
			if err := notWith(c, "look", "status", "surface"); err != nil {
				return err
			}
			if look {
				return p.askAs(c.Context(), *as, http.MethodGet, teamPath(args[0], "/presence"), nil, p.showPresent)
			}
			return p.askAs(c.Context(), *as, http.MethodPost, teamPath(args[0], "/presence"), given("status", status, "surface", surface), p.showPresent)
		},
	}
	c.Flags().StringVar(&status, "status", "active", "active, idle or busy; offline says that it has gone")
	c.Flags().StringVar(&surface, "surface", "", "where the agent runs, such as an editor")
	c.Flags().BoolVar(&look, "look", false, "only see who is there")
	return c
}

func (p *program) showPresent(data json.RawMessage) error {
	var r struct {
		Online        []struct{ AgentID, AgentName, Role, Surface, Status, LastHeartbeat string }
		TTL           int  `json:"ttl_s"`
		LeasesRenewed *int `json:"leases_renewed"`
	}
	if err := decode(data, &r); err != nil {
		return err
	}
	if len(r.Online) == 0 {
		p.say("nobody is there")
		return nil
	}
	rows := [][]string{{"STATUS", "NAME", "ROLE", "SURFACE", "SEEN", "AGENT"}}
	for _, a := range r.Online {
		rows = append(rows, []string{oneLine(a.Status, 16), oneLine(a.AgentName, 80), oneLine(a.Role, 16), oneLine(a.Surface, 32), ago(a.LastHeartbeat, time.Now()), a.AgentID})
	}
	if err := p.table(rows); err != nil {
		return err
	}
	if r.LeasesRenewed != nil && *r.LeasesRenewed > 0 {
		p.say("\nclaims renewed: %d", *r.LeasesRenewed)
	}
	return nil
}
