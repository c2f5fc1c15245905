package running

import (
	"encoding/json"
	"fmt"
	"github.com/meshd/meshd/node/health"
	"net/http"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/gateway/plural"
	"github.com/meshd/meshd/node"
)

func cmdPeers(s *session.Session) *cobra.Command {
	c := &cobra.Command{
		Use: "peers", Short: "Show the peers of the running node", Args: session.Subcommand,
		RunE: func(c *cobra.Command, _ []string) error {
			return s.Ask(c.Context(), session.Running, http.MethodGet, "/control/peers", nil, nil, showPeers)
		},
	}
	c.AddCommand(cmdPeersGave(s))
	return c
}

func cmdPeersGave(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "gave PEER", Short: "Count the changes that a peer delivered first, by author and kind", Args: session.One("peer id, or file for imports"),
		Long: "Count the changes that came first from a peer, by author and kind, with when the first and the last of them came\n" +
			"to the minute. The node remembers the newest 65,000 turns or more between givers: of what came before them, and of\n" +
			"the last moments before a crash, nobody is named. meshd purge --from removes what is listed.",
		RunE: func(c *cobra.Command, args []string) error {
			return s.Ask(c.Context(), session.Existing, http.MethodGet, "/control/gave", url.Values{"peer": {args[0]}}, nil, showGifts)
		},
	}
}

func showGifts(s *session.Session, data json.RawMessage) error {
	var g node.Gifts
	if err := session.Decode(data, &g); err != nil {
		return err
	}
	if g.Changes == 0 {
		s.Say("nothing came first from %s", terminal.OneLine(g.Peer, 80))
	} else {
		rows := [][]string{{"AGENT", "KIND", "CHANGES", "SIZE", "FIRST", "LAST"}}
		for _, r := range g.Gifts {
			who := r.Agent
			if r.Name != "" {
				who = r.Name + " " + who
			}
			rows = append(rows, []string{terminal.OneLine(who, 80), r.Kind, fmt.Sprint(r.Changes), plural.Count(r.Bytes, "byte"), r.First, r.Last})
		}
		if err := s.Table(rows); err != nil {
			return err
		}
		if g.More > 0 {
			s.Say("and %d rows more", g.More)
		}
	}
	if g.Unknown > 0 {
		s.Say("of %s nobody can say who brought them", plural.Count(g.Unknown, "older change"))
	}
	return nil
}

func showPeers(s *session.Session, data json.RawMessage) error {
	var reply struct {
		Peers []health.PeerStatus `json:"peers"`
	}
	if err := session.Decode(data, &reply); err != nil {
		return err
	}
	if len(reply.Peers) == 0 {
		s.Say("no peers yet")
		return nil
	}
	rows := [][]string{{"PEER", "STATE", "LATENCY", "SCORE", "SETS", "PROGRAM"}}
	for _, r := range reply.Peers {
		state, sets := "known", ""
		if r.Connected {
			state = s.Paint(session.Green, "connected")
		}
		if r.LastPass != "" {
			sets = "differ"
			if r.Equal {
				sets = "equal"
			}
		}
		rows = append(rows, []string{r.ID, state, fmt.Sprintf("%.1f ms", r.LatencyMS), fmt.Sprintf("%.1f", r.Score), sets, terminal.OneLine(r.Program, 40)})
	}
	return s.Table(rows)
}
