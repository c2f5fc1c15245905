package doc

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/reason"
)

var update = flag.Bool("update", false, "write the vectors anew")

const vectorDir = "../testdata/vectors/doc"

// vector is one published case: bytes as hex, and what comes of them.
type vector struct {
	Name string      `json:"name"`
	In   any         `json:"in"`
	Out  any         `json:"out,omitempty"`
	Code reason.Code `json:"code,omitempty"`
}

// checkVectors compares vectors with the committed file, or writes it.
func checkVectors(t *testing.T, name string, vectors []vector) {
	t.Helper()
	var b bytes.Buffer
	b.WriteString("[\n")
	for i, v := range vectors {
		line, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(line)
		if i < len(vectors)-1 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString("]\n")
	path := filepath.Join(vectorDir, name)
	if *update {
		if err := os.MkdirAll(vectorDir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("%s is not what the tests make; a vector is added, never edited", path)
	}
}

type chunkOut struct {
	Hash    string   `json:"hash"`
	Actor   string   `json:"actor"`
	Seq     uint64   `json:"seq"`
	StartOp uint64   `json:"start_op"`
	Ops     uint64   `json:"ops"`
	Deps    []string `json:"deps"`
	Text    uint64   `json:"text"`
}

func TestAcceptedChunks(t *testing.T) {
	t.Parallel()
	var vectors []vector
	for _, a := range acceptedChunks() {
		c, err := DecodeChunk(a.chunk)
		if err != nil {
			t.Errorf("%s: %v", a.name, err)
			continue
		}
		out := chunkOut{
			Hash: hex.EncodeToString(c.Hash[:]), Actor: hex.EncodeToString(c.Actor[:]),
			Seq: c.Seq, StartOp: c.StartOp, Ops: c.Ops, Deps: []string{}, Text: c.Text,
		}
		for _, d := range c.Deps {
			out.Deps = append(out.Deps, hex.EncodeToString(d[:]))
		}
		vectors = append(vectors, vector{Name: a.name, In: hex.EncodeToString(a.chunk), Out: out})
	}
	checkVectors(t, "accepted.json", vectors)
}

func TestRefusedChunks(t *testing.T) {
	t.Parallel()
	var vectors []vector
	seen := map[string]string{}
	for _, r := range refusedChunks() {
		_, err := DecodeChunk(r.chunk)
		var refusal *reason.Refusal
		if !errors.As(err, &refusal) || refusal.Code != reason.BadEncoding || !strings.Contains(refusal.Text, r.text) {
			t.Errorf("%s: got %v, want bad_encoding: …%s…", r.name, err, r.text)
			continue
		}
		if other := seen[string(r.chunk)]; other != "" {
			t.Errorf("%s is the same chunk as %s", r.name, other)
		}
		seen[string(r.chunk)] = r.name
		vectors = append(vectors, vector{Name: r.name, In: hex.EncodeToString(r.chunk), Code: refusal.Code})
	}
	checkVectors(t, "refused.json", vectors)
}
