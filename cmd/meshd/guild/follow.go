package guild

import (
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

// cmdGuildFollow is for the node of an agent that was taken into a private guild:
// its roles lie in the team itself, so nobody outside can know of them.
func cmdGuildFollow(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "follow GUILD", Short: "Ask members for a private guild that an agent of this node was taken into", Args: session.Words("guild id"),
		RunE: func(c *cobra.Command, args []string) error {
			return s.AskAs(c.Context(), "", http.MethodPost, "/api/mesh/team/"+url.PathEscape(args[0])+"/follow", nil,
				func(*session.Session, json.RawMessage) error {
					return s.Facts("follows", args[0], "next", "its members' nodes are asked when they are met; meshd guild show "+args[0])
				})
		},
	}
}
