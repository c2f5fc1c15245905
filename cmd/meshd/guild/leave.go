package guild

import (
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

func cmdGuildLeave(s *session.Session, as *string) *cobra.Command {
	return &cobra.Command{
		Use: "leave GUILD", Short: "Leave a guild", Args: session.Words("guild id"),
		RunE: func(c *cobra.Command, args []string) error {
			return s.AskAs(c.Context(), *as, http.MethodPost, "/api/mesh/team/"+url.PathEscape(args[0])+"/leave", nil,
				func(*session.Session, json.RawMessage) error { return s.Facts("left", args[0]) })
		},
	}
}
