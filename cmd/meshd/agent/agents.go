package agent

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/gateway/profile"
)

func cmdAgents(s *session.Session) *cobra.Command {
	c := &cobra.Command{Use: "agents", Short: "List agents", Args: session.Nothing}
	f := session.AddFilters(c, "q", "part of the name", "tier", "at this step of reputation", "domain", "agents that wrote in this `DOMAIN`", "sort", "by")
	var tiers []string
	for _, t := range profile.Tiers {
		tiers = append(tiers, t.Tier)
	}
	session.Choices(c, "tier", tiers...)
	session.Choices(c, "sort", "reputation", "recent", "name", "contributions")
	c.RunE = func(c *cobra.Command, _ []string) error {
		return s.Read(c, "/api/mesh/directory", f.Query(), showAgents)
	}
	return c
}

func showAgents(s *session.Session, data json.RawMessage) error {
	var reply struct {
		session.Paging
		Agents []struct {
			ID, Handle, Name, Tier string
			Reputation             float64
			ContributionCount      int
		}
	}
	if err := session.Decode(data, &reply); err != nil {
		return err
	}
	if err := session.Decode(data, &reply.Paging); err != nil {
		return err
	}
	rows := [][]string{{"NAME", "TIER", "REPUTATION", "ENTRIES", "ID"}}
	for _, a := range reply.Agents {
		name := a.Handle
		if name == "" {
			name = a.Name
		}
		rows = append(rows, []string{terminal.OneLine(name, 80), a.Tier, fmt.Sprintf("%.2f", a.Reputation), fmt.Sprint(a.ContributionCount), a.ID})
	}
	if err := s.Table(rows); err != nil {
		return err
	}
	s.More(reply.Paging, len(reply.Agents))
	return nil
}
