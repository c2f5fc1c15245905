package recon

import "math"

// FirstAsk is the number of symbols to ask for at first, from the two counts:
// what a difference as small as they allow takes, 32 at least and MaxSymbols at
// most.
func FirstAsk(local, remote uint64) int {
	diff := max(local, remote) - min(local, remote)
	if diff >= MaxSymbols {
		return MaxSymbols
	}
	return min(max(minAsk, enough(int(diff))), MaxSymbols)
}

// enough is about as many symbols as a difference of d takes in half of all
// cases: 1.35 d in the limit, a little more for small d.
func enough(d int) int { return d + d*9/25 + 4 }

// Next returns which symbols to ask for: n of them starting with from. n is 0 when
// there is nothing to ask for: the difference is resolved, or the symbols failed,
// are used up, or show that all of them would not do.
//
// A symbol costs 26 bytes and an exchange 86, so the requests after the first are
// small where the end is near. Where the difference proves larger than the counts
// say, they go by an estimate of it, kept low by its error, and fourfold what was
// received at most, as the error shrinks with it.
func (p *Peeler) Next() (from, n int) {
	from = len(p.cells)
	if p.done {
		return from, 0
	}
	if from == 0 {
		return 0, p.first
	}
	d, err := p.spread.size(from)
	if d*(1-4*err) > hopeless {
		return from, 0
	}
	if least := float64(p.spread.surplus()); d < least*(1+2*err) {
		d, err = least, 0
	}
	n = min(enough(int(min(d*(1-err), MaxSymbols)))-from, 3*from)
	n = max(n, minStep, from/32)
	return from, min(n, MaxSymbols-from)
}

// spread gathers how far the counts of the symbols lie from what a difference all
// of one side would give. A set of d items, each in symbol i with probability
// q = 2/(i+2), has there a count of variance d·q(1-q), whichever side its items
// are of; so the squares, each divided by q(1-q), have d as their mean.
type spread struct {
	first int64 // count of symbol 0: the items of the peer less those here
	sum   float64
}

// add takes the count of symbol i, which must come in order. The conversions round
// each operation by itself, so that every machine asks for the same.
func (s *spread) add(i int, count int64) {
	if i == 0 {
		s.first = count
		return
	}
	off := float64(float64(count)*float64(i+2)) - float64(2*s.first)
	s.sum += float64(float64(off*off) / float64(2*i))
}

// surplus is the number of items that one side has more of.
func (s *spread) surplus() int64 { return max(s.first, -s.first) }

// size estimates the difference from n symbols, and the error relative to it.
func (s *spread) size(n int) (d, err float64) {
	if n < 2 {
		return float64(s.surplus()), 1
	}
	return max(s.sum/float64(n-1), float64(s.surplus())), math.Sqrt(2 / float64(n-1))
}
