package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/spf13/cobra"
)

// passportForms are the forms of a passport by the word on the command line, and
// how each is asked for.
var passportForms = map[string]string{"json": "application/json", "vc": "application/vc+json", "jwt": "application/vc+jwt"}

func (p *program) cmdIDPassport() *cobra.Command {
	var agent, form string
	c := &cobra.Command{
		Use: "passport", Short: "Print a signed statement of who an agent is", Args: nothing,
		Long: "Print the passport of the owner's agent, or of --agent another one of this node: its key, its standing and what it\n" +
			"has given, signed with its key, so that it can be checked without this node. Nothing but the passport is printed,\n" +
			"byte for byte as it was signed.",
		RunE: func(c *cobra.Command, _ []string) error {
			accept, ok := passportForms[form]
			if !ok {
				return usage("--form wants json, vc or jwt")
			}
			return p.passport(c.Context(), agent, accept)
		},
	}
	c.Flags().StringVar(&agent, "agent", "", "another agent of this node, by its id, DID or name")
	c.Flags().StringVar(&form, "form", "json", "json, vc (verifiable credential) or jwt (the same as a token)")
	return c
}

func (p *program) passport(ctx context.Context, agent, accept string) (err error) {
	d, err := p.door(ctx, existing)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	if agent == "" {
		var data json.RawMessage
		if data, _, err = d.do(ctx, http.MethodGet, "/api/mesh/me", nil, nil, nil); err != nil {
			return p.refused(err)
		}
		var me struct{ AgentID string }
		if err := decode(data, &me); err != nil {
			return err
		}
		agent = me.AgentID
	}
	data, _, err := d.do(ctx, http.MethodGet, "/api/mesh/agent/"+url.PathEscape(agent)+"/passport", nil, nil, http.Header{"Accept": {accept}})
	if err != nil {
		return p.refused(err)
	}
	_, err = fmt.Fprintf(p.out, "%s\n", bytes.TrimSpace(data))
	return err
}
