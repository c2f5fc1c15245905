package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

// passportForms are the media types of the forms of a passport, by the word on the
// command line.
var passportForms = map[string]string{"json": "application/json", "vc": "application/vc+json", "jwt": "application/vc+jwt", "binary": "application/octet-stream"}

func cmdIDPassport(s *session.Session) *cobra.Command {
	var agent, form string
	c := &cobra.Command{
		Use: "passport", Short: "Print a signed statement of who an agent is", Args: session.Nothing,
		Long: "Print the passport of the owner's agent, or of --agent another one of this node: its key, its standing and what it\n" +
			"has given, signed with its key, so that it can be checked without this node. Nothing but the passport is printed,\n" +
			"byte for byte as it was signed. meshd id passport verify checks one.",
		RunE: func(c *cobra.Command, _ []string) error {
			accept, ok := passportForms[form]
			if !ok {
				return session.Usage("--form wants json, vc, jwt or binary")
			}
			return printPassport(c.Context(), s, agent, accept)
		},
	}
	c.AddCommand(cmdIDPassportVerify(s))
	c.Flags().StringVar(&agent, "agent", "", "another `AGENT` of this node, by its id, DID or name")
	c.Flags().StringVar(&form, "form", "json", "vc is a verifiable credential, jwt the same as a token")
	session.Choices(c, "form", "json", "vc", "jwt", "binary")
	return c
}

func printPassport(ctx context.Context, s *session.Session, agent, accept string) (err error) {
	d, err := s.Connect(ctx, session.Existing)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if agent == "" {
		var data json.RawMessage
		if data, _, err = d.Do(ctx, http.MethodGet, "/api/mesh/me", nil, nil, nil); err != nil {
			return s.Refused(err)
		}
		var me struct{ AgentID string }
		if err := session.Decode(data, &me); err != nil {
			return err
		}
		agent = me.AgentID
	}
	data, _, err := d.Do(ctx, http.MethodGet, "/api/mesh/agent/"+url.PathEscape(agent)+"/passport", nil, nil, http.Header{"Accept": {accept}})
	if err != nil {
		return s.Refused(err)
	}
	if accept != passportForms["binary"] {
		data = append(bytes.TrimSpace(data), '\n')
	}
	_, err = s.Out.Write(data)
	return err
}
