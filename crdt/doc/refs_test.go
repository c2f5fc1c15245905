package doc

import (
	"maps"
	"testing"

	ct "github.com/meshd/meshd/crdt/doc/internal/chunktest"
)

// An edit that fails half way leaves no trace.
func TestRollback(t *testing.T) {
	t.Parallel()
	apply := func(r *refs, c ct.Change) error {
		chunk, err := DecodeChunk(c.Encode())
		if err != nil {
			t.Fatal(err)
		}
		var o op
		for walk := chunk.ops(); ; {
			more, err := walk.next(&o)
			if err != nil || !more {
				return err
			}
			if err := r.apply(chunk, &o, false); err != nil {
				return err
			}
		}
	}
	r := newRefs()
	text := first(append([]ct.Op{{Key: "t", Action: ct.MakeText}, key("a")}, ct.Op{Obj: ref(0, 1), Insert: true, Action: ct.Set}.SetText("é"))...)
	if err := apply(r, text); err != nil {
		t.Fatal(err)
	}
	r.commit()
	ops, writes, chars := maps.Clone(r.ops), maps.Clone(r.writes), r.text
	if chars != 1 {
		t.Fatalf("%d characters", chars)
	}
	spoiled := ct.Change{Actor: ben, Seq: 1, StartOp: 4, Others: [][]byte{ann}, Ops: []ct.Op{
		{Obj: ref(1, 1), Elem: ref(1, 3), Action: ct.Del, Preds: []ct.Ref{ref(1, 3)}},
		{Obj: ref(1, 1), Elem: ref(1, 3), Action: ct.Del, Preds: []ct.Ref{ref(1, 3)}},
		ct.Op{Obj: ref(1, 1), Insert: true, Action: ct.Set}.SetText("xyz"),
		{Key: "a", Action: ct.Set, Preds: []ct.Ref{ref(1, 2)}},
		{Obj: ref(1, 2), Key: "b", Action: ct.Set},
	}}
	if err := apply(r, spoiled); err == nil {
		t.Fatal("a reference to no object is applied")
	}
	if r.text != 3 || len(r.ops) != 7 {
		t.Errorf("before the rollback: %d characters, %d operations", r.text, len(r.ops))
	}
	r.rollback()
	maps.DeleteFunc(r.writes, func(_ target, n int) bool { return n == 0 })
	if !maps.Equal(r.ops, ops) || !maps.Equal(r.writes, writes) || r.text != chars {
		t.Errorf("after the rollback: %d characters, %d operations, %d places", r.text, len(r.ops), len(r.writes))
	}
}
