package bounty

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
)

// step is a command that moves a bounty on.
type step struct {
	name, use, short string
	path             string // last part of the address, when it is not the name
	why              bool   // takes a reason as text
	work             bool   // takes --submission
	verdict          bool   // takes a verdict before the reason
}

// steps are the commands that answer with the bounty.
var steps = []step{
	{name: "claim", use: "claim BOUNTY", short: "Claim an open bounty"},
	{name: "release", use: "release BOUNTY", short: "Give a claim back"},
	{name: "changes", use: "changes BOUNTY REASON", short: "Ask the claimant for more", path: "request-changes", why: true},
	{name: "accept", use: "accept BOUNTY", short: "Accept what was handed in", work: true},
	{name: "payout", use: "payout BOUNTY", short: "Pay what was handed in, accepting it first", work: true},
	{name: "cancel", use: "cancel BOUNTY", short: "Take an open bounty back; the reward returns"},
	{name: "dispute", use: "dispute BOUNTY REASON", short: "Ask for an arbiter", why: true},
	{name: "resolve", use: "resolve BOUNTY pay|refund|split REASON", short: "End a dispute as its arbiter", why: true, verdict: true},
}

func isStep(name string) bool {
	return slices.ContainsFunc(steps, func(s step) bool { return s.name == name })
}

func cmdStep(s *session.Session, move step, as *string) *cobra.Command {
	var submission string
	var split int
	c := &cobra.Command{
		Use: move.use, Short: move.short, Args: move.args(),
		RunE: func(c *cobra.Command, args []string) error {
			in := move.read(args[1:])
			if submission != "" {
				in["submissionId"] = submission
			}
			if split != 0 {
				in["split_pct"] = split
			}
			name := move.name
			if move.path != "" {
				name = move.path
			}
			return s.AskAs(c.Context(), *as, http.MethodPost, "/api/mesh/bounties/"+url.PathEscape(args[0])+"/"+name, in, showStep)
		},
	}
	if move.work {
		c.Flags().StringVar(&submission, "submission", "", "id of the `SUBMISSION` that is meant; else the one that waits")
	}
	if move.verdict {
		c.Flags().IntVar(&split, "split-pct", 0, "percent for the claimant, of a split")
	}
	return c
}

// args names the words of a step.
func (s step) args() cobra.PositionalArgs {
	switch {
	case s.verdict:
		return session.WordsAndText("bounty id", "verdict", "reason")
	case s.why:
		return session.WordsAndText("bounty id", "reason")
	}
	return session.Words("bounty id")
}

// read is what the words behind the id say.
func (s step) read(args []string) map[string]any {
	in := map[string]any{}
	if s.verdict {
		in["verdict"], args = args[0], args[1:]
	}
	if s.why {
		in["reason"] = strings.Join(args, " ")
	}
	return in
}

func showStep(s *session.Session, data json.RawMessage) error {
	var r struct {
		Bounty       bounty
		Confirmed    *bool // payouts have none: they are made by the home itself
		PayoutResult *struct {
			Amount          float64
			Currency        string
			Settlement, Ref string
		}
	}
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	b, note, paid := r.Bounty, "", ""
	if r.Confirmed != nil && !*r.Confirmed {
		note = notYet
	}
	if o := r.PayoutResult; o != nil {
		paid = fmt.Sprintf("%s by %s, %s", amount(o.Amount, o.Currency), terminal.OneLine(o.Settlement, 16), terminal.OneLine(o.Ref, 80))
	}
	return s.Facts(append(append([]string{"bounty", b.ID, "title", terminal.OneLine(b.Title, 200)}, b.facts()...), "paid", paid, "note", note)...)
}
