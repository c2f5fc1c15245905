package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/gateway/plural"
	"github.com/meshd/meshd/node"
	"github.com/meshd/meshd/node/disk"
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
	} else if s.Disk != nil && s.Disk.Level != disk.Roomy.String() {
		mode = p.paint(yellow, "refuses what others send: "+s.Disk.Text)
	}
	if u := s.Unsure; u != nil && len(u.Waiting) == 0 {
		mode += "\n\t" + p.paint(yellow, "but signs nothing in "+strings.Join(u.Teams, ", ")+": this home "+u.Text) +
			"\n\tand waits for the node of another member (meshd id rotate goes on under a new key)"
	} else if u != nil {
		mode = p.paint(yellow, "signs nothing: this home "+u.Text) + "\n\tand waits for a peer that knows " + strings.Join(u.Waiting, "\n\tand ") +
			"\n\t(meshd run --alone goes on under new keys)"
	}
	if len(s.OwnForks) > 0 {
		mode += "\n\t" + p.paint(red, "own chains are forked") + ": " + forkedText(s.OwnForks)
	}
	if off := time.Duration(s.ClockSkew * float64(time.Second)); off.Abs() > 5*time.Minute {
		mode += "\n\t" + p.paint(yellow, fmt.Sprintf("this clock is %s off the median of its peers", off.Abs().Round(time.Second))) + " (meshd doctor)"
	}
	peers := fmt.Sprint(s.Peers)
	if s.Crowd != nil {
		peers += "\n\t" + p.paint(yellow, s.Crowd.String()) + " (meshd doctor)"
	}
	if err := p.facts(
		"node", s.PeerID, "owner", s.Owner, "version", s.Version, "network", s.Name+" ("+s.Network+")",
		"up", (time.Duration(s.Uptime) * time.Second).String(), "mode", mode, "gossip", onOff(s.Gossip),
		"peers", peers, "last equal", sync, "known", plural.Count(s.Agents, "agent")+", "+plural.Count(s.Entries, "entry")+", "+plural.Count(s.Domains, "domain"),
		"index lag", fmt.Sprint(s.IndexLag), "waiting", fmt.Sprint(s.Deferred), "held", fmt.Sprintf("%d for their rate, %d without their body", s.Held, s.Stubbed), "listen", strings.Join(s.Listen, "\n\t"),
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

// forkedText says which chains of this node are forked and what to do.
func forkedText(forks []node.OwnFork) string {
	var lines []string
	for _, f := range forks {
		who := f.Agent
		if f.Name != "" {
			who = f.Name
		}
		lines = append(lines, fmt.Sprintf("%s in %s (%s lane) from %d on", oneLine(who, 64), f.Space, f.Lane, f.Seq))
	}
	return strings.Join(lines, ", ") + ": " + rotateNext(forks)
}

// rotateNext is the command that ends a fork of own chains.
func rotateNext(forks []node.OwnFork) string {
	return "meshd id rotate --as " + forks[0].Agent + " keeps one branch and goes on under a new key"
}
