package index

// stem removes English suffixes from a folded word, in place, by the algorithm of
// M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980. Words with
// anything but a to z, and words of one or two letters, come back unchanged.
func stem(w []byte) []byte {
	if len(w) <= 2 {
		return w
	}
	for _, c := range w {
		if c < 'a' || c > 'z' {
			return w
		}
	}
	w = stepPlural(w)
	w = stepPast(w)
	if ends(w, "y") && hasVowel(w[:len(w)-1]) {
		w[len(w)-1] = 'i'
	}
	w = stepSuffix(w, doubleSuffixes)
	w = stepSuffix(w, adjectiveSuffixes)
	w = stepLast(w)
	return stepTidy(w)
}

// suffix is one rule: from is replaced by to.
type suffix struct{ from, to string }

// doubleSuffixes and adjectiveSuffixes are steps 2 and 3 of the paper; of rules that
// share an ending the longest stands first.
var (
	doubleSuffixes = []suffix{
		{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"},
		{"abli", "able"}, {"alli", "al"}, {"entli", "ent"}, {"eli", "e"}, {"ousli", "ous"},
		{"ization", "ize"}, {"ation", "ate"}, {"ator", "ate"}, {"alism", "al"}, {"iveness", "ive"},
		{"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"}, {"iviti", "ive"}, {"biliti", "ble"},
	}
	adjectiveSuffixes = []suffix{
		{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""}, {"ness", ""},
	}
	lastSuffixes = []string{
		"al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou",
		"ism", "ate", "iti", "ous", "ive", "ize",
	}
)

func ends(w []byte, s string) bool {
	return len(w) >= len(s) && string(w[len(w)-len(s):]) == s
}

func isVowel(w []byte, i int) bool {
	switch w[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return true
	case 'y':
		return i > 0 && !isVowel(w, i-1)
	}
	return false
}

func hasVowel(w []byte) bool {
	for i := range w {
		if isVowel(w, i) {
			return true
		}
	}
	return false
}

// measure counts the changes from vowel to consonant, m in the paper.
func measure(w []byte) int {
	m, vowel := 0, false
	for i := range w {
		v := isVowel(w, i)
		if vowel && !v {
			m++
		}
		vowel = v
	}
	return m
}

func doubleConsonant(w []byte) bool {
	n := len(w)
	return n >= 2 && w[n-1] == w[n-2] && !isVowel(w, n-1)
}

// shortSyllable is *o of the paper: consonant, vowel, consonant other than w, x and y.
func shortSyllable(w []byte) bool {
	n := len(w)
	if n < 3 || isVowel(w, n-1) || !isVowel(w, n-2) || isVowel(w, n-3) {
		return false
	}
	c := w[n-1]
	return c != 'w' && c != 'x' && c != 'y'
}

func stepPlural(w []byte) []byte {
	switch {
	case ends(w, "sses"), ends(w, "ies"):
		return w[:len(w)-2]
	case ends(w, "s") && !ends(w, "ss"):
		return w[:len(w)-1]
	}
	return w
}

func stepPast(w []byte) []byte {
	if ends(w, "eed") {
		if measure(w[:len(w)-3]) > 0 {
			return w[:len(w)-1]
		}
		return w
	}
	var s []byte
	switch {
	case ends(w, "ed"):
		s = w[:len(w)-2]
	case ends(w, "ing"):
		s = w[:len(w)-3]
	default:
		return w
	}
	if !hasVowel(s) {
		return w
	}
	switch {
	case ends(s, "at"), ends(s, "bl"), ends(s, "iz"):
		return append(s, 'e')
	case doubleConsonant(s) && !ends(s, "l") && !ends(s, "s") && !ends(s, "z"):
		return s[:len(s)-1]
	case measure(s) == 1 && shortSyllable(s):
		return append(s, 'e')
	}
	return s
}

// stepSuffix applies the first rule whose ending fits, if enough of the word is left.
func stepSuffix(w []byte, rules []suffix) []byte {
	for _, r := range rules {
		if ends(w, r.from) {
			if s := w[:len(w)-len(r.from)]; measure(s) > 0 {
				return append(s, r.to...)
			}
			return w
		}
	}
	return w
}

func stepLast(w []byte) []byte {
	for _, from := range lastSuffixes {
		if !ends(w, from) {
			continue
		}
		s := w[:len(w)-len(from)]
		if measure(s) > 1 && (from != "ion" || ends(s, "s") || ends(s, "t")) {
			return s
		}
		return w
	}
	return w
}

func stepTidy(w []byte) []byte {
	if ends(w, "e") {
		s := w[:len(w)-1]
		if m := measure(s); m > 1 || m == 1 && !shortSyllable(s) {
			w = s
		}
	}
	if ends(w, "ll") && measure(w) > 1 {
		w = w[:len(w)-1]
	}
	return w
}
