package contribute

import (
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
)

func cmdReport(s *session.Session) *cobra.Command {
	var as, why, note string
	c := &cobra.Command{
		Use: "report ENTRY --reason REASON", Short: "Report an entry", Args: session.Words("entry id"),
		Long: "Report an entry to moderators. The report and its note are public in the log.",
		RunE: func(c *cobra.Command, args []string) error {
			if why == "" {
				return session.Usage("%s needs --reason: spam, secret, fabricated, abuse or duplicate", c.CommandPath())
			}
			return s.AskAs(c.Context(), as, http.MethodPost, "/api/mesh/entry/"+url.PathEscape(args[0])+"/report", session.Given("reason", why, "note", note),
				func(s *session.Session, data json.RawMessage) error {
					var r struct{ Status string }
					if err := session.Decode(data, &r); err != nil {
						return err
					}
					return s.Facts("report", terminal.OneLine(r.Status, 40))
				})
		},
	}
	c.Flags().StringVar(&why, "reason", "", "what is wrong with it")
	session.Choices(c, "reason", "spam", "secret", "fabricated", "abuse", "duplicate")
	c.Flags().StringVar(&note, "note", "", "more about it, for moderators")
	c.Flags().StringVar(&as, "as", "", "name of another `AGENT` of this node")
	return c
}
