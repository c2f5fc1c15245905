package recon

import (
	"slices"
)

// tree is a B+ tree of items that only grows. Every entry of a branch carries the
// count and the sum of what lies below it, so the sum of any prefix of the order
// is found on one way down.
//
// Invariants, recomputed from a sorted slice by TestTreeMatchesSortedSlice:
//   - items are strictly ascending from left to right;
//   - entry.low, count and sum are those of the items below the entry;
//   - only the leaves and branches on the right edge may be less than half full,
//     because appending leaves full nodes behind instead of splitting in the middle.
type tree struct {
	root entry
	last Item // the greatest item; the zero Item, which is before every other, while the tree is empty
}

// entry is a subtree and what there is to know of it without going down.
type entry struct {
	low   Item // the smallest item below
	count int
	sum   Sum
	child *node
}

// node is a leaf when kids is nil, otherwise a branch.
type node struct {
	items []Item
	kids  []entry
}

// mark is a place in the order: how many items lie before it, and their sum.
type mark struct {
	rank int
	sum  Sum
}

func newTree() tree { return tree{root: entry{child: &node{}}} }

// insert adds it and reports whether it was absent.
func (t *tree) insert(it Item) bool {
	right, added := t.root.insert(it, true)
	if !added {
		return false
	}
	t.grow(right)
	if it.Compare(t.last) > 0 {
		t.last = it
	}
	return true
}

// runLength is the number of leading items that appendRun may take: strictly
// ascending, all after the last item of the tree, no more than a leaf takes.
func (t *tree) runLength(items []Item) int {
	prev, bounded := t.last, t.root.count > 0
	n := 0
	for n < len(items) && n < leafItems && items[n].HLC != infinity {
		if bounded && items[n].Compare(prev) <= 0 {
			break
		}
		prev, bounded = items[n], true
		n++
	}
	return n
}

// appendRun adds a run as runLength measures it.
func (t *tree) appendRun(run []Item) {
	var total Sum
	for i := range run {
		total = total.Add(run[i].ID)
	}
	t.grow(t.root.appendRun(run, total))
	t.last = run[len(run)-1]
}

// grow puts a new root over the old one and the sibling that split off it.
func (t *tree) grow(right *entry) {
	if right == nil {
		return
	}
	kids := append(make([]entry, 0, 4), t.root, *right)
	t.root = branchEntry(kids)
}

// insert adds it below e. It returns the subtree that split off to the right, or
// nil, and whether it was absent. edge says that e lies on the right edge.
func (e *entry) insert(it Item, edge bool) (right *entry, added bool) {
	n := e.child
	if n.kids != nil {
		i := n.kidFor(it)
		right, added = n.kids[i].insert(it, edge && i == len(n.kids)-1)
		if !added {
			return nil, false
		}
		e.count++
		e.sum = e.sum.Add(it.ID)
		e.low = n.kids[0].low
		return e.adopt(i+1, right, edge), true
	}
	i, found := slices.BinarySearchFunc(n.items, it, Item.Compare)
	if found {
		return nil, false
	}
	e.count++
	e.sum = e.sum.Add(it.ID)
	if i == 0 {
		e.low = it
	}
	if len(n.items) < leafItems {
		n.items = insertItem(n.items, i, it)
		return nil, true
	}
	if edge && i == leafItems {
		return e.without(leafEntry([]Item{it})), true
	}
	const half = leafItems / 2
	rest := n.items[half:]
	if i > half {
		rest = insertItem(slices.Clone(rest), i-half, it)
		n.items = cloneItems(n.items[:half])
	} else {
		n.items = insertItem(cloneItems(n.items[:half]), i, it)
	}
	return e.without(leafEntry(rest)), true
}

// appendRun adds a run whose sum is total at the right edge below e and returns
// the subtree that split off to the right, or nil.
func (e *entry) appendRun(run []Item, total Sum) (right *entry) {
	n := e.child
	if e.count == 0 {
		e.low = run[0]
	}
	e.count += len(run)
	e.sum = e.sum.Add(total)
	if n.kids != nil {
		i := len(n.kids) - 1
		return e.adopt(i+1, n.kids[i].appendRun(run, total), true)
	}
	room := min(leafItems-len(n.items), len(run))
	if need := len(n.items) + room; need > cap(n.items) {
		n.items = append(make([]Item, 0, roundUp(need)), n.items...)
	}
	n.items = append(n.items, run[:room]...)
	if room == len(run) {
		return nil
	}
	return e.without(leafEntry(run[room:]))
}

// adopt takes right, a subtree that split off a child of e, as child i. It
// returns what splits off e in turn, or nil.
func (e *entry) adopt(i int, right *entry, edge bool) *entry {
	if right == nil {
		return nil
	}
	n := e.child
	n.kids = slices.Insert(n.kids, i, *right)
	if len(n.kids) <= branchKids {
		return nil
	}
	cut := len(n.kids) / 2
	if edge && i == len(n.kids)-1 {
		cut = i
	}
	split := branchEntry(slices.Clone(n.kids[cut:]))
	n.kids = slices.Clone(n.kids[:cut])
	return e.without(split)
}

// without takes from e's totals what went to right, and returns right.
func (e *entry) without(right entry) *entry {
	e.count -= right.count
	e.sum = e.sum.Sub(right.sum)
	return &right
}

// kidFor is the child in whose range it falls.
func (n *node) kidFor(it Item) int {
	i, found := slices.BinarySearchFunc(n.kids, it, func(e entry, it Item) int { return e.low.Compare(it) })
	if found || i == 0 {
		return i
	}
	return i - 1
}

// leafEntry makes a leaf of a copy of items.
func leafEntry(items []Item) entry {
	e := entry{low: items[0], count: len(items), child: &node{items: cloneItems(items)}}
	for i := range items {
		e.sum = e.sum.Add(items[i].ID)
	}
	return e
}

// branchEntry makes a branch that owns kids.
func branchEntry(kids []entry) entry {
	e := entry{low: kids[0].low, child: &node{kids: kids}}
	for i := range kids {
		e.count += kids[i].count
		e.sum = e.sum.Add(kids[i].sum)
	}
	return e
}

// seek is the place before the first item that is not before key.
func (t *tree) seek(key Item) mark {
	var m mark
	e := &t.root
	for e.child.kids != nil {
		i := e.child.kidFor(key)
		m.pass(e.child.kids[:i])
		e = &e.child.kids[i]
	}
	i, _ := slices.BinarySearchFunc(e.child.items, key, Item.Compare)
	return e.within(m, i)
}

// at is the place before the item of that rank; rank may be the count.
func (t *tree) at(rank int) mark {
	var m mark
	e := &t.root
	for e.child.kids != nil {
		i := e.child.kidAt(rank - m.rank)
		m.pass(e.child.kids[:i])
		e = &e.child.kids[i]
	}
	return e.within(m, rank-m.rank)
}

// within moves m, which stands before the leaf e, over its first n items. It
// counts from the nearer end.
func (e *entry) within(m mark, n int) mark {
	items := e.child.items
	m.rank += n
	if n <= len(items)/2 {
		for i := range items[:n] {
			m.sum = m.sum.Add(items[i].ID)
		}
		return m
	}
	m.sum = m.sum.Add(e.sum)
	for i := n; i < len(items); i++ {
		m.sum = m.sum.Sub(items[i].ID)
	}
	return m
}

// pass moves m over whole subtrees.
func (m *mark) pass(kids []entry) {
	for i := range kids {
		m.rank += kids[i].count
		m.sum = m.sum.Add(kids[i].sum)
	}
}

// kidAt is the child that contains the item of that rank below n, the last one when
// there is none.
func (n *node) kidAt(rank int) int {
	i := 0
	for i < len(n.kids)-1 && rank >= n.kids[i].count {
		rank -= n.kids[i].count
		i++
	}
	return i
}

// end is the place after all items.
func (t *tree) end() mark { return mark{rank: t.root.count, sum: t.root.sum} }

// item is the item of a rank below the count.
func (t *tree) item(rank int) Item {
	n := t.root.child
	for n.kids != nil {
		i := n.kidAt(rank)
		for _, e := range n.kids[:i] {
			rank -= e.count
		}
		n = n.kids[i].child
	}
	return n.items[rank]
}

// ascend calls f with the items from rank on, in order, until f returns false.
func (t *tree) ascend(rank int, f func(it *Item) bool) { t.root.child.ascend(rank, f) }

func (n *node) ascend(rank int, f func(it *Item) bool) bool {
	for i := rank; i < len(n.items); i++ {
		if !f(&n.items[i]) {
			return false
		}
	}
	for i := range n.kids {
		if k := &n.kids[i]; rank < k.count {
			if !k.child.ascend(rank, f) {
				return false
			}
			rank = 0
		} else {
			rank -= k.count
		}
	}
	return true
}

// insertItem puts it at place i, growing items by leafStep and not by doubling,
// which would leave a quarter of the set's memory unused.
func insertItem(items []Item, i int, it Item) []Item {
	if len(items) == cap(items) {
		items = append(make([]Item, 0, roundUp(len(items)+1)), items...)
	}
	return slices.Insert(items, i, it)
}

func cloneItems(items []Item) []Item {
	return append(make([]Item, 0, roundUp(len(items))), items...)
}

// roundUp is n rounded up to a multiple of leafStep.
func roundUp(n int) int { return (n + leafStep - 1) / leafStep * leafStep }
