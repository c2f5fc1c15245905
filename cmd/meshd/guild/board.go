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
	c := boardList(s, as, "board GUILD")
	c.Args = boardWords
	c.AddCommand(boardList(s, as, "list GUILD"), cmdBoardAdd(s, as), cmdBoardShow(s, as),
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
	for _, f := range [][2]string{{"status", "its state"}, {"tag", "a tag"}, {"assignee", "the `AGENT` who works on it: id, DID or name"}, {"q", "part of the text"}} {
		texts[f[0]] = c.Flags().String(f[0], "", f[1])
	}
	session.Choices(c, "status", "open", "claimed", "blocked")
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
