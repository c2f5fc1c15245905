package recon

import (
	"math/big"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

func TestSumIsAdditionModulo2To256(t *testing.T) {
	t.Parallel()
	modulus := new(big.Int).Lsh(big.NewInt(1), 256)
	number := func(b [32]byte) *big.Int {
		slices.Reverse(b[:])
		return new(big.Int).SetBytes(b[:])
	}
	rapid.Check(t, func(t *rapid.T) {
		var sum Sum
		want := new(big.Int)
		for range rapid.IntRange(0, 20).Draw(t, "n") {
			raw := rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 0x7f, 0x80, 0xff}), 32, 32).Draw(t, "id")
			id := [32]byte(raw)
			if rapid.Bool().Draw(t, "add") {
				sum = sum.Add(id)
				want.Add(want, number(id))
			} else {
				sum = sum.Sub(id)
				want.Sub(want, number(id))
			}
		}
		if want.Mod(want, modulus).Cmp(number(sum)) != 0 {
			t.Fatalf("sum is %x, want %x", number(sum), want)
		}
	})
}

func TestInfinityIsNeverAMember(t *testing.T) {
	t.Parallel()
	end := Item{HLC: infinity, ID: idOf(1)}
	s := setOf(itemsOf(0, 10))
	if s.Insert(end) || s.InsertBatch([]Item{end, end}) != 0 || s.Has(end) || s.Len() != 10 {
		t.Fatalf("an item at infinity got in: %d items", s.Len())
	}
	if NewSet().InsertBatch([]Item{end}) != 0 {
		t.Fatal("an item at infinity got into an empty set")
	}
}

func TestAfterPagesThroughTheWholeSet(t *testing.T) {
	t.Parallel()
	items := itemsOf(0, 5000)
	s := setOf(items)
	var got []Item
	var last Item
	for {
		page := s.After(last, 4096)
		got = append(got, page...)
		if len(page) < 4096 {
			break
		}
		last = page[len(page)-1]
	}
	if !slices.Equal(got, items) {
		t.Fatalf("pages hold %d items, want %d", len(got), len(items))
	}
	for _, n := range []int{0, -1} {
		if page := s.After(Item{}, n); page != nil {
			t.Errorf("a page of %d has %d items", n, len(page))
		}
	}
}

// Readers and a writer at once: every answer has to be that of one moment. Run
// with -race.
func TestReadersSeeOneMoment(t *testing.T) {
	t.Parallel()
	items := itemsOf(0, sketchFrom+100)
	s := setOf(items[:sketchFrom-100])
	var wg sync.WaitGroup
	wg.Go(func() {
		for _, it := range items[sketchFrom-100:] {
			s.Insert(it)
		}
	})
	for range 2 {
		wg.Go(func() {
			for n := 0; n < len(items); {
				k := s.Sketch()
				count, sum := k.Summary()
				if k.cells[0].count != int64(count) {
					t.Errorf("sketch of %d ids says %d", k.cells[0].count, count)
					return
				}
				var want Sum
				page := s.After(Item{}, int(count))
				for i := range page {
					want = want.Add(page[i].ID)
				}
				if sum != want {
					t.Errorf("sum of %d ids is another", count)
					return
				}
				if _, err := Respond(s, NewInitiator(s, MaxFrame).Start(), MaxFrame); err != nil {
					t.Error(err)
					return
				}
				n = int(count)
			}
		})
	}
	wg.Wait()
}
