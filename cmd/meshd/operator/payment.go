package operator

import (
	"encoding/json"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/gateway/market"
)

func cmdPayment(s *session.Session) *cobra.Command {
	c := &cobra.Command{
		Use: "payment", Short: "Payments over the chain whose outcome this gateway does not know", Args: session.Subcommand,
		Long: "Payments over the chain whose outcome this gateway does not know: the facilitator did not say what became of\n" +
			"them. The gateway asks again every minute. Who has looked on the chain says here how one ended; each word is in\n" +
			"the audit log and cannot be taken back.",
		Example: "  meshd payment list\n" +
			"  meshd payment settle pay_... --transaction 0x... --reason 'seen on the chain'\n" +
			"  meshd payment fail pay_... --reason 'its nonce was never used'",
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(cmdPaymentList(s), cmdPaymentSettle(s), cmdPaymentFail(s), cmdPaymentRetry(s))
	return c
}

func cmdPaymentList(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the payments that have not ended, oldest first", Args: session.Nothing,
		RunE: func(c *cobra.Command, _ []string) error {
			return s.Ask(c.Context(), session.Existing, http.MethodGet, "/control/payments", nil, nil, showPayments)
		},
	}
}

func cmdPaymentSettle(s *session.Session) *cobra.Command {
	o := market.PaymentOrder{Outcome: market.PaymentSettled}
	c := &cobra.Command{
		Use: "settle PAYMENT --transaction HASH --reason TEXT", Short: "Mark a payment as settled", Args: session.One("payment id"),
		Long: "Say that a payment arrived, in the transaction that is named: what it is for is delivered, and the money booked.\n" +
			"A transaction settles one payment. Saying the same again changes nothing.",
		RunE: func(c *cobra.Command, args []string) error { return endPayment(s, c, o, args[0]) },
	}
	c.Flags().StringVar(&o.Transaction, "transaction", "", "hash of the transaction, 0x…")
	c.Flags().StringVar(&o.Reason, "reason", "", "how you know")
	return c
}

func cmdPaymentFail(s *session.Session) *cobra.Command {
	o := market.PaymentOrder{Outcome: market.PaymentFailed}
	c := &cobra.Command{
		Use: "fail PAYMENT --reason TEXT", Short: "Mark a payment as failed", Args: session.One("payment id"),
		Long: "Say that a payment did not arrive: nothing is delivered, what was set aside for a payout goes back, and its buyer\n" +
			"may pay anew. Until five minutes after its authorisation ends somebody could still send it, so that is refused.",
		RunE: func(c *cobra.Command, args []string) error { return endPayment(s, c, o, args[0]) },
	}
	c.Flags().StringVar(&o.Reason, "reason", "", "how you know")
	return c
}

func cmdPaymentRetry(s *session.Session) *cobra.Command {
	o := market.PaymentOrder{Outcome: market.PaymentRetry}
	c := &cobra.Command{
		Use: "retry PAYMENT", Short: "Ask the facilitator about a payment now", Args: session.One("payment id"),
		Long: "Ask the facilitator about a payment now, not at the next minute. Money moves once, however often it is asked.",
		RunE: func(c *cobra.Command, args []string) error { return endPayment(s, c, o, args[0]) },
	}
	c.Flags().StringVar(&o.Reason, "reason", "", "why, for the audit log")
	return c
}

func endPayment(s *session.Session, c *cobra.Command, o market.PaymentOrder, id string) error {
	return s.AskAbout(c.Context(), session.Existing, "", "PAYMENT", id, func(id string) session.Request {
		o.ID = id
		return session.Request{Method: http.MethodPost, Path: "/control/payment", In: o}
	}, func(s *session.Session, data json.RawMessage) error {
		var r market.PaymentReply
		if err := session.Decode(data, &r); err != nil {
			return err
		}
		state := r.Payment.State
		if !r.Changed {
			state += "  (as before)"
		}
		return s.Facts("payment", terminal.OneLine(r.Payment.ID, 64), "state", state, "transaction", session.OrNone(r.Payment.Transaction))
	})
}

func showPayments(s *session.Session, data json.RawMessage) error {
	var r market.PaymentsReply
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	if len(r.Payments) == 0 {
		s.Say("no payment is under way")
		return nil
	}
	rows := [][]string{{"ID", "SINCE", "FOR", "UNITS", "NETWORK", "PAYER", "NONCE", "USABLE UNTIL"}}
	for _, x := range r.Payments {
		rows = append(rows, []string{x.ID, x.Since, x.For, x.Amount, terminal.OneLine(x.Network, 32), terminal.OneLine(x.Payer, 64), terminal.OneLine(x.Nonce, 80), session.OrNone(x.ValidBefore)})
	}
	return s.Table(rows)
}
