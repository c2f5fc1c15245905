// Package network has the verbs of who runs a network: what its roots say about it.
package network

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/gateway/admin"
)

// Commands are the verbs of this package.
func Commands(s *session.Session) []*cobra.Command {
	c := &cobra.Command{
		Use: "network", Short: "Gateways, labelers and bootstrap addresses of this network", Args: session.Subcommand,
		Long: "What the roots of this network say about it, and the key by which they can list this node. meshd init --network\n" +
			"NAME begins a network; its root lies in the vault of that home.",
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(cmdManifest(s), cmdKey(s), cmdFile(s))
	return []*cobra.Command{c}
}

func cmdKey(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "key", Short: "Print the key by which a manifest lists this node", Args: session.Nothing,
		Long: "Print the key of this node's service agent, which counts reads, writes for guests and labels. The roots name it\n" +
			"in the manifest as that of a gateway, a labeler or both. The first call makes the agent.",
		Example: "  meshd network key",
		RunE: func(c *cobra.Command, _ []string) error {
			return s.Ask(c.Context(), session.Existing, http.MethodPost, "/control/manifest/key", nil, nil, func(s *session.Session, data json.RawMessage) error {
				var r admin.OwnKeyReply
				if err := session.Decode(data, &r); err != nil {
					return err
				}
				return s.Facts("key", r.Key)
			})
		},
	}
}

func cmdFile(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "file", Short: "Print the file of this network, with addresses to begin with", Args: session.Nothing,
		Long: "Print the file of this network for meshd init --network FILE: which network it is, the addresses of this node, which\n" +
			"runs, and of the peers that it asks first. It has no term and nobody counts it; meshd invite makes a line that has one.",
		Example: "  meshd network file    # > reading-circle.network keeps it",
		RunE: func(c *cobra.Command, _ []string) error {
			return s.Ask(c.Context(), session.Running, http.MethodGet, "/control/network/file", nil, nil, func(s *session.Session, data json.RawMessage) error {
				var r admin.NetworkFileReply
				if err := session.Decode(data, &r); err != nil {
					return err
				}
				_, err := fmt.Fprintln(s.Out, r.File)
				return err
			})
		},
	}
}
