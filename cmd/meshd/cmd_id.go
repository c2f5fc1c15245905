package main

import (
	"encoding/json"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/gateway/admin"
	"github.com/meshd/meshd/node"
)

func (p *program) cmdID() *cobra.Command {
	c := &cobra.Command{Use: "id", Short: "Show and move the keys that this node acts with", Args: subcommand, RunE: func(c *cobra.Command, _ []string) error { return c.Help() }}
	c.AddCommand(&cobra.Command{
		Use: "show", Short: "Show the node, its owner's agent and the public halves of its keys", Args: nothing,
		RunE: func(c *cobra.Command, _ []string) error { return p.showID(c) },
	})
	c.AddCommand(p.cmdIDExport(), p.cmdIDImport(), p.cmdIDRotate(), p.cmdIDTakeHome(), p.cmdIDDevice(), p.cmdIDPassport(), p.cmdIDPassphrase())
	return c
}

// identity is what `id show` prints.
type identity struct {
	Node  string          `json:"node"`
	Agent string          `json:"agent"`
	DID   string          `json:"did"`
	Name  string          `json:"name"`
	Keys  []admin.KeyInfo `json:"keys"`
}

func (p *program) showID(c *cobra.Command) (err error) {
	d, err := p.door(c.Context(), existing)
	if err != nil {
		return err
	}
	defer func() {
		if e := d.close(); err == nil {
			err = e
		}
	}()
	var status node.Status
	var me struct{ AgentID, DID, Name string }
	var keys struct{ Keys []admin.KeyInfo }
	for path, into := range map[string]any{"/control/status": &status, "/api/mesh/me": &me, "/control/keys": &keys} {
		var data json.RawMessage
		if data, _, err = d.do(c.Context(), http.MethodGet, path, nil, nil, nil); err != nil {
			return p.refused(err)
		}
		if err := decode(data, into); err != nil {
			return err
		}
	}
	id := identity{status.PeerID, me.AgentID, me.DID, me.Name, keys.Keys}
	if p.json {
		return p.printJSON(id)
	}
	if err := p.facts("node", id.Node, "agent", id.Name+"  "+id.Agent, "did", id.DID); err != nil {
		return err
	}
	p.say("")
	rows := [][]string{{"KEY", "KIND", "PUBLIC"}}
	for _, k := range id.Keys {
		rows = append(rows, []string{k.Name, k.Kind, k.Public})
	}
	return p.table(rows)
}
