package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/encode"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/schema"
)

// listed are the lists of objects in a reply, with the names that their items have.
type listed map[string][]string

// listsOf are the lists in the reply of a tool that is asked for fields, and the schema
// of the reply, in which an item may lack each of its own.
func listsOf(t *endpoint.Tool, out json.RawMessage) (listed, json.RawMessage, error) {
	if !slices.ContainsFunc(t.Form, func(f call.Field) bool { return f.Name == "fields" && f.Kind == call.Texts }) {
		return nil, out, nil
	}
	var s map[string]any
	if err := json.Unmarshal(out, &s); err != nil {
		return nil, nil, fmt.Errorf("read output schema of %s: %w", t.Name, err)
	}
	defs, _ := s["$defs"].(map[string]any)
	at := func(ref any) map[string]any {
		text, _ := ref.(string)
		def, _ := defs[strings.TrimPrefix(text, "#/$defs/")].(map[string]any)
		return def
	}
	lists := listed{}
	properties, _ := at(s["$ref"])["properties"].(map[string]any)
	for name, p := range properties {
		property, _ := p.(map[string]any)
		items, _ := property["items"].(map[string]any)
		if item := at(items["$ref"]); item != nil {
			of, _ := item["properties"].(map[string]any)
			lists[name] = slices.Sorted(maps.Keys(of))
			delete(item, "required")
		}
	}
	out, err := json.Marshal(s)
	return lists, out, err
}

// only is a reply whose lists show no more than the named fields of their items.
func (l listed) only(reply []byte, fields []string) ([]byte, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(reply, &all); err != nil {
		return nil, fmt.Errorf("read a reply: %w", err)
	}
	for name := range l {
		var items []map[string]json.RawMessage
		if err := json.Unmarshal(all[name], &items); err != nil {
			return nil, fmt.Errorf("read %s of a reply: %w", name, err)
		}
		for _, item := range items {
			maps.DeleteFunc(item, func(field string, _ json.RawMessage) bool { return !slices.Contains(fields, field) })
		}
		raw, err := encode.JSON(items)
		if err != nil {
			return nil, err
		}
		all[name] = raw
	}
	return encode.JSON(all)
}

// check refuses names that no item has.
func (l listed) check(fields []string) error {
	for _, field := range fields {
		known := false
		var names []string
		for _, of := range l {
			known = known || slices.Contains(of, field)
			names = of
		}
		if !known {
			return call.BadParam("fields", fmt.Sprintf("has %q, which is no field of an item; there are %s", call.Clip(field, call.MaxTrait), strings.Join(names, ", ")))
		}
	}
	return nil
}

// lists are those of each tool that has some.
var lists = func() map[string]listed {
	out := map[string]listed{}
	for i := range described {
		t := &described[i]
		if s, err := schema.Output(t.Output); err == nil {
			out[t.Name], _, _ = listsOf(t, s)
		}
	}
	return out
}()
