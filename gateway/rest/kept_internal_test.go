package rest

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/meshd/meshd/gateway/state"
)

func TestKeptIsBounded(t *testing.T) {
	t.Parallel()
	var k kept
	now := time.Unix(0, 0)
	body := make([]byte, 100<<10)
	for i := range 1000 {
		k.put(keptKey{path: "/", query: fmt.Sprint(i % 300)}, state.Reply{Status: http.StatusOK, Body: body}, 1, now)
		if k.bytes > maxKeptBytes {
			t.Fatalf("%d bytes kept", k.bytes)
		}
		held := 0
		for key, r := range k.replies {
			held += len(r.reply.Body) + len(key.query) + len(key.class) + keptOverhead
		}
		if held != k.bytes {
			t.Fatalf("%d bytes held, %d counted", held, k.bytes)
		}
	}
	k.put(keptKey{path: "/long"}, state.Reply{Status: http.StatusOK, Body: make([]byte, maxKeptReply)}, 1, now)
	k.put(keptKey{path: "/refused"}, state.Reply{Status: http.StatusNotFound}, 1, now)
	for _, path := range []string{"/long", "/refused"} {
		if _, ok := k.find(keptKey{path: path}, 1, now); ok {
			t.Errorf("%s was kept", path)
		}
	}
	k.put(keptKey{path: "/new"}, state.Reply{Status: http.StatusOK}, 2, now)
	k.put(keptKey{path: "/late"}, state.Reply{Status: http.StatusOK}, 1, now)
	if _, ok := k.find(keptKey{path: "/new"}, 2, now); !ok || len(k.replies) != 1 {
		t.Errorf("after the log grew: %v, %d replies", ok, len(k.replies))
	}
	if _, ok := k.find(keptKey{path: "/new"}, 3, now); ok {
		t.Error("a reply of an older log was found")
	}
}
