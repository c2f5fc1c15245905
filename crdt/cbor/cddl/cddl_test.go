package cddl_test

import (
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/cbor/cddl"
)

const sample = `
; words
id   = bstr .size 2
name = tstr .size (1..3)
r = { a: id, ? b: name / null, c: [0*2 1..5], d: "x" / "y", * tstr => bool } ; open
closed = { p: [nint: -1..1, id] }
`

func TestCheck(t *testing.T) {
	t.Parallel()
	s, err := cddl.Parse(sample)
	if err != nil {
		t.Fatal(err)
	}
	good := func() cbor.Map {
		return cbor.Map{"a": []byte{1, 2}, "b": "abc", "c": []any{int64(1), int64(5)}, "d": "y", "z": true}
	}
	for what, c := range map[string]struct {
		rule string
		v    any
		ok   bool
	}{
		"as it should be":          {"r", good(), true},
		"without what may be gone": {"r", cbor.Map{"a": []byte{1, 2}, "c": []any{}, "d": "x"}, true},
		"null of a choice":         {"r", put(good(), "b", nil), true},
		"no a":                     {"r", cbor.Map{"c": []any{}, "d": "x"}, false},
		"a too long":               {"r", put(good(), "a", []byte{1, 2, 3}), false},
		"b too long":               {"r", put(good(), "b", "abcd"), false},
		"b empty":                  {"r", put(good(), "b", ""), false},
		"c of three":               {"r", put(good(), "c", []any{int64(1), int64(1), int64(1)}), false},
		"c of 6":                   {"r", put(good(), "c", []any{int64(6)}), false},
		"d of another word":        {"r", put(good(), "d", "z"), false},
		"another key of the type":  {"r", put(good(), "y", false), true},
		"another key of none":      {"r", put(good(), "y", "no"), false},
		"no map":                   {"r", "x", false},
		"closed":                   {"closed", cbor.Map{"p": []any{int64(-1), []byte{1, 2}}}, true},
		"closed with a key more":   {"closed", cbor.Map{"p": []any{int64(-1), []byte{1, 2}}, "q": true}, false},
		"closed, one part":         {"closed", cbor.Map{"p": []any{int64(-1)}}, false},
		"no such rule":             {"zeta", nil, false},
	} {
		if err := s.Check(c.rule, c.v); (err == nil) != c.ok {
			t.Errorf("%s: %v", what, err)
		}
	}
	breaches, err := s.Breaches("r", good())
	if err != nil || len(breaches) < 40 {
		t.Fatalf("%d breaches, %v", len(breaches), err)
	}
	if _, err := s.Breaches("r", cbor.Map{}); err == nil {
		t.Error("breaches of what does not fit")
	}
}

func put(m cbor.Map, key string, v any) cbor.Map { m[key] = v; return m }

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"a", "a =", "a = {", "a = [1", "a = b\na = c", "a = #6.24", "a = bstr .size x", "a = {1*x b: c}", "a = {* bstr => any}"} {
		if _, err := cddl.Parse(text); err == nil {
			t.Errorf("read %q", strings.ReplaceAll(text, "\n", " "))
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Fuzz(func(t *testing.T, text string) {
		if s, err := cddl.Parse(text); err == nil && s == nil {
			t.Fatal("neither rules nor an error")
		}
	})
}
