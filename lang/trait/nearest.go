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

// Speller is a list of names prepared for many searches. It is safe for
// concurrent use.
type Speller struct{ names spelling }

// NewSpeller prepares a list of names.
func NewSpeller(names []string) *Speller { return &Speller{newSpelling(names)} }

// Nearest is as the function of that name, among the names of the list.
func (s *Speller) Nearest(name string) (string, bool) { return s.names.nearest(name) }

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
	key := make([]rune, 0, len(name))
	for _, r := range strings.ToLower(name) {
		if r != '_' && r != '-' {
			key = append(key, r)
		}
	}
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
		d := distance(q.key, c.key, min(limit, bestDistance))
		if d > min(limit, bestDistance) {
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
// Wagner 1975) of two words of at most MaxName letters, or limit+1 when it is
// more than limit, which is 2 at most. Only cells near the diagonal are worked
// out, and of the swaps only those that can cost so little: of neighbours, or
// with one letter dropped or put in between.
func distance(a, b []rune, limit int) int {
	far := limit + 1
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return far
	}
	var cells [MaxName + 1][MaxName + 1]uint8
	at := func(i, j int) int {
		if i < 0 || j < 0 || i-j > limit || j-i > limit {
			return far
		}
		return int(cells[i][j])
	}
	for i := 0; i <= len(a); i++ {
		for j := max(0, i-limit); j <= min(len(b), i+limit); j++ {
			d := min(far, i+j)
			if i > 0 && j > 0 {
				d = min(at(i-1, j), at(i, j-1)) + 1
				if a[i-1] == b[j-1] {
					d = min(d, at(i-1, j-1))
				} else {
					d = min(d, at(i-1, j-1)+1)
				}
				if i > 1 && j > 1 && a[i-2] == b[j-1] && a[i-1] == b[j-2] {
					d = min(d, at(i-2, j-2)+1)
				}
				if i > 2 && j > 1 && a[i-3] == b[j-1] && a[i-1] == b[j-2] {
					d = min(d, at(i-3, j-2)+2)
				}
				if i > 1 && j > 2 && a[i-2] == b[j-1] && a[i-1] == b[j-3] {
					d = min(d, at(i-2, j-3)+2)
				}
			}
			cells[i][j] = uint8(min(d, far))
		}
	}
	return min(at(len(a), len(b)), far)
}
