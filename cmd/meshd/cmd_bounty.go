package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

func (p *program) cmdBounty() *cobra.Command {
	c := &cobra.Command{
		Use: "bounty", Short: "Offer work for a reward, do it, and pay it", Args: subcommand,
		Long: "Offer work for a reward, do it, and pay it. A bounty belongs to a guild; the node where it was opened holds\n" +
			"the reward and confirms each step, wherever the claimant's node is.",
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	var as string
	c.PersistentFlags().StringVar(&as, "as", "", "name of another agent of this node")
	c.AddCommand(p.cmdBountyList(&as), p.cmdBountyShow(&as), p.cmdBountyCreate(&as), p.cmdBountySubmit(&as))
	for _, s := range bountySteps {
		c.AddCommand(p.cmdBountyStep(s, &as))
	}
	return c
}

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

func (p *program) cmdBountyList(as *string) *cobra.Command {
	c := &cobra.Command{
		Use: "list", Short: "List bounties", Args: nothing,
		Long: "List the bounties of public guilds, and those of guilds that the agent is in.",
	}
	f := addFilters(c, "status", "open, claimed, submitted, accepted, disputed, paid, cancelled, expired or refunded", "currency", "credits or USDC",
		"q", "part of the title", "sort", "recent, amount or deadline")
	guild := c.Flags().String("guild", "", "id of a guild")
	least := c.Flags().String("min-amount", "", "rewards of at least this")
	c.RunE = func(c *cobra.Command, _ []string) error {
		q := f.query()
		if *guild != "" {
			q.Set("teamId", *guild)
		}
		if *least != "" {
			q.Set("min_amount", *least)
		}
		return p.errand(c.Context(), errand{as: *as, method: http.MethodGet, path: "/api/mesh/bounties", query: q}, p.showBounties)
	}
	return c
}

func (p *program) showBounties(data json.RawMessage) error {
	var r struct {
		paging
		Bounties []bounty
	}
	if err := decode(data, &r); err != nil {
		return err
	}
	if len(r.Bounties) == 0 {
		p.say("no bounties found")
		return nil
	}
	rows := [][]string{{"STATE", "REWARD", "TITLE", "DEADLINE", "ID"}}
	for _, b := range r.Bounties {
		deadline := orNone(b.Deadline)
		if deadline == "" {
			deadline = "none"
		}
		rows = append(rows, []string{oneLine(b.Status, 16), b.reward(), oneLine(b.Title, 60), deadline, b.ID})
	}
	if err := p.table(rows); err != nil {
		return err
	}
	p.more(r.paging, len(r.Bounties))
	return nil
}

func (p *program) cmdBountyShow(as *string) *cobra.Command {
	return &cobra.Command{
		Use: "show ID", Short: "Show a bounty, what was handed in, and what may be done now", Args: words("bounty id"),
		RunE: func(c *cobra.Command, args []string) error {
			return p.askAs(c.Context(), *as, http.MethodGet, "/api/mesh/bounties/"+url.PathEscape(args[0])+"/lifecycle", nil, p.showLifecycle)
		},
	}
}

// work is a solution that was handed in.
type work struct {
	ID, SubmitterName, Status, SubmittedAt, Solution string
	HasProof                                         bool
}

func (p *program) showLifecycle(data json.RawMessage) error {
	var r struct {
		Bounty      bounty
		Team        struct{ ID, Name string }
		Submissions []work
		Events      []struct{ From, To, Actor, At, Reason string }
		NextActions []string `json:"next_actions"`
	}
	if err := decode(data, &r); err != nil {
		return err
	}
	b := r.Bounty
	if err := p.facts(append([]string{"bounty", b.ID, "title", oneLine(b.Title, 200), "guild", oneLine(r.Team.Name, 80) + "  " + r.Team.ID},
		b.facts()...)...); err != nil {
		return err
	}
	if b.Description != "" {
		fmt.Fprintf(p.out, "\n%s\n", plain(b.Description))
	}
	for _, w := range r.Submissions {
		fmt.Fprintf(p.out, "\nsubmission %s  %s  by %s  %s\n", oneLine(w.ID, 80), oneLine(w.Status, 24), oneLine(w.SubmitterName, 80), ago(w.SubmittedAt, time.Now()))
		if w.Solution != "" {
			fmt.Fprintf(p.out, "  %s\n", strings.ReplaceAll(plain(w.Solution), "\n", "\n  "))
		}
	}
	rows := [][]string{{"AT", "STATE", "BY", "WHY"}}
	for _, e := range r.Events {
		rows = append(rows, []string{e.At, oneLine(e.To, 16), oneLine(e.Actor, 80), oneLine(e.Reason, 120)})
	}
	p.say("")
	if err := p.table(rows); err != nil {
		return err
	}
	if next := nextSteps(r.NextActions); next != "" {
		p.say("\nnext: %s", next)
	}
	return nil
}

// facts are names and values of a bounty.
func (b *bounty) facts() []string {
	return []string{"reward", b.reward() + ", " + oneLine(b.Escrow.State, 16), "state", oneLine(b.Status, 16), "opened by", oneLine(b.CreatedByName, 80),
		"task", oneLine(orNone(b.TaskID), 80), "claimed by", oneLine(orNone(b.ClaimedBy), 80), "claim until", orNone(b.ClaimExpiresAt), "deadline", orNone(b.Deadline)}
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
		if name == "submit" || isBountyStep(name) {
			out = append(out, "meshd bounty "+name)
		}
	}
	return strings.Join(out, ", ")
}
