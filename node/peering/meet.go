package peering

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	p2pnet "github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/p2p/net/swarm"
	"github.com/libp2p/go-libp2p/p2p/protocol/ping"
	ma "github.com/multiformats/go-multiaddr"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/p2p/discover"
	"github.com/meshd/meshd/p2p/invite"
)

// Link is a connection with a peer.
type Link struct {
	Peer      string `json:"peer"`
	Addr      string `json:"addr"`      // by which the peer is connected
	Transport string `json:"transport"` // quic, tcp, ws or relay
	Direction string `json:"direction"` // in or out
}

// OnMeet sets who decides about newcomers that show an invitation of this node. Before
// it is called there is nobody to show one to.
func (n *Peering) OnMeet(g invite.Greeter) { n.greeter.Store(&g) }

// greeting hands newcomers to who decides about them.
type greeting struct{ n *Peering }

var _ invite.Greeter = greeting{}

func (g greeting) Greet(ctx context.Context, from peer.ID, r invite.Request) (invite.Reply, error) {
	decide := g.n.greeter.Load()
	if decide == nil {
		return invite.Reply{}, reason.Refuse(reason.InviteInvalid, "this node has made no invitations")
	}
	return (*decide).Greet(ctx, from, r)
}

// errUnconnected is the refusal of whoever needs peers while the node has none to dial.
var errUnconnected = reason.Refuse(reason.NotReady, "this node runs without peers")

// Reach connects a peer, or finds it connected, and returns the connection: a direct
// one when there is one. The refusal is peer_unreachable.
func (n *Peering) Reach(ctx context.Context, to peer.AddrInfo) (Link, error) {
	net := n.Net.Load()
	if net == nil {
		return Link{}, errUnconnected
	}
	if to.ID == net.Host.ID() {
		return Link{}, reason.Refuse(reason.InvalidParam, "that is this node itself")
	}
	if sw, ok := net.Host.Network().(*swarm.Swarm); ok {
		sw.Backoff().Clear(to.ID) // who asks does not wait for an earlier failure
	}
	if err := net.Host.Connect(p2pnet.WithAllowLimitedConn(ctx, "reach"), to); err != nil {
		return Link{}, reason.Refuse(reason.PeerUnreachable, "%s", whyNot(to, err))
	}
	return net.link(to.ID)
}

// whyNot is the error of a dial without the words of the library around it.
func whyNot(to peer.AddrInfo, err error) string {
	var failed *swarm.DialError
	if !errors.As(err, &failed) || len(failed.DialErrors) == 0 {
		return fmt.Sprintf("%s: %v", to.ID, err)
	}
	text := to.ID.String() + " does not answer"
	for i, e := range failed.DialErrors {
		if i == maxReasons {
			return text + fmt.Sprintf("; and at %d more addresses", len(failed.DialErrors)-i)
		}
		text += fmt.Sprintf("; %s: %v", e.Address, e.Cause)
	}
	return text
}

// link describes the best connection with a peer.
func (net *Network) link(id peer.ID) (Link, error) {
	conns := net.Host.Network().ConnsToPeer(id)
	slices.SortStableFunc(conns, func(a, b p2pnet.Conn) int { return limited(a) - limited(b) })
	if len(conns) == 0 {
		return Link{}, reason.Refuse(reason.PeerUnreachable, "%s hung up", id)
	}
	l := LinkOf(conns[0])
	return Link{id.String(), conns[0].RemoteMultiaddr().String(), l.Transport, l.Direction}, nil
}

func limited(c p2pnet.Conn) int {
	if c.Stat().Limited {
		return 1
	}
	return 0
}

// Introduce connects the node that made an invitation and shows it the invitation. Until
// that node takes this one up, nothing else is exchanged with it unless it was connected
// before; when it does not, the connection ends and neither knows of the other. The
// refusal is peer_unreachable or that of the other node.
func (n *Peering) Introduce(ctx context.Context, to peer.AddrInfo, r invite.Request) (Link, invite.Reply, error) {
	net := n.Net.Load()
	if net == nil {
		return Link{}, invite.Reply{}, errUnconnected
	}
	decide := net.Host.Suspend(to.ID, invite.Protocol)
	link, err := n.Reach(ctx, to)
	var a invite.Reply
	if err == nil {
		a, err = net.meet.Show(ctx, to.ID, r)
	}
	if left := decide(err == nil); err != nil {
		return Link{}, invite.Reply{}, errors.Join(err, left)
	}
	net.Sync.Soon(to.ID)
	return link, a, nil
}

// Ping asks a connected peer so many times for a sign of life and returns how long each
// took.
func (n *Peering) Ping(ctx context.Context, to peer.ID, times int) (took []time.Duration, err error) {
	net := n.Net.Load()
	if net == nil {
		return nil, errUnconnected
	}
	ctx, cancel := context.WithCancel(p2pnet.WithAllowLimitedConn(p2pnet.WithNoDial(ctx, "ping"), "ping"))
	defer cancel()
	answers := ping.Ping(ctx, net.Host, to)
	for len(took) < times {
		select {
		case r, ok := <-answers:
			if !ok || r.Error != nil {
				return took, reason.Refuse(reason.PeerUnreachable, "%s is connected and does not answer", to)
			}
			took = append(took, r.RTT)
		case <-ctx.Done():
			return took, reason.Refuse(reason.PeerUnreachable, "%s is connected and does not answer in time", to)
		}
	}
	return took, nil
}

// Hangup ends the connections with a peer.
func (n *Peering) Hangup(id peer.ID) error {
	net := n.Net.Load()
	if net == nil {
		return errUnconnected
	}
	return net.Host.Network().ClosePeer(id)
}

// Rebootstrap puts the configured addresses in force, after they have changed.
func (n *Peering) Rebootstrap() error {
	net := n.Net.Load()
	if net == nil {
		return nil
	}
	return net.Found.SetBootstrap(n.Bootstrap())
}

// Dialable refuses an address that a configuration cannot name.
func (n *Peering) Dialable(address string) error {
	if !(discover.Config{Loopback: n.core.Config().P2P.Loopback}).Usable(address) {
		return reason.Refuse(reason.InvalidParam, "an address of a peer begins with / and ends with /p2p/ and its id, and is of this machine in loopback mode: %.120q", address)
	}
	return nil
}

// OwnAddrs are the addresses by which peers dial this node, without its id.
func (n *Peering) OwnAddrs() []ma.Multiaddr {
	net := n.Net.Load()
	if net == nil {
		return nil
	}
	return net.Host.Addrs()
}

// Known are the addresses that are known of a peer, by its record or the settings.
func (n *Peering) Known(id peer.ID) peer.AddrInfo {
	info := peer.AddrInfo{ID: id}
	if net := n.Net.Load(); net != nil {
		for _, p := range net.Found.Peers() {
			if p.ID == id {
				info.Addrs = p.Addrs
			}
		}
	}
	return info
}
