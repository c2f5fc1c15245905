// Package invite lets a person bring another one's node into a network: by a line of
// text that says which network, where a node of it is reached and until when, signed by
// that node; and by a protocol in which the newcomer shows the line to the node that
// made it, which counts.
//
// A line promises that the node with this peer id has made it as it stands. It is no
// key: a network is open, and who has read its file may dial its nodes without asking.
// What a count keeps out is a guild, a device and whoever uses the line as it is meant.
package invite

import (
	"bytes"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/libp2p/go-libp2p/core/crypto"
	"github.com/libp2p/go-libp2p/core/peer"
	ma "github.com/multiformats/go-multiaddr"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
)

// Prefix begins every line. It has no punctuation, so that a double click takes all of it.
const Prefix = "meshd1"

// domain stands before what is signed, so that the signature is one for nothing else.
const domain = "mesh-invite-v1\x00"

const (
	sigSize = 64 // bytes of an Ed25519 signature
	sumSize = 4  // bytes by which a line that was not copied whole is noticed
)

var text32 = base32.StdEncoding.WithPadding(base32.NoPadding)

// ID is the number of an invitation: random, and known to who has the line.
type ID [maxInviteID]byte

// String is how people name an invitation.
func (id ID) String() string { return change.Base32(id[:]) }

// Invitation is what a line says.
type Invitation struct {
	ID      ID
	Network change.NetworkFile // its addresses are those of other peers
	Peer    peer.ID            // whose node has made it
	Addrs   []ma.Multiaddr     // of that node, without its id
	Until   time.Time          // in whole seconds

	Guild  change.ID // a guild kept by that node; zero: none
	Ticket string    // the code by which the guild takes the newcomer in
	Device bool      // for another device of the owner of that node
}

// InGuild reports whether the invitation is to a guild too.
func (v Invitation) InGuild() bool { return v.Guild != change.ID{} }

// Expired refuses an invitation whose term is over.
func (v Invitation) Expired(now time.Time) error {
	if now.Before(v.Until) {
		return nil
	}
	return reason.Refuse(reason.InviteExpired, "the invitation was good until %s", v.Until.UTC().Format(time.RFC3339))
}

// Info are the addresses as dialling takes them.
func (v Invitation) Info() peer.AddrInfo { return peer.AddrInfo{ID: v.Peer, Addrs: v.Addrs} }

// Dials are the addresses as settings name them, each with the peer's id.
func (v Invitation) Dials() []string {
	var out []string
	for _, a := range v.Addrs {
		out = append(out, a.String()+"/p2p/"+v.Peer.String())
	}
	return out
}

// Line signs the invitation with the key of its node and returns it as text.
func (v Invitation) Line(key crypto.PrivKey) (string, error) {
	body, err := v.encode()
	if err != nil {
		return "", err
	}
	sig, err := key.Sign(append([]byte(domain), body...))
	if err != nil {
		return "", fmt.Errorf("sign an invitation: %w", err)
	}
	all := append(body, sig...)
	sum := sha256.Sum256(all)
	line := Prefix + strings.ToLower(text32.EncodeToString(append(all, sum[:sumSize]...)))
	_, err = Parse(line) // what nobody could read is not given away
	return line, err
}

func (v Invitation) encode() ([]byte, error) {
	file, err := v.Network.Bytes()
	if err != nil {
		return nil, err
	}
	addrs := make([]any, len(v.Addrs))
	for i, a := range v.Addrs {
		addrs[i] = a.Bytes()
	}
	m := cbor.Map{"addrs": addrs, "id": v.ID[:], "net": file, "peer": []byte(v.Peer), "until": v.Until.Unix()}
	if v.InGuild() {
		m["guild"], m["ticket"] = v.Guild[:], v.Ticket
	}
	if v.Device {
		m["device"] = true
	}
	b, err := cbor.Encode(m)
	if err != nil {
		return nil, fmt.Errorf("encode an invitation: %w", err)
	}
	return b, nil
}

// Parse reads a line, or the address of a page that ends in one. Spaces and line ends in
// it are passed over, and it does not matter whether letters are large. The refusal is
// invite_unreadable or invite_tampered.
func Parse(s string) (v Invitation, err error) {
	unreadable := func(format string, args ...any) (Invitation, error) {
		return Invitation{}, reason.Refuse(reason.InviteUnreadable, format, args...)
	}
	if len(s) > maxLine {
		return unreadable("an invitation has at most %d characters", maxLine)
	}
	rest, ok := strings.CutPrefix(lineOf(s), Prefix)
	if !ok {
		return unreadable("an invitation begins with %s", Prefix)
	}
	all, err := text32.DecodeString(strings.ToUpper(rest))
	if err != nil || len(all) <= sumSize+sigSize || text32.EncodeToString(all) != strings.ToUpper(rest) {
		return unreadable("the line is not whole, or was mistyped")
	}
	all, given := all[:len(all)-sumSize], all[len(all)-sumSize:]
	if sum := sha256.Sum256(all); !bytes.Equal(sum[:sumSize], given) {
		return unreadable("the line is not whole, or was mistyped")
	}
	body, sig := all[:len(all)-sigSize], all[len(all)-sigSize:]
	if v, ok = decode(body); !ok {
		return unreadable("the line says something that this program does not know")
	}
	key, err := v.Peer.ExtractPublicKey()
	if err != nil {
		return unreadable("the line names no node")
	}
	if good, err := key.Verify(append([]byte(domain), body...), sig); err != nil || !good {
		return Invitation{}, reason.Refuse(reason.InviteTampered, "the line was changed: %s has not signed it as it is", v.Peer)
	}
	return v, nil
}

// lineOf is the line in a text: what follows the last # or /, without spaces.
func lineOf(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
	return s[strings.LastIndexAny(s, "#/")+1:]
}

func decode(body []byte) (v Invitation, ok bool) {
	if len(body) > maxBody {
		return v, false
	}
	m, err := cbor.DecodeMap(body)
	if err != nil {
		return v, false
	}
	id, _ := m["id"].([]byte)
	file, _ := m["net"].([]byte)
	by, _ := m["peer"].([]byte)
	addrs, hasAddrs := m["addrs"].([]any)
	until, hasTerm := m["until"].(int64)
	if len(id) != len(v.ID) || !hasAddrs || len(addrs) == 0 || len(addrs) > MaxAddrs || !hasTerm || until <= 0 || until > cbor.MaxInt/1000 {
		return v, false
	}
	copy(v.ID[:], id)
	v.Until = time.Unix(until, 0)
	if v.Network, err = change.NetworkFileFrom(file); err != nil || len(v.Network.Bootstrap) > MaxOthers {
		return v, false
	}
	if v.Peer, err = peer.IDFromBytes(by); err != nil {
		return v, false
	}
	for _, a := range addrs {
		b, isBytes := a.([]byte)
		addr, err := ma.NewMultiaddrBytes(b)
		if !isBytes || len(b) > maxAddrSize || err != nil || len(addr) == 0 {
			return v, false
		}
		v.Addrs = append(v.Addrs, addr)
	}
	known := 5
	if _, there := m["guild"]; there {
		known += 2
		guild, _ := m["guild"].([]byte)
		ticket, isText := m["ticket"].(string)
		if len(guild) != len(v.Guild) || !isText || ticket == "" || utf8.RuneCountInString(ticket) > maxTicket {
			return v, false
		}
		copy(v.Guild[:], guild)
		v.Ticket = ticket
		if !v.InGuild() {
			return v, false
		}
	}
	if d, there := m["device"]; there {
		known++
		if v.Device, ok = d.(bool); !ok || !v.Device {
			return v, false
		}
	}
	return v, len(m) == known
}
