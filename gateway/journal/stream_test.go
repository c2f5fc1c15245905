package journal_test

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/journal"
	"github.com/meshd/meshd/gateway/service/servicetest"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/view"
)

// world is a node in memory with a journal over it.
type world struct {
	t       *testing.T
	mesh    *servicetest.Mesh
	state   *state.DB
	journal *journal.Journal
	stop    func()
	now     time.Time
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, mesh: servicetest.New(t), state: servicetest.OpenState(t), now: servicetest.Start}
	w.start(journal.Config{})
	return w
}

// start runs a journal over the world's node and state, as a new process would.
func (w *world) start(cfg journal.Config) {
	w.t.Helper()
	cfg.Now = func() time.Time { return w.now }
	j, err := journal.New(w.mesh, w.state, cfg)
	must(w.t, err)
	must(w.t, j.Load(w.t.Context()))
	ctx, cancel := context.WithCancel(context.WithoutCancel(w.t.Context()))
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := j.Serve(ctx); err != nil {
			w.t.Error(err)
		}
	}()
	w.journal = j
	w.stop = func() {
		cancel()
		<-done
	}
	w.t.Cleanup(w.stop)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (w *world) plant(n int, title string) (ids []string) {
	w.t.Helper()
	for range n {
		e := w.mesh.Plant(view.Entry{Domain: "go", Agent: view.AgentRef{Name: "Ada"}, Body: body.Entry{Type: body.Gotcha, Title: title, Text: "A lesson."}})
		ids = append(ids, e.ID.Text(change.PrefixEntry))
	}
	return ids
}

var public = journal.View{Audiences: []string{journal.Public}}

func (w *world) open(who journal.Reader, v journal.View, from journal.From) *journal.Stream {
	w.t.Helper()
	s, err := w.journal.Open(w.t.Context(), who, v, from)
	must(w.t, err)
	w.t.Cleanup(s.Close)
	return s
}

// read returns the next n events of a stream.
func (w *world) read(s *journal.Stream, n int) (es []*journal.Event) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), 3*time.Minute)
	defer cancel()
	for len(es) < n {
		d, err := s.Next(ctx)
		if err != nil {
			w.t.Fatalf("%d of %d events: %v", len(es), n, err)
		}
		if d.End != "" {
			w.t.Fatalf("ended with %s after %d of %d events", d.End, len(es), n)
		}
		es = append(es, d.Events...)
	}
	return es
}

func (w *world) wantObjects(es []*journal.Event, ids []string) {
	w.t.Helper()
	if len(es) != len(ids) {
		w.t.Fatalf("%d events, want %d", len(es), len(ids))
	}
	for i, e := range es {
		if e.Object != ids[i] || i > 0 && e.Seq <= es[i-1].Seq {
			w.t.Fatalf("event %d is %d about %s, want %s", i, e.Seq, e.Object, ids[i])
		}
	}
}

// after is the place of an event, as a client names it.
func after(seq uint64) journal.From {
	return journal.From{Given: true, Known: true, Seq: seq, Text: fmt.Sprint(seq)}
}

func TestWhatIsPublishedIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.open(journal.Reader{}, public, journal.From{})
	ids := w.plant(3, "")
	es := w.read(s, 3)
	w.wantObjects(es, ids)
	kept, err := w.state.EventsAfter(t.Context(), s.Start, nil, 10)
	must(t, err)
	if len(kept) != 3 || kept[2] != es[2].Event {
		t.Errorf("kept %+v", kept)
	}
}

// TestReaderComesBackAnywhere names every place of a stream, those in memory and
// those before, to the process that published it and to the next one.
func TestReaderComesBackAnywhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.open(journal.Reader{}, public, journal.From{})
	const many = 2300 // more than fits in memory
	ids := w.plant(many, "")
	es := w.read(s, many)
	newest := es[many-1].Seq
	for range 2 {
		for _, i := range []int{0, 1, 10, 251, 252, 253, 1000, 2047, 2048, many - 2} {
			back := w.open(journal.Reader{}, public, after(es[i].Seq))
			if back.Reset != nil || back.Start != es[i].Seq {
				t.Fatalf("place %d: %+v", i, back.Reset)
			}
			w.wantObjects(w.read(back, many-i-1)[:many-i-1], ids[i+1:])
			back.Close()
		}
		last := w.open(journal.Reader{}, public, after(newest))
		more, got := w.plant(1, ""), w.read(last, 1)
		w.wantObjects(got, more)
		newest = got[0].Seq
		last.Close()
		w.stop()
		w.start(journal.Config{})
	}
}

func TestForeignPlaceIsSentToReadAnew(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.open(journal.Reader{}, public, journal.From{})
	ids := w.plant(2, "")
	es := w.read(s, 2)
	for name, from := range map[string]journal.From{
		"a later place": after(es[1].Seq + 1), "a small place": after(7), "no number": {Given: true, Text: "abc"},
	} {
		back := w.open(journal.Reader{}, public, from)
		if back.Reset == nil || back.Reset.From != from.Text || back.Reset.To != es[1].Seq {
			t.Errorf("%s: %+v", name, back.Reset)
		}
		back.Close()
	}
	w.wantObjects(w.read(w.open(journal.Reader{}, public, after(0)), 2), ids)
	// A stream of another database begins elsewhere.
	other := newWorld(t)
	other.now = other.now.Add(time.Minute)
	other.stop()
	fresh := &world{t: t, mesh: servicetest.New(t), state: servicetest.OpenState(t), now: other.now}
	fresh.start(journal.Config{})
	if back := fresh.open(journal.Reader{}, public, after(es[1].Seq)); back.Reset == nil {
		t.Error("a place of another stream is taken for one of this")
	}
}

// TestCrashLosesNothing has changes happen while nobody listens, as between a
// write and the death of the process.
func TestCrashLosesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.open(journal.Reader{}, public, journal.From{})
	ids := w.plant(5, "")
	es := w.read(s, 5)
	w.stop()
	ids = append(ids, w.plant(700, "")...)
	w.start(journal.Config{})
	back := w.open(journal.Reader{}, public, after(es[2].Seq))
	w.wantObjects(w.read(back, 702), ids[3:])
	// Published again from the beginning, nothing comes twice.
	w.stop()
	_, _, err := w.state.AppendEvents(t.Context(), "", nil, 0, w.now)
	must(t, err)
	w.start(journal.Config{})
	back = w.open(journal.Reader{}, public, after(es[2].Seq))
	last := w.plant(1, "")
	w.wantObjects(w.read(back, 703), append(ids[3:], last...))
}

func TestGapBeyondWhatIsKeptResets(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.open(journal.Reader{}, public, journal.From{})
	w.plant(3, "")
	es := w.read(s, 3)
	w.stop()
	ids := w.plant(50, "")
	w.start(journal.Config{Keep: 10})
	anew := w.open(journal.Reader{}, public, after(0))
	w.wantObjects(w.read(anew, 10), ids[40:])
	if back := w.open(journal.Reader{}, public, after(es[2].Seq)); back.Reset == nil {
		t.Error("the gap was not reported to a reader")
	}
}

func TestGatewaysOfOneDatabaseShareTheStream(t *testing.T) {
	t.Parallel()
	a := newWorld(t)
	b := &world{t: t, mesh: servicetest.New(t), state: a.state, now: a.now}
	b.start(journal.Config{Node: "b"})
	at, bt := a.open(journal.Reader{}, public, journal.From{}), b.open(journal.Reader{}, public, journal.From{})
	// Both nodes see the first change; each entry of a servicetest node has the
	// same id, as a change that both got has.
	first := a.plant(1, "")
	b.read(bt, 1)
	b.plant(1, "")
	second := a.plant(1, "")
	w := b.plant(2, "")
	want := []string{first[0], second[0], w[1]}
	a.wantObjects(a.read(at, 3), want)
	if es := b.read(bt, 2); es[0].Object != second[0] || es[1].Object != w[1] {
		t.Errorf("the other gateway published %s, %s", es[0].Object, es[1].Object)
	}
}

func TestSlowReaderIsCut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	slow, quick := w.open(journal.Reader{}, public, journal.From{}), w.open(journal.Reader{}, public, journal.From{})
	const many = 3000 // at about 400 bytes, over 1 MiB
	w.plant(many, "")
	w.read(quick, many)
	bytes := 0
	for {
		d, err := slow.Next(t.Context())
		must(t, err)
		for _, e := range d.Events {
			bytes += len(e.Frame(false))
		}
		if d.End != "" {
			if d.End != reason.SlowConsumer || bytes == 0 || bytes > journal.MaxBuffer {
				t.Errorf("ended with %s after %d bytes", d.End, bytes)
			}
			return
		}
	}
}

// TestScenario18SlowReaders: a fifth of the streams, of server-sent events and of
// sockets alike, read nothing while far more than a mebibyte is published. The others
// receive all of it meanwhile; what waits for a slow one never passes 1 MiB, and it is cut. The
// peers' part is node/world TestScenario18SlowPeers.
func TestScenario18SlowReaders(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var slow, quick []*journal.Stream
	for i := range 10 {
		s := w.open(journal.Reader{}, public, journal.From{})
		if i%5 == 0 {
			slow = append(slow, s)
		} else {
			quick = append(quick, s)
		}
	}
	const many = 6000 // at about 400 bytes: over 2 MiB
	var reading sync.WaitGroup
	for _, s := range quick {
		reading.Go(func() {
			for received := 0; received < many; {
				d, err := s.Next(t.Context())
				if err != nil || d.End != "" {
					t.Errorf("after %d of %d events: %s, %v", received, many, d.End, err)
					return
				}
				received += len(d.Events)
			}
		})
	}
	w.plant(many, "")
	reading.Wait()
	most := 0
	for _, s := range slow {
		waited := 0
		for end := reason.Code(""); end == ""; {
			d, err := s.Next(t.Context())
			must(t, err)
			for _, e := range d.Events {
				waited += len(e.Frame(false))
			}
			end = d.End
			if end != "" && end != reason.SlowConsumer {
				t.Errorf("ended with %s", end)
			}
		}
		most = max(most, waited)
	}
	t.Logf("scenario 18: %d of %d streams read nothing: at most %d kB waited for one (bar: ≤ 1024 kB), then all %d were cut; the others received all of %d events", len(slow), len(slow)+len(quick), most>>10, len(slow), many)
	if most == 0 || most > 1<<20 {
		t.Errorf("%d bytes waited for a slow reader", most)
	}
}

func TestReadersAreLimited(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	open := func(who journal.Reader) (*journal.Stream, reason.Code) {
		s, err := w.journal.Open(t.Context(), who, public, journal.From{})
		return s, reason.Of(err)
	}
	for i := range journal.MaxPerAgent {
		if _, code := open(journal.Reader{Agent: "agt_a", Addr: netip.AddrFrom4([4]byte{10, 0, 0, byte(i)})}); code != "" {
			t.Fatalf("stream %d: %s", i, code)
		}
	}
	if _, code := open(journal.Reader{Agent: "agt_a"}); code != reason.RateLimited {
		t.Errorf("one stream more of an agent: %q", code)
	}
	s, code := open(journal.Reader{Agent: "agt_a", Face: journal.Socket})
	if code != "" {
		t.Errorf("a socket is counted with the streams: %s", code)
	}
	s.Close()
	s.Close()
	one := netip.MustParseAddr("192.0.2.1")
	var last *journal.Stream
	for i := range journal.MaxPerAddr {
		if last, code = open(journal.Reader{Addr: one}); code != "" {
			t.Fatalf("stream %d: %s", i, code)
		}
	}
	if _, code := open(journal.Reader{Addr: one}); code != reason.RateLimited {
		t.Errorf("one stream more of an address: %q", code)
	}
	last.Close()
	if _, code := open(journal.Reader{Addr: one}); code != "" {
		t.Errorf("a closed stream keeps its place: %s", code)
	}
	for w.journal.Streams() < journal.MaxStreams {
		if _, code := open(journal.Reader{}); code != "" {
			t.Fatalf("stream %d: %s", w.journal.Streams(), code)
		}
	}
	if _, code := open(journal.Reader{}); code != reason.Overloaded {
		t.Errorf("one stream more than a gateway has: %q", code)
	}
}

func TestWithdrawnTextsAreNotPublished(t *testing.T) {
	t.Parallel()
	const title = "Kept to itself"
	w := newWorld(t)
	s := w.open(journal.Reader{}, public, journal.From{})
	ids := w.plant(3, title)
	es := w.read(s, 3)
	if !strings.Contains(string(es[0].JSON(false)), title) || strings.Contains(string(es[0].JSON(true)), title) {
		t.Fatalf("%s, masked %s", es[0].JSON(false), es[0].JSON(true))
	}
	bury := func(i int) change.ID {
		id, err := change.ParseID(change.PrefixEntry, ids[i])
		must(t, err)
		return id
	}
	if _, err := w.mesh.Retract(t.Context(), change.AgentID{}, bury(0), ""); err != nil {
		t.Fatal(err)
	}
	if gone := w.read(s, 1)[0]; gone.Kind != "entry.retracted" || gone.Object != ids[0] {
		t.Fatalf("%s", gone.JSON(false))
	}
	titled := func() (n int) {
		for _, e := range w.read(w.open(journal.Reader{}, public, after(s.Start)), 4) {
			if strings.Contains(string(e.JSON(false)), title) {
				n++
			}
		}
		return n
	}
	if titled() != 2 {
		t.Error("a retracted entry's title is published from memory")
	}
	// One that leaves the view while the gateway is down.
	w.stop()
	w.mesh.Bury(bury(1), reason.Purged)
	w.start(journal.Config{})
	if titled() != 1 {
		t.Error("titles of entries that are gone are published after a restart")
	}
}

func TestOldEventsAreForgotten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.open(journal.Reader{}, public, journal.From{})
	ids := w.plant(30, "")
	es := w.read(s, 30)
	w.stop()
	w.start(journal.Config{Keep: 20})
	w.wantObjects(w.read(w.open(journal.Reader{}, public, after(es[9].Seq)), 20), ids[10:])
	if back := w.open(journal.Reader{}, public, after(es[8].Seq)); back.Reset == nil {
		t.Error("more is kept than the bound")
	}
	w.stop()
	w.now = w.now.Add(journal.DefaultTerm + time.Second)
	w.start(journal.Config{})
	if back := w.open(journal.Reader{}, public, after(es[28].Seq)); back.Reset == nil {
		t.Error("events are kept longer than their term")
	}
	if back := w.open(journal.Reader{}, public, after(es[29].Seq)); back.Reset != nil {
		t.Error("who had everything gets the report that something is missing")
	}
}

func TestFilters(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	v := public
	v.Kinds, v.Domain = []string{"comment.created", "entry.*"}, "go"
	s := w.open(journal.Reader{}, v, journal.From{})
	own := w.open(journal.Reader{}, journal.View{Audiences: []string{journal.Own("agt_a")}}, journal.From{})
	w.mesh.Events().Publish(events.Event{Kind: events.TierChanged, Object: "agt_a", Data: events.Step{Name: "tier.changed"}})
	w.mesh.Events().Publish(events.Event{Kind: events.KeyCreated, Object: "agt_b", Data: events.APIKey{ID: "key_b"}})
	w.mesh.Plant(view.Entry{Domain: "rust", Body: body.Entry{Type: body.Gotcha}})
	ids := w.plant(1, "")
	w.mesh.Events().Publish(events.Event{Kind: events.KeyCreated, Object: "agt_a", Data: events.APIKey{ID: "key_a"}})
	w.wantObjects(w.read(s, 1), ids)
	if e := w.read(own, 1)[0]; e.Body != `{"key_id":"key_a","prefix":""}` {
		t.Errorf("own stream: %s", e.JSON(false))
	}
	s.Filter([]string{"tier.changed"})
	w.plant(1, "")
	tail := w.open(journal.Reader{}, public, journal.From{Tail: 2})
	if es := w.read(tail, 2); es[1].Seq < es[0].Seq || tail.Start != es[0].Seq-1 {
		t.Errorf("tail begins after %d with %d", tail.Start, es[0].Seq)
	}
}

func TestDrainSendsReadersAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.open(journal.Reader{}, public, journal.From{})
	w.plant(1, "")
	w.read(w.open(journal.Reader{}, public, after(0)), 1)
	w.journal.Drain()
	d, err := s.Next(t.Context())
	must(t, err)
	if len(d.Events) != 1 || d.End != reason.NotReady {
		t.Errorf("%d events, then %q", len(d.Events), d.End)
	}
	if _, err := w.journal.Open(t.Context(), journal.Reader{}, public, journal.From{}); reason.Of(err) != reason.NotReady {
		t.Errorf("a reader came in: %v", err)
	}
}
