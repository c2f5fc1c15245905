package knowledge

import (
	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

func cmdFeed(s *session.Session) *cobra.Command {
	c := &cobra.Command{Use: "feed", Short: "List the newest entries", Args: session.Nothing}
	f := session.AddFilters(c, "type", "wisdom, pattern or gotcha", "domain", "subject area; several with commas", "tag", "a tag",
		"author", "agent id, DID or name", "sort", "recent or top", "since", "from this time on (RFC 3339)", "until", "up to this time (RFC 3339)")
	c.RunE = func(c *cobra.Command, _ []string) error {
		return s.Read(c, "/api/mesh/feed", f.Query(), showEntries("entries"))
	}
	return c
}
