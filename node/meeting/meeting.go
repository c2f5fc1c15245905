// Package meeting brings nodes together: invitations that this node makes and counts,
// those of others that it takes up, and what an owner does with single peers.
package meeting

import (
	"context"
	"crypto/rand"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/libp2p/go-libp2p/core/crypto"
	"github.com/libp2p/go-libp2p/core/peer"
	ma "github.com/multiformats/go-multiaddr"
	manet "github.com/multiformats/go-multiaddr/net"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/peering"
	"github.com/meshd/meshd/p2p/invite"
)

// BookFile is where a home keeps the invitations that its node has made.
const BookFile = "invitations.json"

// Meetings is safe for concurrent use.
type Meetings struct {
	core  *core.Core
	peers *peering.Peering
	book  *book
}

// Open reads the invitations of a home and answers who shows one.
func Open(c *core.Core, p *peering.Peering) (*Meetings, error) {
	b, err := openBook(c.Opt.Home.Path(BookFile))
	if err != nil {
		return nil, err
	}
	m := &Meetings{core: c, peers: p, book: b}
	p.OnMeet(m)
	return m, nil
}

// Order is an invitation to make.
type Order struct {
	Term   time.Duration
	Uses   int
	Guild  string // a guild of this node, with the code by which it takes newcomers in
	Ticket string
	Device bool
}

// Make signs an invitation and begins to count who takes it up. The refusal is
// invalid_param, limit_reached, or not_ready when the node has no address.
func (m *Meetings) Make(o Order) (Made, string, error) {
	now := m.core.Opt.Now()
	v := invite.Invitation{Peer: m.core.SelfID, Until: now.Add(o.Term).Truncate(time.Second), Ticket: o.Ticket, Device: o.Device}
	switch {
	case o.Uses < 1 || o.Uses > MaxUses:
		return Made{}, "", reason.Refuse(reason.InvalidParam, "an invitation is for 1 to %d nodes", MaxUses)
	case o.Term < MinTerm || o.Term > MaxTerm:
		return Made{}, "", reason.Refuse(reason.InvalidParam, "an invitation lasts from %s to %s", MinTerm, MaxTerm)
	}
	if o.Guild != "" {
		id, err := change.ParseID(change.PrefixGuild, o.Guild)
		if err != nil {
			return Made{}, "", reason.Refuse(reason.InvalidParam, "not the id of a guild")
		}
		v.Guild = id
	}
	if v.Addrs = m.addrs(); len(v.Addrs) == 0 {
		return Made{}, "", reason.Refuse(reason.NotReady, "this node listens on no address that another one could dial")
	}
	if _, err := rand.Read(v.ID[:]); err != nil {
		return Made{}, "", err
	}
	v.Network = change.NetworkFile{Genesis: m.core.Judge.Genesis(), Bootstrap: m.others()}
	line, err := m.signed(v)
	if err != nil {
		return Made{}, "", err
	}
	made := Made{ID: v.ID.String(), Guild: o.Guild, Device: o.Device, Uses: o.Uses, At: now.UTC().Truncate(time.Second), Until: v.Until.UTC(), Taken: []Taken{}}
	return made, line, m.book.add(made, now)
}

// signed is the line of an invitation, signed by the key by which peers know this node.
func (m *Meetings) signed(v invite.Invitation) (string, error) {
	seed, err := m.core.NodeSeed()
	if err != nil {
		return "", err
	}
	key, _, err := crypto.GenerateEd25519Key(strings.NewReader(string(seed[:])))
	if err != nil {
		return "", err
	}
	return v.Line(key)
}

// addrs are some addresses of this node: those that the whole internet can dial before
// those of a relay, and these before private ones.
func (m *Meetings) addrs() []ma.Multiaddr {
	var public, relayed, private []ma.Multiaddr
	for _, a := range m.peers.OwnAddrs() {
		switch _, err := a.ValueForProtocol(ma.P_CIRCUIT); {
		case err == nil:
			relayed = append(relayed, a)
		case manet.IsPublicAddr(a):
			public = append(public, a)
		default:
			private = append(private, a)
		}
	}
	all := append(append(public, relayed...), private...)
	return all[:min(len(all), invite.MaxAddrs)]
}

// others are addresses of other peers that this node was given.
func (m *Meetings) others() []string {
	all := m.peers.Bootstrap()
	return all[:min(len(all), invite.MaxOthers)]
}

// NetworkFile is the file of this network, with the addresses of this node and of the
// peers that it asks first.
func (m *Meetings) NetworkFile() (string, error) {
	f := change.NetworkFile{Genesis: m.core.Judge.Genesis()}
	for _, a := range m.addrs() {
		f.Bootstrap = append(f.Bootstrap, a.String()+"/p2p/"+m.core.SelfID.String())
	}
	f.Bootstrap = append(f.Bootstrap, m.others()...)
	return f.Encode()
}

// Invitations are those that this node has made, newest first; ended ones are left out,
// but for those of devices.
func (m *Meetings) Invitations() []Made { return m.book.list(m.core.Opt.Now()) }

// Drop takes an invitation back: not_found when there is none.
func (m *Meetings) Drop(id string) error { return m.book.drop(id, m.core.Opt.Now()) }

// Decide writes down whether a device that has asked may write: not_found for others.
func (m *Meetings) Decide(key string, may bool) (Taken, error) {
	state := map[bool]string{true: Approved, false: Refused}[may]
	return m.book.decide(key, state, m.core.Opt.Now())
}

// Greet counts a newcomer.
func (m *Meetings) Greet(_ context.Context, from peer.ID, r invite.Request) (invite.Reply, error) {
	if r.Net != m.core.Judge.Net() {
		return invite.Reply{}, reason.Refuse(reason.ForeignNetwork, "this node is of another network")
	}
	now := m.core.Opt.Now()
	by := Taken{Peer: from.String(), At: now.UTC().Truncate(time.Second)}
	if r.Device != (did.Key{}) {
		by.Label, by.Key, by.State = r.Label, r.Device.String(), Waiting
	}
	got, err := m.book.take(r.ID, by, now)
	if err != nil {
		return invite.Reply{}, err
	}
	if got.State == Refused {
		return invite.Reply{}, reason.Refuse(reason.Forbidden, "the owner has refused the device")
	}
	a := invite.Reply{Pending: got.State == Waiting}
	if id, ok := m.core.Owner(); ok {
		a.Agent = id
		if rec, known := m.core.Views.Agent(id); known && utf8.RuneCountInString(rec.Name) <= invite.MaxMachine {
			a.Name = rec.Name
		}
	}
	return a, nil
}

// Met is who was met by an invitation.
type Met struct {
	peering.Link
	Agent   string  `json:"agent"` // of the owner of that node
	Name    string  `json:"name"`
	Pending bool    `json:"pending,omitempty"` // that owner has to approve the device first
	Seconds float64 `json:"seconds"`
}

// Call is what an invitation of another node asks for.
type Call struct {
	Addresses []string // of that node, as settings name them
	Guild     string   // a guild that it keeps, and the code by which it takes newcomers in
	Ticket    string
}

// Meet takes up an invitation of another node: it connects that node and shows it the
// line. device is the key of this node that shall write for that owner, for an
// invitation that is for a device. The refusal is one of invite.Parse, invite_expired,
// foreign_network, peer_unreachable, or that of the other node.
func (m *Meetings) Meet(ctx context.Context, line, device string) (Call, Met, error) {
	v, err := invite.Parse(line)
	if err != nil {
		return Call{}, Met{}, err
	}
	call := Call{Addresses: v.Dials(), Ticket: v.Ticket}
	if v.InGuild() {
		call.Guild = v.Guild.Text(change.PrefixGuild)
	}
	met, err := m.meet(ctx, v, device)
	return call, met, err
}

func (m *Meetings) meet(ctx context.Context, v invite.Invitation, device string) (Met, error) {
	if err := v.Expired(m.core.Opt.Now()); err != nil {
		return Met{}, err
	}
	if net, err := v.Network.Genesis.ID(); err != nil || net != m.core.Judge.Net() {
		return Met{}, reason.Refuse(reason.ForeignNetwork, "the invitation is to the network %q (%s), this home belongs to %q (%s)",
			v.Network.Genesis.Name, net, m.core.Judge.Genesis().Name, m.core.Judge.Net())
	}
	r := invite.Request{ID: v.ID, Net: m.core.Judge.Net()}
	if v.Device {
		k, err := did.ParseKey(device)
		if err != nil {
			return Met{}, reason.Refuse(reason.InvalidDID, "an invitation for a device needs the key of one")
		}
		r.Device, r.Label = k, label()
	}
	ctx, cancel := context.WithTimeout(ctx, reachTime)
	defer cancel()
	began := time.Now()
	link, a, err := m.peers.Introduce(ctx, v.Info(), r)
	if err != nil {
		return Met{}, err
	}
	return Met{link, a.Agent.String(), a.Name, a.Pending, time.Since(began).Seconds()}, nil
}

// label is how this machine calls itself to its owner's other devices.
func label() string {
	name, err := os.Hostname()
	if err != nil || !utf8.ValidString(name) || utf8.RuneCountInString(name) > invite.MaxMachine {
		return ""
	}
	return name
}

// Reach connects the peer of an address that settings could name: invalid_param when
// they could not, peer_unreachable when it does not answer.
func (m *Meetings) Reach(ctx context.Context, address string) (peering.Link, error) {
	if err := m.peers.Dialable(address); err != nil {
		return peering.Link{}, err
	}
	info, err := peer.AddrInfoFromString(address)
	if err != nil {
		return peering.Link{}, reason.Refuse(reason.InvalidParam, "%.120q: %v", address, err)
	}
	ctx, cancel := context.WithTimeout(ctx, reachTime)
	defer cancel()
	return m.peers.Reach(ctx, *info)
}

// Pinged is how a peer has answered.
type Pinged struct {
	peering.Link
	RTT []float64 `json:"rtt_ms"`
}

// Ping asks a peer, by its id or an address, for signs of life. One that is not
// connected is dialled, by the addresses that are known of it.
func (m *Meetings) Ping(ctx context.Context, who string, times int) (out Pinged, err error) {
	if times < 1 || times > MaxPings {
		return out, reason.Refuse(reason.InvalidParam, "from 1 to %d pings", MaxPings)
	}
	if strings.HasPrefix(who, "/") {
		out.Link, err = m.Reach(ctx, who)
	} else {
		id, fault := peer.Decode(who)
		if fault != nil {
			return out, reason.Refuse(reason.InvalidParam, "neither the id of a peer nor an address that ends with one: %.120q", who)
		}
		dialling, cancel := context.WithTimeout(ctx, reachTime)
		out.Link, err = m.peers.Reach(dialling, m.peers.Known(id))
		cancel()
	}
	if err != nil {
		return out, err
	}
	id, err := peer.Decode(out.Peer)
	if err != nil {
		return out, err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(times)*pingTime)
	defer cancel()
	took, err := m.peers.Ping(ctx, id, times)
	for _, d := range took {
		out.RTT = append(out.RTT, float64(d)/float64(time.Millisecond))
	}
	return out, err
}

// Hangup ends the connections with a peer, by its id or an address of it.
func (m *Meetings) Hangup(who string) error {
	id, err := peer.Decode(who[strings.LastIndex(who, "/")+1:])
	if err != nil {
		return reason.Refuse(reason.InvalidParam, "neither the id of a peer nor an address that ends with one: %.120q", who)
	}
	return m.peers.Hangup(id)
}
