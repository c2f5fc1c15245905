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
	"github.com/meshd/meshd/gateway/service"
)

// listed are the lists of objects in a reply, with the names that their items have.
type listed map[string][]string

// listsOf are the lists in the reply of a tool that is asked for fields, by the schema of
// the reply.
func listsOf(t *endpoint.Tool, out json.RawMessage) (listed, error) {
	if !slices.ContainsFunc(t.Form, func(f call.Field) bool { return f.Name == "fields" && f.Kind == call.Texts }) {
		return nil, nil
	}
	var s map[string]any
	if err := json.Unmarshal(out, &s); err != nil {
		return nil, fmt.Errorf("read output schema of %s: %w", t.Name, err)
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
		}
	}
	return lists, nil
}

// only is a reply whose lists show no more than the named fields of their items.
func (l listed) only(reply []byte, fields []string) ([]byte, error) {
	return l.each(reply, func(item map[string]json.RawMessage) error {
		maps.DeleteFunc(item, func(field string, _ json.RawMessage) bool { return !slices.Contains(fields, field) })
		return nil
	})
}

// each is a reply after f has changed every item of its lists.
func (l listed) each(reply []byte, f func(item map[string]json.RawMessage) error) ([]byte, error) {
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
			if err := f(item); err != nil {
				return nil, err
			}
		}
		raw, err := encode.JSON(items)
		if err != nil {
			return nil, err
		}
		all[name] = raw
	}
	return encode.JSON(all)
}

// kept are the fields of items that a long list shows all the same.
var kept = []string{"id", "title", "content", "text", "name", "type", "kind", "status", "domain", "quality", "authorName"}

// fitted is a reply whose lists fit with their fences into maxListText, and the fields
// that its items lack for that: first what is long and least read, then texts are cut and
// say so. What is one object stays as it is.
func (l listed) fitted(reply []byte, fenced func([]byte) ([]byte, string), quotes []string) (short []byte, left []string, err error) {
	tooLong := func() bool {
		switch {
		case len(l) == 0:
			return false
		case len(reply) > maxListText: // whatever its fences take, which is work to find out
			return true
		}
		clean, texts := fenced(reply)
		return len(clean)+len(texts) > maxListText
	}
	drop := func(kept []string) error {
		for tooLong() {
			field, err := l.longest(reply, kept)
			if err != nil || field == "" {
				return err
			}
			if reply, err = l.each(reply, func(item map[string]json.RawMessage) error { delete(item, field); return nil }); err != nil {
				return err
			}
			left = append(left, field)
		}
		return nil
	}
	if err := drop(slices.Concat(kept, quotes)); err != nil {
		return nil, nil, err
	}
	for most := maxItemText; most >= minItemText && tooLong(); most /= 2 {
		if reply, err = l.cut(reply, most); err != nil {
			return nil, nil, err
		}
	}
	if err := drop([]string{"id"}); err != nil {
		return nil, nil, err
	}
	return reply, left, nil
}

// longest is the field that takes the most of all items, of those that are not kept; ""
// when none is left.
func (l listed) longest(reply []byte, kept []string) (field string, err error) {
	sizes := map[string]int{}
	_, err = l.each(reply, func(item map[string]json.RawMessage) error {
		for name, raw := range item {
			if !slices.Contains(kept, name) {
				sizes[name] += len(name) + len(raw)
			}
		}
		return nil
	})
	for _, name := range slices.Sorted(maps.Keys(sizes)) {
		if field == "" || sizes[name] > sizes[field] {
			field = name
		}
	}
	return field, err
}

// cut shortens the texts of items to so many characters.
func (l listed) cut(reply []byte, most int) ([]byte, error) {
	const end = "… [cut]"
	return l.each(reply, func(item map[string]json.RawMessage) error {
		for name, raw := range item {
			var text string
			if json.Unmarshal(raw, &text) != nil || call.Chars(text) <= most+call.Chars(end) {
				continue
			}
			short, err := encode.JSON(call.Clip(strings.TrimSuffix(text, end), most) + end)
			if err != nil {
				return err
			}
			item[name] = short
		}
		return nil
	})
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
	for _, t := range new(service.Service).Tools() {
		if s, err := schema.Output(t.Output); err == nil {
			out[t.Name], _ = listsOf(&t, s)
		}
	}
	return out
}()
