package recon

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
)

// Peeler finds the difference between a local sketch and the symbols of a remote
// one. It is for one goroutine.
//
// What a hostile peer can make it do is bounded by the symbols it was sent: an
// item is taken once, and never more items than there are symbols.
type Peeler struct {
	local  *Sketch
	first  int // symbols of the first ask
	spread spread
	cells  []cell // remote less local less found, for the symbols received
	found  []peeled
	seen   map[[16]byte]struct{} // the items of found
	queue  []int                 // symbols that may contain a single item
	checks int                   // spent by pair
	done   bool                  // resolved, or failed for good
}

// peeled is an item of the difference and the first symbol, beyond those
// received, from which it still has to be taken.
type peeled struct {
	item  [16]byte
	check uint64
	side  int64 // +1: only remote, -1: only local
	walk  walk
}

// Difference is what one side has and the other lacks, as the first 16 bytes of
// the ids, each list in ascending order.
type Difference struct {
	OnlyRemote [][16]byte // to be wanted
	OnlyLocal  [][16]byte // to be pushed
}

// ErrContradiction means that symbols of a peer cannot come from one set. The
// sketch is of no use then; ranges still are.
var ErrContradiction = errors.New("symbols contradict each other")

// NewPeeler returns a Peeler for a peer whose set has remoteCount ids. It reads
// local, which does not change, and keeps no copy.
func NewPeeler(local *Sketch, remoteCount uint64) *Peeler {
	return &Peeler{
		local: local,
		first: FirstAsk(local.count, remoteCount),
		seen:  make(map[[16]byte]struct{}),
	}
}

// Add takes the answer to Next, exactly the symbols it named, and reports whether
// the difference is now known. After an error the Peeler is spent.
func (p *Peeler) Add(from int, syms []byte) (resolved bool, err error) {
	at, n := p.Next()
	if n == 0 || from != at {
		return false, fmt.Errorf("symbols from %d were not asked for", from)
	}
	p.done = true // until the answer proves good and leaves something to ask
	fresh := make([]cell, n)
	rest, err := decodeSymbols(syms, fresh)
	if err != nil {
		return false, err
	}
	if len(rest) > 0 {
		return false, fmt.Errorf("%d bytes follow the symbols", len(rest))
	}
	for i := range fresh {
		l := &p.local.cells[at+i]
		fresh[i].mix(l.item, l.check, -l.count)
		p.spread.add(at+i, fresh[i].count)
		p.queue = append(p.queue, at+i)
	}
	p.cells = append(p.cells, fresh...)
	for i := range p.found {
		p.take(&p.found[i])
	}
	for more := true; more; {
		if err := p.peel(); err != nil {
			return false, err
		}
		if more, err = p.pair(); err != nil {
			return false, err
		}
	}
	p.done = p.empty()
	return p.done, nil
}

// peel takes single items out of their symbols until none is in sight.
func (p *Peeler) peel() error {
	for len(p.queue) > 0 {
		i := p.queue[len(p.queue)-1]
		p.queue = p.queue[:len(p.queue)-1]
		c := p.cells[i]
		if c.count != 1 && c.count != -1 || check(c.item) != c.check || !belongs(c.check, i) {
			continue
		}
		if err := p.find(c.item, c.check, c.count); err != nil {
			return err
		}
	}
	return nil
}

// find takes an item out of all symbols. An honest symbol yields one item, and an
// item once; a forged one could put an item back for ever.
func (p *Peeler) find(item [16]byte, check uint64, side int64) error {
	if _, again := p.seen[item]; again || len(p.found) == len(p.cells) {
		return ErrContradiction
	}
	p.seen[item] = struct{}{}
	p.found = append(p.found, peeled{item: item, check: check, side: side, walk: newWalk(check)})
	p.take(&p.found[len(p.found)-1])
	return nil
}

// belongs reports whether the item with that check lies in symbol i.
func belongs(check uint64, i int) bool {
	w := newWalk(check)
	for w.i < uint64(i) {
		w.step()
	}
	return w.i == uint64(i)
}

// take removes an item from the symbols received since it was last removed, and
// queues those in which one may be left.
func (p *Peeler) take(f *peeled) {
	for ; f.walk.i < uint64(len(p.cells)); f.walk.step() {
		c := &p.cells[f.walk.i]
		c.mix(f.item, f.check, -f.side)
		if c.count == 1 || c.count == -1 {
			p.queue = append(p.queue, int(f.walk.i))
		}
	}
}

// empty reports whether nothing is left in any symbol.
func (p *Peeler) empty() bool {
	for i := range p.cells {
		if p.cells[i] != (cell{}) {
			return false
		}
	}
	return true
}

// Result returns the difference. It is complete once Add has reported it
// resolved, as far as the peer was honest; before, it is the part found so far.
func (p *Peeler) Result() Difference {
	var d Difference
	for i := range p.found {
		if p.found[i].side > 0 {
			d.OnlyRemote = append(d.OnlyRemote, p.found[i].item)
		} else {
			d.OnlyLocal = append(d.OnlyLocal, p.found[i].item)
		}
	}
	order := func(a, b [16]byte) int { return bytes.Compare(a[:], b[:]) }
	slices.SortFunc(d.OnlyRemote, order)
	slices.SortFunc(d.OnlyLocal, order)
	return d
}
