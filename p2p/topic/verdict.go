package topic

import (
	"context"
	"sync"

	pubsub "github.com/libp2p/go-libp2p-pubsub"
	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
)

// changes is the verdict of the topic of set.
func (g *Gossip) changes(set string) pubsub.ValidatorEx {
	return g.verdict(set, func(ctx context.Context, from peer.ID, data []byte) reason.Code {
		c, err := Decode(data)
		if err != nil {
			return reason.Of(err)
		}
		if change.SetOf(c.Head.Space, c.Head.Kind, g.cfg.Shards) != set {
			return reason.UnknownSpace
		}
		if c.IsStub() {
			full, code := g.fetch(ctx, from, set, c)
			if code != "" {
				return code
			}
			c = full
		}
		return g.cfg.Judge.Judge(ctx, from, set, c)
	})
}

// verdict turns a judgement of messages into pubsub's answer, and informs guard
// and metrics. What this node sends itself was judged before.
func (g *Gossip) verdict(what string, judge func(context.Context, peer.ID, []byte) reason.Code) pubsub.ValidatorEx {
	label := class(what)
	return func(ctx context.Context, from peer.ID, m *pubsub.Message) pubsub.ValidationResult {
		if from == g.self {
			return pubsub.ValidationAccept
		}
		data := m.GetData()
		g.met.received.WithLabelValues(label).Inc()
		g.met.bytes.WithLabelValues("in").Add(float64(len(data)))
		code := reason.AdmissionRate
		if g.cfg.Guard.Admit(from) {
			code = judge(ctx, from, data)
		}
		switch {
		case code == "":
			g.met.accepted.WithLabelValues(label).Inc()
			return pubsub.ValidationAccept
		case code.Gossip() == reason.Reject:
			g.met.rejected.WithLabelValues(string(code)).Inc()
			g.cfg.Guard.Refused(from, code)
			return pubsub.ValidationReject
		default:
			g.met.ignored.WithLabelValues(string(code)).Inc()
			return pubsub.ValidationIgnore
		}
	}
}

// fetches bounds the bodies being pulled.
type fetches struct {
	slots chan struct{}

	mu     sync.Mutex // guards byPeer
	byPeer map[peer.ID]int
}

// begin takes a slot for p; it never waits.
func (f *fetches) begin(p peer.ID) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.byPeer[p] >= peerFetches {
		return false
	}
	select {
	case f.slots <- struct{}{}:
		f.byPeer[p]++
		return true
	default:
		return false
	}
}

func (f *fetches) end(p peer.ID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.byPeer[p]--; f.byPeer[p] == 0 {
		delete(f.byPeer, p)
	}
	<-f.slots
}

// fetch pulls the body of stub from the peer that sent it.
func (g *Gossip) fetch(ctx context.Context, from peer.ID, set string, stub *change.Change) (*change.Change, reason.Code) {
	if !g.fetches.begin(from) {
		return nil, reason.Overloaded
	}
	defer g.fetches.end(from)
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	got, err := g.cfg.Fetcher.FetchChanges(ctx, from, set, []change.ID{stub.ID})
	for _, c := range got {
		if c.ID != stub.ID || c.IsStub() {
			continue
		}
		// The head stays the one that came by gossip: its own signature is
		// what counts here.
		full, err := change.Decode(stub.RawHead, c.Body)
		return full, reason.Of(err)
	}
	if err != nil {
		return nil, reason.Timeout
	}
	return nil, reason.NotFound
}
