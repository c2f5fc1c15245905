package call

import (
	"bytes"
	"encoding/json"
	"iter"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

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
	Name     string   // by which Values knows it
	Aliases  []string // other names it may come by
	Kind     Kind
	Help     string // for schemas
	Required bool   // told in schemas; the use case refuses with its own code
	Min, Max int
	Items    int
	Enum     []string // all that it may be; empty: anything
	Default  any      // what is read when it is absent or null
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
	var bad []Problem
	for _, w := range v.Warnings {
		name := strings.TrimPrefix(w, "unknown_field:")
		bad = append(bad, Problem{name, reason.UnknownField, "is not known here"})
	}
	return Invalid(bad...)
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

// Empty reports whether no field was given.
func (v Values) Empty() bool { return len(v.m) == 0 }

// All are the fields that were given, by their first names; null is nil.
func (v Values) All() iter.Seq2[string, any] { return maps.All(v.m) }

// Drop forgets a field.
func (v Values) Drop(name string) { delete(v.m, name) }

// Given is a field as it was read, nil for null and for one that was not given.
func (v Values) Given(name string) any { return v.m[name] }

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
	var bad []Problem
	for _, field := range f {
		for _, name := range append([]string{field.Name}, field.Aliases...) {
			text, ok := root[name]
			delete(root, name)
			if !ok || v.Has(field.Name) {
				continue
			}
			x, err := field.read(text)
			if err != nil {
				bad = append(bad, Fault(name, "%s", err))
				continue
			}
			v.set(field.Name, name, x)
		}
	}
	for name := range root {
		v.Warnings = append(v.Warnings, "unknown_field:"+Clip(name, 64))
	}
	slices.Sort(v.Warnings)
	return v, Invalid(bad...)
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
				return Values{}, BadParam(name, "was given more than once")
			}
			x, err := field.parse(q.Get(name))
			if err != nil {
				return Values{}, BadParam(name, err.Error())
			}
			v.set(field.Name, name, x)
		}
	}
	return v, nil
}

// With is v with one more field, of the type that the methods of Values return.
func (v Values) With(name string, value any) Values {
	m := maps.Clone(v.m)
	if m == nil {
		m = map[string]any{}
	}
	m[name] = value
	v.m = m
	return v
}

// Of are the values of a request that this program makes itself. Numbers are
// float64, everything else of the type that the methods of Values return.
func (f Form) Of(m map[string]any) Values {
	v := Values{form: f, m: map[string]any{}, said: map[string]string{}}
	maps.Copy(v.m, m)
	return v
}

// As are the fields of v read as those of another form.
func (v Values) As(f Form) Values {
	v.form = f
	return v
}
