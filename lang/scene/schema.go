package scene

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// Schema is the JSON Schema (draft 2020-12) of scene/1, made of the Go types of
// the model. schema.json in this folder is its text; a test compares the two.
func Schema() ([]byte, error) {
	m := &schemaMaker{defs: map[string]any{}}
	root := m.object(reflect.TypeFor[Scene]())
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = Version
	root["properties"].(map[string]any)["v"] = map[string]any{"const": Version}
	root["$defs"] = m.defs
	out, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode schema: %w", err)
	}
	return append(out, '\n'), nil
}

type schemaMaker struct{ defs map[string]any }

// defaults are what a document that leaves a key out means.
var defaults = map[string]any{
	"One": 1, "Half": 0.5, "Glass": 1.5, "Shown": true, "UnitVec": []int{1, 1, 1}, "Quat": []int{0, 0, 0, 1},
}

// colorKeys are the keys of colours.
var colorKeys = map[string]bool{"color": true, "base_color": true, "ground": true}

func (m *schemaMaker) of(t reflect.Type, key string) map[string]any {
	var s map[string]any
	switch t.Kind() {
	case reflect.Pointer:
		return m.of(t.Elem(), key)
	case reflect.String:
		s = map[string]any{"type": "string"}
		if colorKeys[key] {
			s["pattern"] = "^#[0-9a-f]{8}$"
		}
	case reflect.Bool:
		s = map[string]any{"type": "boolean"}
	case reflect.Float64:
		s = map[string]any{"type": "number"}
	case reflect.Int:
		s = map[string]any{"type": "integer"}
		if key == "parent" || key == "loop" {
			s["minimum"] = -1
		}
	case reflect.Array:
		s = map[string]any{"type": "array", "items": m.of(t.Elem(), ""), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Slice:
		switch {
		case t == reflect.TypeFor[json.RawMessage]():
			return map[string]any{"type": "object"}
		case t.Elem().Kind() == reflect.Uint8:
			return map[string]any{"type": "string", "contentEncoding": "base64"}
		}
		s = map[string]any{"type": "array", "items": m.of(t.Elem(), "")}
	case reflect.Struct:
		if t == reflect.TypeFor[Value]() {
			return map[string]any{} // data of the source
		}
		if _, there := m.defs[t.Name()]; !there {
			m.defs[t.Name()] = nil // in the making
			m.defs[t.Name()] = m.object(t)
		}
		return map[string]any{"$ref": "#/$defs/" + t.Name()}
	}
	if d, ok := defaults[t.Name()]; ok {
		s["default"] = d
	}
	return s
}

func (m *schemaMaker) object(t reflect.Type) map[string]any {
	props := map[string]any{}
	var required []string
	for i := range t.NumField() {
		tag := t.Field(i).Tag.Get("json")
		key, rest, _ := strings.Cut(tag, ",")
		if key == "-" || key == "" {
			continue
		}
		props[key] = m.of(t.Field(i).Type, key)
		if !strings.Contains(rest, "omit") {
			required = append(required, key)
		}
	}
	s := map[string]any{"type": "object", "properties": props, "additionalProperties": false}
	if required != nil {
		s["required"] = required
	}
	return s
}
