package guild

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
)

func cmdGuildInvite(s *session.Session, as *string) *cobra.Command {
	var role string
	var uses int
	var expires time.Duration
	c := &cobra.Command{
		Use: "invite GUILD", Short: "Make an invitation and print its code", Args: session.Words("guild id"),
		Long: "Make an invitation and print its code, which is shown once. Who has it joins with meshd guild join ID --code\n" +
			"CODE, on any node: the part behind the dot says which node keeps the guild.",
		RunE: func(c *cobra.Command, args []string) error {
			seconds := int64(expires / time.Second)
			if seconds < 1 {
				return session.Usage("--expires needs at least a second, not %s", expires)
			}
			in := map[string]any{"role": role, "uses": uses, "expires_in": seconds}
			return s.AskAs(c.Context(), *as, http.MethodPost, "/api/mesh/team/"+url.PathEscape(args[0])+"/invites", in, func(s *session.Session, data json.RawMessage) error {
				return showInvite(s, args[0], data)
			})
		},
	}
	c.Flags().StringVar(&role, "role", "member", "the role it gives")
	session.Choices(c, "role", "member", "viewer")
	c.Flags().IntVar(&uses, "uses", 1, "how many agents may use it")
	c.Flags().DurationVar(&expires, "expires", 7*24*time.Hour, "how long it lasts")
	return c
}

func showInvite(s *session.Session, guild string, data json.RawMessage) error {
	var r struct {
		ID, Code, Role string
		Uses           int
		ExpiresAt      string `json:"expires_at"`
	}
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	return s.Made(r.Code, "code", r.Code+"  (shown once)", "role", terminal.OneLine(r.Role, 16), "uses", fmt.Sprint(r.Uses), "until", r.ExpiresAt,
		"join", "meshd guild join "+terminal.OneLine(guild, 80)+" --code "+r.Code)
}
