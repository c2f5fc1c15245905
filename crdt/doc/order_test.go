package doc

import (
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	ct "github.com/meshd/meshd/crdt/doc/internal/chunktest"
)

// world builds documents edit by edit, each with the next hlc.
type world struct {
	tb    failer
	edits []Edit
	seq   map[string]uint64
	last  map[string]Edit
	maxOp map[[32]byte]uint64
}

func newWorld(tb failer) *world {
	return &world{tb: tb, seq: map[string]uint64{}, last: map[string]Edit{}, maxOp: map[[32]byte]uint64{}}
}

// edit adds a change of actor upon deps and its own last; fix may spoil it.
func (w *world) edit(actor []byte, deps []Edit, others [][]byte, ops []ct.Op, fix ...func(*ct.Change)) Edit {
	w.tb.Helper()
	name := string(actor)
	if l, ok := w.last[name]; ok && !slices.ContainsFunc(deps, func(e Edit) bool { return e.ID == l.ID }) {
		deps = append(slices.Clone(deps), l)
	}
	w.seq[name]++
	c := ct.Change{Actor: actor, Seq: w.seq[name], Others: others, Ops: ops}
	var top uint64
	for _, d := range deps {
		c.Deps = append(c.Deps, d.Chunk.Hash)
		top = max(top, w.maxOp[d.Chunk.Hash])
	}
	slices.SortFunc(c.Deps, func(a, b [32]byte) int { return slices.Compare(a[:], b[:]) })
	c.StartOp = top + 1
	for _, f := range fix {
		f(&c)
	}
	chunk, err := DecodeChunk(c.Encode())
	if err != nil {
		w.tb.Fatal(err)
	}
	w.maxOp[chunk.Hash] = c.StartOp + uint64(len(c.Ops)) - 1
	e := Edit{HLC: uint64(len(w.edits) + 1), Chunk: chunk}
	e.ID[0], e.ID[1] = byte(len(w.edits)+1), byte((len(w.edits)+1)>>8)
	w.edits = append(w.edits, e)
	w.last[name] = e
	return e
}

// names are the edits as their numbers, from 1.
func names(edits []Edit) string {
	var s []string
	for _, e := range edits {
		s = append(s, fmt.Sprint(int(e.ID[0])|int(e.ID[1])<<8))
	}
	return strings.Join(s, " ")
}

type orderCase struct {
	name    string
	edits   []Edit
	ordered string
	waiting string
}

func orderCases(tb failer) []orderCase {
	var cases []orderCase
	add := func(name string, edits []Edit, ordered, waiting string) {
		cases = append(cases, orderCase{name, edits, ordered, waiting})
	}
	set := func(k string) []ct.Op { return []ct.Op{key(k)} }
	cut := func(edits []Edit, which ...int) []Edit {
		edits = slices.Clone(edits)
		for _, i := range which {
			edits[i-1].Cut = true
		}
		return edits
	}

	add("empty", nil, "", "")
	w := newWorld(tb)
	one := w.edit(ann, nil, nil, set("a"))
	two := w.edit(ben, nil, nil, set("b"))
	three := w.edit(ann, []Edit{one, two}, nil, set("c"))
	add("chain and merge", w.edits, "1 2 3", "")
	add("parent not here", []Edit{one, three}, "1", "3")
	early := three
	early.HLC = 0
	add("child with an earlier time", []Edit{early, one, two}, "1 2 3", "")
	add("same time: by id", []Edit{{HLC: 5, ID: two.ID, Chunk: two.Chunk}, {HLC: 5, ID: one.ID, Chunk: one.Chunk}}, "1 2", "")
	again := one
	again.HLC, again.ID = 9, [32]byte{9}
	add("same chunk twice", []Edit{again, one}, "1", "")
	add("removed co-author: work others build on stays", cut(w.edits, 2), "1 2 3", "")
	add("removed co-author: the rest goes", cut(w.edits[:2], 2), "1", "")
	add("removed co-author: a waiting edit keeps nothing", cut([]Edit{two, three}, 1), "", "3")
	add("all cut", cut(w.edits, 1, 2, 3), "", "")

	w = newWorld(tb)
	one = w.edit(ann, nil, nil, set("a"))
	w.edit(ann, []Edit{one}, nil, set("b"))
	delete(w.last, string(ann))
	w.seq[string(ann)] = 1
	w.last[string(ann)] = one
	w.edit(ann, []Edit{one}, nil, set("c"))
	w.edit(ann, nil, nil, set("d"))
	add("fork of an author: the first counts, what builds on the other does not", w.edits, "1 2", "")

	w = newWorld(tb)
	one = w.edit(ann, nil, nil, set("a"))
	w.edit(ann, nil, nil, set("b"), func(c *ct.Change) { c.Seq = 3 })
	add("seq with a gap", w.edits, "1", "")

	w = newWorld(tb)
	one = w.edit(ann, nil, nil, set("a"))
	w.edit(ben, []Edit{one}, nil, set("b"))
	w.edit(ann, nil, nil, set("c"), func(c *ct.Change) { c.Deps = [][32]byte{w.edits[1].Chunk.Hash}; c.StartOp = 3 })
	add("not built on its own last", w.edits, "1 2", "")

	for name, start := range map[string]uint64{"counter repeated": 1, "counter skipped": 3} {
		w = newWorld(tb)
		w.edit(ann, nil, nil, set("a"))
		w.edit(ann, nil, nil, set("b"), func(c *ct.Change) { c.StartOp = start })
		add(name, w.edits, "1", "")
	}

	w = newWorld(tb)
	one = w.edit(ann, nil, nil, []ct.Op{{Key: "l", Action: ct.MakeList}, key("a"), {Key: "t", Action: ct.MakeText}})
	for _, o := range []ct.Op{
		{Obj: ref(1, 2), Key: "x", Action: ct.Set},
		{Obj: ref(1, 1), Key: "x", Action: ct.Set},
		{Obj: ref(1, 1), Elem: ref(1, 2), Insert: true, Action: ct.Set},
		{Key: "b", Action: ct.Set, Preds: []ct.Ref{ref(1, 2)}},
		{Obj: ref(1, 3), Insert: true, Action: ct.Set},
	} {
		w.edit(ben, []Edit{one}, [][]byte{ann}, []ct.Op{o})
		delete(w.last, string(ben))
		delete(w.seq, string(ben))
	}
	w.edit(ben, []Edit{one}, [][]byte{ann}, []ct.Op{{Obj: ref(1, 1), Insert: true, Action: ct.Set}})
	add("references to what is not there", w.edits, "1 7", "")
	slices.SortFunc(cases, func(a, b orderCase) int { return strings.Compare(a.name, b.name) })
	return cases
}

type editIn struct {
	HLC   uint64 `json:"hlc"`
	ID    string `json:"id"`
	Chunk string `json:"chunk"`
	Cut   bool   `json:"cut,omitempty"`
}

type orderOut struct {
	Ordered []string `json:"ordered"`
	Heads   []string `json:"heads"`
	Waiting []string `json:"waiting"`
}

func TestOrder(t *testing.T) {
	t.Parallel()
	var vectors []vector
	for _, c := range orderCases(t) {
		ordered, heads, waiting := Order(c.edits)
		if names(ordered) != c.ordered || names(waiting) != c.waiting {
			t.Errorf("%s: ordered %s waiting %s, want %s and %s", c.name, names(ordered), names(waiting), c.ordered, c.waiting)
		}
		in := []editIn{}
		for _, e := range c.edits {
			in = append(in, editIn{e.HLC, hex.EncodeToString(e.ID[:]), hex.EncodeToString(e.Chunk.Raw), e.Cut})
		}
		out := orderOut{[]string{}, []string{}, []string{}}
		for _, e := range ordered {
			out.Ordered = append(out.Ordered, hex.EncodeToString(e.ID[:]))
		}
		for _, h := range heads {
			out.Heads = append(out.Heads, hex.EncodeToString(h[:]))
		}
		for _, e := range waiting {
			out.Waiting = append(out.Waiting, hex.EncodeToString(e.ID[:]))
		}
		vectors = append(vectors, vector{Name: c.name, In: in, Out: out})
	}
	checkVectors(t, "order.json", vectors)
}

func TestHeads(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.edit(ann, nil, nil, []ct.Op{key("a")})
	b := w.edit(ben, nil, nil, []ct.Op{key("b")})
	_, heads, _ := Order(w.edits)
	want := [][32]byte{a.Chunk.Hash, b.Chunk.Hash}
	slices.SortFunc(want, func(x, y [32]byte) int { return slices.Compare(x[:], y[:]) })
	if !slices.Equal(heads, want) {
		t.Errorf("two heads: %x", heads)
	}
	c := w.edit(cat, []Edit{a, b}, nil, []ct.Op{key("c")})
	if _, heads, _ := Order(w.edits); !slices.Equal(heads, [][32]byte{c.Chunk.Hash}) {
		t.Errorf("joined: %x", heads)
	}
}

// Any permutation of any part of a set gives what the set gives.
func TestOrderIsIndependentOfInputOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		for range rapid.IntRange(0, 14).Draw(t, "edits") {
			actor := rapid.SampledFrom([][]byte{ann, ben, cat}).Draw(t, "actor")
			var deps []Edit
			for _, e := range w.edits {
				if rapid.IntRange(0, 3).Draw(t, "dep") == 0 {
					deps = append(deps, e)
				}
			}
			w.edit(actor, deps, nil, []ct.Op{key("k")}, func(c *ct.Change) {
				if rapid.IntRange(0, 5).Draw(t, "spoil") == 0 {
					c.StartOp += rapid.Uint64Range(0, 2).Draw(t, "skip")
				}
			})
		}
		var some []Edit
		for _, e := range w.edits {
			e.HLC = rapid.Uint64Range(0, 5).Draw(t, "hlc")
			e.Cut = rapid.IntRange(0, 3).Draw(t, "cut") == 0
			if rapid.IntRange(0, 7).Draw(t, "here") != 0 {
				some = append(some, e)
			}
		}
		ordered, heads, waiting := Order(some)
		ordered2, heads2, waiting2 := Order(rapid.Permutation(some).Draw(t, "order"))
		if names(ordered) != names(ordered2) || names(waiting) != names(waiting2) || !slices.Equal(heads, heads2) {
			t.Fatalf("%s | %s and %s | %s", names(ordered), names(waiting), names(ordered2), names(waiting2))
		}
		seen := map[[32]byte]bool{}
		for _, e := range ordered {
			for _, d := range e.Chunk.Deps {
				if !seen[d] {
					t.Fatalf("%s: an edit before what it builds on", names(ordered))
				}
			}
			seen[e.Chunk.Hash] = true
		}
	})
}

func TestDocumentLimits(t *testing.T) {
	t.Parallel()
	t.Run("bytes", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		big := key("a").SetText(strings.Repeat("x", MaxScalar))
		size := 0
		for i := range 65 {
			e := w.edit([]byte(fmt.Sprintf("%016d", i)), nil, nil, []ct.Op{big})
			size += len(e.Chunk.Raw)
		}
		w.edit(ann, nil, nil, []ct.Op{key("small")})
		ordered, _, _ := Order(w.edits)
		fit := MaxDocBytes / (size / 65)
		if len(ordered) != fit+1 || ordered[fit].Chunk.Actor != [16]byte(ann) {
			t.Errorf("%d edits have effect, want %d and the small one", len(ordered), fit)
		}
	})
	t.Run("text", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.edit(ann, nil, nil, []ct.Op{{Key: "t", Action: ct.MakeText}})
		text, tail := ref(0, 1), ct.Ref{}
		for n := MaxText; n > 0; {
			take := min(n, 4000)
			ops := typed(text, strings.Repeat("x", take))
			for i := range ops {
				if at := w.maxOp[w.last[string(ann)].Chunk.Hash]; i > 0 {
					ops[i].Elem = ref(0, at+uint64(i))
				} else {
					ops[i].Elem = tail
				}
			}
			e := w.edit(ann, nil, nil, ops)
			tail = ref(0, w.maxOp[e.Chunk.Hash])
			n -= take
		}
		full := len(w.edits)
		if ordered, _, _ := Order(w.edits); len(ordered) != full {
			t.Fatalf("%d of %d edits have effect", len(ordered), full)
		}
		over := w.edit(ben, w.edits[full-1:], [][]byte{ann}, []ct.Op{ct.Op{Obj: ref(1, 1), Insert: true, Action: ct.Set}.SetText("x")})
		gone := w.edit(ann, nil, nil, []ct.Op{{Obj: text, Elem: tail, Action: ct.Del, Preds: []ct.Ref{tail}}})
		ordered, _, _ := Order(w.edits)
		if len(ordered) != full+1 || ordered[full].ID != gone.ID {
			t.Errorf("one character too many: %d edits, want %d", len(ordered), full+1)
		}
		late := over
		late.HLC = 1 << 20
		ordered, _, _ = Order(append(slices.Clone(w.edits[:full]), late, gone))
		if len(ordered) != full+2 {
			t.Errorf("after a character was deleted: %d edits, want %d", len(ordered), full+2)
		}
	})
	t.Run("operations", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.edit(ann, nil, nil, []ct.Op{{Key: "l", Action: ct.MakeList}})
		for range 30 {
			ops := make([]ct.Op, MaxOps)
			for i := range ops {
				ops[i] = ct.Op{Obj: ref(0, 1), Insert: true, Action: ct.Set}
			}
			w.edit(ann, nil, nil, ops)
		}
		if ordered, _, _ := Order(w.edits); len(ordered) != 1+MaxDocOps/MaxOps {
			t.Errorf("%d edits have effect", len(ordered))
		}
	})
	t.Run("objects", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.edit(ann, nil, nil, []ct.Op{{Key: "l", Action: ct.MakeList}})
		for range 10 {
			ops := make([]ct.Op, MaxOps)
			for i := range ops {
				ops[i] = ct.Op{Obj: ref(0, 1), Insert: true, Action: ct.MakeText}
			}
			w.edit(ann, nil, nil, ops)
		}
		if ordered, _, _ := Order(w.edits); len(ordered) != 1+MaxDocOps/MaxOps/(1+objectCost) {
			t.Errorf("%d edits have effect", len(ordered))
		}
	})
	t.Run("writes of one place", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		write := func(n int, o ct.Op) Edit { return w.edit(ann, nil, nil, slices.Repeat([]ct.Op{o}, n)) }
		item := ct.Op{Obj: ref(0, 1), Elem: ref(0, 2), Action: ct.Set}
		w.edit(ann, nil, nil, []ct.Op{{Key: "l", Action: ct.MakeList}, {Obj: ref(0, 1), Insert: true, Action: ct.Set}})
		write(MaxWrites, key("a"))
		write(MaxWrites, item)
		full := names(w.edits)
		if ordered, _, _ := Order(w.edits); names(ordered) != full {
			t.Errorf("up to the limit: %s", names(ordered))
		}
		for _, o := range []ct.Op{key("a"), item} {
			if ordered, _, _ := Order(append(slices.Clone(w.edits), draft(w, o))); names(ordered) != full {
				t.Errorf("beyond the limit: %s", names(ordered))
			}
		}
		if ordered, _, _ := Order(append(slices.Clone(w.edits), draft(w, key("b")))); len(ordered) != len(w.edits)+1 {
			t.Errorf("another key: %s", names(ordered))
		}
	})
	t.Run("edits", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		for range MaxEdits + 3 {
			w.edits = append(w.edits, Edit{HLC: uint64(len(w.edits)), Chunk: tiny(uint64(len(w.edits)))})
		}
		ordered, _, _ := Order(w.edits)
		if len(ordered) != MaxEdits {
			t.Errorf("%d edits have effect", len(ordered))
		}
	})
}

// draft is an edit of o that w does not keep.
func draft(w *world, o ct.Op) Edit {
	copied := *w
	copied.seq, copied.last, copied.maxOp = maps.Clone(w.seq), maps.Clone(w.last), maps.Clone(w.maxOp)
	return copied.edit(ann, nil, nil, []ct.Op{o})
}

// tiny is a change without operations of an actor of its own.
func tiny(i uint64) *Chunk {
	actor := []byte(fmt.Sprintf("%016d", i))
	c, err := DecodeChunk(ct.Change{Actor: actor, Seq: 1, StartOp: 1}.Encode())
	if err != nil {
		panic(err)
	}
	return c
}

// A chain of one author: the most edits the limit in bytes leaves room for.
func BenchmarkOrder(b *testing.B) {
	const n = 2500
	w := newWorld(b)
	for range n {
		w.edit(ann, nil, nil, []ct.Op{key("k")})
	}
	b.ResetTimer()
	for b.Loop() {
		if ordered, _, _ := Order(w.edits); len(ordered) != n {
			b.Fatal(len(ordered))
		}
	}
}
