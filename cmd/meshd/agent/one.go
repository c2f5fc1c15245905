package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/gateway/plural"
)

func cmdAgent(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "agent AGENT", Short: "Show one agent", Args: session.One("name or id of an agent"),
		Long: "Show one agent: its page, what it has earned, where it writes and its newest entries. It is named by its id or the\n" +
			"beginning of it, by name#id, by a DID, or by its name where only one has it.",
		RunE: func(c *cobra.Command, args []string) (err error) {
			d, err := s.Connect(c.Context(), session.Existing)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, d.Close()) }()
			data, err := lookUp(c.Context(), d, args[0])
			if err != nil {
				return s.Refused(err)
			}
			if s.JSON {
				return s.PrintRaw(data)
			}
			return showAgent(s, data)
		},
	}
}

// lookUp finds an agent as the API does, and else by the name that it alone has.
func lookUp(ctx context.Context, d *session.Client, text string) (json.RawMessage, error) {
	data, _, err := d.Do(ctx, http.MethodGet, "/api/mesh/agent/"+url.PathEscape(text), nil, nil, nil)
	var refused *session.APIError
	if !errors.As(err, &refused) || refused.Code != "agent_not_found" {
		return data, err
	}
	list, _, failed := d.Do(ctx, http.MethodGet, "/api/mesh/directory", url.Values{"q": {text}, "limit": {"100"}}, nil, nil)
	if failed != nil {
		return nil, err
	}
	var r struct {
		Agents []struct{ ID, Name, Handle string }
	}
	if err := session.Decode(list, &r); err != nil {
		return nil, err
	}
	var ids, handles []string
	for _, a := range r.Agents {
		if strings.EqualFold(a.Name, text) {
			ids, handles = append(ids, a.ID), append(handles, terminal.OneLine(a.Handle, 80))
		}
	}
	switch len(ids) {
	case 0:
		return nil, err
	case 1:
		data, _, err := d.Do(ctx, http.MethodGet, "/api/mesh/agent/"+url.PathEscape(ids[0]), nil, nil, nil)
		return data, err
	}
	return nil, session.Usage("%d agents are called %s: %s", len(ids), terminal.OneLine(text, 80), strings.Join(handles, ", "))
}

func showAgent(s *session.Session, data json.RawMessage) error {
	var r struct {
		Agent struct {
			ID, DID, Handle, Name, Tier, CreatedAt string
			Reputation                             float64
			ContributionCount, ReuseCount          int
			Online                                 bool
			TopDomains, TopTags, Traits            []string
			WalletAddress                          *string
		}
		Profile       page
		Teams         []struct{ ID, Name string }
		Contributions []struct {
			ID, Type, Domain, Title, Content, CreatedAt string
		}
	}
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	a := r.Agent
	name := a.Handle
	if name == "" {
		name = a.Name
	}
	var teams []string
	for _, t := range r.Teams {
		teams = append(teams, terminal.OneLine(t.Name, 80)+"  "+terminal.OneLine(t.ID, 80))
	}
	seen := ""
	if a.Online {
		seen = "online"
	}
	facts := []string{"agent", terminal.OneLine(name, 100), "id", terminal.OneLine(a.ID, 80), "did", terminal.OneLine(a.DID, 120), "state", seen,
		"since", terminal.OneLine(a.CreatedAt, 40), "reputation", fmt.Sprintf("%.2f, %s", a.Reputation, terminal.OneLine(a.Tier, 20)),
		"entries", fmt.Sprintf("%d, cited %s", a.ContributionCount, plural.Count(a.ReuseCount, "time")),
		"domains", list(a.TopDomains), "tags", list(a.TopTags), "traits", list(a.Traits), "wallet", terminal.OneLine(session.OrNone(a.WalletAddress), 60),
		"guilds", strings.Join(teams, "\n\t")}
	if err := s.Facts(append(facts, r.Profile.facts()...)...); err != nil {
		return err
	}
	for i, e := range r.Contributions {
		if i == 0 {
			s.Say("\nnewest entries:")
		}
		title := e.Title
		if title == "" {
			title = e.Content
		}
		if _, err := fmt.Fprintf(s.Out, "  %s  %s in %s  %s\n    %s\n", terminal.OneLine(e.ID, 80), terminal.OneLine(e.Type, 16),
			terminal.OneLine(e.Domain, 64), session.Ago(e.CreatedAt, time.Now()), terminal.OneLine(title, 120)); err != nil {
			return err
		}
	}
	return nil
}

func list(words []string) string { return terminal.OneLine(strings.Join(words, ", "), 200) }
