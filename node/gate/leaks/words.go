package leaks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// words finds which of many words stand in a text, in one pass: a set of the first two
// bytes says for most places of the text that none begins there.
type words struct {
	begins [1 << 16 / 64]uint64
	sorted []word
}

type word struct {
	text string
	at   int // its place in the list
}

// shortest is how many bytes a word has at least.
const shortest = 2

func newWords(list []string) (*words, error) {
	w := &words{}
	for i, text := range list {
		if len(text) < shortest {
			return nil, fmt.Errorf("word %q has less than %d bytes", text, shortest)
		}
		p := pair(text)
		w.begins[p/64] |= 1 << (p % 64)
		w.sorted = append(w.sorted, word{text, i})
	}
	slices.SortFunc(w.sorted, func(a, b word) int { return strings.Compare(a.text, b.text) })
	return w, nil
}

func pair(s string) uint { return uint(s[0])<<8 | uint(s[1]) }

// each calls found with the place in the list of every word that stands in text, once
// for each time, until found returns false.
func (w *words) each(text string, found func(at int) bool) {
	for i := 0; i+shortest <= len(text); i++ {
		p := pair(text[i:])
		if w.begins[p/64]&(1<<(p%64)) == 0 {
			continue
		}
		rest := text[i:]
		from, _ := slices.BinarySearchFunc(w.sorted, rest[:shortest], func(x word, begin string) int { return cmp.Compare(x.text, begin) })
		for _, x := range w.sorted[from:] {
			if x.text[:shortest] != rest[:shortest] {
				break
			}
			if strings.HasPrefix(rest, x.text) && !found(x.at) {
				return
			}
		}
	}
}

// any reports whether one of the words stands in text.
func (w *words) any(text string) (is bool) {
	w.each(text, func(int) bool {
		is = true
		return false
	})
	return is
}
