// Package leaks finds credentials in a text by the rules of gitleaks: gitleaks.toml is
// the default rule file of its version 8.30.0, unchanged, under the licence beside it.
// What that file says about paths and commits is of no meaning for a text, so rules and
// allowances that want a path are left out, as gitleaks does with a text from nowhere.
package leaks

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

//go:embed gitleaks.toml
var defaults []byte

// file is what a rule file says that concerns texts.
type file struct {
	Allow allowText `toml:"allowlist"`
	Rules []struct {
		ID       string      `toml:"id"`
		Regex    string      `toml:"regex"`
		Path     string      `toml:"path"`
		Entropy  float64     `toml:"entropy"`
		Group    int         `toml:"secretGroup"`
		Keywords []string    `toml:"keywords"`
		Allow    []allowText `toml:"allowlists"`
	} `toml:"rules"`
}

type allowText struct {
	Condition string   `toml:"condition"`
	Paths     []string `toml:"paths"`
	Commits   []string `toml:"commits"`
	Target    string   `toml:"regexTarget"`
	Regexes   []string `toml:"regexes"`
	Stopwords []string `toml:"stopwords"`
}

// Rules find credentials. They are safe for concurrent use; an expression is compiled
// when the first text has one of its words.
type Rules struct {
	rules []rule
	words *words // of all rules
	of    [][]int
	allow []allowance
}

// rule is one kind of credential.
type rule struct {
	id      string
	generic bool // another rule that finds the same knows better
	entropy float64
	group   int // of the expression that is the secret; 0: the first that is not empty
	re      func() *regexp.Regexp
	allow   []allowance
}

// allowance is what is no credential although a rule says so.
type allowance struct {
	all    bool // both parts have to say so, where both are there
	target string
	re     func() *regexp.Regexp // nil: none
	stop   *words                // nil: none
}

// Default are the rules of gitleaks.toml. They are read once.
var Default = sync.OnceValues(func() (*Rules, error) { return Load(defaults) })

// Load reads a rule file.
func Load(toml []byte) (*Rules, error) {
	f, err := parse(toml)
	if err != nil {
		return nil, fmt.Errorf("read rules: %w", err)
	}
	r := &Rules{}
	if r.allow, err = allowances([]allowText{f.Allow}); err != nil {
		return nil, fmt.Errorf("read rules: %w", err)
	}
	places := map[string]int{}
	var keywords []string
	for _, t := range f.Rules {
		if t.Path != "" {
			continue
		}
		if t.ID == "" || t.Regex == "" || len(t.Keywords) == 0 {
			return nil, fmt.Errorf("read rules: rule %q: want an id, an expression and keywords", t.ID)
		}
		one := rule{id: t.ID, generic: strings.Contains(strings.ToLower(t.ID), "generic"), entropy: t.Entropy, group: t.Group, re: lazily(t.Regex)}
		if one.allow, err = allowances(t.Allow); err != nil {
			return nil, fmt.Errorf("read rules: rule %q: %w", t.ID, err)
		}
		for _, k := range t.Keywords {
			k = strings.ToLower(k)
			at, known := places[k]
			if !known {
				at = len(keywords)
				places[k], keywords, r.of = at, append(keywords, k), append(r.of, nil)
			}
			r.of[at] = append(r.of[at], len(r.rules))
		}
		r.rules = append(r.rules, one)
	}
	r.words, err = newWords(keywords)
	return r, err
}

func parse(text []byte) (f file, err error) {
	err = toml.Unmarshal(text, &f)
	return f, err
}

// lazily panics when it is first called for what is no expression; a test calls all.
func lazily(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

func allowances(texts []allowText) (out []allowance, err error) {
	for _, t := range texts {
		a := allowance{target: t.Target}
		switch strings.ToUpper(t.Condition) {
		case "", "OR", "||":
		case "AND", "&&":
			a.all = true
		default:
			return nil, fmt.Errorf("unknown condition %q", t.Condition)
		}
		if a.all && len(t.Paths)+len(t.Commits) > 0 {
			continue // a text has neither, so it never matches
		}
		if len(t.Regexes) > 0 {
			// One expression, as gitleaks makes it: flags of an alternative apply to
			// those after it.
			a.re = lazily("(?:" + strings.Join(t.Regexes, "|") + ")")
		}
		if len(t.Stopwords) > 0 {
			if a.stop, err = newWords(lower(t.Stopwords)); err != nil {
				return nil, err
			}
		}
		if a.re != nil || a.stop != nil {
			out = append(out, a)
		}
	}
	return out, nil
}

func lower(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = strings.ToLower(w)
	}
	return out
}
