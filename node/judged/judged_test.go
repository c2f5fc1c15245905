package judged

import (
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
)

func id(n byte) change.ID { return change.ID{n, 31: n} }

func TestBookComesBack(t *testing.T) {
	t.Parallel()
	b := NewBook()
	b.Put(id(1), "")
	b.Put(id(2), reason.SecretDetected)
	b.Put(id(3), reason.SecretDetected)
	b.Put(id(3), "") // judged again
	data := b.Append(nil, "rules 1")
	again, err := ReadBook(data, "rules 1")
	if err != nil || again.Len() != 3 {
		t.Fatalf("%v, %v", again, err)
	}
	for n, want := range map[byte]reason.Code{1: "", 2: reason.SecretDetected, 3: ""} {
		if got, ok := again.Get(id(n)); !ok || got != want {
			t.Errorf("entry %d: %q, %v", n, got, ok)
		}
	}
	if _, ok := again.Get(id(4)); ok {
		t.Error("an entry that nobody judged has a verdict")
	}
	if other, err := ReadBook(data, "rules 2"); err != nil || other.Len() != 0 {
		t.Errorf("verdicts of other rules: %v, %v", other, err)
	}
	for n := range data {
		if _, err := ReadBook(data[:n], "rules 1"); err == nil {
			t.Fatalf("a book cut to %d bytes is read", n)
		}
	}
}

func TestVerdictsAreNumbered(t *testing.T) {
	t.Parallel()
	b := NewBook()
	b.Put(id(1), "")
	then := b.Now()
	b.Put(id(2), "")
	b.Put(id(1), reason.SecretDetected)
	if !b.Had(id(1), then) || b.Had(id(2), then) || !b.Had(id(2), b.Now()) || b.Had(id(3), b.Now()) {
		t.Error("what was judged then is not told apart")
	}
	again, err := ReadBook(b.Append(nil, ""), "")
	if err != nil || !again.Had(id(2), 0) {
		t.Errorf("after a restart: %v", err)
	}
}

func TestStandingAndNewestAreJudgedFirst(t *testing.T) {
	t.Parallel()
	q := NewQueue()
	q.Push(id(1), 10, false)
	q.Push(id(2), 30, false)
	q.Push(id(3), 5, true)
	q.Push(id(4), 20, true)
	q.Push(id(5), 20, false)
	for _, want := range []byte{4, 3, 2, 5, 1} {
		if got, ok := q.Pop(); !ok || got != id(want) {
			t.Errorf("%v instead of %d", got[0], want)
		}
	}
	if _, ok := q.Pop(); ok || q.Len() != 0 {
		t.Error("something is left")
	}
}

func FuzzReadBook(f *testing.F) {
	b := NewBook()
	b.Put(id(1), reason.SecretDetected)
	f.Add(b.Append(nil, "r"))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := ReadBook(data, "r")
		if err != nil {
			return
		}
		if again, err := ReadBook(got.Append(nil, "r"), "r"); err != nil || again.Len() != got.Len() {
			t.Errorf("%v, %v", again, err)
		}
	})
}
