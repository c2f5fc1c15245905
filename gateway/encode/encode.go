// Package encode writes the JSON of replies: a list is never null and neither is a
// map, as the schemas of replies say, and text is not escaped for HTML.
//
// Start with JSON. Lists that nobody made are found by type, once for each type; a
// value without any is encoded as it is.
package encode

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
)

// JSON is v in one line without a newline, with [] and {} for its nil lists and
// maps. It changes nothing in v and what v points to. Fields that are left out
// when empty stay out; what a type with an encoding of its own, or a field of an
// interface type, contains is written as it is.
func JSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(Whole(v)); err != nil {
		return nil, fmt.Errorf("encode reply: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Whole is v, or a copy of what is needed of it, with empty lists and maps for nil
// ones.
func Whole(v any) any {
	rv := reflect.ValueOf(v)
	if !rv.IsValid() || !containsLists(rv.Type()) {
		return v
	}
	out, _ := whole(rv)
	return out.Interface()
}

// whole returns v with its lists made, and whether that took a copy.
func whole(v reflect.Value) (reflect.Value, bool) {
	if !containsLists(v.Type()) {
		return v, false
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return v, false
		}
		inner, changed := whole(v.Elem())
		if !changed {
			return v, false
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(inner)
		return out, true
	case reflect.Struct:
		return wholeStruct(v)
	case reflect.Slice:
		return wholeSlice(v)
	case reflect.Map:
		return wholeMap(v)
	}
	return v, false
}

func wholeStruct(v reflect.Value) (reflect.Value, bool) {
	out, changed := v, false
	for _, f := range fieldsOf(v.Type()) {
		now, differs := v.Field(f.index), false
		if kind := now.Kind(); (kind == reflect.Slice || kind == reflect.Map) && now.IsNil() {
			if !f.optional {
				now, differs = empty(now.Type()), true
			}
		} else {
			now, differs = whole(now)
		}
		if !differs {
			continue
		}
		if !changed {
			out, changed = reflect.New(v.Type()).Elem(), true
			out.Set(v)
		}
		out.Field(f.index).Set(now)
	}
	return out, changed
}

func wholeSlice(v reflect.Value) (reflect.Value, bool) {
	out, changed := v, false
	for i := range v.Len() {
		now, differs := element(v.Index(i))
		if !differs {
			continue
		}
		if !changed {
			out, changed = reflect.MakeSlice(v.Type(), v.Len(), v.Len()), true
			reflect.Copy(out, v)
		}
		out.Index(i).Set(now)
	}
	return out, changed
}

func wholeMap(v reflect.Value) (reflect.Value, bool) {
	out, changed := v, false
	for entries := v.MapRange(); entries.Next(); {
		now, differs := element(entries.Value())
		if !differs {
			continue
		}
		if !changed {
			out, changed = reflect.MakeMapWithSize(v.Type(), v.Len()), true
			for all := v.MapRange(); all.Next(); {
				out.SetMapIndex(all.Key(), all.Value())
			}
		}
		out.SetMapIndex(entries.Key(), now)
	}
	return out, changed
}

// element is whole for what stands in a list or map, where nil is null too.
func element(v reflect.Value) (reflect.Value, bool) {
	if kind := v.Kind(); (kind == reflect.Slice || kind == reflect.Map) && v.IsNil() && containsLists(v.Type()) {
		return empty(v.Type()), true
	}
	return whole(v)
}

func empty(t reflect.Type) reflect.Value {
	if t.Kind() == reflect.Map {
		return reflect.MakeMap(t)
	}
	return reflect.MakeSlice(t, 0, 0)
}

// field is one that a struct's lists may be in.
type field struct {
	index    int
	optional bool // left out when empty
}

var (
	marshalers = []reflect.Type{reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler]()}

	containing sync.Map // reflect.Type: bool
	fields     sync.Map // reflect.Type: []field
)

func fieldsOf(t reflect.Type) []field {
	if known, ok := fields.Load(t); ok {
		return known.([]field)
	}
	var list []field
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" && options == "" || !containsLists(f.Type) {
			continue
		}
		list = append(list, field{i, strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero")})
	}
	fields.Store(t, list)
	return list
}

// containsLists reports whether values of a type may contain a list or map that encodes as
// null.
func containsLists(t reflect.Type) bool {
	if known, ok := containing.Load(t); ok {
		return known.(bool)
	}
	contains := search(t, map[reflect.Type]bool{})
	containing.Store(t, contains)
	return contains
}

func search(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false // it is being looked at
	}
	seen[t] = true
	for _, m := range marshalers {
		if t.Implements(m) || reflect.PointerTo(t).Implements(m) {
			return false
		}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return search(t.Elem(), seen)
	case reflect.Slice:
		return t.Elem().Kind() != reflect.Uint8 // bytes are a text
	case reflect.Map:
		return true
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && search(f.Type, seen) {
				return true
			}
		}
	}
	return false
}
