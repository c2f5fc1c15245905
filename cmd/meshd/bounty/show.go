package bounty

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
)

func cmdShow(s *session.Session, as *string) *cobra.Command {
	return &cobra.Command{
		Use: "show BOUNTY", Short: "Show a bounty, its submissions, and the next actions", Args: session.Words("bounty id"),
		RunE: func(c *cobra.Command, args []string) error {
			return s.AskAs(c.Context(), *as, http.MethodGet, "/api/mesh/bounties/"+url.PathEscape(args[0])+"/lifecycle", nil, showLifecycle)
		},
	}
}

// work is a solution that was submitted.
type work struct {
	ID, SubmitterName, Status, SubmittedAt, Solution string
	HasProof                                         bool
}

func showLifecycle(s *session.Session, data json.RawMessage) error {
	var r struct {
		Bounty      bounty
		Team        struct{ ID, Name string }
		Submissions []work
		Events      []struct{ From, To, Actor, At, Reason string }
		NextActions []string `json:"next_actions"`
	}
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	b := r.Bounty
	if err := s.Facts(append([]string{"bounty", b.ID, "title", terminal.OneLine(b.Title, 200), "guild", terminal.OneLine(r.Team.Name, 80) + "  " + r.Team.ID},
		b.facts()...)...); err != nil {
		return err
	}
	if b.Description != "" {
		fmt.Fprintf(s.Out, "\n%s\n", terminal.Plain(b.Description))
	}
	for _, w := range r.Submissions {
		fmt.Fprintf(s.Out, "\nsubmission %s  %s  by %s  %s\n", terminal.OneLine(w.ID, 80), terminal.OneLine(w.Status, 24), terminal.OneLine(w.SubmitterName, 80), session.Ago(w.SubmittedAt, time.Now()))
		if w.Solution != "" {
			fmt.Fprintf(s.Out, "  %s\n", strings.ReplaceAll(terminal.Plain(w.Solution), "\n", "\n  "))
		}
	}
	rows := [][]string{{"AT", "STATE", "BY", "WHY"}}
	for _, e := range r.Events {
		rows = append(rows, []string{e.At, terminal.OneLine(e.To, 16), terminal.OneLine(e.Actor, 80), terminal.OneLine(e.Reason, 120)})
	}
	s.Say("")
	if err := s.Table(rows); err != nil {
		return err
	}
	if next := nextSteps(r.NextActions); next != "" {
		s.Say("\nnext: %s", next)
	}
	return nil
}

// nextSteps are the commands for what the API says may be done now.
func nextSteps(actions []string) string {
	var out []string
	for _, a := range actions {
		path, ok := strings.CutPrefix(a, http.MethodPost+" ")
		name := path[strings.LastIndexByte(path, '/')+1:]
		if !ok {
			continue
		}
		if name == "request-changes" {
			name = "changes"
		}
		if name == "submit" || isStep(name) {
			out = append(out, "meshd bounty "+name)
		}
	}
	return strings.Join(out, ", ")
}
