package guild

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
)

func cmdGuildList(s *session.Session, as *string) *cobra.Command {
	c := &cobra.Command{
		Use: "list", Short: "List the guilds that the agent is in", Args: session.Nothing,
		Long: "List the guilds that the agent is in, private ones too. meshd guilds lists the public ones of everybody.",
	}
	f := session.AddFilters(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		return s.Send(c.Context(), session.Request{As: *as, Method: http.MethodGet, Path: "/api/mesh/teams", Query: f.Query()}, showOwnGuilds)
	}
	return c
}

func showOwnGuilds(s *session.Session, data json.RawMessage) error {
	var r struct {
		session.Paging
		Teams []struct {
			ID, Name, Role, Type, Visibility string
			MemberCount                      int
		}
	}
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	if len(r.Teams) == 0 {
		s.Say("in no guild yet; meshd guilds lists those that are open to all")
		return nil
	}
	rows := [][]string{{"NAME", "ROLE", "KIND", "MEMBERS", "ID"}}
	for _, g := range r.Teams {
		rows = append(rows, []string{terminal.OneLine(g.Name, 80), terminal.OneLine(g.Role, 16), terminal.OneLine(g.Type+", "+g.Visibility, 40), fmt.Sprint(g.MemberCount), g.ID})
	}
	if err := s.Table(rows); err != nil {
		return err
	}
	s.More(r.Paging, len(r.Teams))
	return nil
}
