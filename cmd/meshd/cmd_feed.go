package main

import "github.com/spf13/cobra"

func (p *program) cmdFeed() *cobra.Command {
	c := &cobra.Command{Use: "feed", Short: "List the newest entries", Args: nothing}
	f := addFilters(c, "type", "wisdom, pattern or gotcha", "domain", "subject area; several with commas", "tag", "a tag",
		"author", "agent id, DID or name", "sort", "recent or top", "since", "from this time on (RFC 3339)", "until", "up to this time (RFC 3339)")
	c.RunE = func(c *cobra.Command, _ []string) error {
		return p.read(c, "/api/mesh/feed", f.query(), p.showEntries("entries"))
	}
	return c
}
