package backlog

import (
	"slices"
	"testing"
	"time"
)

func TestAgeIsOfTheOldestUnread(t *testing.T) {
	t.Parallel()
	b, start := New(10), time.Unix(1000, 0)
	at := func(d time.Duration) time.Time { return start.Add(d) }
	age := func(d time.Duration) time.Duration { a, _ := b.Age(at(d)); return a }
	b.Grew(10, nil, start)
	if got := age(time.Hour); got != 0 {
		t.Errorf("nothing is unread, and %v old", got)
	}
	// Strangers write all the time, and the reader is always a second behind.
	for i := range 100 {
		now := time.Duration(i) * time.Second
		b.Grew(uint64(20+10*i), nil, at(now))
		if i > 0 {
			b.Read(uint64(20 + 10*(i-1)))
		}
		if got := age(now); got > time.Second {
			t.Fatalf("after %d s the oldest unread record is %v old", i, got)
		}
	}
	b.Grew(2000, nil, at(99*time.Second+Mark/2)) // in the moment before
	if got := age(100 * time.Second); got != time.Second {
		t.Errorf("unread for %v", got)
	}
	b.Read(2000)
	if got := age(time.Hour); got != 0 || b.At() != 2000 {
		t.Errorf("all is read up to %d, and %v old", b.At(), got)
	}
}

func TestOwnWritesAreCountedAndReadAhead(t *testing.T) {
	t.Parallel()
	b, now := New(0), time.Unix(1000, 0)
	own := func() int { _, n := b.Age(now); return n }
	b.Grew(10_000, []uint64{3, 5000, 9000}, now)
	if got := b.Ahead(512); own() != 3 || !slices.Equal(got, []uint64{5000, 9000}) {
		t.Errorf("%d own, %v ahead", own(), got)
	}
	if got := b.Ahead(512); got != nil {
		t.Errorf("%v again", got)
	}
	b.Read(512)
	b.Grew(10_001, []uint64{10_001}, now)
	if got := b.Ahead(512); own() != 3 || !slices.Equal(got, []uint64{10_001}) {
		t.Errorf("%d own, %v ahead", own(), got)
	}
	b.Read(9500)
	if got := own(); got != 1 {
		t.Errorf("%d own", got)
	}
	for i := range uint64(1000) {
		b.Grew(20_000+i, []uint64{20_000 + i}, now)
	}
	if first, next := b.Ahead(600), b.Ahead(600); len(first) != 600 || len(next) != 400 || next[0] != first[599]+1 {
		t.Errorf("%d and %d ahead", len(first), len(next))
	}
	b.Read(30_000)
	if got := own(); got != 0 || b.Ahead(10) != nil {
		t.Errorf("%d own left", got)
	}
}
