package raster

import (
	"container/heap"
	"math/bits"
)

// bitWriter writes numbers of so many bits, the lowest first.
type bitWriter struct {
	out  []byte
	held uint64
	n    int
}

func (b *bitWriter) put(v uint32, size int) {
	b.held |= uint64(v) << b.n
	for b.n += size; b.n >= 8; b.n -= 8 {
		b.out = append(b.out, byte(b.held))
		b.held >>= 8
	}
}

func (b *bitWriter) bytes() []byte {
	if b.n > 0 {
		b.out = append(b.out, byte(b.held))
		b.held, b.n = 0, 0
	}
	return b.out
}

// prefixCode has a bit string for every symbol that occurs. A code of one symbol
// has an empty one.
type prefixCode struct {
	lengths []int
	words   []uint32 // in the order of the bits
}

func (b *bitWriter) symbol(c *prefixCode, s int) { b.put(c.words[s], c.lengths[s]) }

// simple writes a code that has one symbol below 256.
func (b *bitWriter) simple(symbol int) {
	b.put(1, 1) // simple
	b.put(0, 1) // one symbol
	b.put(1, 1) // of eight bits
	b.put(uint32(symbol), 8)
}

// order is the order in which the lengths of the code of lengths are written.
var order = [19]int{17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}

const (
	maxWord       = 15 // bits of a symbol
	maxLengthWord = 7  // bits of a length
)

// code makes a code for symbols that occur so often and writes it.
func (b *bitWriter) code(counts []int) prefixCode {
	var used []int
	for s, n := range counts {
		if n > 0 {
			used = append(used, s)
		}
	}
	if len(used) == 0 {
		used = []int{0}
	}
	if len(used) == 1 && used[0] < 256 {
		b.simple(used[0])
		return prefixCode{make([]int, len(counts)), make([]uint32, len(counts))}
	}
	c := wordsFor(counts, maxWord)
	b.put(0, 1)
	often := make([]int, 19)
	for _, n := range c.lengths {
		often[n]++
	}
	inner := wordsFor(often, maxLengthWord)
	last := len(order)
	for last > 4 && inner.given(often, order[last-1]) == 0 {
		last--
	}
	b.put(uint32(last-4), 4)
	for _, s := range order[:last] {
		b.put(uint32(inner.given(often, s)), 3)
	}
	b.put(0, 1) // lengths of all symbols follow
	for _, n := range c.lengths {
		b.symbol(&inner, n)
	}
	return c
}

// given is the length that is written of a symbol: 1 of one that stands alone,
// though nothing is written for it then.
func (c *prefixCode) given(counts []int, s int) int {
	if counts[s] > 0 {
		return max(c.lengths[s], 1)
	}
	return 0
}

// wordsFor is the canonical code that is best for symbols that occur so often, with
// words of at most so many bits.
func wordsFor(counts []int, most int) prefixCode {
	c := prefixCode{make([]int, len(counts)), make([]uint32, len(counts))}
	for least := 1; ; least *= 2 {
		if depths(counts, least, c.lengths) <= most {
			break
		}
	}
	var each [maxWord + 2]int
	for _, n := range c.lengths {
		if n > 0 {
			each[n+1]++
		}
	}
	var next [maxWord + 2]uint32
	word := uint32(0)
	for n := 1; n <= maxWord; n++ {
		word = (word + uint32(each[n])) << 1
		next[n] = word
	}
	for s, n := range c.lengths {
		if n > 0 {
			c.words[s] = bits.Reverse32(next[n]) >> (32 - n)
			next[n]++
		}
	}
	return c
}

// depths are the depths of the symbols in the tree of Huffman, none taken as
// rarer than least. It returns the greatest.
func depths(counts []int, least int, out []int) (deepest int) {
	clear(out)
	var h branches
	for s, n := range counts {
		if n > 0 {
			h = append(h, &branch{count: max(n, least), symbol: s})
		}
	}
	if len(h) < 2 {
		return 0
	}
	heap.Init(&h)
	for made := len(counts); len(h) > 1; made++ {
		x, y := heap.Pop(&h).(*branch), heap.Pop(&h).(*branch)
		heap.Push(&h, &branch{count: x.count + y.count, symbol: made, left: x, right: y})
	}
	var walk func(n *branch, depth int)
	walk = func(n *branch, depth int) {
		if n.left == nil {
			out[n.symbol] = depth
			deepest = max(deepest, depth)
			return
		}
		walk(n.left, depth+1)
		walk(n.right, depth+1)
	}
	walk(h[0], 0)
	return deepest
}

// branch is a node of the tree; its symbol decides between equal counts.
type branch struct {
	count, symbol int
	left, right   *branch
}

type branches []*branch

func (h branches) Len() int { return len(h) }

func (h branches) Less(i, j int) bool {
	return h[i].count < h[j].count || h[i].count == h[j].count && h[i].symbol < h[j].symbol
}

func (h branches) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

// Push implements heap.Interface.
func (h *branches) Push(x any) { *h = append(*h, x.(*branch)) }

// Pop implements heap.Interface.
func (h *branches) Pop() any {
	old := *h
	n := old[len(old)-1]
	*h = old[:len(old)-1]
	return n
}
