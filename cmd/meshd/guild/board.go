package guild

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
)

func cmdTeamBoard(s *session.Session, as *string) *cobra.Command {
	c := boardList(s, as, "board ID")
	c.Args = boardWords
	c.AddCommand(boardList(s, as, "list ID"), cmdBoardAdd(s, as), cmdBoardShow(s, as),
		boardStep(s, as, "claim", "Take a task for the agent", false), boardStep(s, as, "release", "Give a task back", false), cmdBoardDone(s, as),
		boardStep(s, as, "block", "Say that a task cannot go on", true), boardStep(s, as, "reopen", "Take a task up again that was blocked or done", true))
	return c
}

// boardWords is the id of a guild, or names the subcommand that was meant.
func boardWords(c *cobra.Command, args []string) error {
	if len(args) > 0 && !strings.HasPrefix(args[0], "gld_") {
		c.SuggestionsMinimumDistance = 2
		if near := c.SuggestionsFor(args[0]); len(near) > 0 {
			return session.Usage("unknown command %q for %s; did you mean %s?", args[0], c.CommandPath(), strings.Join(near, " or "))
		}
	}
	return session.Words("guild id")(c, args)
}

func boardList(s *session.Session, as *string, use string) *cobra.Command {
	c := &cobra.Command{
		Use: use, Short: "List the tasks of a team", Args: session.Words("guild id"),
		Long: "List the tasks of a team that are not done, the most urgent first; with --done those that are, newest first.",
	}
	texts := map[string]*string{}
	for _, f := range [][2]string{{"status", "open, claimed or blocked"}, {"tag", "a tag"}, {"assignee", "who works on it: agent id, DID or name"}, {"q", "part of the text"}} {
		texts[f[0]] = c.Flags().String(f[0], "", f[1])
	}
	limit := c.Flags().Int("limit", 0, "tasks to list (default 200, or 30 that are done)")
	done := c.Flags().Bool("done", false, "those that are done")
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := session.NotWith(c, "done", "status", "tag", "assignee", "q"); err != nil {
			return err
		}
		q := url.Values{}
		if c.Flags().Changed("limit") {
			q.Set("limit", strconv.Itoa(*limit))
		}
		for name, v := range texts {
			if *v != "" {
				q.Set(name, *v)
			}
		}
		path, show := session.TeamPath(args[0], "/board"), showBoard
		if *done {
			path, show = path+"/done", showDone
		}
		return s.Send(c.Context(), session.Request{As: *as, Method: http.MethodGet, Path: path, Query: q}, show)
	}
	return c
}

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

func showBoard(s *session.Session, data json.RawMessage) error {
	var r struct {
		Name, Mode, Objective  string
		Tasks                  []task
		Open, Claimed, Blocked int
		DoneCount              int `json:"done_count"`
	}
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	if err := s.Facts("team", terminal.OneLine(r.Name, 80), "mode", terminal.OneLine(r.Mode, 16), "objective", terminal.OneLine(r.Objective, 500),
		"tasks", fmt.Sprintf("%d open, %d claimed, %d blocked, %d done", r.Open, r.Claimed, r.Blocked, r.DoneCount)); err != nil {
		return err
	}
	if len(r.Tasks) == 0 {
		return nil
	}
	rows := [][]string{{"STATE", "PRIO", "TITLE", "BY", "ID"}}
	for _, t := range r.Tasks {
		rows = append(rows, []string{terminal.OneLine(t.Status, 16), fmt.Sprint(t.Priority), terminal.OneLine(t.Title, 60), terminal.OneLine(session.OrNone(t.ClaimedByName), 40), terminal.OneLine(t.ID, 80)})
	}
	s.Say("")
	return s.Table(rows)
}

func showDone(s *session.Session, data json.RawMessage) error {
	var r struct {
		Done  []task
		Count int
	}
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	if len(r.Done) == 0 {
		s.Say("nothing is done yet")
		return nil
	}
	rows := [][]string{{"DONE", "TITLE", "SUMMARY", "ID"}}
	for _, t := range r.Done {
		rows = append(rows, []string{session.Ago(session.OrNone(t.CompletedAt), time.Now()), terminal.OneLine(t.Title, 60), terminal.OneLine(session.OrNone(t.Summary), 60), terminal.OneLine(t.ID, 80)})
	}
	if err := s.Table(rows); err != nil {
		return err
	}
	if r.Count > len(r.Done) {
		s.Say("\n%d of %d; more: --limit", len(r.Done), r.Count)
	}
	return nil
}

func cmdBoardAdd(s *session.Session, as *string) *cobra.Command {
	var text, priority, role, key string
	var tags, after []string
	c := &cobra.Command{
		Use: "add ID TITLE", Short: "Add a task", Args: session.WordsAndText("guild id", "title"),
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
	f.StringVar(&priority, "priority", "", "0 to 9, or critical, high, medium, low (default 5)")
	f.StringVar(&role, "role", "", "who should do it: coder, tester, researcher, reviewer or flex")
	f.StringSliceVar(&tags, "tag", nil, "tag; may be repeated")
	f.StringSliceVar(&after, "after", nil, "id of a task that must be done first; may be repeated")
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
		Use: "show ID TASK", Short: "Show a task and what was done about it", Args: session.Words("guild id", "task id"),
		RunE: func(c *cobra.Command, args []string) error {
			return s.AskAs(c.Context(), *as, http.MethodGet, taskPath(args), nil, showTask)
		},
	}
}

// taskPath is the address of the task that the first two words name.
func taskPath(args []string) string {
	return session.TeamPath(args[0], "/board/"+url.PathEscape(args[1]))
}

// boardStep is a command that does something about a task; why says that it
// takes a reason.
func boardStep(s *session.Session, as *string, action, short string, why bool) *cobra.Command {
	c := &cobra.Command{Use: action + " ID TASK", Short: short, Args: session.Words("guild id", "task id")}
	if why {
		c.Use, c.Args = action+" ID TASK REASON", session.WordsAndText("guild id", "task id", "reason")
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
		Use: "done ID TASK", Short: "Say that a task is done", Args: session.Words("guild id", "task id"),
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
