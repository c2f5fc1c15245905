package guild

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
)

// task is what people see of a task.
type task struct {
	ID, Title, Description, Status, Role string
	Priority                             int
	Tags, DependsOn                      []string
	ClaimedByName, CompletedAt, Summary  *string
	BlockedReason, CommitHash            *string
	LeaseExpiresAt                       *string `json:"lease_expires_at"`
	VerificationEvidence                 *string
}

// facts are names and values of a task.
func (t *task) facts() []string {
	return []string{"task", terminal.OneLine(t.ID, 80), "title", terminal.OneLine(t.Title, 200), "state", terminal.OneLine(t.Status, 16), "priority", fmt.Sprint(t.Priority), "role", terminal.OneLine(t.Role, 16),
		"tags", terminal.OneLine(strings.Join(t.Tags, ", "), 200), "after", terminal.OneLine(strings.Join(t.DependsOn, ", "), 500), "claimed by", terminal.OneLine(session.OrNone(t.ClaimedByName), 80),
		"claim until", session.OrNone(t.LeaseExpiresAt), "blocked", terminal.OneLine(session.OrNone(t.BlockedReason), 500), "done", session.OrNone(t.CompletedAt),
		"summary", terminal.OneLine(session.OrNone(t.Summary), 500), "commit", terminal.OneLine(session.OrNone(t.CommitHash), 100), "evidence", terminal.OneLine(session.OrNone(t.VerificationEvidence), 500)}
}

func showTask(s *session.Session, data json.RawMessage) error {
	var r struct {
		Task    task
		History []struct{ Action, ByName, At, Text string }
	}
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	if err := s.Facts(r.Task.facts()...); err != nil || len(r.History) == 0 {
		return err
	}
	if r.Task.Description != "" {
		fmt.Fprintf(s.Out, "\n%s\n", terminal.Plain(r.Task.Description))
	}
	rows := [][]string{{"AT", "STEP", "BY", "WHAT"}}
	for _, step := range r.History {
		rows = append(rows, []string{step.At, terminal.OneLine(step.Action, 16), terminal.OneLine(step.ByName, 80), terminal.OneLine(step.Text, 120)})
	}
	s.Say("")
	return s.Table(rows)
}

func cmdBoardShow(s *session.Session, as *string) *cobra.Command {
	return &cobra.Command{
		Use: "show GUILD TASK", Short: "Show a task and its history", Args: session.Words("guild id", "task id"),
		RunE: func(c *cobra.Command, args []string) error {
			return s.AskAs(c.Context(), *as, http.MethodGet, taskPath(args), nil, showTask)
		},
	}
}

func cmdBoardAdd(s *session.Session, as *string) *cobra.Command {
	var text, priority, role, key string
	var tags, after []string
	c := &cobra.Command{
		Use: "add GUILD TITLE", Short: "Add a task", Args: session.WordsAndText("guild id", "title"),
		Long: "Add a task. A title that an unfinished task has already adds nothing.",
		RunE: func(c *cobra.Command, args []string) error {
			t := session.Given("title", strings.Join(args[1:], " "), "description", text, "priority", priority, "role", role)
			if n, err := strconv.Atoi(priority); err == nil {
				t["priority"] = n
			}
			if len(tags) > 0 {
				t["tags"] = tags
			}
			if len(after) > 0 {
				t["dependsOn"] = after
			}
			in := map[string]any{"tasks": []any{t}}
			return s.Send(c.Context(), session.Request{As: *as, Method: http.MethodPost, Path: session.TeamPath(args[0], "/board"), In: in, Key: key}, showAdded)
		},
	}
	f := c.Flags()
	f.StringVar(&text, "text", "", "what is to be done")
	f.StringVar(&priority, "priority", "", "0 to 9, 5 when absent, or in words")
	session.Choices(c, "priority", "critical", "high", "medium", "low")
	f.StringVar(&role, "role", "", "who should do it")
	session.Choices(c, "role", "coder", "tester", "researcher", "reviewer", "flex")
	f.StringSliceVar(&tags, "tag", nil, "tag; may be repeated")
	f.StringSliceVar(&after, "after", nil, "id of a `TASK` that must be done first; may be repeated")
	f.StringVar(&key, "idempotency-key", "", "name of this request: repeating it adds no second task")
	return c
}

func showAdded(s *session.Session, data json.RawMessage) error {
	var r struct {
		Tasks   []task
		Skipped []struct{ Title, Reason string }
	}
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	for _, skipped := range r.Skipped {
		s.Say("left out: %s (%s)", terminal.OneLine(skipped.Title, 200), terminal.OneLine(skipped.Reason, 200))
	}
	for _, t := range r.Tasks {
		if err := s.Made(t.ID, t.facts()...); err != nil {
			return err
		}
	}
	return nil
}

// taskPath is the address of the task that the first two words name.
func taskPath(args []string) string {
	return session.TeamPath(args[0], "/board/"+url.PathEscape(args[1]))
}

// boardStep is a command that does something about a task; why says that it
// takes a reason.
func boardStep(s *session.Session, as *string, action, short string, why bool) *cobra.Command {
	c := &cobra.Command{Use: action + " GUILD TASK", Short: short, Args: session.Words("guild id", "task id")}
	if why {
		c.Use, c.Args = action+" GUILD TASK REASON", session.WordsAndText("guild id", "task id", "reason")
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		in := map[string]any{"action": action}
		if why {
			in["reason"] = strings.Join(args[2:], " ")
		}
		return s.AskAs(c.Context(), *as, http.MethodPatch, taskPath(args), in, showTask)
	}
	return c
}

func cmdBoardDone(s *session.Session, as *string) *cobra.Command {
	var summary, commit, evidence string
	var artifacts []string
	c := &cobra.Command{
		Use: "done GUILD TASK", Short: "Mark a task as done", Args: session.Words("guild id", "task id"),
		Long: "Say that a task is done. The team's policy says what is needed; without one a summary or a commit.",
		RunE: func(c *cobra.Command, args []string) error {
			in := session.Given("action", "done", "summary", summary, "commit", commit, "verification_evidence", evidence)
			if len(artifacts) > 0 {
				in["artifacts"] = artifacts
			}
			return s.AskAs(c.Context(), *as, http.MethodPatch, taskPath(args), in, showTask)
		},
	}
	c.Flags().StringVar(&summary, "summary", "", "what was done")
	c.Flags().StringVar(&commit, "commit", "", "the commit that did it")
	c.Flags().StringVar(&evidence, "evidence", "", "what shows that it works")
	c.Flags().StringArrayVar(&artifacts, "artifact", nil, "what came out of it; may be repeated")
	return c
}
