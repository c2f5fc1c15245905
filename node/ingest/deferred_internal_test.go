package ingest

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/change"
)

// numbered is a change that waits, with a body of that many bytes.
func numbered(n uint64, size int) *change.Change {
	c := &change.Change{Head: &change.Head{HLC: n}, Body: make([]byte, size)}
	binary.BigEndian.PutUint64(c.ID[:], n)
	return c
}

var gone = []change.ID{{0xff}}

func TestWaitingIsBoundedPerPeer(t *testing.T) {
	t.Parallel()
	d, now := newDeferred(), time.Unix(0, 0)
	for n := range uint64(maxPerPeer + 10) {
		d.put("greedy", numbered(n+1, 1), gone, now)
	}
	d.put("modest", numbered(1<<40, 1), gone, now)
	if d.from["greedy"] != maxPerPeer || d.from["modest"] != 1 || d.count(now) != maxPerPeer+1 {
		t.Errorf("waiting: %v", d.from)
	}
	if d.byID[numbered(10, 0).ID] != nil || d.byID[numbered(11, 0).ID] == nil {
		t.Error("not the oldest had to go")
	}
}

func TestWaitingIsBoundedInAll(t *testing.T) {
	t.Parallel()
	now := time.Unix(0, 0)
	for name, test := range map[string]struct{ size, most int }{
		"changes": {1, maxDeferred},
		"bytes":   {64 << 10, maxDeferredBytes / (64<<10 + 256)},
	} {
		d := newDeferred()
		peers := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
		d.put("modest", numbered(1<<40, 1), gone, now)
		for n := range uint64(test.most + 500) {
			d.put(peers[n%8], numbered(n+1, test.size), gone, now)
			if len(d.byID) > maxDeferred || d.bytes > maxDeferredBytes {
				t.Fatalf("%s: %d changes of %d bytes wait", name, len(d.byID), d.bytes)
			}
		}
		if len(d.byID) < test.most-8 {
			t.Errorf("%s: only %d wait", name, len(d.byID))
		}
		if d.from["modest"] != 1 {
			t.Errorf("%s: the sender with the least lost what it had", name)
		}
		for _, w := range d.take(gone[0], now) {
			if w.c == nil {
				t.Fatal("a hole in the queue")
			}
		}
		if d.bytes != 0 || len(d.byID) != 0 || len(d.wait) != 0 || len(d.from) != 0 || d.order.Len() != 0 {
			t.Errorf("%s: after taking all: %d bytes, %d, %d, %d left", name, d.bytes, len(d.byID), len(d.wait), len(d.from))
		}
	}
}

func TestRefusalsRememberedAreBounded(t *testing.T) {
	t.Parallel()
	r, now := newRefusedCache(), time.Unix(0, 0)
	hash := func(n uint64) (h [32]byte) {
		binary.BigEndian.PutUint64(h[:], n)
		return h
	}
	for n := range uint64(maxRefused + 3) {
		r.put(hash(n), "bad_encoding", now)
	}
	if len(r.codes) != maxRefused || r.order.Len() != maxRefused {
		t.Errorf("%d hashes", len(r.codes))
	}
	if r.get(hash(2), now) != "" || r.get(hash(3), now) == "" {
		t.Error("not the oldest was forgotten")
	}
}
