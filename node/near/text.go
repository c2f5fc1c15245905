package near

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/text/unicode/norm"
)

const (
	perWord   = 20 // words of a long text for each that may differ
	signWord  = 4  // signs of a script without spaces: as much as one word may have
	shortText = 44 // words: below it a text has keys of hands
	longText  = 36 // words: from it on a text has keys of runs
	hands     = 4
	classes   = 6 // of runs
	runWords  = 3
)

// Text is a text as it is compared: its words in order, by their hashes. Case,
// the form of composed letters, white space and marks around words are no part
// of it. The zero value has no words and is like nothing.
type Text struct {
	words []uint64
	signs bool // most words are single signs
	allow int  // words that may differ
}

// Of returns the words of a text. A letter of a script written without spaces is
// a word, and so is a run of Katakana.
func Of(text string) Text {
	if !norm.NFC.IsNormalString(text) {
		text = norm.NFC.String(text)
	}
	t := Text{words: make([]uint64, 0, len(text)/6+1)}
	signs := 0
	for _, field := range strings.Fields(strings.ToLower(text)) {
		signs += t.add(field)
	}
	one := 1
	if t.signs = signs > len(t.words)/2; t.signs {
		one = signWord
	}
	t.allow = max(one, len(t.words)/perWord)
	return t
}

// add appends the words of a field between white space and returns how many of
// them are single signs.
func (t *Text) add(field string) (signs int) {
	from := 0 // of what is not yet a word
	for i := 0; i < len(field); {
		if field[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(field[i:])
		if !unicode.In(r, spaceless...) {
			i += size
			continue
		}
		t.word(field[from:i])
		t.words = append(t.words, xxhash.Sum64String(field[i:i+size]))
		signs++
		i += size
		from = i
	}
	t.word(field[from:])
	return signs
}

// word appends s without the marks around it, if anything is left.
func (t *Text) word(s string) {
	s = strings.TrimFunc(s, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.S) })
	if s != "" {
		t.words = append(t.words, xxhash.Sum64String(s))
	}
}

// spaceless are scripts whose words are not separated. Katakana is not among
// them: a run of it is a word.
var spaceless = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
}

// Words is how many there are.
func (t Text) Words() int { return len(t.words) }

// Like reports whether two texts are almost the same: the words of one that the
// other has not are one at most, or one of twenty. The order of words does not
// matter. A word of a script without spaces is up to four signs.
func (t Text) Like(u Text) bool {
	most := max(t.allow, u.allow)
	if len(t.words) == 0 || len(u.words) == 0 || len(t.words)-len(u.words) > most || len(u.words)-len(t.words) > most {
		return false
	}
	a, b := slices.Sorted(slices.Values(t.words)), slices.Sorted(slices.Values(u.words))
	mine, theirs := 0, 0
	for len(a) > 0 && len(b) > 0 && mine <= most && theirs <= most {
		switch {
		case a[0] == b[0]:
			a, b = a[1:], b[1:]
		case a[0] < b[0]:
			a, mine = a[1:], mine+1
		default:
			b, theirs = b[1:], theirs+1
		}
	}
	return max(mine+len(a), theirs+len(b)) <= most
}

// key names what two texts that are alike have in common, under one owner. Zero
// is none.
type key uint32

// keys are those under which t is kept (n is its number of words) and, with
// asked, all under which a text alike may be kept.
func (t Text) keys(owner uint64, asked bool) []key {
	n := len(t.words)
	if n == 0 {
		return nil
	}
	out := make([]key, 0, 4*classes)
	if n < shortText {
		h := t.deal()
		lengths := []int{n}
		if asked { // a word more or less
			lengths = []int{n - 1, n, n + 1}
		}
		for _, n := range lengths {
			for i := range hands {
				for j := range i {
					out = append(out, keyOf(owner, uint64(n)<<8|uint64(i*hands+j), h[i], h[j]))
				}
			}
		}
	}
	if n >= longText || t.signs { // a word of several signs changes more hands than two
		for class, least := range t.runs() {
			if least != 0 {
				out = append(out, keyOf(owner, 1<<40|uint64(class), least, 0))
			}
		}
	}
	return out
}

// deal sums the words into hands.
func (t Text) deal() (sum [hands]uint64) {
	for _, w := range t.words {
		m := mix(w)
		sum[m%hands] += m
	}
	return sum
}

// runs are the least hashes of runs of words in each class, 0 where there is none.
func (t Text) runs() (least [classes]uint64) {
	for i := 0; i+runWords <= len(t.words); i++ {
		h := uint64(0)
		for _, w := range t.words[i : i+runWords] {
			h = mix(h ^ w)
		}
		if c := &least[h%classes]; *c == 0 || h < *c {
			*c = h
		}
	}
	return least
}

func keyOf(owner, what, a, b uint64) key {
	return key(mix(mix(mix(owner^what)^a)^b) >> 32)
}

// mix is the finaliser of MurmurHash3: each bit of x decides about each bit.
func mix(x uint64) uint64 {
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}
