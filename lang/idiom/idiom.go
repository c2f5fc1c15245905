// Package idiom is the table of habits: other ways of writing the same thing,
// and what they become. A row says what a habit looks like and shows it beside the
// plain form; a test builds the scenes of both and compares them, and the manual
// prints the rows. Beside the table stand the words that the rows rest on: kinds
// that a property names, components that are written as properties, presets and
// words of motion. Package scene acts on them, package check and the editor read
// the same lists.
//
// It is data and pure functions; nothing here changes.
package idiom

import (
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/trait"
)

// Row is a habit.
type Row struct {
	ID      string `json:"id"`                // of the specification: T55 to T62, M01 to M13, and X01 on for those that were found since
	Habit   string `json:"habit"`             // what it accepts, in words
	Becomes string `json:"becomes"`           // what it becomes
	Example string `json:"example,omitempty"` // a source that has the habit
	Plain   string `json:"plain,omitempty"`   // a source without it that means the same; empty where there is no other way to write it
}

// maxWord is longer than every word of the tables.
const maxWord = 64

// fold is a word without its case, separators and a trailing 3D.
func fold(word string) string {
	if len(word) > maxWord {
		return ""
	}
	word = strings.Map(func(r rune) rune {
		switch r {
		case '_', '-', ' ', '.':
			return -1
		}
		return r
	}, strings.ToLower(strings.TrimSpace(word)))
	if short := strings.TrimSuffix(word, "3d"); short != "" {
		return short
	}
	return word
}

// Nearest is the word of a list that a misspelt one most likely means.
func Nearest(word string, words []string) (string, bool) { return trait.Nearest(word, words) }

func sorted[T any](m map[string]T) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
