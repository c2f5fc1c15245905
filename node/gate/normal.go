package gate

import (
	"crypto/sha256"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/meshd/meshd/crdt/body"
)

// Length measures content as the rule for entries does, in code points after
// NFC: short after trimming and collapsing white space (tested against
// MinContent), long after trimming alone (tested against MaxContent). White
// space is what Unicode calls White_Space.
func Length(content string) (short, long int) {
	return body.Length(norm.NFC.String(content))
}

// NormalHash is the SHA-256 of content in NFC, in lower case, with white space
// collapsed and trailing punctuation cut: what "the same text" means.
func NormalHash(content string) [32]byte {
	s := strings.Join(strings.Fields(strings.ToLower(norm.NFC.String(content))), " ")
	s = strings.TrimRightFunc(s, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSpace(r) })
	// Some letters compose with a mark in lower case only: J and a caron.
	return sha256.Sum256(norm.NFC.Bytes([]byte(s)))
}

// spaceless are the scripts whose words are not separated.
var spaceless = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
}

// fewWords reports a text with too few words to say anything. A word has two
// letters or more; two letters of a script without spaces count as a word.
func fewWords(s string) bool {
	words, letters, run := 0, 0, 0
	for _, r := range s {
		switch {
		case unicode.In(r, spaceless...):
			if unicode.IsLetter(r) {
				letters++
			}
			run = 0
		case unicode.IsLetter(r):
			run++
			if run == 2 {
				words++
			}
		case unicode.In(r, unicode.M, unicode.N) || r == '_' || r == '\'' || r == '’':
			// inside a word
		default:
			run = 0
		}
	}
	return words*minLetters+letters*minWords < minWords*minLetters
}

// CleanDomain makes a domain of what an author typed: trimmed, lower case, with
// every code point outside [a-z0-9:_-] replaced by '-'. Nothing gives "general".
// It does not shorten.
func CleanDomain(s string) string {
	s = strings.ToLower(strings.TrimSpace(norm.NFC.String(s)))
	if s == "" {
		return "general"
	}
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == ':' || r == '_' || r == '-' {
			return r
		}
		return '-'
	}, s)
}

// Slug makes a tag of what an author typed: lower case letters and digits of any
// script, and '_', ':', '+', '#' (c, c++ and c# are three tags); every other run
// becomes one '-', none at the ends. It may be empty, and does not shorten.
func Slug(tag string) string {
	var b strings.Builder
	gap := false
	for _, r := range norm.NFC.String(strings.ToLower(norm.NFC.String(tag))) {
		if !unicode.In(r, unicode.L, unicode.M, unicode.N) && !strings.ContainsRune("_:+#", r) {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte('-')
		}
		gap = false
		b.WriteRune(r)
	}
	return b.String()
}

// CleanName is a name or another short word as it may be shown beside others: without
// control characters and line ends, which become spaces, and without characters that
// nobody sees or that turn the direction of what follows (Unicode's Bidi_Control, and
// default ignorables other than the joiners that scripts need).
func CleanName(name string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r == '\u200c' || r == '\u200d': // between letters of Persian, Hindi and others
			return r
		case unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp):
			return ' '
		case unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point) || r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, name)
	if clean == name {
		return name
	}
	return strings.Join(strings.Fields(clean), " ")
}

// CleanMetadata returns a copy of m without the keys, at any depth, whose names
// announce a credential, and how many it left out. It changes nothing
// in m, of which the copy may share leaf values.
func CleanMetadata(m map[string]any) (clean map[string]any, dropped int) {
	if m == nil {
		return nil, 0
	}
	clean = make(map[string]any, len(m))
	for k, v := range m {
		if secretKeyName(k) {
			dropped++
			continue
		}
		c, n := cleanValue(v)
		clean[k] = c
		dropped += n
	}
	return clean, dropped
}

func cleanValue(v any) (any, int) {
	switch v := v.(type) {
	case map[string]any:
		c, n := CleanMetadata(v)
		return c, n
	case []any:
		out := make([]any, len(v))
		dropped := 0
		for i, e := range v {
			c, n := cleanValue(e)
			out[i] = c
			dropped += n
		}
		return out, dropped
	}
	return v, 0
}

func secretKeyName(k string) bool {
	k = strings.ToLower(strings.NewReplacer("-", "", "_", "", " ", "", ".", "").Replace(newView(k).text))
	for _, w := range []string{"apikey", "privatekey", "token", "secret", "password", "authorization", "cookie"} {
		if strings.Contains(k, w) {
			return true
		}
	}
	return false
}
