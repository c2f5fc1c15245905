package node

import (
	"testing"

	"github.com/meshd/meshd/crdt/change"
)

// What is wanted of one peer in one set is asked for in one session.
func TestFetchesAreGathered(t *testing.T) {
	id := func(b byte) change.ID { return change.ID{b} }
	wanted := make(chan missing, maxFetches)
	wanted <- missing{"a", "public/0", []change.ID{id(2), id(1)}}
	wanted <- missing{"b", "public/0", []change.ID{id(1)}}
	wanted <- missing{"a", "auth", []change.ID{id(3)}}
	wanted <- missing{"a", "public/0", []change.ID{id(4)}}
	first := missing{"a", "public/0", []change.ID{id(1)}}
	got := gathered(first, wanted)
	if len(got) != 3 || len(wanted) != 0 {
		t.Fatalf("%d sessions, %d still wait", len(got), len(wanted))
	}
	if m := got[0]; m.from != "a" || m.set != "public/0" || len(m.ids) != 3 || m.ids[0] != id(1) || m.ids[1] != id(2) || m.ids[2] != id(4) {
		t.Errorf("the first asks for %v", m)
	}
	if got[1].from != "b" || got[2].set != "auth" {
		t.Errorf("the others are %v", got[1:])
	}
	for range maxFetches {
		wanted <- first
	}
	if got := gathered(first, wanted); len(got) != 1 || len(got[0].ids) != 1 || len(first.ids) != 1 {
		t.Errorf("the same wanted %d times: %v", maxFetches, got)
	}
}
