package doc

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	ct "github.com/meshd/meshd/crdt/doc/internal/chunktest"
)

func TestChunkOverTheLimit(t *testing.T) {
	t.Parallel()
	var ops []ct.Op
	for i := range 12 {
		ops = append(ops, key(fmt.Sprint("k", i)).SetText(strings.Repeat("x", MaxScalar)))
	}
	if _, err := DecodeChunk(first(ops[:11]...).Encode()); err != nil {
		t.Errorf("below the limit: %v", err)
	}
	if _, err := DecodeChunk(first(ops...).Encode()); err == nil || !strings.Contains(err.Error(), "at most 49152") {
		t.Errorf("above the limit: %v", err)
	}
}

// genOps draws operations that a first change of ann may contain, with one object
// and preds of its own.
func genOps(t *rapid.T) []ct.Op {
	ops := []ct.Op{{Key: "l", Action: ct.MakeList}}
	lastAt := map[string]uint64{}
	var items []uint64
	for i := range rapid.IntRange(0, 30).Draw(t, "ops") {
		ctr := uint64(i + 2)
		var o ct.Op
		if rapid.Bool().Draw(t, "item") {
			o = ct.Op{Obj: ref(0, 1), Insert: true, Action: ct.Set}
			if len(items) > 0 && rapid.Bool().Draw(t, "later") {
				o.Elem = ref(0, rapid.SampledFrom(items).Draw(t, "elem"))
			}
			items = append(items, ctr)
		} else {
			o = key(rapid.SampledFrom([]string{"a", "b", "long key"}).Draw(t, "key"))
			if p := lastAt[o.Key]; p != 0 {
				o.Preds = []ct.Ref{ref(0, p)}
			}
			lastAt[o.Key] = ctr
		}
		switch rapid.IntRange(0, 4).Draw(t, "value") {
		case 0:
			o = o.SetText(rapid.StringN(0, 5, -1).Draw(t, "text"))
		case 1:
			o = o.SetValue(ct.Int, ct.Sleb(rapid.Int64().Draw(t, "int")))
		case 2:
			o = o.SetValue(ct.Uint, ct.Uleb(uint64(rapid.Int64Min(0).Draw(t, "uint"))))
		case 3:
			o = o.SetValue(ct.True, nil)
		}
		ops = append(ops, o)
	}
	return ops
}

// What an encoder of its own writes is read back as the same operations.
func TestDecodeReadsWhatIsWritten(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ops := genOps(t)
		c, err := DecodeChunk(first(ops...).Encode())
		if err != nil {
			t.Fatal(err)
		}
		if c.Ops != uint64(len(ops)) {
			t.Fatalf("%d operations, want %d", c.Ops, len(ops))
		}
		r := c.ops()
		var o op
		for i, want := range ops {
			if ok, err := r.next(&o); !ok || err != nil {
				t.Fatal(ok, err)
			}
			got := ct.Op{
				Obj: ct.Ref(refOf(o.obj)), Key: string(o.key), Elem: ct.Ref(refOf(o.elem)), Insert: o.insert, Action: uint64(o.action),
				Meta: uint64(len(o.value))<<4 | uint64(o.kind), Value: bytes.Clone(o.value),
			}
			for _, p := range o.preds {
				got.Preds = append(got.Preds, refOf(p))
			}
			if want.Value == nil {
				got.Value = nil
			}
			if len(want.Value) == 0 && len(got.Value) == 0 {
				want.Value, got.Value = nil, nil
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("operation %d: %+v, want %+v", i, got, want)
			}
		}
	})
}

func refOf(r opRef) ct.Ref { return ct.Ref{Actor: r.actor, Ctr: r.ctr} }

// canonical writes c again from its operations.
func canonical(t failer, c *Chunk) []byte {
	t.Helper()
	out := ct.Change{Deps: c.Deps, Actor: c.Actor[:], Seq: c.Seq, StartOp: c.StartOp}
	for _, a := range c.others {
		out.Others = append(out.Others, bytes.Clone(a[:]))
	}
	r := c.ops()
	var o op
	for {
		ok, err := r.next(&o)
		if err != nil {
			t.Fatalf("second reading: %v", err)
		}
		if !ok {
			return out.Encode()
		}
		w := ct.Op{
			Obj: refOf(o.obj), Key: string(o.key), Elem: refOf(o.elem), Insert: o.insert, Action: uint64(o.action),
			Meta: uint64(len(o.value))<<4 | uint64(o.kind), Value: bytes.Clone(o.value),
		}
		for _, p := range o.preds {
			w.Preds = append(w.Preds, refOf(p))
		}
		out.Ops = append(out.Ops, w)
	}
}

// The bytes of an accepted chunk are the only ones its meaning has.
func checkCanonical(t failer, b []byte) {
	t.Helper()
	c, err := DecodeChunk(b)
	if err != nil {
		return
	}
	if again := canonical(t, c); !bytes.Equal(again, b) {
		t.Fatalf("accepted in another spelling:\n%x, canonical\n%x", b, again)
	}
}

func TestAcceptedIsCanonical(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		cases := acceptedChunks()
		chunk := bytes.Clone(cases[rapid.IntRange(0, len(cases)-1).Draw(t, "chunk")].chunk)
		for range rapid.IntRange(0, 3).Draw(t, "changes") {
			chunk[rapid.IntRange(10, len(chunk)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
		c, err := DecodeChunk(ct.Reseal(chunk))
		if err != nil {
			return
		}
		if again := canonical(t, c); !bytes.Equal(again, ct.Reseal(chunk)) {
			t.Fatalf("accepted in another spelling:\n%x", chunk)
		}
	})
}

// failer is what helpers need of a testing.T and of a rapid.T.
type failer interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

func FuzzDecodeChunk(f *testing.F) {
	for _, c := range acceptedChunks() {
		f.Add(c.chunk)
	}
	for _, c := range refusedChunks() {
		f.Add(c.chunk)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		checkCanonical(t, b)
		checkCanonical(t, ct.Reseal(b))
	})
}

func BenchmarkDecodeChunk(b *testing.B) {
	chunk := first(key("bio").SetText("hi"), key("status").SetText("here")).Encode()
	b.SetBytes(int64(len(chunk)))
	for b.Loop() {
		if _, err := DecodeChunk(chunk); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeLargestChunk(b *testing.B) {
	ops := append([]ct.Op{{Key: "t", Action: ct.MakeText}}, typed(ref(0, 1), strings.Repeat("m", MaxOps-1))...)
	chunk := first(ops...).Encode()
	b.SetBytes(int64(len(chunk)))
	for b.Loop() {
		if _, err := DecodeChunk(chunk); err != nil {
			b.Fatal(err)
		}
	}
}
