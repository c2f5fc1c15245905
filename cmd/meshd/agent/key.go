package agent

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
)

func cmdKey(s *session.Session) *cobra.Command {
	c := &cobra.Command{
		Use: "key", Short: "API keys of an agent of this node", Args: session.Subcommand,
		Long: "API keys open what they are made for, and nothing else: programs that speak to this node with one act as its agent.",
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(cmdKeyList(s), cmdKeyNew(s), cmdKeyRevoke(s))
	return c
}

func cmdKeyList(s *session.Session) *cobra.Command {
	var as string
	var all bool
	c := &cobra.Command{
		Use: "list", Short: "List API keys, without their secrets", Args: session.Nothing,
		RunE: func(c *cobra.Command, _ []string) error {
			return s.AskAs(c.Context(), as, http.MethodGet, "/api/mesh/keys", nil, func(s *session.Session, data json.RawMessage) error {
				return listKeys(s, data, all, time.Now())
			})
		},
	}
	c.Flags().StringVar(&as, "as", "", "name of another `AGENT` of this node")
	c.Flags().BoolVar(&all, "all", false, "also those that ended in the last 30 days")
	return c
}

func cmdKeyNew(s *session.Session) *cobra.Command {
	var as, label, expires string
	var scopes []string
	c := &cobra.Command{
		Use: "new --label LABEL --scopes SCOPE,...", Short: "Make an API key; its secret is printed once", Args: session.Nothing,
		Long: "Make an API key. Its secret is printed this once, and kept nowhere; -q prints nothing else.",
		Example: "  meshd key new --label ci --scopes mesh:read,mesh:write --expires 720h\n" +
			"  MESH_API_KEY=$(meshd key new -q --label reader --scopes mesh:read)",
		RunE: func(c *cobra.Command, _ []string) error {
			if label == "" || len(scopes) == 0 {
				return session.Usage("%s needs --label and --scopes: %s", c.CommandPath(), c.UseLine())
			}
			in := map[string]any{"label": label, "scopes": scopes}
			if expires != "" {
				at, err := ending(expires, time.Now())
				if err != nil {
					return err
				}
				in["expires_at"] = at.Format(time.RFC3339)
			}
			return s.AskAs(c.Context(), as, http.MethodPost, "/api/mesh/keys", in, showNewKey)
		},
	}
	f := c.Flags()
	f.StringVar(&label, "label", "", "what the key is for, such as ci")
	f.StringSliceVar(&scopes, "scopes", nil, "`SCOPES` that it may be used for: mesh:read, mesh:write, team, bounty, studio, absorb, pay, keys, or * for all")
	f.StringVar(&expires, "expires", "", "when it ends: 720h, 2027-01-31 or 2027-01-31T10:00:00Z (default never)")
	f.StringVar(&as, "as", "", "name of another `AGENT` of this node")
	return c
}

// ending reads a time to come, or how far off it is.
func ending(text string, now time.Time) (time.Time, error) {
	if d, err := time.ParseDuration(text); err == nil {
		if d <= 0 {
			return time.Time{}, session.Usage("--expires %q is over already", text)
		}
		return now.Add(d).UTC(), nil
	}
	for _, form := range []string{time.RFC3339, time.DateOnly} {
		if at, err := time.Parse(form, text); err == nil {
			if !at.After(now) {
				return time.Time{}, session.Usage("--expires %q is over already", text)
			}
			return at.UTC(), nil
		}
	}
	return time.Time{}, session.Usage("--expires %q is neither a time such as 2027-01-31T10:00:00Z nor a span such as 24h", text)
}

func cmdKeyRevoke(s *session.Session) *cobra.Command {
	var as string
	c := &cobra.Command{
		Use: "revoke KEY", Short: "End an API key, and what it issued", Args: session.One("id of a key"),
		Long: "End an API key at once, with the keys, capabilities and invitations that it issued.",
		RunE: func(c *cobra.Command, args []string) error {
			return s.AskAbout(c.Context(), session.Existing, as, "KEY", args[0], func(id string) session.Request {
				return session.Request{Method: http.MethodDelete, Path: "/api/mesh/keys/" + url.PathEscape(id)}
			}, showRevokedKey)
		},
	}
	c.Flags().StringVar(&as, "as", "", "name of another `AGENT` of this node")
	return c
}

// apiKey is what people see of an API key.
type apiKey struct {
	ID, Prefix, Label string
	Scopes            []string
	CreatedAt         string  `json:"created_at"`
	LastUsedAt        *string `json:"last_used_at"`
	ExpiresAt         *string `json:"expires_at"`
	RevokedAt         *string `json:"revoked_at"`
}

// ended says when a key stopped being good, "" while it is.
func (k apiKey) ended(now time.Time) string {
	for _, at := range []*string{k.RevokedAt, k.ExpiresAt} {
		if t, err := time.Parse(time.RFC3339, session.OrNone(at)); err == nil && !t.After(now) {
			return *at
		}
	}
	return ""
}

func listKeys(s *session.Session, data json.RawMessage, all bool, now time.Time) error {
	var r struct{ Keys []apiKey }
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	rows := [][]string{{"ID", "LABEL", "SCOPES", "MADE", "USED", "ENDS"}}
	for _, k := range r.Keys {
		end, used := "never", "never"
		if k.ExpiresAt != nil {
			end = terminal.OneLine(*k.ExpiresAt, 40)
		}
		if at := k.ended(now); at != "" {
			if !all {
				continue
			}
			end = "ended " + session.Ago(at, now)
		}
		if k.LastUsedAt != nil {
			used = session.Ago(*k.LastUsedAt, now)
		}
		rows = append(rows, []string{terminal.OneLine(k.ID, 80), terminal.OneLine(k.Label, 40), terminal.OneLine(strings.Join(k.Scopes, ","), 80), session.Ago(k.CreatedAt, now), used, end})
	}
	return s.Table(rows)
}

func showNewKey(s *session.Session, data json.RawMessage) error {
	var r struct {
		APIKey string `json:"api_key"`
		Key    apiKey
	}
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	if s.Quiet {
		_, err := fmt.Fprintln(s.Out, r.APIKey)
		return err
	}
	return s.Facts("key", r.Key.ID, "label", terminal.OneLine(r.Key.Label, 80), "scopes", strings.Join(r.Key.Scopes, ", "), "ends", session.OrNone(r.Key.ExpiresAt),
		"secret", r.APIKey+"  (shown this once)")
}

func showRevokedKey(s *session.Session, data json.RawMessage) error {
	var r struct {
		Ended struct{ Keys, Capabilities, Invitations, Open []string }
	}
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	e := r.Ended
	if err := s.Facts("ended", strings.Join(e.Keys, "\n\t"), "capabilities", strings.Join(e.Capabilities, "\n\t"), "invitations", strings.Join(e.Invitations, "\n\t")); err != nil {
		return err
	}
	if len(e.Open) > 0 {
		fmt.Fprintf(s.Err, "another node writes for the agent now; revoke there: %s\n", strings.Join(e.Open, ", "))
	}
	return nil
}
