package recon

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"testing"
)

func checkpoint(t testing.TB, s *Set) []byte {
	t.Helper()
	b, err := s.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestCheckpointRestoresTheSet(t *testing.T) {
	t.Parallel()
	for _, n := range []uint64{0, 1, leafItems, leafItems + 1, sketchFrom - 1, sketchFrom, 20000} {
		items := itemsOf(0, n)
		rand.New(rand.NewPCG(n, 1)).Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
		s := setOf(items)
		b := checkpoint(t, s)
		got, err := Load(b)
		if err != nil {
			t.Fatalf("%d items: %v", n, err)
		}
		// Not only now: both have to go on alike.
		for _, it := range itemsOf(n, 2) {
			s.Insert(it)
			got.Insert(it)
		}
		if err := got.tree.verify(); err != nil {
			t.Errorf("%d items: %v", n, err)
		}
		if !slices.Equal(got.After(Item{}, int(n)+2), s.After(Item{}, int(n)+2)) {
			t.Errorf("%d items: others came back", n)
		}
		if *got.Sketch() != *s.Sketch() {
			t.Errorf("%d items: another sketch came back", n)
		}
		if (got.kept == nil) != (s.kept == nil) {
			t.Errorf("%d items: sketch kept %v", n, got.kept != nil)
		}
	}
	head := []byte("head")
	b, err := setOf(itemsOf(0, 3)).AppendBinary(head)
	if err != nil || !bytes.Equal(b[:4], head) {
		t.Errorf("%x is not appended, %v", b, err)
	}
}

// seal puts magic and checksum around a body, so that decoding is reached.
func seal(body []byte) []byte {
	b := append([]byte(checkpointMagic), body...)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

func unseal(b []byte) []byte { return slices.Clone(b[len(checkpointMagic) : len(b)-4]) }

func TestLoadRefusesEverythingElse(t *testing.T) {
	t.Parallel()
	good := checkpoint(t, setOf(itemsOf(0, 400)))
	for i := range good {
		bad := slices.Clone(good)
		bad[i] ^= 0x10
		if _, err := Load(bad); err == nil {
			t.Fatalf("byte %d may change", i)
		}
	}
	for _, n := range []int{0, 10, len(good) - 33, len(good) - 1} {
		if _, err := Load(good[:n]); err == nil {
			t.Errorf("%d bytes of %d are taken", n, len(good))
		}
	}
	if _, err := Load(append(slices.Clone(good), 0)); err == nil {
		t.Error("a trailing byte is taken")
	}

	a, b := itemsOf(0, 1)[0], itemsOf(1, 1)[0]
	body := func(count uint64, hlcs []uint64, ids ...[32]byte) []byte {
		out := binary.AppendUvarint(nil, count)
		var sum Sum
		for _, id := range ids {
			sum = sum.Add(id)
		}
		out = append(out, sum[:]...)
		for i, id := range ids {
			out = append(binary.AppendUvarint(out, hlcs[i]), id[:]...)
		}
		return out
	}
	low, high := a.ID, b.ID
	if bytes.Compare(low[:], high[:]) > 0 {
		low, high = high, low
	}
	large := unseal(checkpoint(t, setOf(itemsOf(0, sketchFrom))))
	miscounted := slices.Clone(large)
	at := len(miscounted) - len(appendSymbols(nil, setOf(itemsOf(0, sketchFrom)).kept[:]))
	miscounted[at+24]--
	for name, c := range map[string]struct {
		body []byte
		ok   bool
	}{
		"two at one time":      {body(2, []uint64{5, 0}, low, high), true},
		"out of order":         {body(2, []uint64{5, 0}, high, low), false},
		"twice the same":       {body(2, []uint64{5, 0}, low, low), false},
		"fewer than counted":   {body(3, []uint64{5, 0}, low, high), false},
		"more than counted":    {body(1, []uint64{5, 0}, low, high), false},
		"at infinity":          {body(1, []uint64{infinity}, low), false},
		"beyond infinity":      {body(2, []uint64{infinity - 1, 2}, low, high), false},
		"just below infinity":  {body(2, []uint64{1, infinity - 2}, low, high), true},
		"another sum":          {append(append([]byte{1}, make([]byte, 32)...), append([]byte{5}, low[:]...)...), false},
		"huge count":           {body(1<<62, nil), false},
		"no sum":               {[]byte{0}, false},
		"nothing":              {nil, false},
		"large set":            {large, true},
		"sketch cut":           {large[:len(large)-1], false},
		"sketch of fewer":      {miscounted, false},
		"sketch not in leb128": {append(large[:len(large)-1:len(large)-1], 0x80), false},
	} {
		s, err := Load(seal(c.body))
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil && !bytes.Equal(checkpoint(t, s), seal(c.body)) {
			t.Errorf("%s: comes back as other bytes", name)
		}
	}
}
