package edit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/meshd/meshd/lang/trait"
)

// Op is one operation. Which fields count depends on Op; the JSON form has those
// and no others.
type Op struct {
	Op string
	// Node is the id or the path of what changes.
	Node string
	// Key is the dotted name of a setting: material.color, position.y.
	Key string
	// Value is the new value; an object {"expr": text} is written as the
	// expression in it.
	Value trait.Value
	// Origin "template" means the template that a node is made from instead of
	// the node itself.
	Origin string

	Parent     string        // node or empty, which is the scene
	At         *int          // place among the parent's nodes; nil is the end
	Kind, Name string        // of add; the new name of rename and duplicate
	Properties []trait.Field // of add
	Traits     []Trait       // of add
	KeepWorld  bool          // of move
	Shift      [3]float64    // of duplicate, called offset there

	Trait, Param string

	// Of text.
	Offset, EndOffset int
	Text              string
	BaseSHA256        string
}

// Trait is a trait of a new node.
type Trait struct {
	Name   string        `json:"name"`
	Params []trait.Field `json:"params,omitempty"`
}

// field says how a field of an operation is spelt in JSON.
type field struct {
	name     string
	required bool
}

// fields are the fields of each operation in the order in which they are written.
var fields = map[string][]field{
	"set":          {{"node", true}, {"key", true}, {"value", true}, {"origin", false}},
	"unset":        {{"node", true}, {"key", true}, {"origin", false}},
	"add":          {{"parent", false}, {"kind", true}, {"name", false}, {"properties", false}, {"traits", false}, {"at", false}},
	"delete":       {{"node", true}},
	"move":         {{"node", true}, {"parent", true}, {"at", false}, {"keep_world", false}},
	"rename":       {{"node", true}, {"name", true}},
	"duplicate":    {{"node", true}, {"name", false}, {"offset", false}},
	"trait_add":    {{"node", true}, {"trait", true}, {"param", false}, {"value", false}, {"origin", false}},
	"trait_set":    {{"node", true}, {"trait", true}, {"param", true}, {"value", true}, {"origin", false}},
	"trait_remove": {{"node", true}, {"trait", true}, {"origin", false}},
	"env_set":      {{"key", true}, {"value", true}},
	"text":         {{"offset", true}, {"end_offset", true}, {"text", true}, {"base_sha256", true}},
}

// Names are the operations there are, sorted.
func Names() []string {
	out := make([]string, 0, len(fields))
	for name := range fields {
		out = append(out, name)
	}
	sort.Strings(out)
	return out
}

// ReadOps reads a JSON list of operations. A field that the operation does not
// have is an error, and so is a missing one.
func ReadOps(data []byte) ([]Op, error) {
	var raw []json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, fmt.Errorf("the operations are not a list: %w", err)
	}
	if len(raw) > MaxOps {
		return nil, fmt.Errorf("there are %d operations, at most %d are done at once", len(raw), MaxOps)
	}
	ops := make([]Op, len(raw))
	for i := range raw {
		if err := ops[i].UnmarshalJSON(raw[i]); err != nil {
			return nil, fmt.Errorf("operation %d: %w", i, err)
		}
	}
	return ops, nil
}

// UnmarshalJSON implements json.Unmarshaler, strictly.
func (o *Op) UnmarshalJSON(data []byte) error {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(data, &m); err != nil || m == nil {
		return fmt.Errorf("an operation is an object")
	}
	*o = Op{}
	if err := json.Unmarshal(m["op"], &o.Op); err != nil {
		return fmt.Errorf("op must be one of %s", strings.Join(Names(), ", "))
	}
	known, ok := fields[o.Op]
	if !ok {
		return fmt.Errorf("there is no operation %q; there are %s", o.Op, strings.Join(Names(), ", "))
	}
	for _, f := range known {
		raw, given := m[f.name]
		if !given {
			if f.required {
				return fmt.Errorf("%s needs %s", o.Op, f.name)
			}
			continue
		}
		if err := o.readField(f.name, raw); err != nil {
			return fmt.Errorf("%s of %s cannot be read: %w", f.name, o.Op, err)
		}
	}
	for _, name := range sortedKeys(m) {
		if name != "op" && !slices.ContainsFunc(known, func(f field) bool { return f.name == name }) {
			return fmt.Errorf("%s has no field %q", o.Op, name)
		}
	}
	return nil
}

func sortedKeys(m map[string]json.RawMessage) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

func (o *Op) readField(name string, raw json.RawMessage) error {
	strict := func(to any) error {
		d := json.NewDecoder(bytes.NewReader(raw))
		d.DisallowUnknownFields()
		return d.Decode(to)
	}
	switch name {
	case "node":
		return strict(&o.Node)
	case "key":
		return strict(&o.Key)
	case "value":
		return o.Value.UnmarshalJSON(raw)
	case "origin":
		if err := strict(&o.Origin); err != nil || o.Origin != "template" {
			return fmt.Errorf("it can only be template")
		}
	case "parent":
		if string(raw) == "null" {
			return nil
		}
		return strict(&o.Parent)
	case "at":
		return strict(&o.At)
	case "kind":
		return strict(&o.Kind)
	case "name":
		return strict(&o.Name)
	case "properties":
		return readFields(raw, &o.Properties)
	case "traits":
		return o.readTraits(raw)
	case "keep_world":
		return strict(&o.KeepWorld)
	case "offset":
		if o.Op == "text" {
			return strict(&o.Offset)
		}
		var v []float64
		if err := strict(&v); err != nil || len(v) != 3 {
			return fmt.Errorf("it is a vector [x, y, z]")
		}
		copy(o.Shift[:], v)
	case "trait":
		return strict(&o.Trait)
	case "param":
		return strict(&o.Param)
	case "end_offset":
		return strict(&o.EndOffset)
	case "text":
		return strict(&o.Text)
	case "base_sha256":
		return strict(&o.BaseSHA256)
	}
	return nil
}

func readFields(raw json.RawMessage, to *[]trait.Field) error {
	var v trait.Value
	if err := v.UnmarshalJSON(raw); err != nil {
		return err
	}
	if v.Kind != trait.Map {
		return fmt.Errorf("it is an object")
	}
	*to = v.Fields
	return nil
}

// readTraits takes names and objects {name, params}.
func (o *Op) readTraits(raw json.RawMessage) error {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return err
	}
	for _, e := range list {
		var t Trait
		if json.Unmarshal(e, &t.Name) == nil {
			o.Traits = append(o.Traits, t)
			continue
		}
		var m struct {
			Name   string          `json:"name"`
			Params json.RawMessage `json:"params"`
		}
		d := json.NewDecoder(bytes.NewReader(e))
		d.DisallowUnknownFields()
		if err := d.Decode(&m); err != nil {
			return err
		}
		t.Name = m.Name
		if m.Params != nil {
			if err := readFields(m.Params, &t.Params); err != nil {
				return err
			}
		}
		o.Traits = append(o.Traits, t)
	}
	return nil
}

// MarshalJSON implements json.Marshaler.
func (o Op) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(`{"op":`)
	put := func(v any) error {
		text, err := json.Marshal(v)
		b.Write(text)
		return err
	}
	if err := put(o.Op); err != nil {
		return nil, err
	}
	for _, f := range fields[o.Op] {
		v, empty := o.field(f.name)
		if empty && !f.required {
			continue
		}
		b.WriteString(`,"` + f.name + `":`)
		if err := put(v); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// field is the value of a field for JSON, and whether it says nothing.
func (o *Op) field(name string) (v any, empty bool) {
	switch name {
	case "node":
		return o.Node, o.Node == ""
	case "key":
		return o.Key, o.Key == ""
	case "value":
		return o.Value, o.Value.Kind == trait.Unknown
	case "origin":
		return o.Origin, o.Origin == ""
	case "parent":
		return o.Parent, o.Parent == ""
	case "at":
		return o.At, o.At == nil
	case "kind":
		return o.Kind, o.Kind == ""
	case "name":
		return o.Name, o.Name == ""
	case "properties":
		return trait.Value{Kind: trait.Map, Fields: o.Properties}, len(o.Properties) == 0
	case "traits":
		list := []trait.Value{}
		for _, t := range o.Traits {
			fs := []trait.Field{{Key: "name", Value: text(t.Name)}}
			if len(t.Params) > 0 {
				fs = append(fs, trait.Field{Key: "params", Value: trait.Value{Kind: trait.Map, Fields: t.Params}})
			}
			list = append(list, trait.Value{Kind: trait.Map, Fields: fs})
		}
		return list, len(list) == 0
	case "keep_world":
		return o.KeepWorld, !o.KeepWorld
	case "offset":
		if o.Op == "text" {
			return o.Offset, false
		}
		return o.Shift, o.Shift == [3]float64{}
	case "trait":
		return o.Trait, o.Trait == ""
	case "param":
		return o.Param, o.Param == ""
	case "end_offset":
		return o.EndOffset, false
	case "text":
		return o.Text, o.Text == ""
	case "base_sha256":
		return o.BaseSHA256, o.BaseSHA256 == ""
	}
	return nil, true
}

func text(s string) trait.Value { return trait.Value{Kind: trait.Text, Str: s} }
