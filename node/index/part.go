package index

import "fmt"

// part is the documents of one space in one place: in the memtable or in a segment.
// Documents have numbers from 0; removed ones keep theirs until the next merge.
type part struct {
	columns
	terms dictionary
	dead  marks
	live  int
	sums  [maxFields]uint64 // lengths of the live documents, by field
}

// dictionary is what differs between memtable and segment. Returned lists must not be
// changed, and in the memtable they are valid only under the index's lock.
type dictionary interface {
	// find is as for part.
	find(key string) (doc uint32, ok bool)
	// key returns the key of a document.
	key(doc uint32) string
	// less orders documents of this part by key.
	less(a, b uint32) bool
	// after returns a test whether a document's key sorts after key.
	after(key string) func(doc uint32) bool
	// list returns the postings of a term.
	list(term string) (list, bool, error)
	// documents and lists walk in order of key and term; ok is false at the end.
	documents() func() (key string, doc uint32, ok bool)
	lists() func() (term string, l list, ok bool, err error)
}

// find returns the number of the document last entered with key.
func (p *part) find(key string) (uint32, bool) { return p.terms.find(key) }

// count takes the documents of a segment's columns into the sums.
func (p *part) count() {
	p.live = p.docs()
	for doc := range uint32(p.live) {
		p.weigh(doc, 1)
	}
}

// weigh adds (sign 1) or takes back (sign -1) the lengths of doc.
func (p *part) weigh(doc uint32, sign int64) {
	for f, q := range p.lengths(doc) {
		p.sums[f] += uint64(sign * int64(lenOf[q])) // wraps for -1, which subtracts
	}
}

// kill marks a live document as removed.
func (p *part) kill(doc uint32) {
	p.dead = p.dead.with(doc)
	p.live--
	p.weigh(doc, -1)
}

func (p *part) killAll() {
	for doc := range uint32(p.docs()) {
		if !p.dead.has(doc) {
			p.kill(doc)
		}
	}
}

// walk opens the postings of term; ok is false when the part has none in the fields of
// mask (for a facet the mask plays no role).
func (p *part) walk(term string, mask uint8) (w walk, df int, whole bool, err error) {
	l, ok, err := p.terms.list(term)
	if err != nil {
		return walk{}, 0, false, fmt.Errorf("read postings: %w", err)
	}
	facet := isFacet(term)
	if !ok || !facet && l.mask&mask == 0 {
		return walk{}, 0, true, nil
	}
	// The stored df is valid when nothing was removed and no field is masked out.
	whole = p.live == p.docs() && l.mask&^mask == 0
	return l.walk(facet, p.fields, p.docs()), int(l.df), whole, nil
}
