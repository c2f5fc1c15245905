package room

import (
	"slices"
	"sync"
	"testing"

	"github.com/meshd/meshd/crdt/reason"
)

func enter(t *testing.T, h *Hall, agent string) *Peer {
	t.Helper()
	p, err := h.Enter(agent)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func join(t *testing.T, p *Peer, room string) []Ref {
	t.Helper()
	there, err := p.Join(room, MaxMembers)
	if err != nil {
		t.Fatal(err)
	}
	return there
}

// queued takes what waits for a peer.
func queued(p *Peer) (out []string) {
	for {
		select {
		case m := <-p.Out():
			out = append(out, string(m))
		default:
			return out
		}
	}
}

func TestMessagesReachWhomTheyAreFor(t *testing.T) {
	t.Parallel()
	h := New()
	host, twin, other, away := enter(t, h, "agt_a"), enter(t, h, "agt_b"), enter(t, h, "agt_b"), enter(t, h, "agt_b")
	for _, p := range []*Peer{host, twin, other} {
		join(t, p, "r")
	}
	join(t, away, "elsewhere")
	for _, c := range []struct {
		from *Peer
		to   []string
		want []*Peer
	}{
		{host, []string{All}, []*Peer{host, twin, other}},
		{host, []string{Others}, []*Peer{twin, other}},
		{twin, []string{Host}, []*Peer{host}},
		{host, []string{"agt_b"}, []*Peer{twin, other}},
		{twin, []string{"agt_b"}, []*Peer{other}},
		{host, []string{other.ID, twin.ID}, []*Peer{twin, other}},
		{host, []string{other.ID, other.ID, Others}, []*Peer{twin, other}},
		{host, []string{away.ID}, nil},
		{host, []string{""}, nil},
		{away, []string{All}, nil}, // it is not in the room, and rest does not let it send there
	} {
		room := "r"
		if c.from == away {
			room = "nowhere"
		}
		if n := c.from.Send(room, c.to, []byte("m"), false); n != len(c.want) {
			t.Errorf("to %v: reached %d, want %d", c.to, n, len(c.want))
		}
		for _, p := range []*Peer{host, twin, other, away} {
			if got := len(queued(p)); got != len(slices.DeleteFunc(slices.Clone(c.want), func(w *Peer) bool { return w != p })) {
				t.Errorf("to %v: a peer received it %d times", c.to, got)
			}
		}
	}
}

func TestRoomsKeepWhoIsThere(t *testing.T) {
	t.Parallel()
	h := New()
	a, b := enter(t, h, "agt_a"), enter(t, h, "agt_b")
	if there := join(t, a, "r"); len(there) != 0 {
		t.Errorf("alone with %v", there)
	}
	if there := join(t, b, "r"); len(there) != 1 || there[0] != (Ref{a.ID, "agt_a"}) {
		t.Errorf("there is %v", there)
	}
	if join(t, b, "r"); len(h.rooms["r"]) != 2 {
		t.Error("who joined twice is there twice")
	}
	if !a.Leave("r") || a.Leave("r") || a.In("r") || !b.In("r") {
		t.Error("leaving")
	}
	join(t, b, "s")
	if left := b.Exit(); !slices.Equal(left, []string{"r", "s"}) || b.Exit() != nil || len(h.rooms) != 0 {
		t.Errorf("left %v, rooms %v", left, h.rooms)
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	h := New()
	for range MaxPerAgent {
		enter(t, h, "agt_a")
	}
	if _, err := h.Enter("agt_a"); reason.Of(err) != reason.RateLimited {
		t.Errorf("one socket more: %v", err)
	}
	for range MaxMembers {
		join(t, enter(t, h, ""), "full")
	}
	late := enter(t, h, "")
	if _, err := late.Join("full", MaxMembers); reason.Of(err) != reason.LimitReached || late.In("full") {
		t.Errorf("one peer more: %v", err)
	}
	for len(h.peers) < MaxPeers {
		enter(t, h, "")
	}
	if _, err := h.Enter(""); reason.Of(err) != reason.Overloaded {
		t.Errorf("one more than the gateway has: %v", err)
	}
}

func TestFullOutbox(t *testing.T) {
	t.Parallel()
	h := New()
	a, b := enter(t, h, "agt_a"), enter(t, h, "agt_b")
	join(t, a, "r")
	join(t, b, "r")
	for range MaxOutbox + 5 {
		a.Send("r", []string{Others}, []byte("m"), true)
	}
	select {
	case <-b.Done():
		t.Error("cut for messages that may be dropped")
	default:
	}
	if n := len(queued(b)); n != MaxOutbox {
		t.Errorf("%d wait", n)
	}
	for range MaxOutbox + 1 {
		a.Send("r", []string{Others}, []byte("m"), false)
	}
	<-b.Done()
	if b.Why() != reason.RateLimited {
		t.Errorf("cut with %s", b.Why())
	}
}

func TestClosedHallEmpties(t *testing.T) {
	t.Parallel()
	h := New()
	var left sync.WaitGroup
	for range 5 {
		p := enter(t, h, "")
		left.Go(func() {
			<-p.Done()
			if p.Why() != reason.NotReady {
				t.Errorf("cut with %s", p.Why())
			}
			p.Exit()
		})
	}
	h.Close()
	h.Wait()
	left.Wait()
	if _, err := h.Enter(""); reason.Of(err) != reason.NotReady {
		t.Errorf("let in: %v", err)
	}
}
