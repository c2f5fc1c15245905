package agent

import (
	"encoding/json"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

func cmdIDDevice(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "device", Short: "Make a key here for an agent that lives on another node", Args: session.Nothing,
		Long: "Make a device key in this vault, for an agent whose acting key lies on another node. Run the command it prints\n" +
			"there: this node then acts for the agent too, with chains of its own.",
		RunE: func(c *cobra.Command, _ []string) error {
			return s.Ask(c.Context(), session.Writable, http.MethodPost, "/api/mesh/identity/device", nil, nil, func(s *session.Session, data json.RawMessage) error {
				var r struct{ DID string }
				if err := session.Decode(data, &r); err != nil {
					return err
				}
				return s.Facts("device", r.DID, "next", "on the agent's own node: meshd cap issue --to "+r.DID+" --can '*' --expires 720h --renew")
			})
		},
	}
}
