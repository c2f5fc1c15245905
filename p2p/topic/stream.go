package topic

import (
	"context"
	"errors"
	"io"
	gosync "sync"

	"github.com/libp2p/go-libp2p/core/host"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/protocol"
)

// wary is a host that reports peers whose gossip streams pubsub ended for what came
// in them: a frame that is too long, cut off or no frame at all. Pubsub itself only
// closes such a stream, so that the peer could open the next one for ever. It opens
// streams with connected peers only.
type wary struct {
	host.Host
	bogus func(peer.ID)
}

// NewStream does not dial. Pubsub opens a stream some time after a peer was connected,
// and would connect one that has hung up meanwhile again.
func (w wary) NewStream(ctx context.Context, p peer.ID, ids ...protocol.ID) (network.Stream, error) {
	return w.Host.NewStream(network.WithNoDial(ctx, "gossip"), p, ids...)
}

func (w wary) SetStreamHandler(id protocol.ID, handle network.StreamHandler) {
	w.Host.SetStreamHandler(id, w.watched(handle))
}

func (w wary) SetStreamHandlerMatch(id protocol.ID, match func(protocol.ID) bool, handle network.StreamHandler) {
	w.Host.SetStreamHandlerMatch(id, match, w.watched(handle))
}

func (w wary) watched(handle network.StreamHandler) network.StreamHandler {
	return func(s network.Stream) {
		in := &inbound{Stream: s}
		handle(in)
		if in.refused() {
			w.bogus(s.Conn().RemotePeer())
		}
	}
}

// inbound is a stream that remembers how reading from it went and who ended it.
type inbound struct {
	network.Stream

	mu    gosync.Mutex // guards what follows
	fault error        // of the last read
	reset bool         // by us
}

func (in *inbound) Read(b []byte) (int, error) {
	n, err := in.Stream.Read(b)
	in.mu.Lock()
	defer in.mu.Unlock()
	in.fault = err
	return n, err
}

func (in *inbound) Reset() error {
	in.mu.Lock()
	in.reset = true
	in.mu.Unlock()
	return in.Stream.Reset()
}

// refused reports whether the stream was ended for its content: we ended it, although
// reading went well, or up to an end that the peer set itself. Of a stream that the
// network or another goroutine ended, reading fails otherwise.
func (in *inbound) refused() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.reset && (in.fault == nil || errors.Is(in.fault, io.EOF))
}
