package main

import (
	"encoding/json"

	"github.com/spf13/cobra"
)

func (p *program) cmdGuilds() *cobra.Command {
	c := &cobra.Command{Use: "guilds", Short: "List guilds", Args: nothing}
	f := addFilters(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		return p.read(c, "/api/mesh/guilds", f.query(), p.showGuilds)
	}
	return c
}

func (p *program) showGuilds(data json.RawMessage) error {
	var reply struct {
		Guilds []struct{ ID, Name string }
	}
	if err := decode(data, &reply); err != nil {
		return err
	}
	if len(reply.Guilds) == 0 {
		p.say("no guilds yet")
		return nil
	}
	rows := [][]string{{"NAME", "ID"}}
	for _, g := range reply.Guilds {
		rows = append(rows, []string{oneLine(g.Name, 80), g.ID})
	}
	return p.table(rows)
}
