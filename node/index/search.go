package index

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync"
)

// Search finds the documents of space that match q. The ranking depends on the live
// documents of the space and on q alone.
//
// The score is BM25F (Robertson and Zaragoza, "The Probabilistic Relevance Framework:
// BM25 and Beyond", 2009, §3.6): frequencies of all fields, each weighted and divided by
// its length norm, are added before the saturation by K1; the sum over the terms is
// multiplied by the document's prior. Without text the score is the prior.
//
// A query out of bounds gives [ErrInvalid]. [ErrCorrupt] means that a segment turned out
// to be damaged after it was opened.
func (ix *Index) Search(space string, q Query) (Result, error) {
	if err := validSpace(space); err != nil {
		return Result{}, fmt.Errorf("search index: %w", err)
	}
	plan, err := ix.plan(q)
	if err != nil {
		return Result{}, fmt.Errorf("search index: %w", err)
	}
	if plan.none || !plan.all && len(plan.terms) == 0 {
		return Result{}, nil
	}
	ix.state.RLock()
	defer ix.state.RUnlock()
	if ix.closed {
		return Result{}, ErrClosed
	}
	r := ranking{plan: plan, cfg: ix.cfg, parts: ix.parts(space)}
	r.measure()
	if err := r.weighTerms(); err != nil {
		return Result{}, fmt.Errorf("search index: %w", err)
	}
	acc := accumulators.Get().(*accumulator)
	defer accumulators.Put(acc)
	for i := range r.parts {
		if err := r.rank(i, acc); err != nil {
			return Result{}, fmt.Errorf("search index: %w", err)
		}
	}
	return r.result(), nil
}

// ranking is one search in progress.
type ranking struct {
	plan
	cfg   Config
	parts []*part

	live  float64                 // documents of the space
	norms [maxFields][256]float64 // weight of one occurrence, by field and quantised length
	idf   []float64               // weight of each term; 0 when no document contains it
	found []found                 // the best of each part so far
	bar   float64                 // unscaled score below which nothing reaches the page
	total int
	rest  int // of total, those after the mark of the query
}

// found is a candidate for the page.
type found struct {
	score float64
	key   string
	mask  uint8
}

// measure takes the statistics of the space. They are integers until here, so that no
// order of addition can show.
func (r *ranking) measure() {
	var docs uint64
	var sums [maxFields]uint64
	for _, p := range r.parts {
		docs += uint64(p.live)
		for f := range sums {
			sums[f] += p.sums[f]
		}
	}
	r.live = float64(docs)
	for f, field := range r.cfg.Fields {
		mean := 1.0
		if sums[f] > 0 {
			mean = float64(sums[f]) / r.live
		}
		for q := range r.norms[f] {
			long := float64(field.B * (float64(lenOf[q]) / mean))
			r.norms[f][q] = field.Weight / (float64(1-field.B) + long)
		}
	}
}

// weighTerms finds the number of live documents of each term.
func (r *ranking) weighTerms() error {
	r.idf = make([]float64, len(r.terms))
	for i, t := range r.terms {
		df := 0
		for _, p := range r.parts {
			n, err := p.frequency(t.term, r.mask)
			if err != nil {
				return err
			}
			df += n
		}
		if df > 0 {
			ratio := (r.live - float64(df) + 0.5) / (float64(df) + 0.5)
			r.idf[i] = float64(t.weight * math.Log1p(ratio))
		}
	}
	return nil
}

// frequency counts the live documents of the part with term in a field of mask. It reads
// the postings only when the stored count may include others.
func (p *part) frequency(term string, mask uint8) (int, error) {
	w, df, whole, err := p.walk(term, mask)
	if err != nil || whole {
		return df, err
	}
	n := 0
	for w.step() {
		if w.mask&mask != 0 && !p.dead.has(w.doc) {
			n++
		}
	}
	if w.bad {
		return 0, fmt.Errorf("%w: postings are malformed", ErrCorrupt)
	}
	return n, nil
}

// accumulator is the scores of one window of documents.
type accumulator struct {
	scores [window]float64
	fields [window]uint8
	match  [window / 64]uint64
	keep   [window / 64]uint64
	any    [window / 64]uint64
}

var accumulators = sync.Pool{New: func() any { return new(accumulator) }}

// reader is a walk that stands on a posting not yet used, until it is done.
type reader struct {
	walk
	idf  float64
	done bool
}

func newReader(w walk, idf float64) *reader {
	r := &reader{walk: w, idf: idf}
	r.done = !r.step()
	return r
}

// rank finds the best documents of part i.
func (r *ranking) rank(i int, acc *accumulator) error {
	p := r.parts[i]
	terms, filters, err := r.open(p)
	if err != nil {
		return err
	}
	top := heap{part: p, limit: r.limit}
	after := func(uint32) bool { return true }
	if r.after != nil {
		after = p.terms.after(r.after.Key)
	}
	docs := uint32(p.docs())
	for start := uint32(0); start < docs; start += window {
		if !r.all {
			first, ok := lowest(terms)
			if !ok {
				break
			}
			start = first / window * window // skip windows without a posting
		}
		end := min(start+window, docs)
		r.fill(p, acc, terms, filters, start, end)
		for w := range acc.match {
			word := acc.match[w] & acc.keep[w] &^ p.dead.word(int(start/64)+w)
			for ; word != 0; word &= word - 1 {
				at := 64*w + bits.TrailingZeros64(word)
				doc := start + uint32(at)
				if r.dated {
					if t := p.time(doc); t < r.since || t >= r.until {
						continue
					}
				}
				r.total++
				raw := acc.scores[at] * float64(p.prior(doc))
				if raw < r.bar {
					r.rest++
					continue
				}
				c := candidate{doc: doc, score: round(raw / priorUnit), mask: acc.fields[at]}
				if r.after != nil && (c.score > r.after.Score || c.score == r.after.Score && !after(doc)) {
					continue
				}
				r.rest++
				if top.offer(c) {
					r.raise(top.items[0].score)
				}
			}
		}
	}
	for _, t := range terms {
		if t.bad {
			return fmt.Errorf("%w: postings are malformed", ErrCorrupt)
		}
	}
	for _, c := range top.items {
		r.found = append(r.found, found{score: c.score, key: p.terms.key(c.doc), mask: c.mask})
	}
	return nil
}

// open starts the walks of the query over one part. The readers of a filter stand for
// its values.
func (r *ranking) open(p *part) (terms []*reader, filters [][]*reader, err error) {
	for i, t := range r.terms {
		w, _, _, err := p.walk(t.term, r.mask)
		if err != nil {
			return nil, nil, err
		}
		if rd := newReader(w, r.idf[i]); !rd.done || rd.bad {
			terms = append(terms, rd)
		}
	}
	for _, f := range r.filters {
		var values []*reader
		for _, term := range f {
			w, _, _, err := p.walk(term, r.mask)
			if err != nil {
				return nil, nil, err
			}
			if rd := newReader(w, 0); !rd.done || rd.bad {
				values = append(values, rd)
			}
		}
		filters = append(filters, values)
	}
	return terms, filters, nil
}

// lowest is the first document any of the readers stands on.
func lowest(readers []*reader) (uint32, bool) {
	doc, ok := uint32(math.MaxUint32), false
	for _, r := range readers {
		if !r.done && r.doc <= doc {
			doc, ok = r.doc, true
		}
	}
	return doc, ok
}

// fill scores the documents from start up to end into acc.
func (r *ranking) fill(p *part, acc *accumulator, terms []*reader, filters [][]*reader, start, end uint32) {
	all := uint64(0)
	if r.all {
		all = math.MaxUint64
	}
	for w := range acc.match {
		acc.match[w], acc.keep[w] = all, math.MaxUint64
	}
	if tail := end - start; tail < window { // documents beyond the part
		for doc := tail; doc < window; doc++ {
			acc.keep[doc/64] &^= 1 << (doc % 64)
		}
	}
	clear(acc.scores[:])
	clear(acc.fields[:])
	if r.all {
		for i := range acc.scores {
			acc.scores[i] = 1
		}
	}
	for _, t := range terms {
		r.add(p, acc, t, start, end)
	}
	for _, values := range filters {
		clear(acc.any[:])
		for _, v := range values {
			for !v.done && v.doc < end {
				if v.doc >= start {
					at := v.doc - start
					acc.any[at/64] |= 1 << (at % 64)
				}
				v.done = !v.step()
			}
		}
		for w := range acc.keep {
			acc.keep[w] &= acc.any[w]
		}
	}
}

// add adds the scores of one term. Conversions keep products from being fused with sums,
// which some processors do and others do not.
func (r *ranking) add(p *part, acc *accumulator, t *reader, start, end uint32) {
	for !t.done && t.doc < end {
		if m := t.mask & r.mask; m != 0 {
			lens := p.lengths(t.doc)
			tf := 0.0
			for rest := m; rest != 0; rest &= rest - 1 {
				f := bits.TrailingZeros8(rest)
				tf += float64(float64(t.tf[f]) * r.norms[f][lens[f]])
			}
			at := t.doc - start
			acc.scores[at] += float64(t.idf * (tf / (r.cfg.K1 + tf)))
			acc.fields[at] |= m
			acc.match[at/64] |= 1 << (at % 64)
		}
		t.done = !t.step()
	}
}

// raise notes that limit documents score at least worst, so that what is clearly below
// need not be rounded, compared or kept. Below the bar is also behind the mark of the
// query, since only documents behind it are counted here.
func (r *ranking) raise(worst float64) {
	r.bar = max(r.bar, (worst-1e-6)*priorUnit)
}

// round gives the score that replicas compare.
func round(score float64) float64 { return math.Round(score*1e6) / 1e6 }

// result puts the best of all parts in order.
func (r *ranking) result() Result {
	slices.SortFunc(r.found, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.key, b.key))
	})
	out := Result{Total: r.total}
	for _, f := range r.found[:min(len(r.found), r.limit)] {
		out.Hits = append(out.Hits, Hit{Key: f.key, Score: f.score, Fields: r.cfg.names(f.mask)})
	}
	out.More = r.rest > len(out.Hits)
	return out
}
