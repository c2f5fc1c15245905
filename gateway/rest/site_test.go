package rest_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/view"
)

func (w *world) page(path, key string) reply {
	w.t.Helper()
	return w.do(apiCall{method: "GET", path: path, key: key, header: map[string]string{"Accept": "text/html,application/xhtml+xml,application/json;q=0.5"}})
}

// sitePages are the pages over one entry and one agent.
func sitePages(entry, agent string) []string {
	return []string{"/", "/join", "/about", "/feed", "/feed?type=gotcha&domain=go&sort=top", "/feed?q=go", "/entries/" + entry, "/domains", "/domains?sort=name",
		"/agents", "/agents?tier=newcomer&sort=name", "/agents/" + agent, "/guilds", "/bounties", "/search", "/search?q=go", "/docs", "/docs/tour", "/docs/api"}
}

// What an entry says, who wrote it and its title are in no page, whoever asks.
func TestPagesHideTexts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, key := w.register("reader", 1)
	author := w.mesh.AddAgent("authorcanary")
	e := w.mesh.Plant(view.Entry{Domain: "go", Agent: author.AgentRef, Signature: view.Signature{Key: author.DID},
		Body: body.Entry{Type: body.Gotcha, Title: "titlecanary", Text: "contentcanary " + lesson, Confidence: 800, Tags: []string{"http"},
			Evidence: []string{"evidencecanary"}, Source: "sourcecanary"}})
	w.mesh.Plant(view.Entry{Domain: "go", Agent: author.AgentRef, Body: body.Entry{Type: body.Gotcha, Text: "premiumcanary " + lesson, Price: 1e6}})
	for _, path := range sitePages(e.ID.Text(change.PrefixEntry), author.ID.String()) {
		for _, as := range []string{"", key} {
			r := w.page(path, as)
			if r.StatusCode != 200 || !strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") {
				t.Fatalf("%s: %d %s", path, r.StatusCode, r.raw)
			}
			text := string(r.raw)
			for _, canary := range []string{"contentcanary", "titlecanary", "evidencecanary", "sourcecanary", "premiumcanary"} {
				if strings.Contains(text, canary) {
					t.Errorf("%s shows %s", path, canary)
				}
			}
			if as != "" && strings.Contains(text, as) {
				t.Errorf("%s repeats the key", path)
			}
			if named := strings.Contains(text, "authorcanary"); named && (strings.HasPrefix(path, "/feed") || strings.HasPrefix(path, "/entries")) {
				t.Errorf("%s names the author of an entry", path)
			}
		}
	}
}

var tags = regexp.MustCompile(`<(script|iframe|object|embed|img|base|meta http)`)

// Nothing that strangers wrote becomes markup, and no page asks for anything of
// another host.
func TestPagesEscapeStrangers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const evil = `"><script>alert(1)</script><img src=x onerror=alert(2)>{{.}}`
	a := w.mesh.AddAgent("name" + evil)
	w.mesh.SetPage(a.ID, map[string]any{"bio": evil, "status": evil, "title": evil, "pronouns": evil, "location": evil, "avatar_url": "https://tracker.example/a.png",
		"traits": []any{evil}, "links": []any{map[string]any{"label": evil, "url": "https://example.org/" + evil}, map[string]any{"label": "js", "url": "javascript:alert(3)"}}})
	e := w.mesh.Plant(view.Entry{Domain: "go" + evil, Agent: a.AgentRef, Body: body.Entry{Type: body.Gotcha, Text: lesson, Tags: []string{evil}}})
	for _, path := range append(sitePages(e.ID.Text(change.PrefixEntry), a.ID.String()), "/feed?q=%22%3E%3Cscript%3E", "/agents?q=%22%3E%3Cscript%3E", "/search?q=%22%3E%3Cscript%3E", "/feed?tag=%3Cscript%3E") {
		r := w.page(path, "")
		text := string(r.raw)
		if r.StatusCode != 200 || tags.MatchString(text) || strings.Contains(text, "javascript:") || strings.Contains(text, "tracker.example") ||
			strings.Contains(text, "style=") || strings.Contains(text, "onerror=alert(2)>") {
			t.Errorf("%s lets markup through: %d %s", path, r.StatusCode, text)
		}
		policy := r.Header.Get("Content-Security-Policy")
		if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "script-src") {
			t.Errorf("%s: policy %q", path, policy)
		}
	}
}

func TestPagesAreKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := w.planted(w.mesh.AddAgent("bob"), lesson)
	for _, path := range append(sitePages(e.ID.Text(change.PrefixEntry), "bob"), "/assets/site.css", "/assets/mark.svg") {
		r := w.page(path, "")
		tag := r.Header.Get("ETag")
		if tag == "" || !strings.HasPrefix(r.Header.Get("Cache-Control"), "public, max-age=") {
			t.Errorf("%s: %v", path, r.Header)
		}
		again := w.do(apiCall{method: "GET", path: path, header: map[string]string{"If-None-Match": tag}})
		if again.StatusCode != 304 || len(again.raw) != 0 {
			t.Errorf("%s: not kept, %d", path, again.StatusCode)
		}
		if head := w.do(apiCall{method: "HEAD", path: path}); head.StatusCode != 200 || len(head.raw) != 0 {
			t.Errorf("%s: HEAD %d with %d bytes", path, head.StatusCode, len(head.raw))
		}
	}
}

func TestEmptyPagesSaySo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for path, want := range map[string]string{
		"/": "Nothing has been contributed yet", "/feed": "No entry matches", "/agents": "No agent matches",
		"/guilds": "No public guild matches", "/domains": "no domains yet",
	} {
		if r := w.page(path, ""); r.StatusCode != 200 || !strings.Contains(string(r.raw), want) {
			t.Errorf("%s: %d, no %q", path, r.StatusCode, want)
		}
	}
}

// A person gets a page for a refusal, a program the error object; the API
// answers programs alone.
func TestRefusalsAsPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for path, status := range map[string]int{
		"/nowhere": 404, "/entries/ent_none": 404, "/agents/nobody": 404, "/feed?type=rumour": 400, "/feed?cursor=old": 400, "/agents?sort=age": 400, "/assets/x.js": 404,
		"/feed?type=gotcha&type=wisdom": 400, "/feed?limit=0": 400,
	} {
		r := w.page(path, "")
		if r.StatusCode != status || !strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") ||
			!strings.Contains(string(r.raw), r.Header.Get("X-Request-Id")) || r.Header.Get("Content-Security-Policy") == "" || r.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %v", path, r.StatusCode, r.Header)
		}
		for _, accept := range []string{"", "*/*", "application/json", "text/html;q=0.4, application/json", "text/html;q=0", "text/html;q=x"} {
			r := w.do(apiCall{method: "GET", path: path, header: map[string]string{"Accept": accept}})
			if r.StatusCode != status || r.code() == "" {
				t.Errorf("%s for %q: %d %s", path, accept, r.StatusCode, r.raw)
			}
		}
	}
	if r := w.page("/api/mesh/entry/ent_none", ""); r.code() != "entry_not_found" {
		t.Errorf("the API answered with a page: %s", r.raw)
	}
}

// Filters survive each other and a page's end.
func TestFeedPageKeepsItsFilters(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	bob := w.mesh.AddAgent("bob")
	for range 25 {
		w.planted(bob, lesson)
	}
	r := w.page("/feed?type=gotcha&domain=go&tag=http", "")
	next := regexp.MustCompile(`href="(/feed\?cursor=[^"]+)">Next page`).FindStringSubmatch(string(r.raw))
	if next == nil || !strings.Contains(next[1], "domain=go") || !strings.Contains(next[1], "tag=http") || !strings.Contains(next[1], "type=gotcha") {
		t.Fatalf("no way on that keeps the filters: %s", r.raw)
	}
	r = w.page(strings.ReplaceAll(next[1], "&amp;", "&"), "")
	if r.StatusCode != 200 || strings.Count(string(r.raw), `class="card"`) != 5 || !strings.Contains(string(r.raw), "Back to the first") {
		t.Fatalf("second page: %d, %d cards", r.StatusCode, strings.Count(string(r.raw), `class="card"`))
	}
}

// A public guild has a page; of a private one nothing is said.
func TestGuildPages(t *testing.T) {
	t.Parallel()
	w, o := contractWorld(t)
	if r := w.page("/guilds/"+o.ids["guilds"], ""); r.StatusCode != 200 || !strings.Contains(string(r.raw), "Open guild") || !strings.Contains(string(r.raw), "canaryauthor") {
		t.Errorf("public: %d %s", r.StatusCode, r.raw)
	}
	for _, key := range []string{"", o.key} {
		if r := w.page("/guilds/"+o.ids["team"], key); r.StatusCode != 404 || strings.Contains(string(r.raw), "canary") {
			t.Errorf("private: %d %s", r.StatusCode, r.raw)
		}
	}
	for _, path := range []string{"/", "/guilds", "/bounties", "/feed", "/agents", "/domains", "/about"} {
		r := w.page(path, o.key)
		for _, c := range o.canaries {
			if strings.Contains(string(r.raw), c) {
				t.Errorf("%s shows %s", path, c)
			}
		}
	}
	if r := w.page("/bounties/bty_none", ""); r.StatusCode != 404 {
		t.Errorf("no bounty: %d", r.StatusCode)
	}
}

// The documentation that a node serves is whole: every page is in the index, and every
// link on a page leads to a page of this node, to a heading of it, or elsewhere.
func TestDocumentationIsWhole(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pages := map[string]string{}
	page := func(path string) string {
		t.Helper()
		if pages[path] == "" {
			r := w.page(path, "")
			if r.StatusCode != 200 {
				t.Fatalf("%s: %d %s", path, r.StatusCode, r.raw)
			}
			pages[path] = string(r.raw)
		}
		return pages[path]
	}
	links := regexp.MustCompile(`href="(/docs/[a-z]+)?(?:#([^"]*))?"`)
	index := regexp.MustCompile(`href="(/docs/[a-z]+)"`).FindAllStringSubmatch(page("/docs"), -1)
	if len(index) < 10 {
		t.Fatalf("%d pages in the index", len(index))
	}
	for _, one := range index {
		for _, l := range links.FindAllStringSubmatch(page(one[1]), -1) {
			to := l[1]
			if to == "" {
				to = one[1]
			}
			if l[2] != "" && l[2] != "main" && !strings.Contains(page(to), `id="`+l[2]+`"`) {
				t.Errorf("%s leads to %s#%s, which is not there", one[1], to, l[2])
			}
		}
		if strings.Contains(pages[one[1]], ".md\"") {
			t.Errorf("%s links to a file", one[1])
		}
	}
	if r := w.page("/docs/architecture", ""); r.StatusCode != 404 {
		t.Errorf("a page that is not served: %d", r.StatusCode)
	}
}

// What programs look for at a site's root is there: robots.txt, llms.txt, the icon.
func TestFilesForPrograms(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.planted(w.mesh.AddAgent("bob"), lesson)
	for path, want := range map[string][2]string{
		"/robots.txt": {"text/plain; charset=utf-8", "User-agent: *\n"}, "/llms.txt": {"text/plain; charset=utf-8", "/mcp): tools"},
		"/favicon.ico": {"image/svg+xml", "<svg"},
	} {
		r := w.do(apiCall{method: "GET", path: path})
		if r.StatusCode != 200 || r.Header.Get("Content-Type") != want[0] || !strings.Contains(string(r.raw), want[1]) {
			t.Errorf("%s: %d %s %s", path, r.StatusCode, r.Header.Get("Content-Type"), r.raw)
		}
	}
	r := w.do(apiCall{method: "GET", path: "/llms.txt"})
	for _, l := range regexp.MustCompile(`\]\(`+base+`(/[^)]*)\)`).FindAllStringSubmatch(string(r.raw), -1) {
		path := l[1]
		if path == "/api/mesh/search" {
			path += "?q=go"
		}
		if got := w.do(apiCall{method: "GET", path: path}); got.StatusCode != 200 && path != "/mcp" {
			t.Errorf("llms.txt names %s, which answers %d", l[1], got.StatusCode)
		}
	}
	if strings.Contains(string(r.raw), lesson) || !strings.HasPrefix(string(r.raw), "# meshd: ") {
		t.Errorf("llms.txt: %s", r.raw)
	}
}
