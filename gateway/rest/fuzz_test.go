package rest_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/mcp"
	"github.com/meshd/meshd/gateway/rest"
	"github.com/meshd/meshd/gateway/service"
	"github.com/meshd/meshd/gateway/service/servicetest"
)

// FuzzRequest: whatever a stranger or the owner asks for, the answer is no fault
// of ours, has a request id, and an error is an error object with a code.
func FuzzRequest(f *testing.F) {
	m := servicetest.New(f)
	own := m.AddAgent("Owner").ID
	db := servicetest.OpenState(f)
	s := servicetest.NewServiceWith(f, m, db, limit.Config{Disabled: true}, service.Config{
		Version: "1.2.3", Tools: mcp.Tools(), BaseURL: func() string { return base }, Now: func() time.Time { return servicetest.Start }})
	face, err := mcp.New(s, mcp.Config{Version: "1.2.3"})
	must(f, err)
	h, err := rest.New(s, auth.New(db), face, rest.Config{})
	must(f, err)
	f.Add("GET", "/api/mesh/feed?limit=3&since=2026-01-01T00:00:00Z", "", "", "", false)
	f.Add("POST", "/api/mesh/contribute", `{"type":"gotcha","content":"`+lesson+`","domain":"go"}`, "Idempotency-Key", "one", true)
	f.Add("PATCH", "/api/mesh/profile", `{"links":[{"label":"a","url":"https://a.example"}],"room":{"access":"public"}}`, "If-Match", `"1"`, true)
	f.Fuzz(func(t *testing.T, method, target, body, header, value string, owner bool) {
		u, err := url.ParseRequestURI(target)
		if err != nil || u.Host != "" || !strings.HasPrefix(u.Path, "/") || !isToken(method) || method == http.MethodConnect {
			return
		}
		r := httptest.NewRequest(http.MethodGet, base+"/", strings.NewReader(body))
		r.Method, r.URL, r.RequestURI = method, u, target
		r.Header.Set("Content-Type", "application/json")
		if isToken(header) && !strings.ContainsAny(value, "\r\n\x00") {
			r.Header.Set(header, value)
		}
		if owner {
			r = r.WithContext(auth.WithOwner(r.Context(), own.String()))
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code >= http.StatusInternalServerError && w.Code != http.StatusServiceUnavailable && w.Code != http.StatusNotImplemented {
			t.Fatalf("%s %s: %d %s", method, target, w.Code, w.Body)
		}
		if w.Header().Get("X-Request-Id") == "" {
			t.Fatalf("%s %s: no request id", method, target)
		}
		if w.Code < http.StatusBadRequest || u.Path == "/mcp" || method == http.MethodHead {
			return
		}
		var o struct {
			Success bool
			Code    string
		}
		if err := json.Unmarshal(w.Body.Bytes(), &o); err != nil || o.Success || o.Code == "" {
			t.Fatalf("%s %s: %d is no error object: %s", method, target, w.Code, w.Body)
		}
	})
}

// isToken reports whether s may be a method or the name of a header.
func isToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-')
	})
}
