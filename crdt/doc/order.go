package doc

import (
	"bytes"
	"container/heap"
	"slices"
)

// Edit is one doc.edit of a document.
type Edit struct {
	HLC   uint64   // hybrid time of its change
	ID    [32]byte // id of its change
	Chunk *Chunk

	// Cut marks an edit that a cut excludes. It counts all the same when an
	// edit that is not cut builds on it, directly or not: nobody loses work
	// because a co-author was removed.
	Cut bool
}

// Order finds which edits of one document have effect. It is a pure function
// of the set of edits: the order of the slice means nothing, and the slice is
// not changed.
//
// ordered are the edits with effect, each after those it builds on, ties by
// (HLC, ID). heads are the hashes nothing in ordered builds on, ascending.
// waiting are edits, by (HLC, ID), that build on a chunk which is not here.
//
// An edit in neither list has no effect and never will with this set: it is cut
// and nothing builds on it; it repeats a chunk or a place of its author; it
// does not continue its author's edits by seq, or the operation counters of
// what it builds on; it refers to an object, element or value that does not
// exist; it would carry the document over a limit; or it builds on such an
// edit. A limit counts edit by edit: a later, smaller one may still fit.
func Order(edits []Edit) (ordered []Edit, heads [][32]byte, waiting []Edit) {
	nodes := link(edits)
	var ready queue
	for _, n := range nodes {
		switch {
		case !n.complete:
			if !n.Cut {
				waiting = append(waiting, n.Edit)
			}
		case n.wanted && n.open == 0:
			ready = append(ready, n)
		}
	}
	heap.Init(&ready)
	d := document{refs: newRefs(), seq: make(map[[16]byte]*node)}
	var chunks []*Chunk
	for len(ready) > 0 {
		n := heap.Pop(&ready).(*node)
		if d.admit(n) {
			ordered = append(ordered, n.Edit)
			chunks = append(chunks, n.Chunk)
		}
		for _, next := range n.next {
			if next.open--; next.open == 0 && next.wanted {
				heap.Push(&ready, next)
			}
		}
	}
	return ordered, Heads(chunks), waiting
}

// node is an edit among the others.
type node struct {
	Edit
	deps     []*node // those present
	next     []*node // those that build on it
	open     int     // deps not yet decided
	complete bool    // every chunk it builds on, directly or not, is here
	wanted   bool    // not cut, or an edit that is complete and not cut builds on it
	effect   bool
	maxOp    uint64 // the highest operation counter up to here
}

// link makes the graph: one node for each chunk, by (HLC, ID).
func link(edits []Edit) []*node {
	sorted := slices.Clone(edits)
	slices.SortFunc(sorted, compare)
	byHash := make(map[[32]byte]*node, len(sorted))
	nodes := make([]*node, 0, len(sorted))
	for _, e := range sorted {
		if n := byHash[e.Chunk.Hash]; n != nil {
			// The same chunk in another change: the first stands for both.
			n.Cut = n.Cut && e.Cut
			continue
		}
		n := &node{Edit: e}
		byHash[e.Chunk.Hash] = n
		nodes = append(nodes, n)
	}
	for _, n := range nodes {
		n.open = len(n.Chunk.Deps)
		for _, h := range n.Chunk.Deps {
			if d := byHash[h]; d != nil {
				n.deps = append(n.deps, d)
				d.next = append(d.next, n)
			}
		}
	}
	spread(nodes)
	return nodes
}

// spread marks what is complete, forwards from the edits without parents, and
// what is wanted, backwards from the edits that are not cut.
func spread(nodes []*node) {
	missing := make(map[*node]int, len(nodes))
	var order []*node
	for _, n := range nodes {
		if missing[n] = len(n.Chunk.Deps); missing[n] == 0 {
			order = append(order, n)
		}
	}
	for i := 0; i < len(order); i++ {
		order[i].complete = true
		for _, next := range order[i].next {
			if missing[next]--; missing[next] == 0 {
				order = append(order, next)
			}
		}
	}
	for _, n := range slices.Backward(order) {
		n.wanted = n.wanted || !n.Cut
		if n.wanted {
			for _, d := range n.deps {
				d.wanted = true
			}
		}
	}
}

// document is what the edits admitted so far add up to.
type document struct {
	refs  *refs
	seq   map[[16]byte]*node // the last admitted edit of each actor
	edits int
	bytes int
	ops   int // as MaxDocOps counts
}

// admit decides whether n has effect and counts it if so.
func (d *document) admit(n *node) bool {
	c := n.Chunk
	last := d.seq[c.Actor]
	follows := last == nil && c.Seq == 1
	for _, dep := range n.deps {
		if !dep.effect {
			return false
		}
		n.maxOp = max(n.maxOp, dep.maxOp)
		if dep == last && c.Seq == last.Chunk.Seq+1 {
			follows = true
		}
	}
	// Automerge numbers an operation one above all it has seen and lets an
	// author build on its own last change. Holding edits to that keeps
	// counters dense: nobody can use up the numbers of a document.
	if !follows || c.StartOp != n.maxOp+1 {
		return false
	}
	n.maxOp += c.Ops
	if d.edits+1 > MaxEdits || d.bytes+len(c.Raw) > MaxDocBytes {
		return false
	}
	cost, ok := d.applyOps(c)
	if !ok {
		d.refs.rollback()
		return false
	}
	d.refs.commit()
	d.edits++
	d.bytes += len(c.Raw)
	d.ops += cost
	d.seq[c.Actor] = n
	n.effect = true
	return true
}

// applyOps applies the operations of c and returns what they cost of
// MaxDocOps. It reports false when one refers to what is not there or
// the document would grow over a limit.
func (d *document) applyOps(c *Chunk) (cost int, ok bool) {
	r := c.ops()
	var o op
	for {
		more, err := r.next(&o)
		if err != nil {
			return 0, false
		}
		if !more {
			return cost, d.refs.text <= MaxText
		}
		cost += 1 + len(o.preds)
		if o.action.makes() {
			cost += objectCost
		}
		if d.ops+cost > MaxDocOps || d.refs.apply(c, &o, false) != nil {
			return 0, false
		}
	}
}

// compare orders edits by (HLC, ID).
func compare(a, b Edit) int {
	if a.HLC != b.HLC {
		if a.HLC < b.HLC {
			return -1
		}
		return 1
	}
	return bytes.Compare(a.ID[:], b.ID[:])
}

// queue is a heap of nodes, the first by (HLC, ID) on top.
type queue []*node

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return compare(q[i].Edit, q[j].Edit) < 0 }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(*node)) }
func (q *queue) Pop() any {
	old := *q
	n := old[len(old)-1]
	*q = old[:len(old)-1]
	return n
}
