package sync

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/recon"
	"github.com/meshd/meshd/p2p/simnet"
)

var (
	farIDs         = flag.Int("far.ids", 30_000, "ids that both sides hold in the test of differences beyond the sketch")
	farDifferences = flag.Int("far.differences", 9_000, "ids that one side holds in it")
)

// mesh is a world whose hosts run a Service each.
type mesh struct {
	*simnet.World
	replicas []*fake
	services []*Service
	ended    []chan error
}

// newMesh starts n services over hosts that are not linked yet. They end with
// the test, and before the world does.
func newMesh(t *testing.T, n int, cfg Config) *mesh {
	t.Helper()
	m := &mesh{World: simnet.NewWorld(t, 1, n, simnet.Config{})}
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(func() {
		cancel()
		for _, e := range m.ended {
			if err := <-e; !errors.Is(err, context.Canceled) {
				t.Errorf("serve: %v", err)
			}
		}
	})
	for i := range n {
		r := newFake("auth", open0)
		cfg := cfg
		cfg.Net, cfg.Agent, cfg.Rand = testNet, "test", rand.New(rand.NewPCG(1, uint64(i)))
		s, err := New(m.Hosts[i], r, cfg)
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		m.replicas, m.services, m.ended = append(m.replicas, r), append(m.services, s), append(m.ended, ended)
		go func() { ended <- s.Serve(ctx) }()
	}
	synctest.Wait()
	return m
}

func (m *mesh) link(t *testing.T, a, b int) {
	t.Helper()
	if err := m.Link(t.Context(), a, b); err != nil {
		t.Fatal(err)
	}
}

func (m *mesh) id(i int) peer.ID { return m.Hosts[i].ID() }

func TestDialerOpensSessionOnConnect(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newMesh(t, 2, Config{})
		m.replicas[0].put(open0, span(0, 100)...)
		m.replicas[1].put(open0, span(50, 150)...)
		m.link(t, 0, 1)
		time.Sleep(5 * time.Second)
		mustEqual(t, m.replicas[0], m.replicas[1])
		if !m.services[0].Equal() || m.services[0].LastComplete().IsZero() {
			t.Errorf("dialer: %+v", m.services[0].LastPass())
		}
		if got := m.services[1].LastPass(); len(got) != 0 {
			t.Errorf("the other side opened a session too: %+v", got)
		}
	})
}

// A peer that has only just started does not answer yet. It is asked again soon,
// and not for ever.
func TestPeerThatIsNotReadyIsAskedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newMesh(t, 2, Config{Interval: time.Hour})
		m.replicas[0].put(open0, span(0, 100)...)
		m.Hosts[1].RemoveStreamHandler(Protocol)
		m.link(t, 0, 1)
		time.Sleep(openRetry + openRetry/2)
		if m.services[0].Equal() {
			t.Fatal("a session without an answer")
		}
		m.Hosts[1].SetStreamHandler(Protocol, m.services[1].accept)
		time.Sleep(2*openRetry + openRetry/2)
		mustEqual(t, m.replicas[0], m.replicas[1])

		m.Hosts[1].RemoveStreamHandler(Protocol)
		m.replicas[0].put(open0, span(100, 110)...)
		m.services[0].Soon(m.id(1))
		time.Sleep(4 * maxOpenRetry)
		m.Hosts[1].SetStreamHandler(Protocol, m.services[1].accept)
		time.Sleep(time.Minute)
		if n := m.services[0].LastPass(); len(n) != 1 || n[0].Err == nil {
			t.Errorf("asked without end: %+v", n)
		}
		m.services[0].Soon(m.id(1))
		time.Sleep(time.Second)
		mustEqual(t, m.replicas[0], m.replicas[1])
	})
}

// Who hung up is not connected again by a session that comes late.
func TestSessionDoesNotDial(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newMesh(t, 2, Config{Interval: time.Hour})
		m.link(t, 0, 1)
		time.Sleep(5 * time.Second)
		if err := m.Hosts[1].Network().ClosePeer(m.id(0)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if len(m.Hosts[0].Peerstore().Addrs(m.id(1))) == 0 {
			t.Fatal("no address to dial is remembered")
		}
		for _, err := range []error{
			func() error { _, err := m.services[0].SyncNow(t.Context(), m.id(1)); return err }(),
			func() error { _, err := m.services[0].FetchChanges(t.Context(), m.id(1), open0, nil); return err }(),
		} {
			if err == nil || m.services[0].connected(m.id(1)) {
				t.Errorf("a session with who hung up: %v", err)
			}
		}
	})
}

// More differences than a sketch resolves take several sessions of ranges, then a
// sketch, all in one pass. By hand at full size:
//
//	go test ./p2p/sync -run BeyondTheSketch -far.ids=1000000 -far.differences=20000 -v
func TestDifferencesBeyondTheSketchEndInOnePass(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newMesh(t, 2, Config{})
		m.link(t, 0, 1)
		time.Sleep(5 * time.Second)
		a, b := m.replicas[0], m.replicas[1]
		base := scattered(*farIDs)
		a.sets[open0].InsertBatch(base)
		b.sets[open0].InsertBatch(base)
		scatter(*farIDs, *farDifferences, 0, a, b)
		reports, err := m.services[0].SyncNow(t.Context(), m.id(1))
		if err != nil {
			t.Fatal(err)
		}
		r := reports[0]
		t.Logf("%d sessions in %v of the world's time, %d bytes: %+v", r.Sessions, r.Took, r.BytesIn+r.BytesOut, r.Sets[1])
		if !r.Equal() || r.Sets[1].Got != *farDifferences/2 || r.Sets[1].Pushed != (*farDifferences+1)/2 {
			t.Errorf("report: %+v", r)
		}
		mustEqual(t, a, b)
		if n := len(a.blamed()) + len(b.blamed()); n > 0 {
			t.Errorf("%d refusals between honest nodes", n)
		}
	})
}

// A listener that is far behind pulls at once, in its own session.
func TestNewcomerThatWasDialledPulls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newMesh(t, 2, Config{})
		m.replicas[0].put(open0, span(0, 6000)...)
		m.link(t, 0, 1)
		time.Sleep(10 * time.Second)
		mustEqual(t, m.replicas[0], m.replicas[1])
		if got := m.services[1].LastPass(); len(got) != 1 || got[0].Sets[1].Mode != ModePull {
			t.Errorf("newcomer: %+v", got)
		}
	})
}

// Three nodes in a line stay equal without gossip, whoever writes.
func TestPassesSpreadChanges(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newMesh(t, 3, Config{})
		m.link(t, 0, 1)
		m.link(t, 1, 2)
		time.Sleep(5 * time.Second)
		for i, r := range m.replicas {
			r.put(open0, span(i*1000, i*1000+20)...)
			r.put("auth", fabricate(10_000+i))
		}
		time.Sleep(3 * time.Minute)
		mustEqual(t, m.replicas[0], m.replicas[1])
		mustEqual(t, m.replicas[1], m.replicas[2])
		if n := len(m.replicas[0].ids()); n != 63 {
			t.Errorf("%d changes", n)
		}
	})
}

func TestBothSidesOpenAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newMesh(t, 2, Config{})
		m.link(t, 0, 1)
		time.Sleep(5 * time.Second)
		m.replicas[0].put(open0, span(0, 500)...)
		m.replicas[1].put(open0, span(400, 900)...)
		type result struct {
			reports []PassReport
			err     error
		}
		results := make(chan result)
		for i := range 2 {
			go func() {
				r, err := m.services[i].SyncNow(t.Context())
				results <- result{r, err}
			}()
		}
		for range 2 {
			if r := <-results; r.err != nil || len(r.reports) != 1 || !r.reports[0].Complete {
				t.Errorf("sync now: %+v", r)
			}
		}
		mustEqual(t, m.replicas[0], m.replicas[1])
	})
}

func TestSyncNowNamesPeersThatFail(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newMesh(t, 3, Config{})
		m.link(t, 0, 1)
		time.Sleep(time.Second)
		reports, err := m.services[0].SyncNow(t.Context(), m.id(1), m.id(2))
		if err == nil || !strings.Contains(err.Error(), m.id(2).String()) {
			t.Errorf("error: %v", err)
		}
		if len(reports) != 2 || !reports[0].Equal() || reports[1].Err == nil || reports[1].Peer != m.id(2) {
			t.Errorf("reports: %+v", reports)
		}
	})
}

func TestFetchChanges(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newMesh(t, 2, Config{})
		m.link(t, 0, 1)
		time.Sleep(5 * time.Second)
		m.replicas[1].put(open0, span(0, 3)...)
		// A pass under way does not delay a fetch.
		if err := m.services[0].slots.waitOut(t.Context(), m.id(1)); err != nil {
			t.Fatal(err)
		}
		if !m.services[1].slots.waitIn(t.Context(), m.id(0), func() {}) {
			t.Fatal("no place")
		}
		ids := []change.ID{fabricate(2).ID, fabricate(0).ID}
		got, err := m.services[0].FetchChanges(t.Context(), m.id(1), open0, ids)
		if err != nil || len(got) != 2 || got[0].ID != ids[1] || got[1].ID != ids[0] || got[0].Body == nil {
			t.Errorf("got %v, %v", got, err)
		}
		got, err = m.services[0].FetchChanges(t.Context(), m.id(1), open0, append(ids, fabricate(9).ID))
		if err == nil || len(got) != 2 {
			t.Errorf("with one that is not there: %v, %v", got, err)
		}
		if _, err := m.services[0].FetchChanges(t.Context(), m.id(1), "team/x", ids); err == nil {
			t.Error("of a set that the peer does not follow: no error")
		}
		if len(m.replicas[0].ids()) != 0 {
			t.Error("a fetch took something in")
		}
	})
}

// A busy peer is asked again after the time it names.
func TestBusyPeerIsAskedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newMesh(t, 2, Config{})
		m.link(t, 0, 1)
		time.Sleep(5 * time.Second)
		m.replicas[0].put(open0, span(0, 5)...)
		m.replicas[1].put(open0, span(5, 10)...)
		m.services[1].slots.waitIn(t.Context(), m.id(0), func() {})
		time.AfterFunc(8*time.Second, func() { m.services[1].slots.giveIn(m.id(0)) })
		start := time.Now()
		if _, err := m.services[0].SyncNow(t.Context()); err != nil {
			t.Fatal(err)
		}
		// Two refusals, five seconds each after one of waiting, and round trips.
		if took := time.Since(start); took < 2*busyRetry || took > 3*busyRetry {
			t.Errorf("took %v", took)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		m.services[1].slots.waitIn(t.Context(), m.id(0), func() {})
		m.replicas[0].put(open0, span(100, 105)...)
		var busy *BusyError
		if r, err := m.services[0].SyncNow(ctx); !errors.As(err, &busy) || r[0].Complete {
			t.Errorf("reports %+v, error %v", r, err)
		}
	})
}

// Past that the sender of a change does not have is asked of somebody else.
func TestMissingPastIsAskedOfAnother(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		// The interval keeps ordinary passes away.
		m := newMesh(t, 3, Config{Interval: 24 * time.Hour})
		m.link(t, 0, 1)
		m.link(t, 0, 2)
		time.Sleep(5 * time.Second)
		root := fabricate(1)
		tip := fabricate(2, root)
		m.replicas[1].put(open0, tip)
		m.replicas[2].put(open0, root)
		if _, err := m.services[0].SyncNow(t.Context(), m.id(1)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Second)
		if n := len(m.replicas[0].ids()); n != 2 {
			t.Errorf("%d changes", n)
		}
	})
}

// A responder requests the past of what was pushed, once the session is over.
func TestResponderAsksForMissingPast(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newMesh(t, 2, Config{Interval: 24 * time.Hour})
		m.link(t, 0, 1)
		time.Sleep(5 * time.Second)
		root := fabricate(1)
		common := fabricate(3)
		m.replicas[1].put(open0, common)
		r := m.replicas[0].put(open0, common, fabricate(2, root))
		// The comparison does not show it, as if auth had been compared before it came.
		r.mu.Lock()
		r.changes[root.ID] = root
		r.items["auth"][prefixOf(root.ID[:])] = recon.Item{HLC: root.Head.HLC, ID: root.ID}
		r.mu.Unlock()
		if _, err := m.services[0].SyncNow(t.Context()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Second)
		if n := len(m.replicas[1].ids()); n != 3 {
			t.Errorf("%d changes", n)
		}
	})
}

// What a session's time does not suffice for is continued at once.
func TestPassIsContinued(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newMesh(t, 2, Config{Interval: 24 * time.Hour, SessionTime: time.Millisecond})
		m.link(t, 0, 1)
		time.Sleep(5 * time.Second)
		m.replicas[0].put("auth", span(0, 20)...).put(open0, span(100, 120)...)
		m.replicas[1].put("auth", span(10, 20)...).put(open0, span(110, 120)...)
		reports, err := m.services[0].SyncNow(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if r := reports[0]; r.Complete || r.Sets[0].Mode != "" {
			t.Errorf("a session without time did something: %+v", r)
		}
		m.services[0].cfg.SessionTime = 200 * time.Millisecond // two round trips: one set
		if reports, err = m.services[0].SyncNow(t.Context()); err != nil {
			t.Fatal(err)
		}
		if r := reports[0]; !r.Equal() || r.Sessions < 2 || r.Sets[0].Pushed != 10 || r.Sets[1].Pushed != 10 {
			t.Errorf("report: %+v", r)
		}
		mustEqual(t, m.replicas[0], m.replicas[1])
	})
}

// Streams beyond a peer's share are closed, and honest ones go on.
func TestStreamsOfOnePeerAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newMesh(t, 3, Config{Interval: 24 * time.Hour})
		m.link(t, 0, 1)
		m.link(t, 2, 1)
		time.Sleep(5 * time.Second)
		var streams []network.Stream
		for range 3 * peerStreams {
			st, err := m.Hosts[0].NewStream(t.Context(), m.id(1), Protocol)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = st.Write([]byte{100}) // the length of a frame that never comes
			streams = append(streams, st)
		}
		time.Sleep(time.Second)
		m.services[1].mu.Lock()
		open := m.services[1].open
		m.services[1].mu.Unlock()
		if open != peerStreams {
			t.Errorf("%d streams are answered", open)
		}
		m.replicas[1].put(open0, span(0, 5)...)
		if r, err := m.services[2].SyncNow(t.Context(), m.id(1)); err != nil || !r[0].Equal() {
			t.Errorf("another peer: %+v, %v", r, err)
		}
		for _, st := range streams {
			_ = st.Reset()
		}
		time.Sleep(frameTime + time.Second)
		m.services[1].mu.Lock()
		defer m.services[1].mu.Unlock()
		if m.services[1].open != 0 || len(m.services[1].streams) != 0 {
			t.Errorf("%d streams after they were cut", m.services[1].open)
		}
	})
}

func TestSlots(t *testing.T) {
	t.Parallel()
	s := newSlots(4)
	a, b, c := peer.ID("a"), peer.ID("b"), peer.ID("c")
	done, cancel := context.WithCancel(t.Context())
	cancel()
	take := func(p peer.ID) bool { return s.waitOut(done, p) == nil }
	in := func(p peer.ID) bool { return s.waitIn(done, p, func() {}) }
	if !in(a) || in(a) || !take(a) || take(a) || !take(b) || take(c) {
		t.Fatal("one a peer and direction, and half of all for our own")
	}
	if in(b) {
		t.Fatal("none is left for peers that were useful")
	}
	s.was(b)
	if !in(b) || in(c) {
		t.Fatal("not four in all")
	}
	waited := make(chan error)
	go func() { waited <- s.waitOut(t.Context(), c) }()
	s.giveOut(a)
	if err := <-waited; err != nil || take(a) {
		t.Fatalf("waiting: %v", err)
	}
}

// Strangers cannot occupy every place: one whose session moves nothing loses it to a
// newcomer, and one that moves changes keeps it.
func TestIdleSessionsGiveWay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSlots(4)
		ended := map[peer.ID]bool{}
		in := func(ctx context.Context, p peer.ID) bool {
			return s.waitIn(ctx, p, func() { ended[p] = true; go s.giveIn(p) })
		}
		for _, p := range []peer.ID{"a", "b", "c"} {
			if !in(t.Context(), p) {
				t.Fatal("no place for", p)
			}
		}
		if in(t.Context(), "d") {
			t.Fatal("a fourth stranger has a place")
		}
		time.Sleep(patience)
		s.moved("a")
		s.moved("c")
		if !in(t.Context(), "d") || len(ended) != 1 || !ended["b"] {
			t.Errorf("ended %v for a peer that asks", ended)
		}
		if in(t.Context(), "e") {
			t.Error("sessions that move changes give way")
		}
	})
}

// A real session takes the place of one that moves nothing.
func TestPeerTakesThePlaceOfAnIdleSession(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newMesh(t, 2, Config{Interval: time.Hour})
		m.link(t, 0, 1)
		time.Sleep(5 * time.Second)
		places, ended := m.services[1].slots, 0
		for i := range defaultSessions {
			p := peer.ID(fmt.Sprint("idle ", i))
			places.was(p)
			if !places.waitIn(t.Context(), p, func() { ended++; go places.giveIn(p) }) {
				t.Fatal("no place for", p)
			}
		}
		places.was(m.id(0))
		time.Sleep(patience)
		m.replicas[0].put(open0, span(0, 5)...)
		m.replicas[1].put(open0, span(5, 10)...)
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		if _, err := m.services[0].SyncNow(ctx); err != nil || ended != 1 || len(m.replicas[1].ids()) != 10 {
			t.Errorf("%d sessions ended, %d changes came: %v", ended, len(m.replicas[1].ids()), err)
		}
	})
}

// A session that moves nothing ends when another peer takes its place.
func TestIdleSessionEndsForAnother(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newMesh(t, 2, Config{MaxSessions: 2, Interval: time.Hour})
		m.link(t, 0, 1)
		time.Sleep(5 * time.Second)
		m.replicas[1].put(open0, span(0, 5)...)
		st, err := m.Hosts[0].NewStream(t.Context(), m.id(1), Protocol)
		if err != nil {
			t.Fatal(err)
		}
		w := newWire(t.Context(), st, time.Hour)
		defer w.stop()
		say := func(k kind, b []byte) {
			t.Helper()
			if err := w.write(k, b); err != nil {
				t.Fatal(err)
			}
			if _, _, err := w.read(); err != nil {
				t.Fatal(err)
			}
		}
		say(kindHello, m.services[0].hello(t.Context(), m.id(1), nil).encode())
		say(kindSketch, sketchAsk{set: open0, n: 8}.encode()) // takes a place
		places := m.services[1].slots
		if !places.waitIn(t.Context(), "x", func() {}) {
			t.Fatal("no place beside it")
		}
		time.Sleep(patience)
		places.moved("x")
		ctx, cancel := context.WithTimeout(t.Context(), slotTime)
		defer cancel()
		if !places.waitIn(ctx, "y", func() {}) {
			t.Error("the idle session goes on")
		}
	})
}

// A session reports changes that go over it, and of nothing else.
func TestSessionsReportProgress(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		ours, them []*change.Change
		moves      bool
	}{
		{"equal", span(0, 3), span(0, 3), false},
		{"pulled", nil, span(0, 3), true},
		{"pushed", span(0, 9), span(0, 8), true},
	} {
		a, b, moved := newFake(open0), newFake(open0), false
		a.put(open0, c.ours...)
		b.put(open0, c.them...)
		ours, theirs := net.Pipe()
		ans := endpointOf(t, b).answerer(t.Context(), theirs, "a", anyTime)
		ans.moved = func() { moved = true }
		over := make(chan struct{})
		go func() {
			defer close(over)
			_ = ans.run() // ends with the pipe
			theirs.Close()
		}()
		endpointOf(t, a).asker(t.Context(), ours, "b", newCursors()).run()
		ours.Close()
		<-over
		if moved != c.moves {
			t.Errorf("%s: moved %v", c.name, moved)
		}
	}
}

func TestConfigReportsAllProblems(t *testing.T) {
	t.Parallel()
	err := Config{Agent: strings.Repeat("x", 65), Interval: -1, MaxSessions: 1}.Validate()
	for _, want := range []string{"net", "agent", "interval", "sessions"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
	if _, err := New(nil, nil, Config{}); err == nil {
		t.Error("a service without a network")
	}
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		reg := prometheus.NewPedanticRegistry()
		m := &mesh{World: simnet.NewWorld(t, 1, 1, simnet.Config{})}
		s, err := New(m.Hosts[0], newFake(open0), Config{Net: testNet, Registerer: reg})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(90 * time.Second)
		s.met.ended("out", 7, 9, &BusyError{})
		families, err := reg.Gather()
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, f := range families {
			for _, metric := range f.GetMetric() {
				line := f.GetName()
				for _, l := range metric.GetLabel() {
					line += " " + l.GetValue()
				}
				lines = append(lines, line)
				if f.GetName() == "meshd_sync_since_complete_seconds" && metric.GetGauge().GetValue() != 90 {
					t.Errorf("since complete: %v", metric)
				}
			}
		}
		want := []string{"meshd_sync_bytes_total in", "meshd_sync_bytes_total out", "meshd_sync_fallbacks_total",
			"meshd_sync_sessions_total out busy", "meshd_sync_since_complete_seconds"}
		if !slices.Equal(lines, want) {
			t.Errorf("metrics %v", lines)
		}
	})
}
