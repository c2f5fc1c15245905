package rest_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/rest"
	"github.com/meshd/meshd/node/events"
)

// live is a world behind a real listener, whose events are published.
type live struct {
	*world
	server *httptest.Server
}

func newLive(t *testing.T) *live {
	t.Helper()
	return liveOver(t, newWorldWith(t, options{limits: limit.Config{Disabled: true}}))
}

// liveOver puts a world behind a real listener.
func liveOver(t *testing.T, w *world) *live {
	t.Helper()
	l := &live{world: w}
	l.server = httptest.NewServer(l.handler)
	j := l.service.Streams.Journal()
	must(t, j.Load(t.Context()))
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := j.Serve(ctx); err != nil {
			t.Error(err)
		}
	}()
	t.Cleanup(func() {
		j.Drain()
		l.handler.(*rest.Handler).Drain()
		cancel()
		<-done
		l.server.Close()
	})
	return l
}

// sse is one server-sent event.
type sse struct {
	id, kind, raw string
	data          map[string]any
}

// reader reads a stream of events.
type reader struct {
	t    testing.TB
	resp *http.Response
	in   *bufio.Scanner
}

func (l *live) stream(path, key string, header map[string]string) *reader {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.t.Context(), 2*time.Minute)
	l.t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, l.server.URL+path, nil)
	must(l.t, err)
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	for k, v := range header {
		r.Header.Set(k, v)
	}
	resp, err := http.DefaultClient.Do(r)
	must(l.t, err)
	l.t.Cleanup(func() { _ = resp.Body.Close() })
	return &reader{l.t, resp, bufio.NewScanner(resp.Body)}
}

// next is the next event, its kind "" when the stream has ended.
func (r *reader) next() (e sse) {
	r.t.Helper()
	for r.in.Scan() {
		switch name, value, _ := strings.Cut(r.in.Text(), ": "); name {
		case "id":
			e.id = value
		case "event":
			e.kind = value
		case "data":
			e.raw = value
			if err := json.Unmarshal([]byte(value), &e.data); err != nil {
				r.t.Fatalf("%v in %q", err, value)
			}
		case "":
			if e.kind != "" {
				return e
			}
		}
	}
	return e
}

func (r *reader) want(kind string) sse {
	r.t.Helper()
	e := r.next()
	if e.kind != kind {
		r.t.Fatalf("event %+v, want %s", e, kind)
	}
	return e
}

func TestStreamOfEvents(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	agent, key := l.register("Ada", 1)
	anon, known := l.stream("/api/mesh/events?kinds=entry.*", "", nil), l.stream("/api/mesh/events?kinds=entry.*,tier.changed", key, nil)
	if anon.resp.StatusCode != 200 || anon.resp.Header.Get("Content-Type") != "text/event-stream" || anon.resp.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %v", anon.resp.StatusCode, anon.resp.Header)
	}
	hello := anon.want("hello")
	known.want("hello")
	if hello.data["heartbeat_s"] != 15.0 || hello.data["seq"].(float64) < 1 || hello.id == "" {
		t.Errorf("hello %+v", hello)
	}
	put := contribution("first")
	put["title"] = "A title for holders of a key"
	id := l.want(l.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: key, body: encode(t, put)}), 201, "").json["id"].(string)
	masked, full := anon.want("entry.created"), known.want("entry.created")
	if masked.id != full.id || masked.data["object"] != id || full.data["object"] != id {
		t.Errorf("%+v\n%+v", masked, full)
	}
	for _, hidden := range []string{"title for", "Ada", agent, "leaked body"} {
		if strings.Contains(masked.raw, hidden) {
			t.Errorf("an anonymous reader sees %q in %s", hidden, masked.raw)
		}
	}
	for _, shown := range []string{"title for", `"author":"Ada"`, agent} {
		if !strings.Contains(full.raw, shown) {
			t.Errorf("%q is not in %s", shown, full.raw)
		}
	}
	// Comes back after the first, by header and by query.
	l.want(l.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: key, body: encode(t, contribution("second"))}), 201, "")
	second := anon.want("entry.created")
	for _, back := range []*reader{
		l.stream("/api/mesh/events", "", map[string]string{"Last-Event-ID": masked.id}), l.stream("/api/mesh/events?since="+masked.id, "", nil),
		l.stream("/api/mesh/events?last_event_id="+masked.id+"&since=0", "", nil),
	} {
		if e := back.want("hello"); e.id != masked.id {
			t.Errorf("hello moves the place to %s", e.id)
		}
		if e := back.want("entry.created"); e.id != second.id {
			t.Errorf("came back to %+v", e)
		}
	}
	lost := l.stream("/api/mesh/events", "", map[string]string{"Last-Event-ID": "99"})
	lost.want("hello")
	if e := lost.want("reset"); e.data["from"] != "99" || e.data["resync"] != "GET /api/mesh/feed" || e.id != second.id {
		t.Errorf("reset %+v", e)
	}
	tail := l.stream("/api/mesh/events?tail=1", "", nil)
	tail.want("hello")
	if e := tail.want("entry.created"); e.id != second.id {
		t.Errorf("tail %+v", e)
	}
}

func TestOwnStreamIsNobodyElses(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	_, ada := l.register("Ada", 1)
	_, bob := l.register("Bob", 2)
	l.want(l.get("/api/mesh/me/events"), 401, "auth_required")
	a, b, public := l.stream("/api/mesh/me/events", ada, nil), l.stream("/api/mesh/me/events", bob, nil), l.stream("/api/mesh/events", ada, nil)
	for _, r := range []*reader{a, b, public} {
		r.want("hello")
	}
	made := func(key string) {
		t.Helper()
		l.want(l.do(apiCall{method: "POST", path: "/api/mesh/keys", key: key, body: `{"label":"x","scopes":["mesh:read"]}`}), 201, "")
	}
	made(ada)
	if e := a.want("key.created"); e.data["data"].(map[string]any)["key_id"] == "" {
		t.Errorf("%+v", e)
	}
	made(bob)
	b.want("key.created") // Bob's first event is his own
	l.planted(l.mesh.AddAgent("Carl"), lesson)
	public.want("entry.created") // and the public received neither
}

func TestRevokedKeyEndsItsStream(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	_, key := l.register("Ada", 1)
	second := l.want(l.do(apiCall{method: "POST", path: "/api/mesh/keys", key: key, body: `{"label":"second","scopes":["mesh:read"]}`}), 201, "").json
	r := l.stream("/api/mesh/events", second["api_key"].(string), nil)
	r.want("hello")
	l.want(l.do(apiCall{method: "DELETE", path: "/api/mesh/keys/" + second["key"].(map[string]any)["id"].(string), key: key}), 200, "")
	if e := r.want("bye"); e.data["code"] != "key_revoked" || e.id != "" {
		t.Errorf("bye %+v", e)
	}
	if e := r.next(); e.kind != "" {
		t.Errorf("after bye came %+v", e)
	}
}

func TestStreamRefusals(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	_, key := l.register("Ada", 1)
	for _, c := range []struct {
		call   apiCall
		status int
		code   string
	}{
		{apiCall{path: "/api/mesh/events?kinds=weather.*"}, 400, "invalid_param"},
		{apiCall{path: "/api/mesh/events?kinds="}, 400, "invalid_param"},
		{apiCall{path: "/api/mesh/events?tail=51"}, 400, "invalid_param"},
		{apiCall{path: "/api/mesh/events?tail=-1"}, 400, "invalid_param"},
		{apiCall{path: "/api/mesh/events?domain=" + strings.Repeat("x", 65)}, 400, "invalid_param"},
		{apiCall{path: "/api/mesh/events?api_key=" + key}, 400, "credential_in_url"},
		{apiCall{path: "/api/mesh/events?ticket=" + key}, 400, "credential_in_url"},
		{apiCall{path: "/api/mesh/events?ticket=unknown"}, 401, "invalid_token"},
		{apiCall{path: "/api/mesh/events?ticket=unknown", key: key}, 400, "ambiguous_credentials"},
		{apiCall{path: "/api/mesh/team/gld_x/events"}, 401, "auth_required"},
		{apiCall{path: "/api/mesh/team/gld_x/room/live", key: key}, 404, "team_not_found"},
		{apiCall{method: "POST", path: "/api/mesh/events/ticket"}, 401, "auth_required"},
		{apiCall{method: "POST", path: "/api/mesh/events"}, 405, "method_not_allowed"},
	} {
		if c.call.method == "" {
			c.call.method = "GET"
		}
		l.want(l.do(c.call), c.status, c.code)
	}
	if r := l.do(apiCall{method: "HEAD", path: "/api/mesh/events"}); r.StatusCode != 200 || r.Header.Get("Content-Type") != "text/event-stream" {
		t.Errorf("HEAD %d %v", r.StatusCode, r.Header)
	}
}

func TestTicketOpensOneStream(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	agent, key := l.register("Ada", 1)
	r := l.want(l.do(apiCall{method: "POST", path: "/api/mesh/events/ticket", key: key}), 200, "")
	path := "/api/mesh/me/events?ticket=" + r.json["ticket"].(string)
	own := l.stream(path, "", nil)
	own.want("hello")
	l.want(l.get(path), 401, "invalid_token")
	l.mesh.Events().Publish(events.Event{Kind: events.KeyCreated, Object: agent, Data: events.APIKey{ID: "key_x"}})
	own.want("key.created")
	r = l.want(l.do(apiCall{method: "POST", path: "/api/mesh/events/ticket", key: key}), 200, "")
	l.clock.Add(time.Minute)
	l.want(l.get("/api/mesh/me/events?ticket="+r.json["ticket"].(string)), 401, "invalid_token")
}

func TestStreamsOfAnAddressAreLimited(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	for range 20 {
		l.stream("/api/mesh/events", "", nil).want("hello")
	}
	r := l.stream("/api/mesh/events", "", nil)
	if r.resp.StatusCode != http.StatusTooManyRequests || r.resp.Header.Get("Retry-After") != "30" {
		t.Errorf("the 21st: %d, %v", r.resp.StatusCode, r.resp.Header)
	}
}

func TestDrainSaysBye(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	r := l.stream("/api/mesh/events", "", nil)
	r.want("hello")
	l.planted(l.mesh.AddAgent("Carl"), lesson)
	r.want("entry.created")
	l.service.Streams.Journal().Drain()
	if e := r.want("bye"); e.data["code"] != "not_ready" {
		t.Errorf("bye %+v", e)
	}
	l.want(l.get("/api/mesh/events"), 503, "not_ready")
}
