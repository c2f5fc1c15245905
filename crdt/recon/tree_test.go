package recon

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// verify recomputes what the tree keeps and reports the first thing that is off.
func (t *tree) verify() error {
	var prev *Item
	if err := t.root.verify(&prev, true); err != nil {
		return err
	}
	if prev != nil && *prev != t.last {
		return fmt.Errorf("last item is %v, kept %v", *prev, t.last)
	}
	return nil
}

func (e *entry) verify(prev **Item, edge bool) error {
	n := e.child
	var count int
	var sum Sum
	for i := range n.items {
		if *prev != nil && (*prev).Compare(n.items[i]) >= 0 {
			return fmt.Errorf("item %v follows %v", n.items[i], **prev)
		}
		*prev = &n.items[i]
		count++
		sum = sum.Add(n.items[i].ID)
	}
	for i := range n.kids {
		k := &n.kids[i]
		if err := k.verify(prev, edge && i == len(n.kids)-1); err != nil {
			return err
		}
		count += k.count
		sum = sum.Add(k.sum)
	}
	if count != e.count || sum != e.sum {
		return fmt.Errorf("subtree of %d has count %d", count, e.count)
	}
	if len(n.items) > leafItems || len(n.kids) > branchKids {
		return fmt.Errorf("node of %d items, %d children is too large", len(n.items), len(n.kids))
	}
	if !edge && len(n.items) < leafItems/2 && len(n.kids) < branchKids/2 {
		return fmt.Errorf("node of %d items, %d children is too small", len(n.items), len(n.kids))
	}
	if n.kids != nil && e.low != n.kids[0].low || len(n.items) > 0 && e.low != n.items[0] {
		return fmt.Errorf("low is %v", e.low)
	}
	return nil
}

// smallItem draws from few times and few ids, so that items meet.
func smallItem(t *rapid.T, times uint64) Item {
	it := Item{HLC: rapid.Uint64Range(0, times).Draw(t, "hlc")}
	k := rapid.Uint32Range(0, 1<<12).Draw(t, "id")
	binary.BigEndian.PutUint32(it.ID[:], k<<18)
	it.ID[31] = byte(k)
	return it
}

func TestTreeMatchesSortedSlice(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		set := NewSet()
		var twin []Item
		insert := func(it Item) bool {
			i, found := slices.BinarySearchFunc(twin, it, Item.Compare)
			if !found {
				twin = slices.Insert(twin, i, it)
			}
			return !found
		}
		times := rapid.Uint64Range(0, 1<<20).Draw(t, "times")
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			switch rapid.SampledFrom([]string{"one", "batch", "ascending", "descending"}).Draw(t, "step") {
			case "one":
				it := smallItem(t, times)
				if got, want := set.Insert(it), insert(it); got != want {
					t.Fatalf("insert %v: %v, want %v", it, got, want)
				}
			case "batch":
				// Cheap pseudo-random items: drawing thousands one by one is slow.
				seed := rapid.Uint64().Draw(t, "seed")
				items := make([]Item, rapid.IntRange(0, 1500).Draw(t, "n"))
				for i := range items {
					items[i] = Item{HLC: idWord(seed+uint64(i)) % (times + 1), ID: idOf((seed + uint64(i)) % 4096)}
				}
				added := 0
				for _, it := range items {
					if insert(it) {
						added++
					}
				}
				if got := set.InsertBatch(items); got != added {
					t.Fatalf("batch added %d, want %d", got, added)
				}
			case "ascending", "descending":
				from := rapid.Uint64Range(0, 1<<21).Draw(t, "from")
				n := rapid.Uint64Range(0, 2000).Draw(t, "n")
				items := make([]Item, n)
				for i := range items {
					items[i] = Item{HLC: from + uint64(i)/3, ID: idOf(uint64(i))}
				}
				slices.SortFunc(items, func(a, b Item) int { return b.Compare(a) })
				if rapid.Bool().Draw(t, "up") {
					slices.Reverse(items)
				}
				added := 0
				for _, it := range items {
					if insert(it) {
						added++
					}
				}
				if got := set.InsertBatch(items); got != added {
					t.Fatalf("run added %d, want %d", got, added)
				}
			}
			if err := set.tree.verify(); err != nil {
				t.Fatal(err)
			}
		}
		matches(t, set, twin)
	})
}

// idWord is a number without a pattern.
func idWord(k uint64) uint64 {
	id := idOf(k)
	return binary.LittleEndian.Uint64(id[:])
}

// matches compares every answer of set with that of a sorted slice.
func matches(t *rapid.T, set *Set, twin []Item) {
	if set.Len() != len(twin) {
		t.Fatalf("length %d, want %d", set.Len(), len(twin))
	}
	prefixes := make([]Sum, len(twin)+1)
	for i, it := range twin {
		prefixes[i+1] = prefixes[i].Add(it.ID)
	}
	if count, sum := set.Summary(); count != uint64(len(twin)) || sum != prefixes[len(twin)] {
		t.Fatalf("summary is %d, %x", count, sum)
	}
	for range 50 {
		key := smallItem(t, 1<<21)
		if len(twin) > 0 && rapid.Bool().Draw(t, "member") {
			key = twin[rapid.IntRange(0, len(twin)-1).Draw(t, "rank")]
		}
		i, found := slices.BinarySearchFunc(twin, key, Item.Compare)
		if m := set.tree.seek(key); m.rank != i || m.sum != prefixes[i] {
			t.Fatalf("seek %v: rank %d, want %d", key, m.rank, i)
		}
		if m := set.tree.at(i); m.rank != i || m.sum != prefixes[i] {
			t.Fatalf("at %d: rank %d", i, m.rank)
		}
		if i < len(twin) && set.tree.item(i) != twin[i] {
			t.Fatalf("item %d is %v", i, set.tree.item(i))
		}
		if set.Has(key) != found {
			t.Fatalf("has %v: %v", key, !found)
		}
		if found {
			i++
		}
		want := twin[i:min(len(twin), i+300)]
		if got := set.After(key, 300); !slices.Equal(got, want) {
			t.Fatalf("after %v: %d items, want %d", key, len(got), len(want))
		}
	}
	all := set.After(Item{}, len(twin)+1)
	if len(twin) > 0 && twin[0] == (Item{}) {
		twin = twin[1:]
	}
	if !slices.Equal(all, twin) {
		t.Fatal("items are not those of the slice")
	}
}
