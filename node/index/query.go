package index

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Query says what to find.
type Query struct {
	// Text is matched against the fields; a document that contains any of its terms is a
	// hit. Of 16 KiB the first 64 distinct terms count. A text of blanks alone matches
	// every document; a text without terms (only stop words or signs) matches none.
	Text string
	// Filters keeps documents that have, for each facet named, any of the values. A
	// facet with no values keeps none.
	Filters map[string][]string
	// Since and Until keep documents whose Time is at least Since and below Until; 0
	// means no bound.
	Since, Until int64
	// Limit is the greatest number of hits, 0 for 20, at most 1,000.
	Limit int
	// After continues behind a hit of an earlier page; nil starts at the best.
	After *Mark
	// FieldsOnly, unless nil, makes the search behave as if documents had only the fields
	// and facets named: no other text plays a part in hits, counts, scores or statistics,
	// and a filter on another facet keeps nothing.
	FieldsOnly []string
}

// Mark is a place in a ranking: that of the hit with this score and key.
type Mark struct {
	Score float64
	Key   string
}

// Result is one page of hits, best first; equal scores are in order of the key.
type Result struct {
	Hits  []Hit
	Total int  // matching documents on all pages
	More  bool // hits follow after the last of this page
}

// Hit is one document found.
type Hit struct {
	Key    string
	Score  float64  // rounded to 1e-6
	Fields []string // fields with a term of the query, in the order of the configuration
}

// Mark is the place of h, for [Query.After].
func (h Hit) Mark() Mark { return Mark{Score: h.Score, Key: h.Key} }

// queryTerm is one distinct term of the query text.
type queryTerm struct {
	term   string
	weight float64 // how often the query says it
}

// filter is one facet of the query as the terms of its values.
type filter []string

// plan is a validated query.
type plan struct {
	all     bool // no text: every document matches
	terms   []queryTerm
	filters []filter
	mask    uint8 // fields the caller may match
	none    bool  // a filter on a hidden facet, which nothing passes
	dated   bool  // since or until bound the time
	since   int64
	until   int64
	limit   int
	after   *Mark
}

func (ix *Index) plan(q Query) (plan, error) {
	p := plan{
		all: strings.TrimSpace(q.Text) == "", mask: ix.cfg.mask(q.FieldsOnly),
		since: math.MinInt64, until: math.MaxInt64, dated: q.Since != 0 || q.Until != 0,
		limit: q.Limit, after: q.After,
	}
	if q.Limit < 0 || q.Limit > maxLimit {
		return plan{}, fmt.Errorf("%w: limit %d, want 0 to %d", ErrInvalid, q.Limit, maxLimit)
	}
	if p.limit == 0 {
		p.limit = defaultLimit
	}
	if q.After != nil && math.IsNaN(q.After.Score) {
		return plan{}, fmt.Errorf("%w: score to continue from is not a number", ErrInvalid)
	}
	if q.Since != 0 {
		p.since = q.Since
	}
	if q.Until != 0 {
		p.until = q.Until
	}
	values := 0
	for name, vs := range q.Filters {
		if err := validFacet(name, vs); err != nil {
			return plan{}, err
		}
		if values += len(vs); values > maxFilterValues {
			return plan{}, fmt.Errorf("%w: more than %d filter values", ErrInvalid, maxFilterValues)
		}
		if q.FieldsOnly != nil && !slices.Contains(q.FieldsOnly, name) {
			p.none = true
		}
		var f filter
		for _, v := range vs {
			f = append(f, facetTerm(name, v))
		}
		p.filters = append(p.filters, f)
	}
	p.terms = queryTerms(q.Text)
	return p, nil
}

// queryTerms analyses a query text. Its terms come in byte order, which is the order
// their scores are summed in on every replica.
func queryTerms(text string) []queryTerm {
	if len(text) > maxQueryText {
		text = text[:maxQueryText]
	}
	var out []queryTerm
	at := make(map[string]int)
	newAnalyser().analyse(text, false, maxFieldTerms, func(term []byte) {
		i, ok := at[string(term)]
		switch {
		case ok:
			out[i].weight++
		case len(out) < maxQueryTerms:
			at[string(term)] = len(out)
			out = append(out, queryTerm{term: string(term), weight: 1})
		}
	})
	slices.SortFunc(out, func(a, b queryTerm) int { return strings.Compare(a.term, b.term) })
	return out
}
