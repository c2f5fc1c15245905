package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// framed is a session as an editor writes it.
func framed(messages ...string) string {
	var b strings.Builder
	for _, m := range messages {
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(m), m)
	}
	return b.String()
}

func TestEditorSession(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "num.hsplus"), []byte("export function half(n: number): number { return n / 2 }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "far.hsplus"), []byte("export let far = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(outside, "far.hsplus"), filepath.Join(dir, "far.hsplus")); err != nil {
		t.Fatal(err)
	}
	root := "file://" + filepath.ToSlash(dir)
	in := framed(
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"rootUri":"`+root+`"}}`,
		`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"`+root+`/a.hsplus","languageId":"hsplus","version":1,`+
			`"text":"import { hlaf } from \"./num\"\nimport { far } from \"./far\"\nlet a = far\n"}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`,
		`{"jsonrpc":"2.0","method":"exit"}`)
	var out, errs bytes.Buffer
	p := &program{in: strings.NewReader(in), out: &out, err: &errs}
	if err := p.serveEditor(t.Context()); err != nil {
		t.Fatal(err)
	}
	var got []string
	r := bufio.NewReader(&out)
	for {
		m, err := readFrame(r)
		if err != nil {
			break
		}
		got = append(got, string(m))
	}
	if len(got) != 3 || !strings.Contains(got[0], `"capabilities"`) || !strings.Contains(got[2], `"result":null`) {
		t.Fatalf("%q", got)
	}
	if !strings.Contains(got[1], "Did you mean 'half'?") || !strings.Contains(got[1], "'./far' was not found") {
		t.Errorf("%s", got[1])
	}
}

func TestEditorFrames(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                                    "",
		"Content-Length: 2\r\n\r\n{}":         "without a shutdown|",
		"Content-Length: x\r\n\r\n":           "not one of a message",
		"Content-Length: 99999999999\r\n\r\n": "not one of a message",
		"Content-Length: -1\r\n\r\n":          "not one of a message",
		"Accept: x\r\n\r\n":                   "no Content-Length",
		"Content-Length: 5\r\n\r\n{}":         "unexpected EOF",
		"Content-Length: 5":                   "unexpected EOF",
		strings.Repeat("x", 70_000):           "buffer full",
	} {
		var out, errs bytes.Buffer
		p := &program{in: strings.NewReader(in), out: &out, err: &errs}
		err := p.serveEditor(context.Background())
		switch {
		case want == "" || strings.HasSuffix(want, "|"):
			if err != nil {
				t.Errorf("%.40q: %v", in, err)
			}
		case err == nil || !strings.Contains(err.Error(), want):
			t.Errorf("%.40q: %v", in, err)
		}
	}
	var out, errs bytes.Buffer
	p := &program{in: strings.NewReader(framed(`{"jsonrpc":"2.0","method":"exit"}`)), out: &out, err: &errs}
	if err := p.serveEditor(context.Background()); err == nil {
		t.Error("an editor that leaves without a shutdown is no fault")
	}
}
