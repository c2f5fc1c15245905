package index

import (
	"slices"
	"strings"
)

// memtable is the documents entered since the last segment was sealed. They are
// searched like a segment's; a replaced document is marked as removed.
type memtable struct {
	fields int
	spaces map[string]*part // the dictionary of each is a *memDictionary
	bytes  int              // rough memory in use
}

func newMemtable(fields int) *memtable {
	return &memtable{fields: fields, spaces: make(map[string]*part)}
}

// Rough sizes of Go's bookkeeping, for the estimate of memory only.
const (
	spaceOverhead = 600
	docOverhead   = 80
	termOverhead  = 140
)

// put enters d. The caller has removed an older document with its key.
func (m *memtable) put(space string, d analysed) {
	p := m.spaces[space]
	if p == nil {
		p = &part{columns: columns{fields: m.fields}, terms: newMemDictionary()}
		m.spaces[space] = p
		m.bytes += spaceOverhead + len(space)
	}
	dict := p.terms.(*memDictionary)
	doc := uint32(p.docs())
	p.add(d.lens[:], d.prior, d.time)
	p.live++
	p.weigh(doc, 1)
	dict.keys = append(dict.keys, d.key)
	dict.byKey[d.key] = doc
	m.bytes += docOverhead + len(d.key)
	for i := range d.terms {
		m.bytes += dict.enter(doc, &d.terms[i])
	}
}

// memDictionary is the dictionary of one space in the memtable.
type memDictionary struct {
	keys  []string // by document number
	byKey map[string]uint32
	terms map[string]*memList
}

type memList struct {
	list
	next uint32 // lowest number the next posting may have
}

var _ dictionary = (*memDictionary)(nil)

func newMemDictionary() *memDictionary {
	return &memDictionary{byKey: make(map[string]uint32), terms: make(map[string]*memList)}
}

// enter adds a posting and returns by how much the memory grew.
func (d *memDictionary) enter(doc uint32, t *termCount) int {
	grown := 0
	l := d.terms[t.term]
	if l == nil {
		l = new(memList)
		d.terms[t.term] = l
		grown += termOverhead + len(t.term)
	}
	before := cap(l.data)
	l.data = appendPosting(l.data, l.next, doc, t.mask, &t.tf)
	l.df++
	l.mask |= t.mask
	l.next = doc + 1
	return grown + cap(l.data) - before
}

func (d *memDictionary) find(key string) (uint32, bool) {
	doc, ok := d.byKey[key]
	return doc, ok
}

func (d *memDictionary) key(doc uint32) string { return d.keys[doc] }

func (d *memDictionary) less(a, b uint32) bool { return d.keys[a] < d.keys[b] }

func (d *memDictionary) after(key string) func(uint32) bool {
	return func(doc uint32) bool { return d.keys[doc] > key }
}

func (d *memDictionary) list(term string) (list, bool, error) {
	l, ok := d.terms[term]
	if !ok {
		return list{}, false, nil
	}
	return l.list, true, nil
}

func (d *memDictionary) documents() func() (string, uint32, bool) {
	order := make([]uint32, len(d.keys))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int { return strings.Compare(d.keys[a], d.keys[b]) })
	return func() (string, uint32, bool) {
		if len(order) == 0 {
			return "", 0, false
		}
		doc := order[0]
		order = order[1:]
		return d.keys[doc], doc, true
	}
}

func (d *memDictionary) lists() func() (string, list, bool, error) {
	order := make([]string, 0, len(d.terms))
	for t := range d.terms {
		order = append(order, t)
	}
	slices.Sort(order)
	return func() (string, list, bool, error) {
		if len(order) == 0 {
			return "", list{}, false, nil
		}
		t := order[0]
		order = order[1:]
		return t, d.terms[t].list, true, nil
	}
}
