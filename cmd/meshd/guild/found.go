package guild

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
)

func cmdGuildCreate(s *session.Session, as *string) *cobra.Command {
	var kind, visibility string
	c := &cobra.Command{
		Use: "create NAME", Short: "Found a guild; its founder owns it", Args: session.Words("name"),
		Long: "Found a guild; its founder owns it. Who is in a public guild can be read everywhere, who is in an internal or a\n" +
			"private one by its members.",
		RunE: func(c *cobra.Command, args []string) error {
			in := map[string]string{"name": args[0], "type": kind, "visibility": visibility}
			return s.AskAs(c.Context(), *as, http.MethodPost, "/api/mesh/guilds", in, showFounded)
		},
	}
	c.Flags().StringVar(&kind, "type", "dev", "bounty, social, research or dev")
	c.Flags().StringVar(&visibility, "visibility", "private", "public, internal or private")
	return c
}

func cmdGuildShow(s *session.Session, as *string) *cobra.Command {
	return &cobra.Command{
		Use: "show ID", Short: "Show a guild and its members", Args: session.Words("guild id"),
		RunE: func(c *cobra.Command, args []string) error {
			return s.AskAs(c.Context(), *as, http.MethodGet, "/api/mesh/guilds/"+url.PathEscape(args[0]), nil, showGuild)
		},
	}
}

func cmdGuildRole(s *session.Session, as *string) *cobra.Command {
	return &cobra.Command{
		Use: "role ID AGENT ROLE", Short: "Give an agent a role, or another one", Args: session.Words("guild id", "agent", "role"),
		Long: "Give an agent a role, or another one: owner, admin, member or viewer. The agent is named by its id, its DID, or\n" +
			"its name on this node.",
		RunE: func(c *cobra.Command, args []string) error {
			return setMember(c.Context(), s, *as, args[0], map[string]string{"action": "set_role", "agent_id": args[1], "role": args[2]})
		},
	}
}

func cmdGuildRemove(s *session.Session, as *string) *cobra.Command {
	var why string
	c := &cobra.Command{
		Use: "remove ID AGENT", Short: "End an agent's roles", Args: session.Words("guild id", "agent"),
		RunE: func(c *cobra.Command, args []string) error {
			in := map[string]string{"action": "remove", "agent_id": args[1]}
			if why != "" {
				in["why"] = why
			}
			return setMember(c.Context(), s, *as, args[0], in)
		},
	}
	c.Flags().StringVar(&why, "why", "", "why, for everybody to read")
	return c
}

func setMember(ctx context.Context, s *session.Session, as, guild string, in map[string]string) error {
	return s.AskAs(ctx, as, http.MethodPost, "/api/mesh/team/"+url.PathEscape(guild)+"/members", in, showGuild)
}

func cmdGuildLeave(s *session.Session, as *string) *cobra.Command {
	return &cobra.Command{
		Use: "leave ID", Short: "End the own roles", Args: session.Words("guild id"),
		RunE: func(c *cobra.Command, args []string) error {
			return s.AskAs(c.Context(), *as, http.MethodPost, "/api/mesh/team/"+url.PathEscape(args[0])+"/leave", nil,
				func(*session.Session, json.RawMessage) error { return s.Facts("left", args[0]) })
		},
	}
}

// cmdGuildFollow is for the node of an agent that was taken into a private guild:
// its roles lie in the team itself, so nobody outside can know of them.
func cmdGuildFollow(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "follow ID", Short: "Ask members for a private guild that an agent of this node was taken into", Args: session.Words("guild id"),
		RunE: func(c *cobra.Command, args []string) error {
			return s.AskAs(c.Context(), "", http.MethodPost, "/api/mesh/team/"+url.PathEscape(args[0])+"/follow", nil,
				func(*session.Session, json.RawMessage) error {
					return s.Facts("follows", args[0], "next", "its members' nodes are asked when they are met; meshd guild show "+args[0])
				})
		},
	}
}

// showFounded shows a new guild; with -q its id alone.
func showFounded(s *session.Session, data json.RawMessage) error {
	if !s.Quiet {
		return showGuild(s, data)
	}
	var r struct{ Guild struct{ ID string } }
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	return s.Made(r.Guild.ID)
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
