package recon

import (
	"bytes"
	"path/filepath"
	"testing"
)

// seedMessages are all messages of the vectors.
func seedMessages(f *testing.F) {
	f.Helper()
	for _, path := range []string{filepath.Join("testdata", "respond.json"), filepath.Join(vectorDir, "recon", "refused.json")} {
		var vectors []messageVector
		readVectors(f, path, &vectors)
		for _, v := range vectors {
			f.Add([]byte(v.In.Msg))
		}
	}
	var sessions []sessionVector
	readVectors(f, filepath.Join(vectorDir, "recon", "sessions.json"), &sessions)
	for _, v := range sessions {
		for _, m := range v.Out.Messages {
			f.Add([]byte(m))
		}
	}
}

// fuzzSet has runs at one time, gaps, and both ends.
func fuzzSet() *Set {
	s := setOf(itemsOf(0, 300))
	for k := range uint64(100) {
		s.Insert(Item{HLC: k / 40, ID: idOf(k)})
	}
	s.Insert(Item{HLC: infinity - 1, ID: idOf(7)})
	return s
}

func FuzzRespond(f *testing.F) {
	seedMessages(f)
	set := fuzzSet()
	f.Fuzz(func(t *testing.T, msg []byte) {
		for _, limit := range []int{MinFrame, MaxFrame} {
			out, err := Respond(set, msg, limit)
			if err != nil {
				if out != nil {
					t.Fatal("an answer comes with an error")
				}
				continue
			}
			if len(out) > limit {
				t.Fatalf("answer of %d bytes, the limit is %d", len(out), limit)
			}
			// What we write, the other side can read.
			if _, _, _, err := NewInitiator(set, limit).Next(out); err != nil {
				t.Fatalf("answer %x: %v", out, err)
			}
		}
	})
}

func FuzzInitiatorNext(f *testing.F) {
	seedMessages(f)
	set := fuzzSet()
	f.Fuzz(func(t *testing.T, msg []byte) {
		reply, have, need, err := NewInitiator(set, MinFrame).Next(msg)
		if err != nil {
			if reply != nil || have != nil || need != nil {
				t.Fatal("a result comes with an error")
			}
			return
		}
		if len(reply) > MinFrame {
			t.Fatalf("reply of %d bytes", len(reply))
		}
		if len(have) > set.Len() || len(need) > len(msg)/32 {
			t.Fatalf("have %d, need %d from %d bytes", len(have), len(need), len(msg))
		}
		if reply != nil {
			if _, err := Respond(set, reply, MinFrame); err != nil {
				t.Fatalf("reply %x: %v", reply, err)
			}
		}
	})
}

func FuzzPeelerAdd(f *testing.F) {
	for _, n := range []uint64{0, 1, 40} {
		syms, err := setOf(itemsOf(20, n)).Sketch().Symbols(0, 96)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint16(n), syms[:24*96/3], syms)
	}
	local := setOf(itemsOf(0, 30)).Sketch()
	f.Fuzz(func(t *testing.T, count uint16, first, second []byte) {
		p := NewPeeler(local, uint64(count))
		for _, syms := range [][]byte{first, second} {
			from, n := p.Next()
			if n == 0 {
				return
			}
			resolved, err := p.Add(from, syms)
			if err != nil {
				if _, n := p.Next(); n != 0 || resolved {
					t.Fatal("goes on after an error")
				}
				return
			}
			d := p.Result()
			if len(d.OnlyLocal)+len(d.OnlyRemote) > from+n {
				t.Fatalf("%d items from %d symbols", len(d.OnlyLocal)+len(d.OnlyRemote), from+n)
			}
			if resolved && !explains(local, d, syms, from, n) {
				t.Fatal("the difference does not explain the symbols")
			}
		}
	})
}

// explains reports whether local with the difference applied has those symbols.
func explains(local *Sketch, d Difference, syms []byte, from, n int) bool {
	k := *local
	for _, x := range d.OnlyRemote {
		toggle(k.cells[:], x)
	}
	for _, x := range d.OnlyLocal {
		remove(&k.cells, x)
	}
	want, err := k.Symbols(from, n)
	return err == nil && bytes.Equal(want, syms)
}

func FuzzDecodeSymbols(f *testing.F) {
	syms, err := setOf(itemsOf(0, 300)).Sketch().Symbols(0, 64)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint8(64), syms)
	f.Add(uint8(1), syms[:26])
	f.Add(uint8(0), []byte{})
	f.Fuzz(func(t *testing.T, n uint8, b []byte) {
		cells := make([]cell, n)
		rest, err := decodeSymbols(b, cells)
		if err != nil {
			return
		}
		if again := appendSymbols(nil, cells); !bytes.Equal(again, b[:len(b)-len(rest)]) {
			t.Fatalf("%x comes back as %x", b, again)
		}
	})
}

// FuzzLoad puts the checksum right, or nothing would get past it.
func FuzzLoad(f *testing.F) {
	for _, n := range []uint64{0, 1, 2, 300} {
		b, err := setOf(itemsOf(0, n)).AppendBinary(nil)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(unseal(b))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if _, err := Load(body); err == nil && len(body) < 48 {
			t.Fatalf("%x is a checkpoint", body)
		}
		s, err := Load(seal(body))
		if err != nil {
			return
		}
		if err := s.tree.verify(); err != nil {
			t.Fatal(err)
		}
		again, err := s.AppendBinary(nil)
		if err != nil || !bytes.Equal(again, seal(body)) {
			t.Fatalf("%x comes back as %x, %v", seal(body), again, err)
		}
	})
}
