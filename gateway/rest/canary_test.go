package rest_test

import (
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/gateway/service/servicetest"
	"github.com/meshd/meshd/node/view"
)

// canaries are words that stand in hidden fields of one entry, in every form in
// which a field could leave.
func canaries(e view.Entry) map[string]string {
	words := map[string]string{
		"text": "canarytext", "title": "canarytitle", "tag": "canarytag", "evidence": "canaryevidence", "receipt": "canaryreceipt",
		"source": "canarysource", "metadata": "canarymeta", "name": "canaryname", "handle": "canaryhandle", "tier": "canarytier",
		"agent": e.Agent.ID.String(), "key": e.Signature.Key.String(), "reuses": change.ID{0xca}.Text(change.PrefixEntry),
		"receipt hash": change.ID{0xcb}.String(), "payload hash": e.ID.String(), "change id": e.ID.Text(change.PrefixChange),
		"signature": strings.Repeat("zMzM", 8), "signature in hex": hex.EncodeToString([]byte{0xcc, 0xcc, 0xcc, 0xcc}),
	}
	return words
}

func plantCanaries(w *world) view.Entry {
	key := servicetest.DID(servicetest.Key(77))
	e := view.Entry{
		Domain: "birds",
		Agent:  view.AgentRef{ID: change.AgentID{0xaa, 1}, Name: "canaryname", Handle: "canaryhandle", Tier: "canarytier"},
		Body: body.Entry{
			Type: "wisdom", Text: "A canarytext sings in the mine, and when it stops singing everybody leaves at once.", Title: "canarytitle",
			Tags: []string{"one", "two", "three", "four", "five", "canarytag"}, Confidence: 777, Evidence: []string{"canaryevidence"},
			Receipt: []byte(`{"x":"canaryreceipt"}`), ReceiptSHA: change.ID{0xcb}, Source: "canarysource",
			Reuses: []change.ID{{0xca}}, Meta: []byte(`{"y":"canarymeta"}`),
		},
		Signature: view.Signature{Key: key},
	}
	for i := range e.Signature.Sig {
		e.Signature.Sig[i] = 0xcc
	}
	return w.mesh.Plant(e)
}

func (w *world) wantSilent(what string, words map[string]string, r reply) {
	w.t.Helper()
	all := string(r.raw) + fmt.Sprint(r.Header)
	for field, word := range words {
		if strings.Contains(strings.ToLower(all), strings.ToLower(word)) {
			w.t.Errorf("%s shows the %s: %s", what, field, all)
		}
	}
}

// TestNothingHiddenReachesAnonymousCallers plants words in every hidden field
// and looks for them in every byte of every reply, for callers without a key and
// with a dead one.
func TestNothingHiddenReachesAnonymousCallers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := plantCanaries(w)
	words := canaries(e)
	id := e.ID.Text(change.PrefixEntry)
	_, key := w.register("ada", 1)

	doc := w.get("/openapi.json")
	var calls []apiCall
	for path, item := range doc.json["paths"].(map[string]any) {
		for method := range item.(map[string]any) {
			calls = append(calls, apiCall{method: strings.ToUpper(method), path: strings.ReplaceAll(path, "{id}", id)})
		}
	}
	for _, q := range []string{"sort=recent", "format=atom", "format=jsonfeed", "type=wisdom", "domain=birds", "tag=five", "premium=false", "q=birds"} {
		calls = append(calls, apiCall{method: "GET", path: "/api/mesh/feed?" + q})
	}
	calls = append(calls, apiCall{method: "GET", path: "/api/mesh/search?q=wisdom"},
		apiCall{method: "POST", path: "/api/mesh/contribute/check", body: encode(t, map[string]any{"type": "wisdom", "content": e.Body.Text[2:3] + lesson})},
		apiCall{method: "GET", path: "/api/mesh/agent/" + "ada"})
	for _, tool := range []string{"query_knowledge", "get_feed", "get_entry", "get_overview", "get_directory", "get_agent", "get_guilds", "check_knowledge", "get_me", "contribute_knowledge"} {
		args := map[string]any{}
		switch tool {
		case "query_knowledge":
			args["query"] = "birds"
		case "get_entry":
			args["id"] = id
		case "get_agent":
			args["id"] = "ada"
		}
		calls = append(calls, apiCall{method: "POST", path: "/mcp", header: map[string]string{"Accept": "application/json, text/event-stream"},
			body: encode(t, map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": args}})})
	}
	shown := 0
	for _, c := range calls {
		for _, dead := range []string{"", servicetest.Mistyped(key)} {
			c.key = dead
			r := w.do(c)
			w.wantSilent(c.method+" "+c.path+" "+c.body, words, r)
			if strings.Contains(string(r.raw), id) {
				shown++
			}
		}
	}
	if shown < 10 {
		t.Errorf("only %d replies showed the entry at all", shown)
	}
	// With a key the words are there, so the search above looks for what exists.
	full := w.do(apiCall{method: "GET", path: "/api/mesh/entry/" + id, key: key})
	for field, word := range words {
		if field != "signature in hex" && !strings.Contains(string(full.raw), word) {
			t.Errorf("the full entry lacks the %s", field)
		}
	}
}

// TestSearchIsNoOracle asks for hidden words: the reply must be the one for a
// word that stands nowhere.
func TestSearchIsNoOracle(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	plantCanaries(w)
	_, key := w.register("ada", 1)
	for _, path := range []string{"/api/mesh/search?q=%s", "/api/mesh/feed?q=%s", "/api/mesh/feed?sort=relevance&q=%s"} {
		ask := func(word, key string) string {
			r := w.do(apiCall{method: "GET", path: fmt.Sprintf(path, url.QueryEscape(word)), key: key})
			return strings.ReplaceAll(string(r.raw), word, "")
		}
		for _, word := range []string{"canarytext", "canarytitle", "canaryevidence", "canarysource", "sings in the mine"} {
			if got, want := ask(word, ""), ask("nowhere", ""); got != want {
				t.Errorf("%s %s reveals %s", path, word, got)
			}
		}
		if ask("canarytext", key) == ask("nowhere", key) {
			t.Errorf("%s: with a key nothing is found either", path)
		}
	}
}
