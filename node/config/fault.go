package config

import (
	"fmt"
	"strings"
)

// Fault is one thing wrong with the settings.
type Fault struct {
	Where string // file:line, env:NAME, flag:--name, profile:name, default; empty when not known
	Key   string // empty when the fault belongs to no key
	Text  string // what is wrong; never the value of a secret
	Hint  string // the nearest right name, or empty
}

// Error writes the fault in one line: where: key: text (did you mean x?).
func (f Fault) Error() string {
	var b strings.Builder
	if f.Where != "" {
		b.WriteString(f.Where + ": ")
	}
	if f.Key != "" {
		b.WriteString(f.Key + ": ")
	}
	b.WriteString(f.Text)
	if f.Hint != "" {
		fmt.Fprintf(&b, " (did you mean %s?)", f.Hint)
	}
	return b.String()
}

// Faults is everything wrong with the settings, in the order of the layers. It
// is an error when it is not empty.
type Faults []Fault

// Error writes one fault a line.
func (fs Faults) Error() string {
	lines := make([]string, len(fs))
	for i, f := range fs {
		lines[i] = f.Error()
	}
	return strings.Join(lines, "\n")
}

// nearestKey returns the known key that an unknown name most likely means.
func nearestKey(name string) string {
	_, last, _ := strings.Cut(name, ".")
	if last == "" {
		last = name
	}
	var all, sameLast []string
	for i := range table {
		all = append(all, table[i].Name)
		if strings.HasSuffix(table[i].Name, "."+last) {
			sameLast = append(sameLast, table[i].Name)
		}
	}
	if len(sameLast) == 1 {
		return sameLast[0]
	}
	return nearest(name, all)
}

// nearest returns the candidate with the fewest edits from s, or "" when even
// that one looks like another word. The first of equals wins.
func nearest(s string, candidates []string) string {
	limit := max(1, len(s)/3)
	best, bestEdits := "", limit+1
	for _, c := range candidates {
		if e := Edits(strings.ToLower(s), c); e < bestEdits {
			best, bestEdits = c, e
		}
	}
	return best
}

// Edits is the Levenshtein distance of two short texts in bytes. Texts longer
// than any name of ours count as wholly different.
func Edits(a, b string) int {
	if len(a) > 2*maxNameRunes {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next := min(diagonal+cost, row[j]+1, row[j+1]+1)
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}
