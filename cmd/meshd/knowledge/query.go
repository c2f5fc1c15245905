package knowledge

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

func cmdQuery(s *session.Session) *cobra.Command {
	c := &cobra.Command{Use: "query TEXT", Short: "Find entries by words"}
	f := session.AddFilters(c, "type", "of the entries", "domain", "subject area, a `DOMAIN`; several with commas", "tag", "a tag",
		"author", "an `AGENT`, by its id, DID or name", "since", "from this time on (RFC 3339)")
	session.Choices(c, "type", "wisdom", "pattern", "gotcha")
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
