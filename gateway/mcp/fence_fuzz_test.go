package mcp

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/meshd/meshd/gateway/service/servicetest"
)

// FuzzFence: no text gets out of its block, and none is changed but for its line
// ends.
func FuzzFence(f *testing.F) {
	f.Add("plain")
	f.Add("```\nout")
	f.Add("a ```` b\r\n`````\rc\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		got := fenced("untrusted", text)
		lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
		fence, ok := strings.CutSuffix(lines[0], "untrusted")
		if !ok || len(fence) < 3 || strings.Trim(fence, "`") != "" || lines[len(lines)-1] != fence {
			t.Fatalf("%q", got)
		}
		inside := lines[1 : len(lines)-1]
		for _, l := range inside {
			if strings.Contains(l, fence) || strings.Contains(l, "\r") {
				t.Fatalf("%q closes the block of %q", l, text)
			}
		}
		same := strings.TrimRight(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
		if strings.Join(inside, "\n") != same {
			t.Fatalf("%q became %q", text, inside)
		}
	})
}

// FuzzState: no text but one that was sealed for this call is a state.
func FuzzState(f *testing.F) {
	s := &states{}
	bound := make([]byte, 32)
	good := s.seal(1, bound, servicetest.Start)
	f.Add(good)
	f.Add(good[:40])
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		var round int
		if s.open(text, bound, servicetest.Start, &round) == nil && (text != good || round != 1) {
			t.Fatalf("%q is a state of round %d", text, round)
		}
	})
}

// FuzzExchange: whatever a message is, an answer that is put in the library's
// place is one line of JSON-RPC.
func FuzzExchange(f *testing.F) {
	silent := &Server{log: slog.New(slog.DiscardHandler)}
	f.Add(`{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{"_meta":{"progressToken":"a\nb"}}}`)
	f.Add(`{"id":{"a":[1]},"result":null}`)
	f.Add(`{"method":7}`)
	f.Fuzz(func(t *testing.T, message string) {
		x := readExchange([]byte(message))
		if len(x.token) > maxToken {
			t.Fatalf("a token of %d bytes", len(x.token))
		}
		_ = silent.refuse(withExchange(t.Context(), x), errState, "mesh://x")
		if out := x.answer(nil); !isMessage(out) || strings.Contains(string(out), "\n") {
			t.Fatalf("%q is answered by %q", message, out)
		}
	})
}
