package near

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const day = 1000

// invented is a text of n words from a vocabulary of a few thousand, the commoner
// ones more often, as in a language.
func invented(r *rand.Rand, n int) []string {
	out := make([]string, n)
	for i := range out {
		v := r.Float64()
		out[i] = fmt.Sprintf("w%d", int(v*v*v*4000))
	}
	return out
}

// full is an index with n entries of one owner, at the times from 1 on.
func full(n int) (*Index, *rand.Rand) {
	x, r := New(1<<40), rand.New(rand.NewPCG(1, 2))
	for i := range n {
		x.Add(1, uint64(i+1), Of(strings.Join(invented(r, 7+i%60), " ")))
	}
	return x, r
}

// TestOneWordIsFoundAmongMany: whatever the length and the place of the word, and
// however much the author wrote since.
func TestOneWordIsFoundAmongMany(t *testing.T) {
	t.Parallel()
	x, r := full(20_000)
	type pair struct {
		at  uint64
		new string
	}
	var pairs []pair
	for i := range 600 {
		words := invented(r, 6+i%80)
		at := uint64(100_000 + i)
		x.Add(1, at, Of(strings.Join(words, " ")))
		k := r.IntN(len(words))
		switch i % 3 {
		case 0:
			words[k] = "another"
		case 1:
			words = slices.Insert(words, k, "another")
		case 2:
			words = slices.Delete(words, k, k+1)
		}
		pairs = append(pairs, pair{at, strings.Join(words, " ")})
	}
	for i := range 20_000 {
		x.Add(1, uint64(200_000+i), Of(strings.Join(invented(r, 7+i%60), " ")))
	}
	missed := 0
	for _, p := range pairs {
		if !slices.Contains(x.Find(1, 0, Of(p.new)), p.at) {
			missed++
			t.Logf("missed: %s", p.new)
		}
	}
	if missed > 0 {
		t.Errorf("%d of %d are not found", missed, len(pairs))
	}
	if got := x.Find(2, 0, Of(pairs[0].new)); len(got) > 0 {
		t.Errorf("another owner's are found: %v", got)
	}
	if got := x.Find(1, 1<<30, Of(pairs[0].new)); len(got) > 0 {
		t.Errorf("older ones are found: %v", got)
	}
}

// TestLongTextsMayDifferInOneWordOfTwenty: scattered over the text.
func TestLongTextsMayDifferInOneWordOfTwenty(t *testing.T) {
	t.Parallel()
	x, r := full(5_000)
	missed := 0
	for i := range 1000 {
		words := invented(r, 60+i%200)
		at := uint64(100_000 + i)
		before := Of(strings.Join(words, " "))
		x.Add(1, at, before)
		for k := range len(words) / perWord {
			words[k*perWord+r.IntN(perWord)] = "another"
		}
		after := Of(strings.Join(words, " "))
		if !before.Like(after) {
			t.Fatalf("%d words of %d are too many", len(words)/perWord, len(words))
		}
		if !slices.Contains(x.Find(1, 0, after), at) {
			missed++
		}
		words[len(words)-1], words[len(words)-2] = "two", "more"
		if before.Like(Of(strings.Join(words, " "))) {
			t.Fatalf("two more words of %d are not too many", len(words))
		}
	}
	if missed > 2 { // one of 3,000 is expected
		t.Errorf("%d of 1000 are not found", missed)
	}
}

// TestIndexIsBounded: one key, the window, and what an answer names.
func TestIndexIsBounded(t *testing.T) {
	t.Parallel()
	x := New(day)
	same := Of("One text that comes again and again for as long as it can.")
	for i := range uint64(5000) {
		x.Add(1, i, same)
		if n := len(x.young.times) + len(x.old.times); n > 2*day+2 {
			t.Fatalf("%d entries for a window of %d", n, day)
		}
		if n := x.young.used + x.old.used; n > 2*6*perKey {
			t.Fatalf("%d places for one text", n)
		}
		if found := x.Find(1, 0, same); len(found) > maxFound || found[0] != i {
			t.Fatalf("found %v at %d", found, i)
		}
	}
}

func TestIndexSurvivesItsFile(t *testing.T) {
	t.Parallel()
	x, r := full(3000)
	y, err := Load(x.AppendTo(nil), x.window)
	if err != nil {
		t.Fatal(err)
	}
	for range 300 {
		text := Of(strings.Join(invented(r, 10), " "))
		if a, b := x.Find(1, 0, text), y.Find(1, 0, text); !slices.Equal(a, b) {
			t.Fatalf("%v before, %v after", a, b)
		}
	}
	if per := len(x.AppendTo(nil)) / 3000; per > 90 {
		t.Errorf("%d bytes an entry in the file", per)
	}
}

// FuzzLoad: any file gives an index that works, or an error.
func FuzzLoad(f *testing.F) {
	x, _ := full(5)
	good := x.AppendTo(nil)
	f.Add(good, "a log is synced before the write is acknowledged")
	f.Add(good[:len(good)-1], "")
	f.Add([]byte{0xff, 0xff, 0xff, 0xff}, "x")
	f.Fuzz(func(t *testing.T, b []byte, text string) {
		x, err := Load(b, day)
		if err != nil {
			return
		}
		words := Of(text)
		x.Add(1, 7, words)
		if found := x.Find(1, 0, words); words.Words() > 0 && !slices.Contains(found, 7) && len(found) < maxFound {
			t.Fatalf("%q is not found at once: %v", text, found)
		}
		y, err := Load(x.AppendTo(nil), day)
		if err != nil || !slices.Equal(y.Find(1, 0, words), x.Find(1, 0, words)) {
			t.Fatalf("another one after the file: %v", err)
		}
	})
}

// FuzzLike: alike is symmetric, reflexive, and true of a word more.
func FuzzLike(f *testing.F) {
	f.Add("A log is synced before the write is acknowledged.", "a LOG is synced before the write is not acknowledged")
	f.Add("写入必须在日志同步到磁盘之后才能确认", "サーバー\xff")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := Of(a), Of(b)
		if x.Like(y) != y.Like(x) {
			t.Fatalf("%q and %q differ by who asks", a, b)
		}
		more := Of(a + " another")
		if x.Words() == 0 {
			return
		}
		if !x.Like(x) || !x.Like(more) {
			t.Fatalf("%q is unlike itself", a)
		}
		i := New(day)
		i.Add(3, 1, x)
		if len(i.Find(3, 0, more)) == 0 && !x.signs && x.Words() < longText {
			t.Fatalf("%q is not found by a word more", a)
		}
	})
}

// BenchmarkFind asks, and remembers, among n entries of one author.
func BenchmarkFind(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("entries=%d", n), func(b *testing.B) {
			x, r := full(n)
			texts := make([]Text, 1000)
			for i := range texts {
				texts[i] = Of(strings.Join(invented(r, 30), " "))
			}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				x.Find(1, 0, texts[i%len(texts)])
				i++
			}
			b.ReportMetric(float64(8*(cap(x.young.times)+len(x.young.slots)))/float64(n), "B/entry")
		})
	}
}

// A table that grows while it is read is crowded at its beginning, and reading a
// large one takes minutes.
func TestLoadMakesItsTableOnce(t *testing.T) {
	x, _ := full(5000)
	b := x.AppendTo(nil)
	if n := testing.AllocsPerRun(1, func() {
		if _, err := Load(b, x.window); err != nil {
			t.Fatal(err)
		}
	}); n > 16 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		x, _ := full(n)
		file := x.AppendTo(nil)
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := Load(file, x.window); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
