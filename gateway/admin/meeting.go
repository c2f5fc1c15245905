package admin

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/meeting"
	"github.com/meshd/meshd/node/peering"
)

// Meetings is what the handlers need to bring the node together with others;
// *meeting.Meetings is one.
type Meetings interface {
	invitations
	acquaintances
}

var _ Meetings = (*meeting.Meetings)(nil)

// invitations are those that the node makes, and takes up.
type invitations interface {
	// Make signs an invitation and begins to count who takes it up.
	Make(o meeting.Order) (meeting.Made, string, error)
	// Invitations are those that this node has made, newest first.
	Invitations() []meeting.Made
	// Drop takes an invitation back: not_found when there is none.
	Drop(id string) error
	// Decide writes down whether a device that has asked may write.
	Decide(key string, may bool) (meeting.Taken, error)
	// Meet takes up an invitation of another node: it connects that node and shows it
	// the line.
	Meet(ctx context.Context, line, device string) (meeting.Call, meeting.Met, error)
	// NetworkFile is the file of this network, with addresses to begin with.
	NetworkFile() (string, error)
}

// acquaintances are single peers.
type acquaintances interface {
	// Reach connects the peer of an address: peer_unreachable when it does not answer.
	Reach(ctx context.Context, address string) (peering.Link, error)
	// Ping asks a peer, by its id or an address, for signs of life.
	Ping(ctx context.Context, who string, times int) (meeting.Pinged, error)
	// Hangup ends the connections with a peer.
	Hangup(who string) error
}

// meets answers what brings the node together with others.
type meets struct{ *handlers }

func (h meets) mount(mux *http.ServeMux) {
	mux.HandleFunc("GET /control/invites", h.invites)
	mux.HandleFunc("POST /control/invites", h.invite)
	mux.HandleFunc("POST /control/invites/drop", h.dropInvite)
	mux.HandleFunc("POST /control/devices", h.device)
	mux.HandleFunc("POST /control/meet", h.meet)
	mux.HandleFunc("POST /control/peers", h.peer)
	mux.HandleFunc("POST /control/peers/ping", h.ping)
	mux.HandleFunc("GET /control/network/file", h.networkFile)
}

// InvitesReply is the answer of GET /control/invites.
type InvitesReply struct {
	Invitations []meeting.Made `json:"invitations"`
}

func (h meets) invites(w http.ResponseWriter, _ *http.Request) {
	h.reply(w, InvitesReply{append([]meeting.Made{}, h.Meetings.Invitations()...)})
}

// InviteOrder is the body of POST /control/invites.
type InviteOrder struct {
	Seconds int64  `json:"seconds"` // it lasts
	Uses    int    `json:"uses"`
	Guild   string `json:"guild,omitempty"`
	Ticket  string `json:"ticket,omitempty"` // the code by which the guild takes newcomers in
	Device  bool   `json:"device,omitempty"`
}

// InviteReply is its answer.
type InviteReply struct {
	Line       string       `json:"line"`
	Invitation meeting.Made `json:"invitation"`
}

func (h meets) invite(w http.ResponseWriter, r *http.Request) {
	var in InviteOrder
	err := read(w, r, &in)
	if err == nil && (in.Seconds < 1 || in.Seconds > int64(meeting.MaxTerm/time.Second)) {
		err = reason.Refuse(reason.InvalidParam, "an invitation lasts from %s to %s", meeting.MinTerm, meeting.MaxTerm)
	}
	var out InviteReply
	if err == nil {
		out.Invitation, out.Line, err = h.Meetings.Make(meeting.Order{Term: time.Duration(in.Seconds) * time.Second, Uses: in.Uses, Guild: in.Guild, Ticket: in.Ticket, Device: in.Device})
	}
	h.answer(w, out, err)
}

func (h meets) dropInvite(w http.ResponseWriter, r *http.Request) {
	var in struct {
		ID string `json:"id"`
	}
	err := read(w, r, &in)
	if err == nil {
		err = h.Meetings.Drop(in.ID)
	}
	h.answer(w, map[string]any{"dropped": true, "id": in.ID}, err)
}

// DeviceOrder is the body of POST /control/devices.
type DeviceOrder struct {
	Key string `json:"key"` // did:key of a device that has asked
	May bool   `json:"may"`
}

func (h meets) device(w http.ResponseWriter, r *http.Request) {
	var in DeviceOrder
	err := read(w, r, &in)
	var out meeting.Taken
	if err == nil {
		out, err = h.Meetings.Decide(in.Key, in.May)
	}
	h.answer(w, out, err)
}

// MeetOrder is the body of POST /control/meet.
type MeetOrder struct {
	Line   string `json:"line"`
	Device string `json:"device,omitempty"` // did:key of this node, for an invitation for a device
}

// MeetReply is its answer: whom the node met, or why nobody.
type MeetReply struct {
	Met    *meeting.Met `json:"met"`
	Guild  string       `json:"guild,omitempty"`
	Ticket string       `json:"ticket,omitempty"`
	Kept   []string     `json:"kept"`             // addresses that the settings name now
	Unkept string       `json:"unkept,omitempty"` // why they do not
	Code   reason.Code  `json:"code,omitempty"`   // why nobody was met, though the node goes on trying
	Error  string       `json:"error,omitempty"`
}

// meet takes up an invitation. Who made it is asked again at every start from then on,
// and when it does not answer now.
func (h meets) meet(w http.ResponseWriter, r *http.Request) {
	var in MeetOrder
	if err := read(w, r, &in); err != nil {
		h.fail(w, err)
		return
	}
	call, met, err := h.Meetings.Meet(r.Context(), in.Line, in.Device)
	out := MeetReply{Guild: call.Guild, Ticket: call.Ticket, Kept: []string{}}
	if away := unreachable(err); away != nil {
		out.Code, out.Error = away.Code, away.Text
	} else if err != nil {
		h.fail(w, err)
		return
	} else {
		out.Met = &met
	}
	if err := h.keep(func(now []string) ([]string, error) { return with(now, call.Addresses), nil }); err != nil {
		out.Unkept = err.Error()
	} else {
		out.Kept = call.Addresses
	}
	h.reply(w, out)
}

// unreachable is the refusal of a peer that does not answer, nil for everything else.
func unreachable(err error) *reason.Refusal {
	var refused *reason.Refusal
	if errors.As(err, &refused) && refused.Code == reason.PeerUnreachable {
		return refused
	}
	return nil
}

// keep changes the addresses of the settings.
func (h meets) keep(change func(now []string) ([]string, error)) error {
	if h.Bootstrap == nil {
		return reason.Refuse(reason.NotFound, "the settings of this node are fixed")
	}
	return h.Bootstrap(change)
}

// with are addresses and more of them, each once.
func with(now, more []string) []string {
	out := slices.Clone(now)
	for _, a := range more {
		if !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
}

// PeerOrder is the body of POST /control/peers.
type PeerOrder struct {
	Do   string `json:"do"`   // add or drop
	Peer string `json:"peer"` // an address that ends in the id of a peer; of drop, an id too
}

// PeerReply is its answer.
type PeerReply struct {
	Do    string        `json:"do"`
	Peer  string        `json:"peer"`
	Link  *peering.Link `json:"link"` // of add: the connection; null: none yet
	Code  reason.Code   `json:"code,omitempty"`
	Error string        `json:"error,omitempty"` // why there is none
}

func (h meets) peer(w http.ResponseWriter, r *http.Request) {
	var in PeerOrder
	err := read(w, r, &in)
	out := PeerReply{Do: in.Do, Peer: in.Peer}
	switch {
	case err != nil:
	case in.Do == "add":
		err = h.addPeer(r.Context(), in.Peer, &out)
	case in.Do == "drop":
		err = h.dropPeer(in.Peer)
	default:
		err = reason.Refuse(reason.InvalidParam, "do is add or drop")
	}
	h.answer(w, out, err)
}

// addPeer dials an address and has the settings name it, whether or not it answers.
func (h meets) addPeer(ctx context.Context, address string, out *PeerReply) error {
	link, err := h.Meetings.Reach(ctx, address)
	if away := unreachable(err); away != nil {
		out.Code, out.Error = away.Code, away.Text
	} else if err != nil {
		return err
	} else {
		out.Link = &link
	}
	return h.keep(func(now []string) ([]string, error) { return with(now, []string{address}), nil })
}

// dropPeer takes an address, or all of a peer, out of the settings and hangs up.
func (h meets) dropPeer(who string) error {
	err := h.keep(func(now []string) ([]string, error) {
		left := slices.DeleteFunc(slices.Clone(now), func(a string) bool { return a == who || strings.HasSuffix(a, "/p2p/"+who) })
		if len(left) == len(now) {
			refusal := reason.Refuse(reason.NotFound, "network.bootstrap names no such peer")
			refusal.Hint = "meshd peers lists the peers; meshd block add peer ID refuses one for good"
			return nil, refusal
		}
		return left, nil
	})
	if err != nil {
		return err
	}
	return h.Meetings.Hangup(who)
}

// PingOrder is the body of POST /control/peers/ping.
type PingOrder struct {
	Peer  string `json:"peer"`
	Count int    `json:"count"`
}

func (h meets) ping(w http.ResponseWriter, r *http.Request) {
	var in PingOrder
	err := read(w, r, &in)
	var out meeting.Pinged
	if err == nil {
		out, err = h.Meetings.Ping(r.Context(), in.Peer, in.Count)
	}
	h.answer(w, out, err)
}

// NetworkFileReply is the answer of GET /control/network/file.
type NetworkFileReply struct {
	File string `json:"file"`
}

func (h meets) networkFile(w http.ResponseWriter, _ *http.Request) {
	file, err := h.Meetings.NetworkFile()
	h.answer(w, NetworkFileReply{file}, err)
}

// answer writes a reply, or why there is none.
func (h meets) answer(w http.ResponseWriter, v any, err error) {
	if err != nil {
		h.fail(w, err)
		return
	}
	h.reply(w, v)
}
