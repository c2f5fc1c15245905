package prompt

import (
	"strconv"
	"strings"
	"unicode"
)

// word is a token of a prompt.
type word struct {
	text   string // lower case; of a quoted text as written
	raw    string
	quoted bool
	number float64
	digits bool
	mark   bool // , ; . : ! ? and line ends
}

// split cuts a prompt into words.
func split(prompt string) []word {
	var out []word
	rs := []rune(prompt)
	for i := 0; i < len(rs); {
		r := rs[i]
		switch {
		case strings.ContainsRune("\"“”«»", r):
			end := i + 1
			for end < len(rs) && !strings.ContainsRune("\"“”«»", rs[end]) {
				end++
			}
			text := string(rs[i+1 : min(end, len(rs))])
			out = append(out, word{text: text, raw: text, quoted: true})
			i = end + 1
		case r == '#' && i+1 < len(rs) && isHex(rs[i+1]):
			end := i + 1
			for end < len(rs) && isHex(rs[end]) {
				end++
			}
			out = append(out, word{text: strings.ToLower(string(rs[i:end])), raw: string(rs[i:end])})
			i = end
		case r >= '0' && r <= '9':
			end := i
			for end < len(rs) && (rs[end] >= '0' && rs[end] <= '9' || rs[end] == '.' && end+1 < len(rs) && rs[end+1] >= '0' && rs[end+1] <= '9') {
				end++
			}
			n, err := strconv.ParseFloat(string(rs[i:end]), 64)
			if err != nil {
				n = 1e9
			}
			out = append(out, word{text: string(rs[i:end]), raw: string(rs[i:end]), number: n, digits: true})
			i = end
		case unicode.IsLetter(r) || r == '_':
			end := i
			for end < len(rs) && (unicode.IsLetter(rs[end]) || unicode.IsDigit(rs[end]) || rs[end] == '_' || (rs[end] == '\'' || rs[end] == '’') && end+1 < len(rs) && unicode.IsLetter(rs[end+1])) {
				end++
			}
			text := string(rs[i:end])
			out = append(out, word{text: strings.ReplaceAll(strings.ToLower(text), "’", "'"), raw: text})
			i = end
		case strings.ContainsRune(".,;:!?\n", r):
			out = append(out, word{text: string(r), mark: true})
			i++
		default:
			i++
		}
	}
	return out
}

func isHex(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'f' || r >= 'A' && r <= 'F'
}
