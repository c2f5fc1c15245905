package service

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/meshd/meshd/crdt/reason"
)

// Kind is the type of a field.
type Kind uint8

// The kinds of fields.
const (
	Text         Kind = iota
	Int               // whole number
	Number            // any number
	Bool              // true or false
	Time              // RFC 3339
	Texts             // list of texts
	TextOrList        // a text or a list of texts
	TextOrMap         // a text or an object
	Object            // an object
	Objects           // list of objects
	TextOrNumber      // a word or a whole number
	Numbers           // list of Items numbers between Min and Max
	Moment            // RFC 3339, or milliseconds since 1970
)

// Field is one field of a request. Min and Max bound the characters of a text
// or of each of several, or the value of a number; Max 0 means no bound of its
// own. Items bounds a list.
type Field struct {
	Name     string
	Aliases  []string
	Kind     Kind
	Help     string
	Required bool // told in schemas; the use case refuses with its own code
	Min, Max int
	Items    int
	Enum     []string
	Default  any
	// Judged marks bounds that the use case enforces with a code of its own.
	Judged bool
}

// Form is the fields of a request: what is read, and what schemas say about it.
type Form []Field

// Pick returns the named fields of f, in that order.
func (f Form) Pick(names ...string) Form {
	var out Form
	for _, name := range names {
		for _, field := range f {
			if field.Name == name {
				out = append(out, field)
			}
		}
	}
	return out
}

// Values are the fields of a request that were given, by their first names.
type Values struct {
	form Form
	m    map[string]any
	said map[string]string // what the caller calls a field, where that is another name
	// Warnings names fields that were ignored, as unknown_field:<name>.
	Warnings []string
}

// Strict refuses fields nobody knows instead of warning of them.
func (v Values) Strict() error {
	var bad []problem
	for _, w := range v.Warnings {
		name := strings.TrimPrefix(w, "unknown_field:")
		bad = append(bad, problem{name, reason.UnknownField, "is not known here"})
	}
	return invalid(bad)
}

// Rename gives the field from the name to, for a face that calls it otherwise.
// Said knows it by its old name.
func (v Values) Rename(from, to string) {
	if x, ok := v.m[from]; ok {
		delete(v.m, from)
		v.m[to] = x
	}
	name := from
	if used, ok := v.said[from]; ok {
		name = used
		delete(v.said, from)
	}
	v.said[to] = name
}

// Calling is v for a caller to whom a field has another name.
func (v Values) Calling(field, used string) Values {
	said := map[string]string{field: used}
	maps.Copy(said, v.said)
	v.said = said
	return v
}

// Has reports whether the field was given, perhaps as null.
func (v Values) Has(name string) bool { _, ok := v.m[name]; return ok }

// Null reports whether the field was given as null.
func (v Values) Null(name string) bool { x, ok := v.m[name]; return ok && x == nil }

// Text returns a text field, or its default.
func (v Values) Text(name string) string { s, _ := v.get(name).(string); return s }

// Bool returns a Bool field.
func (v Values) Bool(name string) bool { b, _ := v.get(name).(bool); return b }

// Int returns an Int field.
func (v Values) Int(name string) int { f, _ := v.get(name).(float64); return int(f) }

// Number returns a Number field.
func (v Values) Number(name string) float64 { f, _ := v.get(name).(float64); return f }

// Time returns a Time field, zero when absent.
func (v Values) Time(name string) time.Time { t, _ := v.get(name).(time.Time); return t }

// Texts returns a list of texts; a single text counts as a list of one.
func (v Values) Texts(name string) []string {
	switch x := v.get(name).(type) {
	case []string:
		return x
	case string:
		return []string{x}
	}
	return nil
}

// Raw returns the JSON of an Object or Numbers field, or nil.
func (v Values) Raw(name string) json.RawMessage { r, _ := v.get(name).(json.RawMessage); return r }

func (v Values) get(name string) any {
	if x := v.m[name]; x != nil {
		return x // null is what nobody has said
	}
	for _, f := range v.form {
		if f.Name == name {
			return defaultOf(f.Default)
		}
	}
	return nil
}

func defaultOf(d any) any {
	if n, ok := d.(int); ok {
		return float64(n)
	}
	return d
}

// problem is one wrong field of a request body.
type problem struct {
	Field   string      `json:"field"`
	Code    reason.Code `json:"code"`
	Message string      `json:"message"`
}

// invalid refuses a body with every wrong field.
func invalid(list []problem) error {
	if len(list) == 0 {
		return nil
	}
	r := reason.Refuse(reason.ValidationFailed, "%s %s", list[0].Field, list[0].Message)
	if len(list) > 1 {
		r = reason.Refuse(reason.ValidationFailed, "%d fields are not valid", len(list))
	}
	return r.With(map[string]any{"fields": list})
}

func fault(field, format string, args ...any) problem {
	return problem{field, reason.InvalidParam, fmt.Sprintf(format, args...)}
}

// FromJSON reads a request body. No bytes are the empty object. Fields nobody
// knows become warnings; every known field of a wrong type, length or value is
// reported, in one validation_failed refusal. null means absent, which Null
// tells apart.
func (f Form) FromJSON(raw []byte) (Values, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = []byte("{}")
	}
	if err := CheckJSON(raw); err != nil {
		return Values{}, err
	}
	var root map[string]json.RawMessage
	if err := json.Unmarshal(raw, &root); err != nil || root == nil {
		return Values{}, invalidJSON(0, "the body must be a JSON object")
	}
	if len(root) > maxJSONKeys {
		return Values{}, invalidJSON(0, "the body has too many keys")
	}
	v := Values{form: f, m: map[string]any{}, said: map[string]string{}}
	var bad []problem
	for _, field := range f {
		for _, name := range append([]string{field.Name}, field.Aliases...) {
			text, ok := root[name]
			delete(root, name)
			if !ok || v.Has(field.Name) {
				continue
			}
			x, err := field.read(text)
			if err != nil {
				bad = append(bad, fault(name, "%s", err))
				continue
			}
			v.set(field.Name, name, x)
		}
	}
	for name := range root {
		v.Warnings = append(v.Warnings, "unknown_field:"+clip(name, 64))
	}
	slices.Sort(v.Warnings)
	return v, invalid(bad)
}

// set keeps a value under the first name of its field.
func (v Values) set(first, used string, x any) {
	v.m[first] = x
	if used != first {
		v.said[first] = used
	}
}

// FromQuery reads the query of a URL. The first wrong parameter is an
// invalid_param refusal; parameters nobody knows are ignored.
func (f Form) FromQuery(q url.Values) (Values, error) {
	v := Values{form: f, m: map[string]any{}, said: map[string]string{}}
	for _, field := range f {
		for _, name := range append([]string{field.Name}, field.Aliases...) {
			if !q.Has(name) || v.Has(field.Name) {
				continue
			}
			if len(q[name]) > 1 {
				return Values{}, badParam(name, "was given more than once")
			}
			x, err := field.parse(q.Get(name))
			if err != nil {
				return Values{}, badParam(name, err.Error())
			}
			v.set(field.Name, name, x)
		}
	}
	return v, nil
}

func badParam(name, text string) error {
	return reason.Refuse(reason.InvalidParam, "%s %s", name, text).With(map[string]any{"param": name})
}

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
		return "", fmt.Errorf("holds U+0000, which no text may")
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

// clip cuts s to n characters.
func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n])
}
