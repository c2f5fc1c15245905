package recon

import "sync"

// Set is a growing set of items with the summaries that reconciliation asks for.
// Any number of goroutines may read it while one writes; further writers wait.
type Set struct {
	mu   sync.RWMutex // guards everything below
	tree tree

	// kept is the sketch of a set of sketchFrom items or more and contains exactly
	// the items of tree; a smaller set has none.
	kept *[MaxSymbols]cell
}

// NewSet returns an empty set.
func NewSet() *Set { return &Set{tree: newTree()} }

// Insert adds it, in O(log n), and reports whether it was absent. An item at
// infinity (HLC 2^64-1) is never a member: Insert leaves it out and returns false.
func (s *Set) Insert(it Item) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.insert(it)
}

// InsertBatch adds items, in any order and with duplicates, and returns how many
// were absent. Ascending items beyond the end of the set are cheapest: they are
// laid down a leaf at a time. Readers wait until the whole batch is in.
func (s *Set) InsertBatch(items []Item) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	added := 0
	for len(items) > 0 {
		if run := s.tree.runLength(items); run > 0 {
			s.tree.appendRun(items[:run])
			s.sketch(items[:run])
			added += run
			items = items[run:]
			continue
		}
		if s.insert(items[0]) {
			added++
		}
		items = items[1:]
	}
	return added
}

func (s *Set) insert(it Item) bool {
	if it.HLC == infinity || !s.tree.insert(it) {
		return false
	}
	s.sketch([]Item{it})
	return true
}

// sketch takes items that have just entered the tree into the kept sketch, or
// starts to keep one when the set has become large enough.
func (s *Set) sketch(items []Item) {
	switch {
	case s.kept != nil:
		for i := range items {
			toggle(s.kept[:], prefix(items[i].ID))
		}
	case s.tree.root.count >= sketchFrom:
		s.kept = new([MaxSymbols]cell)
		s.tree.ascend(0, func(it *Item) bool {
			toggle(s.kept[:], prefix(it.ID))
			return true
		})
	}
}

// Has reports whether it is a member.
func (s *Set) Has(it Item) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	rank := s.tree.seek(it).rank
	return rank < s.tree.root.count && s.tree.item(rank) == it
}

// Len returns the number of members.
func (s *Set) Len() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.tree.root.count
}

// Summary returns the number of members and the sum of their ids, of the same moment.
func (s *Set) Summary() (count uint64, sum Sum) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return uint64(s.tree.root.count), s.tree.root.sum
}

// FP returns the number of members and the fingerprint of the whole set. Two sets
// with equal answers are equal.
func (s *Set) FP() (count uint64, fp [16]byte) {
	count, sum := s.Summary()
	return count, sum.FP(count)
}

// After returns the next members in order that come strictly after it, max at
// most. The zero Item starts at the beginning. The slice is the caller's.
func (s *Set) After(it Item, max int) []Item {
	s.mu.RLock()
	defer s.mu.RUnlock()
	rank := s.tree.seek(it).rank
	if rank < s.tree.root.count && s.tree.item(rank) == it {
		rank++
	}
	n := min(max, s.tree.root.count-rank)
	if n <= 0 {
		return nil
	}
	items := make([]Item, 0, n)
	s.tree.ascend(rank, func(it *Item) bool {
		items = append(items, *it)
		return len(items) < n
	})
	return items
}

// Sketch returns the sketch of the set as it is now, with its count and sum. What
// enters the set later is not in it. It costs a copy of 256 KiB; in a set of up
// to 4,096 items it is computed, in a few microseconds an item.
func (s *Set) Sketch() *Sketch {
	s.mu.RLock()
	k := &Sketch{count: uint64(s.tree.root.count), sum: s.tree.root.sum}
	if s.kept != nil {
		k.cells = *s.kept
		s.mu.RUnlock()
		return k
	}
	items := make([][16]byte, 0, s.tree.root.count)
	s.tree.ascend(0, func(it *Item) bool {
		items = append(items, prefix(it.ID))
		return true
	})
	s.mu.RUnlock()
	for _, x := range items {
		toggle(k.cells[:], x)
	}
	return k
}
