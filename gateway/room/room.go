// Package room lets the sockets of a gateway meet: peers enter a hall, join
// rooms, and pass messages to each other there. It knows nothing of what they
// say, and of no rights: who may join a room is decided before Join.
//
// Start with New. A peer that does not take its messages is cut rather than
// waited for; Send never blocks.
package room

import (
	"crypto/rand"
	"encoding/hex"
	"slices"
	"sync"

	"github.com/meshd/meshd/crdt/reason"
)

// Hall is where peers are, in rooms and outside. It is safe for concurrent use.
type Hall struct {
	mu     sync.Mutex // guards what follows and the rooms of every peer
	rooms  map[string][]*Peer
	peers  map[*Peer]struct{}
	agents map[string]int
	closed bool
	empty  sync.WaitGroup
}

// New returns an empty hall.
func New() *Hall {
	return &Hall{rooms: map[string][]*Peer{}, peers: map[*Peer]struct{}{}, agents: map[string]int{}}
}

// Peer is one socket.
type Peer struct {
	ID    string
	Agent string // whose it is, "" for the owner without an agent

	hall  *Hall
	rooms []string
	out   chan []byte
	cut   chan struct{}
	once  sync.Once
	why   reason.Code // set before cut is closed
}

// Ref names a peer to others.
type Ref struct {
	PeerID  string `json:"peerId"`
	AgentID string `json:"agentId"`
}

// Enter admits a socket. Refusals: rate_limited when the agent has too many,
// overloaded when the gateway has, not_ready when it ends. The caller must Exit.
func (h *Hall) Enter(agent string) (*Peer, error) {
	var raw [12]byte
	_, _ = rand.Read(raw[:]) // never fails
	p := &Peer{ID: "peer_" + hex.EncodeToString(raw[:]), Agent: agent, hall: h, out: make(chan []byte, MaxOutbox), cut: make(chan struct{})}
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.closed:
		return nil, reason.Refuse(reason.NotReady, "the gateway is about to end").With(map[string]any{"retry_after": 1})
	case len(h.peers) >= MaxPeers:
		return nil, reason.Refuse(reason.Overloaded, "this gateway has no room for another socket").With(map[string]any{"retry_after": 30})
	case agent != "" && h.agents[agent] >= MaxPerAgent:
		return nil, reason.Refuse(reason.RateLimited, "this agent has %d sockets open", MaxPerAgent).With(map[string]any{"retry_after": 30})
	}
	h.peers[p] = struct{}{}
	h.agents[agent]++
	h.empty.Add(1)
	return p, nil
}

// Exit takes the peer out of its rooms and the hall. Rooms it was in are
// returned, so that those who stay can be notified. It may be called more than once.
func (p *Peer) Exit() (left []string) {
	h := p.hall
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, in := h.peers[p]; !in {
		return nil
	}
	left = slices.Clone(p.rooms)
	for _, room := range left {
		p.leave(room)
	}
	delete(h.peers, p)
	if h.agents[p.Agent]--; h.agents[p.Agent] <= 0 {
		delete(h.agents, p.Agent)
	}
	h.empty.Done()
	return left
}

// Join enters a room that takes so many peers, and returns who was there, the
// longest first; joining again changes nothing. A full room is limit_reached.
func (p *Peer) Join(room string, size int) (there []Ref, err error) {
	h := p.hall
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, other := range h.rooms[room] {
		if other != p {
			there = append(there, Ref{other.ID, other.Agent})
		}
	}
	if slices.Contains(p.rooms, room) {
		return there, nil
	}
	if len(there) >= size {
		return nil, reason.Refuse(reason.LimitReached, "the room is full: %d are in it", len(there)).With(map[string]any{"limit": size})
	}
	h.rooms[room] = append(h.rooms[room], p)
	p.rooms = append(p.rooms, room)
	return there, nil
}

// Leave leaves a room and reports whether the peer was in it.
func (p *Peer) Leave(room string) bool {
	p.hall.mu.Lock()
	defer p.hall.mu.Unlock()
	if !slices.Contains(p.rooms, room) {
		return false
	}
	p.leave(room)
	return true
}

// leave takes the peer out of a room; mu is held.
func (p *Peer) leave(room string) {
	h := p.hall
	h.rooms[room] = slices.DeleteFunc(h.rooms[room], func(o *Peer) bool { return o == p })
	if len(h.rooms[room]) == 0 {
		delete(h.rooms, room)
	}
	p.rooms = slices.DeleteFunc(p.rooms, func(r string) bool { return r == room })
}

// In reports whether the peer is in a room.
func (p *Peer) In(room string) bool {
	p.hall.mu.Lock()
	defer p.hall.mu.Unlock()
	return slices.Contains(p.rooms, room)
}

// Whom a message is for: everybody in the room, everybody but the sender, whoever
// has been there longest, or the named peers and agents.
const (
	All    = "all"
	Others = "others"
	Host   = "host"
)

// Send passes a message to peers of a room and returns how many it is for. When
// a peer's outbox is full the message is dropped for it if it may be, else the
// peer is cut with rate_limited.
func (p *Peer) Send(room string, to []string, message []byte, mayDrop bool) (reached int) {
	h := p.hall
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, other := range h.rooms[room] {
		if !addressed(to, other, p, i == 0) {
			continue
		}
		reached++
		select {
		case other.out <- message:
		default:
			if !mayDrop {
				other.Cut(reason.RateLimited)
			}
		}
	}
	return reached
}

func addressed(to []string, other, sender *Peer, host bool) bool {
	for _, t := range to {
		switch {
		case t == All, t == Others && other != sender, t == Host && host,
			other != sender && (t == other.ID || t == other.Agent && t != ""):
			return true
		}
	}
	return false
}

// Out is where messages of other peers arrive.
func (p *Peer) Out() <-chan []byte { return p.out }

// Cut asks the socket to end; the first reason counts.
func (p *Peer) Cut(why reason.Code) {
	p.once.Do(func() {
		p.why = why
		close(p.cut)
	})
}

// Done is closed when the peer was cut; Why then says why.
func (p *Peer) Done() <-chan struct{} { return p.cut }

// Why is the reason of the cut, after Done.
func (p *Peer) Why() reason.Code { return p.why }

// Close cuts every peer with not_ready and admits nobody any more.
func (h *Hall) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for p := range h.peers {
		p.Cut(reason.NotReady)
	}
}

// Wait returns when everybody has left a closed hall.
func (h *Hall) Wait() { h.empty.Wait() }
