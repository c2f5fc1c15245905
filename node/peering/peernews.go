package peering

import (
	"log/slog"
	gosync "sync"

	p2pnet "github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	ma "github.com/multiformats/go-multiaddr"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/eventlog"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/p2p/sync"
)

// PeerLink is the Data of peer.connected: how the connection came about. It has no
// address of the peer.
type PeerLink struct {
	Direction string // "in" or "out"
	Transport string // "quic", "tcp", "ws" or "relay"
}

// LogAttrs are the facts for the log.
func (l PeerLink) LogAttrs() []slog.Attr {
	return []slog.Attr{slog.String("direction", l.Direction), slog.String("transport", l.Transport)}
}

// PassSummary is what a pass came to: the Data of sync.done, and a line of status.
type PassSummary struct {
	Peer     string  `json:"peer"`
	Equal    bool    `json:"equal"` // nothing differed at the end
	Got      int     `json:"got"`
	Pushed   int     `json:"pushed"`
	BytesIn  uint64  `json:"bytes_in"`
	BytesOut uint64  `json:"bytes_out"`
	Seconds  float64 `json:"seconds"`         // how long the pass took
	Err      string  `json:"error,omitempty"` // why the pass ended early
}

// Summary is the summary of a report.
func Summary(r sync.PassReport) PassSummary {
	s := PassSummary{Peer: r.Peer.String(), Equal: r.Equal(), BytesIn: r.BytesIn, BytesOut: r.BytesOut, Seconds: r.Took.Seconds()}
	for _, set := range r.Sets {
		s.Got += set.Got
		s.Pushed += set.Pushed
	}
	if r.Err != nil {
		s.Err = r.Err.Error()
	}
	return s
}

// LogAttrs are the facts for the log.
func (s PassSummary) LogAttrs() []slog.Attr {
	out := []slog.Attr{slog.Bool("equal", s.Equal), slog.Int("got", s.Got), slog.Int("pushed", s.Pushed),
		slog.Uint64("bytesIn", s.BytesIn), slog.Uint64("bytesOut", s.BytesOut), slog.Int64("millis", int64(s.Seconds*1000))}
	if s.Err != "" {
		out = append(out, slog.String("error", s.Err))
	}
	return out
}

// DiskSpace is the Data of store.readonly and store.writable.
type DiskSpace struct{ Free uint64 } // bytes

// LogAttrs are the facts for the log.
func (d DiskSpace) LogAttrs() []slog.Attr { return []slog.Attr{slog.Uint64("freeBytes", d.Free)} }

var _, _, _, _ eventlog.Attrs = PeerLink{}, PassSummary{}, core.Verdict{}, DiskSpace{}

// watchPeers publishes peers as they come and go, one event for the first connection
// of a peer and one after its last, until the returned function is called.
func (net *Network) watchPeers() (stop func()) {
	bus, all := net.n.core.Bus, net.Host.Network()
	announced := map[peer.ID]bool{}
	var mu gosync.Mutex // guards announced: notifications come on many goroutines
	connected := func(c p2pnet.Conn) {
		mu.Lock()
		defer mu.Unlock()
		p := c.RemotePeer()
		if !announced[p] && !c.Stat().Limited {
			announced[p] = true
			bus.Publish(events.Event{Kind: events.PeerConnected, Object: p.String(), Data: LinkOf(c)})
		}
	}
	disconnected := func(p peer.ID) {
		mu.Lock()
		defer mu.Unlock()
		if announced[p] && all.Connectedness(p) != p2pnet.Connected {
			delete(announced, p)
			bus.Publish(events.Event{Kind: events.PeerDisconnected, Object: p.String()})
		}
	}
	n := &p2pnet.NotifyBundle{
		ConnectedF:    func(_ p2pnet.Network, c p2pnet.Conn) { connected(c) },
		DisconnectedF: func(_ p2pnet.Network, c p2pnet.Conn) { disconnected(c.RemotePeer()) },
	}
	all.Notify(n)
	for _, c := range all.Conns() {
		connected(c)
	}
	return func() { all.StopNotify(n) }
}

// LinkOf describes a connection.
func LinkOf(c p2pnet.Conn) PeerLink {
	l := PeerLink{Direction: "in", Transport: "tcp"}
	if c.Stat().Direction == p2pnet.DirOutbound {
		l.Direction = "out"
	}
	for _, name := range c.RemoteMultiaddr().Protocols() {
		switch name.Code {
		case ma.P_CIRCUIT:
			l.Transport = "relay"
			return l
		case ma.P_QUIC_V1:
			l.Transport = "quic"
		case ma.P_WS, ma.P_WSS:
			l.Transport = "ws"
		}
	}
	return l
}

// passed publishes a pass that has ended.
func (n *Peering) passed(r sync.PassReport) {
	s := Summary(r)
	if len(r.Sets) > 0 {
		n.core.Admits.Ages.Peer(s.Peer, s.Equal, s.Got, n.core.Opt.Now(), n.core.Log.LastSeq())
	}
	n.core.Bus.Publish(events.Event{Kind: events.SyncDone, Object: s.Peer, Data: s})
}

// TurnedAway publishes a change that ingest did not take in.
func (n *Peering) TurnedAway(from string, c *change.Change, code reason.Code) {
	kind := events.ChangeRefused
	if code == reason.MissingDeps {
		kind = events.ChangeDeferred
	}
	n.core.Bus.Publish(events.Event{Kind: kind, Object: c.ID.Text(change.PrefixChange), Data: core.Verdict{Code: code, From: from}})
}
