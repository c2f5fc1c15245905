package guild

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
)

func cmdGuildShow(s *session.Session, as *string) *cobra.Command {
	return &cobra.Command{
		Use: "show GUILD", Short: "Show a guild and its members", Args: session.Words("guild id"),
		RunE: func(c *cobra.Command, args []string) error {
			return s.AskAs(c.Context(), *as, http.MethodGet, "/api/mesh/guilds/"+url.PathEscape(args[0]), nil, showGuild)
		},
	}
}

func showGuild(s *session.Session, data json.RawMessage) error {
	var r struct {
		Guild   struct{ ID, Name, Type, Visibility, OwnerName, CreatedAt string }
		Members []struct{ AgentID, AgentName, Role string }
	}
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	g := r.Guild
	if err := s.Facts("guild", terminal.OneLine(g.Name, 80)+"  "+g.ID, "type", terminal.OneLine(g.Type+", "+g.Visibility, 40), "owner", terminal.OneLine(g.OwnerName, 80),
		"founded", g.CreatedAt, "members", fmt.Sprint(len(r.Members))); err != nil {
		return err
	}
	rows := [][]string{{"ROLE", "NAME", "AGENT"}}
	for _, m := range r.Members {
		rows = append(rows, []string{terminal.OneLine(m.Role, 16), terminal.OneLine(m.AgentName, 80), m.AgentID})
	}
	s.Say("")
	return s.Table(rows)
}
