package join

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
)

// signed is what stands before the canonical bytes of a request without its
// signature, so that a signature for a request is one for nothing else.
const signed = "mesh-join-v1\x00"

// Request is an agent's request to join a guild. It is valid for one peer and
// a short time.
type Request struct {
	Net   change.NetID
	Guild change.ID
	Agent change.AgentID
	Key   did.Key // the agent's acting key, which signs
	Code  string  // of an invitation, or ""
	At    int64   // milliseconds since 1970 UTC
	Nonce [16]byte
	To    peer.ID // who is asked
}

func (r *Request) fields() cbor.Map {
	return cbor.Map{
		"net": r.Net[:], "guild": r.Guild[:], "agent": r.Agent[:], "key": r.Key[:], "code": r.Code, "at": r.At, "nonce": r.Nonce[:], "to": []byte(r.To),
	}
}

// seal returns the signed request as it goes over the wire: a canonical map.
func (r *Request) seal(s keys.Signer) ([]byte, error) {
	m := r.fields()
	plain, err := cbor.Encode(m)
	if err != nil {
		return nil, fmt.Errorf("encode a request: %w", err)
	}
	sig := s.Sign(append([]byte(signed), plain...))
	m["sig"] = sig[:]
	return cbor.Encode(m)
}

var errRequest = errors.New("not a request to join")

// open reads a request and verifies its signature. Whether key is the
// agent's, and whether the request is of this network, for this peer and of now, is
// the caller's to ask.
func open(b []byte) (r Request, err error) {
	m, err := cbor.DecodeMap(b)
	if err != nil || len(m) != 9 {
		return r, errRequest
	}
	sig, _ := m["sig"].([]byte)
	to, _ := m["to"].([]byte)
	code, isText := m["code"].(string)
	at, isInt := m["at"].(int64)
	whole := isText && isInt && at >= 0 && len(sig) == 64 && utf8.RuneCountInString(code) <= maxCode
	for key, into := range map[string][]byte{"net": r.Net[:], "guild": r.Guild[:], "agent": r.Agent[:], "key": r.Key[:], "nonce": r.Nonce[:]} {
		v, ok := m[key].([]byte)
		whole = whole && ok && copy(into, v) == len(into) && len(v) == len(into)
	}
	if !whole {
		return Request{}, errRequest
	}
	r.Code, r.At = code, at
	if r.To, err = peer.IDFromBytes(to); err != nil {
		return Request{}, errRequest
	}
	delete(m, "sig")
	plain, err := cbor.Encode(m)
	if err != nil || r.Key.Check() != nil || !keys.Verify(r.Key, append([]byte(signed), plain...), sig) {
		return Request{}, fmt.Errorf("%w: signature", errRequest)
	}
	return r, nil
}

// reply is what a peer answers: the grant, or why there is none.
type reply struct {
	grant change.ID
	role  string
	code  string
	text  string
}

func (a reply) encode() ([]byte, error) {
	m := cbor.Map{}
	if a.code != "" {
		m["code"], m["text"] = a.code, clip(a.text)
	} else {
		m["grant"], m["role"] = a.grant[:], a.role
	}
	return cbor.Encode(m)
}

func readReply(b []byte) (a reply, err error) {
	m, err := cbor.DecodeMap(b)
	if err != nil {
		return a, errReply
	}
	if code, ok := m["code"].(string); ok {
		a.code = code
		a.text, _ = m["text"].(string)
		if code == "" || len(code) > maxCode || utf8.RuneCountInString(a.text) > maxText {
			return reply{}, errReply
		}
		return a, nil
	}
	grant, _ := m["grant"].([]byte)
	role, ok := m["role"].(string)
	if !ok || len(grant) != len(a.grant) || len(role) > maxCode {
		return reply{}, errReply
	}
	a.role = role
	copy(a.grant[:], grant)
	return a, nil
}

var errReply = errors.New("not an answer to a request to join")

func clip(s string) string {
	for i := range s {
		if utf8.RuneCountInString(s[:i]) == maxText {
			return s[:i]
		}
	}
	return s
}
