package language

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meshd/meshd/cmd/meshd/session"
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
	p := &session.Session{In: strings.NewReader(in), Out: &out, Err: &errs}
	if err := serveEditor(t.Context(), p); err != nil {
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

// What is found behind a change is published when the editor is silent, without being
// asked; what waits when the editor goes is published too.
func TestEditorPauses(t *testing.T) {
	t.Parallel()
	const change = `{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"x:a.holo","version":2},"contentChanges":[{"text":"object \"A\" { x: }"}]}}`
	begin := []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`,
		`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"x:a.holo","languageId":"holo","version":1,"text":""}}}`,
		change,
	}
	found := func(r *bufio.Reader) {
		t.Helper()
		for {
			m, err := readFrame(r)
			if err != nil {
				t.Fatalf("no findings: %v", err)
			}
			if strings.Contains(string(m), `"version":2`) && strings.Contains(string(m), "SYN008") {
				return
			}
		}
	}
	typed, in := io.Pipe()
	shown, out := io.Pipe()
	p := &session.Session{In: typed, Out: out, Err: io.Discard}
	ended := make(chan error, 1)
	go func() {
		ended <- serveEditor(t.Context(), p)
		_ = out.Close()
	}()
	written := make(chan error, 1)
	go func() {
		_, err := io.WriteString(in, framed(begin...))
		written <- err
	}()
	r := bufio.NewReader(shown)
	found(r)
	if err := <-written; err != nil {
		t.Fatal(err)
	}
	_ = in.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}

	var all bytes.Buffer
	p = &session.Session{In: strings.NewReader(framed(begin...)), Out: &all, Err: io.Discard}
	if err := serveEditor(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	found(bufio.NewReader(&all))
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
		p := &session.Session{In: strings.NewReader(in), Out: &out, Err: &errs}
		err := serveEditor(context.Background(), p)
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
	p := &session.Session{In: strings.NewReader(framed(`{"jsonrpc":"2.0","method":"exit"}`)), Out: &out, Err: &errs}
	if err := serveEditor(context.Background(), p); err == nil {
		t.Error("an editor that leaves without a shutdown is no fault")
	}
}
