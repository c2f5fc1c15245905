package index

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// analyserVersion names the exact behaviour of analyser, stem and the stop words. Raise
// it with every change of the terms they give: older folders then answer ErrStale.
const analyserVersion = 1

// analyser turns text into terms. Documents and queries pass through the same one:
//
//   - text is brought to NFC and case folded;
//   - a word is a run of letters, marks, digits and underscores; it is split at
//     underscores, between letters and digits, and where camel case or an acronym ends;
//   - a word of one part gives its stem, a word of several gives the stem of each part
//     and the whole, unstemmed and without underscores, so that MaxValue and max_value meet;
//   - stop words are dropped where the text is prose, never as parts of an identifier;
//   - scripts written without spaces give their bigrams, a lone character itself.
//
// An analyser keeps scratch space and serves one caller at a time.
type analyser struct {
	fold  cases.Caser
	parts []string
	whole []byte
	one   []byte

	seen  map[string]int // scratch of document
	terms []termCount    // scratch of document
}

func newAnalyser() *analyser {
	return &analyser{fold: cases.Fold(), seen: make(map[string]int)}
}

// analyse hands the terms of text to emit in order, at most limit of them, and returns
// their number. The bytes belong to the analyser and change with the next term. With
// code set, stop words are kept.
func (a *analyser) analyse(text string, code bool, limit int, emit func(term []byte)) int {
	if !norm.NFC.IsNormalString(text) {
		text = norm.NFC.String(text)
	}
	n := 0
	give := func(term []byte) {
		if n < limit && len(term) > 0 {
			n++
			emit(cut(term))
		}
	}
	for text != "" && n < limit {
		r, size := decode(text)
		switch {
		case spaceless(r):
			end := runEnd(text, spaceless)
			a.bigrams(text[:end], give)
			text = text[end:]
		case wordRune(r):
			end := wordEnd(text)
			a.word(text[:end], code, give)
			text = text[end:]
		default:
			text = text[size:]
		}
	}
	return n
}

// decode is utf8.DecodeRuneInString with a short way for ASCII.
func decode(s string) (rune, int) {
	if s[0] < utf8.RuneSelf {
		return rune(s[0]), 1
	}
	return utf8.DecodeRuneInString(s)
}

func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
	}
	return (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)) && !spaceless(r)
}

// spaceless reports whether r belongs to a script whose words are not separated.
func spaceless(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' }

// runEnd is the length of the prefix of s whose runes are all in the class.
func runEnd(s string, class func(rune) bool) int {
	for i := 0; i < len(s); {
		r, size := decode(s[i:])
		if !class(r) {
			return i
		}
		i += size
	}
	return len(s)
}

// wordEnd is the length of the word at the start of s. An apostrophe between letters
// belongs to it.
func wordEnd(s string) int {
	end := runEnd(s, wordRune)
	for end < len(s) {
		r, size := decode(s[end:])
		if !isApostrophe(r) || end+size == len(s) {
			return end
		}
		next, _ := decode(s[end+size:])
		before, _ := utf8.DecodeLastRuneInString(s[:end])
		if !unicode.IsLetter(before) || !unicode.IsLetter(next) || spaceless(next) {
			return end
		}
		end += size + runEnd(s[end+size:], wordRune)
	}
	return end
}

// word gives the terms of one word.
func (a *analyser) word(w string, code bool, give func([]byte)) {
	if i := strings.IndexAny(w, "'’"); i >= 0 {
		w = joinApostrophes(w)
	}
	a.parts = splitWord(a.parts[:0], w)
	if len(a.parts) == 1 {
		a.one = a.folded(a.one[:0], a.parts[0])
		if code || !stopWords[string(a.one)] {
			give(stem(a.one))
		}
		return
	}
	a.whole = a.whole[:0]
	for _, p := range a.parts {
		a.whole = a.folded(a.whole, p)
	}
	if len(a.parts) <= maxWordParts {
		for _, p := range a.parts {
			a.one = a.folded(a.one[:0], p)
			give(stem(a.one))
		}
	}
	give(a.whole)
}

// joinApostrophes drops a possessive ending and joins what other apostrophes part:
// server's gives server, don't gives dont.
func joinApostrophes(w string) string {
	for _, mark := range []string{"'s", "’s", "'S", "’S"} {
		w = strings.TrimSuffix(w, mark)
	}
	return strings.NewReplacer("'", "", "’", "").Replace(w)
}

// folded appends the case-folded bytes of s.
func (a *analyser) folded(dst []byte, s string) []byte {
	start := len(dst)
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf {
			return append(dst[:start], norm.NFC.String(a.fold.String(s))...)
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

// bigrams gives every pair of neighbouring characters of run. A combining mark stays
// with its character.
func (a *analyser) bigrams(run string, give func([]byte)) {
	last, at := -1, 0 // where the previous and the present character begin
	for i, r := range run {
		if i == 0 || unicode.IsMark(r) {
			continue
		}
		if last >= 0 {
			a.one = append(a.one[:0], run[last:i]...)
			give(a.one)
		}
		last, at = at, i
	}
	if last < 0 {
		last = at
	}
	a.one = append(a.one[:0], run[last:]...)
	give(a.one)
}

type runeKind uint8

const (
	kindLower runeKind = iota // lower case, and letters without case
	kindUpper
	kindDigit
	kindMark
)

func kindOf(r rune) runeKind {
	switch {
	case r < utf8.RuneSelf:
		switch {
		case 'a' <= r && r <= 'z':
			return kindLower
		case 'A' <= r && r <= 'Z':
			return kindUpper
		}
		return kindDigit
	case unicode.IsMark(r):
		return kindMark
	case unicode.IsDigit(r):
		return kindDigit
	case unicode.IsUpper(r) || unicode.IsTitle(r):
		return kindUpper
	}
	return kindLower
}

// splitWord appends the parts of w: HTTPServer_v2 gives HTTP, Server, v, 2, and URLs
// stays whole. It may append nothing when w is underscores alone.
func splitWord(parts []string, w string) []string {
	start, last := 0, 0 // where the part and its last rune begin
	var before runeKind
	for i := 0; i < len(w); {
		r, size := decode(w[i:])
		if r == '_' {
			if start < i {
				parts = append(parts, w[start:i])
			}
			i += size
			start, last = i, i
			continue
		}
		kind := kindOf(r)
		if start < i && kind != kindMark {
			switch {
			case (kind == kindDigit) != (before == kindDigit),
				kind == kindUpper && before == kindLower:
				parts = append(parts, w[start:i])
				start = i
			case kind == kindLower && before == kindUpper && start < last && !pluralEnd(w[i:]):
				parts = append(parts, w[start:last]) // the last capital begins a new word
				start = last
			}
		}
		if kind != kindMark {
			before, last = kind, i
		}
		i += size
	}
	if start < len(w) {
		parts = append(parts, w[start:])
	}
	return parts
}

// pluralEnd reports whether rest, what follows an acronym, is only its plural s.
func pluralEnd(rest string) bool {
	if rest[0] != 's' {
		return false
	}
	if len(rest) == 1 {
		return true
	}
	r, _ := decode(rest[1:])
	return r == '_' || kindOf(r) == kindUpper || kindOf(r) == kindDigit
}

// cut shortens a term to maxTerm bytes without parting a character.
func cut(term []byte) []byte {
	if len(term) <= maxTerm {
		return term
	}
	end := maxTerm
	for end > 0 && !utf8.RuneStart(term[end]) {
		end--
	}
	return term[:end]
}
