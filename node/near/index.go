package near

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
	"sync"

	"github.com/cespare/xxhash/v2"
)

const (
	perKey     = 8       // newest entries under one key
	maxFound   = 16      // entries an answer names
	maxEntries = 1 << 18 // of one generation: about 20 MB
	minSlots   = 64
)

// Owner is whose texts are compared with one another: an agent's public ones, or
// those in one team.
type Owner uint64

// OwnerOf makes an owner of an agent and a team, "" for what is public.
func OwnerOf(agent []byte, team string) Owner {
	return Owner(mix(xxhash.Sum64(agent) ^ mix(xxhash.Sum64String(team))))
}

// Index knows what was written within a window of time. Times are those of
// changes, opaque but that they grow; an entry is named by its time, which no
// other of its owner has. It is safe for concurrent use.
type Index struct {
	mu         sync.Mutex
	window     uint64
	young, old *generation // of which the older is dropped when the younger is full
}

// New returns an empty index for a window, in the units of times.
func New(window uint64) *Index {
	return &Index{window: window, young: &generation{}, old: &generation{}}
}

// Add remembers a text written at a time.
func (x *Index) Add(o Owner, at uint64, t Text) {
	keys := t.keys(uint64(o), false)
	x.mu.Lock()
	defer x.mu.Unlock()
	g := x.young
	if n := len(g.times); n >= maxEntries || n > 0 && at > g.times[0] && at-g.times[0] >= x.window {
		x.old, g = g, &generation{}
		x.young = g
	}
	g.times = append(g.times, at)
	for _, k := range keys {
		g.put(k, uint32(len(g.times)))
	}
}

// Find returns the times of entries that may be like t, of those since a time:
// likeliest first, maxFound at most.
func (x *Index) Find(o Owner, since uint64, t Text) []uint64 {
	keys := t.keys(uint64(o), true)
	shared := map[uint64]int{}
	x.mu.Lock()
	for _, g := range []*generation{x.young, x.old} {
		for _, k := range keys {
			for _, n := range g.get(k) {
				if at := g.times[n-1]; at >= since {
					shared[at]++
				}
			}
		}
	}
	x.mu.Unlock()
	out := make([]uint64, 0, len(shared))
	for at := range shared {
		out = append(out, at)
	}
	slices.SortFunc(out, func(a, b uint64) int { return cmp.Or(cmp.Compare(shared[b], shared[a]), cmp.Compare(b, a)) })
	return out[:min(len(out), maxFound)]
}

// generation is a table with open addresses: a slot has a key and, in its
// lower half, the number of an entry counted from 1. 0 is free.
type generation struct {
	times []uint64 // of entries, in the order they were added
	slots []uint64
	used  int
}

// place is where the search for a key begins.
func (g *generation) place(k key) int { return int(mix(uint64(k)) >> 32 * uint64(len(g.slots)) >> 32) }

func (g *generation) after(i int) int {
	if i++; i < len(g.slots) {
		return i
	}
	return 0
}

// get are the entries under a key.
func (g *generation) get(k key) []uint32 {
	if len(g.slots) == 0 {
		return nil
	}
	var out []uint32
	for i := g.place(k); g.slots[i] != 0; i = g.after(i) {
		if key(g.slots[i]>>32) == k {
			out = append(out, uint32(g.slots[i]))
		}
	}
	return out
}

// put enters the newest entry under a key, in the place of the oldest when there
// are perKey.
func (g *generation) put(k key, n uint32) {
	if (g.used+1)*5 > len(g.slots)*4 {
		g.grow()
	}
	oldest, count := -1, 0
	i := g.place(k)
	for ; g.slots[i] != 0; i = g.after(i) {
		if key(g.slots[i]>>32) != k {
			continue
		}
		if count++; oldest < 0 || uint32(g.slots[i]) < uint32(g.slots[oldest]) {
			oldest = i
		}
	}
	if count >= perKey {
		i = oldest
	} else {
		g.used++
	}
	g.slots[i] = uint64(k)<<32 | uint64(n)
}

func (g *generation) grow() {
	old := g.slots
	g.slots = make([]uint64, max(minSlots, len(old)+len(old)/4))
	for _, s := range old {
		if s == 0 {
			continue
		}
		i := g.place(key(s >> 32))
		for g.slots[i] != 0 {
			i = g.after(i)
		}
		g.slots[i] = s
	}
}

var errIndex = errors.New("not a usable index of texts alike")

// AppendTo appends the index as the checkpoint keeps it: for each generation the
// number of entries and their times, the number of keys and each with its entry.
func (x *Index) AppendTo(b []byte) []byte {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, g := range []*generation{x.young, x.old} {
		b = binary.BigEndian.AppendUint32(b, uint32(len(g.times)))
		for _, t := range g.times {
			b = binary.BigEndian.AppendUint64(b, t)
		}
		b = binary.BigEndian.AppendUint32(b, uint32(g.used))
		for _, s := range g.slots {
			if s != 0 {
				b = binary.BigEndian.AppendUint64(b, s)
			}
		}
	}
	return b
}

// Load reads what AppendTo wrote.
func Load(b []byte, window uint64) (*Index, error) {
	x := New(window)
	for _, g := range []*generation{x.young, x.old} {
		times, rest, ok := numbers(b)
		if !ok || len(times) > maxEntries {
			return nil, errIndex
		}
		slots, rest, ok := numbers(rest)
		if !ok || len(slots) > len(times)*2*classes {
			return nil, errIndex
		}
		g.times, b = times, rest
		// Room for all first: they come in the order of their places, and put in
		// that order into a table that grows they would crowd at its beginning.
		g.slots = make([]uint64, max(minSlots, len(slots)/4*5+len(slots)/16+8))
		for _, s := range slots {
			if n := uint32(s); n == 0 || int64(n) > int64(len(times)) {
				return nil, errIndex
			}
			g.put(key(s>>32), uint32(s))
		}
	}
	if len(b) > 0 {
		return nil, errIndex
	}
	return x, nil
}

// numbers reads a count and as many numbers.
func numbers(b []byte) (out []uint64, rest []byte, ok bool) {
	if len(b) < 4 {
		return nil, nil, false
	}
	n := int(binary.BigEndian.Uint32(b))
	if b = b[4:]; len(b)/8 < n {
		return nil, nil, false
	}
	out = make([]uint64, n)
	for i := range out {
		out[i] = binary.BigEndian.Uint64(b[8*i:])
	}
	return out, b[8*n:], true
}
