package token

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Unquote is the text that a String or BlockString token stands for. Raw may
// lack its closing quote. CRLF and CR in it become LF.
func Unquote(raw string) string {
	switch {
	case strings.HasPrefix(raw, "|"):
		return unindentBlock(raw[1:])
	case IsTriple(raw):
		mark, inner := raw[:3], raw[3:]
		if len(inner) >= 3 && strings.HasSuffix(inner, mark) {
			inner = inner[:len(inner)-3]
		}
		return unindentTriple(inner, mark)
	case raw == "":
		return ""
	}
	inner := raw[1:]
	if n := len(inner); n > 0 && inner[n-1] == raw[0] {
		inner = inner[:n-1]
	}
	return Unescape(inner)
}

// Unescape replaces the escapes of a quoted text or of a piece of a template.
// An incomplete one stays as it is.
func Unescape(s string) string {
	if !strings.ContainsAny(s, "\\\r") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\r':
			if i+1 >= len(s) || s[i+1] != '\n' {
				b.WriteByte('\n')
			}
		case s[i] != '\\' || i+1 == len(s):
			b.WriteByte(s[i])
		default:
			i++
			switch c := s[i]; c {
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			case 'r':
				b.WriteByte('\r')
			case '0':
				b.WriteByte(0)
			case 'u':
				r, n := codePoint(s[i+1:])
				if n == 0 {
					b.WriteString(`\u`)
					continue
				}
				b.WriteRune(r)
				i += n
			default:
				b.WriteByte(c)
			}
		}
	}
	return b.String()
}

// codePoint reads the digits behind \u and says how many bytes they take, 0
// when they are incomplete or name no character.
func codePoint(s string) (r rune, n int) {
	digits := ""
	switch {
	case strings.HasPrefix(s, "{"):
		end := strings.IndexByte(s[:min(len(s), 8)], '}')
		if end < 2 {
			return 0, 0
		}
		digits, n = s[1:end], end+1
	case len(s) >= 4:
		digits, n = s[:4], 4
	default:
		return 0, 0
	}
	for i := range len(digits) {
		if class[digits[i]]&isHex == 0 {
			return 0, 0
		}
	}
	v, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || v > utf8.MaxRune || !utf8.ValidRune(rune(v)) {
		return 0, 0
	}
	return rune(v), n
}

// splitLines cuts at LF, CRLF and CR.
func splitLines(s string) []string {
	return strings.Split(strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n"), "\n")
}

// dedent removes the indentation that all lines with text have in common, from
// the line numbered first on, and white space at the ends of empty lines.
func dedent(lines []string, first int) {
	common := math.MaxInt
	for _, l := range lines[min(first, len(lines)):] {
		if strings.TrimLeft(l, " \t") != "" {
			common = min(common, indentOf(l, 0))
		}
	}
	for i := first; i < len(lines); i++ {
		lines[i] = lines[i][min(common, indentOf(lines[i], 0)):]
	}
}

func unindentBlock(s string) string {
	lines := splitLines(s)[1:]
	if len(lines) == 0 {
		return ""
	}
	dedent(lines, 0)
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t")
	}
	return strings.Join(lines, "\n") + "\n"
}

// IsTriple says whether the spelling of a text begins with three quotes.
func IsTriple(raw string) bool {
	return strings.HasPrefix(raw, `"""`) || strings.HasPrefix(raw, "'''")
}

func unindentTriple(s, mark string) string {
	s = strings.ReplaceAll(s, `\`+mark, mark)
	lines := splitLines(s)
	if len(lines) > 1 {
		dedent(lines, 1)
		if strings.Trim(lines[0], " \t") == "" {
			lines = lines[1:]
		}
		if n := len(lines) - 1; n > 0 && strings.Trim(lines[n], " \t") == "" {
			lines = lines[:n]
		}
	}
	return strings.Join(lines, "\n")
}

// SplitNumber cuts the spelling of a number before its unit. The sign ° is deg, but
// for °C and °F.
func SplitNumber(raw string) (number, unit string) {
	number, unit = splitNumber(raw)
	if rest, ok := strings.CutPrefix(unit, degree); ok && rest != "C" && rest != "F" {
		unit = "deg" + rest
	}
	return number, unit
}

func splitNumber(raw string) (number, unit string) {
	if len(raw) > 1 && raw[0] == '0' && (raw[1]|32 == 'x' || raw[1]|32 == 'b' && len(raw) > 2 && raw[2] <= '1') {
		i := 2
		for i < len(raw) && (class[raw[i]]&isHex != 0 && (raw[1]|32 == 'x' || raw[i] <= '9') || raw[i] == '_') {
			i++
		}
		return raw[:i], raw[i:]
	}
	i := 0
	for i < len(raw) && (class[raw[i]]&isDigit != 0 || raw[i] == '_' || raw[i] == '.') {
		i++
	}
	if j := i + 1; j < len(raw) && raw[i]|32 == 'e' {
		if raw[j] == '+' || raw[j] == '-' {
			j++
		}
		if j < len(raw) && class[raw[j]]&isDigit != 0 {
			for i = j; i < len(raw) && (class[raw[i]]&isDigit != 0 || raw[i] == '_'); {
				i++
			}
		}
	}
	return raw[:i], raw[i:]
}

// NumberValue is the value of a number's spelling, its unit left aside. What is
// too large is an infinity, what is no number NaN.
func NumberValue(raw string) float64 {
	n, _ := SplitNumber(raw)
	n = strings.ReplaceAll(n, "_", "")
	if len(n) > 2 && n[0] == '0' && (n[1]|32 == 'x' || n[1]|32 == 'b') {
		return digitsValue(n[2:], map[bool]float64{true: 16, false: 2}[n[1]|32 == 'x'])
	}
	v, err := strconv.ParseFloat(n, 64)
	if err != nil && v == 0 {
		return math.NaN()
	}
	return v
}

func digitsValue(digits string, base float64) (v float64) {
	for _, c := range []byte(digits) {
		d := c - '0'
		if d > 9 {
			d = c | 32 - 'a' + 10
		}
		v = float64(v*base) + float64(d)
	}
	return v
}
