package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"
)

func (p *program) cmdAgents() *cobra.Command {
	c := &cobra.Command{Use: "agents", Short: "List agents", Args: nothing}
	f := addFilters(c, "q", "part of the name", "tier", "a reputation tier", "domain", "agents that wrote in it", "sort", "reputation, recent, name or contributions")
	c.RunE = func(c *cobra.Command, _ []string) error {
		return p.read(c, "/api/mesh/directory", f.query(), p.showAgents)
	}
	return c
}

func (p *program) showAgents(data json.RawMessage) error {
	var reply struct {
		paging
		Agents []struct {
			ID, Handle, Name, Tier string
			Reputation             float64
			ContributionCount      int
		}
	}
	if err := decode(data, &reply); err != nil {
		return err
	}
	if err := decode(data, &reply.paging); err != nil {
		return err
	}
	rows := [][]string{{"NAME", "TIER", "REPUTATION", "ENTRIES", "ID"}}
	for _, a := range reply.Agents {
		name := a.Handle
		if name == "" {
			name = a.Name
		}
		rows = append(rows, []string{oneLine(name, 80), a.Tier, fmt.Sprintf("%.2f", a.Reputation), fmt.Sprint(a.ContributionCount), a.ID})
	}
	if err := p.table(rows); err != nil {
		return err
	}
	p.more(reply.paging, len(reply.Agents))
	return nil
}
