package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/gateway/plural"
	"github.com/meshd/meshd/node"
)

func (p *program) cmdPeers() *cobra.Command {
	c := &cobra.Command{
		Use: "peers", Short: "Show the peers of the running node", Args: subcommand,
		RunE: func(c *cobra.Command, _ []string) error {
			return p.ask(c.Context(), running, http.MethodGet, "/control/peers", nil, nil, p.showPeers)
		},
	}
	c.AddCommand(p.cmdPeersGave())
	return c
}

func (p *program) cmdPeersGave() *cobra.Command {
	return &cobra.Command{
		Use: "gave PEER", Short: "Count what a peer brought first, by author and kind", Args: one("peer id, or file for imports"),
		Long: "Count the changes that came first from a peer, by author and kind, with when the first and the last of them came\n" +
			"to the minute. The node remembers the newest 65,000 turns or more between givers: of what came before them, and of\n" +
			"the last moments before a crash, nobody is named. meshd purge --from removes what is listed.",
		RunE: func(c *cobra.Command, args []string) error {
			return p.ask(c.Context(), existing, http.MethodGet, "/control/gave", url.Values{"peer": {args[0]}}, nil, p.showGifts)
		},
	}
}

func (p *program) showGifts(data json.RawMessage) error {
	var g node.Gifts
	if err := decode(data, &g); err != nil {
		return err
	}
	if g.Changes == 0 {
		p.say("nothing came first from %s", oneLine(g.Peer, 80))
	} else {
		rows := [][]string{{"AGENT", "KIND", "CHANGES", "SIZE", "FIRST", "LAST"}}
		for _, r := range g.Gifts {
			who := r.Agent
			if r.Name != "" {
				who = r.Name + " " + who
			}
			rows = append(rows, []string{oneLine(who, 80), r.Kind, fmt.Sprint(r.Changes), plural.Count(r.Bytes, "byte"), r.First, r.Last})
		}
		if err := p.table(rows); err != nil {
			return err
		}
		if g.More > 0 {
			p.say("and %d rows more", g.More)
		}
	}
	if g.Unknown > 0 {
		p.say("of %s nobody can say who brought them", plural.Count(g.Unknown, "older change"))
	}
	return nil
}

func (p *program) showPeers(data json.RawMessage) error {
	var reply struct {
		Peers []node.PeerStatus `json:"peers"`
	}
	if err := decode(data, &reply); err != nil {
		return err
	}
	if len(reply.Peers) == 0 {
		p.say("no peers yet")
		return nil
	}
	rows := [][]string{{"PEER", "STATE", "LATENCY", "SCORE", "SETS", "PROGRAM"}}
	for _, r := range reply.Peers {
		state, sets := "known", ""
		if r.Connected {
			state = p.paint(green, "connected")
		}
		if r.LastPass != "" {
			sets = "differ"
			if r.Equal {
				sets = "equal"
			}
		}
		rows = append(rows, []string{r.ID, state, fmt.Sprintf("%.1f ms", r.LatencyMS), fmt.Sprintf("%.1f", r.Score), sets, oneLine(r.Program, 40)})
	}
	return p.table(rows)
}
