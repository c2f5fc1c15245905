package delegation

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

func cmdReissue(s *session.Session) *cobra.Command {
	var as string
	c := &cobra.Command{
		Use: "reissue CID|TOKEN", Short: "Say a capability in the other version of UCAN", Args: session.One("token, or its content id"),
		Long: "Make tokens of UCAN 1.0 from one of 0.10 that the agent issued, one for each of its rights, or one of 0.10 from one\n" +
			"of 1.0. A chain never mixes the two: what is made begins a chain, is signed by the same issuer for the same holder,\n" +
			"gives no more and ends no later. It is not in the log, and ends when the one it was made from is revoked here.\n" +
			"Prints the tokens, one a line.",
		Example: "  meshd cap reissue bafkrei...",
		RunE: func(c *cobra.Command, args []string) error {
			return s.AskAbout(c.Context(), session.Existing, as, "CID", args[0], func(id string) session.Request {
				return session.Request{Method: http.MethodPost, Path: "/api/mesh/capabilities/reissue", In: map[string]string{"token": id}}
			}, showReissued)
		},
	}
	c.Flags().StringVar(&as, "as", "", "name of another `AGENT` of this node")
	return c
}

func showReissued(s *session.Session, data json.RawMessage) error {
	var r struct{ Tokens []struct{ Token string } }
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	for _, t := range r.Tokens {
		if _, err := fmt.Fprintln(s.Out, t.Token); err != nil {
			return err
		}
	}
	return nil
}
