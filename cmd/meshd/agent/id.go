package agent

import (
	"encoding/json"
	"net/http"

	"github.com/meshd/meshd/node/health"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/gateway/admin"
)

func cmdID(s *session.Session) *cobra.Command {
	c := &cobra.Command{Use: "id", Short: "Show and move the keys that this node acts with", Args: session.Subcommand, RunE: func(c *cobra.Command, _ []string) error { return c.Help() }}
	c.AddCommand(&cobra.Command{
		Use: "show", Short: "Show the node, its owner's agent and the public halves of its keys", Args: session.Nothing,
		RunE: func(c *cobra.Command, _ []string) error { return showID(s, c) },
	})
	c.AddCommand(cmdIDExport(s), cmdIDImport(s), cmdIDRotate(s), cmdIDTakeHome(s), cmdIDDevice(s), cmdIDPassport(s), cmdIDPassphrase(s))
	return c
}

// identity is what `id show` prints.
type identity struct {
	Node  string `json:"node"`
	Agent string `json:"agent"`
	DID   string `json:"did"`
	// Algorithm is what the agent's acting key signs control changes with.
	Algorithm string          `json:"algorithm"`
	Name      string          `json:"name"`
	Keys      []admin.KeyInfo `json:"keys"`
}

func showID(s *session.Session, c *cobra.Command) (err error) {
	d, err := s.Connect(c.Context(), session.Existing)
	if err != nil {
		return err
	}
	defer func() {
		if e := d.Close(); err == nil {
			err = e
		}
	}()
	var status health.Status
	var me struct{ AgentID, DID, Algorithm, Name string }
	var keys struct{ Keys []admin.KeyInfo }
	for path, into := range map[string]any{"/control/status": &status, "/api/mesh/me": &me, "/control/keys": &keys} {
		var data json.RawMessage
		if data, _, err = d.Do(c.Context(), http.MethodGet, path, nil, nil, nil); err != nil {
			return s.Refused(err)
		}
		if err := session.Decode(data, into); err != nil {
			return err
		}
	}
	id := identity{status.PeerID, me.AgentID, me.DID, me.Algorithm, me.Name, keys.Keys}
	if s.JSON {
		return s.PrintJSON(id)
	}
	if err := s.Facts("node", id.Node, "agent", id.Name+"  "+id.Agent, "did", id.DID, "algorithm", id.Algorithm); err != nil {
		return err
	}
	s.Say("")
	rows := [][]string{{"KEY", "KIND", "ALGORITHM", "PUBLIC"}}
	for _, k := range id.Keys {
		rows = append(rows, []string{k.Name, k.Kind, k.Algorithm, terminal.OneLine(k.Public, maxPublic)})
	}
	return s.Table(rows)
}
