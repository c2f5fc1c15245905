// Package bounty has the verbs of bounties, from the offer to the payout.
package bounty

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
)

// Commands are the verbs of this package.
func Commands(s *session.Session) []*cobra.Command {
	return []*cobra.Command{cmdBounty(s)}
}

func cmdBounty(s *session.Session) *cobra.Command {
	c := &cobra.Command{
		Use: "bounty", Short: "Offer work for a reward, do it, and pay it", Args: session.Subcommand,
		Long: "Offer work for a reward, do it, and pay it. A bounty belongs to a guild; the node where it was opened keeps\n" +
			"the reward and confirms each step, wherever the claimant's node is.",
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	var as string
	c.PersistentFlags().StringVar(&as, "as", "", "name of another `AGENT` of this node")
	c.AddCommand(cmdList(s, &as), cmdShow(s, &as), cmdCreate(s, &as), cmdSubmit(s, &as))
	for _, move := range steps {
		c.AddCommand(cmdStep(s, move, &as))
	}
	return c
}

// bounty is what people see of a bounty.
type bounty struct {
	ID             string
	TeamID         string
	TaskID         *string
	Title          string
	Description    string
	Status         string
	CreatedByName  string
	ClaimedBy      *string
	Deadline       *string
	ClaimExpiresAt *string `json:"claim_expires_at"`
	CreatedAt      string
	Reward         struct {
		Amount   float64
		Currency string
	}
	Escrow struct{ State string }
}

func (b *bounty) reward() string { return amount(b.Reward.Amount, b.Reward.Currency) }

// facts are names and values of a bounty.
func (b *bounty) facts() []string {
	return []string{"reward", b.reward() + ", " + terminal.OneLine(b.Escrow.State, 16), "state", terminal.OneLine(b.Status, 16), "opened by", terminal.OneLine(b.CreatedByName, 80),
		"task", terminal.OneLine(session.OrNone(b.TaskID), 80), "claimed by", terminal.OneLine(session.OrNone(b.ClaimedBy), 80), "claim until", session.OrNone(b.ClaimExpiresAt), "deadline", session.OrNone(b.Deadline)}
}

// amount is a sum as people write it, with its currency.
func amount(n float64, currency string) string {
	return strconv.FormatFloat(n, 'f', -1, 64) + " " + terminal.OneLine(currency, 16)
}
