package token

import (
	"encoding/binary"
	"sort"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"
)

// Encoding is how a source file stores its text.
type Encoding uint8

// The encodings. A byte order mark selects UTF-16; everything else is UTF-8.
const (
	UTF8 Encoding = iota
	UTF16LE
	UTF16BE
)

// String is the name used in messages and in JSON.
func (e Encoding) String() string {
	switch e {
	case UTF16LE:
		return "UTF-16LE"
	case UTF16BE:
		return "UTF-16BE"
	}
	return "UTF-8"
}

// Source is a decoded text. It is safe for concurrent use.
type Source struct {
	// Path names the text in diagnostics.
	Path string
	// Text is UTF-8. All offsets count its bytes; a UTF-8 byte order mark is
	// part of it, one of UTF-16 is not.
	Text     string
	Encoding Encoding

	invalid []uint32 // the first replaced character of each line
	once    sync.Once
	starts  []uint32 // of the lines
}

// Decode reads the bytes of a file. Sequences that are not valid become U+FFFD.
// The text is a copy; raw is not kept.
func Decode(path string, raw []byte) *Source {
	s := &Source{Path: path}
	switch {
	case len(raw) >= 2 && raw[0] == 0xff && raw[1] == 0xfe:
		s.Encoding = UTF16LE
		s.Text, s.invalid = decode16(raw[2:], binary.LittleEndian)
	case len(raw) >= 2 && raw[0] == 0xfe && raw[1] == 0xff:
		s.Encoding = UTF16BE
		s.Text, s.invalid = decode16(raw[2:], binary.BigEndian)
	case utf8.Valid(raw):
		s.Text = string(raw)
	default:
		s.Text, s.invalid = decode8(raw)
	}
	return s
}

func decode8(raw []byte) (string, []uint32) {
	var b strings.Builder
	b.Grow(len(raw) + len(raw)/8)
	var faults faultLines
	for len(raw) > 0 {
		r, n := utf8.DecodeRune(raw)
		if r == utf8.RuneError && n == 1 {
			faults.add(b.Len())
		}
		faults.see(r)
		b.WriteRune(r)
		raw = raw[n:]
	}
	return b.String(), faults.at
}

func decode16(raw []byte, order binary.ByteOrder) (string, []uint32) {
	var b strings.Builder
	b.Grow(len(raw))
	var faults faultLines
	for len(raw) >= 2 {
		r := rune(order.Uint16(raw))
		raw = raw[2:]
		if utf16.IsSurrogate(r) {
			second := rune(utf8.RuneError)
			if len(raw) >= 2 {
				second = rune(order.Uint16(raw))
			}
			if r = utf16.DecodeRune(r, second); r == utf8.RuneError {
				faults.add(b.Len())
			} else {
				raw = raw[2:]
			}
		}
		faults.see(r)
		b.WriteRune(r)
	}
	if len(raw) == 1 {
		faults.add(b.Len())
		b.WriteRune(utf8.RuneError)
	}
	return b.String(), faults.at
}

// faultLines keeps the first fault of each line.
type faultLines struct {
	at    []uint32
	taken bool
}

func (f *faultLines) add(offset int) {
	if !f.taken {
		f.at, f.taken = append(f.at, uint32(offset)), true
	}
}

func (f *faultLines) see(r rune) {
	if r == '\n' || r == '\r' {
		f.taken = false
	}
}

// lineStarts finds the lines on the first call. Lines end with LF, CRLF or a
// lone CR.
func (s *Source) lineStarts() []uint32 {
	s.once.Do(func() {
		s.starts = appendLines(make([]uint32, 1, 1+len(s.Text)/32), s.Text, 0, len(s.Text))
	})
	return s.starts
}

// Position is the 1-based line and column of an offset, the column in bytes.
// Offsets outside of the text are taken as its ends.
func (s *Source) Position(offset int) (line, column int) {
	offset = max(0, min(offset, len(s.Text)))
	starts := s.lineStarts()
	i := sort.Search(len(starts), func(i int) bool { return int(starts[i]) > offset }) - 1
	return i + 1, offset - int(starts[i]) + 1
}

// Lines is the number of lines.
func (s *Source) Lines() int { return len(s.lineStarts()) }

// LineEnd is the offset of the end of the line that contains an offset, before its
// line break.
func (s *Source) LineEnd(offset int) int {
	if i := strings.IndexAny(s.Text[offset:], "\r\n"); i >= 0 {
		return offset + i
	}
	return len(s.Text)
}

// LineStart is the offset of the start of the line that contains an offset.
func (s *Source) LineStart(offset int) int {
	return strings.LastIndexAny(s.Text[:offset], "\r\n") + 1
}
