package recon

import (
	"math/rand/v2"
	"testing"
)

// A kept sketch is built in four ways: by insert, by batch, at the threshold, and
// from nothing when asked. They must agree.
func TestKeptSketchEqualsComputedOne(t *testing.T) {
	t.Parallel()
	items := itemsOf(0, sketchFrom+300)
	want := new(Sketch)
	for i := range items {
		toggle(want.cells[:], prefix(items[i].ID))
	}
	one := NewSet()
	for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(len(items)) {
		one.Insert(items[i])
		one.Insert(items[i])
	}
	batch := setOf(items)
	two := setOf(items[:sketchFrom-1])
	if two.kept != nil {
		t.Fatal("a small set keeps a sketch")
	}
	two.InsertBatch(items)
	for name, s := range map[string]*Set{"insert": one, "batch": batch, "across the threshold": two} {
		if s.kept == nil {
			t.Errorf("%s: a large set keeps no sketch", name)
		}
		if s.Sketch().cells != want.cells {
			t.Errorf("%s: sketch differs", name)
		}
	}
	small := setOf(items[:100])
	frozen := small.Sketch()
	small.Insert(items[200])
	if count, fp := frozen.FP(); count != 100 || fp == ([16]byte{}) || frozen.cells[0].count != 100 {
		t.Errorf("frozen sketch has %d ids", count)
	}
}

func TestSymbolsRefusesOtherRanges(t *testing.T) {
	t.Parallel()
	k := setOf(itemsOf(0, 3)).Sketch()
	for _, c := range [][2]int{{-1, 1}, {0, -1}, {0, MaxSymbols + 1}, {MaxSymbols, 1}, {1 << 62, 1 << 62}} {
		if _, err := k.Symbols(c[0], c[1]); err == nil {
			t.Errorf("symbols %d, %d were given", c[0], c[1])
		}
	}
	whole, err := k.Symbols(0, MaxSymbols)
	if err != nil {
		t.Fatal(err)
	}
	tail, err := k.Symbols(100, MaxSymbols-100)
	if err != nil || string(whole[len(whole)-len(tail):]) != string(tail) {
		t.Errorf("symbols from 100 are not the tail of all: %v", err)
	}
}

func TestDecodeSymbolsIsStrict(t *testing.T) {
	t.Parallel()
	one := make([]byte, 24)
	for name, c := range map[string]struct {
		in []byte
		ok bool
	}{
		"one symbol":         {append(one[:24:24], 5), true},
		"largest count":      {append(one[:24:24], 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10), true},
		"no count":           {one, false},
		"half a symbol":      {one[:13], false},
		"open count":         {append(one[:24:24], 0x80), false},
		"padded count":       {append(one[:24:24], 0x85, 0), false},
		"count of 65 bits":   {append(one[:24:24], 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2), false},
		"count beyond reach": {append(one[:24:24], 0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10), false},
	} {
		rest, err := decodeSymbols(c.in, make([]cell, 1))
		if (err == nil) != c.ok || len(rest) > 0 {
			t.Errorf("%s: error %v, %d bytes left", name, err, len(rest))
		}
	}
}

// r so close to 2^64 that the step is zero must not stop the walk nor let it
// visit a symbol twice.
func TestWalkAlwaysAdvances(t *testing.T) {
	t.Parallel()
	m := uint64(0xda942042e4dd58b5)
	inv := m
	for range 6 { // Newton, doubling the correct low bits
		inv *= 2 - m*inv
	}
	for _, r := range []uint64{1<<64 - 1, 1<<64 - 1024, 1<<64 - 1<<20, 0, 1} {
		w := walk{i: 0, r: r * inv} // the first step sets r
		last := w.i
		for w.step(); w.i < MaxSymbols; w.step() {
			if w.i <= last {
				t.Fatalf("r = %#x: step from %d to %d", r, last, w.i)
			}
			last = w.i
		}
		if w.i <= last || w.i > 1<<46 {
			t.Fatalf("r = %#x: last step from %d to %d", r, last, w.i)
		}
	}
}
