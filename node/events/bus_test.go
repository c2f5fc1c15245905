package events

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

func testBus() *Bus { return New(Config{Now: func() int64 { return 1_700_000_000_000 }}) }

// drain reads what is buffered without waiting for more.
func drain(s *Sub) []Event {
	var out []Event
	for {
		select {
		case e, open := <-s.C():
			if !open {
				return out
			}
			out = append(out, e)
		default:
			return out
		}
	}
}

func TestNamesMatchKinds(t *testing.T) {
	t.Parallel()
	if Kind(1)<<len(names) != endOfKinds {
		t.Fatalf("%d names, last kind is %d", len(names), uint64(endOfKinds))
	}
	seen := map[string]bool{}
	for i, name := range names {
		k := Kind(1) << i
		if k.String() != name || seen[name] {
			t.Errorf("kind %d is %s", i, k)
		}
		seen[name] = true
	}
	if EntryCreated.String() != "entry.created" || ConfigReloaded.String() != "config.reloaded" || KeyRecovered.String() != "key.recovered" || Notified.String() != "notified" || StoreReadonly.String() != "store.readonly" {
		t.Error("names are shifted")
	}
	if got := (EntryCreated | SyncDone).String(); got != "entry.created|sync.done" {
		t.Errorf("set is %s", got)
	}
	if Kind(0).String() != "none" || endOfKinds.String() != fmt.Sprintf("kind(%d)", len(names)) {
		t.Errorf("%s, %s", Kind(0), endOfKinds)
	}
	if !All.Has(EntryCreated|ConfigReloaded) || All.Has(endOfKinds) || EntryCreated.Has(EntryCreated|EntryUpdated) {
		t.Error("Has is wrong")
	}
}

func TestSubscriberSeesItsKindsInOrder(t *testing.T) {
	t.Parallel()
	b := New(Config{Start: 40, Now: func() int64 { return 7 }})
	s := b.Subscribe(EntryCreated|PeerConnected, 8)
	defer s.Close()
	b.Publish(Event{Kind: EntryCreated, Object: "a"})
	b.Publish(Event{Kind: EntryUpdated, Object: "b"})
	if n := b.Publish(Event{Kind: PeerConnected, Object: "c", At: 9, Data: 5, Space: "net"}); n != 43 || b.Seq() != 43 {
		t.Errorf("numbers %d, %d", n, b.Seq())
	}
	got := drain(s)
	want := []Event{
		{Seq: 41, Kind: EntryCreated, At: 7, Object: "a"},
		{Seq: 43, Kind: PeerConnected, At: 9, Space: "net", Object: "c", Data: 5},
	}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %+v", got)
	}
}

func TestSlowSubscriberIsCutAndOthersAreNot(t *testing.T) {
	t.Parallel()
	b := testBus()
	slow, quick := b.Subscribe(All, 2), b.Subscribe(All, 3)
	for range 3 {
		b.Publish(Event{Kind: SyncDone})
	}
	if got := drain(slow); len(got) != 2 || got[0].Seq != 1 || got[1].Seq != 2 {
		t.Errorf("slow got %+v, want the first two", got)
	}
	if _, open := <-slow.C(); open || !errors.Is(slow.Err(), ErrSlow) {
		t.Errorf("slow: open %v, err %v", open, slow.Err())
	}
	if got := drain(quick); len(got) != 3 || quick.Err() != nil {
		t.Errorf("quick got %d events, err %v", len(got), quick.Err())
	}
	slow.Close()
	if !errors.Is(slow.Err(), ErrSlow) {
		t.Errorf("Close changed the reason to %v", slow.Err())
	}
}

func TestLossySubscriberKeepsTheNewest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		buffer := rapid.IntRange(1, 8).Draw(t, "buffer")
		n := rapid.IntRange(0, 30).Draw(t, "events")
		b := testBus()
		s := b.SubscribeLossy(All, buffer)
		for range n {
			b.Publish(Event{Kind: SyncDone})
		}
		got := drain(s)
		if len(got) != min(n, buffer) || s.Dropped() != uint64(n-len(got)) || s.Err() != nil {
			t.Fatalf("%d events into %d: kept %d, dropped %d, err %v", n, buffer, len(got), s.Dropped(), s.Err())
		}
		for i, e := range got {
			if e.Seq != uint64(n-len(got)+i+1) {
				t.Fatalf("kept %+v", got)
			}
		}
	})
}

func TestBuffersAreBounded(t *testing.T) {
	t.Parallel()
	b := testBus()
	for ask, want := range map[int]int{-1: DefaultBuffer, 0: DefaultBuffer, 1: 1, MaxBuffer + 1: MaxBuffer} {
		s := b.Subscribe(All, ask)
		if cap(s.C()) != want {
			t.Errorf("buffer %d became %d, want %d", ask, cap(s.C()), want)
		}
		s.Close()
	}
}

func TestCloseEndsAfterWhatIsBuffered(t *testing.T) {
	t.Parallel()
	b := testBus()
	s := b.Subscribe(All, 4)
	b.Publish(Event{Kind: SyncDone})
	b.Close()
	b.Close()
	if n := b.Publish(Event{Kind: SyncDone}); n != 1 {
		t.Errorf("a closed bus counted to %d", n)
	}
	if e, open := <-s.C(); !open || e.Seq != 1 {
		t.Errorf("buffered event lost: %+v, %v", e, open)
	}
	if _, open := <-s.C(); open || !errors.Is(s.Err(), ErrClosed) {
		t.Errorf("open %v, err %v", open, s.Err())
	}
	late := b.Subscribe(All, 1)
	if _, open := <-late.C(); open || !errors.Is(late.Err(), ErrClosed) {
		t.Errorf("late subscriber: open %v, err %v", open, late.Err())
	}
}

func TestClosedSubscriberReceivesNothing(t *testing.T) {
	t.Parallel()
	b := testBus()
	s := b.Subscribe(All, 4)
	s.Close()
	s.Close()
	b.Publish(Event{Kind: SyncDone})
	if got := drain(s); got != nil || !errors.Is(s.Err(), ErrClosed) || len(b.subs) != 0 {
		t.Errorf("got %v, err %v, %d subscribers", got, s.Err(), len(b.subs))
	}
}

// TestConcurrentUse runs publishers, readers and closers at once: every strict
// reader sees consecutive numbers until it is cut, whatever the others do.
func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	const publishers, events, readers = 4, 500, 6
	b := testBus()
	var wg sync.WaitGroup
	for i := range readers {
		subscribe, buffer := b.Subscribe, 64
		if i%2 == 1 {
			subscribe, buffer = b.SubscribeLossy, 4
		}
		s := subscribe(All, buffer)
		wg.Go(func() {
			defer s.Close()
			last := uint64(0)
			for e := range s.C() {
				if e.Seq <= last || !s.lossy && e.Seq != last+1 {
					t.Errorf("event %d after %d", e.Seq, last)
				}
				last = e.Seq
				if i == 5 && last > events {
					return
				}
			}
			if err := s.Err(); err == nil {
				t.Error("the channel closed without a reason")
			}
		})
	}
	var pub sync.WaitGroup
	for range publishers {
		pub.Go(func() {
			for range events {
				b.Publish(Event{Kind: SyncDone})
			}
		})
	}
	pub.Wait()
	b.Close()
	wg.Wait()
	if b.Seq() != publishers*events {
		t.Errorf("%d events, want %d", b.Seq(), publishers*events)
	}
}

func BenchmarkPublish(b *testing.B) {
	for _, c := range []struct {
		name string
		subs int
	}{{"none", 0}, {"ten", 10}, {"thousand", 1000}} {
		b.Run(c.name, func(b *testing.B) {
			bus := testBus()
			for range c.subs {
				bus.SubscribeLossy(All, 16)
			}
			b.ReportAllocs()
			for b.Loop() {
				bus.Publish(Event{Kind: EntryCreated, Object: "ent_x"})
			}
		})
	}
}
