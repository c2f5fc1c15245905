package guild

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
)

func cmdGuilds(s *session.Session) *cobra.Command {
	c := &cobra.Command{Use: "guilds", Short: "List guilds", Args: session.Nothing}
	f := session.AddFilters(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		return s.Read(c, "/api/mesh/guilds", f.Query(), showGuilds)
	}
	return c
}

func showGuilds(s *session.Session, data json.RawMessage) error {
	var reply struct {
		Guilds []struct{ ID, Name string }
	}
	if err := session.Decode(data, &reply); err != nil {
		return err
	}
	if len(reply.Guilds) == 0 {
		s.Say("no guilds yet")
		return nil
	}
	rows := [][]string{{"NAME", "ID"}}
	for _, g := range reply.Guilds {
		rows = append(rows, []string{terminal.OneLine(g.Name, 80), g.ID})
	}
	return s.Table(rows)
}
