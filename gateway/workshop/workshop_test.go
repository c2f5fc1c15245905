package workshop

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/meshd/meshd/crdt/reason"
)

func codeOf(err error) reason.Code {
	var r *reason.Refusal
	if errors.As(err, &r) {
		return r.Code
	}
	return ""
}

// who is one of some strangers.
func who(n int) Who { return Who{Share: fmt.Sprint("192.0.2.", n)} }

func TestWorkEndsWhenItsTimeIsOver(t *testing.T) {
	w := New(Config{})
	err := w.Do(With(t.Context(), who(1)), 0, reason.CompileTimeout, func(step func() error) error { return step() })
	if codeOf(err) != reason.CompileTimeout {
		t.Errorf("%v", err)
	}
	gone, leave := context.WithCancel(t.Context())
	err = w.Do(With(gone, who(1)), time.Hour, reason.CompileTimeout, func(step func() error) error {
		leave()
		return step()
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("who has gone: %v", err)
	}
}

func TestWorkThatTakesTooMuchMemoryEnds(t *testing.T) {
	w := New(Config{})
	alive := int64(100)
	w.live = func() int64 { return alive }
	steps := 0
	err := w.Do(With(t.Context(), who(1)), time.Hour, reason.CompileTimeout, func(step func() error) error {
		for {
			if steps++; steps == 5*askEvery {
				alive += DefaultJobs*DefaultPerJob + 1
			}
			if err := step(); err != nil {
				return err
			}
		}
	})
	if codeOf(err) != reason.Overloaded || steps > 6*askEvery {
		t.Errorf("%v after %d steps", err, steps)
	}
}

// TestTheQueueIsBounded: who comes when all places are taken waits a little, and
// who comes when enough wait is refused at once; both learn when to come again.
func TestTheQueueIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := New(Config{Jobs: 2, Waiting: 3})
		release := make(chan struct{})
		done := make(chan error, 10)
		var n atomic.Int64
		busy := func() {
			done <- w.Do(With(t.Context(), who(int(n.Add(1)))), time.Hour, reason.CompileTimeout, func(func() error) error { <-release; return nil })
		}
		for range 2 {
			go busy()
		}
		synctest.Wait()
		for range 3 {
			go busy()
		}
		synctest.Wait()
		if l := w.Load(); l.Jobs != 2 || l.Waiting != 3 {
			t.Fatalf("%+v", l)
		}
		start := time.Now()
		err := w.Do(With(t.Context(), who(0)), time.Hour, reason.CompileTimeout, func(func() error) error { t.Error("it ran"); return nil })
		var r *reason.Refusal
		if !errors.As(err, &r) || r.Code != reason.Overloaded || r.Details["retry_after"] != retryAfter || time.Since(start) != 0 {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		for range 3 { // those that waited are sent away when their time is over
			if err := <-done; codeOf(err) != reason.Overloaded {
				t.Errorf("%v", err)
			}
		}
		if time.Since(start) != DefaultWait {
			t.Errorf("they waited %v", time.Since(start))
		}
		close(release)
		for range 2 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		if l := w.Load(); l != (Load{}) {
			t.Errorf("%+v", l)
		}
	})
}

// TestRepliesAreCounted: a reply that nobody takes counts its memory against the
// next job, until its request ends.
func TestRepliesAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := New(Config{Jobs: 2, PerJob: 100, Memory: 200})
		request, end := context.WithCancel(t.Context())
		w.Keep(request, 120)
		ran := make(chan error, 1)
		go func() {
			ran <- w.Do(With(t.Context(), who(0)), time.Hour, reason.CompileTimeout, func(func() error) error { return nil })
		}()
		synctest.Wait()
		if l := w.Load(); l.Waiting != 1 || l.Held != 120 {
			t.Errorf("%+v", l)
		}
		end()
		if err := <-ran; err != nil {
			t.Error(err)
		}
		if l := w.Load(); l != (Load{}) {
			t.Errorf("%+v", l)
		}
	})
}

// crowd is requests that are in the workshop or wait for it.
type crowd struct {
	t       *testing.T
	w       *Workshop
	release chan struct{}
	began   chan Who
	ended   chan error
}

func newCrowd(t *testing.T, c Config) *crowd {
	return &crowd{t, New(c), make(chan struct{}), make(chan Who, 100), make(chan error, 100)}
}

func (c *crowd) comes(w Who) {
	go func() {
		c.ended <- c.w.Do(With(c.t.Context(), w), time.Hour, reason.CompileTimeout, func(func() error) error {
			c.began <- w
			<-c.release
			return nil
		})
	}()
	synctest.Wait()
}

// next ends one job and says whose began then.
func (c *crowd) next() Who {
	c.release <- struct{}{}
	synctest.Wait()
	select {
	case w := <-c.began:
		return w
	default:
		return Who{Share: "nobody"}
	}
}

// TestOneShareLeavesAPlace: one address has not all places, however many requests
// it sends, and fills not more than its part of the line.
func TestOneShareLeavesAPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t, Config{Jobs: 3, Waiting: 8, Memory: 4 * DefaultPerJob})
		for range 10 {
			c.comes(who(1))
		}
		if l := c.w.Load(); l.Jobs != 2 || l.Waiting != 2 || len(c.ended) != 6 {
			t.Fatalf("%+v, %d sent away", l, len(c.ended))
		}
		c.comes(who(2))
		if l := c.w.Load(); l.Jobs != 3 {
			t.Fatalf("another address finds no place: %+v", l)
		}
		c.comes(who(3))
		<-c.began
		<-c.began
		<-c.began
		got := []Who{c.next(), c.next()}
		if got[0] != who(3) && got[1] != who(3) {
			t.Errorf("served: %v", got)
		}
		for range 4 {
			c.release <- struct{}{}
			synctest.Wait()
		}
		if l := c.w.Load(); l != (Load{}) || len(c.w.running) != 0 {
			t.Errorf("%+v, %v", l, c.w.running)
		}
	})
}

// TestKnownCallersGoFirst: who shows a key waits for no stranger, and takes the
// place of the last of them in a full line.
func TestKnownCallersGoFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t, Config{Jobs: 1, Waiting: 4})
		c.comes(who(0))
		<-c.began
		for n := range 4 {
			c.comes(who(1 + n))
		}
		ada := Who{Share: "ada", Known: true}
		c.comes(ada)
		if l := c.w.Load(); l.Waiting != 4 || len(c.ended) != 1 || codeOf(<-c.ended) != reason.Overloaded {
			t.Fatalf("%+v, and who was sent away got no report", l)
		}
		if got := c.next(); got != ada {
			t.Errorf("%v is served first", got)
		}
		if got := c.next(); got != who(1) {
			t.Errorf("then %v", got)
		}
		for range 3 {
			c.release <- struct{}{}
			synctest.Wait()
		}
	})
}

// TestTheOwnerHasNoShare: who owns the node may take all of it.
func TestTheOwnerHasNoShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t, Config{Jobs: 2})
		for range 2 {
			c.comes(Owner)
		}
		if l := c.w.Load(); l.Jobs != 2 {
			t.Errorf("%+v", l)
		}
		for range 2 {
			c.release <- struct{}{}
		}
	})
}

// TestWhoLeavesTheLineKeepsNoPlace covers a caller that goes while it waits, and one
// that goes as it is admitted.
func TestWhoLeavesTheLineKeepsNoPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t, Config{Jobs: 1, Waiting: 4})
		c.comes(who(0))
		gone, leave := context.WithCancel(t.Context())
		go func() {
			c.ended <- c.w.Do(With(gone, who(1)), time.Hour, reason.CompileTimeout, func(func() error) error { return nil })
		}()
		synctest.Wait()
		leave()
		synctest.Wait()
		if err := <-c.ended; !errors.Is(err, context.Canceled) || c.w.Load().Waiting != 0 {
			t.Errorf("%v, %+v", err, c.w.Load())
		}
		c.release <- struct{}{}
		synctest.Wait()
		if l := c.w.Load(); l != (Load{}) || len(c.w.running) != 0 {
			t.Errorf("%+v", l)
		}
	})
}
