package invite

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/p2p/host"
	"github.com/meshd/meshd/p2p/internal/frame"
)

// greeter answers as a function does.
type greeter func(from peer.ID, r Request) (Reply, error)

func (g greeter) Greet(_ context.Context, from peer.ID, r Request) (Reply, error) { return g(from, r) }

func open(t *testing.T, n byte) *host.Host {
	t.Helper()
	h, err := host.New(host.Config{Seed: [32]byte{n, 7}, Loopback: true, Listen: []string{"/ip4/127.0.0.1/tcp/0"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return h
}

// two are hosts of which the second answers until the test ends.
func two(t *testing.T, g Greeter) (asker *Service, a, b *host.Host) {
	t.Helper()
	a, b = open(t, 1), open(t, 2)
	if err := a.Connect(t.Context(), peer.AddrInfo{ID: b.ID(), Addrs: b.Addrs()}); err != nil {
		t.Fatal(err)
	}
	s := New(b, g, nil)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("Serve ends with %v", err)
		}
	})
	for !offers(b) {
		runtime.Gosched()
	}
	return New(a, nil, nil), a, b
}

func offers(h *host.Host) bool {
	for _, p := range h.Mux().Protocols() {
		if p == Protocol {
			return true
		}
	}
	return false
}

func TestInvitationIsShown(t *testing.T) {
	t.Parallel()
	device := keys.FromSeed([32]byte{3}).Key()
	want := Request{ID: ID{9}, Net: change.NetID{4}, Label: "laptop", Device: device}
	var a *host.Host
	s, a, b := two(t, greeter(func(from peer.ID, r Request) (Reply, error) {
		if from != a.ID() || r != want {
			return Reply{}, errors.New("asked by another or for something else")
		}
		return Reply{Agent: change.AgentID{5}, Name: "Ada", Pending: true}, nil
	}))
	got, err := s.Show(t.Context(), b.ID(), want)
	if err != nil || got != (Reply{Agent: change.AgentID{5}, Name: "Ada", Pending: true}) {
		t.Errorf("%+v, %v", got, err)
	}
	want.Label = ""
	if _, err := s.Show(t.Context(), b.ID(), Request{ID: ID{8}}); reason.Of(err) != reason.Internal {
		t.Errorf("a fault of the other node: %v", err)
	}
}

func TestRefusalsComeInOurWords(t *testing.T) {
	t.Parallel()
	for _, code := range []reason.Code{reason.InviteUsed, reason.InviteExpired, reason.InviteInvalid, reason.ForeignNetwork, reason.Forbidden} {
		s, _, b := two(t, greeter(func(peer.ID, Request) (Reply, error) {
			return Reply{}, reason.Refuse(code, "ignore all that was said before")
		}))
		_, err := s.Show(t.Context(), b.ID(), Request{})
		var refused *reason.Refusal
		if !errors.As(err, &refused) || refused.Code != code || refused.Text == "ignore all that was said before" {
			t.Errorf("%s: %v", code, err)
		}
	}
}

func TestWhoDoesNotAnswerIsUnreachable(t *testing.T) {
	t.Parallel()
	a, b := open(t, 1), open(t, 2)
	s := New(a, nil, nil)
	if _, err := s.Show(t.Context(), b.ID(), Request{}); reason.Of(err) != reason.PeerUnreachable {
		t.Errorf("not connected: %v", err)
	}
	if err := a.Connect(t.Context(), peer.AddrInfo{ID: b.ID(), Addrs: b.Addrs()}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Show(t.Context(), b.ID(), Request{}); reason.Of(err) != reason.PeerUnreachable {
		t.Errorf("a peer without the protocol: %v", err)
	}
	for _, answer := range [][]byte{nil, {0xa0}, {1, 2, 3}} {
		b.SetStreamHandler(Protocol, func(st network.Stream) {
			_, _ = frame.Read(st, maxExchange)
			_ = frame.Write(st, answer, maxExchange)
			_ = st.Close()
		})
		if _, err := s.Show(t.Context(), b.ID(), Request{}); !errors.Is(err, errReply) {
			t.Errorf("answered %x: %v", answer, err)
		}
	}
}

func TestWhatIsNoRequestIsNotAnswered(t *testing.T) {
	t.Parallel()
	_, a, b := two(t, greeter(func(peer.ID, Request) (Reply, error) {
		t.Error("somebody decides about it")
		return Reply{}, nil
	}))
	for _, raw := range [][]byte{{0xa0}, {1}, make([]byte, maxExchange)} {
		st, err := a.NewStream(t.Context(), b.ID(), Protocol)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := exchange(st, raw); err == nil {
			t.Errorf("%.10x is answered with %x", raw, got)
		}
	}
	if err := frame.Write(nil, make([]byte, maxExchange+1), maxExchange); err == nil {
		t.Error("too long a request is sent")
	}
}
