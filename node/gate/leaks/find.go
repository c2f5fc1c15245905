package leaks

import (
	"math"
	"slices"
	"strings"
)

// Finding is a credential in a text. Match is what the rule's expression found, Secret
// the part of it that is to be kept secret; neither says where it stands.
type Finding struct {
	Rule, Match, Secret string

	line    int
	generic bool
}

// Find returns the credentials in text, by the order of the rules. Its time grows with
// the text by a factor that the text does not choose, so the caller bounds the text.
func (r *Rules) Find(text string) []Finding {
	var found []Finding
	asked := make([]bool, len(r.rules))
	any := false
	r.words.each(strings.ToLower(text), func(at int) bool {
		for _, i := range r.of[at] {
			asked[i], any = true, true
		}
		return true
	})
	if !any {
		return nil
	}
	for i, yes := range asked {
		if yes {
			found = r.by(&r.rules[i], text, found)
		}
	}
	return withoutGeneric(found)
}

// by appends what one rule finds.
func (r *Rules) by(one *rule, text string, found []Finding) []Finding {
	for _, at := range one.re().FindAllStringIndex(text, -1) {
		f := Finding{Rule: one.id, Match: strings.Trim(text[at[0]:at[1]], "\n"), line: strings.Count(text[:at[0]], "\n"), generic: one.generic}
		f.Secret = one.secret(f.Match)
		if one.entropy != 0 && entropy(f.Secret) <= one.entropy {
			continue
		}
		line := lineOf(text, at[0], at[0]+len(f.Match))
		if allowed(r.allow, f, line) || allowed(one.allow, f, line) {
			continue
		}
		found = append(found, f)
	}
	return found
}

// secret is the group that the rule names or, where it names none, the first that has
// something; the whole where there is no group.
func (one *rule) secret(match string) string {
	groups := one.re().FindStringSubmatch(match)
	if len(groups) < 2 {
		return match
	}
	if one.group > 0 {
		return groups[one.group]
	}
	for _, g := range groups[1:] {
		if g != "" {
			return g
		}
	}
	return match
}

// lineOf is the line, or the lines, in which a match stands, with the line feed before
// it, as gitleaks has them.
func lineOf(text string, from, to int) string {
	begin := max(strings.LastIndexByte(text[:min(from+1, len(text))], '\n'), 0)
	end := max(from, to)
	if i := strings.IndexByte(text[end:], '\n'); i >= 0 {
		return text[begin : end+i]
	}
	return text[begin:]
}

func allowed(list []allowance, f Finding, line string) bool {
	for _, a := range list {
		target := f.Secret
		switch a.target {
		case "match":
			target = f.Match
		case "line":
			target = line
		}
		re := a.re != nil && target != "" && a.re().MatchString(target)
		stop := a.stop != nil && f.Secret != "" && a.stop.any(strings.ToLower(f.Secret))
		if a.all {
			if (a.re == nil || re) && (a.stop == nil || stop) {
				return true
			}
		} else if re || stop {
			return true
		}
	}
	return false
}

// withoutGeneric leaves out what a rule for anything found where another rule found
// the same or more in that line.
func withoutGeneric(found []Finding) (out []Finding) {
	for _, f := range found {
		if !f.generic || !slices.ContainsFunc(found, func(g Finding) bool {
			return !g.generic && f.line == g.line && strings.Contains(g.Secret, f.Secret)
		}) {
			out = append(out, f)
		}
	}
	return out
}

// entropy is Shannon's, in bits a byte of the text, counted by characters.
func entropy(s string) (bits float64) {
	counts := map[rune]int{}
	for _, c := range s {
		counts[c]++
	}
	for _, n := range counts {
		part := float64(n) / float64(len(s))
		bits -= part * math.Log2(part)
	}
	return bits
}
