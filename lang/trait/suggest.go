package trait

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode"
)

// Suggestion is the answer to SuggestFor.
type Suggestion struct {
	Traits     []string          `json:"traits"`     // best first, at most MaxSuggest
	Reasoning  map[string]string `json:"reasoning"`  // trait to why
	Confidence float64           `json:"confidence"` // 0 to 0.95: the share of significant words that were understood
}

// How much a word counts by where the trait has it.
const (
	inName     = 12
	inSummary  = 5
	inParam    = 2
	inCategory = 2
)

// posting is a trait that has a word, with the best place of the word in it.
type posting struct{ entry, weight int }

// index finds traits by the stems of their words.
type index struct {
	entries  []*Entry
	postings map[string][]posting
}

func newIndex(entries []*Entry) index {
	x := index{entries: entries, postings: map[string][]posting{}}
	for i, e := range entries {
		best := map[string]int{}
		note := func(text string, weight int) {
			for _, w := range stems(text) {
				best[w] = max(best[w], weight)
			}
		}
		note(e.Name, inName)
		note(e.Summary, inSummary)
		note(e.Category, inCategory)
		for k := range e.Params {
			note(e.Params[k].Name, inParam)
		}
		for _, w := range sortedKeys(best) {
			x.postings[w] = append(x.postings[w], posting{i, best[w]})
		}
	}
	return x
}

// hit is a trait under consideration.
type hit struct {
	entry *Entry
	score int
	words []string // of the question, in its order
}

// SuggestFor ranks the traits whose words a description uses. Context is
// more text, at a third of the weight; a trait it names with an @ is taken as
// there already and is not suggested. Rare words count more than common ones,
// a trait's name more than its summary, core traits more than data. Directives are not suggested. Of two
// traits that exclude each other the better one stays; what a trait requires
// is added behind it. Equal questions get equal answers, in time linear in the
// text. Text beyond MaxQuestion characters is not read.
func (r *Registry) SuggestFor(description, context string) Suggestion {
	description, context = head(description), head(context)
	x := r.suggestWords()
	hits := map[int]*hit{}
	known, asked := 0, 0
	ask := func(words []string, share int, count bool) {
		seen := map[string]bool{}
		for _, w := range words {
			stem := stemOf(w)
			if stop[w] || seen[stem] || len(stem) < 2 {
				continue
			}
			seen[stem] = true
			list := x.postings[stem]
			if count {
				asked++
				known += min(1, len(list))
			}
			rarity := bits.Len(uint(len(r.entries) / max(1, len(list))))
			for _, p := range list {
				h := hits[p.entry]
				if h == nil {
					h = &hit{entry: x.entries[p.entry]}
					hits[p.entry] = h
				}
				h.score += rarity * p.weight * share
				h.words = append(h.words, w)
			}
		}
	}
	ask(words(description), 3, true)
	if asked > 0 {
		ask(words(context), 1, false)
	}
	return r.choose(rank(hits), used(context), known, asked)
}

func rank(hits map[int]*hit) []*hit {
	var out []*hit
	for _, h := range hits {
		if h.entry.Kind != KindTrait {
			continue
		}
		if h.entry.Core() {
			h.score += h.score / 2 // a core trait does something everywhere
		}
		out = append(out, h)
	}
	slices.SortFunc(out, func(a, b *hit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(len(a.entry.Name), len(b.entry.Name)), cmp.Compare(a.entry.Name, b.entry.Name))
	})
	return out
}

func (r *Registry) choose(ranked []*hit, there map[string]bool, known, asked int) Suggestion {
	s := Suggestion{Traits: []string{}, Reasoning: map[string]string{}}
	has := func(name string) bool { return there[name] || slices.Contains(s.Traits, name) }
	excluded := func(name string) bool {
		for other := range r.conflicts[name] {
			if has(other) {
				return true
			}
		}
		return false
	}
	top := 0
	for _, h := range ranked {
		if len(s.Traits) >= MaxSuggest || h.score*5 < top*2 {
			break
		}
		if has(h.entry.Name) || excluded(h.entry.Name) {
			continue
		}
		top = max(top, h.score)
		s.Traits = append(s.Traits, h.entry.Name)
		s.Reasoning[h.entry.Name] = "matches '" + strings.Join(slices.Compact(h.words), "', '") + "'"
		for _, list := range h.entry.Requires {
			if slices.ContainsFunc(list, has) || len(s.Traits) >= MaxSuggest || excluded(list[0]) {
				continue
			}
			s.Traits = append(s.Traits, list[0])
			s.Reasoning[list[0]] = "needed by '@" + h.entry.Name + "'"
		}
	}
	if len(s.Traits) > 0 {
		s.Confidence = float64(95*known/asked) / 100
	}
	return s
}

// head cuts a text to what is read of it.
func head(s string) string {
	n := 0
	for i := range s {
		if n == MaxQuestion {
			return s[:i]
		}
		n++
	}
	return s
}

// used are the traits a source names with an @.
func used(source string) map[string]bool {
	m := map[string]bool{}
	for i, part := range strings.Split(source, "@") {
		end := strings.IndexFunc(part, func(r rune) bool {
			return r != '_' && r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
		})
		if end < 0 {
			end = len(part)
		}
		if i > 0 && end > 0 {
			m[part[:end]] = true
		}
	}
	return m
}

// words are the words of a text in lower case; camelCase and snake_case are split.
func words(s string) []string {
	var out []string
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			out = append(out, b.String())
			b.Reset()
		}
	}
	small := false
	for _, r := range s {
		letter := unicode.IsLetter(r) || unicode.IsDigit(r)
		if !letter || unicode.IsUpper(r) && small {
			flush()
		}
		if letter {
			b.WriteRune(unicode.ToLower(r))
		}
		small = unicode.IsLower(r) || unicode.IsDigit(r)
	}
	flush()
	return out
}

// stems are the stems of the significant words of a text.
func stems(s string) []string {
	var out []string
	for _, w := range words(s) {
		if stem := stemOf(w); !stop[w] && len(stem) > 1 {
			out = append(out, stem)
		}
	}
	return out
}

// stemOf cuts the usual English endings, so that "grabbed", "grabbing" and
// "grabbable" are one word. It is meant for matching only.
func stemOf(w string) string {
	if same, ok := synonyms[w]; ok {
		return same
	}
	for _, end := range []string{"ions", "ion", "ables", "able", "ibles", "ible", "ings", "ing", "ers", "ies", "ed", "er", "es", "s", "e", "y"} {
		cut, ok := strings.CutSuffix(w, end)
		if !ok || len(cut) < 3 || end == "s" && strings.HasSuffix(cut, "s") {
			continue
		}
		if n := len(cut); cut[n-1] == cut[n-2] && cut[n-1] != 'l' && cut[n-1] != 's' && cut[n-1] != 'o' && cut[n-1] != 'e' {
			cut = cut[:n-1] // grabb, stopp
		}
		cut = strings.TrimSuffix(strings.TrimSuffix(cut, "e"), "i")
		if same, ok := synonyms[cut]; ok {
			return same
		}
		return cut
	}
	return w
}

// synonyms map words of descriptions to the stems of the catalogue's words.
var synonyms = map[string]string{
	"shine": "glow", "shining": "glow", "shiny": "metallic", "luminous": "glow", "lit": "light", "lamp": "light",
	"lift": "grab", "pick": "grab", "carry": "grab", "hold": "hold", "held": "hold",
	"toss": "throw", "thrown": "throw", "tap": "click", "push": "push", "button": "click",
	"fall": "physic", "heavy": "physic", "weight": "physic", "gravity": "physic", "rigid": "physic",
	"bounc": "bounc", "fire": "particl", "smoke": "particl", "spark": "particl", "snow": "particl", "rain": "particl",
	"remember": "memor", "chair": "sit", "seat": "sit", "robot": "robot",
	"sound": "audio", "music": "audio", "multiplayer": "network", "shared": "shar",
	"see": "transparent", "glass": "transparent", "translucent": "transparent", "break": "break", "broken": "break", "shatter": "break",
	"talk": "dialog", "speak": "voic",
}

// stop are words that say nothing about traits.
var stop = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`a an and are as at be been but by can could do does for from has have how i if in into is it its let make
		makes may me might must my no not object objects of off on one onto or our out over please should so some something that the their them then
		there through these they thing this those to under up us use used user users want was we were what when where which while who will with would you your`) {
		m[w] = true
	}
	return m
}()
