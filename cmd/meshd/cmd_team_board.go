package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

func (p *program) cmdTeamBoard(as *string) *cobra.Command {
	c := p.boardList(as, "board ID")
	c.Args = boardWords
	c.AddCommand(p.boardList(as, "list ID"), p.cmdBoardAdd(as), p.cmdBoardShow(as),
		p.boardStep(as, "claim", "Take a task for the agent", false), p.boardStep(as, "release", "Give a task back", false), p.cmdBoardDone(as),
		p.boardStep(as, "block", "Say that a task cannot go on", true), p.boardStep(as, "reopen", "Take a task up again that was blocked or done", true))
	return c
}

// boardWords is the id of a guild, or names the subcommand that was meant.
func boardWords(c *cobra.Command, args []string) error {
	if len(args) > 0 && !strings.HasPrefix(args[0], "gld_") {
		c.SuggestionsMinimumDistance = 2
		if near := c.SuggestionsFor(args[0]); len(near) > 0 {
			return usage("unknown command %q for %s; did you mean %s?", args[0], c.CommandPath(), strings.Join(near, " or "))
		}
	}
	return words("guild id")(c, args)
}

func (p *program) boardList(as *string, use string) *cobra.Command {
	c := &cobra.Command{
		Use: use, Short: "List the tasks of a team", Args: words("guild id"),
		Long: "List the tasks of a team that are not done, the most urgent first; with --done those that are, newest first.",
	}
	texts := map[string]*string{}
	for _, f := range [][2]string{{"status", "open, claimed or blocked"}, {"tag", "a tag"}, {"assignee", "who works on it: agent id, DID or name"}, {"q", "part of the text"}} {
		texts[f[0]] = c.Flags().String(f[0], "", f[1])
	}
	limit := c.Flags().Int("limit", 0, "tasks to list (default 200, or 30 that are done)")
	done := c.Flags().Bool("done", false, "those that are done")
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := notWith(c, "done", "status", "tag", "assignee", "q"); err != nil {
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
		path, show := teamPath(args[0], "/board"), p.showBoard
		if *done {
			path, show = path+"/done", p.showDone
		}
		return p.errand(c.Context(), errand{as: *as, method: http.MethodGet, path: path, query: q}, show)
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

func (p *program) showBoard(data json.RawMessage) error {
	var r struct {
		Name, Mode, Objective  string
		Tasks                  []task
		Open, Claimed, Blocked int
		DoneCount              int `json:"done_count"`
	}
	if err := decode(data, &r); err != nil {
		return err
	}
	if err := p.facts("team", oneLine(r.Name, 80), "mode", oneLine(r.Mode, 16), "objective", oneLine(r.Objective, 500),
		"tasks", fmt.Sprintf("%d open, %d claimed, %d blocked, %d done", r.Open, r.Claimed, r.Blocked, r.DoneCount)); err != nil {
		return err
	}
	if len(r.Tasks) == 0 {
		return nil
	}
	rows := [][]string{{"STATE", "PRIO", "TITLE", "BY", "ID"}}
	for _, t := range r.Tasks {
		rows = append(rows, []string{oneLine(t.Status, 16), fmt.Sprint(t.Priority), oneLine(t.Title, 60), oneLine(orNone(t.ClaimedByName), 40), oneLine(t.ID, 80)})
	}
	p.say("")
	return p.table(rows)
}

func (p *program) showDone(data json.RawMessage) error {
	var r struct {
		Done  []task
		Count int
	}
	if err := decode(data, &r); err != nil {
		return err
	}
	if len(r.Done) == 0 {
		p.say("nothing is done yet")
		return nil
	}
	rows := [][]string{{"DONE", "TITLE", "SUMMARY", "ID"}}
	for _, t := range r.Done {
		rows = append(rows, []string{ago(orNone(t.CompletedAt), time.Now()), oneLine(t.Title, 60), oneLine(orNone(t.Summary), 60), oneLine(t.ID, 80)})
	}
	if err := p.table(rows); err != nil {
		return err
	}
	if r.Count > len(r.Done) {
		p.say("\n%d of %d; more: --limit", len(r.Done), r.Count)
	}
	return nil
}

func (p *program) cmdBoardAdd(as *string) *cobra.Command {
	var text, priority, role, key string
	var tags, after []string
	c := &cobra.Command{
		Use: "add ID TITLE", Short: "Add a task", Args: wordsAndText("guild id", "title"),
		Long: "Add a task. A title that an unfinished task has already adds nothing.",
		RunE: func(c *cobra.Command, args []string) error {
			t := given("title", strings.Join(args[1:], " "), "description", text, "priority", priority, "role", role)
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
			return p.errand(c.Context(), errand{as: *as, method: http.MethodPost, path: teamPath(args[0], "/board"), in: in, key: key}, p.showAdded)
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

func (p *program) showAdded(data json.RawMessage) error {
	var r struct {
		Tasks   []task
		Skipped []struct{ Title, Reason string }
	}
	if err := decode(data, &r); err != nil {
		return err
	}
	for _, s := range r.Skipped {
		p.say("left out: %s (%s)", oneLine(s.Title, 200), oneLine(s.Reason, 200))
	}
	for _, t := range r.Tasks {
		if err := p.made(t.ID, t.facts()...); err != nil {
			return err
		}
	}
	return nil
}

// facts are names and values of a task.
func (t *task) facts() []string {
	return []string{"task", oneLine(t.ID, 80), "title", oneLine(t.Title, 200), "state", oneLine(t.Status, 16), "priority", fmt.Sprint(t.Priority), "role", oneLine(t.Role, 16),
		"tags", oneLine(strings.Join(t.Tags, ", "), 200), "after", oneLine(strings.Join(t.DependsOn, ", "), 500), "claimed by", oneLine(orNone(t.ClaimedByName), 80),
		"claim until", orNone(t.LeaseExpiresAt), "blocked", oneLine(orNone(t.BlockedReason), 500), "done", orNone(t.CompletedAt),
		"summary", oneLine(orNone(t.Summary), 500), "commit", oneLine(orNone(t.CommitHash), 100), "evidence", oneLine(orNone(t.VerificationEvidence), 500)}
}

func (p *program) showTask(data json.RawMessage) error {
	var r struct {
		Task    task
		History []struct{ Action, ByName, At, Text string }
	}
	if err := decode(data, &r); err != nil {
		return err
	}
	if err := p.facts(r.Task.facts()...); err != nil || len(r.History) == 0 {
		return err
	}
	if r.Task.Description != "" {
		fmt.Fprintf(p.out, "\n%s\n", plain(r.Task.Description))
	}
	rows := [][]string{{"AT", "STEP", "BY", "WHAT"}}
	for _, s := range r.History {
		rows = append(rows, []string{s.At, oneLine(s.Action, 16), oneLine(s.ByName, 80), oneLine(s.Text, 120)})
	}
	p.say("")
	return p.table(rows)
}

func (p *program) cmdBoardShow(as *string) *cobra.Command {
	return &cobra.Command{
		Use: "show ID TASK", Short: "Show a task and what was done about it", Args: words("guild id", "task id"),
		RunE: func(c *cobra.Command, args []string) error {
			return p.askAs(c.Context(), *as, http.MethodGet, taskPath(args), nil, p.showTask)
		},
	}
}

// taskPath is the address of the task that the first two words name.
func taskPath(args []string) string { return teamPath(args[0], "/board/"+url.PathEscape(args[1])) }

// boardStep is a command that does something about a task; why says that it
// takes a reason.
func (p *program) boardStep(as *string, action, short string, why bool) *cobra.Command {
	c := &cobra.Command{Use: action + " ID TASK", Short: short, Args: words("guild id", "task id")}
	if why {
		c.Use, c.Args = action+" ID TASK REASON", wordsAndText("guild id", "task id", "reason")
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		in := map[string]any{"action": action}
		if why {
			in["reason"] = strings.Join(args[2:], " ")
		}
		return p.askAs(c.Context(), *as, http.MethodPatch, taskPath(args), in, p.showTask)
	}
	return c
}

func (p *program) cmdBoardDone(as *string) *cobra.Command {
	var summary, commit, evidence string
	var artifacts []string
	c := &cobra.Command{
		Use: "done ID TASK", Short: "Say that a task is done", Args: words("guild id", "task id"),
		Long: "Say that a task is done. The team's policy says what is needed; without one a summary or a commit.",
		RunE: func(c *cobra.Command, args []string) error {
			in := given("action", "done", "summary", summary, "commit", commit, "verification_evidence", evidence)
			if len(artifacts) > 0 {
				in["artifacts"] = artifacts
			}
			return p.askAs(c.Context(), *as, http.MethodPatch, taskPath(args), in, p.showTask)
		},
	}
	c.Flags().StringVar(&summary, "summary", "", "what was done")
	c.Flags().StringVar(&commit, "commit", "", "the commit that did it")
	c.Flags().StringVar(&evidence, "evidence", "", "what shows that it works")
	c.Flags().StringArrayVar(&artifacts, "artifact", nil, "what came out of it; may be repeated")
	return c
}
