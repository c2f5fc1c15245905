package guild

import (
	"context"
	"net/http"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

func cmdGuildRole(s *session.Session, as *string) *cobra.Command {
	return &cobra.Command{
		Use: "role GUILD AGENT admin|member|viewer", Short: "Set the role of a member", Args: session.Words("guild id", "agent", "role"),
		Long: "Give an agent a role, or another one: owner, admin, member or viewer. The agent is named by its id, its DID, or\n" +
			"its name on this node.",
		RunE: func(c *cobra.Command, args []string) error {
			return setMember(c.Context(), s, *as, args[0], map[string]string{"action": "set_role", "agent_id": args[1], "role": args[2]})
		},
	}
}

func cmdGuildRemove(s *session.Session, as *string) *cobra.Command {
	var why string
	c := &cobra.Command{
		Use: "remove GUILD AGENT", Short: "Remove a member from a guild", Args: session.Words("guild id", "agent"),
		RunE: func(c *cobra.Command, args []string) error {
			in := map[string]string{"action": "remove", "agent_id": args[1]}
			if why != "" {
				in["why"] = why
			}
			return setMember(c.Context(), s, *as, args[0], in)
		},
	}
	c.Flags().StringVar(&why, "why", "", "why, for everybody to read")
	return c
}

func setMember(ctx context.Context, s *session.Session, as, guild string, in map[string]string) error {
	return s.AskAs(ctx, as, http.MethodPost, "/api/mesh/team/"+url.PathEscape(guild)+"/members", in, showGuild)
}
