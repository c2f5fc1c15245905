// Package cddl reads the part of CDDL (RFC 8610) that docs/wire.cddl is written
// in and reports whether a decoded value fits one of its rules. It also makes the
// ways in which a map departs from its rule, so that tests check every decoder against
// what the file says. Start with Parse.
//
// The part: rules, choices, literals, ranges of integers, .size of byte and text
// strings, arrays and maps with occurrences, and `* tstr => type` for other keys.
// A Schema is immutable and safe for concurrent use.
package cddl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/cbor"
)

// Schema is a parsed file.
type Schema struct{ rules map[string]*node }

// node is a type. kind says which fields count.
type node struct {
	kind     kind
	name     string  // of a rule, of a simple type
	text     string  // literal
	from, to int64   // of a range; a literal integer is a range of one
	size     *node   // .size, a range
	parts    []*node // of a choice
	group    []entry // of an array or map
}

type kind int

const (
	byName kind = iota
	literal
	numbers
	choice
	array
	table
)

// entry is one member of a group.
type entry struct {
	key         string // "" for an item of an array, and for other keys of a map
	others      bool   // * tstr => type
	least, most int    // most below 0: no limit
	typ         *node
}

// Names are the rules of the file, sorted.
func (s *Schema) Names() []string {
	var out []string
	for name := range s.rules {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// Check returns nil when v, a value as package cbor decodes it, fits the rule.
func (s *Schema) Check(rule string, v any) error {
	n := s.rules[rule]
	if n == nil {
		return fmt.Errorf("no rule %q", rule)
	}
	return s.check(n, v)
}

func (s *Schema) check(n *node, v any) error {
	switch n.kind {
	case literal:
		if t, ok := v.(string); !ok || t != n.text {
			return fmt.Errorf("want %q", n.text)
		}
	case numbers:
		if i, ok := integer(v); !ok || i < n.from || i > n.to {
			return fmt.Errorf("want %d..%d", n.from, n.to)
		}
	case choice:
		for _, p := range n.parts {
			if s.check(p, v) == nil {
				return nil
			}
		}
		return fmt.Errorf("none of %d choices", len(n.parts))
	case array:
		return s.checkArray(n, v)
	case table:
		return s.checkMap(n, v)
	default:
		return s.checkName(n, v)
	}
	return nil
}

func (s *Schema) checkName(n *node, v any) error {
	if r := s.rules[n.name]; r != nil {
		return s.check(r, v)
	}
	size, ok := -1, false
	switch n.name {
	case "any":
		ok = true
	case "bool":
		_, ok = v.(bool)
	case "null":
		ok = v == nil
	case "bstr":
		var b []byte
		b, ok = v.([]byte)
		size = len(b)
	case "tstr":
		var t string
		t, ok = v.(string)
		size = len(t)
	default:
		return fmt.Errorf("no rule %q", n.name)
	}
	if !ok {
		return fmt.Errorf("want %s", n.name)
	}
	if n.size != nil && (int64(size) < n.size.from || int64(size) > n.size.to) {
		return fmt.Errorf("%d bytes, want %d..%d", size, n.size.from, n.size.to)
	}
	return nil
}

func integer(v any) (int64, bool) {
	switch i := v.(type) {
	case int64:
		return i, true
	case int:
		return int64(i), true
	}
	return 0, false
}

// checkArray matches items to entries one after the other, each taking as many as
// it may: the arrays of the wire need no more.
func (s *Schema) checkArray(n *node, v any) error {
	items, ok := v.([]any)
	if !ok {
		return fmt.Errorf("want an array")
	}
	for _, e := range n.group {
		took := 0
		for len(items) > 0 && (e.most < 0 || took < e.most) && s.check(e.typ, items[0]) == nil {
			items, took = items[1:], took+1
		}
		if took < e.least {
			return fmt.Errorf("%d items that fit, want %d", took, e.least)
		}
	}
	if len(items) > 0 {
		return fmt.Errorf("%d items too many, or that do not fit", len(items))
	}
	return nil
}

func (s *Schema) checkMap(n *node, v any) error {
	m, ok := v.(cbor.Map)
	if !ok {
		return fmt.Errorf("want a map")
	}
	known := map[string]bool{}
	var others *entry
	for i, e := range n.group {
		if e.others {
			others = &n.group[i]
			continue
		}
		known[e.key] = true
		value, there := m[e.key]
		if !there {
			if e.least > 0 {
				return fmt.Errorf("no %s", e.key)
			}
			continue
		}
		if err := s.check(e.typ, value); err != nil {
			return fmt.Errorf("%s: %w", e.key, err)
		}
	}
	rest := 0
	for key, value := range m {
		if known[key] {
			continue
		}
		if rest++; others == nil {
			return fmt.Errorf("unknown key %q", key)
		}
		if err := s.check(others.typ, value); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	if others != nil && rest < others.least {
		return fmt.Errorf("%d other keys, want %d", rest, others.least)
	}
	return nil
}

// A Breach is a map that departs from a rule in one thing.
type Breach struct {
	What  string
	Value cbor.Map
}

// Breaches are the ways in which good, a map that fits the rule, departs from it:
// each required key left out, each key with values that its type does not take,
// and, where the rule is closed, one key more.
func (s *Schema) Breaches(rule string, good cbor.Map) ([]Breach, error) {
	if err := s.Check(rule, good); err != nil {
		return nil, fmt.Errorf("%s: what should fit does not: %w", rule, err)
	}
	n := s.rules[rule]
	if n.kind != table {
		return nil, fmt.Errorf("%s is no map", rule)
	}
	var out []Breach
	add := func(what string, key string, v any, drop bool) {
		m := cbor.Map{}
		for k, old := range good {
			m[k] = old
		}
		if m[key] = v; drop {
			delete(m, key)
		}
		if s.Check(rule, m) != nil {
			out = append(out, Breach{what, m})
		}
	}
	for _, e := range n.group {
		if e.others {
			continue
		}
		add("no "+e.key, e.key, nil, true)
		for _, p := range append(probes(), s.beyond(e.typ)...) {
			add(fmt.Sprintf("%s is %s", e.key, p.what), e.key, p.value, false)
		}
	}
	add("a key more", "zzzzzzzz", int64(1), false)
	return out, nil
}

type probe struct {
	what  string
	value any
}

// probes are values of every type and of the sizes that the wire knows.
func probes() []probe {
	out := []probe{
		{"null", nil}, {"true", true}, {"an empty list", []any{}}, {"a list of null", []any{nil}}, {"an empty map", cbor.Map{}}, {"a map of null", cbor.Map{"x": nil}},
		{"empty text", ""}, {"a text", "x"}, {"-1", int64(-1)}, {"-2", int64(-2)}, {"0", int64(0)}, {"2", int64(2)}, {"2^53-1", int64(cbor.MaxInt)},
	}
	for _, n := range []int{0, 1, 15, 16, 17, 31, 32, 33, 34, 35, 63, 64, 65} {
		out = append(out, probe{fmt.Sprintf("%d bytes", n), []byte(strings.Repeat("\x01", n))})
	}
	return out
}

// beyond are values just outside of the limits of a type.
func (s *Schema) beyond(n *node) (out []probe) {
	switch n.kind {
	case choice:
		for _, p := range n.parts {
			out = append(out, s.beyond(p)...)
		}
	case numbers:
		out = append(out, probe{fmt.Sprint(n.from - 1), n.from - 1})
		if n.to < cbor.MaxInt {
			out = append(out, probe{fmt.Sprint(n.to + 1), n.to + 1})
		}
	case array:
		for _, e := range n.group {
			if e.most < 0 || len(n.group) > 1 {
				continue
			}
			for _, p := range probes() {
				out = append(out, probe{"a list of " + p.what, []any{p.value}})
			}
			for _, p := range s.beyond(e.typ) {
				out = append(out, probe{"a list of " + p.what, []any{p.value}})
			}
		}
	case byName:
		if r := s.rules[n.name]; r != nil {
			return s.beyond(r)
		}
		if n.size == nil {
			return nil
		}
		for _, size := range []int64{n.size.from - 1, n.size.to + 1} {
			switch {
			case size < 0:
			case n.name == "bstr":
				out = append(out, probe{fmt.Sprintf("%d bytes", size), []byte(strings.Repeat("\x01", int(size)))})
			default:
				out = append(out, probe{fmt.Sprintf("text of %d bytes", size), strings.Repeat("x", int(size))})
			}
		}
	}
	return out
}
