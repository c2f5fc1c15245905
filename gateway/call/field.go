package call

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// MaxMoment is the last moment of a Moment in milliseconds: the year 2248, as logical time.
const MaxMoment = 1<<43 - 1

// parse reads one query parameter.
func (f Field) parse(s string) (any, error) {
	if !utf8.ValidString(s) {
		return nil, fmt.Errorf("is not UTF-8")
	}
	switch f.Kind {
	case Int, Number:
		n, err := strconv.ParseFloat(s, 64)
		if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
			return nil, fmt.Errorf("must be a number")
		}
		return f.number(n)
	case Bool:
		if s != "true" && s != "false" {
			return nil, fmt.Errorf("must be true or false")
		}
		return s == "true", nil
	case Texts:
		return f.texts(strings.Split(s, ","))
	case Time:
		return parseTime(s)
	case Moment:
		return parseMoment(s)
	}
	return f.text(s)
}

// read reads one JSON value.
func (f Field) read(raw json.RawMessage) (any, error) {
	if string(raw) == "null" {
		return nil, nil
	}
	switch raw[0] {
	case '"':
		return f.readText(raw)
	case '[':
		return f.readList(raw)
	case '{':
		if f.Kind == Object || f.Kind == TextOrMap {
			return raw, nil
		}
	case 't', 'f':
		if f.Kind == Bool {
			return raw[0] == 't', nil
		}
	default:
		if f.Kind == Moment {
			return parseMoment(string(raw))
		}
		if f.Kind == Int || f.Kind == Number || f.Kind == TextOrNumber {
			n, err := strconv.ParseFloat(string(raw), 64)
			if err != nil {
				return nil, fmt.Errorf("is not a number that fits")
			}
			return f.number(n)
		}
	}
	return nil, fmt.Errorf("must be %s", f.Kind)
}

func (f Field) readText(raw json.RawMessage) (any, error) {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, fmt.Errorf("is not a text")
	}
	switch f.Kind {
	case Text, TextOrMap, TextOrNumber:
		return f.text(s)
	case Time:
		return parseTime(s)
	case Moment:
		return parseMoment(s)
	case Texts:
		return f.texts(strings.Split(s, ","))
	case TextOrList: // a sentence, in which a comma is a comma
		return f.texts([]string{s})
	}
	return nil, fmt.Errorf("must be %s", f.Kind)
}

func (f Field) readList(raw json.RawMessage) (any, error) {
	switch f.Kind {
	case Texts, TextOrList:
		var list []string
		if err := json.Unmarshal(raw, &list); err != nil {
			return nil, fmt.Errorf("must be a list of texts")
		}
		return f.texts(list)
	case Numbers:
		var list []float64
		if err := json.Unmarshal(raw, &list); err != nil || len(list) != f.Items {
			return nil, fmt.Errorf("must be a list of %d numbers", f.Items)
		}
		for _, n := range list {
			if n < float64(f.Min) || f.Max != 0 && n > float64(f.Max) {
				return nil, fmt.Errorf("must hold numbers from %d to %d", f.Min, f.Max)
			}
		}
		return raw, nil
	case Objects:
		var list []map[string]json.RawMessage
		if err := json.Unmarshal(raw, &list); err != nil {
			return nil, fmt.Errorf("must be a list of objects")
		}
		if f.Items > 0 && len(list) > f.Items {
			return nil, fmt.Errorf("has more than %d items", f.Items)
		}
		return raw, nil
	}
	return nil, fmt.Errorf("must be %s", f.Kind)
}

func (f Field) text(s string) (string, error) {
	n := Chars(s)
	switch {
	case strings.Contains(s, "\x00"):
		return "", fmt.Errorf("contains U+0000, which no text may")
	case len(f.Enum) > 0 && !f.Judged && !slices.Contains(f.Enum, s):
		return "", fmt.Errorf("must be one of %s", strings.Join(f.Enum, ", "))
	case f.Judged:
	case f.Max > 0 && n > f.Max:
		return "", fmt.Errorf("has %d characters, at most %d are allowed", n, f.Max)
	case n < f.Min:
		return "", fmt.Errorf("has %d characters, at least %d are needed", n, f.Min)
	}
	return s, nil
}

func (f Field) texts(list []string) ([]string, error) {
	if f.Items > 0 && len(list) > f.Items {
		return nil, fmt.Errorf("has more than %d items", f.Items)
	}
	out := make([]string, 0, len(list))
	for _, s := range list {
		s, err := f.text(strings.TrimSpace(s))
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

func (f Field) number(n float64) (float64, error) {
	switch {
	case (f.Kind == Int || f.Kind == TextOrNumber) && n != math.Trunc(n):
		return 0, fmt.Errorf("must be a whole number")
	case n < float64(f.Min):
		return 0, fmt.Errorf("must be at least %d", f.Min)
	case f.Max > 0 && n > float64(f.Max):
		return 0, fmt.Errorf("must be at most %d", f.Max)
	}
	return n, nil
}

func parseTime(s string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return time.Time{}, fmt.Errorf("must be a time such as 2026-01-31T12:00:00Z")
	}
	return t.UTC(), nil
}

// String says what a field of this kind must be.
func (k Kind) String() string {
	return [...]string{
		"a text", "a whole number", "a number", "true or false", "a time", "a list of texts",
		"a text or a list of texts", "a text or an object", "an object", "a list of objects", "a word or a whole number", "a list of numbers", "a time",
	}[k]
}

// Chars counts characters: code points after NFC.
func Chars(s string) int { return utf8.RuneCountInString(norm.NFC.String(s)) }

// Clip cuts s to n characters.
func Clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n])
}

// Moment fields take milliseconds too.
func parseMoment(s string) (time.Time, error) {
	if ms, err := strconv.ParseInt(s, 10, 64); err == nil {
		if ms < 0 || ms > MaxMoment {
			return time.Time{}, errors.New("is no time in milliseconds")
		}
		return time.UnixMilli(ms).UTC(), nil
	}
	return parseTime(s)
}
