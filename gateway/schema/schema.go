// Package schema says in JSON Schema what the faces take and give: request
// schemas from the forms that read requests, reply schemas from the Go types
// that are encoded. Both therefore say what the code does.
//
// Start with OfForm for a request and with New for replies. Huma's reflection
// does the work; its types are used here and in the OpenAPI document only.
package schema

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/knowledge"
)

// Dialect is the JSON Schema version of everything here.
const Dialect = "https://json-schema.org/draft/2020-12/schema"

// Replies are encoded by gateway/encode, which gives [] for a list that nobody made. It
// is a setting of the whole library, which nothing else here uses.
func init() { huma.DefaultArrayNullable = false }

// Replies collects the schemas of reply types under one prefix of references.
type Replies struct {
	registry huma.Registry
	prefix   string
}

// New returns an empty collection whose references begin with prefix.
func New(prefix string) *Replies {
	r := huma.NewMapRegistry(prefix, huma.DefaultSchemaNamer)
	// An entry encodes to one of two types; the masked one has a part of the
	// full one's fields.
	r.RegisterTypeAlias(reflect.TypeFor[knowledge.Entry](), reflect.TypeFor[knowledge.FullEntry]())
	return &Replies{r, prefix}
}

// Of is the schema of a value's type, a reference for a struct. v may be a nil
// pointer.
func (r *Replies) Of(v any) *huma.Schema {
	t := reflect.TypeOf(v)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return r.registry.Schema(t, true, t.Name())
}

// Map returns the collected schemas by name. Clients must ignore fields they do
// not know, so no schema forbids further ones.
func (r *Replies) Map() map[string]*huma.Schema {
	all := r.registry.Map()
	for name, s := range all {
		if t := r.registry.TypeFromRef(r.prefix + name); t != nil {
			allowNull(t, s)
		}
		for _, p := range s.Properties {
			nullChoice(p)
		}
		if s.AdditionalProperties == false {
			s.AdditionalProperties = nil
		}
	}
	return all
}

// nullChoice adds null to the choices of a field that may be null: the
// reflection says it of the type alone, and both must allow a value.
func nullChoice(s *huma.Schema) {
	if s.Nullable && len(s.Enum) > 0 && !slices.Contains(s.Enum, nil) {
		s.Enum = append(slices.Clone(s.Enum), nil)
	}
}

// allowNull lets the fields of t that are pointers to structs, and encoded even
// when nil, be null: the reflection does so for every other pointer, but has no
// place for it beside a reference.
func allowNull(t reflect.Type, s *huma.Schema) {
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		p := s.Properties[name]
		if p == nil || p.Ref == "" || f.Type.Kind() != reflect.Pointer || strings.Contains(options, "omitempty") {
			continue
		}
		s.Properties[name] = &huma.Schema{AnyOf: []*huma.Schema{{Ref: p.Ref}, {Type: "null"}}, Description: f.Tag.Get("doc")}
	}
}

// Registry is the collection as huma's documents want it.
func (r *Replies) Registry() huma.Registry { return r.registry }

// Output is the self-contained schema of a value's type, or of one of several:
// the value of any of them is valid under it.
func Output(values ...any) (json.RawMessage, error) {
	r := New("#/$defs/")
	refs := make([]*huma.Schema, 0, len(values))
	for _, v := range values {
		refs = append(refs, &huma.Schema{Ref: r.Of(v).Ref})
	}
	out := map[string]any{"$schema": Dialect, "type": "object", "$defs": r.Map()}
	if len(refs) == 1 {
		out["$ref"] = refs[0].Ref
	} else {
		out["anyOf"] = refs
	}
	raw, err := json.Marshal(out)
	if err != nil {
		return nil, fmt.Errorf("encode schema of %T: %w", values, err)
	}
	return raw, nil
}

// OfForm is the schema of a request body. open says whether unknown fields are
// let through (with a warning).
func OfForm(f call.Form, open bool) *huma.Schema {
	s := &huma.Schema{Type: "object", Properties: map[string]*huma.Schema{}}
	if !open {
		s.AdditionalProperties = false
	}
	for _, field := range f {
		s.Properties[field.Name] = OfField(field)
		for _, alias := range field.Aliases {
			if open {
				s.Properties[alias] = OfField(field)
			}
		}
		if field.Required {
			s.Required = append(s.Required, field.Name)
		}
	}
	return s
}

// OfField is the schema of one field.
func OfField(f call.Field) *huma.Schema {
	s := &huma.Schema{Description: f.Help, Default: f.Default}
	switch f.Kind {
	case call.Text:
		setText(s, f)
	case call.Int:
		s.Type = "integer"
		setRange(s, f)
	case call.Number:
		s.Type = "number"
		setRange(s, f)
	case call.Bool:
		s.Type = "boolean"
	case call.Time:
		s.Type, s.Format = "string", "date-time"
	case call.Moment:
		s.OneOf = []*huma.Schema{{Type: "string", Format: "date-time"}, {Type: "integer"}}
	case call.Texts:
		setList(s, f)
	case call.TextOrList:
		list := &huma.Schema{}
		setList(list, f)
		text := &huma.Schema{}
		setText(text, f)
		s.OneOf = []*huma.Schema{text, list}
	case call.TextOrMap:
		text := &huma.Schema{}
		setText(text, f)
		s.OneOf = []*huma.Schema{text, {Type: "object"}}
	case call.TextOrNumber:
		number := &huma.Schema{Type: "integer"}
		setRange(number, f)
		s.OneOf = []*huma.Schema{{Type: "string"}, number}
	case call.Object:
		s.Type = "object"
	case call.Numbers:
		item := &huma.Schema{Type: "number"}
		setRange(item, f)
		s.Type, s.Items = "array", item
		s.MinItems, s.MaxItems = bound(f.Items), bound(f.Items)
	case call.Objects:
		s.Type, s.Items = "array", &huma.Schema{Type: "object"}
		s.MaxItems = bound(f.Items)
	}
	return s
}

func setText(s *huma.Schema, f call.Field) {
	s.Type, s.MinLength, s.MaxLength = "string", bound(f.Min), bound(f.Max)
	for _, e := range f.Enum {
		s.Enum = append(s.Enum, e)
	}
}

func setList(s *huma.Schema, f call.Field) {
	item := &huma.Schema{}
	setText(item, f)
	s.Type, s.Items, s.MaxItems = "array", item, bound(f.Items)
}

func setRange(s *huma.Schema, f call.Field) {
	low := float64(f.Min)
	s.Minimum = &low
	if f.Max > 0 {
		high := float64(f.Max)
		s.Maximum = &high
	}
}

// bound is n, or nil for none.
func bound(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}
