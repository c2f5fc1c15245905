package bounty

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

// bounty is what people see of a bounty.
type bounty struct {
	ID             string
	TeamID         string
	TaskID         *string
	Title          string
	Description    string
	Status         string
	CreatedByName  string
	ClaimedBy      *string
	Deadline       *string
	ClaimExpiresAt *string `json:"claim_expires_at"`
	CreatedAt      string
	Reward         struct {
		Amount   float64
		Currency string
	}
	Escrow struct{ State string }
}

func (b *bounty) reward() string { return amount(b.Reward.Amount, b.Reward.Currency) }

func cmdList(s *session.Session, as *string) *cobra.Command {
	c := &cobra.Command{
		Use: "list", Short: "List bounties", Args: session.Nothing,
		Long: "List the bounties of public guilds, and those of guilds that the agent is in.",
	}
	f := session.AddFilters(c, "status", "open, claimed, submitted, accepted, disputed, paid, cancelled, expired or refunded", "currency", "credits or USDC",
		"q", "part of the title", "sort", "recent, amount or deadline")
	guild := c.Flags().String("guild", "", "id of a guild")
	least := c.Flags().String("min-amount", "", "rewards of at least this")
	c.RunE = func(c *cobra.Command, _ []string) error {
		q := f.Query()
		if *guild != "" {
			q.Set("teamId", *guild)
		}
		if *least != "" {
			q.Set("min_amount", *least)
		}
		return s.Send(c.Context(), session.Request{As: *as, Method: http.MethodGet, Path: "/api/mesh/bounties", Query: q}, showBounties)
	}
	return c
}

func showBounties(s *session.Session, data json.RawMessage) error {
	var r struct {
		session.Paging
		Bounties []bounty
	}
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	if len(r.Bounties) == 0 {
		s.Say("no bounties found")
		return nil
	}
	rows := [][]string{{"STATE", "REWARD", "TITLE", "DEADLINE", "ID"}}
	for _, b := range r.Bounties {
		deadline := session.OrNone(b.Deadline)
		if deadline == "" {
			deadline = "none"
		}
		rows = append(rows, []string{terminal.OneLine(b.Status, 16), b.reward(), terminal.OneLine(b.Title, 60), deadline, b.ID})
	}
	if err := s.Table(rows); err != nil {
		return err
	}
	s.More(r.Paging, len(r.Bounties))
	return nil
}

func cmdShow(s *session.Session, as *string) *cobra.Command {
	return &cobra.Command{
		Use: "show ID", Short: "Show a bounty, what was handed in, and what may be done now", Args: session.Words("bounty id"),
		RunE: func(c *cobra.Command, args []string) error {
			return s.AskAs(c.Context(), *as, http.MethodGet, "/api/mesh/bounties/"+url.PathEscape(args[0])+"/lifecycle", nil, showLifecycle)
		},
	}
}

// work is a solution that was handed in.
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

// facts are names and values of a bounty.
func (b *bounty) facts() []string {
	return []string{"reward", b.reward() + ", " + terminal.OneLine(b.Escrow.State, 16), "state", terminal.OneLine(b.Status, 16), "opened by", terminal.OneLine(b.CreatedByName, 80),
		"task", terminal.OneLine(session.OrNone(b.TaskID), 80), "claimed by", terminal.OneLine(session.OrNone(b.ClaimedBy), 80), "claim until", session.OrNone(b.ClaimExpiresAt), "deadline", session.OrNone(b.Deadline)}
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

// amount is a sum as people write it, with its currency.
func amount(n float64, currency string) string {
	return strconv.FormatFloat(n, 'f', -1, 64) + " " + terminal.OneLine(currency, 16)
}
