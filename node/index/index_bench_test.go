package index

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
)

// corpus makes n short entries of about 200 characters whose words follow Zipf's law.
func corpus(n int) []Document {
	rng := rand.New(rand.NewPCG(3, 4))
	zipf := rand.NewZipf(rng, 1.1, 8, 60_000)
	text := func(words int) string {
		var b strings.Builder
		for range words {
			fmt.Fprintf(&b, "%s ", entryWord(int(zipf.Uint64())))
		}
		return b.String()
	}
	docs := make([]Document, n)
	for i := range docs {
		docs[i] = Document{
			Key:    fmt.Sprintf("%016x%016x", rng.Uint64(), rng.Uint64()),
			Text:   map[string]string{"title": text(6), "domain": entryWord(i % 40), "kind": "fact", "body": text(26)},
			Facets: map[string][]string{"kind": {"fact"}, "domain": {entryWord(i % 40)}, "author": {entryWord(i % 700)}},
			Time:   int64(i),
		}
	}
	return docs
}

// entryWord spells a number as a pronounceable word.
func entryWord(n int) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	var b strings.Builder
	for n += 70; n > 0; n /= 70 {
		b.WriteByte(consonants[n%70/5])
		b.WriteByte(vowels[n%5])
	}
	return b.String()
}

const entries = 100_000

func fill(b *testing.B, dir string, docs []Document) *Index {
	b.Helper()
	ix, err := Open(dir, Config{})
	if err != nil {
		b.Fatal(err)
	}
	for i := range docs {
		if err := ix.Put("knowledge:net", docs[i]); err != nil {
			b.Fatal(err)
		}
	}
	if err := ix.Commit(uint64(len(docs))); err != nil {
		b.Fatal(err)
	}
	return ix
}

// BenchmarkPut enters 100,000 entries and commits them to disk.
func BenchmarkPut(b *testing.B) {
	docs := corpus(entries)
	for b.Loop() {
		ix := fill(b, b.TempDir(), docs)
		b.ReportMetric(float64(ix.Stats().Bytes)/entries, "bytes/doc")
		if err := ix.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*entries/b.Elapsed().Seconds(), "docs/s")
}

// BenchmarkOpen opens 100,000 entries and reports the memory they stay in.
func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	if err := fill(b, dir, corpus(entries)).Close(); err != nil {
		b.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var ix *Index
	for b.Loop() {
		var err error
		if ix, err = Open(dir, Config{}); err != nil {
			b.Fatal(err)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/1e6, "heap-MB")
	runtime.KeepAlive(ix)
}

// BenchmarkSearch asks 100,000 entries with four and ten words, rare to common.
func BenchmarkSearch(b *testing.B) {
	ix := fill(b, "", corpus(entries))
	rng := rand.New(rand.NewPCG(5, 6))
	zipf := rand.NewZipf(rng, 1.1, 8, 60_000)
	query := func(words int) string {
		var w []string
		for range words {
			w = append(w, entryWord(int(zipf.Uint64())))
		}
		return strings.Join(w, " ")
	}
	for _, c := range []struct {
		name  string
		words int
		query Query
	}{
		{"FourWords", 4, Query{}},
		{"TenWords", 10, Query{}},
		{"TenWordsFiltered", 10, Query{Filters: map[string][]string{"domain": {entryWord(3)}}}},
		{"FourWordsMasked", 4, Query{FieldsOnly: []string{"domain", "kind"}}},
		{"FilterOnly", 0, Query{Filters: map[string][]string{"kind": {"fact"}}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				q := c.query
				q.Text = query(c.words)
				if _, err := ix.Search("knowledge:net", q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
