package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"github.com/spf13/cobra"
)

func (p *program) cmdGuild() *cobra.Command {
	c := &cobra.Command{
		Use: "guild", Short: "Found a guild, join one, and say who is in it", Args: subcommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	var as string
	c.PersistentFlags().StringVar(&as, "as", "", "name of another agent of this node")
	c.AddCommand(p.cmdGuildCreate(&as), p.cmdGuildList(&as), p.cmdGuildShow(&as), p.cmdGuildInvite(&as), p.cmdGuildJoin(&as), p.cmdGuildRole(&as),
		p.cmdGuildRemove(&as), p.cmdGuildLeave(&as), p.cmdGuildFollow())
	return c
}

// words says which words a command takes, by name.
func words(names ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return usage("%s needs one %s: %s", c.CommandPath(), names[len(args)], c.UseLine())
		case len(args) > len(names):
			return usage("%s takes no %q: %s", c.CommandPath(), args[len(names)], c.UseLine())
		}
		return nil
	}
}

// wordsAndText is words whose last one may go on: a text that needs no quotes.
func wordsAndText(names ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		return words(names...)(c, args[:min(len(args), len(names))])
	}
}

func (p *program) cmdGuildCreate(as *string) *cobra.Command {
	var kind, visibility string
	c := &cobra.Command{
		Use: "create NAME", Short: "Found a guild; its founder owns it", Args: words("name"),
		Long: "Found a guild; its founder owns it. Who is in a public guild can be read everywhere, who is in an internal or a\n" +
			"private one by its members.",
		RunE: func(c *cobra.Command, args []string) error {
			in := map[string]string{"name": args[0], "type": kind, "visibility": visibility}
			return p.askAs(c.Context(), *as, http.MethodPost, "/api/mesh/guilds", in, p.showFounded)
		},
	}
	c.Flags().StringVar(&kind, "type", "dev", "bounty, social, research or dev")
	c.Flags().StringVar(&visibility, "visibility", "private", "public, internal or private")
	return c
}

func (p *program) cmdGuildShow(as *string) *cobra.Command {
	return &cobra.Command{
		Use: "show ID", Short: "Show a guild and its members", Args: words("guild id"),
		RunE: func(c *cobra.Command, args []string) error {
			return p.askAs(c.Context(), *as, http.MethodGet, "/api/mesh/guilds/"+url.PathEscape(args[0]), nil, p.showGuild)
		},
	}
}

func (p *program) cmdGuildRole(as *string) *cobra.Command {
	return &cobra.Command{
		Use: "role ID AGENT ROLE", Short: "Give an agent a role, or another one", Args: words("guild id", "agent", "role"),
		Long: "Give an agent a role, or another one: owner, admin, member or viewer. The agent is named by its id, its DID, or\n" +
			"its name on this node.",
		RunE: func(c *cobra.Command, args []string) error {
			return p.setMember(c.Context(), *as, args[0], map[string]string{"action": "set_role", "agent_id": args[1], "role": args[2]})
		},
	}
}

func (p *program) cmdGuildRemove(as *string) *cobra.Command {
	var why string
	c := &cobra.Command{
		Use: "remove ID AGENT", Short: "End an agent's roles", Args: words("guild id", "agent"),
		RunE: func(c *cobra.Command, args []string) error {
			in := map[string]string{"action": "remove", "agent_id": args[1]}
			if why != "" {
				in["why"] = why
			}
			return p.setMember(c.Context(), *as, args[0], in)
		},
	}
	c.Flags().StringVar(&why, "why", "", "why, for everybody to read")
	return c
}

func (p *program) setMember(ctx context.Context, as, guild string, in map[string]string) error {
	return p.askAs(ctx, as, http.MethodPost, "/api/mesh/team/"+url.PathEscape(guild)+"/members", in, p.showGuild)
}

func (p *program) cmdGuildLeave(as *string) *cobra.Command {
	return &cobra.Command{
		Use: "leave ID", Short: "End the own roles", Args: words("guild id"),
		RunE: func(c *cobra.Command, args []string) error {
			return p.askAs(c.Context(), *as, http.MethodPost, "/api/mesh/team/"+url.PathEscape(args[0])+"/leave", nil,
				func(json.RawMessage) error { return p.facts("left", args[0]) })
		},
	}
}

// cmdGuildFollow is for the node of an agent that was taken into a private guild:
// its roles lie in the team itself, so nobody outside can know of them.
func (p *program) cmdGuildFollow() *cobra.Command {
	return &cobra.Command{
		Use: "follow ID", Short: "Ask members for a private guild that an agent of this node was taken into", Args: words("guild id"),
		RunE: func(c *cobra.Command, args []string) error {
			return p.askAs(c.Context(), "", http.MethodPost, "/api/mesh/team/"+url.PathEscape(args[0])+"/follow", nil,
				func(json.RawMessage) error {
					return p.facts("follows", args[0], "next", "its members' nodes are asked when they are met; meshd guild show "+args[0])
				})
		},
	}
}

// showFounded shows a new guild; with -q its id alone.
func (p *program) showFounded(data json.RawMessage) error {
	if !p.quiet {
		return p.showGuild(data)
	}
	var r struct{ Guild struct{ ID string } }
	if err := decode(data, &r); err != nil {
		return err
	}
	return p.made(r.Guild.ID)
}

func (p *program) showGuild(data json.RawMessage) error {
	var r struct {
		Guild   struct{ ID, Name, Type, Visibility, OwnerName, CreatedAt string }
		Members []struct{ AgentID, AgentName, Role string }
	}
	if err := decode(data, &r); err != nil {
		return err
	}
	g := r.Guild
	if err := p.facts("guild", oneLine(g.Name, 80)+"  "+g.ID, "type", oneLine(g.Type+", "+g.Visibility, 40), "owner", oneLine(g.OwnerName, 80),
		"founded", g.CreatedAt, "members", fmt.Sprint(len(r.Members))); err != nil {
		return err
	}
	rows := [][]string{{"ROLE", "NAME", "AGENT"}}
	for _, m := range r.Members {
		rows = append(rows, []string{oneLine(m.Role, 16), oneLine(m.AgentName, 80), m.AgentID})
	}
	p.say("")
	return p.table(rows)
}
