package running

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/gateway/admin"
	"github.com/meshd/meshd/gateway/plural"
	"github.com/meshd/meshd/node"
	"github.com/meshd/meshd/node/health"
	"github.com/meshd/meshd/node/meeting"
)

func cmdPeers(s *session.Session) *cobra.Command {
	c := &cobra.Command{
		Use: "peers", Short: "Show the peers of the running node", Args: session.Subcommand,
		RunE: func(c *cobra.Command, _ []string) error {
			return s.Ask(c.Context(), session.Running, http.MethodGet, "/control/peers", nil, nil, showPeers)
		},
	}
	c.AddCommand(cmdPeersAdd(s), cmdPeersDrop(s), cmdPeersPing(s), cmdPeersGave(s))
	return c
}

func cmdPeersAdd(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "add ADDRESS", Short: "Connect a peer now and at every start", Args: session.One("address that ends in /p2p/<peer id>"),
		Long: "Connect a peer, and name it in network.bootstrap of the settings, so that it is asked first at every start too. Ends\n" +
			"with 3 when it does not answer yet; the node goes on trying.",
		Example: "  meshd peers add /ip4/192.168.1.7/tcp/4001/p2p/12D3KooW...",
		RunE: func(c *cobra.Command, args []string) error {
			return s.WithAnswer(c.Context(), session.Running, http.MethodPost, "/control/peers", nil, admin.PeerOrder{Do: "add", Peer: args[0]}, func(data json.RawMessage) error {
				var r admin.PeerReply
				err := session.Decode(data, &r)
				switch {
				case err != nil:
					return err
				case s.JSON:
					err = s.PrintRaw(data)
				case r.Link != nil:
					err = s.Facts("connected", r.Link.Peer, "by", r.Link.Addr+"  "+r.Link.Transport)
				default:
					s.Say("%s", s.Paint(session.Yellow, "added, not connected yet: "+terminal.OneLine(r.Error, 300)))
				}
				if err == nil && r.Link == nil {
					err = session.ErrDegraded
				}
				return err
			})
		},
	}
}

func cmdPeersDrop(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "drop PEER", Short: "Hang up a peer and ask it no more", Args: session.One("peer id, or address of the settings"),
		Long: "Take a peer out of network.bootstrap of the settings and hang up. It may come back by itself, as any peer of the\n" +
			"network may; meshd block add peer ID refuses it.",
		RunE: func(c *cobra.Command, args []string) error {
			return s.AskAbout(c.Context(), session.Running, "", "PEER", args[0], func(id string) session.Request {
				return session.Request{Method: http.MethodPost, Path: "/control/peers", In: admin.PeerOrder{Do: "drop", Peer: id}}
			}, func(s *session.Session, data json.RawMessage) error {
				var r admin.PeerReply
				if err := session.Decode(data, &r); err != nil {
					return err
				}
				s.Say("dropped %s", r.Peer)
				return nil
			})
		},
	}
}

func cmdPeersPing(s *session.Session) *cobra.Command {
	var count int
	c := &cobra.Command{
		Use: "ping PEER", Short: "Ask a peer for signs of life", Args: session.One("peer id or address"),
		Long: "Ask a peer for signs of life and print how long each took, and by which way. A peer that is not connected is dialled.",
		RunE: func(c *cobra.Command, args []string) error {
			return s.AskAbout(c.Context(), session.Running, "", "PEER", args[0], func(id string) session.Request {
				return session.Request{Method: http.MethodPost, Path: "/control/peers/ping", In: admin.PingOrder{Peer: id, Count: count}}
			}, func(s *session.Session, data json.RawMessage) error {
				var r meeting.Pinged
				if err := session.Decode(data, &r); err != nil {
					return err
				}
				var times []string
				for _, ms := range r.RTT {
					times = append(times, fmt.Sprintf("%.1f ms", ms))
				}
				return s.Facts("peer", r.Peer, "by", r.Addr+"  "+r.Transport, "took", strings.Join(times, "  "))
			})
		},
	}
	c.Flags().IntVarP(&count, "count", "c", 3, "how many times")
	return c
}

// aloneNext is what to do about having no peers.
const aloneNext = "meshd invite makes a line for somebody to meet this node, meshd join LINE takes one up"

func cmdPeersGave(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "gave PEER", Short: "Count the changes that a peer delivered first, by author and kind", Args: session.One("peer id, or file for imports"),
		Long: "Count the changes that came first from a peer, by author and kind, with when the first and the last of them came\n" +
			"to the minute. The node remembers the newest 65,000 turns or more between givers: of what came before them, and of\n" +
			"the last moments before a crash, nobody is named. meshd purge --from removes what is listed.",
		RunE: func(c *cobra.Command, args []string) error {
			return s.AskAbout(c.Context(), session.Existing, "", "PEER", args[0], func(id string) session.Request {
				return session.Request{Method: http.MethodGet, Path: "/control/gave", Query: url.Values{"peer": {id}}}
			}, showGifts)
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
		s.Say("no peers yet; %s", aloneNext)
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
