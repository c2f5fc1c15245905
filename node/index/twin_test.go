package index

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// twin is the engine without an engine: documents in a map, and a search that looks at
// all of them. What it answers is what the index must answer.
type twin map[string]map[string]Document

func (tw twin) put(space string, docs ...Document) {
	if tw[space] == nil {
		tw[space] = make(map[string]Document)
	}
	for _, d := range docs {
		tw[space][d.Key] = d
	}
}

func twinTerms(text string, code bool) map[string]int {
	out := make(map[string]int)
	newAnalyser().analyse(text, code, math.MaxInt, func(t []byte) { out[string(t)]++ })
	return out
}

func (tw twin) search(space string, cfg Config, q Query) Result {
	visible := func(name string) bool { return q.FieldsOnly == nil || slices.Contains(q.FieldsOnly, name) }
	docs := tw[space]
	counts := make(map[string]map[int]map[string]int) // key, field, term
	lengths := make(map[string]map[int]float64)
	sums := make(map[int]float64)
	df := make(map[string]float64)
	for key, d := range docs {
		counts[key], lengths[key] = make(map[int]map[string]int), make(map[int]float64)
		inDoc := make(map[string]bool)
		for f, field := range cfg.Fields {
			terms := twinTerms(d.Text[field.Name], field.Code)
			n := 0
			for t, c := range terms {
				n += c
				if visible(field.Name) {
					inDoc[t] = true
				}
			}
			counts[key][f] = terms
			lengths[key][f] = float64(lenOf[quantiseLen(n)])
			sums[f] += lengths[key][f]
		}
		for t := range inDoc {
			df[t]++
		}
	}
	query := twinTerms(q.Text, false)
	all := strings.TrimSpace(q.Text) == ""

	var hits []Hit
	for key, d := range docs {
		var sum float64
		var fields []string
		for _, t := range slices.Sorted(maps.Keys(query)) {
			tf := 0.0
			for f, field := range cfg.Fields {
				c := counts[key][f][t]
				if c == 0 || !visible(field.Name) {
					continue
				}
				mean := sums[f] / float64(len(docs))
				tf += float64(float64(c) * (field.Weight / (1 - field.B + float64(field.B*(lengths[key][f]/mean)))))
				if !slices.Contains(fields, field.Name) {
					fields = append(fields, field.Name)
				}
			}
			if tf > 0 {
				idf := math.Log1p((float64(len(docs)) - df[t] + 0.5) / (df[t] + 0.5))
				sum += float64(float64(float64(query[t])*idf) * (tf / (cfg.K1 + tf)))
			}
		}
		if !all && len(fields) == 0 || !twinPasses(d, q, visible) {
			continue
		}
		if all {
			sum = 1
		}
		order := func(a, b string) int { return fieldAt(cfg, a) - fieldAt(cfg, b) }
		slices.SortFunc(fields, order)
		score := math.Round(sum*float64(quantisePrior(d.Prior))/priorUnit*1e6) / 1e6
		hits = append(hits, Hit{Key: key, Score: score, Fields: fields})
	}
	slices.SortFunc(hits, func(a, b Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Key, b.Key)) })
	res := Result{Total: len(hits)}
	if q.After != nil {
		hits = slices.DeleteFunc(hits, func(h Hit) bool {
			return h.Score > q.After.Score || h.Score == q.After.Score && h.Key <= q.After.Key
		})
	}
	limit := cmp.Or(q.Limit, defaultLimit)
	res.More = len(hits) > limit
	if len(hits) > 0 {
		res.Hits = hits[:min(limit, len(hits))]
	}
	return res
}

func fieldAt(cfg Config, name string) int {
	return slices.IndexFunc(cfg.Fields, func(f Field) bool { return f.Name == name })
}

func twinPasses(d Document, q Query, visible func(string) bool) bool {
	for name, values := range q.Filters {
		has := slices.ContainsFunc(d.Facets[name], func(v string) bool { return slices.Contains(values, v) })
		if !has || !visible(name) {
			return false
		}
	}
	return (q.Since == 0 || d.Time >= q.Since) && (q.Until == 0 || d.Time < q.Until)
}

var words = []string{
	"parse", "Query", "ParseQuery", "parse_query", "the", "network", "networks", "HTTPServer", "url", "v2",
	"検索", "東京都", "straße", "of", "commit", "committed", "x", "don't",
}

func drawText(t *rapid.T, label string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 6).Draw(t, label), " ")
}

func drawDocument(t *rapid.T) Document {
	return Document{
		Key: fmt.Sprintf("k%02d", rapid.IntRange(0, 30).Draw(t, "key")),
		Text: map[string]string{
			"title": drawText(t, "title"), "domain": drawText(t, "domain"), "body": drawText(t, "body"),
		},
		Facets: map[string][]string{
			"kind": {rapid.SampledFrom([]string{"fact", "skill"}).Draw(t, "kind")},
			"tag":  rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 3).Draw(t, "tags"),
		},
		Time:  rapid.Int64Range(-2, 5).Draw(t, "time"),
		Prior: rapid.SampledFrom([]float64{0, 0.1, 0.93217, 1, 1.25, 7}).Draw(t, "prior"),
	}
}

func drawQuery(t *rapid.T) Query {
	q := Query{Text: drawText(t, "text"), Limit: rapid.IntRange(0, 12).Draw(t, "limit")}
	if rapid.Bool().Draw(t, "filtered") {
		q.Filters = map[string][]string{"kind": {"skill"}}
	}
	if rapid.Bool().Draw(t, "tagged") {
		q.Filters = map[string][]string{"tag": rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "z"}), 0, 2).Draw(t, "any of")}
	}
	if rapid.Bool().Draw(t, "dated") {
		q.Since, q.Until = rapid.Int64Range(-1, 3).Draw(t, "since"), rapid.Int64Range(0, 5).Draw(t, "until")
	}
	if rapid.Bool().Draw(t, "masked") {
		q.FieldsOnly = rapid.SliceOfN(rapid.SampledFrom([]string{"title", "domain", "kind", "tag"}), 0, 3).Draw(t, "only")
		if q.FieldsOnly == nil {
			q.FieldsOnly = []string{}
		}
	}
	return q
}

// mustSearch searches and fails the test on an error.
func mustSearch(t interface{ Fatalf(string, ...any) }, ix *Index, space string, q Query) Result {
	res, err := ix.Search(space, q)
	if err != nil {
		t.Fatalf("search %q: %v", q.Text, err)
	}
	return res
}

// TestIndexMatchesLinearScan runs random puts, deletes, commits and reopenings and
// compares every answer, page by page, with the twin's.
func TestIndexMatchesLinearScan(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	run := 0
	rapid.Check(t, func(t *rapid.T) {
		run++
		dir := ""
		if run%4 == 0 {
			dir = fmt.Sprintf("%s/%d", root, run)
		}
		cfg := Knowledge()
		ix, err := Open(dir, cfg)
		if err != nil {
			t.Fatal(err)
		}
		tw := make(twin)
		spaces := []string{"one", "two"}
		position := uint64(0)
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			space := rapid.SampledFrom(spaces).Draw(t, "space")
			switch rapid.IntRange(0, 11).Draw(t, "step") {
			case 0, 1, 2, 3, 4:
				docs := []Document{drawDocument(t), drawDocument(t)}
				if err := ix.Put(space, docs...); err != nil {
					t.Fatal(err)
				}
				tw.put(space, docs...)
			case 5:
				key := drawDocument(t).Key
				if err := ix.Delete(space, key); err != nil {
					t.Fatal(err)
				}
				delete(tw[space], key)
			case 6, 7:
				position++
				if err := ix.Commit(position); err != nil {
					t.Fatal(err)
				}
			case 8:
				if dir == "" {
					continue
				}
				position++
				if err := ix.Commit(position); err != nil {
					t.Fatal(err)
				}
				if err := ix.Close(); err != nil {
					t.Fatal(err)
				}
				if ix, err = Open(dir, cfg); err != nil {
					t.Fatal(err)
				}
				if ix.Position() != position {
					t.Fatalf("position %d after reopening, want %d", ix.Position(), position)
				}
			default:
				q := drawQuery(t)
				for page := 0; page < 4; page++ {
					got, want := mustSearch(t, ix, space, q), tw.search(space, cfg, q)
					if !reflect.DeepEqual(got, want) {
						t.Fatalf("query %+v after %+v:\n got %+v\nwant %+v", q, q.After, got, want)
					}
					if len(got.Hits) == 0 {
						break
					}
					mark := got.Hits[len(got.Hits)-1].Mark()
					q.After = &mark
				}
			}
			if got, want := ix.Count(space), len(tw[space]); got != want {
				t.Fatalf("%d documents in %q, want %d", got, space, want)
			}
		}
		_ = ix.Close()
	})
}

// TestRankingIgnoresSegmentation enters the same documents in several orders, with other
// commits, deleted strangers and replaced versions in between.
func TestRankingIgnoresSegmentation(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		docs := make(map[string]Document)
		for range rapid.IntRange(1, 25).Draw(t, "documents") {
			d := drawDocument(t)
			docs[d.Key] = d
		}
		keys := slices.Sorted(maps.Keys(docs))
		queries := []Query{drawQuery(t), drawQuery(t), {Text: "parse network 検索"}}
		var want []Result
		for variant := range 3 {
			ix, err := Open("", Config{})
			if err != nil {
				t.Fatal(err)
			}
			for i, key := range rapid.Permutation(keys).Draw(t, "order") {
				stranger, older := drawDocument(t), drawDocument(t)
				stranger.Key, older.Key = "stranger", key
				if err := ix.Put("s", stranger, older, docs[key]); err != nil {
					t.Fatal(err)
				}
				if rapid.Bool().Draw(t, "commit") {
					if err := ix.Commit(uint64(i)); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := ix.Delete("s", "stranger"); err != nil {
				t.Fatal(err)
			}
			for i, q := range queries {
				got := mustSearch(t, ix, "s", q)
				if variant == 0 {
					want = append(want, got)
				} else if !reflect.DeepEqual(got, want[i]) {
					t.Fatalf("variant %d, query %+v:\n got %+v\nwant %+v", variant, q, got, want[i])
				}
			}
		}
	})
}

// TestSegmentBytesIgnoreHistory shows that merging forgets how documents arrived.
func TestSegmentBytesIgnoreHistory(t *testing.T) {
	t.Parallel()
	build := func(order []int, commitEvery int) []byte {
		ix, err := Open("", Config{})
		if err != nil {
			t.Fatal(err)
		}
		for n, i := range order {
			if err := ix.Put("s", Document{Key: fmt.Sprint("k", i), Text: map[string]string{"body": words[i%len(words)] + " network"}}); err != nil {
				t.Fatal(err)
			}
			if n%commitEvery == 0 {
				if err := ix.Commit(uint64(n)); err != nil {
					t.Fatal(err)
				}
			}
		}
		sources := []map[string]*part{ix.mem.spaces}
		for _, s := range ix.segments {
			sources = append(sources, s.parts)
		}
		b, err := encodeSegment(sources, len(ix.cfg.Fields))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	forth, back := make([]int, 50), make([]int, 50)
	for i := range forth {
		forth[i], back[49-i] = i, i
	}
	if !slices.Equal(build(forth, 3), build(back, 7)) {
		t.Error("two histories of the same documents give different bytes")
	}
}
