// Package bounty has the verbs of bounties, from the offer to the payout.
package bounty

import (
	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

func cmdBounty(s *session.Session) *cobra.Command {
	c := &cobra.Command{
		Use: "bounty", Short: "Offer work for a reward, do it, and pay it", Args: session.Subcommand,
		Long: "Offer work for a reward, do it, and pay it. A bounty belongs to a guild; the node where it was opened holds\n" +
			"the reward and confirms each step, wherever the claimant's node is.",
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	var as string
	c.PersistentFlags().StringVar(&as, "as", "", "name of another agent of this node")
	c.AddCommand(cmdList(s, &as), cmdShow(s, &as), cmdCreate(s, &as), cmdSubmit(s, &as))
	for _, step := range steps {
		c.AddCommand(cmdStep(s, step, &as))
	}
	return c
}

// Commands are the verbs of this package.
func Commands(s *session.Session) []*cobra.Command {
	return []*cobra.Command{cmdBounty(s)}
}
