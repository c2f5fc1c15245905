package guild

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"

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

func cmdGuildInvite(s *session.Session, as *string) *cobra.Command {
	var role string
	var uses int
	var expires time.Duration
	c := &cobra.Command{
		Use: "invite ID", Short: "Make an invitation and print its code", Args: session.Words("guild id"),
		Long: "Make an invitation and print its code, which is shown once. Who has it joins with meshd guild join ID --code\n" +
			"CODE, on any node: the part behind the dot says which node keeps the guild.",
		RunE: func(c *cobra.Command, args []string) error {
			seconds := int64(expires / time.Second)
			if seconds < 1 {
				return session.Usage("--expires needs at least a second, not %s", expires)
			}
			in := map[string]any{"role": role, "uses": uses, "expires_in": seconds}
			return s.AskAs(c.Context(), *as, http.MethodPost, "/api/mesh/team/"+url.PathEscape(args[0])+"/invites", in, func(s *session.Session, data json.RawMessage) error {
				return showInvite(s, args[0], data)
			})
		},
	}
	c.Flags().StringVar(&role, "role", "member", "the role it gives: member or viewer")
	c.Flags().IntVar(&uses, "uses", 1, "how many agents may use it")
	c.Flags().DurationVar(&expires, "expires", 7*24*time.Hour, "how long it lasts")
	return c
}

func showInvite(s *session.Session, guild string, data json.RawMessage) error {
	var r struct {
		ID, Code, Role string
		Uses           int
		ExpiresAt      string `json:"expires_at"`
	}
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	return s.Made(r.Code, "code", r.Code+"  (shown once)", "role", terminal.OneLine(r.Role, 16), "uses", fmt.Sprint(r.Uses), "until", r.ExpiresAt,
		"join", "meshd guild join "+terminal.OneLine(guild, 80)+" --code "+r.Code)
}

func cmdGuildJoin(s *session.Session, as *string) *cobra.Command {
	var code string
	c := &cobra.Command{
		Use: "join ID", Short: "Join a guild", Args: session.Words("guild id"),
		Long: "Join a guild: a public one by its id, another one with the code of an invitation. A guild that another node\n" +
			"keeps is asked for there, so this node must run and have met it.",
		RunE: func(c *cobra.Command, args []string) error {
			return s.AskAs(c.Context(), *as, http.MethodPost, "/api/mesh/guilds/"+url.PathEscape(args[0])+"/join", session.Given("invite_code", code), showJoined)
		},
	}
	c.Flags().StringVar(&code, "code", "", "code of an invitation")
	return c
}

func showJoined(s *session.Session, data json.RawMessage) error {
	var r struct {
		Role          string
		Members       int
		AlreadyMember bool `json:"already_member"`
		Team          struct{ ID, Name, Mode string }
	}
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	verb := "joined"
	if r.AlreadyMember {
		verb = "was in"
	}
	return s.Facts(verb, terminal.OneLine(r.Team.Name, 80)+"  "+r.Team.ID, "role", terminal.OneLine(r.Role, 16), "members", fmt.Sprint(r.Members), "mode", terminal.OneLine(r.Team.Mode, 16))
}
