package topic

import (
	"context"
	"errors"
	"testing"

	"github.com/libp2p/go-libp2p/core/host"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/protocol"
)

// dialler is a host that would dial a peer for a stream, unless its context says otherwise.
type dialler struct {
	host.Host
	dialled []peer.ID
}

var errNoConn = errors.New("not connected")

func (d *dialler) NewStream(ctx context.Context, p peer.ID, _ ...protocol.ID) (network.Stream, error) {
	if no, _ := network.GetNoDial(ctx); !no {
		d.dialled = append(d.dialled, p)
	}
	return nil, errNoConn
}

// Who hung up is not connected again by a gossip stream that comes late.
func TestGossipDoesNotDial(t *testing.T) {
	t.Parallel()
	d := new(dialler)
	if _, err := (wary{Host: d}).NewStream(t.Context(), "gone", "/test/1"); !errors.Is(err, errNoConn) || len(d.dialled) > 0 {
		t.Errorf("%v, dialled %v", err, d.dialled)
	}
}
