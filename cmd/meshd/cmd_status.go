package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/node"
)

func (p *program) cmdStatus() *cobra.Command {
	return &cobra.Command{
		Use: "status", Short: "Show the running node and its sets", Args: nothing,
		RunE: func(c *cobra.Command, _ []string) error {
			return p.ask(c.Context(), running, http.MethodGet, "/control/status", nil, nil, p.showStatus)
		},
	}
}

func (p *program) showStatus(data json.RawMessage) error {
	var s node.Status
	if err := decode(data, &s); err != nil {
		return err
	}
	sync := "never"
	if s.LastSync != "" {
		sync = ago(s.LastSync, time.Now())
	}
	mode := "reads and writes"
	if s.ReadOnly {
		mode = p.paint(red, "only reads: the disk is full")
	}
	if err := p.facts(
		"node", s.PeerID, "owner", s.Owner, "version", s.Version, "network", s.Name+" ("+s.Network+")",
		"up", (time.Duration(s.Uptime) * time.Second).String(), "mode", mode, "gossip", onOff(s.Gossip),
		"peers", fmt.Sprint(s.Peers), "last equal", sync, "known", fmt.Sprintf("%d agents, %d entries, %d domains", s.Agents, s.Entries, s.Domains),
		"index lag", fmt.Sprint(s.IndexLag), "waiting", fmt.Sprint(s.Deferred), "listen", strings.Join(s.Listen, "\n\t"),
		"forks", strings.Join(s.Forks, "\n\t"),
	); err != nil {
		return err
	}
	rows := [][]string{{"SET", "CHANGES", "FINGERPRINT"}}
	for _, set := range s.Sets {
		rows = append(rows, []string{set.Name, fmt.Sprint(set.Count), set.FP})
	}
	rows = append(rows, []string{"view", fmt.Sprint(s.View.Rows), s.View.FP})
	fmt.Fprintln(p.out)
	return p.table(rows)
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}
