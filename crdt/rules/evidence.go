package rules

import (
	"slices"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/keys"
)

// Evidence is what proves a head.
type Evidence uint8

// The kinds of evidence. A head with a second signature is Unproven here: its
// two signatures need the author's record, which Check looks up.
const (
	Unproven     Evidence = iota
	ByDescendant          // a verified descendant by prev, at most change.MaxRun places later
	OwnSignature
)

// Authenticate finds the evidence for every change of a batch that arrived
// together (wire §3, chain evidence). It verifies the newest signature of each
// run of a content chain and every 257th before it, all of them as one batch;
// only where that fails does it look at signatures one by one. The answer is
// in the order of cs.
func Authenticate(cs []*change.Change) []Evidence { return AuthenticatePausing(cs, nil) }

// AuthenticatePausing is Authenticate that calls pause, unless nil, after every few
// milliseconds of work, so that a caller with many changes can let others go first.
func AuthenticatePausing(cs []*change.Change, pause func()) []Evidence {
	r := newRuns(cs)
	ev := make([]Evidence, len(cs))
	batch := keys.Batch{Pause: pause}
	for _, i := range r.anchors() {
		ev[i] = OwnSignature
		batch.Add(cs[i].Head.Author, cs[i].ID.Preimage(), cs[i].Head.Sig[:])
	}
	if batch.Verify() {
		r.spread(ev)
		return ev
	}
	r.slow(ev)
	return ev
}

// runs links the changes of a batch by prev.
type runs struct {
	cs     []*change.Change
	first  []int   // index of the first copy of the same change, itself for most
	parent []int   // index of the first copy of prev within the batch, or -1
	child  [][]int // of a first copy: indexes of changes whose prev it is, content lanes only
	order  []int   // indexes by falling seq, so that children come before parents
}

func newRuns(cs []*change.Change) *runs {
	r := &runs{
		cs: cs, first: make([]int, len(cs)), parent: make([]int, len(cs)), child: make([][]int, len(cs)), order: make([]int, len(cs)),
	}
	at := make(map[change.ID]int, len(cs))
	for i, c := range cs {
		if _, twice := at[c.ID]; !twice {
			at[c.ID] = i
		}
		r.first[i] = at[c.ID]
	}
	for i, c := range cs {
		r.order[i] = i
		r.parent[i] = -1
		p, ok := at[c.Head.Prev]
		if !ok || cs[p].Head.Seq+1 != c.Head.Seq || cs[p].Head.Chain() != c.Head.Chain() ||
			change.LaneOf(c.Head.Kind) == change.Control {
			continue
		}
		r.parent[i] = p
		r.child[p] = append(r.child[p], i)
	}
	slices.SortStableFunc(r.order, func(a, b int) int {
		switch sa, sb := cs[a].Head.Seq, cs[b].Head.Seq; {
		case sa > sb:
			return -1
		case sa < sb:
			return 1
		}
		return 0
	})
	return r
}

// anchors are the heads to verify when all is well: the tips, and below them
// each head that is too far from the last anchor. Heads with a second
// signature are left to Check.
func (r *runs) anchors() []int {
	reach := make([]int, len(r.cs)) // of a first copy: how far down a verified head above still vouches
	var out []int
	for _, i := range r.order {
		if r.cs[i].Head.Sig2 != nil {
			continue
		}
		left := reach[r.first[i]]
		if left == 0 {
			out = append(out, i)
			left = change.MaxRun + 1
		}
		if p := r.parent[i]; p >= 0 {
			reach[p] = max(reach[p], left-1)
		}
	}
	return out
}

// spread marks what the verified heads in ev prove.
func (r *runs) spread(ev []Evidence) {
	for _, i := range r.order {
		if ev[i] == Unproven && r.cs[i].Head.Sig2 == nil {
			ev[i] = ByDescendant
		}
	}
}

// slow is Authenticate when some signature of the batch is bad: a head that no
// verified descendant reaches is tried by its own signature and, if that fails,
// by those of the descendants in its window, newest first.
func (r *runs) slow(ev []Evidence) {
	tried := make([]int8, len(r.cs)) // 0 not yet, 1 good, -1 bad
	verify := func(i int) bool {
		if tried[i] == 0 {
			c := r.cs[i]
			tried[i] = -1
			if c.Head.Sig2 == nil && keys.Verify(c.Head.Author, c.ID.Preimage(), c.Head.Sig[:]) {
				tried[i] = 1
			}
		}
		return tried[i] == 1
	}
	reach := make([]int, len(r.cs)) // of a first copy: places left below a verified descendant, plus one
	for _, i := range r.order {
		ev[i] = Unproven
		left := reach[r.first[i]]
		switch {
		case r.cs[i].Head.Sig2 != nil:
			continue
		case left > 0:
			ev[i] = ByDescendant
			if tried[i] == 1 {
				ev[i] = OwnSignature
			}
		case verify(i):
			ev[i] = OwnSignature
			left = change.MaxRun + 1
		default:
			if d := r.vouching(r.first[i], verify); d > 0 {
				ev[i] = ByDescendant
				left = change.MaxRun + 1 - d
			}
		}
		if p := r.parent[i]; p >= 0 {
			reach[p] = max(reach[p], left-1)
		}
	}
}

// vouching looks for a verified descendant of i within MaxRun places, newest
// first, and returns its distance, or 0. Branches are followed level by level.
func (r *runs) vouching(i int, verify func(int) bool) int {
	levels := [][]int{r.child[i]}
	for len(levels) < change.MaxRun {
		var next []int
		for _, c := range levels[len(levels)-1] {
			next = append(next, r.child[c]...)
		}
		if len(next) == 0 {
			break
		}
		levels = append(levels, next)
	}
	for d := len(levels); d > 0; d-- {
		for _, c := range levels[d-1] {
			if verify(c) {
				return d
			}
		}
	}
	return 0
}
