package guild

import (
	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

func cmdTeam(s *session.Session) *cobra.Command {
	c := &cobra.Command{
		Use: "team", Short: "Work in a guild: its board, its messages, who is there", Args: session.Subcommand,
		Long: "Work in a guild as one of its members: its board, its messages, who is there. Founding, joining and roles are\n" +
			"under meshd guild; what members write here goes to the nodes of members only.",
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	var as string
	c.PersistentFlags().StringVar(&as, "as", "", "name of another `AGENT` of this node")
	c.AddCommand(cmdTeamBoard(s, &as), cmdTeamMessage(s, &as), cmdTeamInbox(s, &as), cmdTeamMode(s, &as), cmdTeamMembers(s, &as), cmdTeamPresent(s, &as))
	return c
}
