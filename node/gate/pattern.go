package gate

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled when it is first asked, since
// most commands judge no text: compiled at the start, those of this package cost each
// command some milliseconds and megabytes. It is safe for concurrent use.
type pattern struct {
	text string
	once sync.Once
	re   *regexp.Regexp
}

// patterns are all of the package.
var patterns []*pattern

// expr is called while the package is initialized alone.
func expr(text string) *pattern {
	p := &pattern{text: text}
	patterns = append(patterns, p)
	return p
}

// get panics on a text that is no expression; TestPatterns compiles them all.
func (p *pattern) get() *regexp.Regexp {
	p.once.Do(func() { p.re = regexp.MustCompile(p.text) })
	return p.re
}

func (p *pattern) MatchString(s string) bool              { return p.get().MatchString(s) }
func (p *pattern) FindString(s string) string             { return p.get().FindString(s) }
func (p *pattern) FindStringIndex(s string) []int         { return p.get().FindStringIndex(s) }
func (p *pattern) FindAllString(s string, n int) []string { return p.get().FindAllString(s, n) }
func (p *pattern) FindAllStringIndex(s string, n int) [][]int {
	return p.get().FindAllStringIndex(s, n)
}
func (p *pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return p.get().FindAllStringSubmatchIndex(s, n)
}
func (p *pattern) ReplaceAllString(s, by string) string { return p.get().ReplaceAllString(s, by) }
func (p *pattern) Split(s string, n int) []string       { return p.get().Split(s, n) }
