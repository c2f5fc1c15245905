package console_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/gateway"
	"github.com/meshd/meshd/gateway/console"
)

// guest is a browser that is signed in to a gateway in the public role, with a new agent.
func (w *world) guest(name string) *browser {
	w.t.Helper()
	b := w.browser()
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, w.base()+"/api/mesh/quickstart", strings.NewReader(`{"name":"`+name+`"}`))
	must(w.t, err)
	r.Header.Set("Content-Type", "application/json")
	resp, err := b.http.Do(r)
	must(w.t, err)
	defer resp.Body.Close()
	var made struct {
		Agent struct {
			Key string `json:"api_key"`
		}
	}
	must(w.t, json.NewDecoder(resp.Body).Decode(&made))
	b.do(http.MethodPost, console.SignInPath, url.Values{"way": {"key"}, "key": {made.Agent.Key}}).want(w.t, http.StatusSeeOther, "")
	b.home = console.GuestRoot
	return b
}

var values = regexp.MustCompile(`\{[a-z]+\}`)

// TestNothingOfTheNodeIsThere walks every page of the owner's console as somebody who is
// signed in to a gateway: what is about the node is no page there, by any method, and the
// owner's own address is none either.
func TestNothingOfTheNodeIsThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gateway.Config{Public: true})
	b := w.guest("ada")
	theirs := console.GuestTable()
	walked := map[string]bool{}
	for _, row := range console.OwnerTable() {
		_, pattern, _ := strings.Cut(row, " ")
		path := values.ReplaceAllString(strings.ReplaceAll(pattern, "{$}", ""), "x")
		for _, root := range []string{console.Root, console.Root + "/~" + strings.Repeat("x", 43)} {
			at := strings.TrimSuffix(root+path, "/") // which the listener leads on without one
			b.get(at).want(t, 404, "")
			b.do(http.MethodPost, at, url.Values{}).want(t, 404, "")
		}
		if slices.ContainsFunc(theirs, func(s string) bool { return strings.HasSuffix(s, " "+pattern) }) {
			continue
		}
		walked[path] = true
		b.page(path).want(t, 404, "not_found").shows(t, "No such page.")
		b.post(path, url.Values{}).want(t, 404, "not_found")
	}
	for _, room := range []string{"/peers", "/sets", "/storage", "/activity", "/log", "/keys", "/moderation", "/settings", "/backups", "/live"} {
		if !walked[room] {
			t.Errorf("%s was not walked", room)
		}
	}
	home := b.page("/").want(t, 200, "").text
	for path := range walked {
		if strings.Contains(home, `href="/me`+path+`"`) {
			t.Errorf("the navigation leads to %s", path)
		}
	}
	for _, row := range theirs { // and what is there answers
		if path, ok := strings.CutPrefix(row, "GET "); ok && !strings.Contains(path, "{id}") {
			b.page(strings.ReplaceAll(path, "{$}", "")).want(t, 200, "")
		}
	}
}

// TestGuestPagesNeedATwin: a page that no endpoint says the rights of is no page.
func TestGuestPagesNeedATwin(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gateway.Config{Public: true})
	if _, err := console.NewGuests(console.Config{}); err == nil {
		t.Error("pages without use cases")
	}
	if _, err := console.NewGuests(console.Config{Service: w.Service()}); err != nil {
		t.Error(err)
	}
}
