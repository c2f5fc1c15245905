package main

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/node"
)

func (p *program) cmdPeers() *cobra.Command {
	return &cobra.Command{
		Use: "peers", Short: "Show the peers of the running node", Args: nothing,
		RunE: func(c *cobra.Command, _ []string) error {
			return p.ask(c.Context(), running, http.MethodGet, "/control/peers", nil, nil, p.showPeers)
		},
	}
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
