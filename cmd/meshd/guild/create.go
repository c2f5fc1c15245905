package guild

import (
	"encoding/json"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
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
	c.Flags().StringVar(&kind, "type", "dev", "what it is for")
	session.Choices(c, "type", "bounty", "social", "research", "dev")
	c.Flags().StringVar(&visibility, "visibility", "private", "who sees it")
	session.Choices(c, "visibility", "public", "internal", "private")
	return c
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
