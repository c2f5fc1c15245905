package index

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

func mustOpen(t testing.TB, dir string) *Index {
	t.Helper()
	ix, err := Open(dir, Config{})
	if err != nil {
		t.Fatal(err)
	}
	return ix
}

func mustPut(t testing.TB, ix *Index, space string, docs ...Document) {
	t.Helper()
	if err := ix.Put(space, docs...); err != nil {
		t.Fatal(err)
	}
}

func mustCommit(t testing.TB, ix *Index, position uint64) {
	t.Helper()
	if err := ix.Commit(position); err != nil {
		t.Fatal(err)
	}
}

func entry(key, title, body string) Document {
	return Document{Key: key, Text: map[string]string{"title": title, "body": body}}
}

func keysOf(r Result) string {
	var keys []string
	for _, h := range r.Hits {
		keys = append(keys, h.Key)
	}
	return strings.Join(keys, " ")
}

func TestSearchStaysInItsSpace(t *testing.T) {
	t.Parallel()
	alone, beside := mustOpen(t, ""), mustOpen(t, "")
	for _, ix := range []*Index{alone, beside} {
		mustPut(t, ix, "code:a", entry("1", "parser", "reads a query"), entry("2", "writer", "query"))
	}
	for i := range 20 {
		mustPut(t, beside, "code:b", entry(fmt.Sprint(i), "parser", "query query"))
	}
	mustCommit(t, beside, 1)
	q := Query{Text: "query parser"}
	if got, want := mustSearch(t, beside, "code:a", q), mustSearch(t, alone, "code:a", q); !reflect.DeepEqual(got, want) {
		t.Errorf("a neighbour space shows: got %+v, want %+v", got, want)
	}
	if got := mustSearch(t, beside, "code:c", q); got.Total != 0 {
		t.Errorf("an unknown space has hits: %+v", got)
	}
}

func TestFieldsAndPriorDecideTheOrder(t *testing.T) {
	t.Parallel()
	ix := mustOpen(t, "")
	famous := entry("famous", "other words", "merge")
	famous.Prior = 100
	mustPut(t, ix, "s", entry("title", "merge", ""), famous, entry("plain", "other words", "merge"), entry("none", "x", "y"))
	got := mustSearch(t, ix, "s", Query{Text: "merging"})
	if keysOf(got) != "title famous plain" || got.Total != 3 {
		t.Fatalf("order %q, want title, famous, plain", keysOf(got))
	}
	if !slices.Equal(got.Hits[0].Fields, []string{"title"}) || !slices.Equal(got.Hits[1].Fields, []string{"body"}) {
		t.Errorf("matched fields %v and %v", got.Hits[0].Fields, got.Hits[1].Fields)
	}
	if ratio := got.Hits[1].Score / got.Hits[2].Score; math.Abs(ratio-maxPrior) > 1e-5 {
		t.Errorf("a prior of 100 multiplies by %v, want %v", ratio, maxPrior)
	}
}

// TestHiddenTextLeavesNoTrace compares an index with hidden fields with one that never
// had them.
func TestHiddenTextLeavesNoTrace(t *testing.T) {
	t.Parallel()
	visible := []string{"domain", "kind"}
	rapid.Check(t, func(t *rapid.T) {
		full, err := Open("", Config{})
		if err != nil {
			t.Fatal(err)
		}
		bare, err := Open("", Config{})
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 20).Draw(t, "documents") {
			d := drawDocument(t)
			d.Text["body"] += " canary"
			stripped := d
			stripped.Text = map[string]string{"domain": d.Text["domain"]}
			stripped.Facets = map[string][]string{"kind": d.Facets["kind"]}
			for ix, doc := range map[*Index]Document{full: d, bare: stripped} {
				if err := ix.Put("s", doc); err != nil {
					t.Fatal(err)
				}
			}
			if rapid.Bool().Draw(t, "commit") {
				if err := full.Commit(0); err != nil {
					t.Fatal(err)
				}
			}
		}
		for range 5 {
			q := drawQuery(t)
			q.Text += rapid.SampledFrom([]string{"", " canary"}).Draw(t, "probe")
			q.FieldsOnly = visible
			if got, want := mustSearch(t, full, "s", q), mustSearch(t, bare, "s", q); !reflect.DeepEqual(got, want) {
				t.Fatalf("query %+v:\n got %+v\nwant %+v", q, got, want)
			}
		}
	})
}

// TestHiddenTermIsNotRead shows that a term of hidden fields costs as little as one that
// does not exist.
func TestHiddenTermIsNotRead(t *testing.T) {
	t.Parallel()
	ix := mustOpen(t, "")
	mustPut(t, ix, "s", entry("a", "shown", "hidden"))
	for _, sealed := range []bool{false, true} {
		if sealed {
			mustCommit(t, ix, 1)
		}
		for _, p := range ix.parts("s") {
			w, df, _, err := p.walk("hidden", ix.cfg.mask([]string{"title"}))
			if err != nil || df != 0 || len(w.data) != 0 {
				t.Errorf("sealed %v: %d bytes of postings, df %d, error %v", sealed, len(w.data), df, err)
			}
		}
	}
}

func TestEmptyAndMeaninglessQueries(t *testing.T) {
	t.Parallel()
	ix := mustOpen(t, "")
	mustPut(t, ix, "s", entry("b", "x", ""), entry("a", "y", ""))
	mustCommit(t, ix, 1)
	mustPut(t, ix, "s", entry("c", "z", ""))
	for text, want := range map[string]string{"": "a b c", " \t": "a b c", "!!!": "", "the of": "", "y x": "a b"} {
		if got := keysOf(mustSearch(t, ix, "s", Query{Text: text})); got != want {
			t.Errorf("query %q finds %q, want %q", text, got, want)
		}
	}
	if got := mustSearch(t, ix, "s", Query{Filters: map[string][]string{"kind": nil}}); got.Total != 0 {
		t.Errorf("a filter without values keeps %d documents", got.Total)
	}
}

// TestRankingCrossesWindows has more documents than are scored at a time.
func TestRankingCrossesWindows(t *testing.T) {
	t.Parallel()
	ix := mustOpen(t, "")
	const n = 2*window + 100
	for i := range n {
		d := entry(fmt.Sprintf("%05d", i), "common", "")
		if i%1000 == 7 {
			d.Text["body"] = "rare"
		}
		if i >= n-50 {
			d.Facets = map[string][]string{"tag": {"late"}}
		}
		mustPut(t, ix, "s", d)
	}
	for _, sealed := range []bool{false, true} {
		if sealed {
			mustCommit(t, ix, 1)
		}
		if got := mustSearch(t, ix, "s", Query{Text: "rare", Limit: 3}); keysOf(got) != "00007 01007 02007" || got.Total != 9 || !got.More {
			t.Errorf("sealed %v: rare gives %+v", sealed, got)
		}
		got := mustSearch(t, ix, "s", Query{Text: "common", Filters: map[string][]string{"tag": {"late"}}, Limit: 1})
		if keysOf(got) != fmt.Sprintf("%05d", n-50) || got.Total != 50 {
			t.Errorf("sealed %v: filtered gives %+v", sealed, got)
		}
	}
}

func TestArgumentsOutOfBounds(t *testing.T) {
	t.Parallel()
	ix := mustOpen(t, "")
	mustCommit(t, ix, 5)
	long := func(n int) string { return strings.Repeat("x", n) }
	many := func(n int) []string { return make([]string, n) }
	put := func(space string, d Document) error { return ix.Put(space, entry("fine", "", ""), d) }
	facet := func(name string, values []string) Document {
		return Document{Key: "k", Facets: map[string][]string{name: values}}
	}
	search := func(q Query) error {
		_, err := ix.Search("s", q)
		return err
	}
	for name, err := range map[string]error{
		"no space":           put("", entry("k", "", "")),
		"long space":         put(long(maxSpace+1), entry("k", "", "")),
		"no key":             put("s", Document{}),
		"long key":           put("s", entry(long(maxKey+1), "", "")),
		"unknown field":      put("s", Document{Key: "k", Text: map[string]string{"colour": "red"}}),
		"facet without name": put("s", facet("", many(1))),
		"facet with zero":    put("s", facet("a\x00b", many(1))),
		"long facet value":   put("s", facet("a", []string{long(maxFacetValue + 1)})),
		"many facet values":  put("s", facet("a", many(maxFacetValues+1))),
		"prior":              put("s", Document{Key: "k", Prior: math.NaN()}),
		"limit":              search(Query{Limit: maxLimit + 1}),
		"negative limit":     search(Query{Limit: -1}),
		"filter values":      search(Query{Filters: map[string][]string{"a": many(maxFilterValues + 1)}}),
		"filter name":        search(Query{Filters: map[string][]string{long(maxName + 1): many(1)}}),
		"mark":               search(Query{After: &Mark{Score: math.NaN()}}),
		"position":           ix.Commit(4),
		"no weight":          Config{K1: 1, Fields: []Field{{Name: "a"}}}.Validate(),
		"nine fields":        Config{K1: 1, Fields: make([]Field, maxFields+1)}.Validate(),
		"b":                  Config{K1: 1, Fields: []Field{{Name: "a", Weight: 1, B: 2}}}.Validate(),
		"k1":                 Config{K1: math.Inf(1), Fields: Code().Fields}.Validate(),
	} {
		if !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: error %v, want %v", name, err, ErrInvalid)
		}
	}
	if n := ix.Count("s"); n != 0 {
		t.Errorf("refused calls entered %d documents", n)
	}
	if err := put("s", Document{Key: long(maxKey), Facets: map[string][]string{long(maxName): {long(maxFacetValue)}}}); err != nil {
		t.Errorf("the greatest document: %v", err)
	}
	mustCommit(t, ix, 6)
	if got := mustSearch(t, ix, "s", Query{Filters: map[string][]string{long(maxName): {long(maxFacetValue)}}}); got.Total != 1 {
		t.Errorf("the greatest facet is found %d times", got.Total)
	}
}

func TestLongTextAndQueryAreCut(t *testing.T) {
	t.Parallel()
	ix := mustOpen(t, "")
	mustPut(t, ix, "s", entry("k", strings.Repeat("word ", maxFieldTerms)+"beyond", ""))
	mustCommit(t, ix, 1)
	if got := mustSearch(t, ix, "s", Query{Text: "beyond"}); got.Total != 0 {
		t.Error("a term beyond the limit of a field is indexed")
	}
	if got := mustSearch(t, ix, "s", Query{Text: "word"}); got.Total != 1 {
		t.Error("a term before the limit of a field is lost")
	}
	if n := len(queryTerms(strings.Repeat("aa ", maxQueryText) + " late")); n != 1 {
		t.Errorf("%d query terms, want 1 of the first %d bytes", n, maxQueryText)
	}
	var b strings.Builder
	for i := range 100 {
		fmt.Fprintf(&b, "%c%c ", 'b'+i/10, 'b'+i%10)
	}
	if n := len(queryTerms(b.String())); n != maxQueryTerms {
		t.Errorf("%d query terms, want %d", n, maxQueryTerms)
	}
}

func TestSearchBesideWriter(t *testing.T) {
	t.Parallel()
	ix := mustOpen(t, t.TempDir())
	for i := range 50 {
		mustPut(t, ix, "s", entry(fmt.Sprint("stable", i), "lighthouse", ""))
	}
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				res, err := ix.Search("s", Query{Text: "lighthouse", Limit: 100})
				if err != nil || res.Total != 50 || len(res.Hits) != 50 {
					t.Errorf("%d of 50 documents beside a writer, error %v", res.Total, err)
					return
				}
				ix.Stats()
			}
		})
	}
	for i := range 200 {
		mustPut(t, ix, "s", entry(fmt.Sprint("moving", i%20), "ship", ""), entry(fmt.Sprint("stable", i%50), "lighthouse", "again"))
		if err := ix.Delete("s", fmt.Sprint("moving", i%7)); err != nil {
			t.Fatal(err)
		}
		if i%5 == 0 {
			mustCommit(t, ix, uint64(i))
		}
	}
	close(stop)
	readers.Wait()
}

func TestMergingBoundsSegmentsAndRoom(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ix := mustOpen(t, dir)
	for i := range 100 {
		mustPut(t, ix, "s", entry(fmt.Sprint(i%25), "merge", fmt.Sprint("word", i)))
		mustCommit(t, ix, uint64(i))
		st := ix.Stats()
		if st.Segments > 2*mergeFactor || st.Documents != min(i+1, 25) {
			t.Fatalf("after %d commits: %+v", i+1, st)
		}
		if n := len(files(t, dir)); n != st.Segments+1 {
			t.Fatalf("%d files for %d segments", n, st.Segments)
		}
	}
	if err := ix.DeleteSpace("s"); err != nil {
		t.Fatal(err)
	}
	for i := range 2 * mergeFactor {
		mustCommit(t, ix, uint64(100+i))
	}
	if st := ix.Stats(); st != (Stats{}) {
		t.Errorf("an emptied index still holds %+v", st)
	}
}

func TestChooseMerge(t *testing.T) {
	t.Parallel()
	sized := func(sizes ...uint32) (out []*segment) {
		for i, size := range sizes {
			p := &part{columns: columns{priors: make([]byte, 20)}, live: 10}
			out = append(out, &segment{number: uint64(i), size: size, parts: map[string]*part{"s": p}})
		}
		return out
	}
	half := slices.Repeat([]uint32{maxSegment / 2}, mergeFactor)
	for name, c := range map[string]struct {
		segments []*segment
		want     int
	}{
		"few":                         {sized(slices.Repeat([]uint32{100}, mergeFactor-1)...), 0},
		"enough of one tier":          {sized(slices.Repeat([]uint32{100}, mergeFactor+3)...), mergeFactor},
		"of two tiers":                {sized(append(slices.Repeat([]uint32{100}, mergeFactor-1), tierBase*4)...), 0},
		"large ones only within room": {sized(half...), 2},
		"too large":                   {sized(slices.Repeat([]uint32{maxSegment}, mergeFactor)...), 0},
	} {
		if got := len(chooseMerge(c.segments)); got != c.want {
			t.Errorf("%s: %d segments are merged, want %d", name, got, c.want)
		}
	}
	worn := sized(100, 100)
	worn[1].parts["s"].live = 4
	if got := chooseMerge(worn); len(got) != 1 || got[0] != worn[1] {
		t.Errorf("a segment with six of ten removed is not rewritten: %v", got)
	}
}

func TestFullMemtableIsSealed(t *testing.T) {
	t.Parallel()
	ix := mustOpen(t, t.TempDir())
	mustCommit(t, ix, 7)
	for i := 0; ix.Stats().Segments == 0; i++ {
		var b strings.Builder
		for j := range 5000 {
			fmt.Fprintf(&b, "%s ", entryWord(i*5000+j+70*70*70))
		}
		mustPut(t, ix, "s", entry(fmt.Sprint(i), "", b.String()))
		if i > 100 {
			t.Fatal("half a million words stay in the memtable")
		}
	}
	if ix.Position() != 7 {
		t.Errorf("sealing moved the position to %d", ix.Position())
	}
}
