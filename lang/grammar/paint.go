package grammar

import (
	"regexp"
	"strings"
	"sync"
)

// compiled is a rule ready to run.
type compiled struct {
	Rule
	match, ahead *regexp.Regexp
}

var machine = sync.OnceValue(func() map[string][]compiled {
	out := map[string][]compiled{}
	for _, c := range Contexts {
		for _, r := range c.Rules {
			one := compiled{Rule: r, match: regexp.MustCompile(`^(?:` + r.Match + `)`)}
			if r.Ahead != "" {
				one.ahead = regexp.MustCompile(`^(?:` + r.Ahead + `)`)
			}
			out[c.Name] = append(out[c.Name], one)
		}
	}
	return out
})

// MaxPaint is the longest text that Paint reads, in bytes.
const MaxPaint = 1 << 20

// Paint classes every byte of a text as an editor with the grammar would.
func Paint(text string) []Class {
	text = text[:min(len(text), MaxPaint)]
	rules := machine()
	out := make([]Class, len(text))
	stack := []string{"start"}
	for at := 0; at < len(text); {
		context := stack[len(stack)-1]
		begin := strings.LastIndexByte(text[:at], '\n') + 1
		end := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i
		}
		taken := 0
		for _, r := range rules[context] {
			if r.Line && strings.TrimLeft(text[begin:at], " \t") != "" {
				continue
			}
			if r.Match[0] >= 'a' && r.Match[0] <= 'z' || r.Match[0] == '(' || strings.HasPrefix(r.Match, "[A-Za-z") {
				if at > 0 && isWordByte(text[at-1]) {
					continue
				}
			}
			m := r.match.FindStringIndex(text[at:end])
			if m == nil || m[1] == 0 || r.ahead != nil && !r.ahead.MatchString(text[at+m[1]:end]) {
				continue
			}
			taken = m[1]
			for i := at; i < at+taken; i++ {
				out[i] = r.Class
			}
			switch {
			case r.Push != "":
				stack = append(stack, r.Push)
			case r.Pop:
				stack = stack[:len(stack)-1]
			}
			break
		}
		if taken == 0 {
			out[at] = find(context).Class
			taken = 1
		}
		at += taken
	}
	return out
}

func isWordByte(b byte) bool {
	return b == '_' || b == '$' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}
