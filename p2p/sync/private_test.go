package sync

import (
	"context"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/recon"
	"github.com/meshd/meshd/p2p/simnet"
)

// guarded is a replica that follows a private set, and filters.
type guarded struct {
	*fake
	proof  string // what it says
	accept string // what it wants to receive
	limit  int    // largest filtered set; 0: as asked
}

func (g guarded) Proof(context.Context, peer.ID) []byte { return []byte(g.proof) }

func (g guarded) MaySee(_ context.Context, _ peer.ID, _ string, proof []byte) bool {
	// Whom this node would ask it knows already; a stranger has to prove it.
	return proof == nil || string(proof) == g.accept
}

func (g guarded) Filtered(_ context.Context, set string, spaces []change.Space, since uint64, limit int) (*recon.Set, error) {
	if g.limit > 0 {
		limit = g.limit
	}
	s := recon.NewSet()
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, it := range g.items[set] {
		if c := g.changes[it.ID]; c.Head.Space == spaces[0] && it.HLC >= since {
			s.Insert(it)
		}
	}
	if s.Len() > limit {
		return nil, nil
	}
	return s, nil
}

const team = "team/x"

func TestTeamSetsAreForMembers(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		proof string
		equal bool
	}{"member": {"a token", true}, "stranger": {"another", false}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := guarded{fake: newFake(open0, team).put(open0, span(0, 5)...), proof: tc.proof}
			b := guarded{fake: newFake(open0, team).put(open0, span(0, 5)...).put(team, span(50, 60)...), accept: "a token"}
			ours, theirs := net.Pipe()
			r, _ := over(t, endpointOf(t, a), endpointOf(t, b), ours, theirs)
			if r.Err != nil || len(r.Sets) != 1+len(a.items[team])/10 || (len(a.ids()) == 15) != tc.equal {
				t.Errorf("%d changes, report: %+v", len(a.ids()), r)
			}
		})
	}
	t.Run("without a gatekeeper", func(t *testing.T) {
		t.Parallel()
		e := endpointOf(t, newFake(open0, team))
		if h := e.hello(t.Context(), "b", nil); len(h.sets) != 1 || h.proof != nil {
			t.Errorf("hello: %+v", h)
		}
	})
	t.Run("asked without being named", func(t *testing.T) {
		t.Parallel()
		b := guarded{fake: newFake(open0, team).put(team, span(0, 5)...), accept: "a token"}
		for k, payload := range map[kind][]byte{
			kindPull: pull{set: team, max: 10}.encode(), kindWant: want{team, nil}.encode(),
			kindSketch: sketchAsk{team, 0, 32}.encode(), kindRange: rangeMsg{team, []byte{0x61}}.encode(),
		} {
			w, end := opened(t, endpointOf(t, b), hello{net: testNet, proof: []byte("another")})
			if err := w.write(k, payload); err != nil {
				t.Fatal(err)
			}
			got, answer, err := w.read()
			f, _ := decodeFailure(answer)
			if err != nil || got != kindError || f.code != reason.UnknownSpace {
				t.Errorf("%v: answer %v %q, %v", k, got, f.code, err)
			}
			end()
		}
	})
}

// opened is a raw stream to a responder, after the hellos.
func opened(t *testing.T, e endpoint, h hello) (w *wire, end func()) {
	t.Helper()
	ours, theirs := net.Pipe()
	ans := e.answerer(t.Context(), theirs, "a", anyTime)
	over := make(chan struct{})
	go func() { defer close(over); _ = ans.run(); theirs.Close() }()
	w = newWire(t.Context(), ours, defaultTime)
	if err := w.write(kindHello, h.encode()); err != nil {
		t.Fatal(err)
	}
	if k, _, err := w.read(); err != nil || k != kindHello {
		t.Fatalf("%v, %v", k, err)
	}
	return w, func() { w.stop(); ours.Close(); <-over }
}

// A filtered session compares what the filter leaves, and auth whole.
func TestFilter(t *testing.T) {
	t.Parallel()
	cs := span(0, 50)
	b := guarded{fake: newFake("auth", open0).put(open0, cs...).put("auth", span(100, 103)...)}
	ask := func(t *testing.T, r Replica, f filter, set string) (kind, done) {
		t.Helper()
		w, end := opened(t, endpointOf(t, r), hello{net: testNet})
		defer end()
		if err := w.write(kindFilter, f.encode()); err != nil {
			t.Fatal(err)
		}
		if err := w.write(kindDone, done{setState{name: set}}.encode()); err != nil {
			t.Fatal(err)
		}
		k, payload, err := w.read()
		if err != nil {
			t.Fatal(err)
		}
		d, _ := decodeDone(payload)
		return k, d
	}
	golang := []change.Space{change.Commons("go")}
	for name, tc := range map[string]struct {
		f     filter
		set   string
		count uint64
	}{
		"its space":     {filter{spaces: golang}, open0, 50},
		"another space": {filter{spaces: []change.Space{change.Commons("rust")}}, open0, 0},
		"since":         {filter{spaces: golang, since: cs[40].Head.HLC}, open0, 10},
		"auth":          {filter{spaces: []change.Space{change.Commons("rust")}}, "auth", 3},
	} {
		if k, d := ask(t, b, tc.f, tc.set); k != kindDone || d.count != tc.count {
			t.Errorf("%s: %v of %d", name, k, d.count)
		}
	}
	b.limit = 49
	if k, _ := ask(t, b, filter{spaces: golang}, open0); k != kindBusy {
		t.Errorf("above the limit: %v", k)
	}
	if k, _ := ask(t, b.fake, filter{spaces: golang}, open0); k != kindBusy {
		t.Errorf("a replica that cannot filter: %v", k)
	}
}

// member follows a private set, says a token and learns who else has it. It
// names the set to nobody who has not shown the token.
type member struct {
	*fake
	met map[peer.ID]bool
}

func (m member) Proof(context.Context, peer.ID) []byte { return []byte("a token") }

func (m member) MaySee(_ context.Context, p peer.ID, _ string, proof []byte) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if proof != nil {
		m.met[p] = string(proof) == "a token"
	}
	return m.met[p]
}

// Two members that never met name the team to each other in the second hello of
// the same pass.
func TestMembersMeet(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := simnet.NewWorld(t, 1, 2, simnet.Config{})
		ctx, cancel := context.WithCancel(context.Background())
		var services []*Service
		var replicas []member
		var wg sync.WaitGroup
		for i := range 2 {
			r := member{newFake(open0, team).put(team, span(10*i, 10*i+5)...), map[peer.ID]bool{}}
			s, err := New(w.Hosts[i], r, Config{Net: testNet, Agent: "test"})
			if err != nil {
				t.Fatal(err)
			}
			services, replicas = append(services, s), append(replicas, r)
			wg.Go(func() { _ = s.Serve(ctx) })
		}
		t.Cleanup(func() { cancel(); wg.Wait() })
		synctest.Wait()
		if err := w.Link(t.Context(), 0, 1); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Second)
		for i, r := range replicas {
			if got := len(r.ids()); got != 10 {
				t.Errorf("node %d has %d changes of the team, want 10", i, got)
			}
		}
		if r := services[0].LastPass(); len(r) != 1 || r[0].Sessions != 2 || !r[0].Complete {
			t.Errorf("report: %+v", r)
		}
	})
}
