package log

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/recon"
)

// FuzzDecodeRecords gives every decoder content that passes the checksum. What it
// accepts must come out the same when written again, except that integers may
// have been spelled longer.
func FuzzDecodeRecords(f *testing.F) {
	const key = "/x/key"
	id := change.ID{1, 2, 3}
	for _, b := range [][]byte{
		appendPlace(nil, key, place{set: "open/0", item: recon.Item{HLC: 7 << 40, ID: id}, seq: 300}),
		appendHead(nil, key, headRecord{own: true, seq: 1, raw: []byte("head")}),
		appendBody(nil, key, bodyRecord{body: []byte("body")}),
		appendBody(nil, key, bodyRecord{state: Purged, reason: "purged", held: "clock_ahead"}),
		appendTip(nil, key, tip{id: id, seq: 3, hlc: 1 << 50, forked: true}),
		appendState(nil, 4, state{seq: 9, counts: Counts{Members: 9, Missing: 2}}),
		{},
	} {
		f.Add(b[:max(0, len(b)-4)])
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		value := seal(bytes.Clone(content), 0, key)
		check := func(what string, err error, again []byte, err2 error) {
			t.Helper()
			if err == nil && (err2 != nil || len(again) > len(value)) {
				t.Errorf("%s does not come out as it went in: %v", what, err2)
			}
		}
		p, err := decodePlace(key, value)
		b := appendPlace(nil, key, p)
		q, err2 := decodePlace(key, b)
		if err == nil && q != p {
			t.Error("place changed")
		}
		check("place", err, b, err2)

		h, err := decodeHeadRecord(key, value)
		b = appendHead(nil, key, h)
		g, err2 := decodeHeadRecord(key, b)
		if err == nil && (g.own != h.own || g.seq != h.seq || !bytes.Equal(g.raw, h.raw)) {
			t.Error("head record changed")
		}
		check("head", err, b, err2)

		r, err := decodeBodyRecord(key, value)
		if err == nil && (r.body == nil) != (r.state != Present) {
			t.Errorf("body record %+v", r)
		}
		b = appendBody(nil, key, r)
		s, err2 := decodeBodyRecord(key, b)
		if err == nil && (s.state != r.state || s.reason != r.reason || s.held != r.held || !bytes.Equal(s.body, r.body)) {
			t.Error("body record changed")
		}
		check("body", err, b, err2)

		k, err := decodeTip(key, value)
		b = appendTip(nil, key, k)
		m, err2 := decodeTip(key, b)
		if err == nil && m != k {
			t.Error("tip changed")
		}
		check("tip", err, b, err2)

		value = seal(bytes.Clone(content), 0, stateKey)
		if _, shards, st, err := decodeState(value); err == nil {
			_, n, again, err2 := decodeState(appendState(nil, int(shards), st))
			if err2 != nil || again != st || shards>>63 == 0 && n != shards {
				t.Error("state changed")
			}
		}
		if _, err := unseal("/x/other", value); err == nil {
			t.Error("a value passes under another's key")
		}
	})
}

// FuzzDecodeCheckpoint gives the decoder content that passes the checksum: it
// yields a checkpoint that Open can use, or an error.
func FuzzDecodeCheckpoint(f *testing.F) {
	l, err := Open(f.Context(), NewMemory(), 2, nil)
	if err != nil {
		f.Fatal(err)
	}
	empty, _ := l.AppendCheckpoint(nil)
	l.ensureSet("open/1").Insert(recon.Item{HLC: 5, ID: change.ID{5}})
	l.state.seq, l.last = 1, change.ID{5}
	one, _ := l.AppendCheckpoint(nil)
	for _, b := range [][]byte{empty, one} {
		f.Add(b[len(checkpointMagic) : len(b)-4])
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		cp, err := decodeCheckpoint(content)
		if err != nil {
			return
		}
		l, err := Open(t.Context(), NewMemory(), 2, cp)
		if err != nil || l.LastSeq() != 0 {
			t.Errorf("open with a checkpoint that is not its own: %v", err)
		}
		for i, s := range cp.sets {
			if s.set == nil || i > 0 && cp.sets[i-1].name == s.name {
				t.Errorf("set %d is %+v", i, s)
			}
		}
	})
}

func TestCheckpointRefusesOtherBytes(t *testing.T) {
	t.Parallel()
	l, err := Open(t.Context(), NewMemory(), 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	good, _ := l.AppendCheckpoint(nil)
	if _, err := DecodeCheckpoint(good); err != nil {
		t.Fatal(err)
	}
	for i := range good {
		if _, err := DecodeCheckpoint(good[:i]); err == nil {
			t.Errorf("took the first %d bytes", i)
		}
		bad := bytes.Clone(good)
		bad[i] ^= 1
		if _, err := DecodeCheckpoint(bad); err == nil {
			t.Errorf("took a checkpoint with byte %d changed", i)
		}
	}
	if _, err := DecodeCheckpoint(append(good, 0)); err == nil {
		t.Error("took a byte after the end")
	}
}

func TestCacheKeepsWhatWasUsedLast(t *testing.T) {
	t.Parallel()
	c := newCache[int, string](8)
	c.put(1, "a", 2)
	c.put(2, "b", 2)
	c.put(3, "c", 2) // 1 and 2 are old now
	c.get(1)
	c.put(4, "d", 2) // 2 is forgotten
	if _, ok := c.get(2); ok {
		t.Error("2 was used longest ago and is still there")
	}
	for k, want := range map[int]string{3: "c", 4: "d", 1: "a"} {
		if got, ok := c.get(k); !ok || got != want {
			t.Errorf("%d is %q", k, got)
		}
	}
	c.put(3, "e", 1)
	if got, _ := c.get(3); got != "e" {
		t.Errorf("3 is %q after another value was put", got)
	}
	c.put(3, "f", 5)
	if got, ok := c.get(3); ok {
		t.Errorf("3 is %q, where a value above half of the total is not kept", got)
	}
	c.clear()
	if _, ok := c.get(1); ok || c.cost != 0 {
		t.Error("clear left something")
	}
}

func TestCacheCostsNoMoreThanItsTotal(t *testing.T) {
	t.Parallel()
	const most = 100
	rng := rand.New(rand.NewPCG(1, 2))
	c := newCache[int, int](most)
	for range 10_000 {
		key, cost := rng.IntN(40), 1+rng.IntN(60)
		if rng.IntN(2) == 0 {
			c.put(key, cost, cost)
		} else if v, ok := c.get(key); ok && c.young[key].value != v {
			t.Fatalf("%d was found and is not young", key)
		}
		sum, young := 0, 0
		for key, k := range c.young {
			if _, twice := c.old[key]; twice {
				t.Fatalf("%d is kept twice", key)
			}
			young += k.cost
		}
		sum = young
		for _, k := range c.old {
			sum += k.cost
		}
		if young != c.cost || sum > most {
			t.Fatalf("values of cost %d are kept, %d of them young, counted %d; total %d", sum, young, c.cost, most)
		}
	}
}
