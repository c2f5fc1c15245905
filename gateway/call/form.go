package call

import (
	"bytes"
	"encoding/json"
	"iter"
	"maps"
	"net/url"
	"slices"
	"strings"
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
	Required bool   // said in schemas; the use case refuses with its own code
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

// Values are the fields of a request that were given, by their first names; FormOf
// reads them into a struct.
type Values struct {
	form Form
	m    map[string]any
	said map[string]string // what the caller calls a field, where that is another name
	// Warnings names fields that were ignored, as unknown_field:<name>.
	Warnings []string
}

// Strict refuses fields nobody knows instead of warning of them.
func (v Values) Strict() error {
	var known []string
	for _, f := range v.form {
		known = append(append(known, f.Name), f.Aliases...)
	}
	var bad []Problem
	for _, w := range v.Warnings {
		name := strings.TrimPrefix(w, "unknown_field:")
		bad = append(bad, Unknown("", name, known))
	}
	return Invalid(bad...)
}

// Calling is v for a caller to whom a field has another name.
func (v Values) Calling(field, used string) Values {
	said := map[string]string{field: used}
	maps.Copy(said, v.said)
	v.said = said
	return v
}

func (v Values) has(name string) bool { _, ok := v.m[name]; return ok }

// null reports whether the field was given as null.
func (v Values) null(name string) bool { x, ok := v.m[name]; return ok && x == nil }

// Empty reports whether no field was given.
func (v Values) Empty() bool { return len(v.m) == 0 }

// All are the fields that were given, by their first names; null is nil.
func (v Values) All() iter.Seq2[string, any] { return maps.All(v.m) }

// get is a field as it was read, or its default.
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
// reported, in one validation_failed refusal. null means absent; Opt.Null
// reports that it was given.
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
			if !ok || v.has(field.Name) {
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
			if !q.Has(name) || v.has(field.Name) {
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
