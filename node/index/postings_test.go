package index

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestPostingsComeBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		facet := rapid.Bool().Draw(t, "facet")
		want := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) posting {
			p := posting{doc: rapid.Uint32Range(0, 1<<20).Draw(t, "doc")}
			if !facet {
				p.mask = rapid.Uint8Range(1, 255).Draw(t, "mask")
			}
			for f := range p.tf {
				if p.mask&(1<<f) != 0 {
					p.tf[f] = rapid.SampledFrom([]uint16{1, 2, 15, 16, 17, 18, 300, math.MaxUint16}).Draw(t, "tf")
				}
			}
			return p
		}), 0, 20).Draw(t, "postings")
		slices.SortFunc(want, func(a, b posting) int { return int(a.doc) - int(b.doc) })
		want = slices.CompactFunc(want, func(a, b posting) bool { return a.doc == b.doc })

		var l list
		next := uint32(0)
		for i := range want {
			l.data = appendPosting(l.data, next, want[i].doc, want[i].mask, &want[i].tf)
			next = want[i].doc + 1
		}
		w := l.walk(facet, maxFields, int(next))
		for _, p := range want {
			if !w.step() || w.doc != p.doc || w.mask != p.mask {
				t.Fatalf("posting %+v comes back as %+v", p, w.posting)
			}
			for f := range p.tf {
				if p.mask&(1<<f) != 0 && w.tf[f] != p.tf[f] {
					t.Fatalf("posting %+v comes back as %+v", p, w.posting)
				}
			}
		}
		if w.step() || w.bad {
			t.Fatalf("more than %d postings come back, or damage: %+v", len(want), w)
		}
	})
}

func TestMalformedPostingsEnd(t *testing.T) {
	t.Parallel()
	for name, data := range map[string][]byte{
		"document beyond the part": {5, 0},
		"no code":                  {0},
		"unknown code":             {0, 0x81, 1, 1},
		"field beyond the part":    {0, 0x70},
		"no fields":                {0, manyFields, 0},
		"fields beyond the part":   {0, manyFields, 0x80, 1},
		"frequency of zero":        {0, manyFields, 1, 0},
		"frequency cut":            {0, manyFields, 3, 1},
		"frequency too great":      {0, manyFields, 1, 0xff, 0xff, 0x7f},
		"distance cut":             {0x80},
	} {
		w := list{data: data}.walk(false, 6, 5)
		for w.step() {
		}
		if !w.bad {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestTableFindsEveryEntryAndItsPlace(t *testing.T) {
	t.Parallel()
	for n := range 3*blockSize + 2 {
		var w tableWriter
		for i := range n {
			w.add(fmt.Sprintf("key%03d", 2*i+1))
		}
		tb := table{n: w.n, offsets: w.offsets, data: w.data}
		for i := range n {
			entry := fmt.Sprintf("key%03d", 2*i+1)
			if at, ok := tb.find(entry); at != i || !ok || tb.at(i) != entry {
				t.Fatalf("%d entries: %s is at %d (%v), entry %d is %q", n, entry, at, ok, i, tb.at(i))
			}
		}
		for i := range n + 1 {
			if at, ok := tb.find(fmt.Sprintf("key%03d", 2*i)); at != i || ok {
				t.Fatalf("%d entries: what belongs before entry %d is at %d (%v)", n, i, at, ok)
			}
		}
	}
}
