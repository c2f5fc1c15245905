package guard

import (
	"math"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/reason"
)

// record is what is remembered of one peer.
type record struct {
	conns  int       // open connections
	score  float64   // points at time at; 0 or below
	at     time.Time // of score
	tokens float64   // gossip messages that may come at once, at time filled
	filled time.Time
	banned time.Time // kept out until then
}

// points is the score at now: it halves with every halfLife.
func (r *record) points(now time.Time) float64 {
	gone := now.Sub(r.at)
	if r.score == 0 || gone <= 0 {
		return r.score
	}
	return r.score * math.Exp2(-gone.Seconds()/halfLife.Seconds())
}

// idle reports that nothing of r is worth keeping.
func (r *record) idle(now time.Time) bool {
	return r.conns <= 0 && r.points(now) > forgotten && !now.Before(r.banned)
}

// record returns the record of p and makes one when there is none. When the
// table is full of others that matter more, the new one is not kept.
func (g *Guard) record(p peer.ID, now time.Time) *record {
	if r := g.peers[p]; r != nil {
		return r
	}
	r := &record{at: now, tokens: g.rate * burst, filled: now}
	if len(g.peers) >= maxRecords {
		g.sweep(now)
	}
	if len(g.peers) >= maxRecords && !g.evict(now) {
		return r
	}
	g.peers[p] = r
	return r
}

// sweep drops the records of departed peers that have been forgiven, and the
// prefixes whose bans are long over.
func (g *Guard) sweep(now time.Time) {
	g.sweptAt = now
	for p, r := range g.peers {
		if r.idle(now) {
			delete(g.peers, p)
		}
	}
	for x, s := range g.struck {
		if !now.Before(s.until) {
			delete(g.struck, x)
		}
	}
}

// evict drops the departed peer with the least against it.
func (g *Guard) evict(now time.Time) bool {
	var best peer.ID
	found, most := false, math.Inf(-1)
	for p, r := range g.peers {
		if pts := r.points(now); r.conns <= 0 && pts > most {
			best, most, found = p, pts, true
		}
	}
	delete(g.peers, best)
	return found
}

// Refused notes that p sent what code refuses. Only codes whose gossip verdict
// is Reject cost anything. When the score falls to Graylist the peer is
// disconnected, before Refused returns, and kept out for a while.
func (g *Guard) Refused(p peer.ID, code reason.Code) {
	if code.Gossip() != reason.Reject {
		return
	}
	g.mu.Lock()
	now := g.now()
	r := g.record(p, now)
	r.score, r.at = max(r.points(now)-penalty, scoreFloor), now
	cut := r.score <= Graylist && !now.Before(r.banned)
	if cut {
		r.banned = now.Add(banTime)
	}
	net := g.net
	g.mu.Unlock()
	if !cut {
		return
	}
	g.met.cut.Inc()
	if net == nil {
		return
	}
	g.strike(net.ConnsToPeer(p))
	// An error means that the peer is gone already, which is all we want.
	_ = net.ClosePeer(p)
}

// Score is 0 for a peer with nothing against it and falls to twice Graylist.
// While a peer is kept out it is at most Graylist.
func (g *Guard) Score(p peer.ID) float64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	r := g.peers[p]
	if r == nil {
		return 0
	}
	now := g.now()
	pts := r.points(now)
	if now.Before(r.banned) {
		return min(pts, Graylist)
	}
	return pts
}

// Admit takes one gossip message from p's bucket and reports whether it had
// one left. A message that is not admitted is ignored at no cost to p.
func (g *Guard) Admit(p peer.ID) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	r := g.record(p, now)
	if gone := now.Sub(r.filled); gone > 0 {
		r.tokens = min(g.rate*burst, r.tokens+gone.Seconds()*g.rate)
		r.filled = now
	}
	if r.tokens < 1 {
		return false
	}
	r.tokens--
	return true
}

// Banned reports whether p is kept out now, by score or by deny list.
func (g *Guard) Banned(p peer.ID) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	r := g.peers[p]
	return g.denyPeer[p] || r != nil && g.now().Before(r.banned)
}

// Deny refuses every connection with a peer from now on, and cuts those that are
// open; with on false it is like any other again.
func (g *Guard) Deny(p peer.ID, on bool) {
	g.mu.Lock()
	net := g.net
	if on {
		g.denyPeer[p] = true
	} else {
		delete(g.denyPeer, p)
	}
	g.mu.Unlock()
	if on && net != nil {
		_ = net.ClosePeer(p) // what is closed already is what is wanted
	}
}
