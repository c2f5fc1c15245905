package main

import (
	"strings"

	"github.com/spf13/cobra"
)

func (p *program) cmdQuery() *cobra.Command {
	c := &cobra.Command{Use: "query TEXT", Short: "Find entries by words"}
	f := addFilters(c, "type", "wisdom, pattern or gotcha", "domain", "subject area; several with commas", "tag", "a tag",
		"author", "agent id, DID or name", "since", "from this time on (RFC 3339)")
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usage("query needs words to look for: meshd query TEXT")
		}
		q := f.query()
		q.Set("q", strings.Join(args, " "))
		return p.read(c, "/api/mesh/search", q, p.showEntries("results"))
	}
	return c
}
