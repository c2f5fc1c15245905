// Package guild has the verbs of guilds and of the teams in them.
package guild

import (
	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

// Commands are the verbs of this package.
func Commands(s *session.Session) []*cobra.Command {
	return []*cobra.Command{cmdGuilds(s), cmdGuild(s), cmdTeam(s)}
}

func cmdGuild(s *session.Session) *cobra.Command {
	c := &cobra.Command{
		Use: "guild", Short: "Found a guild, join one, and say who is in it", Args: session.Subcommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	var as string
	c.PersistentFlags().StringVar(&as, "as", "", "name of another `AGENT` of this node")
	c.AddCommand(cmdGuildCreate(s, &as), cmdGuildList(s, &as), cmdGuildShow(s, &as), cmdGuildInvite(s, &as), cmdGuildJoin(s, &as), cmdGuildRole(s, &as),
		cmdGuildRemove(s, &as), cmdGuildLeave(s, &as), cmdGuildFollow(s))
	return c
}
