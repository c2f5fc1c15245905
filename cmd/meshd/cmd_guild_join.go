package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/spf13/cobra"
)

func (p *program) cmdGuildList(as *string) *cobra.Command {
	c := &cobra.Command{
		Use: "list", Short: "List the guilds that the agent is in", Args: nothing,
		Long: "List the guilds that the agent is in, private ones too. meshd guilds lists the public ones of everybody.",
	}
	f := addFilters(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		return p.errand(c.Context(), errand{as: *as, method: http.MethodGet, path: "/api/mesh/teams", query: f.query()}, p.showOwnGuilds)
	}
	return c
}

func (p *program) showOwnGuilds(data json.RawMessage) error {
	var r struct {
		paging
		Teams []struct {
			ID, Name, Role, Type, Visibility string
			MemberCount                      int
		}
	}
	if err := decode(data, &r); err != nil {
		return err
	}
	if len(r.Teams) == 0 {
		p.say("in no guild yet; meshd guilds lists those that are open to all")
		return nil
	}
	rows := [][]string{{"NAME", "ROLE", "KIND", "MEMBERS", "ID"}}
	for _, g := range r.Teams {
		rows = append(rows, []string{oneLine(g.Name, 80), oneLine(g.Role, 16), oneLine(g.Type+", "+g.Visibility, 40), fmt.Sprint(g.MemberCount), g.ID})
	}
	if err := p.table(rows); err != nil {
		return err
	}
	p.more(r.paging, len(r.Teams))
	return nil
}

func (p *program) cmdGuildInvite(as *string) *cobra.Command {
	var role string
	var uses int
	var expires time.Duration
	c := &cobra.Command{
		Use: "invite ID", Short: "Make an invitation and print its code", Args: words("guild id"),
		Long: "Make an invitation and print its code, which is shown once. Who has it joins with meshd guild join ID --code\n" +
			"CODE, on any node: the part behind the dot says which node keeps the guild.",
		RunE: func(c *cobra.Command, args []string) error {
			seconds := int64(expires / time.Second)
			if seconds < 1 {
				return usage("--expires needs at least a second, not %s", expires)
			}
			in := map[string]any{"role": role, "uses": uses, "expires_in": seconds}
			return p.askAs(c.Context(), *as, http.MethodPost, "/api/mesh/team/"+url.PathEscape(args[0])+"/invites", in, func(data json.RawMessage) error {
				return p.showInvite(args[0], data)
			})
		},
	}
	c.Flags().StringVar(&role, "role", "member", "the role it gives: member or viewer")
	c.Flags().IntVar(&uses, "uses", 1, "how many agents may use it")
	c.Flags().DurationVar(&expires, "expires", 7*24*time.Hour, "how long it lasts")
	return c
}

func (p *program) showInvite(guild string, data json.RawMessage) error {
	var r struct {
		ID, Code, Role string
		Uses           int
		ExpiresAt      string `json:"expires_at"`
	}
	if err := decode(data, &r); err != nil {
		return err
	}
	return p.made(r.Code, "code", r.Code+"  (shown once)", "role", oneLine(r.Role, 16), "uses", fmt.Sprint(r.Uses), "until", r.ExpiresAt,
		"join", "meshd guild join "+oneLine(guild, 80)+" --code "+r.Code)
}

func (p *program) cmdGuildJoin(as *string) *cobra.Command {
	var code string
	c := &cobra.Command{
		Use: "join ID", Short: "Join a guild", Args: words("guild id"),
		Long: "Join a guild: a public one by its id, another one with the code of an invitation. A guild that another node\n" +
			"keeps is asked for there, so this node must run and have met it.",
		RunE: func(c *cobra.Command, args []string) error {
			return p.askAs(c.Context(), *as, http.MethodPost, "/api/mesh/guilds/"+url.PathEscape(args[0])+"/join", given("invite_code", code), p.showJoined)
		},
	}
	c.Flags().StringVar(&code, "code", "", "code of an invitation")
	return c
}

func (p *program) showJoined(data json.RawMessage) error {
	var r struct {
		Role          string
		Members       int
		AlreadyMember bool `json:"already_member"`
		Team          struct{ ID, Name, Mode string }
	}
	if err := decode(data, &r); err != nil {
		return err
	}
	verb := "joined"
	if r.AlreadyMember {
		verb = "was in"
	}
	return p.facts(verb, oneLine(r.Team.Name, 80)+"  "+r.Team.ID, "role", oneLine(r.Role, 16), "members", fmt.Sprint(r.Members), "mode", oneLine(r.Team.Mode, 16))
}
