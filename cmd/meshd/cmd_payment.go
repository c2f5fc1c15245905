package main

import (
	"encoding/json"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/gateway/market"
)

func (p *program) cmdPayment() *cobra.Command {
	c := &cobra.Command{
		Use: "payment", Short: "Payments over the chain whose outcome this gateway does not know", Args: subcommand,
		Long: "Payments over the chain whose outcome this gateway does not know: the facilitator did not say what became of\n" +
			"them. The gateway asks again every minute. Who has looked on the chain says here how one ended; each word is in\n" +
			"the audit log and cannot be taken back.",
		Example: "  meshd payment list\n" +
			"  meshd payment settle pay_... --transaction 0x... --reason 'seen on the chain'\n" +
			"  meshd payment fail pay_... --reason 'its nonce was never used'",
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(p.cmdPaymentList(), p.cmdPaymentSettle(), p.cmdPaymentFail(), p.cmdPaymentRetry())
	return c
}

func (p *program) cmdPaymentList() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the payments that have not ended, oldest first", Args: nothing,
		RunE: func(c *cobra.Command, _ []string) error {
			return p.ask(c.Context(), existing, http.MethodGet, "/control/payments", nil, nil, p.showPayments)
		},
	}
}

func (p *program) cmdPaymentSettle() *cobra.Command {
	o := market.PaymentOrder{Outcome: market.PaymentSettled}
	c := &cobra.Command{
		Use: "settle ID --transaction HASH --reason TEXT", Short: "Say that a payment arrived", Args: one("payment id"),
		Long: "Say that a payment arrived, in the transaction that is named: what it is for is handed out, and the money booked.\n" +
			"A transaction settles one payment. Saying the same again changes nothing.",
		RunE: func(c *cobra.Command, args []string) error { return p.endPayment(c, o, args[0]) },
	}
	c.Flags().StringVar(&o.Transaction, "transaction", "", "hash of the transaction, 0x…")
	c.Flags().StringVar(&o.Reason, "reason", "", "how you know")
	return c
}

func (p *program) cmdPaymentFail() *cobra.Command {
	o := market.PaymentOrder{Outcome: market.PaymentFailed}
	c := &cobra.Command{
		Use: "fail ID --reason TEXT", Short: "Say that a payment did not arrive", Args: one("payment id"),
		Long: "Say that a payment did not arrive: nothing is handed out, what was set aside for a payout goes back, and its buyer\n" +
			"may pay anew. Until five minutes after its authorisation ends somebody could still send it, so that is refused.",
		RunE: func(c *cobra.Command, args []string) error { return p.endPayment(c, o, args[0]) },
	}
	c.Flags().StringVar(&o.Reason, "reason", "", "how you know")
	return c
}

func (p *program) cmdPaymentRetry() *cobra.Command {
	o := market.PaymentOrder{Outcome: market.PaymentRetry}
	c := &cobra.Command{
		Use: "retry ID", Short: "Ask the facilitator about a payment now", Args: one("payment id"),
		Long: "Ask the facilitator about a payment now, not at the next minute. Money moves once, however often it is asked.",
		RunE: func(c *cobra.Command, args []string) error { return p.endPayment(c, o, args[0]) },
	}
	c.Flags().StringVar(&o.Reason, "reason", "", "why, for the audit log")
	return c
}

func (p *program) endPayment(c *cobra.Command, o market.PaymentOrder, id string) error {
	o.ID = id
	return p.ask(c.Context(), existing, http.MethodPost, "/control/payment", nil, o, func(data json.RawMessage) error {
		var r market.PaymentReply
		if err := decode(data, &r); err != nil {
			return err
		}
		state := r.Payment.State
		if !r.Changed {
			state += "  (as before)"
		}
		return p.facts("payment", oneLine(r.Payment.ID, 64), "state", state, "transaction", orNone(r.Payment.Transaction))
	})
}

func (p *program) showPayments(data json.RawMessage) error {
	var r market.PaymentsReply
	if err := decode(data, &r); err != nil {
		return err
	}
	if len(r.Payments) == 0 {
		p.say("no payment is under way")
		return nil
	}
	rows := [][]string{{"ID", "SINCE", "FOR", "UNITS", "NETWORK", "PAYER", "NONCE", "USABLE UNTIL"}}
	for _, x := range r.Payments {
		rows = append(rows, []string{x.ID, x.Since, x.For, x.Amount, oneLine(x.Network, 32), oneLine(x.Payer, 64), oneLine(x.Nonce, 80), orNone(x.ValidBefore)})
	}
	return p.table(rows)
}
