package mcp

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/meshd/meshd/gateway/service/servicetest"
)

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
