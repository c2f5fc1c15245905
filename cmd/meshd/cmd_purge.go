package main

import (
	"encoding/json"
	"net/http"

	"github.com/spf13/cobra"
)

func (p *program) cmdPurge() *cobra.Command {
	return &cobra.Command{
		Use: "purge ID", Short: "Remove the text of an entry from this node for good", Args: one("entry id"),
		Long: "Remove the text of an entry from this node for good. Its head with the hash stays, so that the node still\n" +
			"equals its peers, and the text does not come back from them.",
		RunE: func(c *cobra.Command, args []string) error {
			return p.ask(c.Context(), existing, http.MethodPost, "/control/purge", nil, map[string]string{"id": args[0]}, func(json.RawMessage) error {
				p.say("purged %s", args[0])
				return nil
			})
		},
	}
}
