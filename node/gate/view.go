package gate

import (
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// view is a text made ready for the detectors, with the way back: where each of
// its bytes comes from in the field that was passed in.
//
// Invariant: len(at) == len(text)+1, at never falls, and its last element is the
// number of code points of the field.
type view struct {
	text string
	at   []int // code point of the field that gave byte i
	run  bool  // decoded as one piece: every hit means the whole of it
}

// newView strips what is invisible, since it only serves to hide a word from
// the detectors, and composes the rest to NFC.
func newView(s string) view {
	b := builder{at: make([]int, 0, len(s)+1)}
	n := 0
	for _, r := range s {
		b.add(r, n)
		n++
	}
	return b.view(n).composed()
}

// jsonView is newView of a JSON text with the escapes inside its strings
// resolved. It takes any text: what is no escape stands for itself.
func jsonView(s string) view {
	b := builder{at: make([]int, 0, len(s)+1)}
	n := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		points := 1
		if r == '\\' {
			r, size = unescape(s[i:])
			points = size // an escape is written in ASCII, or is a lone backslash
		}
		b.add(r, n)
		n += points
		i += size
	}
	return b.view(n).composed()
}

// unescape reads the JSON escape at the head of s, which begins with a
// backslash, and returns its rune and its size in bytes.
func unescape(s string) (rune, int) {
	if len(s) < 2 {
		return '\\', 1
	}
	switch s[1] {
	case 'n':
		return '\n', 2
	case 't':
		return '\t', 2
	case 'r':
		return '\r', 2
	case 'b', 'f':
		return ' ', 2
	case '"', '\\', '/':
		return rune(s[1]), 2
	case 'u':
		r, ok := unit(s)
		if !ok {
			break
		}
		if low, ok := unit(s[6:]); ok && utf16.IsSurrogate(r) {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return pair, 12
			}
		}
		return r, 6
	}
	return '\\', 1
}

// unit reads \uXXXX.
func unit(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(s[2:6], 16, 16)
	return rune(n), err == nil
}

// builder collects the runes of a view.
type builder struct {
	text strings.Builder
	at   []int
}

// add appends r, which stands at the given code point, unless it is invisible.
func (b *builder) add(r rune, point int) {
	if hidden(r) {
		return
	}
	before := b.text.Len()
	b.text.WriteRune(r)
	for range b.text.Len() - before {
		b.at = append(b.at, point)
	}
}

func (b *builder) view(points int) view {
	return view{text: b.text.String(), at: append(b.at, points)}
}

// hidden reports zero-width characters, bidirectional controls, soft hyphens,
// variation selectors and tag characters.
func hidden(r rune) bool {
	switch {
	case r < 0xad:
		return false
	case r == 0xad, r == 0x34f, r == 0x61c, r == 0x180e, r == 0xfeff,
		r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f,
		r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0000 && r <= 0xe01ef:
		return true
	}
	return false
}

func (v view) composed() view {
	if norm.NFC.IsNormalString(v.text) {
		return v
	}
	out := make([]byte, 0, len(v.text))
	at := make([]int, 0, len(v.at))
	var it norm.Iter
	it.InitString(norm.NFC, v.text)
	for !it.Done() {
		from := v.at[it.Pos()]
		segment := it.Next()
		out = append(out, segment...)
		for range segment {
			at = append(at, from)
		}
	}
	return view{text: string(out), at: append(at, v.at[len(v.text)])}
}

// place turns bytes [from, to) of the view into code points of the field.
func (v view) place(from, to int) (offset, length int) {
	if v.run {
		from, to = 0, len(v.text)
	}
	return v.at[from], v.at[to] - v.at[from]
}

var (
	base64Run  = expr(`[A-Za-z0-9+/_-]{20,}={0,2}`)
	hexRun     = expr(`[0-9A-Fa-f]{20,}`)
	percentRun = expr("[^\\s\"'<>`]{20,}")
	percent    = expr(`%[0-9A-Fa-f]{2}`)
)

// decoded returns what percent, hexadecimal and base64 runs of v say when that
// is text. One level: what is encoded twice is not looked at again.
func (v view) decoded() []view {
	var out []view
	for _, m := range percentRun.FindAllStringIndex(v.text, -1) {
		if strings.IndexByte(v.text[m[0]:m[1]], '%') >= 0 && percent.MatchString(v.text[m[0]:m[1]]) {
			out = append(out, v.unpercent(m[0], m[1]))
		}
	}
	for _, m := range hexRun.FindAllStringIndex(v.text, -1) {
		run := v.text[m[0]:m[1]]
		if plain, err := hex.DecodeString(run[:len(run)&^1]); err == nil {
			out = v.appendPlain(out, plain, m)
		}
	}
	for _, m := range base64Run.FindAllStringIndex(v.text, -1) {
		out = v.appendPlain(out, unbase64(v.text[m[0]:m[1]]), m)
	}
	return out
}

// unpercent resolves the percent codes in [from, to) and keeps each position.
func (v view) unpercent(from, to int) view {
	var text []byte
	var at []int
	for i := from; i < to; i++ {
		c, p := v.text[i], v.at[i]
		if c == '%' && i+2 < to {
			if n, err := strconv.ParseUint(v.text[i+1:i+3], 16, 8); err == nil {
				c = byte(n)
				i += 2
			}
		}
		text = append(text, c)
		at = append(at, p)
	}
	return view{text: string(text), at: append(at, v.at[to])}
}

func (v view) appendPlain(out []view, plain []byte, m []int) []view {
	if len(plain) < minDecoded || !printable(plain) {
		return out
	}
	at := make([]int, len(plain)+1)
	for i := range plain {
		at[i] = v.at[m[0]]
	}
	at[len(plain)] = v.at[m[1]]
	return append(out, view{text: string(plain), at: at, run: true})
}

func unbase64(run string) []byte {
	run = strings.TrimRight(run, "=")
	if len(run)%4 == 1 {
		run = run[:len(run)-1]
	}
	enc := base64.RawStdEncoding
	if strings.ContainsAny(run, "-_") {
		enc = base64.RawURLEncoding
	}
	plain, err := enc.DecodeString(run)
	if err != nil {
		return nil
	}
	return plain
}

func printable(b []byte) bool {
	if !utf8.Valid(b) {
		return false
	}
	for _, r := range string(b) {
		if !unicode.IsPrint(r) && r != '\n' && r != '\r' && r != '\t' {
			return false
		}
	}
	return true
}
