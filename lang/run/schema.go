package run

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/meshd/meshd/lang/run/table"
)

// Schema is the JSON Schema (draft 2020-12) of program/1, made of the Go types.
// program.schema.json in this folder is its text; a test compares the two.
// What it accepts may still be refused: indices and code are for Verify.
func Schema() ([]byte, error) {
	m := schemaMaker{}
	root := m.object(reflect.TypeFor[Program]())
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = Version
	props := root["properties"].(map[string]any)
	props["v"] = map[string]any{"const": Version}
	root["$defs"] = m
	out, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode schema: %w", err)
	}
	return append(out, '\n'), nil
}

type schemaMaker map[string]any

// treeTypes are the nodes of trees.
func treeTypes() []string {
	var out []string
	for _, n := range table.TreeNodes {
		out = append(out, n.Name)
	}
	return out
}

// words are the keys whose value is one word of several.
var words = map[string][]string{"type": treeTypes(), "policy": {"all", "any"}}

func (m schemaMaker) of(t reflect.Type, key string) map[string]any {
	switch t.Kind() {
	case reflect.Pointer:
		return m.of(t.Elem(), key)
	case reflect.String:
		if w := words[key]; w != nil {
			return map[string]any{"enum": w}
		}
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Int:
		return map[string]any{"type": "integer", "minimum": -1}
	case reflect.Uint32:
		return map[string]any{"type": "integer", "minimum": 0, "maximum": uint32(1<<32 - 1)}
	case reflect.Interface:
		return map[string]any{"type": []string{"null", "boolean", "number", "string"}} // a constant
	case reflect.Array:
		return map[string]any{"type": "array", "items": m.of(t.Elem(), ""), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Slice:
		s := map[string]any{"type": "array", "items": m.of(t.Elem(), "")}
		if key == "after" {
			s["minItems"], s["maxItems"] = 2, 2
		}
		return s
	}
	if t == reflect.TypeFor[Init]() {
		fn := map[string]any{
			"type": "object", "properties": map[string]any{"fn": map[string]any{"type": "integer", "minimum": 0}},
			"required": []string{"fn"}, "additionalProperties": false,
		}
		return map[string]any{"oneOf": []any{map[string]any{"type": "integer", "minimum": 0}, fn}}
	}
	if _, there := m[t.Name()]; !there {
		m[t.Name()] = nil // in the making
		m[t.Name()] = m.object(t)
	}
	return map[string]any{"$ref": "#/$defs/" + t.Name()}
}

func (m schemaMaker) object(t reflect.Type) map[string]any {
	props := map[string]any{}
	var required []string
	for i := range t.NumField() {
		if !t.Field(i).IsExported() {
			continue
		}
		key, rest, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
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
