//go:build cgo && (linux || darwin) && (amd64 || arm64)

package automerge

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/meshd/meshd/crdt/doc"
	ct "github.com/meshd/meshd/crdt/doc/internal/chunktest"
)

// acceptedVectors are the published chunks the decoder accepts.
func acceptedVectors(t testing.TB) map[string][]byte {
	t.Helper()
	b, err := os.ReadFile("../../testdata/vectors/doc/accepted.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct{ Name, In string }
	if err := json.Unmarshal(b, &vectors); err != nil {
		t.Fatal(err)
	}
	chunks := map[string][]byte{}
	for _, v := range vectors {
		if chunks[v.Name], err = hex.DecodeString(v.In); err != nil {
			t.Fatal(err)
		}
	}
	return chunks
}

// effective are the raw chunks of the edits with effect, and whether the last
// of chunks is among them.
func effective(chunks ...[]byte) (raw [][]byte, last bool) {
	var edits []doc.Edit
	for i, b := range chunks {
		c, err := doc.DecodeChunk(b)
		if err != nil {
			continue
		}
		edits = append(edits, doc.Edit{HLC: uint64(i), Chunk: c})
	}
	ordered, _, _ := doc.Order(edits)
	for _, e := range ordered {
		raw = append(raw, e.Chunk.Raw)
		last = last || e.HLC == uint64(len(chunks)-1)
	}
	return raw, last
}

// Every accepted chunk loads, behind those it builds on, and can be saved.
func TestAcceptedVectorsLoad(t *testing.T) {
	t.Parallel()
	e := newEngine(t, Config{}, saveArg)
	vectors := acceptedVectors(t)
	byHash := map[[32]byte][]byte{}
	for _, b := range vectors {
		byHash[ct.Hash(b)] = b
	}
	for name, b := range vectors {
		need := [][]byte{b}
		for i := 0; i < len(need); i++ {
			c, err := doc.DecodeChunk(need[i])
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range c.Deps {
				if byHash[d] == nil {
					t.Fatalf("%s: a dependency is no vector", name)
				}
				if !slices.ContainsFunc(need, func(have []byte) bool { return ct.Hash(have) == d }) {
					need = append(need, byHash[d])
				}
			}
		}
		slices.Reverse(need)
		raw, last := effective(need...)
		if !last {
			t.Errorf("%s has no effect", name)
			continue
		}
		if _, err := e.Materialise(t.Context(), raw); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// seedDocument is what the campaigns build on: two actors, a map, a list and a
// live text, with values replaced and deleted.
func seedDocument() [][]byte {
	one, two := alice[:], bob[:]
	ref := func(actor, ctr uint64) ct.Ref { return ct.Ref{Actor: actor, Ctr: ctr} }
	text := func(s string) ct.Op { return ct.Op{Action: ct.Set}.SetText(s) }
	at := func(o ct.Op, obj, elem ct.Ref, insert bool) ct.Op {
		o.Obj, o.Elem, o.Insert = obj, elem, insert
		return o
	}
	first := ct.Change{Actor: one, Seq: 1, StartOp: 1, Ops: []ct.Op{
		{Key: "m", Action: ct.MakeMap},
		{Key: "l", Action: ct.MakeList},
		{Key: "t", Action: ct.MakeText},
		{Obj: ref(0, 1), Key: "a", Action: ct.Set},
		at(text("x"), ref(0, 2), ref(0, 0), true),
		at(text("y"), ref(0, 2), ref(0, 5), true),
		at(text("p"), ref(0, 3), ref(0, 0), true),
		at(text("q"), ref(0, 3), ref(0, 7), true),
	}}.Encode()
	second := ct.Change{Deps: [][32]byte{ct.Hash(first)}, Actor: two, Seq: 1, StartOp: 9, Others: [][]byte{one}, Ops: []ct.Op{
		{Obj: ref(1, 1), Key: "a", Action: ct.Del, Preds: []ct.Ref{ref(1, 4)}},
		{Obj: ref(1, 2), Elem: ref(1, 5), Action: ct.MakeMap, Preds: []ct.Ref{ref(1, 5)}},
		{Obj: ref(1, 3), Elem: ref(1, 7), Action: ct.Del, Preds: []ct.Ref{ref(1, 7)}},
		at(text("z"), ref(1, 3), ref(1, 8), true),
	}}.Encode()
	return [][]byte{first, second}
}

// randomChange draws a change upon the seed document whose references mostly
// point at something, though seldom at the right thing.
func randomChange(r *rand.Rand, seed [][]byte) []byte {
	const start = 13
	refs := func(n uint64) ct.Ref {
		if r.IntN(4) == 0 && n > start {
			return ct.Ref{Actor: 0, Ctr: start + r.Uint64N(n-start)}
		}
		if c := 1 + r.Uint64N(start-1); c >= 9 {
			return ct.Ref{Actor: 2, Ctr: c}
		} else {
			return ct.Ref{Actor: 1, Ctr: c}
		}
	}
	c := ct.Change{Deps: [][32]byte{ct.Hash(seed[1])}, Actor: []byte("0123456789abcdef"), Seq: 1, StartOp: start}
	for n := uint64(start); n < start+1+r.Uint64N(6); n++ {
		var o ct.Op
		switch r.IntN(4) {
		case 0:
			o = ct.Op{Key: string("mlta"[r.IntN(4)])}
		case 1:
			o = ct.Op{Obj: ct.Ref{Actor: 1, Ctr: 1}, Key: "a"}
		case 2:
			o = ct.Op{Obj: ct.Ref{Actor: 1, Ctr: 2 + r.Uint64N(2)}, Insert: r.IntN(2) == 0}
		default:
			o = ct.Op{Obj: refs(n)}
			if o.Insert = r.IntN(3) == 0; !o.Insert && r.IntN(2) == 0 {
				o.Key = "k"
			}
		}
		if o.Key == "" && (!o.Insert || r.IntN(3) > 0) {
			o.Elem = refs(n)
		}
		o.Action = uint64(r.IntN(5))
		if o.Insert && o.Action == ct.Del {
			o.Action = ct.Set
		}
		if o.Action == ct.Set && r.IntN(4) > 0 {
			o = o.SetText([]string{"", "a", "bc", "é"}[r.IntN(4)])
		}
		if !o.Insert && (o.Action == ct.Del || r.IntN(2) == 0) {
			o.Preds = []ct.Ref{refs(n)}
			if o.Elem != (ct.Ref{}) && r.IntN(2) == 0 {
				o.Preds[0] = o.Elem
			}
			if p := refs(n); r.IntN(4) == 0 && p.Ctr > o.Preds[0].Ctr {
				o.Preds = append(o.Preds, p)
			}
		}
		c.Ops = append(c.Ops, o)
	}
	used := [3]bool{}
	for _, o := range c.Ops {
		for _, ref := range append([]ct.Ref{o.Obj, o.Elem}, o.Preds...) {
			used[ref.Actor] = true
		}
	}
	// The change names only actors it refers to.
	index := [3]uint64{}
	for i, a := range [][]byte{alice[:], bob[:]} {
		if used[i+1] {
			c.Others = append(c.Others, a)
			index[i+1] = uint64(len(c.Others))
		}
	}
	for i := range c.Ops {
		o := &c.Ops[i]
		o.Obj.Actor, o.Elem.Actor = index[o.Obj.Actor], index[o.Elem.Actor]
		for j := range o.Preds {
			o.Preds[j].Actor = index[o.Preds[j].Actor]
		}
	}
	return c.Encode()
}

// mutant is a chunk with a few bytes changed and its checksum made right.
func mutant(r *rand.Rand, chunk []byte) []byte {
	b := slices.Clone(chunk)
	for range 1 + r.IntN(3) {
		b[10+r.IntN(len(b)-10)] = byte(r.UintN(256))
		if r.IntN(3) == 0 {
			at := 10 + r.IntN(len(b)-10)
			b[at] = byte(int(b[at]) + r.IntN(3) - 1)
		}
	}
	return ct.Reseal(b)
}

// tryChunk feeds chunk, on top of the seed document, to the library when the
// decoder and Order let it through. Nothing they let through may fail.
func tryChunk(t testing.TB, e *Engine, seed [][]byte, chunk []byte) (accepted, loaded bool) {
	t.Helper()
	if _, err := doc.DecodeChunk(chunk); err != nil {
		return false, false
	}
	raw, last := effective(append(slices.Clone(seed), chunk)...)
	if !last {
		return true, false
	}
	h, err := decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	// Through load, which tries once: a crash must not be hidden.
	if _, err := e.load(t.Context(), h); err != nil {
		t.Fatalf("accepted but not loaded: %v\n%x", err, chunk)
	}
	return true, true
}

// rounds is how many chunks each everyday campaign draws; some hundred thousand
// were drawn when the rules were made.
const rounds = 4000

func TestWhatIsAcceptedLoads(t *testing.T) {
	t.Parallel()
	for name, draw := range map[string]func(*rand.Rand, [][]byte) []byte{
		"random operations": randomChange,
		"mutated first":     func(r *rand.Rand, seed [][]byte) []byte { return mutant(r, seed[0]) },
		"mutated second":    func(r *rand.Rand, seed [][]byte) []byte { return mutant(r, seed[1]) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEngine(t, Config{}, saveArg)
			r := rand.New(rand.NewPCG(1, 2))
			accepted, loaded := 0, 0
			for range rounds {
				seed := seedDocument()
				chunk := draw(r, seed)
				switch name {
				case "mutated first":
					seed = nil
				case "mutated second":
					seed = seed[:1]
				}
				a, l := tryChunk(t, e, seed, chunk)
				if a {
					accepted++
				}
				if l {
					loaded++
				}
			}
			t.Logf("%d of %d accepted, %d with effect", accepted, rounds, loaded)
			if loaded < 20 {
				t.Errorf("only %d chunks reached the library", loaded)
			}
		})
	}
}

func FuzzAcceptedLoads(f *testing.F) {
	for _, b := range acceptedVectors(f) {
		f.Add(b)
	}
	for _, b := range seedDocument() {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		e := newEngine(t, Config{}, saveArg)
		if b = ct.Reseal(b); b != nil {
			tryChunk(t, e, nil, b)
			tryChunk(t, e, seedDocument(), b)
		}
	})
}

func FuzzDecodeMessages(f *testing.F) {
	edit, err := encodeEdit(doc.EditRequest{History: seedDocument(), Actor: alice, Set: []doc.Field{
		{Key: "a", Value: map[string]any{"b": []any{nil, true, false, 1, "x", []byte{1}, doc.Text("y")}}}, {Key: "b"},
	}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(edit)
	f.Add(encodeLoad(seedDocument()))
	f.Add([]byte{opEdit, 0xff, 0xff, 0xff, 0xff, 0x0f})
	state, err := encodeState(doc.State{Root: map[string]any{"a": []any{int64(-1)}}, Heads: [][32]byte{{1}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(state)
	f.Fuzz(func(t *testing.T, b []byte) {
		_, r, err := decodeRequest(b)
		if err == nil {
			if _, err := encodeEdit(doc.EditRequest{History: r.History}); err != nil {
				t.Fatal(err)
			}
		}
		if s, err := decodeState(b); err == nil && s.Root == nil {
			t.Fatal("a state without a root")
		}
		_, _, _ = decodeEdited(b)
	})
}

// loadBench is a chain of n edits of one author.
func loadBench(n int) [][]byte {
	var chunks [][]byte
	for i := range uint64(n) {
		c := ct.Change{Actor: alice[:], Seq: i + 1, StartOp: i + 1, Ops: []ct.Op{ct.Op{Key: fmt.Sprint("k", i%50), Action: ct.Set}.SetText("v")}}
		if i > 0 {
			c.Deps = [][32]byte{ct.Hash(chunks[i-1])}
		}
		if i >= 50 {
			c.Ops[0].Preds = []ct.Ref{{Ctr: i + 1 - 50}}
		}
		chunks = append(chunks, c.Encode())
	}
	return chunks
}

func BenchmarkMaterialise(b *testing.B) {
	for _, n := range []int{1, 100, 5000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			e := newEngine(b, Config{})
			chunks := loadBench(n)
			for b.Loop() {
				if _, err := e.Materialise(b.Context(), chunks); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
