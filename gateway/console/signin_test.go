package console_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/meshd/meshd/gateway"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/console"
	"github.com/meshd/meshd/gateway/console/session"
)

func TestOneCodeOneBrowser(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gateway.Config{})
	code := w.code()
	first, second := w.browser(), w.browser()
	// A preview of the link uses nothing up.
	for range 2 {
		p := first.get(console.OpenPath+code).want(t, 200, "")
		p.shows(t, `name="code" value="`+code+`"`)
	}
	form := url.Values{"code": {code}}
	p := first.do("POST", "/console/open", form).want(t, 303, "")
	home := p.Header.Get("Location")
	cookie := p.Header.Get("Set-Cookie")
	for _, part := range []string{"Path=" + home + ";", "HttpOnly", "SameSite=Strict"} {
		if !strings.Contains(cookie, part) {
			t.Errorf("%q lacks %s", cookie, part)
		}
	}
	first.get(home).want(t, 200, "")
	second.do("POST", "/console/open", form).want(t, 401, "token_replayed")
	// The path alone signs nobody in, nor does the cookie at another path.
	second.get(home).want(t, 401, "auth_required")
	third := w.open()
	if third.home+"/" == home {
		t.Fatal("two sessions have one path")
	}
	first.get(third.home+"/").want(t, 401, "auth_required")
	first.get(home).want(t, 200, "")
	third.page("/").want(t, 200, "")
	// Without its last slash the cookie stays in the browser.
	first.get(strings.TrimSuffix(home, "/")).want(t, 401, "auth_required")
}

func TestCodesOfElsewhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gateway.Config{})
	b := w.browser()
	late := w.code()
	w.clock.add(session.CodeLife)
	b.do("POST", "/console/open", url.Values{"code": {late}}).want(t, 401, "token_expired").shows(t, "meshd open")
	foreign := newWorld(t, gateway.Config{}).code()
	for _, code := range []string{foreign, "", "<script>"} {
		b.do("POST", "/console/open", url.Values{"code": {code}}).want(t, 401, "invalid_token").shows(t, "meshd open")
	}
	confirms, _ := w.Console().Code(session.Confirm)
	b.do("POST", "/console/open", url.Values{"code": {confirms}}).want(t, 401, "invalid_token")
	b.get(console.OpenPath+url.QueryEscape(`"><script>alert(1)</script>`)).want(t, 200, "").shows(t, "&lt;script&gt;")
	b.do("DELETE", "/console/open", nil).want(t, 405, "method_not_allowed")
	b.get("/console").want(t, 401, "auth_required").shows(t, "meshd open")
	b.get("/console/nothing").want(t, 404, "not_found")
	b.get("/console/assets/nothing.css").want(t, 404, "not_found")
	b.get("/consoles").want(t, 404, "")
	b.do("POST", "/console/open", url.Values{"code": {strings.Repeat("x", 300<<10)}}).want(t, 400, "invalid_param")
}

// TestWhoMayAsk: other names of this machine, pages of other origins and of other ports
// get nothing, whatever they know.
func TestWhoMayAsk(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gateway.Config{})
	b := w.open()
	b.get(b.home+"/", "Host", "rebound.example.org").want(t, 403, "")
	b.do("POST", "/console/open", url.Values{"code": {w.code()}}, "Host", "rebound.example.org").want(t, 403, "")
	other := "http://127.0.0.1:1"
	for _, c := range []struct {
		header []string
		status int
	}{
		{[]string{"Origin", "null", "Sec-Fetch-Site", "same-origin"}, 303},
		{[]string{"Origin", w.base(), "Sec-Fetch-Site", "same-origin"}, 303},
		{[]string{"Origin", w.base(), "Sec-Fetch-Site", ""}, 303},
		{[]string{"Origin", "", "Sec-Fetch-Site", "same-origin"}, 303},
		{[]string{"Origin", "", "Sec-Fetch-Site", ""}, 403},
		{[]string{"Origin", "null", "Sec-Fetch-Site", ""}, 403},
		{[]string{"Origin", "null", "Sec-Fetch-Site", "cross-site"}, 403},
		{[]string{"Origin", "null", "Sec-Fetch-Site", "none"}, 403},
		{[]string{"Origin", other, "Sec-Fetch-Site", "same-site"}, 403},
		{[]string{"Origin", other, "Sec-Fetch-Site", "same-origin"}, 403},
		{[]string{"Origin", w.base(), "Sec-Fetch-Site", "same-site"}, 403},
		{[]string{"Origin", "https://example.org", "Sec-Fetch-Site", ""}, 403},
	} {
		b.do("POST", b.home+"/sessions/end", url.Values{"others": {"1"}}, c.header...).want(t, c.status, "")
		b.do("POST", "/console/open", url.Values{"code": {w.code()}}, c.header...).want(t, c.status, "")
	}
	b.get(b.home+"/", "Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "no-cors").want(t, 403, "")
	b.get(b.home+"/", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate").want(t, 200, "")
	// The console is no part of the API: a key opens nothing, and the socket has no pages.
	rec := httptest.NewRecorder()
	r := httptest.NewRequest("GET", w.base()+b.home+"/", nil)
	w.Handler().ServeHTTP(rec, r.WithContext(auth.WithOwner(r.Context(), "")))
	if rec.Code != 404 && rec.Code != 308 {
		t.Errorf("the socket answers %d", rec.Code)
	}
}

// TestAnotherPortGetsNothing: browsers send a cookie to every port of its host. A server
// of another user on another port, which the browser visits, receives no secret.
func TestAnotherPortGetsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gateway.Config{})
	b := w.open()
	var mu sync.Mutex
	var got []string
	spy := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, r.Header.Get("Cookie")+r.Header.Get("Referer"))
		http.SetCookie(out, &http.Cookie{Name: "meshd_console", Value: "planted", Path: "/"})
	}))
	defer spy.Close()
	for _, path := range []string{"/", "/console", "/console/", "/console/open", "/console/~x/"} {
		b.get(spy.URL + path)
	}
	mu.Lock()
	for i, sent := range got {
		if i == 0 && sent != "" || strings.Contains(strings.ReplaceAll(sent, "meshd_console=planted", ""), "meshd_console") {
			t.Errorf("another port received %q", sent)
		}
	}
	mu.Unlock()
	if len(got) != 5 {
		t.Fatalf("%d requests", len(got))
	}
	// What it plants in the browser shuts nobody out.
	b.page("/").want(t, 200, "")
}

func TestRevokedElsewhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gateway.Config{})
	here, there := w.open(), w.open()
	p := here.page("/sessions").want(t, 200, "").shows(t, "This browser", "Another browser")
	there.page("/").want(t, 200, "")
	here.post("/sessions/end", url.Values{"others": {"1"}}).want(t, 303, "")
	there.page("/").want(t, 401, "auth_required").shows(t, "meshd open")
	if p = here.page("/sessions?done=ended").shows(t, "The session has ended."); strings.Contains(p.text, "Another browser") {
		t.Error("it is still listed")
	}
	there = w.open()
	id := between(here.page("/sessions").text, `aria-label="End session `, `"`)
	here.post("/sessions/end", url.Values{"id": {id}}).want(t, 303, "")
	there.page("/").want(t, 401, "auth_required")
	here.post("/sessions/end", url.Values{"id": {id}}).want(t, 404, "not_found")
	mine := between(here.page("/sessions").text, `name="id" value="`, `"`)
	if p := here.post("/sessions/end", url.Values{"id": {mine}}).want(t, 303, ""); p.Header.Get("Location") != "/console" {
		t.Error(p.Header.Get("Location"))
	}
	here.page("/").want(t, 401, "auth_required")
}

func between(text, before, after string) string {
	_, rest, _ := strings.Cut(text, before)
	found, _, _ := strings.Cut(rest, after)
	return found
}

func TestConfirming(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gateway.Config{})
	b := w.open()
	b.page("/confirm?next=/sessions").want(t, 200, "").shows(t, "meshd open --confirm", `name="next" value="/sessions"`)
	b.page("/confirm?next=//example.org/x").want(t, 200, "").shows(t, `name="next" value="/"`)
	b.post("/confirm", url.Values{"code": {w.code()}, "next": {"/sessions"}}).want(t, 403, "").shows(t, "invalid_token")
	code, _ := w.Console().Code(session.Confirm)
	p := b.post("/confirm", url.Values{"code": {code}, "next": {"/sessions"}}).want(t, 303, "")
	if at := p.Header.Get("Location"); at != b.home+"/sessions?done=confirmed" {
		t.Error(at)
	}
	b.post("/confirm", url.Values{"code": {code}}).want(t, 403, "").shows(t, "token_replayed")
}

// TestGatewayRoleHasNoConsole: the public role has no route and gives no code.
func TestGatewayRoleHasNoConsole(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gateway.Config{Public: true})
	if w.Console() != nil {
		t.Fatal("there is one")
	}
	b := w.browser()
	for _, path := range []string{"/console", "/console/open?code=x", "/console/assets/console.css", "/console/~x/y"} {
		b.get(path, "Accept", "application/json").want(t, 404, "").shows(t, "not_found")
	}
	b.do("POST", "/console/open", url.Values{"code": {"x"}}, "Origin", "", "Sec-Fetch-Site", "").want(t, 404, "").shows(t, "not_found")
}

// TestSecretsStayOutOfLogs: no line of a log, no metric and no page names a secret.
func TestSecretsStayOutOfLogs(t *testing.T) {
	t.Parallel()
	logged := &safeBuffer{}
	log := slog.New(slog.NewJSONHandler(logged, &slog.HandlerOptions{Level: slog.LevelDebug}))
	reg := prometheus.NewRegistry()
	w := newWorld(t, gateway.Config{Log: log, Access: log, Metrics: reg})
	b := w.open()
	code := w.code()
	b.get(console.OpenPath + code)
	b.page("/")
	b.page("/nothing").want(t, 404, "not_found")
	b.get(b.home+"x/").want(t, 401, "auth_required")
	b.do("PUT", b.home+"/sessions", url.Values{}).want(t, 404, "")
	secret := strings.TrimPrefix(b.home, "/console/~")
	families, err := reg.Gather()
	must(t, err)
	text := logged.String()
	for _, f := range families {
		text += f.String()
	}
	if strings.Contains(text, secret) || strings.Contains(text, code) {
		t.Error("a secret is in", text)
	}
	if !strings.Contains(text, "/console/~/nothing") || !strings.Contains(text, `"principal":"console"`) {
		t.Error("the requests are not logged at all", text)
	}
}
