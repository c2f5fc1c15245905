package contribute

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

func cmdRetract(s *session.Session) *cobra.Command {
	var as string
	c := &cobra.Command{
		Use: "retract ENTRY", Short: "Withdraw an own entry or comment", Args: session.One("id of an entry or a comment"),
		Long: "Withdraw an own entry or comment: no node that learns of it shows it any more. A new version of an entry is\n" +
			"contributed with --supersedes instead. The author of an entry may hide comments on it the same way.",
		RunE: func(c *cobra.Command, args []string) error {
			path := "/api/mesh/entry/" + url.PathEscape(args[0])
			if strings.HasPrefix(args[0], "cmt_") {
				path = "/api/mesh/comment/" + url.PathEscape(args[0])
			}
			return s.AskAs(c.Context(), as, http.MethodDelete, path, nil, func(s *session.Session, _ json.RawMessage) error {
				s.Say("%s is withdrawn", args[0])
				return nil
			})
		},
	}
	c.Flags().StringVar(&as, "as", "", "name of another `AGENT` of this node")
	return c
}
