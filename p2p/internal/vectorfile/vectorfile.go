// Package vectorfile reads and writes published vectors of frames and records for
// tests, as crdt/internal/vectortest does for the core: a test makes its vectors
// anew, Golden compares them with the file (or writes it, with -update), and the
// test proves the code against the file.
package vectorfile

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/reason"
)

// Update is the flag -update: write the vectors anew.
var Update = flag.Bool("update", false, "write the vector files from what the code does now")

// Vector is one published case.
type Vector[In, Out any] struct {
	Name string      `json:"name"`
	In   In          `json:"in"`
	Out  *Out        `json:"out,omitempty"`
	Code reason.Code `json:"code,omitempty"`
	Rule string      `json:"rule"`
}

// Hex are bytes that stand as hex.
type Hex []byte

// MarshalText makes Hex a JSON string.
func (h Hex) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(h)), nil }

// UnmarshalText reads a JSON string of hex.
func (h *Hex) UnmarshalText(b []byte) error {
	raw, err := hex.DecodeString(string(b))
	*h = raw
	return err
}

// Golden compares made with the file of that name in the published vectors, seen
// from a package of p2p, and returns what the file contains.
func Golden[In, Out any](t testing.TB, name string, made []Vector[In, Out]) []Vector[In, Out] {
	t.Helper()
	var b bytes.Buffer
	b.WriteString("[\n")
	for i, v := range made {
		line, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(line)
		if i < len(made)-1 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString("]\n")
	file := path(name)
	if *Update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("%s is not what the tests make; a vector is added, never edited", name)
	}
	return Read[In, Out](t, name)
}

// Read reads a file of vectors.
func Read[In, Out any](t testing.TB, name string) (out []Vector[In, Out]) {
	t.Helper()
	raw, err := os.ReadFile(path(name))
	if err == nil {
		err = json.Unmarshal(raw, &out)
	}
	if err != nil || len(out) == 0 {
		t.Fatalf("%s: %d vectors, %v", name, len(out), err)
	}
	return out
}

func path(name string) string {
	return filepath.Join("..", "..", "crdt", "testdata", "vectors", filepath.FromSlash(name))
}

// Raw encodes as cbor.Encode does, but writes what that refuses, too.
func Raw(b []byte, v any) []byte {
	switch x := v.(type) {
	case cbor.Map:
		b = cbor.AppendMap(b, len(x))
		for _, k := range slices.SortedFunc(maps.Keys(x), func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) }) {
			b = Raw(cbor.AppendText(b, k), x[k])
		}
		return b
	case []any:
		b = cbor.AppendArray(b, len(x))
		for _, item := range x {
			b = Raw(b, item)
		}
		return b
	case string:
		return cbor.AppendText(b, x)
	}
	one, err := cbor.Encode(v)
	if err != nil {
		panic(err)
	}
	return append(b, one...)
}

// A Case is one body with a name, and the key it is about.
type Case struct {
	Name string
	Key  string
	Body cbor.Map
	Good bool
}

// Forms are what is wrong with a map in every way that its keys allow: each key
// absent (which is good for optional ones), of every other type, and one unknown.
func Forms(base cbor.Map, optional ...string) (out []Case) {
	out = append(out, Case{"as it should be", "", base, true}, Case{"an unknown key", "", With(base, "zzz", 1), false}, Case{"an unknown key before all", "", With(base, "", 1), false})
	others := map[string]any{"text": "x", "bytes": bytes.Repeat([]byte{1}, 16), "int": 1, "list": []any{}, "map": cbor.Map{}, "bool": true, "null": nil}
	for _, key := range slices.Sorted(maps.Keys(base)) {
		less := maps.Clone(base)
		delete(less, key)
		out = append(out, Case{"no " + key, key, less, slices.Contains(optional, key)}, Case{"an unknown key in place of " + key, "", With(less, "zzz", 1), false})
		for _, typ := range slices.Sorted(maps.Keys(others)) {
			if typ != typeOf(base[key]) {
				out = append(out, Case{key + " is " + typ, key, With(base, key, others[typ]), false})
			}
		}
	}
	return out
}

// With is m with another value of key.
func With(m cbor.Map, key string, v any) cbor.Map {
	out := maps.Clone(m)
	out[key] = v
	return out
}

func typeOf(v any) string {
	switch v.(type) {
	case string:
		return "text"
	case []byte:
		return "bytes"
	case []any:
		return "list"
	case cbor.Map:
		return "map"
	case bool:
		return "bool"
	}
	return "int"
}
