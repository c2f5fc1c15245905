package incident_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/node/incident"
)

type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }

func newBook() (*incident.Book, *clock) {
	c := &clock{time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	return incident.New(c.Now, nil), c
}

var errDown = errors.New("no answer")

func call(k *incident.Breaker, err error) error {
	return k.Do(func() error { return err }, func(err error) bool { return errors.Is(err, errDown) })
}

func TestBreakerOpensAfterFailuresInARowAndTriesAgain(t *testing.T) {
	t.Parallel()
	b, c := newBook()
	k := b.Breaker("shop")
	for range 4 {
		_ = call(k, errDown)
	}
	if err := call(k, nil); err != nil || len(b.All()) != 0 {
		t.Fatalf("four failures: %v, %v", err, b.All())
	}
	_ = call(k, errors.New("sold out")) // says nothing of the shop
	for range 5 {
		if err := call(k, errDown); !errors.Is(err, errDown) {
			t.Fatalf("it opened too soon: %v", err)
		}
	}
	asked := false
	if err := k.Do(func() error { asked = true; return nil }, func(error) bool { return true }); !errors.Is(err, incident.ErrOpen) || asked {
		t.Fatalf("open: %v, asked %v", err, asked)
	}
	if got := b.Readings()[0]; got.State != incident.Opened || !got.RetryAt.Equal(c.now.Add(5*time.Second)) {
		t.Errorf("reading %+v", got)
	}
	c.now = c.now.Add(5 * time.Second)
	if got := b.Readings()[0]; got.State != incident.HalfOpen {
		t.Errorf("reading %+v", got)
	}
	// One tries while others are refused; it fails, and the rest is twice as long.
	err := k.Do(func() error {
		if err := call(k, nil); !errors.Is(err, incident.ErrOpen) {
			t.Errorf("two try at once: %v", err)
		}
		return errDown
	}, func(error) bool { return true })
	if !errors.Is(err, errDown) || !b.Readings()[0].RetryAt.Equal(c.now.Add(10*time.Second)) {
		t.Errorf("%v, %+v", err, b.Readings()[0])
	}
	c.now = c.now.Add(10 * time.Second)
	if err := call(k, nil); err != nil || b.Readings()[0].State != incident.Closed {
		t.Errorf("well again: %v, %+v", err, b.Readings()[0])
	}
	all := b.All()
	if len(all) != 1 || all[0].Open() || all[0].Failures != 2 || all[0].Closed.Sub(all[0].Opened) != 15*time.Second {
		t.Errorf("incidents %+v", all)
	}
}

func TestPanicDoesNotLockABreaker(t *testing.T) {
	t.Parallel()
	b, c := newBook()
	k := b.Breaker("shop")
	for range 5 {
		_ = call(k, errDown)
	}
	c.now = c.now.Add(time.Minute)
	func() {
		defer func() { _ = recover() }()
		_ = k.Do(func() error { panic("x") }, func(error) bool { return true })
	}()
	if err := call(k, nil); err != nil {
		t.Errorf("after a panic: %v", err)
	}
}

func TestComponentsThatAreUnwellTwice(t *testing.T) {
	t.Parallel()
	b, _ := newBook()
	for i, is := range []string{"degraded", "ok", "degraded", "down", "down", "ok"} {
		b.Observe(map[string]string{"store": is, "peers": "off"})
		if open := len(b.All()) == 1 && b.All()[0].Open(); open != (i == 3 || i == 4) {
			t.Errorf("look %d: %+v", i, b.All())
		}
	}
	if got := b.All(); len(got) != 1 || got[0].Component != "store" || got[0].Cause != "down" || got[0].Open() {
		t.Errorf("%+v", got)
	}
}

func TestWhatIsStartedAgainIsOverWhenItIsQuiet(t *testing.T) {
	t.Parallel()
	b, c := newBook()
	b.Fail("disk", "full")
	b.FailBriefly("gossip", "terminated")
	c.now = c.now.Add(50 * time.Second)
	b.FailBriefly("gossip", "panicked")
	c.now = c.now.Add(50 * time.Second)
	b.Settle(time.Minute)
	if got := b.All(); !got[0].Open() || got[0].Failures != 2 || got[0].Cause != "panicked" {
		t.Errorf("%+v", got)
	}
	c.now = c.now.Add(10 * time.Second)
	b.Settle(time.Minute)
	if got := b.All(); got[0].Open() || !got[1].Open() {
		t.Errorf("%+v", got)
	}
}

func TestBookIsBounded(t *testing.T) {
	t.Parallel()
	b, _ := newBook()
	b.Fail("first", strings.Repeat("ü", 500))
	for i := range 300 {
		name := fmt.Sprint(i)
		b.Fail(name, "x")
		b.Recover(name)
	}
	all := b.All()
	if len(all) != 200 || all[0].ID != 301 || all[199].Component != "first" || len(all[199].Cause) > 200 {
		t.Errorf("%d incidents, newest %d, oldest %q", len(all), all[0].ID, all[len(all)-1].Component)
	}
}
