package agentcard

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/meshd/meshd/identity/jcs"
)

// The rule of the protocol for what is signed (A2A 1.0 §8.4.1, §5.7): members
// that are required stay, members with presence of their own stay when they are
// there, all others go when they have their default. In the types above these
// are the members without omitempty, the pointers, and the rest. So the types
// are the table, and this walk drops what stands in a text with its default.

// withoutDefaults drops members with their defaults from the text of a card. It
// drops nothing that the types do not know: reading refuses that later.
func withoutDefaults(data []byte) ([]byte, error) {
	canonical, err := jcs.Canonical(data)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCard, err)
	}
	var v any
	if err := json.Unmarshal(canonical, &v); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCard, err)
	}
	drop(v, reflect.TypeFor[Card]())
	return jcs.Marshal(v)
}

var rawType = reflect.TypeFor[json.RawMessage]()

// drop walks a value beside its type, from the inside out.
func drop(v any, t reflect.Type) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == rawType {
		return
	}
	switch v := v.(type) {
	case []any:
		if t.Kind() == reflect.Slice {
			for _, e := range v {
				drop(e, t.Elem())
			}
		}
	case map[string]any:
		switch t.Kind() {
		case reflect.Map:
			for _, e := range v {
				drop(e, t.Elem())
			}
		case reflect.Struct:
			dropMembers(v, t)
		}
	}
}

func dropMembers(v map[string]any, t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		member, there := v[name]
		if !there {
			continue
		}
		drop(member, f.Type)
		if option == "omitempty" && f.Type.Kind() != reflect.Pointer && f.Type != rawType && isDefault(member) {
			delete(v, name)
		}
	}
}

// isDefault reports whether a JSON value is the default of its type: an empty
// list or map, "", false. A null is none: it is refused.
func isDefault(v any) bool {
	switch v := v.(type) {
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	case string:
		return v == ""
	case bool:
		return !v
	}
	return false
}
