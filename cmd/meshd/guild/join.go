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

func cmdGuildJoin(s *session.Session, as *string) *cobra.Command {
	var code string
	c := &cobra.Command{
		Use: "join GUILD", Short: "Join a guild", Args: session.Words("guild id"),
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
