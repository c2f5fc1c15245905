package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Outline is a short schema of Output, for a list that models read: the fields of the
// reply with their types, and of the named lists the fields of their items. Whatever else
// lies deeper is an object or a list, and nothing is described. Every value that the schema
// takes, its outline takes too.
func Outline(full json.RawMessage, lists ...string) (json.RawMessage, error) {
	var s node
	if err := json.Unmarshal(full, &s); err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	o := outline{defs: map[string]node{}, lists: lists}
	if defs, ok := s["$defs"].(node); ok {
		for name, def := range defs {
			o.defs[name], _ = def.(node)
		}
	}
	out := node{"$schema": s["$schema"], "type": "object"}
	if choices, ok := s["anyOf"].([]any); ok {
		var short []any
		for _, c := range choices {
			short = append(short, o.reply(o.find(c)))
		}
		out["anyOf"] = short
	} else {
		for key, v := range o.reply(o.find(s)) {
			out[key] = v
		}
	}
	raw, err := json.Marshal(out)
	if err != nil {
		return nil, fmt.Errorf("encode outline: %w", err)
	}
	return raw, nil
}

// node is a schema.
type node = map[string]any

type outline struct {
	defs  map[string]node
	lists []string
}

// find is a schema, or what it refers to.
func (o outline) find(v any) node {
	s, _ := v.(node)
	for s["$ref"] != nil {
		name, _ := s["$ref"].(string)
		s = o.defs[strings.TrimPrefix(name, "#/$defs/")]
	}
	return s
}

// reply is the schema of a whole reply.
func (o outline) reply(s node) node {
	out := node{"properties": o.properties(s, o.lists)}
	if required := s["required"]; required != nil {
		out["required"] = required
	}
	return out
}

// properties are the fields of an object. Those of lists show the fields of their items.
func (o outline) properties(s node, lists []string) node {
	out := node{}
	fields, _ := s["properties"].(node)
	for name, p := range fields {
		short := o.kind(o.find(p))
		if items := o.find(o.find(p)["items"]); items != nil && slices.Contains(lists, name) {
			short["items"] = node{"type": "object", "properties": o.properties(items, nil)}
		}
		out[name] = short
	}
	return out
}

// kind is the type of a value alone, with the choices of a text. What is said in another
// way than by type takes every value.
func (o outline) kind(s node) node {
	out := node{}
	if t := s["type"]; t != nil {
		out["type"] = t
	}
	if choices := s["enum"]; choices != nil {
		out["enum"] = choices
	}
	if either, ok := s["anyOf"].([]any); ok {
		var types []any
		for _, c := range either {
			t := o.find(c)["type"]
			if _, plain := t.(string); !plain {
				return node{}
			}
			types = append(types, t)
		}
		out["type"] = types
	}
	return out
}
