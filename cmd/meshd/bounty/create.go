package bounty

import (
	"encoding/json"
	"net/http"
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
	f.StringVar(&currency, "currency", "credits", "")
	session.Choices(c, "currency", "credits", "USDC")
	f.StringVar(&title, "title", "", "what is to be done")
	f.StringVar(&task, "task", "", "id of a `TASK` on the guild's board")
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
