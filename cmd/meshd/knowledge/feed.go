package knowledge

import (
	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

func cmdFeed(s *session.Session) *cobra.Command {
	c := &cobra.Command{Use: "feed", Short: "List the newest entries", Args: session.Nothing}
	f := session.AddFilters(c, "type", "of the entries", "domain", "subject area, a `DOMAIN`; several with commas", "tag", "a tag",
		"author", "an `AGENT`, by its id, DID or name", "sort", "by", "since", "from this time on (RFC 3339)", "until", "up to this time (RFC 3339)")
	session.Choices(c, "sort", "recent", "top")
	session.Choices(c, "type", "wisdom", "pattern", "gotcha")
	c.RunE = func(c *cobra.Command, _ []string) error {
		return s.Read(c, "/api/mesh/feed", f.Query(), showEntries("entries"))
	}
	return c
}
