// Package vectortest reads and writes the published vectors for tests: files of
// {name, in, out or code} that another program can read too, with bytes as hex.
//
// A test makes its vectors anew and hands them to Golden, which compares them
// with the committed file (or writes it, with -update) and returns what the
// file says. The test then proves the code against the file and not against
// what it has just made. A vector is added, never edited.
package vectortest

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
)

var update = flag.Bool("update", false, "write the vectors anew")

// Vector is one published case.
type Vector[In, Out any] struct {
	Name string      `json:"name"`
	In   In          `json:"in"`
	Out  *Out        `json:"out,omitempty"`
	Code reason.Code `json:"code,omitempty"`
	Rule string      `json:"rule,omitempty"` // the number in SPEC.md of what it pins; files that are older have theirs in rules.json
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

// Change is a change as it travels: its head and its body, null for a stub.
type Change [2]*Hex

// Of is c as it travels.
func Of(c *change.Change) Change {
	head, body := Hex(c.RawHead), Hex(c.Body)
	if c.Body == nil {
		return Change{&head, nil}
	}
	return Change{&head, &body}
}

// Decode reads c. Its errors are those of change.Decode.
func (c Change) Decode() (*change.Change, error) {
	if c[0] == nil {
		return nil, fmt.Errorf("change without a head")
	}
	if c[1] == nil {
		return change.Decode(*c[0], nil)
	}
	body := []byte(*c[1])
	if body == nil {
		body = []byte{}
	}
	return change.Decode(*c[0], body)
}

// Golden compares made with the file at path below the vectors of this
// repository, seen from a package below crdt, and returns what the file contains.
func Golden[In, Out any](t testing.TB, path string, made []Vector[In, Out]) []Vector[In, Out] {
	t.Helper()
	var b bytes.Buffer
	b.WriteString("[\n")
	names := map[string]bool{}
	for i, v := range made {
		if names[v.Name] {
			t.Fatalf("two vectors are named %q", v.Name)
		}
		names[v.Name] = true
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
	file := filepath.Join("..", "testdata", "vectors", filepath.FromSlash(path))
	if *update {
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
		t.Errorf("%s is not what the tests make; a vector is added, never edited", path)
	}
	return Read[In, Out](t, path)
}

// Read reads the file at path, which must contain a vector at least.
func Read[In, Out any](t testing.TB, path string) []Vector[In, Out] {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "testdata", "vectors", filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	var out []Vector[In, Out]
	if err := d.Decode(&out); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if len(out) == 0 {
		t.Fatalf("%s holds no vectors", path)
	}
	return out
}
