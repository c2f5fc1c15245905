package topic_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	pubsub "github.com/libp2p/go-libp2p-pubsub"
	pb "github.com/libp2p/go-libp2p-pubsub/pb"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/p2p/simnet"
	"github.com/meshd/meshd/p2p/topic"
)

// node is one member of a test world: it judges as configured and keeps what came.
type node struct {
	*topic.Gossip
	reg *prometheus.Registry

	mu      sync.Mutex
	verdict reason.Code
	judged  []*change.Change
	store   map[change.ID]*change.Change // what FetchChanges of others finds
	all     map[peer.ID]*node
	asked   int
	stall   bool // FetchChanges never answers
	joined  []peer.ID
}

func (n *node) join(p peer.ID) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.joined = append(n.joined, p)
}

func (n *node) Judge(_ context.Context, _ peer.ID, _ string, c *change.Change) reason.Code {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.judged = append(n.judged, c)
	if n.verdict == "" {
		n.store[c.ID] = c
	}
	return n.verdict
}

func (n *node) FetchChanges(ctx context.Context, from peer.ID, _ string, ids []change.ID) ([]*change.Change, error) {
	n.mu.Lock()
	n.asked++
	stall := n.stall
	n.mu.Unlock()
	if stall {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	o := n.all[from]
	o.mu.Lock()
	defer o.mu.Unlock()
	var got []*change.Change
	for _, id := range ids {
		if c := o.store[id]; c != nil {
			got = append(got, c)
		}
	}
	return got, nil
}

func (n *node) came() []*change.Change {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.judged)
}

func (n *node) fetches() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.asked
}

// count sums the samples of a counter that carry the label value.
func (n *node) count(t *testing.T, name, label string) float64 {
	t.Helper()
	families, err := n.reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var sum float64
	for _, f := range families {
		if f.GetName() != "meshd_p2p_gossip_"+name+"_total" {
			continue
		}
		for _, m := range f.GetMetric() {
			if label == "" || len(m.GetLabel()) > 0 && m.GetLabel()[0].GetValue() == label {
				sum += m.GetCounter().GetValue()
			}
		}
	}
	return sum
}

func network(t *testing.T) change.NetID {
	t.Helper()
	id, err := change.Builtin().ID()
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// line is a world in which each node is linked to the next: a message from the
// first reaches the last only when all between pass it on.
func line(t *testing.T, n int, sets ...string) (*simnet.World, []*node) {
	t.Helper()
	if sets == nil {
		sets = []string{"auth", "open/0"}
	}
	w := simnet.NewWorld(t, 11, n, simnet.Config{})
	all := make(map[peer.ID]*node)
	var nodes []*node
	for _, h := range w.Hosts {
		x := &node{reg: prometheus.NewRegistry(), store: make(map[change.ID]*change.Change), all: all}
		var err error
		x.Gossip, err = topic.New(h, topic.Config{
			Net: network(t), Shards: 1, Sets: sets, Judge: x, Fetcher: x, Guard: h.Guard(), Joined: x.join, Registerer: x.reg,
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = x.Close() })
		all[h.ID()] = x
		nodes = append(nodes, x)
	}
	for i := 1; i < n; i++ {
		if err := w.Link(t.Context(), i-1, i); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(5 * time.Second) // virtual: the mesh forms
	return w, nodes
}

func publish(t *testing.T, n *node, set string, c *change.Change) {
	t.Helper()
	n.mu.Lock()
	n.store[c.ID] = c
	n.mu.Unlock()
	if err := n.Publish(t.Context(), set, c); err != nil {
		t.Fatal(err)
	}
	time.Sleep(5 * time.Second) // virtual: it spreads
}

func TestChangeTravelsTheLine(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, nodes := line(t, 4)
		c := simnet.Entry(network(t), 1, 0, 500)
		publish(t, nodes[0], "open/0", c)
		for i, n := range nodes[1:] {
			got := n.came()
			if len(got) != 1 || got[0].ID != c.ID || string(got[0].Body) != string(c.Body) {
				t.Errorf("node %d judged %d changes, want the one", i+1, len(got))
			}
			if n.count(t, "accepted", "open") != 1 || n.count(t, "received", "open") != 1 {
				t.Errorf("node %d: metrics say received %v, accepted %v", i+1, n.count(t, "received", ""), n.count(t, "accepted", ""))
			}
		}
		if nodes[0].came() != nil {
			t.Error("the publisher judges its own change")
		}
		if nodes[0].count(t, "published", "open") != 1 {
			t.Error("publication is not counted")
		}
	})
}

// A peer that comes to the topics is reported once, also when it comes back.
func TestJoinedNamesWhoCanBeReachedNow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, nodes := line(t, 3)
		want := func(n *node, peers ...int) {
			t.Helper()
			n.mu.Lock()
			defer n.mu.Unlock()
			if len(n.joined) != len(peers) {
				t.Fatalf("told of %v, want %v", n.joined, peers)
			}
			for _, i := range peers {
				if !slices.Contains(n.joined, w.Hosts[i].ID()) {
					t.Errorf("node %d is missing among %v", i, n.joined)
				}
			}
			n.joined = nil
		}
		want(nodes[0], 1)
		want(nodes[1], 0, 2)
		want(nodes[2], 1)
		if err := w.Hosts[2].Network().ClosePeer(w.Hosts[1].ID()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Second)
		want(nodes[1])
		if err := w.Link(t.Context(), 1, 2); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Second)
		want(nodes[1], 2)
		want(nodes[2], 1)
	})
}

func TestVerdictFollowsTheCode(t *testing.T) {
	t.Parallel()
	for code, scored := range map[reason.Code]bool{
		reason.BadChangeSignature: true,
		reason.BadSequence:        true,
		reason.MissingDeps:        false,
		reason.UnknownKind:        false,
		reason.ClockAhead:         false,
		reason.Internal:           false,
	} {
		synctest.Test(t, func(t *testing.T) {
			w, nodes := line(t, 3)
			nodes[1].mu.Lock()
			nodes[1].verdict = code
			nodes[1].mu.Unlock()
			publish(t, nodes[0], "open/0", simnet.Entry(network(t), 1, 0, 500))
			if n := len(nodes[1].came()); n != 1 {
				t.Fatalf("%s: judged %d changes", code, n)
			}
			if nodes[2].came() != nil {
				t.Errorf("%s: passed on what was not accepted", code)
			}
			kind := "ignored"
			if scored {
				kind = "rejected"
			}
			if nodes[1].count(t, kind, string(code)) != 1 {
				t.Errorf("%s is not counted as %s", code, kind)
			}
			if low := w.Hosts[1].Guard().Score(w.Hosts[0].ID()) < 0; low != scored {
				t.Errorf("%s: sender scored %v, want %v", code, low, scored)
			}
		})
	}
}

func TestLargeBodyIsPulledAtEachHop(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, nodes := line(t, 3)
		c := simnet.Entry(network(t), 1, 0, 60<<10)
		publish(t, nodes[0], "open/0", c)
		for i, n := range nodes[1:] {
			got := n.came()
			if len(got) != 1 || got[0].IsStub() || string(got[0].Body) != string(c.Body) {
				t.Errorf("node %d has not judged the whole change", i+1)
			}
		}
	})
}

func TestBodyThatDoesNotComeIsIgnored(t *testing.T) {
	t.Parallel()
	for name, stall := range map[string]bool{"stalls": true, "is not there": false} {
		synctest.Test(t, func(t *testing.T) {
			w, nodes := line(t, 3)
			nodes[1].mu.Lock()
			nodes[1].stall = stall
			nodes[1].mu.Unlock()
			if err := nodes[0].Publish(t.Context(), "open/0", simnet.Entry(network(t), 1, 0, 60<<10)); err != nil {
				t.Fatal(err)
			}
			time.Sleep(10 * time.Second) // virtual: longer than the wait for a body
			if nodes[1].fetches() != 1 || nodes[1].came() != nil {
				t.Errorf("%s: asked %d times, judged %d", name, nodes[1].fetches(), len(nodes[1].came()))
			}
			if nodes[1].count(t, "ignored", "") != 1 || w.Hosts[1].Guard().Score(w.Hosts[0].ID()) != 0 {
				t.Errorf("%s: ignored %v, score %v", name, nodes[1].count(t, "ignored", ""), w.Hosts[1].Guard().Score(w.Hosts[0].ID()))
			}
			if nodes[2].came() != nil || nodes[2].fetches() != 0 {
				t.Errorf("%s: passed on", name)
			}
		})
	}
}

func TestStalledBodiesTakeFewSlots(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, nodes := line(t, 2)
		nodes[1].mu.Lock()
		nodes[1].stall = true
		nodes[1].mu.Unlock()
		for i := range uint64(10) {
			if err := nodes[0].Publish(t.Context(), "open/0", simnet.Entry(network(t), 1, i, 60<<10)); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(2 * time.Second) // virtual: less than the wait for a body
		if nodes[1].fetches() != 2 {
			t.Errorf("%d bodies asked of one peer at once, want 2", nodes[1].fetches())
		}
		if got := nodes[1].count(t, "ignored", string(reason.Overloaded)); got != 8 {
			t.Errorf("%v ignored for overload, want 8", got)
		}
		publish(t, nodes[0], "open/0", simnet.Entry(network(t), 1, 99, 100))
		if len(nodes[1].came()) != 1 {
			t.Error("a small change does not pass beside stalled bodies")
		}
	})
}

func TestChangeOfAnotherSetIsIgnored(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, nodes := line(t, 2)
		publish(t, nodes[0], "auth", simnet.Entry(network(t), 1, 0, 100))
		if nodes[1].came() != nil || nodes[1].count(t, "ignored", string(reason.UnknownSpace)) != 1 {
			t.Error("a content change on the topic of auth is judged")
		}
		if s := w.Hosts[1].Guard().Score(w.Hosts[0].ID()); s != 0 {
			t.Errorf("its sender is scored %v", s)
		}
	})
}

func TestControlChangeHasItsOwnTopic(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, nodes := line(t, 2)
		key := keys.FromSeed([32]byte{5})
		agent := change.DeriveAgent(network(t), key.Key())
		c := change.Seal(change.Draft{
			Net: network(t), Space: agent.Space(), Kind: change.KindBind, Body: []byte{0xa0},
			HLC: 1767225600000 << 10, Seq: 1,
		}, key)
		publish(t, nodes[0], "auth", c)
		if got := nodes[1].came(); len(got) != 1 || got[0].ID != c.ID {
			t.Errorf("judged %d", len(got))
		}
	})
}

// TestGarbageCostsTheConnection plays a peer that speaks GossipSub and sends
// bytes that are no changes.
func TestGarbageCostsTheConnection(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, nodes := line(t, 2)
		// The attacker joins beside the line, with a plain pubsub.
		attacker := w.NewHost(t)
		if err := w.Link(t.Context(), 2, 1); err != nil {
			t.Fatal(err)
		}
		ps, err := pubsub.NewGossipSub(t.Context(), attacker,
			pubsub.WithMessageSignaturePolicy(pubsub.StrictNoSign), pubsub.WithNoAuthor(),
			pubsub.WithMessageIdFn(func(m *pb.Message) string { return string(m.GetData()) }))
		if err != nil {
			t.Fatal(err)
		}
		tp, err := ps.Join(topic.Name(network(t), "open/0"))
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second) // virtual: subscriptions are exchanged
		for i := range 20 {
			if err := tp.Publish(t.Context(), []byte{byte(i), 1, 2, 3}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(200 * time.Millisecond) // so slowly that scores are counted meanwhile
		}
		time.Sleep(2 * time.Second)
		g := w.Hosts[1].Guard()
		if !g.Banned(attacker.ID()) {
			t.Errorf("score %v, still not out", g.Score(attacker.ID()))
		}
		if len(w.Hosts[1].Network().ConnsToPeer(attacker.ID())) != 0 {
			t.Error("still connected")
		}
		if nodes[1].came() != nil {
			t.Error("garbage was judged")
		}
		if got := nodes[1].count(t, "rejected", string(reason.BadEncoding)); got < 8 {
			t.Errorf("%v rejected", got)
		}
	})
}

// A peer whose gossip streams carry no frames is out as one that sends garbage in
// frames is; one that comes, opens streams and ends them in order is not.
func TestBogusStreamsCostTheConnection(t *testing.T) {
	t.Parallel()
	whole := append([]byte{2}, 0x0a, 0x00) // a frame with an empty subscription
	for name, c := range map[string]struct {
		bytes []byte
		out   bool
	}{
		"longer than any frame": {[]byte{0xff, 0xff, 0xff, 0xff, 0x0f, 1}, true},
		"not a frame's content": {[]byte{4, 0xff, 0xff, 0xff, 0xff}, true},
		"cut off":               {[]byte{9, 1, 2}, true},
		"whole":                 {whole, false},
		"empty":                 {nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w, _ := line(t, 1)
				attacker := w.NewHost(t)
				if err := w.Link(t.Context(), 1, 0); err != nil {
					t.Fatal(err)
				}
				for range 12 {
					s, err := attacker.NewStream(t.Context(), w.Hosts[0].ID(), pubsub.GossipSubID_v11)
					if err != nil {
						break
					}
					_, _ = s.Write(c.bytes)
					_ = s.CloseWrite()
					time.Sleep(200 * time.Millisecond)
				}
				g := w.Hosts[0].Guard()
				if out := g.Banned(attacker.ID()); out != c.out {
					t.Errorf("out: %v, score %v", out, g.Score(attacker.ID()))
				}
				if s := g.Score(attacker.ID()); !c.out && s != 0 {
					t.Errorf("an honest peer is scored %v", s)
				}
			})
		})
	}
}

// Streams that end with their connection, or for a newer one, are nobody's fault.
func TestLostStreamsCostNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, _ := line(t, 2)
		for range 5 {
			s, err := w.Hosts[1].NewStream(t.Context(), w.Hosts[0].ID(), pubsub.GossipSubID_v11)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = s.Write([]byte{200}) // the beginning of a frame, and no end
			time.Sleep(200 * time.Millisecond)
		}
		if err := w.Hosts[1].Network().ClosePeer(w.Hosts[0].ID()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if s := w.Hosts[0].Guard().Score(w.Hosts[1].ID()); s != 0 {
			t.Errorf("the peer is scored %v", s)
		}
	})
}

func TestFloodIsShedWithoutBlame(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, nodes := line(t, 2)
		w.Hosts[1].Guard().SetMessageRate(5)
		for i := range uint64(60) {
			if err := nodes[0].Publish(t.Context(), "open/0", simnet.Entry(network(t), 1, i, 100)); err != nil {
				t.Fatal(err)
			}
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(time.Second)
		judged, shed := len(nodes[1].came()), nodes[1].count(t, "ignored", string(reason.AdmissionRate))
		if judged == 0 || shed == 0 || judged+int(shed) != 60 {
			t.Errorf("judged %d, shed %v of 60", judged, shed)
		}
		if s := w.Hosts[1].Guard().Score(w.Hosts[0].ID()); s != 0 {
			t.Errorf("an honest peer that is fast is scored %v", s)
		}
	})
}

func TestOnlyFollowedSetsHaveTopics(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, nodes := line(t, 2, "auth")
		err := nodes[0].Publish(t.Context(), "team/x", simnet.Entry(network(t), 1, 0, 10))
		if !errors.Is(err, topic.ErrNoTopic) {
			t.Errorf("publish to a team: %v", err)
		}
		if got := nodes[0].Peers("auth"); len(got) != 1 {
			t.Errorf("peers of auth: %v", got)
		}
		if got := nodes[0].Peers("open/0"); got != nil {
			t.Errorf("peers of a set that is not followed: %v", got)
		}
		if err := nodes[0].PublishPeers(t.Context(), nil); !errors.Is(err, topic.ErrNoTopic) {
			t.Errorf("peer record before its topic: %v", err)
		}
	})
}

func TestPeerRecordsTravelAndSubscribersAreNotified(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, nodes := line(t, 3)
		got := make([]chan string, len(nodes))
		var joined []<-chan peer.ID
		for i, n := range nodes {
			got[i] = make(chan string, 4)
			j, err := n.HandlePeers(func(_ context.Context, _ peer.ID, data []byte) reason.Code {
				got[i] <- string(data)
				return ""
			})
			if err != nil {
				t.Fatal(err)
			}
			joined = append(joined, j)
		}
		if p := <-joined[0]; p != w.Hosts[1].ID() {
			t.Errorf("told of %s", p)
		}
		time.Sleep(5 * time.Second)
		if err := nodes[0].PublishPeers(t.Context(), []byte("record")); err != nil {
			t.Fatal(err)
		}
		if a, b := <-got[1], <-got[2]; a != "record" || b != "record" {
			t.Errorf("came %q and %q", a, b)
		}
	})
}

func TestServeLeavesAndEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, nodes := line(t, 2)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- nodes[0].Serve(ctx) }()
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Serve ends with %v", err)
		}
		if err := nodes[0].Publish(t.Context(), "open/0", simnet.Entry(network(t), 1, 0, 10)); !errors.Is(err, topic.ErrClosed) {
			t.Errorf("publish after the end: %v", err)
		}
		if err := nodes[0].Close(); err != nil {
			t.Errorf("close again: %v", err)
		}
	})
}
