package rest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/gateway/rest"
	"github.com/meshd/meshd/gateway/state"
)

// newKeeping is a public world that remembers replies.
func newKeeping(t *testing.T) *world {
	t.Helper()
	return newWorldWith(t, options{rest: rest.Config{Public: true, Keep: true}})
}

// TestKeptReplyIsOfThisMoment: a second is the longest that anything but the log
// can change unseen, and the log never is.
func TestKeptReplyIsOfThisMoment(t *testing.T) {
	t.Parallel()
	w := newKeeping(t)
	_, key := w.register("Ada", 1)
	w.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: key, body: `{"type":"gotcha","domain":"go","content":"The first lesson of this test, which somebody will take out of sight."}`})
	read := func() string { return string(w.get("/api/mesh/feed").raw) }
	before := read()
	w.mesh.Forget() // something local, that the log knows nothing of
	if read() != before {
		t.Fatal("nothing is kept, so this test tests nothing")
	}
	w.clock.Add(time.Second)
	after := read()
	if after == before {
		t.Error("a reply was kept for longer than a second")
	}
	r := w.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: key, body: `{"type":"gotcha","domain":"go","content":"` + lesson + `"}`})
	if r.StatusCode != 201 {
		t.Fatalf("%d %s", r.StatusCode, r.raw)
	}
	if got := read(); !strings.Contains(got, r.json["id"].(string)) {
		t.Errorf("what was just written is not in the feed: %s", got)
	}
}

// TestKeptRepliesAreApart asks as callers with different rights, each after the
// others, in every order.
func TestKeptRepliesAreApart(t *testing.T) {
	t.Parallel()
	w := newKeeping(t)
	ada, adaKey := w.register("Ada", 1)
	_, bobKey := w.register("Bob", 2)
	w.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: adaKey, body: `{"type":"gotcha","domain":"go","content":"` + lesson + `"}`})
	_, secret, err := w.state.CreateKey(t.Context(), state.NewKey{AgentID: ada, Scopes: state.Scopes{state.ScopeWrite}}, w.clock.Now())
	must(t, err)
	writeOnly := secret.Reveal()
	for _, order := range [][]string{{"", adaKey, writeOnly, bobKey}, {bobKey, writeOnly, adaKey, ""}, {writeOnly, "", bobKey, adaKey}} {
		w.clock.Add(2 * time.Second) // forget the round before
		for range 2 {
			for _, key := range order {
				r := w.do(apiCall{method: "GET", path: "/api/mesh/feed", key: key})
				reads := key == adaKey || key == bobKey
				if strings.Contains(string(r.raw), lesson) != reads {
					t.Errorf("key %.14q sees the text: %v", key, !reads)
				}
				if private := r.Header.Get("Cache-Control") == "private"; private != (key != "") {
					t.Errorf("key %.14q: Cache-Control %q", key, r.Header.Get("Cache-Control"))
				}
			}
		}
	}
	// A bad key gets what strangers get, and a warning each time.
	for range 2 {
		r := w.do(apiCall{method: "GET", path: "/api/mesh/feed", key: "mesh_sk_nonsense"})
		if strings.Contains(string(r.raw), lesson) || r.Header.Get("X-Auth-Warning") == "" {
			t.Errorf("a bad key: %v %s", r.Header, r.raw)
		}
	}
	// The owner's replies are never kept for others.
	w.clock.Add(2 * time.Second)
	w.do(apiCall{method: "GET", path: "/api/mesh/feed", owner: ada})
	if strings.Contains(string(w.get("/api/mesh/feed").raw), lesson) {
		t.Error("a stranger got the owner's reply")
	}
}

func TestKeptQuestionsAreApart(t *testing.T) {
	t.Parallel()
	w := newKeeping(t)
	_, key := w.register("Ada", 1)
	w.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: key, body: `{"type":"gotcha","domain":"go","content":"` + lesson + `"}`})
	for range 2 {
		for path, want := range map[string]string{
			"/api/mesh/feed?domain=go":   `"count":1`,
			"/api/mesh/feed?domain=rust": `"count":0`,
			"/api/mesh/feed?format=atom": `<feed`,
			"/api/mesh/directory":        `"agents"`,
			"/api/mesh/feed?limit=1000":  `"invalid_param"`,
		} {
			if r := w.get(path); !strings.Contains(string(r.raw), want) {
				t.Errorf("%s: %.300s", path, r.raw)
			}
		}
	}
	r := w.get("/api/mesh/feed")
	for range 2 {
		again := w.do(apiCall{method: "GET", path: "/api/mesh/feed", header: map[string]string{"If-None-Match": r.Header.Get("ETag")}})
		if again.StatusCode != 304 || again.Header.Get("ETag") != r.Header.Get("ETag") {
			t.Errorf("with the tag: %d %v", again.StatusCode, again.Header)
		}
	}
	if head := w.do(apiCall{method: "HEAD", path: "/api/mesh/feed"}); len(head.raw) != 0 || head.Header.Get("Content-Length") != r.Header.Get("Content-Length") {
		t.Errorf("HEAD: %d bytes, %v", len(head.raw), head.Header)
	}
}
