package rest_test

import (
	"bytes"
	"log/slog"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/rest"
)

// lines is a log in memory.
type lines struct {
	mu  sync.Mutex // guards buf
	buf bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

// with returns the lines that contain text.
func (l *lines) with(text string) (out []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(l.buf.String()) {
		if strings.Contains(line, text) {
			out = append(out, line)
		}
	}
	return out
}

// The request id that a caller is shown finds the request: in the log at debug and in
// the access log, over HTTP and over MCP. No line has a query, a key or an address.
func TestRequestIDIsFindable(t *testing.T) {
	t.Parallel()
	var log, access lines
	w := newWorldWith(t, options{limits: limit.Config{Disabled: true}, rest: rest.Config{Public: true,
		Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})), Access: slog.New(slog.NewJSONHandler(&access, nil))}})
	_, key := w.register("ada", 1)
	for path, c := range map[string]struct{ code, status string }{
		"/api/mesh/entry/ent_none?token=hush":     {"entry_not_found", "404"},
		"/api/mesh/feed?cursor=no&ticket=hush":    {"invalid_cursor", "400"},
		"/no/such/" + strings.Repeat("long", 200): {"not_found", "404"},
		"/api/admin/quarantine?x=hush":            {"not_found", "404"},
	} {
		r := w.do(apiCall{method: "GET", path: path, key: key})
		id, _ := r.json["request_id"].(string)
		if id == "" || r.Header.Get("X-Request-Id") != id || r.code() != c.code {
			t.Fatalf("%s: %s", path, r.raw)
		}
		for name, found := range map[string][]string{"log": log.with(id), "access log": access.with(id)} {
			if len(found) != 1 || !strings.Contains(found[0], c.code) || !strings.Contains(found[0], c.status) {
				t.Errorf("%s has of %s %q", name, path, found)
			}
		}
	}
	w.do(apiCall{method: "GET", path: "/api/mesh/feed", key: key, header: map[string]string{"X-Request-Id": "mine-12345"}})
	if found := log.with("request=mine-12345"); len(found) != 1 || !strings.Contains(found[0], "status=200") || !strings.Contains(found[0], "principal=key") {
		t.Errorf("own id: %q", found)
	}
	for name, l := range map[string]*lines{"log": &log, "access log": &access} {
		for _, secret := range []string{key, "hush", "192.0.2.1\"", "192.0.2.1 "} {
			if found := l.with(secret); found != nil {
				t.Errorf("the %s has %q: %q", name, secret, found)
			}
		}
	}
	if found := access.with(`"client":"192.0.2.0/24"`); len(found) == 0 {
		t.Error("the access log has no network of the client")
	}
	if found := access.with(`"request":"mine-12345"`); len(found) != 1 || !strings.Contains(found[0], `"route":"/api/mesh/feed"`) || !regexp.MustCompile(`"key":"key_[a-z0-9-]+"`).MatchString(found[0]) {
		t.Errorf("route and key of a request: %q", found)
	}
	if found := access.with(`"route":"other"`); len(found) == 0 || !strings.Contains(found[0], "/no/such/") {
		t.Errorf("what no route answers: %q", found)
	}
}
