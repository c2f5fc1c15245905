package recon

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// askAll runs a whole sketch session and counts the bytes of the answers.
func askAll(p *Peeler, remote *Sketch) (resolved bool, size, asks int, err error) {
	for from, n := p.Next(); n > 0; from, n = p.Next() {
		syms, err := remote.Symbols(from, n)
		if err != nil {
			return false, size, asks, err
		}
		size += len(syms)
		asks++
		if resolved, err = p.Add(from, syms); err != nil {
			return false, size, asks, err
		}
	}
	return resolved, size, asks, nil
}

func TestPeelFindsExactlyTheDifference(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		common := rapid.Uint64Range(0, 5000).Draw(t, "common")
		onlyA := rapid.Uint64Range(0, 400).Draw(t, "local")
		onlyB := rapid.Uint64Range(0, 400).Draw(t, "remote")
		base := rapid.Uint64().Draw(t, "base") >> 1
		a := setOf(itemsOf(base, common+onlyA))
		b := setOf(itemsOf(base, common))
		b.InsertBatch(itemsOf(base+common+onlyA, onlyB))
		remote := b.Sketch()
		count, sum := remote.Summary()
		p := NewPeeler(a.Sketch(), count)
		resolved, _, _, err := askAll(p, remote)
		if err != nil || !resolved {
			t.Fatalf("resolved %v, error %v", resolved, err)
		}
		d := p.Result()
		if want := prefixes(base+common, onlyA); !slices.Equal(d.OnlyLocal, want) {
			t.Fatalf("%d only local, want %d", len(d.OnlyLocal), len(want))
		}
		if want := prefixes(base+common+onlyA, onlyB); !slices.Equal(d.OnlyRemote, want) {
			t.Fatalf("%d only remote, want %d", len(d.OnlyRemote), len(want))
		}
		// What a session checks in the end: ours less the pushed plus the received
		// is what the sketch stood for.
		n, s := a.Summary()
		for i := range onlyA {
			n, s = n-1, s.Sub(idOf(base+common+i))
		}
		for i := range onlyB {
			n, s = n+1, s.Add(idOf(base+common+onlyA+i))
		}
		if n != count || s != sum {
			t.Fatal("the difference does not lead from one set to the other")
		}
	})
}

// prefixes are the sketch's names of n ids, in order.
func prefixes(from, n uint64) [][16]byte {
	var out [][16]byte
	for i := range n {
		out = append(out, prefix(idOf(from+i)))
	}
	slices.SortFunc(out, func(a, b [16]byte) int { return slices.Compare(a[:], b[:]) })
	return out
}

func TestFirstAsk(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		local, remote uint64
		want          int
	}{
		{0, 0, 32}, {10, 10, 32}, {0, 21, 32}, {0, 22, 33}, {23, 0, 35}, {1000, 2000, 1364},
		{0, 6020, 8191}, {0, 6021, 8192}, {0, 1 << 63, 8192}, {1<<64 - 1, 0, 8192},
	} {
		if got := FirstAsk(c.local, c.remote); got != c.want {
			t.Errorf("counts %d and %d: %d symbols, want %d", c.local, c.remote, got, c.want)
		}
	}
}

// The symbols asked for, not only those needed, stay near the difference, whether
// the counts give its size or not. At a million ids a symbol has 26 to 27 bytes,
// so that 149 are 4 kB.
func TestAskedSymbolsStayNearTheDifference(t *testing.T) {
	t.Parallel()
	const trials = 50
	for _, c := range []struct {
		remote, local uint64
		symbols, asks float64 // at most, on average
	}{
		{1, 0, 32, 1}, {10, 0, 33, 1.1}, {5, 5, 33, 1.1}, {100, 0, 150, 2}, {0, 100, 150, 2}, {1000, 0, 1420, 2.2}, {5000, 0, 7000, 2},
		{50, 50, 150, 6.5}, {75, 25, 150, 6}, {500, 500, 1430, 7},
	} {
		symbols, asks := 0, 0
		for trial := range uint64(trials) {
			remote := sketchOf(trial<<32, c.remote)
			p := NewPeeler(sketchOf(trial<<32|1<<31, c.local), c.remote)
			resolved, _, n, err := askAll(p, remote)
			if !resolved || err != nil {
				t.Fatalf("%d and %d: resolved %v, error %v", c.remote, c.local, resolved, err)
			}
			symbols += len(p.cells)
			asks += n
		}
		if s, a := float64(symbols)/trials, float64(asks)/trials; s > c.symbols || a > c.asks {
			t.Errorf("%d and %d: %.1f symbols in %.1f asks", c.remote, c.local, s, a)
		}
	}
}

// The estimate is right on average and as wrong as it says, however the difference
// is divided; and it gives at least what the counts give.
func TestSpreadEstimatesTheDifference(t *testing.T) {
	t.Parallel()
	const trials, n = 100, 200
	for _, c := range [][2]uint64{{100, 100}, {200, 0}, {30, 170}, {500, 500}} {
		total, square, err := 0.0, 0.0, 0.0
		for trial := range uint64(trials) {
			remote, local := sketchOf(trial<<32, c[0]), sketchOf(trial<<32|1<<31, c[1])
			var s spread
			for i := range n {
				s.add(i, remote.cells[i].count-local.cells[i].count)
			}
			var d float64
			if d, err = s.size(n); d < float64(s.surplus()) {
				t.Errorf("%v: %.0f, below the surplus", c, d)
			}
			d = s.sum/(n-1)/float64(c[0]+c[1]) - 1
			total, square = total+d, square+d*d
		}
		if mean := total / trials; mean < -0.03 || mean > 0.03 {
			t.Errorf("%v: off by %.3f on average", c, mean)
		}
		if dev := math.Sqrt(square / trials); dev < 0.8*err || dev > 1.4*err {
			t.Errorf("%v: deviation %.3f, said is %.3f", c, dev, err)
		}
	}
}

// Two symbols that differ by one item yield it, whichever of the two has it and
// whichever side it is of. Each of the items lies in symbol 0 and a few others.
func TestPairFindsTheItemTwoSymbolsDifferBy(t *testing.T) {
	t.Parallel()
	for _, side := range []int64{1, -1} {
		for _, inFirst := range []bool{true, false} {
			x, y, z := prefix(idOf(0)), prefix(idOf(1)), prefix(idOf(2))
			p := &Peeler{local: new(Sketch), cells: make([]cell, 3), seen: make(map[[16]byte]struct{})}
			// Item 0 lies in symbols 0 and 2, but not in 1.
			with, without := 0, 1
			if !inFirst {
				with, without = 2, 1
			}
			for _, i := range []int{with, without} {
				p.cells[i].mix(y, check(y), 1)
				p.cells[i].mix(z, check(z), -1)
			}
			p.cells[with].mix(x, check(x), side)
			found, err := p.pair()
			if !found || err != nil || len(p.found) != 1 || p.found[0].item != x || p.found[0].side != side {
				t.Fatalf("side %d in symbol %d: found %v, error %v: %+v", side, with, found, err, p.found)
			}
		}
	}
}

// Pairs cost a bounded number of checks, however many symbols are left.
func TestPairsAreBounded(t *testing.T) {
	t.Parallel()
	fill := func(n int) *Peeler {
		p := &Peeler{local: new(Sketch), cells: make([]cell, n), seen: make(map[[16]byte]struct{})}
		for i := range p.cells {
			p.cells[i] = cell{item: prefix(idOf(uint64(i))), check: 1, count: int64(2 + i%2)}
		}
		return p
	}
	p := fill(maxPaired + 1)
	if found, err := p.pair(); found || err != nil || p.checks != 0 {
		t.Errorf("%d symbols left: found %v, error %v, %d checks", maxPaired+1, found, err, p.checks)
	}
	p = fill(maxPaired)
	for range 2 * maxChecks / (maxPaired * maxPaired / 4) {
		if found, err := p.pair(); found || err != nil {
			t.Fatalf("found %v, error %v", found, err)
		}
	}
	if p.checks != maxChecks {
		t.Errorf("%d checks, the limit is %d", p.checks, maxChecks)
	}
}

// sketchOf is the sketch of n items, without a set.
func sketchOf(from, n uint64) *Sketch {
	k := &Sketch{count: n}
	for i := range n {
		toggle(k.cells[:], prefix(idOf(from+i)))
	}
	return k
}

// More differences than the sketch has room for are seen early.
func TestPeelGivesUp(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		remote, local uint64
		symbols       int // at most
	}{{4000, 4000, 2048}, {10_000, 10_000, 128}, {8191, 1, MaxSymbols}} {
		remote := sketchOf(0, c.remote)
		p := NewPeeler(sketchOf(1<<32, c.local), remote.count)
		resolved, _, _, err := askAll(p, remote)
		if resolved || err != nil {
			t.Fatalf("%d and %d differences: resolved %v, error %v", c.remote, c.local, resolved, err)
		}
		if len(p.cells) > c.symbols {
			t.Errorf("%d and %d differences: %d symbols, at most %d are due", c.remote, c.local, len(p.cells), c.symbols)
		}
		if from, n := p.Next(); from != len(p.cells) || n != 0 {
			t.Errorf("next ask is %d from %d", n, from)
		}
	}
}

// A peer that answers without end and never resolves gets no more requests than these.
func TestPeelAsksEnd(t *testing.T) {
	t.Parallel()
	remote := sketchOf(0, 40)
	for i := range remote.cells {
		remote.cells[i].check++ // no check ever fits
	}
	p := NewPeeler(new(Sketch), 40)
	resolved, _, asks, err := askAll(p, remote)
	if resolved || err != nil || len(p.cells) != MaxSymbols || asks > 170 {
		t.Fatalf("resolved %v, error %v, %d symbols in %d asks", resolved, err, len(p.cells), asks)
	}
}

func TestAddRefusesWhatWasNotAsked(t *testing.T) {
	t.Parallel()
	remote := setOf(itemsOf(0, 100)).Sketch()
	local := NewSet().Sketch()
	good, err := remote.Symbols(0, 140)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		from int
		syms []byte
	}{
		"another place": {1, good},
		"one too few":   {0, good[:len(good)-25]},
		"cut":           {0, good[:len(good)-1]},
		"trailing byte": {0, append(slices.Clone(good), 0)},
		"nothing":       {0, nil},
	} {
		p := NewPeeler(local, 100)
		if resolved, err := p.Add(c.from, c.syms); err == nil || resolved {
			t.Errorf("%s: resolved %v, error %v", name, resolved, err)
		}
	}
	p := NewPeeler(local, 100)
	if resolved, err := p.Add(0, good); !resolved || err != nil {
		t.Fatalf("resolved %v, error %v", resolved, err)
	}
	if _, err := p.Add(140, good); err == nil {
		t.Error("symbols are taken after the end")
	}
}

// A peer that leaves an item out of one of its symbols makes it come back with
// the other sign, which without a guard is peeled in and out for ever.
func TestPeelStopsOnAnItemThatComesBack(t *testing.T) {
	t.Parallel()
	remote := setOf(itemsOf(0, 1)).Sketch()
	forged := *remote
	forged.cells[2] = cell{} // item 0 belongs here
	p := NewPeeler(NewSet().Sketch(), 1)
	syms, err := forged.Symbols(0, 32)
	if err != nil {
		t.Fatal(err)
	}
	resolved, err := p.Add(0, syms)
	if resolved || !errors.Is(err, ErrContradiction) {
		t.Fatalf("resolved %v, error %v", resolved, err)
	}
	if _, n := p.Next(); n != 0 {
		t.Error("asks on after an error")
	}
}

// A lone item in a symbol it does not belong to is not believed.
func TestPeelIgnoresAnItemInAForeignSymbol(t *testing.T) {
	t.Parallel()
	x := prefix(idOf(0)) // lies in 0 2 6 9 10 …
	forged := new(Sketch)
	forged.cells[1] = cell{item: x, check: check(x), count: 1}
	p := NewPeeler(NewSet().Sketch(), 1)
	resolved, _, _, err := askAll(p, forged)
	if resolved || err != nil || len(p.Result().OnlyRemote) > 0 {
		t.Fatalf("resolved %v, error %v, found %d", resolved, err, len(p.Result().OnlyRemote))
	}
}

// Symbols with lone items everywhere, all of them real and none consistent, are
// the most work a peer can cause. It has to end, with no more items than symbols.
func TestPeelIsBoundedOnForgedSymbols(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		forged := new(Sketch)
		for range 6000 {
			x := prefix(idOf(rnd.Uint64()))
			var at []uint64
			for w := newWalk(check(x)); w.i < MaxSymbols; w.step() {
				at = append(at, w.i)
			}
			forged.cells[at[rnd.IntN(len(at))]] = cell{item: x, check: check(x), count: 1}
		}
		p := NewPeeler(NewSet().Sketch(), 0)
		if resolved, _, _, _ := askAll(p, forged); resolved {
			t.Fatal("forged symbols resolve")
		}
		if len(p.found) > len(p.cells) {
			t.Fatalf("%d items from %d symbols", len(p.found), len(p.cells))
		}
	}
}
