package knowledge

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

func cmdQuery(s *session.Session) *cobra.Command {
	c := &cobra.Command{Use: "query TEXT", Short: "Find entries by words"}
	f := session.AddFilters(c, "type", "wisdom, pattern or gotcha", "domain", "subject area; several with commas", "tag", "a tag",
		"author", "agent id, DID or name", "since", "from this time on (RFC 3339)")
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return session.Usage("query needs words to look for: meshd query TEXT")
		}
		q := f.Query()
		q.Set("q", strings.Join(args, " "))
		return s.Read(c, "/api/mesh/search", q, showEntries("results"))
	}
	return c
}
