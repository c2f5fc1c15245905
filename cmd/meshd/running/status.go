package running

import (
	"encoding/json"
	"fmt"
	"github.com/meshd/meshd/node/health"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/gateway/plural"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/disk"
)

func cmdStatus(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "status", Short: "Show the running node and its sets", Args: session.Nothing,
		RunE: func(c *cobra.Command, _ []string) error {
			return s.Ask(c.Context(), session.Running, http.MethodGet, "/control/status", nil, nil, showStatus)
		},
	}
}

func showStatus(s *session.Session, data json.RawMessage) error {
	var st health.Status
	if err := session.Decode(data, &st); err != nil {
		return err
	}
	sync := "never"
	if st.LastSync != "" {
		sync = session.Ago(st.LastSync, time.Now())
	}
	mode := "reads and writes"
	if st.ReadOnly {
		mode = s.Paint(session.Red, "only reads: the disk is full")
	} else if st.Disk != nil && st.Disk.Level != disk.Roomy.String() {
		mode = s.Paint(session.Yellow, "refuses what others send: "+st.Disk.Text)
	}
	if u := st.Unsure; u != nil && len(u.Waiting) == 0 {
		mode += "\n\t" + s.Paint(session.Yellow, "but signs nothing in "+strings.Join(u.Teams, ", ")+": this home "+u.Text) +
			"\n\tand waits for the node of another member (meshd id rotate goes on under a new key)"
	} else if u != nil {
		mode = s.Paint(session.Yellow, "signs nothing: this home "+u.Text) + "\n\tand waits for a peer that knows " + strings.Join(u.Waiting, "\n\tand ") +
			"\n\t(meshd run --alone goes on under new keys)"
	}
	if len(st.OwnForks) > 0 {
		mode += "\n\t" + s.Paint(session.Red, "own chains are forked") + ": " + forkedText(st.OwnForks)
	}
	if off := time.Duration(st.ClockSkew * float64(time.Second)); off.Abs() > 5*time.Minute {
		mode += "\n\t" + s.Paint(session.Yellow, fmt.Sprintf("this clock is %s off the median of its peers", off.Abs().Round(time.Second))) + " (meshd doctor)"
	}
	peers := fmt.Sprint(st.Peers)
	if st.Peers == 0 {
		peers = s.Paint(session.Yellow, "nobody: what is written here is on this machine alone") + "\n\t" + aloneNext
	}
	if st.Crowd != nil {
		peers += "\n\t" + s.Paint(session.Yellow, st.Crowd.String()) + " (meshd doctor)"
	}
	if err := s.Facts(
		"node", st.PeerID, "owner", st.Owner, "version", st.Version, "network", st.Name+" ("+st.Network+")",
		"up", (time.Duration(st.Uptime) * time.Second).String(), "mode", mode, "gossip", onOff(st.Gossip),
		"peers", peers, "last equal", sync, "known", plural.Count(st.Agents, "agent")+", "+plural.Count(st.Entries, "entry")+", "+plural.Count(st.Domains, "domain"),
		"index lag", fmt.Sprint(st.IndexLag), "waiting", fmt.Sprint(st.Deferred), "held", fmt.Sprintf("%d for their rate, %d without their body", st.Held, st.Stubbed), "listen", strings.Join(st.Listen, "\n\t"),
		"forks", strings.Join(st.Forks, "\n\t"),
	); err != nil {
		return err
	}
	rows := [][]string{{"SET", "CHANGES", "FINGERPRINT"}}
	for _, set := range st.Sets {
		rows = append(rows, []string{set.Name, fmt.Sprint(set.Count), set.FP})
	}
	rows = append(rows, []string{"view", fmt.Sprint(st.View.Rows), st.View.FP})
	fmt.Fprintln(s.Out)
	return s.Table(rows)
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// forkedText says which chains of this node are forked and what to do.
func forkedText(forks []core.OwnFork) string {
	var lines []string
	for _, f := range forks {
		who := f.Agent
		if f.Name != "" {
			who = f.Name
		}
		lines = append(lines, fmt.Sprintf("%s in %s (%s lane) from %d on", terminal.OneLine(who, 64), f.Space, f.Lane, f.Seq))
	}
	return strings.Join(lines, ", ") + ": " + rotateNext(forks)
}

// rotateNext is the command that ends a fork of own chains.
func rotateNext(forks []core.OwnFork) string {
	return "meshd id rotate --as " + forks[0].Agent + " keeps one branch and goes on under a new key"
}
