package memory

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPlacesLieBetweenTheirNeighbours inserts where a list is worst at it, and
// anywhere; what others may have written ends too.
func TestPlacesLieBetweenTheirNeighbours(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for name, where := range map[string]func(n int) int{
		"append": func(n int) int { return n }, "prepend": func(int) int { return 0 }, "second": func(n int) int { return min(1, n) },
		"last but one": func(n int) int { return max(0, n-1) }, "anywhere": func(n int) int { return random.IntN(n + 1) },
	} {
		var list []string
		longest := 0
		for range 150 {
			at := where(len(list))
			before, after := "", ""
			if at > 0 {
				before = list[at-1]
			}
			if at < len(list) {
				after = list[at]
			}
			p := between(before, after)
			if p <= before || after != "" && p >= after {
				t.Fatalf("%s: %q is not between %q and %q", name, p, before, after)
			}
			list, longest = slices.Insert(list, at, p), max(longest, len(p))
		}
		if name == "append" && longest != placeDigits || longest > 40 {
			t.Errorf("%s: places of %d digits", name, longest)
		}
	}
	for _, a := range []string{"", "000000", "zzzzzz", "0", "~", "ü", "zzzzzzz", "+1"} {
		for _, b := range []string{"", "000000", "zzzzzz", "0", "~", "ü", "-"} {
			if p := between(a, b); len(p) == 0 || len(p) > maxPlace+placeDigits {
				t.Errorf("between %q and %q: %q", a, b, p)
			}
		}
	}
}
