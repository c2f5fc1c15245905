package rest_test

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/meshd/meshd/gateway/apidoc"
	"github.com/meshd/meshd/gateway/rest"
)

const apiPage = "../../docs/api.md"

func TestAPIPageIsFresh(t *testing.T) {
	t.Parallel()
	description, err := rest.Document()
	must(t, err)
	want, err := apidoc.Markdown(description)
	must(t, err)
	got, err := os.ReadFile(apiPage)
	must(t, err)
	if !bytes.Equal(got, want) {
		t.Error("docs/api.md is stale: run go run ./scripts/apidoc from the root of the module")
	}
	if again, err := apidoc.Markdown(description); err != nil || !bytes.Equal(again, want) {
		t.Error("the same description gives another page")
	}
}

var (
	block  = regexp.MustCompile("(?ms)^### ([A-Z]+) (/\\S*)\n.*?^```sh\n(.*?)^```")
	target = regexp.MustCompile(`"\$MESH(/[^"]*)"`)
	sent   = regexp.MustCompile(`(?s) -d '(.*)'`)
)

// harmless are operations that write nothing, though they are no GET.
var harmless = []string{"POST /api/mesh/contribute/check", "POST /api/mesh/register/challenge", "POST /api/mesh/key/challenge"}

// TestAPIPageRuns sends what the page's lines of curl send: those that read get
// what they ask for from a whole node, and every body is one JSON object.
func TestAPIPageRuns(t *testing.T) {
	t.Parallel()
	w, o := contractWorld(t)
	w.want(w.putScene(o.ids["agent"], o.key, map[string]any{"source": hall}, nil), 201, "")
	page, err := os.ReadFile(apiPage)
	must(t, err)
	variables := strings.NewReplacer("$AGENT", o.ids["agent"], "$ENTRY", o.ids["entry"], "$GUILD", o.ids["guilds"])
	ran := 0
	for _, m := range block.FindAllStringSubmatch(string(page), -1) {
		method, name, lines := m[1], m[1]+" "+m[2], m[3]
		at := target.FindStringSubmatch(lines)
		if at == nil {
			t.Errorf("%s: no address in %q", name, lines)
			continue
		}
		body := ""
		if d := sent.FindStringSubmatch(lines); d != nil {
			body = d[1]
			if err := json.Unmarshal([]byte(body), &map[string]any{}); err != nil {
				t.Errorf("%s: %v in %s", name, err, body)
			}
		}
		path := variables.Replace(at[1])
		reads := method == "GET" || strings.Contains(strings.Join(harmless, "\n"), name)
		if !reads || strings.Contains(path, "$") || notAlone[name] || strings.HasPrefix(path, "/api/admin/") { // the last are no path for who is no admin
			continue
		}
		c := apiCall{method: method, path: path, body: body}
		if strings.Contains(lines, "$MESH_API_KEY") {
			c.key = o.key
		}
		ran++
		if r := w.do(c); r.StatusCode >= 300 {
			t.Errorf("%s: %d %.300s\n%s", name, r.StatusCode, r.raw, lines)
		}
	}
	if ran < 20 {
		t.Errorf("%d lines ran", ran)
	}
}

// notAlone are what a node by itself has no answer to.
var notAlone = map[string]bool{
	"GET /api/mesh/ws":                              true, // a socket
	"GET /api/mesh/events":                          true, // never ends
	"GET /api/mesh/me/events":                       true,
	"GET /api/mesh/team/{id}/events":                true,
	"GET /api/mesh/team/{id}/room/live":             true,
	"GET /api/mesh/identity/rotate":                 true, // of the owner's agent, which this node has not
	"GET /.well-known/agent-card.json":              true,
	"GET /.well-known/did.json":                     true, // no public name is configured
	"GET /api/mesh/identity/bind":                   true, // of an agent with a wallet
	"GET /.well-known/oauth-protected-resource":     true, // no issuer is configured
	"GET /.well-known/oauth-protected-resource/mcp": true,
}
