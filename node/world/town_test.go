package world

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/view"
)

// newTown is a world in which nothing is planned: machines that have never run, and
// a test that says what happens. Links are those of the standard world. It ends with
// the test.
func newTown(t testing.TB, seed uint64, n int) *World {
	t.Helper()
	return newTownWith(t, Plan{Spec: Spec{Seed: seed, Nodes: n}, Loss: 0.01})
}

// newTownWith is newTown with other losses.
func newTownWith(t testing.TB, p Plan) *World {
	t.Helper()
	n := p.Nodes
	t.Logf("seed %d", p.Seed)
	p.Gossip, p.Latency = true, 200*time.Millisecond
	w, dir := newWorld(t, p)
	t.Cleanup(func() {
		w.end()
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		for _, v := range w.found {
			t.Errorf("%v", v)
		}
	})
	for range n {
		w.add(dir)
	}
	return w
}

// open lets machines join, each with some of those before it as its bootstrap list.
func (w *World) open(t testing.TB, set func(*config.Config), ms ...*machine) {
	t.Helper()
	for _, m := range ms {
		m.set = set
		if err := w.join(m, w.rng); err != nil {
			t.Fatal(err)
		}
	}
}

// within waits for cond, in virtual time, and returns how long it took.
func (w *World) within(t testing.TB, limit time.Duration, what string, cond func() bool) time.Duration {
	t.Helper()
	begin := time.Now()
	for !cond() {
		if time.Since(begin) > limit {
			for _, m := range w.present() {
				n, _ := m.alive()
				t.Logf("machine %d: %d peers, %d deferred, %s", m.index, n.Status().Peers, n.Status().Deferred, standing(n))
			}
			t.Fatalf("%s: not within %v", what, limit)
		}
		time.Sleep(100 * time.Millisecond)
	}
	return time.Since(begin)
}

// equal reports whether machines have the same sets and show the same views.
func equal(ms ...*machine) bool {
	stands := map[string]bool{}
	for _, m := range ms {
		n, _ := m.alive()
		if n == nil {
			return false
		}
		stands[fmt.Sprint(standing(n), n.Status().View)] = true
	}
	return len(stands) == 1
}

// say writes entry number n at a machine.
func (w *World) say(ctx context.Context, m *machine, n uint64) (change.ID, error) {
	passed, err := w.pass(domains[n%uint64(len(domains))], text(n))
	if err != nil {
		return change.ID{}, err
	}
	at, _ := m.alive()
	if at == nil {
		return change.ID{}, errors.New("the machine is down")
	}
	r, err := at.Contribute(ctx, m.agent.ID, passed, view.Submit{})
	return r.ID, err
}

// mail notes when entries were written and when each machine first showed them.
type mail struct {
	mu   sync.Mutex // guards what follows
	sent map[string]time.Time
	seen map[int]map[string]time.Time
	stop []func()
	done sync.WaitGroup
}

// watch begins to note what machines show. The mail must be closed.
func watch(ms ...*machine) *mail {
	l := &mail{sent: map[string]time.Time{}, seen: map[int]map[string]time.Time{}}
	for _, m := range ms {
		l.seen[m.index] = map[string]time.Time{}
		n, _ := m.alive()
		sub := n.Events().Subscribe(events.EntryCreated, 4096)
		l.stop = append(l.stop, sub.Close)
		l.done.Go(func() {
			for e := range sub.C() {
				l.mu.Lock()
				l.seen[m.index][e.Object] = time.Now()
				l.mu.Unlock()
			}
		})
	}
	return l
}

// close ends watching.
func (l *mail) close() {
	for _, s := range l.stop {
		s()
	}
	l.done.Wait()
}

// send writes an entry at a machine and notes when.
func (l *mail) send(t testing.TB, w *World, m *machine, n uint64) {
	t.Helper()
	at := time.Now()
	id, err := w.say(t.Context(), m, n)
	if err != nil {
		t.Fatalf("machine %d does not write: %v", m.index, err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent[id.Text(change.PrefixEntry)] = at
}

// delays are how long the entries that were sent took to each machine, shortest
// first; what has not arrived took lost.
func (l *mail) delays(lost time.Duration, ms ...*machine) (out []time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range ms {
		for id, at := range l.sent {
			took := lost
			if seen, ok := l.seen[m.index][id]; ok {
				took = min(seen.Sub(at), lost)
			}
			out = append(out, took)
		}
	}
	slices.Sort(out)
	return out
}

// percentile of delays in order.
func percentile(ds []time.Duration, p float64) time.Duration {
	if len(ds) == 0 {
		return 0
	}
	return ds[min(len(ds)-1, int(float64(len(ds))*p/100))]
}
