package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/gateway/admin"
)

func (p *program) cmdVerify() *cobra.Command {
	var deep bool
	c := &cobra.Command{
		Use: "verify", Short: "Read every stored change again and check it", Args: nothing,
		Long: "Read every stored change again and check its hashes and indexes. With --deep, look for strays and fold\n" +
			"the views anew besides. The exit code is 3 when something does not fit.",
		RunE: func(c *cobra.Command, _ []string) error {
			query, ok := url.Values{}, false
			if deep {
				query.Set("deep", "true")
			}
			err := p.withAnswer(c.Context(), existing, http.MethodGet, "/control/verify", query, nil, func(data json.RawMessage) error {
				var r admin.VerifyReply
				if err := decode(data, &r); err != nil {
					return err
				}
				ok = r.OK
				if p.json {
					return p.printRaw(data)
				}
				for _, text := range r.Problems {
					fmt.Fprintln(p.out, oneLine(text, 500))
				}
				verdict := p.paint(green, "sound")
				if !r.OK {
					verdict = p.paint(red, fmt.Sprintf("%d problems", len(r.Problems)))
				}
				return p.facts("changes", fmt.Sprint(r.Changes), "store", verdict, "views", map[bool]string{true: "as stored", false: "differ from the log"}[r.ViewsOK])
			})
			if err == nil && !ok {
				err = errDegraded
			}
			return err
		},
	}
	c.Flags().BoolVar(&deep, "deep", false, "check everything, and fold the views anew")
	return c
}
