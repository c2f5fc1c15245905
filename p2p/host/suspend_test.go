package host

import (
	"context"
	"errors"
	"io"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/protocol"
	ma "github.com/multiformats/go-multiaddr"
)

const (
	decides = protocol.ID("/test/decide/1")
	waits   = protocol.ID("/test/wait/1")
)

// suspendedPair are two connected hosts of which the first suspends the second, and serves both
// protocols with what it reports to served.
func suspendedPair(t *testing.T) (a, b *Host, decide func(bool) error, served chan protocol.ID) {
	t.Helper()
	a, b = open(t, 1), open(t, 2)
	served = make(chan protocol.ID, 8)
	serve := func(st network.Stream) {
		served <- st.Protocol()
		_ = st.Close()
	}
	a.SetStreamHandler(decides, serve)
	a.SetStreamHandlerMatch(waits, func(id protocol.ID) bool { return id == waits }, serve)
	b.SetStreamHandler(decides, func(st network.Stream) { _ = st.Close() })
	b.SetStreamHandler(waits, func(st network.Stream) { _ = st.Close() })
	decide = a.Suspend(b.ID(), decides)
	if err := a.Connect(t.Context(), peer.AddrInfo{ID: b.ID(), Addrs: only(b.Addrs(), ma.P_TCP)}); err != nil {
		t.Fatal(err)
	}
	return a, b, decide, served
}

// ask opens a stream and waits for its end.
func ask(ctx context.Context, h *Host, to peer.ID, by protocol.ID) error {
	st, err := h.NewStream(network.WithNoDial(ctx, "test"), to, by)
	if err != nil {
		return err
	}
	_, err = io.ReadAll(st)
	_ = st.Reset()
	return err
}

func TestSuspendedPeerIsServedOnceItIsKept(t *testing.T) {
	t.Parallel()
	a, b, decide, served := suspendedPair(t)
	mine, theirs := make(chan error, 1), make(chan error, 1)
	go func() { mine <- ask(t.Context(), a, b.ID(), waits) }()
	go func() { theirs <- ask(t.Context(), b, a.ID(), waits) }()
	for _, h := range []*Host{a, b} {
		other := a.ID()
		if h == a {
			other = b.ID()
		}
		if err := ask(t.Context(), h, other, decides); err != nil {
			t.Fatalf("by the protocol that decides: %v", err)
		}
	}
	if got := <-served; got != decides {
		t.Errorf("%s is served before it is decided", got)
	}
	select {
	case err := <-mine:
		t.Errorf("a stream is opened before it is decided: %v", err)
	case got := <-served:
		t.Errorf("%s is served before it is decided", got)
	default:
	}
	if err := decide(true); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(<-mine, <-theirs); err != nil {
		t.Errorf("after it is decided: %v", err)
	}
	if got := <-served; got != waits {
		t.Errorf("%s is served, want %s", got, waits)
	}
	if err := decide(false); err != nil || a.Network().Connectedness(b.ID()) != network.Connected {
		t.Errorf("a second decision ends the connection: %v", err)
	}
}

func TestSuspendedPeerThatIsLetGoIsServedNothing(t *testing.T) {
	t.Parallel()
	a, b, decide, served := suspendedPair(t)
	mine, theirs := make(chan error, 1), make(chan error, 1)
	go func() { mine <- ask(t.Context(), a, b.ID(), waits) }()
	go func() { theirs <- ask(t.Context(), b, a.ID(), waits) }()
	other := a.Suspend(b.ID(), decides)
	if err := decide(false); err != nil || a.Network().Connectedness(b.ID()) != network.Connected {
		t.Fatalf("gone while somebody else suspends it: %v", err)
	}
	if err := other(false); err != nil {
		t.Fatal(err)
	}
	if err := <-mine; err == nil {
		t.Error("a stream to who was let go is opened")
	}
	if err := <-theirs; err == nil {
		t.Error("who was let go is served")
	}
	if len(served) > 0 {
		t.Errorf("%s is served", <-served)
	}
	if a.Network().Connectedness(b.ID()) == network.Connected {
		t.Error("the connection stays")
	}
	// What was is over: the next connection is like any.
	if err := a.Connect(t.Context(), peer.AddrInfo{ID: b.ID(), Addrs: only(b.Addrs(), ma.P_TCP)}); err != nil {
		t.Fatal(err)
	}
	if err := ask(t.Context(), a, b.ID(), waits); err != nil {
		t.Errorf("later: %v", err)
	}
	// Who was connected before is not suspended.
	decide = a.Suspend(b.ID(), decides)
	if err := ask(t.Context(), a, b.ID(), waits); err != nil {
		t.Errorf("one that was connected before: %v", err)
	}
	if err := decide(false); err != nil || a.Network().Connectedness(b.ID()) != network.Connected {
		t.Errorf("one that was connected before is let go: %v", err)
	}
}

// Of two who suspend a peer one keeps it for both, and who waits no longer than its context.
func TestWhoSuspendsAPeer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var ss suspensions
		sus := &suspension{by: decides, askers: 2, decided: make(chan struct{})}
		ss.of = map[peer.ID]*suspension{"b": sus}
		ctx, cancel := context.WithCancel(t.Context())
		errs := make(chan error, 2)
		go func() { errs <- ss.waitFor(ctx, "b", waits) }()
		go func() { errs <- ss.waitFor(t.Context(), "b", waits) }()
		synctest.Wait()
		if len(errs) > 0 {
			t.Fatalf("nobody has decided: %v", <-errs)
		}
		cancel()
		if err := <-errs; !errors.Is(err, context.Canceled) {
			t.Errorf("the context has ended: %v", err)
		}
		h := &Host{}
		h.suspended.of = ss.of
		if err := h.decide("b", sus, true); err != nil || <-errs != nil {
			t.Errorf("kept by one of two: %v", err)
		}
		if err := h.decide("b", sus, false); err != nil || len(h.suspended.of) > 0 {
			t.Errorf("the other one: %v, %v", err, h.suspended.of)
		}
		for _, ids := range [][]protocol.ID{{waits}, {waits, decides}} {
			if err := ss.waitFor(t.Context(), "b", slices.Clone(ids)...); err != nil {
				t.Errorf("nobody suspends it: %v", err)
			}
		}
	})
}
