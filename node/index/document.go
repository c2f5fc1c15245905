package index

import (
	"fmt"
	"math"
	"strings"
)

// Document is one thing to be found.
type Document struct {
	// Key is unique in its space and breaks ties of the ranking; 1 to 128 bytes.
	Key string
	// Text is the text of each field by the name of the field. Fields may be missing;
	// a name that is not configured is refused. Of one field at most 65,536 terms count.
	Text map[string]string
	// Facets are exact values to filter by (kind, domain, tag, author), compared byte
	// by byte; at most 64 values of at most 256 bytes.
	Facets map[string][]string
	// Time is compared with Since and Until of a query, milliseconds since 1970.
	Time int64
	// Prior multiplies the score; 0 means 1, anything else is clamped to 0.8 to 1.25
	// and kept to four decimals.
	Prior float64
}

// facetMark starts the term of a facet value. No term of a text starts with it.
const facetMark = '\x01'

// facetTerm is the term under which the documents with a facet value are listed.
func facetTerm(name, value string) string {
	return string(facetMark) + name + "\x00" + value
}

func isFacet(term string) bool { return term != "" && term[0] == facetMark }

func validSpace(space string) error {
	if space == "" || len(space) > maxSpace {
		return fmt.Errorf("%w: space name of %d bytes, want 1 to %d", ErrInvalid, len(space), maxSpace)
	}
	return nil
}

func (d *Document) validate(cfg Config) error {
	if d.Key == "" || len(d.Key) > maxKey {
		return fmt.Errorf("%w: key of %d bytes, want 1 to %d", ErrInvalid, len(d.Key), maxKey)
	}
	for name := range d.Text {
		if cfg.mask([]string{name}) == 0 {
			return fmt.Errorf("%w: field %q is not configured", ErrInvalid, name)
		}
	}
	values := 0
	for name, vs := range d.Facets {
		if err := validFacet(name, vs); err != nil {
			return err
		}
		values += len(vs)
	}
	if values > maxFacetValues {
		return fmt.Errorf("%w: %d facet values, want at most %d", ErrInvalid, values, maxFacetValues)
	}
	if math.IsNaN(d.Prior) {
		return fmt.Errorf("%w: prior is not a number", ErrInvalid)
	}
	return nil
}

func validFacet(name string, values []string) error {
	if name == "" || len(name) > maxName || strings.IndexByte(name, 0) >= 0 {
		return fmt.Errorf("%w: facet name %q is empty, too long or holds a zero byte", ErrInvalid, name)
	}
	for _, v := range values {
		if len(v) > maxFacetValue {
			return fmt.Errorf("%w: value of facet %q has %d bytes, want at most %d", ErrInvalid, name, len(v), maxFacetValue)
		}
	}
	return nil
}

// priorUnit is the step in which priors are kept, so that memtable, segment and replica
// multiply by the same number.
const priorUnit = 10000

func quantisePrior(p float64) uint16 {
	if p == 0 {
		p = 1
	}
	return uint16(math.Round(min(max(p, minPrior), maxPrior) * priorUnit))
}

// analysed is a document as the memtable takes it: terms with their frequencies.
type analysed struct {
	key   string
	time  int64
	prior uint16
	lens  [maxFields]byte // quantised number of terms of each field
	terms []termCount     // each term once, in no order
}

// termCount is one term of a document with its frequency in each field of mask; a facet
// has an empty mask.
type termCount struct {
	term string
	mask uint8
	tf   [maxFields]uint16
}

// document analyses d. The result is valid until the next call.
func (a *analyser) document(d *Document, cfg Config) analysed {
	out := analysed{key: d.Key, time: d.Time, prior: quantisePrior(d.Prior)}
	clear(a.seen)
	terms := a.terms[:0]
	for f := range cfg.Fields {
		text := d.Text[cfg.Fields[f].Name]
		if text == "" {
			continue
		}
		n := a.analyse(text, cfg.Fields[f].Code, maxFieldTerms, func(term []byte) {
			at, ok := a.seen[string(term)]
			if !ok {
				at = len(terms)
				s := string(term)
				a.seen[s] = at
				terms = append(terms, termCount{term: s})
			}
			t := &terms[at]
			t.mask |= 1 << f
			if t.tf[f] < math.MaxUint16 {
				t.tf[f]++
			}
		})
		out.lens[f] = quantiseLen(n)
	}
	for name, values := range d.Facets {
		for _, v := range values {
			s := facetTerm(name, v)
			if _, twice := a.seen[s]; !twice {
				a.seen[s] = len(terms)
				terms = append(terms, termCount{term: s})
			}
		}
	}
	a.terms, out.terms = terms, terms
	return out
}
