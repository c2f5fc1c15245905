package bounty

import (
	"encoding/json"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
)

func cmdList(s *session.Session, as *string) *cobra.Command {
	c := &cobra.Command{
		Use: "list", Short: "List bounties", Args: session.Nothing,
		Long: "List the bounties of public guilds, and those of guilds that the agent is in.",
	}
	f := session.AddFilters(c, "status", "its state", "currency", "of the reward",
		"q", "part of the title", "sort", "by")
	session.Choices(c, "sort", "recent", "amount", "deadline")
	session.Choices(c, "currency", "credits", "USDC")
	session.Choices(c, "status", "open", "claimed", "submitted", "accepted", "disputed", "paid", "cancelled", "expired", "refunded")
	guild := c.Flags().String("guild", "", "id of a `GUILD`")
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
