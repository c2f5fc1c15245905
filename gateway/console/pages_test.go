package console_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/meshd/meshd/gateway"
	"github.com/meshd/meshd/node/health"
)

// lesson is an entry that passes the gate.
const lesson = "Close the response body before retrying a request, because a leaked body keeps the connection out of the pool."

// write contributes an entry by the form, and returns where it is shown.
func (b *browser) write(text string) (path string) {
	b.w.t.Helper()
	p := b.post("/contribute", url.Values{"type": {"gotcha"}, "content": {text}, "domain": {"go"}, "tags": {"pool, http"}, "do": {"contribute"}, "once": {"k1"}, "confidence": {"0.9"}})
	p.want(b.w.t, http.StatusSeeOther, "")
	at, done, _ := strings.Cut(p.Header.Get("Location"), "?")
	if done != "done=contributed" || !strings.HasPrefix(at, b.home+"/knowledge/ent_") {
		b.w.t.Fatal(p.Header.Get("Location"))
	}
	return strings.TrimPrefix(at, b.home)
}

func TestEntryIsWrittenOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gateway.Config{})
	b := w.open()
	b.page("/contribute").want(t, 200, "").shows(t, "What did you learn?")
	at := b.write(lesson)
	if again := b.write(lesson); again != at {
		t.Errorf("the form sent twice wrote %s and %s", at, again)
	}
	b.page(at+"?done=contributed").want(t, 200, "").shows(t, lesson, "It is stored here", "pool", "0.9", "This is yours")
	b.page("/").want(t, 200, "").shows(t, lesson)
	b.page("/knowledge?type=gotcha&domain=go&tag=&q=").want(t, 200, "").shows(t, lesson)
	// Nobody else reads it: the public page of the same node shows a placeholder.
	if p := w.browser().get("/entries/"+strings.TrimPrefix(at, "/knowledge/")).want(t, 200, ""); strings.Contains(p.text, "leaked body") {
		t.Error("the public page shows the text")
	}
	b.page("/knowledge?type=opinion").want(t, 400, "invalid_param")
	b.page("/knowledge/ent_nothing").want(t, 404, "")
	b.post(at+"/vote", url.Values{"value": {"7"}}).want(t, 400, "invalid_param")
}

// TestRefusedTextsComeBack: what the gate does not take is shown again, with the reasons in
// words, and is not written.
func TestRefusedTextsComeBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gateway.Config{})
	b := w.open()
	for _, do := range []string{"check", "contribute"} {
		form := url.Values{"type": {"pattern"}, "content": {"Too <b>short."}, "title": {"A title"}, "evidence": {"one\ntwo"}, "do": {do}, "once": {"x"}}
		want := map[string]int{"check": 200, "contribute": 422}[do]
		path := map[string]string{"check": "/contribute/check", "contribute": "/contribute"}[do] // as the buttons say
		b.post(path, form).want(t, want, "").shows(t, "would not take this", "Too &lt;b&gt;short.", `value="A title"`, "one\ntwo", `value="pattern" checked`)
	}
	p := b.do(http.MethodPost, b.home+"/contribute/check", url.Values{"type": {"gotcha"}, "content": {lesson}}, "Accept", "application/json").want(t, 200, "")
	var verdict struct {
		OK                bool
		Says              string
		Reasons, Warnings []string
	}
	must(t, json.Unmarshal([]byte(p.text), &verdict))
	if !verdict.OK || verdict.Says == "" || verdict.Reasons == nil {
		t.Errorf("%+v", verdict)
	}
	b.page("/").shows(t, "Nothing has been contributed yet.")
}

func TestHomeSaysWhenNobodyIsThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gateway.Config{})
	b := w.open()
	b.page("/").want(t, 200, "").shows(t, "Nobody is connected yet", "speaks to this machine only", "meshd join LINE", "1 minute", "owner")
	w.owned.mu.Lock()
	w.owned.peers = []health.PeerStatus{{ID: "12D3KooWshe", Connected: true, Equal: true, LatencyMS: 3}}
	w.owned.mu.Unlock()
	if p := b.page("/").shows(t, "12D3KooWshe", "knows what you know", "1 peer"); strings.Contains(p.text, "Nobody is connected") {
		t.Error("says that nobody is there")
	}
}

// TestEveryPageOfAnEmptyNode: no page needs that something is there.
func TestEveryPageOfAnEmptyNode(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gateway.Config{})
	b := w.open()
	for _, path := range []string{"/", "/knowledge", "/knowledge?q=word", "/contribute", "/agents", "/agents/" + w.owned.owner.String(), "/guilds", "/bounties", "/notifications", "/credits", "/sessions", "/confirm"} {
		p := b.page(path).want(t, 200, "")
		for _, name := range []string{"Content-Security-Policy", "Referrer-Policy", "X-Frame-Options"} {
			if p.Header.Get(name) == "" {
				t.Errorf("%s has no %s", path, name)
			}
		}
		if p.Header.Get("Cache-Control") != "no-store" || strings.Contains(p.Header.Get("Content-Security-Policy"), "unsafe") {
			t.Errorf("%s: %v", path, p.Header)
		}
	}
	b.get("/console/assets/console.css").want(t, 200, "")
	b.get("/console/assets/console.js").want(t, 200, "")
	b.page("/guilds/gld_nothing").want(t, 404, "team_not_found")
	b.post("/notifications", url.Values{}).want(t, 400, "no_fields")
	b.post("/notifications", url.Values{"all": {"true"}}).want(t, 303, "")
}

// TestLivePage: a page that is kept up to date gets what changes, and the end of its session.
func TestLivePage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gateway.Config{})
	b, other := w.open(), w.open()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.base()+b.home+"/live", nil)
	must(t, err)
	resp, err := b.http.Do(r)
	must(t, err)
	defer resp.Body.Close()
	if resp.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatal(resp.Status)
	}
	lines := bufio.NewReader(resp.Body)
	until := func(want string) {
		t.Helper()
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatalf("%q does not come: %v", want, err)
			}
			if strings.Contains(line, want) {
				return
			}
		}
	}
	until(`"peers":0`)
	w.owned.mu.Lock()
	w.owned.peers = []health.PeerStatus{{ID: "12D3KooWshe", Connected: true}}
	w.owned.mu.Unlock()
	until(`"peers":1`)
	other.post("/sessions/end", url.Values{"others": {"1"}}).want(t, 303, "")
	until("event: bye")
	if _, err := io.ReadAll(lines); err != nil {
		t.Error(err)
	}
	b.page("/live/alive").want(t, 401, "auth_required")
}
