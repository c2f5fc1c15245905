package host

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/protocol"
)

// errLetGo is why no stream with a peer is opened.
var errLetGo = errors.New("the peer was let go before anything was exchanged with it")

// suspension is a peer of which it is not decided yet whether it stays.
type suspension struct {
	by      protocol.ID // that decides
	askers  int         // who have not decided yet
	kept    bool        // set before decided is closed
	decided chan struct{}
}

// suspensions are the suspended peers of a host. The zero value has none.
type suspensions struct {
	mu sync.Mutex // guards what follows, and the fields of each suspension
	of map[peer.ID]*suspension
}

// Suspend has all streams with a peer wait, but those of one protocol, until the returned
// function is called, which has an effect once. Kept, the streams go on as if they had
// just been opened. Else the connections with the peer end, and with them whatever
// waits: nothing of ours was sent, nothing of the peer was read. Of several who
// suspend a peer at once one is enough to keep it, and the last one lets it go.
//
// A peer that is connected and not suspended was there before: it stays so, and what is
// decided changes nothing.
//
// The protocols that libp2p itself speaks (identify, ping, relays) do not wait.
func (h *Host) Suspend(id peer.ID, by protocol.ID) (decide func(keep bool) error) {
	h.suspended.mu.Lock()
	defer h.suspended.mu.Unlock()
	sus := h.suspended.of[id]
	if sus == nil {
		if len(h.Network().ConnsToPeer(id)) > 0 {
			return func(bool) error { return nil }
		}
		sus = &suspension{by: by, decided: make(chan struct{})}
		if h.suspended.of == nil {
			h.suspended.of = make(map[peer.ID]*suspension)
		}
		h.suspended.of[id] = sus
	}
	sus.askers++
	var once sync.Once
	return func(keep bool) (err error) {
		once.Do(func() { err = h.decide(id, sus, keep) })
		return err
	}
}

func (h *Host) decide(id peer.ID, sus *suspension, keep bool) error {
	h.suspended.mu.Lock()
	defer h.suspended.mu.Unlock()
	sus.askers--
	switch {
	case sus.kept:
		return nil
	case !keep && sus.askers > 0:
		return nil
	}
	var err error
	if !keep {
		// First, since from then on a stream of an open connection is served.
		err = h.Network().ClosePeer(id)
	}
	sus.kept = keep
	delete(h.suspended.of, id)
	close(sus.decided)
	return err
}

// waitFor waits while p is suspended but for another protocol than ids. The error says that ctx
// ended first, or that p was let go.
func (ss *suspensions) waitFor(ctx context.Context, p peer.ID, ids ...protocol.ID) error {
	ss.mu.Lock()
	sus := ss.of[p]
	ss.mu.Unlock()
	if sus == nil || slices.Contains(ids, sus.by) {
		return nil
	}
	select {
	case <-sus.decided:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if !sus.kept {
		return errLetGo
	}
	return nil
}

// NewStream opens a stream with a peer, after the peer is no longer suspended.
func (h *Host) NewStream(ctx context.Context, p peer.ID, ids ...protocol.ID) (network.Stream, error) {
	if err := h.suspended.waitFor(ctx, p, ids...); err != nil {
		return nil, err
	}
	return h.Host.NewStream(ctx, p, ids...)
}

// SetStreamHandler has handle serve the streams of a protocol, those of a suspended
// peer after it is kept.
func (h *Host) SetStreamHandler(id protocol.ID, handle network.StreamHandler) {
	h.Host.SetStreamHandler(id, h.afterwards(handle))
}

// SetStreamHandlerMatch is SetStreamHandler for the protocols that match accepts.
func (h *Host) SetStreamHandlerMatch(id protocol.ID, match func(protocol.ID) bool, handle network.StreamHandler) {
	h.Host.SetStreamHandlerMatch(id, match, h.afterwards(handle))
}

func (h *Host) afterwards(handle network.StreamHandler) network.StreamHandler {
	return func(st network.Stream) {
		c := st.Conn()
		err := h.suspended.waitFor(h.ctx, c.RemotePeer(), st.Protocol())
		if err != nil || c.IsClosed() {
			_ = st.Reset()
			return
		}
		handle(st)
	}
}
