package bounty

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
)

func cmdCreate(s *session.Session, as *string) *cobra.Command {
	var title, currency, task, deadline, key string
	var reward float64
	var priority int
	c := &cobra.Command{
		Use: "create GUILD --amount N [--title T] [TEXT|-]", Short: "Open a bounty; its reward is taken from the agent's account",
		Long: "Open a bounty; its reward is taken from the agent's account and kept until it is paid or comes back. The text,\n" +
			"as last argument or on standard input, says what counts as done. With --task it pays for a task of the board,\n" +
			"else a task is added.",
		Example: "  meshd bounty create gld_… --title \"Mend the fence\" --amount 25 --deadline 72h \"All of it, with a gate.\"",
		RunE: func(c *cobra.Command, args []string) (err error) {
			switch {
			case len(args) == 0:
				return session.Usage("%s needs one guild id: %s", c.CommandPath(), c.UseLine())
			case !c.Flags().Changed("amount"):
				return session.Usage("%s needs --amount: the reward", c.CommandPath())
			case task == "" && title == "":
				return session.Usage("%s needs --title, or --task for a task that is on the board", c.CommandPath())
			}
			in := session.Given("teamId", args[0], "title", title, "currency", currency, "taskId", task)
			in["amount"] = reward
			if priority != 0 {
				in["priority"] = priority
			}
			if deadline != "" {
				if in["deadline"], err = moment(deadline, time.Now()); err != nil {
					return err
				}
			}
			if task == "" || len(args) > 1 {
				if in["description"], err = s.Text("bounty create", args[1:]); err != nil {
					return err
				}
			}
			return s.Send(c.Context(), session.Request{As: *as, Method: http.MethodPost, Path: "/api/mesh/bounties", In: in, Key: key}, showOpened)
		},
	}
	f := c.Flags()
	f.Float64Var(&reward, "amount", 0, "the reward")
	f.StringVar(&currency, "currency", "credits", "credits or USDC")
	f.StringVar(&title, "title", "", "what is to be done")
	f.StringVar(&task, "task", "", "id of a task on the guild's board")
	f.StringVar(&deadline, "deadline", "", "a time (RFC 3339), or how long from now, such as 72h")
	f.IntVar(&priority, "priority", 0, "of the task that is added, 1 to 10")
	f.StringVar(&key, "idempotency-key", "", "name of this request: repeating it opens no second bounty")
	return c
}

// moment is a time of RFC 3339, or one so long from now.
func moment(text string, now time.Time) (string, error) {
	if d, err := time.ParseDuration(text); err == nil {
		return now.Add(d).UTC().Format(time.RFC3339), nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return "", session.Usage("%q is neither a time (2027-01-31T12:00:00Z) nor how long from now (72h)", text)
	}
	return t.UTC().Format(time.RFC3339), nil
}

func showOpened(s *session.Session, data json.RawMessage) error {
	var r struct{ Bounty bounty }
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	return s.Made(r.Bounty.ID, append([]string{"bounty", r.Bounty.ID, "title", terminal.OneLine(r.Bounty.Title, 200)}, r.Bounty.facts()...)...)
}

func cmdSubmit(s *session.Session, as *string) *cobra.Command {
	var proof string
	var entries []string
	c := &cobra.Command{
		Use: "submit ID [--proof TEXT] [--entry ID]... [SOLUTION|-]", Short: "Hand a solution in; an open bounty is claimed first",
		Long: "Hand a solution in; an open bounty is claimed first. Who pays and who submits can read it, nobody else.",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return session.Usage("%s needs one bounty id: %s", c.CommandPath(), c.UseLine())
			}
			solution, err := s.Text("bounty submit", args[1:])
			if err != nil {
				return err
			}
			in := session.Given("solution", solution, "proof", proof)
			if len(entries) > 0 {
				in["entry_ids"] = entries
			}
			return s.AskAs(c.Context(), *as, http.MethodPost, "/api/mesh/bounties/"+url.PathEscape(args[0])+"/submit", in, showSubmitted)
		},
	}
	c.Flags().StringVar(&proof, "proof", "", "what shows that it is done")
	c.Flags().StringArrayVar(&entries, "entry", nil, "id of an entry that came of it; may be repeated")
	return c
}

// notYet says of a step that the home of the bounty has not answered to.
const notYet = "written here; the node that holds the reward has not confirmed it yet"

func showSubmitted(s *session.Session, data json.RawMessage) error {
	var r struct {
		Submission work
		Confirmed  bool
	}
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	note := ""
	if !r.Confirmed {
		note = notYet
	}
	return s.Made(r.Submission.ID, "submission", r.Submission.ID, "state", terminal.OneLine(r.Submission.Status, 24), "note", note)
}

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
	{name: "claim", use: "claim ID", short: "Claim an open bounty"},
	{name: "release", use: "release ID", short: "Give a claim back"},
	{name: "changes", use: "changes ID REASON", short: "Ask the claimant for more", path: "request-changes", why: true},
	{name: "accept", use: "accept ID", short: "Accept what was handed in", work: true},
	{name: "payout", use: "payout ID", short: "Pay what was handed in, accepting it first", work: true},
	{name: "cancel", use: "cancel ID", short: "Take an open bounty back; the reward returns"},
	{name: "dispute", use: "dispute ID REASON", short: "Ask for an arbiter", why: true},
	{name: "resolve", use: "resolve ID pay|refund|split REASON", short: "End a dispute as its arbiter", why: true, verdict: true},
}

func isStep(name string) bool {
	return slices.ContainsFunc(steps, func(s step) bool { return s.name == name })
}

func cmdStep(s *session.Session, step step, as *string) *cobra.Command {
	var submission string
	var split int
	c := &cobra.Command{
		Use: step.use, Short: step.short, Args: step.args(),
		RunE: func(c *cobra.Command, args []string) error {
			in := step.read(args[1:])
			if submission != "" {
				in["submissionId"] = submission
			}
			if split != 0 {
				in["split_pct"] = split
			}
			name := step.name
			if step.path != "" {
				name = step.path
			}
			return s.AskAs(c.Context(), *as, http.MethodPost, "/api/mesh/bounties/"+url.PathEscape(args[0])+"/"+name, in, showStep)
		},
	}
	if step.work {
		c.Flags().StringVar(&submission, "submission", "", "id of the submission that is meant; else the one that waits")
	}
	if step.verdict {
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
