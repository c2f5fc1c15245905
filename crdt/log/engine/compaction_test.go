package engine

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2"
	ds "github.com/ipfs/go-datastore"
)

// picker stands for a database that always wants to compact one thing more.
type picker struct {
	mu      sync.Mutex
	s       *scheduler
	allowed atomic.Int64
	took    time.Duration
	err     error
	began   []time.Duration
	most    int
	running int
	since   time.Time
}

func (p *picker) GetAllowedWithoutPermission() int { return int(p.allowed.Load()) }

func (p *picker) GetWaitingCompaction() (bool, pebble.WaitingCompaction) {
	return true, pebble.WaitingCompaction{}
}

func (p *picker) Schedule(h pebble.CompactionGrantHandle) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.begin(h)
	return true
}

// begin needs the lock, as Pebble's does.
func (p *picker) begin(h pebble.CompactionGrantHandle) {
	p.began = append(p.began, time.Since(p.since).Round(time.Millisecond))
	p.running++
	p.most = max(p.most, p.running)
	go func() {
		time.Sleep(p.took)
		p.mu.Lock()
		p.running--
		p.s.ended(p.err)
		p.mu.Unlock()
		h.Done()
		p.ask()
	}()
}

func (p *picker) ask() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if ok, h := p.s.TrySchedule(); ok {
		p.begin(h)
	}
}

func (p *picker) times() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return fmt.Sprint(p.began)
}

func TestCompactionsRestAfterAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &picker{s: newScheduler(), took: 10 * time.Millisecond, err: errors.New("a damaged block"), since: time.Now()}
		p.allowed.Store(1)
		p.s.Register(2, p)
		p.ask()
		time.Sleep(4 * time.Minute)
		if got, want := p.times(), "[0s 1.01s 3.02s 7.03s 15.04s 31.05s 1m3.06s 2m3.07s 3m3.08s]"; got != want {
			t.Errorf("tried at\n%s, want\n%s", got, want)
		}
		// One that succeeds ends it, and as many run as are allowed.
		p.mu.Lock()
		p.err, p.began = nil, nil
		p.allowed.Store(3)
		p.mu.Unlock()
		time.Sleep(time.Minute)
		p.mu.Lock()
		if n := len(p.began); n < 3*1000 || p.most != 3 {
			t.Errorf("%d compactions after it, %d at once", n, p.most)
		}
		p.mu.Unlock()
		p.s.Unregister()
		p.s.UpdateGetAllowedWithoutPermission()
		if ok, _ := p.s.TrySchedule(); ok {
			t.Error("one begins after the end")
		}
		time.Sleep(time.Hour)
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.running != 0 {
			t.Errorf("%d run for ever", p.running)
		}
	})
}

// latecomer stands for a database that finds something to compact just after it has
// said that there is nothing.
type latecomer struct {
	s              *scheduler
	asked          int
	waits, refused bool
	began          int
}

func (*latecomer) GetAllowedWithoutPermission() int { return 1 }

func (l *latecomer) GetWaitingCompaction() (bool, pebble.WaitingCompaction) {
	waits := l.waits
	if l.asked++; l.asked == 1 {
		ok, _ := l.s.TrySchedule()
		l.waits, l.refused = !ok, !ok
	}
	return waits, pebble.WaitingCompaction{}
}

func (l *latecomer) Schedule(pebble.CompactionGrantHandle) bool {
	l.began++
	l.waits = false
	return true
}

// What is refused while the database is asked, for the place that is kept for its
// answer, begins: Pebble does not ask again by itself, and would compact no more.
func TestCompactionRefusedMeanwhileBegins(t *testing.T) {
	l := &latecomer{s: newScheduler()}
	l.s.Register(2, l)
	l.s.grant()
	if !l.refused || l.began != 1 || l.s.running != 1 {
		t.Errorf("refused %v, then %d began, %d run", l.refused, l.began, l.s.running)
	}
	l.s.Done()
	if l.s.running != 0 {
		t.Errorf("%d run after the end", l.s.running)
	}
}

// A compaction that was given up is none that failed.
func TestCancelledCompactionIsNoFailure(t *testing.T) {
	s := newScheduler()
	s.ended(fmt.Errorf("excised: %w", pebble.ErrCancelledCompaction))
	if s.failed != 0 || !s.resume.IsZero() {
		t.Errorf("%d failed, none before %v", s.failed, s.resume)
	}
}

// A damaged table of level 0 is not tried again without a pause, and writes go on.
func TestDamagedTableTakesNoProcessor(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var met atomic.Int64
	open := func() Engine {
		t.Helper()
		e, err := OpenPebble(dir, Options{Damaged: func(error) { met.Add(1) }})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	value := make([]byte, 1000)
	random := rand.NewChaCha8([32]byte{})
	write := func(e Engine, n int) {
		t.Helper()
		for i := range n {
			_, _ = random.Read(value)
			if err := e.Put(t.Context(), ds.RawKey(fmt.Sprintf("/%04d", i)), value); err != nil {
				t.Fatal(err)
			}
		}
	}
	e := open()
	write(e, 100)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e = open()
	write(e, 100)
	tables, err := filepath.Glob(filepath.Join(dir, "*.sst"))
	if err != nil || len(tables) != 1 {
		t.Fatalf("%v, %v", tables, err)
	}
	raw, err := os.ReadFile(tables[0])
	if err != nil {
		t.Fatal(err)
	}
	raw[len(raw)/3] ^= 4
	if err := os.WriteFile(tables[0], raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := e.(*pebbleEngine).DB.Flush(); err != nil { // makes a second table, which is compacted with the first
		t.Fatal(err)
	}
	for met.Load() == 0 {
		write(e, 10)
	}
	began := time.Now()
	for time.Since(began) < firstRest/2 {
		write(e, 10)
	}
	if n := met.Load(); n > 4 {
		t.Errorf("the damage was met %d times within half a second", n)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
}
