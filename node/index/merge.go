package index

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"math/bits"
	"slices"
)

// encodeSegment writes the live documents of the given sets of parts, spaces in order,
// as the bytes of one segment. Sealing the memtable is the case of a single source. The
// bytes depend on the live documents alone, not on how they were spread.
func encodeSegment(sources []map[string]*part, fields int) ([]byte, error) {
	var names []string
	for _, src := range sources {
		for name := range src {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)

	out := []byte(segmentMagic)
	var dir []byte
	count := 0
	for _, name := range names {
		var parts []*part
		for _, src := range sources {
			if p := src[name]; p != nil && p.live > 0 {
				parts = append(parts, p)
			}
		}
		if len(parts) == 0 {
			continue
		}
		start := len(out)
		var err error
		if out, err = appendPart(out, parts, fields); err != nil {
			return nil, fmt.Errorf("merge space: %w", err)
		}
		count++
		dir = binary.AppendUvarint(dir, uint64(len(name)))
		dir = append(dir, name...)
		dir = binary.AppendUvarint(dir, uint64(start))
		dir = binary.AppendUvarint(dir, uint64(len(out)-start))
	}
	if count == 0 {
		return nil, nil
	}
	at := uint64(len(out))
	out = binary.AppendUvarint(out, uint64(count))
	out = append(out, dir...)
	out = binary.LittleEndian.AppendUint64(out, at)
	return binary.LittleEndian.AppendUint32(out, crc32.Checksum(out, castagnoli)), nil
}

// gone is the new number of a removed document.
const gone = math.MaxUint32

// appendPart merges parts of one space.
func appendPart(out []byte, parts []*part, fields int) ([]byte, error) {
	keys, cols, numbers := mergeDocuments(parts, fields)
	lists, err := mergeLists(parts, numbers)
	if err != nil {
		return nil, err
	}
	terms := lists.terms
	for _, v := range []int{keys.n, terms.n, len(keys.data), len(terms.data), len(lists.entries), len(lists.postings)} {
		out = binary.LittleEndian.AppendUint32(out, uint32(v))
	}
	for _, section := range [][]byte{cols.lens, cols.priors, cols.times, keys.offsets, keys.data,
		terms.offsets, terms.data, lists.offsets, lists.entries, lists.postings} {
		out = append(out, section...)
	}
	return out, nil
}

// mergeDocuments writes the live documents of parts in order of their keys and returns,
// for each part, the new number of each of its documents.
func mergeDocuments(parts []*part, fields int) (tableWriter, columns, [][]uint32) {
	type head struct {
		key  string
		doc  uint32
		ok   bool
		next func() (string, uint32, bool)
	}
	var keys tableWriter
	cols := columns{fields: fields}
	numbers := make([][]uint32, len(parts))
	heads := make([]head, len(parts))
	advance := func(i int) {
		h := &heads[i]
		for h.key, h.doc, h.ok = h.next(); h.ok && parts[i].dead.has(h.doc); h.key, h.doc, h.ok = h.next() {
		}
	}
	for i, p := range parts {
		numbers[i] = slices.Repeat([]uint32{gone}, p.docs())
		heads[i].next = p.terms.documents()
		advance(i)
	}
	for {
		least := -1
		for i := range heads {
			if heads[i].ok && (least < 0 || heads[i].key < heads[least].key) {
				least = i
			}
		}
		if least < 0 {
			return keys, cols, numbers
		}
		p, doc := parts[least], heads[least].doc
		numbers[least][doc] = uint32(keys.n)
		keys.add(heads[least].key)
		cols.add(p.lengths(doc), p.prior(doc), p.time(doc))
		advance(least)
	}
}

// listWriter writes the term table of a part and what it points to.
type listWriter struct {
	terms    tableWriter
	offsets  []byte
	entries  []byte
	postings []byte
}

// add writes the postings of one term, which are in order of the document; terms come
// in order too.
func (w *listWriter) add(term string, list []posting) {
	if w.terms.n%blockSize == 0 {
		w.offsets = binary.LittleEndian.AppendUint32(w.offsets, uint32(len(w.entries)))
		w.entries = binary.AppendUvarint(w.entries, uint64(len(w.postings)))
	}
	w.terms.add(term)
	start, next, mask := len(w.postings), uint32(0), uint8(0)
	for i := range list {
		p := &list[i]
		w.postings = appendPosting(w.postings, next, p.doc, p.mask, &p.tf)
		next = p.doc + 1
		mask |= p.mask
	}
	w.entries = binary.AppendUvarint(w.entries, uint64(len(list)))
	w.entries = append(w.entries, mask)
	w.entries = binary.AppendUvarint(w.entries, uint64(len(w.postings)-start))
}

// mergeLists writes the postings of the live documents under their new numbers.
func mergeLists(parts []*part, numbers [][]uint32) (*listWriter, error) {
	type head struct {
		term string
		list list
		ok   bool
		next func() (string, list, bool, error)
	}
	var err error
	heads := make([]head, len(parts))
	advance := func(h *head) {
		if err == nil {
			h.term, h.list, h.ok, err = h.next()
		}
	}
	for i, p := range parts {
		heads[i].next = p.terms.lists()
		advance(&heads[i])
	}
	out := new(listWriter)
	var merged []posting
	for err == nil {
		least := -1
		for i := range heads {
			if heads[i].ok && (least < 0 || heads[i].term < heads[least].term) {
				least = i
			}
		}
		if least < 0 {
			return out, nil
		}
		term := heads[least].term
		merged = merged[:0]
		for i := range heads {
			if h := &heads[i]; h.ok && h.term == term {
				if merged, err = appendLive(merged, parts[i], term, h.list, numbers[i]); err != nil {
					return nil, err
				}
				advance(h)
			}
		}
		if len(merged) == 0 {
			continue
		}
		byDoc := func(a, b posting) int { return cmp.Compare(a.doc, b.doc) }
		if !slices.IsSortedFunc(merged, byDoc) {
			slices.SortFunc(merged, byDoc)
		}
		out.add(term, merged)
	}
	return nil, err
}

// appendLive appends the postings of p's live documents under their new numbers.
func appendLive(dst []posting, p *part, term string, l list, numbers []uint32) ([]posting, error) {
	w := l.walk(isFacet(term), p.fields, p.docs())
	for w.step() {
		if n := numbers[w.doc]; n != gone {
			dst = append(dst, posting{doc: n, mask: w.mask, tf: w.tf})
		}
	}
	if w.bad {
		return nil, fmt.Errorf("%w: postings are malformed", ErrCorrupt)
	}
	return dst, nil
}

// tier is the size class of a segment: each has those up to mergeFactor times larger
// than the one below.
func tier(size uint32) int {
	return (bits.Len32(size/tierBase) + 2) / 3
}

// chooseMerge picks the segments one Commit rewrites: the oldest of the lowest tier that
// has mergeFactor of them, else one of which more than half is removed.
func chooseMerge(segments []*segment) []*segment {
	tiers := make(map[int][]*segment)
	for _, s := range segments {
		t := tier(s.size)
		tiers[t] = append(tiers[t], s)
	}
	for t := range tier(maxFile) + 1 {
		if len(tiers[t]) < mergeFactor {
			continue
		}
		var chosen []*segment
		var sum uint64
		for _, s := range tiers[t] {
			if sum += uint64(s.size); sum > maxSegment || len(chosen) == mergeFactor {
				break
			}
			chosen = append(chosen, s)
		}
		if len(chosen) > 1 {
			return chosen
		}
	}
	for _, s := range segments {
		if live, all := s.count(); live < all-live {
			return []*segment{s}
		}
	}
	return nil
}
