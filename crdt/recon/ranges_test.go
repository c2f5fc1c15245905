package recon

import (
	"bytes"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

type session struct {
	messages [][]byte // initiator first, then in turn
	have     []Item
	need     [][32]byte
}

// runSession reconciles a with b until the initiator is done.
func runSession(t rapid.TB, a, b *Set, limit int) session {
	t.Helper()
	in := NewInitiator(a, limit)
	s := session{messages: [][]byte{in.Start()}}
	asker, responder := witnessOf(a), witnessOf(b)
	for {
		if len(s.messages) > 4000 {
			t.Fatalf("no end after %d messages", len(s.messages))
		}
		answer, err := Respond(b, s.messages[len(s.messages)-1], limit)
		if err != nil {
			t.Fatalf("respond: %v", err)
		}
		reply, have, need, err := in.Next(answer)
		if err != nil {
			t.Fatalf("next: %v", err)
		}
		asker.check(t, s.messages[len(s.messages)-1])
		responder.check(t, answer)
		s.messages = append(s.messages, answer)
		s.have = append(s.have, have...)
		s.need = append(s.need, need...)
		if reply == nil {
			break
		}
		s.messages = append(s.messages, reply)
	}
	for i, m := range s.messages {
		if len(m) > clampFrame(limit) {
			t.Fatalf("message %d has %d bytes, the limit is %d", i, len(m), limit)
		}
	}
	return s
}

// witness knows a set as a sorted slice and its prefix sums.
type witness struct {
	items []Item
	sums  []Sum
}

func witnessOf(s *Set) witness {
	w := witness{sums: make([]Sum, 1, s.Len()+1)}
	s.tree.ascend(0, func(it *Item) bool {
		w.items = append(w.items, *it)
		w.sums = append(w.sums, w.sums[len(w.sums)-1].Add(it.ID))
		return true
	})
	return w
}

// check reads a message and fails unless every range in it is right about
// the set: one that does not can hide a difference.
func (w witness) check(t rapid.TB, msg []byte) {
	t.Helper()
	r := reader{buf: msg[1:]}
	low := 0
	for len(r.buf) > 0 {
		b, err := r.bound()
		if err != nil {
			t.Fatal(err)
		}
		mode, err := r.varint()
		if err != nil {
			t.Fatal(err)
		}
		high := len(w.items)
		if b != beyond {
			high, _ = slices.BinarySearchFunc(w.items, b.item, Item.Compare)
		}
		switch mode {
		case modeFP:
			fp, err := r.bytes(16)
			if want := w.sums[high].Sub(w.sums[low]).FP(uint64(high - low)); err != nil || [16]byte(fp) != want {
				t.Fatalf("fingerprint of %d items to %v is %x, want %x", high-low, b, fp, want)
			}
		case modeIDs:
			n, err := r.varint()
			if err != nil || n != uint64(high-low) {
				t.Fatalf("list of %d ids to %v, want %d", n, b, high-low)
			}
			for _, it := range w.items[low:high] {
				if id, err := r.bytes(32); err != nil || [32]byte(id) != it.ID {
					t.Fatalf("id %x, want %x", id, it.ID)
				}
			}
		}
		low = high
	}
}

// sessionIsExact checks that a session found the difference and nothing else. An item may be
// reported again, which only a full frame brings about.
func sessionIsExact(t rapid.TB, a, b []Item, limit int) {
	t.Helper()
	s := runSession(t, setOf(a), setOf(b), limit)
	inA, inB := make(map[Item]bool), make(map[Item]bool)
	for _, it := range a {
		inA[it] = true
	}
	for _, it := range b {
		inB[it] = true
	}
	var have []Item
	var need [][32]byte
	for it := range inA {
		if !inB[it] {
			have = append(have, it)
		}
	}
	for it := range inB {
		if !inA[it] {
			need = append(need, it.ID)
		}
	}
	byID := func(a, b [32]byte) int { return bytes.Compare(a[:], b[:]) }
	slices.SortFunc(have, Item.Compare)
	slices.SortFunc(s.have, Item.Compare)
	s.have = slices.Compact(s.have)
	slices.SortFunc(need, byID)
	slices.SortFunc(s.need, byID)
	s.need = slices.Compact(s.need)
	if !slices.Equal(s.have, have) {
		t.Fatalf("have %d, want %d", len(s.have), len(have))
	}
	if !slices.Equal(s.need, need) {
		t.Fatalf("need %d, want %d", len(s.need), len(need))
	}
}

func TestRangesFindExactlyTheDifference(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint64Range(0, 6000).Draw(t, "items")
		times := rapid.SampledFrom([]uint64{1, 2, 50, 1 << 40}).Draw(t, "times")
		part := rapid.SampledFrom([]uint64{1, 2, 10, 1000}).Draw(t, "differ")
		seed := rapid.Uint64().Draw(t, "seed")
		limit := rapid.SampledFrom([]int{MinFrame, 5000, 20000, MaxFrame}).Draw(t, "limit")
		var a, b []Item
		for i := range n {
			k := seed + i
			it := Item{HLC: idWord(k) % times, ID: idOf(k ^ 1<<63)}
			switch dice := idWord(k^1<<62) % (2 * part); dice {
			case 0:
				a = append(a, it)
			case 1:
				b = append(b, it)
			default:
				a, b = append(a, it), append(b, it)
			}
		}
		sessionIsExact(t, a, b, limit)
	})
}

func TestRangesOnExtremeSets(t *testing.T) {
	t.Parallel()
	some := itemsOf(0, 3000)
	late := []Item{{HLC: infinity - 1, ID: idOf(1)}, {HLC: infinity - 1, ID: idOf(2)}}
	zero := []Item{{}, {ID: [32]byte{31: 1}}}
	for name, c := range map[string][2][]Item{
		"both empty":        {nil, nil},
		"initiator empty":   {nil, some},
		"responder empty":   {some, nil},
		"equal":             {some, some},
		"disjoint in time":  {some[:1500], some[1500:]},
		"disjoint, braided": {every(some, 2, 0), every(some, 2, 1)},
		"one item":          {some[:1], nil},
		"ends of time":      {append(slices.Clone(zero), late[0]), append(zero[:1:1], late...)},
		"zero item missing": {nil, zero},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sessionIsExact(t, c[0], c[1], MinFrame)
			sessionIsExact(t, c[0], c[1], MaxFrame)
		})
	}
}

func every(items []Item, n, from int) []Item {
	var out []Item
	for i := from; i < len(items); i += n {
		out = append(out, items[i])
	}
	return out
}

// When a frame is full the rest is put off with a fingerprint. It must be that of
// everything after the last range written: leaving out the part that had no room
// makes a peer that has nothing there, and the same after it, believe that the
// sets are equal.
func TestPostponedRangeStartsWhereTheFrameEnds(t *testing.T) {
	t.Parallel()
	all := itemsOf(0, 12000)
	for _, cut := range []int{100, 5000, 11500} {
		sessionIsExact(t, all, all[cut:], MinFrame)
		sessionIsExact(t, all[cut:], all, MinFrame)
	}
}

// A nearly empty responder makes the initiator report everything, in parts, and
// without losing what is missing here.
func TestHaveIsReportedInParts(t *testing.T) {
	t.Parallel()
	const n = 2*maxHave + 1000
	a := make([]Item, n)
	for i := range a {
		a[i].HLC = uint64(i / 3)
		a[i].ID[0], a[i].ID[1], a[i].ID[2], a[i].ID[3] = byte(i%3), byte(i>>16), byte(i>>8), byte(i)
	}
	b := []Item{a[17], a[maxHave+40], a[n-1], {HLC: 5, ID: idOf(5)}, {HLC: n / 4, ID: idOf(6)}}
	sessionIsExact(t, a, b, MaxFrame)

	// Answers that claim as little as possible, to have as much as possible
	// reported at once: everything in one range, and in two.
	set := setOf(a)
	in := NewInitiator(set, MaxFrame)
	reply, have, _, err := in.Next([]byte{version, 0, 0, modeIDs, 0})
	if err != nil || len(have) != 0 || len(reply) < 16*18 {
		t.Errorf("one range: have %d, reply of %d bytes, error %v", len(have), len(reply), err)
	}
	w := writer{buf: []byte{version}}
	for _, end := range []bound{between(a[40000-1], a[40000]), between(a[80000-1], a[80000]), beyond} {
		w.bound(end, modeIDs)
		w.varint(0)
	}
	reply, have, _, err = in.Next(w.buf)
	if err != nil || !slices.Equal(have, a[:40000]) || len(reply) == 0 {
		t.Errorf("three ranges: have %d, reply of %d bytes, error %v", len(have), len(reply), err)
	}
}

// messageVector is a single message and its answer, worked out by hand from the
// specification of the protocol.
type messageVector struct {
	Name string `json:"name"`
	In   struct {
		Set []member `json:"set"`
		Msg hexBytes `json:"msg"` // absent for the first message
	} `json:"in"`
	Out  hexBytes `json:"out,omitempty"`
	Code string   `json:"code,omitempty"`
}

type member struct {
	HLC uint64   `json:"hlc"`
	ID  hexBytes `json:"id"` // first bytes; the others are zero
}

func (v messageVector) set() *Set {
	s := NewSet()
	for _, m := range v.In.Set {
		it := Item{HLC: m.HLC}
		copy(it.ID[:], m.ID)
		s.Insert(it)
	}
	return s
}

func TestRespondVectors(t *testing.T) {
	t.Parallel()
	for _, path := range []string{filepath.Join("testdata", "respond.json"), filepath.Join(vectorDir, "recon", "refused.json")} {
		var vectors []messageVector
		readVectors(t, path, &vectors)
		if len(vectors) == 0 {
			t.Errorf("%s has no vectors", path)
		}
		for _, v := range vectors {
			out, err := Respond(v.set(), v.In.Msg, MaxFrame)
			switch {
			case v.Code != "" && err == nil:
				t.Errorf("%s: answered %x, want an error", v.Name, out)
			case v.Code == "" && err != nil:
				t.Errorf("%s: %v", v.Name, err)
			case !bytes.Equal(out, v.Out):
				t.Errorf("%s:\n got %x\nwant %x", v.Name, out, []byte(v.Out))
			}
			// The asking side decodes by the same rules.
			if _, _, _, err := NewInitiator(v.set(), MaxFrame).Next(v.In.Msg); v.Code != "" && err == nil {
				t.Errorf("%s: the initiator accepts it", v.Name)
			}
		}
	}
}

func TestStartVectors(t *testing.T) {
	t.Parallel()
	var vectors []messageVector
	readVectors(t, filepath.Join("testdata", "start.json"), &vectors)
	for _, v := range vectors {
		if out := NewInitiator(v.set(), MaxFrame).Start(); !bytes.Equal(out, v.Out) {
			t.Errorf("%s:\n got %x\nwant %x", v.Name, out, []byte(v.Out))
		}
	}
}

func TestVarint(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		v   uint64
		hex string
	}{
		{0, "00"}, {1, "01"}, {127, "7f"}, {128, "8100"}, {300, "822c"}, {16383, "ff7f"}, {16384, "818000"},
		{1 << 53, "908080808080" + "8000"}, {1<<64 - 1, "81ffffffffffffffff7f"}, {1 << 63, "81808080808080808000"},
	} {
		b := appendVarint(nil, c.v)
		if !bytes.Equal(b, unhex(t, c.hex)) {
			t.Errorf("%d is %x, want %s", c.v, b, c.hex)
		}
		r := reader{buf: b}
		if v, err := r.varint(); v != c.v || err != nil || len(r.buf) > 0 {
			t.Errorf("%s is %d, %v", c.hex, v, err)
		}
	}
	for _, bad := range []string{"", "80", "8000", "8001", "81", "82ffffffffffffffff7f", "8180808080808080808000"} {
		r := reader{buf: unhex(t, bad)}
		if v, err := r.varint(); err == nil {
			t.Errorf("%s is read as %d", bad, v)
		}
	}
}

func TestIDNamedTwiceIsNeededOnce(t *testing.T) {
	t.Parallel()
	w := writer{buf: []byte{version}}
	w.bound(beyond, modeIDs)
	w.varint(4)
	known, missing := idOf(1), idOf(2)
	for range 2 {
		w.bytes(known[:])
		w.bytes(missing[:])
	}
	reply, have, need, err := NewInitiator(setOf([]Item{{HLC: 9, ID: known}}), MaxFrame).Next(w.buf)
	if err != nil || reply != nil || have != nil {
		t.Fatalf("reply %x, have %d, error %v", reply, len(have), err)
	}
	if !slices.Equal(need, [][32]byte{missing}) {
		t.Fatalf("need %x", need)
	}
}

func TestMessageOverTheFrameIsRefused(t *testing.T) {
	t.Parallel()
	for n, ok := range map[int]bool{MaxFrame: true, MaxFrame + 3: false} {
		msg := bytes.Repeat([]byte{0}, n) // skips to infinity, then to infinity again
		msg[0] = version
		if (MaxFrame-1)%3 != 0 {
			t.Fatal("the message does not hold whole ranges")
		}
		if _, err := Respond(NewSet(), msg, MaxFrame); (err == nil) != ok {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

func TestInitiatorRefusesAnotherVersion(t *testing.T) {
	t.Parallel()
	if _, _, _, err := NewInitiator(NewSet(), MaxFrame).Next([]byte{0x60}); err == nil {
		t.Error("version 0 is accepted")
	}
	if out, err := Respond(NewSet(), []byte{0x62, 1, 2, 3}, MaxFrame); err != nil || !bytes.Equal(out, []byte{0x61}) {
		t.Errorf("version 2 is answered with %x, %v", out, err)
	}
}

// The set grows while a session runs: it must end, without an error, and what
// both sides agreed on at the start must not be reported.
func TestSessionOverAGrowingSet(t *testing.T) {
	t.Parallel()
	all := itemsOf(0, 20000)
	a, b := setOf(every(all, 2, 0)), setOf(every(all, 2, 0))
	odd := every(all, 2, 1)
	known := make(map[[32]byte]bool)
	for _, it := range every(all, 2, 0) {
		known[it.ID] = true
	}
	in := NewInitiator(a, MinFrame)
	a.InsertBatch(odd[:500])
	msg := in.Start()
	for rounds := 0; msg != nil; rounds++ {
		if rounds > 500 {
			t.Fatal("no end")
		}
		if i := rounds * 20; i+20 < len(odd) {
			b.InsertBatch(odd[i : i+20])
			a.Insert(odd[len(odd)-1-rounds])
		}
		answer, err := Respond(b, msg, MinFrame)
		if err != nil {
			t.Fatal(err)
		}
		reply, have, need, err := in.Next(answer)
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range have {
			if known[it.ID] {
				t.Fatal("an item of both is reported as ours only")
			}
		}
		for _, id := range need {
			if known[id] {
				t.Fatal("an item of both is reported as missing")
			}
		}
		msg = reply
	}
}
