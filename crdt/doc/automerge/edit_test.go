//go:build cgo && (linux || darwin) && (amd64 || arm64)

package automerge

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/doc/internal/chunktest"
)

func TestEditAndMaterialise(t *testing.T) {
	t.Parallel()
	e := newEngine(t, Config{})
	first := mustEdit(t, e, nil, alice,
		doc.Field{Key: "theme", Value: map[string]any{"color": "#fff", "gradient": []any{"#000", "#111"}}},
		doc.Field{Key: "bio", Value: "hé"},
		doc.Field{Key: "empty", Value: ""},
		doc.Field{Key: "none", Value: []byte{}},
		doc.Field{Key: "show", Value: true},
		doc.Field{Key: "n", Value: 7},
		doc.Field{Key: "low", Value: int64(-1 << 63)},
		doc.Field{Key: "raw", Value: []byte{0, 255}},
		doc.Field{Key: "body", Value: doc.Text("live")},
		doc.Field{Key: "links", Value: []any{map[string]any{"url": "https://a.example", "label": "a"}, []any{nil, false}}},
	)
	want := map[string]any{
		"theme": map[string]any{"color": "#fff", "gradient": []any{"#000", "#111"}},
		"bio":   "hé", "empty": "", "none": []byte{}, "show": true, "n": int64(7), "low": int64(-1 << 63), "raw": []byte{0, 255}, "body": "live",
		"links": []any{map[string]any{"url": "https://a.example", "label": "a"}, []any{nil, false}},
	}
	s := mustState(t, e, first)
	if !reflect.DeepEqual(s.Root, want) {
		t.Errorf("state\n%#v, want\n%#v", s.Root, want)
	}
	if len(s.Heads) != 1 || s.Heads[0] != chunktest.Hash(first) {
		t.Errorf("heads %x", s.Heads)
	}

	second := mustEdit(t, e, [][]byte{first}, bob,
		doc.Field{Key: "bio"}, doc.Field{Key: "absent"}, doc.Field{Key: "theme", Value: "#fff"}, doc.Field{Key: "body", Value: doc.Text("alive!")})
	delete(want, "bio")
	want["theme"], want["body"] = "#fff", "alive!"
	if s := mustState(t, e, first, second); !reflect.DeepEqual(s.Root, want) {
		t.Errorf("state after the second edit\n%#v, want\n%#v", s.Root, want)
	}
}

func TestEmptyDocument(t *testing.T) {
	t.Parallel()
	e := newEngine(t, Config{})
	s := mustState(t, e)
	if s.Root == nil || len(s.Root) != 0 || len(s.Heads) != 0 {
		t.Errorf("got %#v", s)
	}
}

func TestEditIsDeterministic(t *testing.T) {
	t.Parallel()
	e := newEngine(t, Config{})
	value := map[string]any{}
	for i := range 20 {
		value[fmt.Sprint(i)] = map[string]any{"a": i, "b": "x"}
	}
	one := mustEdit(t, e, nil, alice, doc.Field{Key: "m", Value: value}, doc.Field{Key: "a", Value: 1})
	two := mustEdit(t, e, nil, alice, doc.Field{Key: "a", Value: 1}, doc.Field{Key: "m", Value: value})
	if !bytes.Equal(one, two) {
		t.Errorf("two spellings of one edit:\n%x\n%x", one, two)
	}
}

func TestEditWithoutChange(t *testing.T) {
	t.Parallel()
	e := newEngine(t, Config{})
	set := []doc.Field{
		{Key: "bio", Value: "x"}, {Key: "links", Value: []any{map[string]any{"n": 1, "url": "u"}}}, {Key: "text", Value: doc.Text("t")},
	}
	first := mustEdit(t, e, nil, alice, set...)
	for _, again := range [][]doc.Field{set, {{Key: "absent"}}, {}} {
		if _, err := e.Edit(t.Context(), doc.EditRequest{History: [][]byte{first}, Actor: alice, Set: again}); !errors.Is(err, doc.ErrNoChange) {
			t.Errorf("%v: got %v", again, err)
		}
	}
}

func TestConcurrentLiveTextEditsMerge(t *testing.T) {
	t.Parallel()
	e := newEngine(t, Config{})
	base := mustEdit(t, e, nil, alice, doc.Field{Key: "s", Value: doc.Text("one two")})
	a := mustEdit(t, e, [][]byte{base}, alice, doc.Field{Key: "s", Value: doc.Text("ONE two")})
	b := mustEdit(t, e, [][]byte{base}, bob, doc.Field{Key: "s", Value: doc.Text("one two 🧟")})
	ab, ba := mustState(t, e, base, a, b), mustState(t, e, base, b, a)
	if ab.Root["s"] != "ONE two 🧟" || !reflect.DeepEqual(ab, ba) {
		t.Errorf("got %v and %v", ab, ba)
	}
}

func TestEditRefusesValuesOutsideTheModel(t *testing.T) {
	t.Parallel()
	e := newEngine(t, Config{})
	deep := any("x")
	for range maxDepth + 1 {
		deep = []any{deep}
	}
	for name, f := range map[string]doc.Field{
		"float":     {Key: "a", Value: 1.5},
		"struct":    {Key: "a", Value: struct{}{}},
		"utf8":      {Key: "a", Value: "\xff"},
		"text utf8": {Key: "a", Value: doc.Text("\xff")},
		"key utf8":  {Key: "\xff", Value: 1},
		"no key":    {Value: 1},
		"long key":  {Key: strings.Repeat("k", doc.MaxKey+1), Value: 1},
		"inner key": {Key: "a", Value: map[string]any{"": 1}},
		"deep":      {Key: "a", Value: deep},
	} {
		if _, err := e.Edit(t.Context(), doc.EditRequest{Actor: alice, Set: []doc.Field{f}}); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	twice := []doc.Field{{Key: "a", Value: 1}, {Key: "a", Value: 2}}
	if _, err := e.Edit(t.Context(), doc.EditRequest{Actor: alice, Set: twice}); err == nil {
		t.Error("key set twice: accepted")
	}
}
