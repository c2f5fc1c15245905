package near

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// choice is {one|other}: where the two texts of a line differ.
var choice = regexp.MustCompile(`\{([^{}|]*)\|([^{}|]*)\}`)

// pairs reads a file of testdata: a line is two texts with " | " between them, or
// one with choices.
func pairs(t testing.TB, name string) (out [][2]string) {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSuffix(line, "\n")
		if a, b, two := strings.Cut(line, " | "); two {
			out = append(out, [2]string{a, b})
			continue
		}
		out = append(out, [2]string{choice.ReplaceAllString(line, "$1"), choice.ReplaceAllString(line, "$2")})
	}
	return out
}

// TestPairs: a hundred texts and the same with another word are alike, and found
// as such among all others of one author; a hundred pairs that say something of
// two subjects in much the same way are not.
func TestPairs(t *testing.T) {
	t.Parallel()
	alike, apart := pairs(t, "alike.txt"), pairs(t, "apart.txt")
	if len(alike) < 100 || len(apart) < 100 {
		t.Fatalf("%d and %d pairs, want a hundred each", len(alike), len(apart))
	}
	x := New(1 << 40)
	texts := map[uint64]Text{}
	for i, p := range append(alike, apart...) {
		texts[uint64(i)] = Of(p[0])
		x.Add(1, uint64(i), texts[uint64(i)])
	}
	found := func(text string) (out []uint64) {
		of := Of(text)
		for _, at := range x.Find(1, 0, of) {
			if texts[at].Like(of) {
				out = append(out, at)
			}
		}
		return out
	}
	for i, p := range alike {
		if p[0] == p[1] {
			t.Errorf("pair %d is one text: %s", i+1, p[0])
		}
		if got := found(p[1]); len(got) != 1 || got[0] != uint64(i) {
			t.Errorf("pair %d: found %v: %s", i+1, got, p[1])
		}
	}
	for i, p := range apart {
		if got := found(p[1]); len(got) != 0 {
			t.Errorf("apart, pair %d: taken for the same as %v: %s", i+1, got, p[1])
		}
	}
}
