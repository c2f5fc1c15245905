package rules

import (
	"encoding/binary"
	"testing"

	"github.com/meshd/meshd/crdt/change"
)

func memoID(i int) (id change.ID) {
	binary.BigEndian.PutUint64(id[:], uint64(i)+1)
	return id
}

func TestMemoIsBoundedAndKeepsWhatIsAsked(t *testing.T) {
	t.Parallel()
	var m memo[int]
	if _, ok := m.get(memoID(0)); ok {
		t.Error("an empty memo remembers")
	}
	for i := range 10 * memoSize {
		m.put(memoID(i), i)
		if n := len(m.fresh) + len(m.stale); n > 2*memoSize {
			t.Fatalf("%d answers are kept", n)
		}
		if v, ok := m.get(memoID(0)); !ok || v != 0 {
			t.Fatalf("after %d answers, one that is asked for all the time is %d, %t", i, v, ok)
		}
	}
	if _, ok := m.get(memoID(1)); ok {
		t.Error("an answer that was never asked for is still here")
	}
	if v, ok := m.get(memoID(10*memoSize - 1)); !ok || v != 10*memoSize-1 {
		t.Error("the last answer is gone")
	}
}
