package delegation

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
)

func cmdList(s *session.Session) *cobra.Command {
	var as string
	c := &cobra.Command{
		Use: "list", Short: "List the capabilities issued and received", Args: session.Nothing,
		Example: "  meshd cap list",
		RunE: func(c *cobra.Command, _ []string) error {
			return s.AskAs(c.Context(), as, http.MethodGet, "/api/mesh/capabilities", nil, showCapabilities)
		},
	}
	c.Flags().StringVar(&as, "as", "", "name of another `AGENT` of this node")
	return c
}

// heldRight is a capability as a list shows it.
type heldRight struct {
	CID          string
	State        string
	Issuer       string
	Audience     string
	Role         *string
	Capabilities []struct{ With, Can string }
	Expires      *string `json:"expires_at"`
}

func showCapabilities(s *session.Session, data json.RawMessage) error {
	var r struct{ Issued, Received []heldRight }
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	if len(r.Issued)+len(r.Received) == 0 {
		s.Say("no capabilities yet")
		return nil
	}
	rows := [][]string{{"CID", "STATE", "TO/FROM", "WHAT", "UNTIL"}}
	for _, c := range r.Issued {
		rows = append(rows, c.row("to "+c.Audience))
	}
	for _, c := range r.Received {
		rows = append(rows, c.row("from "+c.Issuer))
	}
	return s.Table(rows)
}

func (c heldRight) row(party string) []string {
	var what []string
	if c.Role != nil {
		what = []string{"role " + *c.Role}
	}
	for _, x := range c.Capabilities {
		if c.Role == nil {
			what = append(what, x.Can)
		}
	}
	until := "-" // as long as it is not revoked
	if c.Expires != nil {
		until = *c.Expires
	}
	return []string{c.CID, c.State, terminal.OneLine(party, 100), terminal.OneLine(strings.Join(what, " "), 80), until}
}
