package node

import (
	"context"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/meshd/meshd/crdt/change"
)

func TestPrintsAreBounded(t *testing.T) {
	t.Parallel()
	p := newPrints()
	id := func(i int) (out change.ID) {
		binary.BigEndian.PutUint64(out[:], uint64(i))
		return out
	}
	p.put(id(0), print{1, 2})
	for i := 1; i < 3*maxPrints; i++ {
		p.put(id(i), print{})
		if got, ok := p.get(id(0)); !ok || got != (print{1, 2}) {
			t.Fatalf("what is asked for is forgotten after %d", i)
		}
		if n := len(p.young) + len(p.old); n > maxPrints {
			t.Fatalf("%d prints", n)
		}
	}
	if _, ok := p.get(id(1)); ok {
		t.Error("nothing is forgotten")
	}
	p.drop(id(0))
	if _, ok := p.get(id(0)); ok {
		t.Error("a print is kept of what is gone")
	}
}

// Who waits for a text alike goes when its request does, and waits for no others.
func TestWaitForATextAlikeEnds(t *testing.T) {
	t.Parallel()
	p := newPrints()
	mine := draft{agent: change.AgentID{1}, print: print{near: 1}}
	end, err := p.begin(t.Context(), mine)
	if err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.begin(gone, mine); !errors.Is(err, context.Canceled) {
		t.Errorf("waited: %v", err)
	}
	for name, other := range map[string]draft{
		"another author": {agent: change.AgentID{2}, print: print{near: 1}},
		"another team":   {agent: change.AgentID{1}, team: "team/x", print: print{near: 1}},
		"another text":   {agent: change.AgentID{1}, print: print{near: 0xff}},
	} {
		over, err := p.begin(gone, other)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		over()
	}
	end()
	if end, err = p.begin(gone, mine); err != nil {
		t.Fatal(err)
	}
	end()
	if len(p.beingWritten) != 0 {
		t.Errorf("%d are still being written", len(p.beingWritten))
	}
}
