package peering

import (
	"testing"

	"github.com/meshd/meshd/crdt/change"
)

// What is wanted of one peer in one set is asked for in one session.
func TestFetchesAreGathered(t *testing.T) {
	id := func(b byte) change.ID { return change.ID{b} }
	wanted := make(chan Missing, maxFetches)
	wanted <- Missing{"a", "public/0", []change.ID{id(2), id(1)}}
	wanted <- Missing{"b", "public/0", []change.ID{id(1)}}
	wanted <- Missing{"a", "auth", []change.ID{id(3)}}
	wanted <- Missing{"a", "public/0", []change.ID{id(4)}}
	first := Missing{"a", "public/0", []change.ID{id(1)}}
	got := gathered(first, wanted)
	if len(got) != 3 || len(wanted) != 0 {
		t.Fatalf("%d sessions, %d still wait", len(got), len(wanted))
	}
	if m := got[0]; m.From != "a" || m.Set != "public/0" || len(m.IDs) != 3 || m.IDs[0] != id(1) || m.IDs[1] != id(2) || m.IDs[2] != id(4) {
		t.Errorf("the first asks for %v", m)
	}
	if got[1].From != "b" || got[2].Set != "auth" {
		t.Errorf("the others are %v", got[1:])
	}
	for range maxFetches {
		wanted <- first
	}
	if got := gathered(first, wanted); len(got) != 1 || len(got[0].IDs) != 1 || len(first.IDs) != 1 {
		t.Errorf("the same wanted %d times: %v", maxFetches, got)
	}
}
