package trait

import (
	"math/bits"
	"strings"
	"unicode/utf8"
)

// Nearest finds the candidate that a misspelt name most likely means: at most
// two edits away (one for names under five letters), where an edit inserts,
// drops or changes a letter or swaps two neighbours (Damerau-Levenshtein). Case,
// '_' and '-' do not count. Of equally near ones the longer shared beginning
// wins, then the alphabet. Names over MaxName bytes have no neighbour.
func Nearest(name string, candidates []string) (string, bool) {
	return newSpelling(candidates).nearest(name)
}

// spelling is a list of names prepared for many searches.
type spelling struct{ names []spelt }

type spelt struct {
	name   string
	key    []rune // lower case, without '_' and '-'
	length int
	mask   uint64 // which letters occur
}

func newSpelling(names []string) spelling {
	s := spelling{names: make([]spelt, 0, len(names))}
	for _, n := range names {
		if len(n) <= MaxName {
			s.names = append(s.names, spell(n))
		}
	}
	return s
}

func spell(name string) spelt {
	key := []rune(strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name)))
	s := spelt{name: name, key: key, length: len(key)}
	for _, r := range key {
		s.mask |= 1 << (uint32(r) % 64)
	}
	return s
}

func (s spelling) nearest(name string) (string, bool) {
	if len(name) > MaxName || !utf8.ValidString(name) {
		return "", false
	}
	q := spell(name)
	if q.length == 0 {
		return "", false
	}
	limit := 2
	if q.length < 5 {
		limit = 1
	}
	best, bestDistance, bestPrefix := "", limit+1, 0
	for i := range s.names {
		c := &s.names[i]
		// An edit changes the length by one and the set of letters by two at most.
		if c.length > q.length+limit || q.length > c.length+limit || bits.OnesCount64(q.mask^c.mask) > 2*limit {
			continue
		}
		d := distance(q.key, c.key)
		if d > limit || d > bestDistance {
			continue
		}
		p := sharedPrefix(q.key, c.key)
		if d < bestDistance || p > bestPrefix || p == bestPrefix && c.name < best {
			best, bestDistance, bestPrefix = c.name, d, p
		}
	}
	return best, bestDistance <= limit
}

func sharedPrefix(a, b []rune) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// distance is the unrestricted Damerau-Levenshtein distance (Lowrance and
// Wagner 1975) of two short words: O(len(a)·len(b)) time and memory.
func distance(a, b []rune) int {
	width := len(b) + 2
	far := len(a) + len(b)
	d := make([]int, (len(a)+2)*width)
	at := func(i, j int) *int { return &d[(i+1)*width+j+1] } // i, j from -1
	*at(-1, -1) = far
	for i := 0; i <= len(a); i++ {
		*at(i, -1), *at(i, 0) = far, i
	}
	for j := 0; j <= len(b); j++ {
		*at(-1, j), *at(0, j) = far, j
	}
	lastRow := make(map[rune]int, len(a)) // the last row where a letter of a stood
	for i := 1; i <= len(a); i++ {
		lastColumn := 0 // the last column where the letter of this row stood in b
		for j := 1; j <= len(b); j++ {
			k, l := lastRow[b[j-1]], lastColumn
			cost := 1
			if a[i-1] == b[j-1] {
				cost, lastColumn = 0, j
			}
			swapped := *at(k-1, l-1) + (i - k - 1) + 1 + (j - l - 1)
			*at(i, j) = min(*at(i-1, j-1)+cost, *at(i, j-1)+1, *at(i-1, j)+1, swapped)
		}
		lastRow[a[i-1]] = i
	}
	return *at(len(a), len(b))
}
