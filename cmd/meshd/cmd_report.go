package main

import (
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/spf13/cobra"
)

func (p *program) cmdReport() *cobra.Command {
	var as, why, note string
	c := &cobra.Command{
		Use: "report ENTRY --reason REASON", Short: "Tell moderators of an entry", Args: words("entry id"),
		Long: "Tell moderators of an entry. The report and its note are public in the log.",
		RunE: func(c *cobra.Command, args []string) error {
			if why == "" {
				return usage("%s needs --reason: spam, secret, fabricated, abuse or duplicate", c.CommandPath())
			}
			return p.askAs(c.Context(), as, http.MethodPost, "/api/mesh/entry/"+url.PathEscape(args[0])+"/report", given("reason", why, "note", note),
				func(data json.RawMessage) error {
					var r struct{ Status string }
					if err := decode(data, &r); err != nil {
						return err
					}
					return p.facts("report", oneLine(r.Status, 40))
				})
		},
	}
	c.Flags().StringVar(&why, "reason", "", "spam, secret, fabricated, abuse or duplicate")
	c.Flags().StringVar(&note, "note", "", "more about it, for moderators")
	c.Flags().StringVar(&as, "as", "", "name of another agent of this node")
	return c
}
