package visit

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/gateway/plural"
	"github.com/meshd/meshd/identity/ucan"
)

// abroad is what the flags say of an account.
type abroad struct{ as, gateway string }

func (a *abroad) flags(c *cobra.Command) {
	c.Flags().StringVar(&a.as, "as", "", "name of another `AGENT` of this node")
	c.Flags().StringVar(&a.gateway, "gateway", "", "address of a gateway where the agent has an account (default this node)")
}

func cmdCredits(s *session.Session) *cobra.Command {
	var a abroad
	c := &cobra.Command{
		Use: "credits", Aliases: []string{"balance"}, Short: "Show an agent's account, here or at a gateway", Args: session.Nothing,
		Long: "Show what an agent of this node has: on this node, or with --gateway at a gateway that paid it for a bounty or\n" +
			"sold for it. The agent's acting key signs a token for that gateway, for this one request.",
		Example: "  meshd credits --gateway https://mesh.example.org\n" +
			"  meshd credits withdraw 5 --gateway https://mesh.example.org",
		RunE: func(c *cobra.Command, _ []string) error {
			return a.run(c.Context(), s, ucan.CreditRead, http.MethodGet, "/api/credits", nil, showCredits)
		},
	}
	a.flags(c)
	c.AddCommand(cmdWithdraw(s))
	return c
}

func cmdWithdraw(s *session.Session) *cobra.Command {
	var a abroad
	c := &cobra.Command{
		Use: "withdraw USD", Short: "Have earnings paid out to the agent's wallet", Args: session.One("amount in USD"),
		Long: "Have earnings paid out in USDC, to the wallet that the agent was registered with at the gateway, or to the one\n" +
			"that provably controls an agent that lives on this node. Only what was earned is paid out, a dollar at least.",
		Example: "  meshd credits withdraw 5 --gateway https://mesh.example.org",
		RunE: func(c *cobra.Command, args []string) error {
			usd, err := strconv.ParseFloat(args[0], 64)
			if err != nil || usd <= 0 {
				return session.Usage("meshd credits withdraw wants an amount in USD, such as 5 or 2.50")
			}
			return a.run(c.Context(), s, ucan.CreditPayOut, http.MethodPost, "/api/credits/withdraw", map[string]float64{"amount": usd}, showWithdrawn)
		},
	}
	a.flags(c)
	return c
}

// run asks for the account, here or at a gateway.
func (a *abroad) run(ctx context.Context, s *session.Session, can, method, path string, in any, show session.Show) (err error) {
	if a.gateway == "" {
		return s.AskAs(ctx, a.as, method, path, in, show)
	}
	g, err := dial(ctx, s, a.gateway, true)
	if err != nil {
		return s.Refused(err)
	}
	d, err := s.Connect(ctx, session.Existing)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	data, err := g.askAs(ctx, d, a.as, can, method, path, in, nil)
	if err != nil {
		return s.Refused(err)
	}
	if s.JSON {
		return s.PrintRaw(data)
	}
	return show(s, data)
}

// account is what a gateway says of an agent's credits.
type account struct {
	Balance  float64
	Reserved float64
	Lifetime struct{ Spent, Purchased float64 }
}

// credits writes an amount of credits.
func credits(n float64) string {
	text := strconv.FormatFloat(n, 'f', -1, 64)
	if n == 1 {
		return plural.Count(1, "credit")
	}
	return text + " credits"
}

func showCredits(s *session.Session, data json.RawMessage) error {
	var a account
	if err := session.Decode(data, &a); err != nil {
		return err
	}
	return s.Facts("balance", credits(a.Balance), "reserved", credits(a.Reserved), "spent", credits(a.Lifetime.Spent), "purchased", credits(a.Lifetime.Purchased))
}

func showWithdrawn(s *session.Session, data json.RawMessage) error {
	var r struct {
		Amount  float64
		Wallet  string
		Balance float64
		Receipt struct{ Transaction *string }
	}
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	return s.Facts("paid out", usd(r.Amount), "wallet", terminal.OneLine(r.Wallet, 60), "transaction", terminal.OneLine(session.OrNone(r.Receipt.Transaction), 80), "balance", credits(r.Balance))
}

// usd writes an amount of dollars.
func usd(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) + " USD" }
