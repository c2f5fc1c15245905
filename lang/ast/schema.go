package ast

import (
	"encoding/json"
	"fmt"
)

// Schema is the JSON Schema (draft 2020-12) of ast/1: which kinds there are, that
// every node has its position, and that nodes contain texts, flags and nodes
// only. schema.json in this folder is its text; a test compares the two.
func Schema() ([]byte, error) {
	var kinds []string
	for k := KindFile; k < numKinds; k++ {
		kinds = append(kinds, k.String())
	}
	type object = map[string]any
	ref := func(name string) object { return object{"$ref": "#/$defs/" + name} }
	span := object{"type": "array", "items": object{"type": "integer", "minimum": 0}, "minItems": 2, "maxItems": 2}
	doc := object{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": Version,
		"allOf":    []any{ref("node"), object{"properties": object{"v": object{"const": Version}, "kind": object{"const": KindFile.String()}}}},
		"required": []string{"v", "format"},
		"$defs": object{
			"node": object{
				"type": "object", "required": []string{"kind", "span"},
				"properties": object{
					"kind": object{"enum": kinds}, "span": span, "has_error": object{"const": true},
					"comments": object{"type": "array", "items": ref("comment")},
					// Pairs around an expression; of emit, new, arrows and checks that there are some.
					"parens": object{"anyOf": []any{object{"type": "integer", "minimum": 1}, object{"const": true}}},
				},
				"additionalProperties": ref("field"),
			},
			"field": object{"anyOf": []any{
				object{"type": []string{"string", "boolean"}}, ref("node"), object{"type": "array", "items": object{"type": "string"}},
				object{"type": "array", "items": ref("node")},
			}},
			"comment": object{"type": "object", "required": []string{"place", "text", "span"}, "properties": object{
				"place": object{"enum": []string{"leading", "inner", "trailing"}}, "text": object{"type": "string"}, "span": span,
			}},
		},
	}
	out, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode schema: %w", err)
	}
	return append(out, '\n'), nil
}
