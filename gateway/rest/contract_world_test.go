package rest_test

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/change"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/gateway/service/servicetest"
	"github.com/meshd/meshd/node"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/store"
)

// contractObjects are what a contract world contains, for parameters and bodies.
type contractObjects struct {
	key      string            // of a member of everything
	ids      map[string]string // by the folder before the parameter
	canaries []string          // what no anonymous caller may see
	methods  map[string][]string
}

// contractWorld is the HTTP face of a whole node with one of everything
// its API can make, with marks in what is not public.
func contractWorld(t *testing.T) (*world, contractObjects) {
	t.Helper()
	home, err := store.Open(t.TempDir(), store.Options{Command: "test"})
	must(t, err)
	cfg := config.Default()
	cfg.P2P.Loopback, cfg.P2P.MDNS, cfg.P2P.PortMapping, cfg.P2P.Listen = true, false, false, []string{"/ip4/127.0.0.1/tcp/0"}
	cfg.Network.File = home.Path("network")
	text, err := change.NetworkFile{Genesis: change.Genesis{Name: "test", Shards: 1, Start: 1767225600000}}.Encode()
	must(t, err)
	must(t, os.WriteFile(cfg.Network.File, []byte(text), 0o600))
	n, err := node.Open(t.Context(), core.Options{Home: home, Config: cfg, Version: "1.2.3", Engine: crdtlog.NewMemory()})
	must(t, err)
	t.Cleanup(func() { must(t, errors.Join(n.Close(), home.Close())) })
	w := overNode(t, n, base)

	o := contractObjects{ids: map[string]string{}, methods: map[string][]string{}}
	for path, item := range w.get("/openapi.json").json["paths"].(map[string]any) {
		for m := range item.(map[string]any) {
			o.methods[path] = append(o.methods[path], strings.ToUpper(m))
		}
	}
	agent, key := w.register("canaryauthor", 1)
	o.key, o.ids["agent"] = key, agent
	post := func(path string, body map[string]any) map[string]any {
		r := w.do(apiCall{method: "POST", path: path, key: key, body: encode(t, body)})
		if r.StatusCode >= 300 {
			t.Fatalf("POST %s: %d %s", path, r.StatusCode, r.raw)
		}
		return r.json
	}
	o.ids["entry"] = post("/api/mesh/contribute", map[string]any{"type": "gotcha", "content": "canaryfull " + lesson, "title": "canarytitle", "domain": "go",
		"evidence": []string{"canaryevidence"}, "source": "canarysource"})["id"].(string)
	public := post("/api/mesh/guilds", map[string]any{"name": "Open guild", "visibility": "public"})
	hidden := post("/api/mesh/guilds", map[string]any{"name": "canaryguild", "visibility": "private"})
	o.ids["guilds"] = idOf(public)
	o.ids["team"] = idOf(hidden)
	o.canaries = []string{"canaryfull", "canarytitle", "canaryevidence", "canarysource", "canaryguild", key}
	for _, seed := range contractSeeds {
		if !o.has("POST", seed.path) {
			continue
		}
		body := map[string]any{}
		for k, v := range seed.body {
			body[k] = v
			if s, ok := v.(string); ok {
				body[k] = strings.NewReplacer("{team}", o.ids["team"], "{guild}", o.ids["guilds"]).Replace(s)
			}
		}
		got := post(o.fill(seed.path), body)
		if seed.folder != "" {
			o.ids[seed.folder] = idOf(got)
		}
		o.canaries = append(o.canaries, seed.canaries...)
	}
	w.planter(servicetest.Key(2))
	return w, o
}

// contractSeeds are what is made besides, where the API has an endpoint for it.
var contractSeeds = []struct {
	path, folder string
	body         map[string]any
	canaries     []string
}{
	{"/api/mesh/entry/{id}/comment", "comment", map[string]any{"content": "canarycomment is only for those who joined."}, []string{"canarycomment"}},
	{"/api/mesh/team/{id}/knowledge", "", map[string]any{"type": "wisdom", "content": "canaryteam " + lesson + " A team keeps it."}, []string{"canaryteam"}},
	{"/api/mesh/team/{id}/message", "", map[string]any{"content": "canarymessage for members"}, []string{"canarymessage"}},
	{"/api/mesh/knowledge/private", "", map[string]any{"entries": []any{map[string]any{"type": "wisdom", "content": "canaryprivate " + lesson + " Nobody else."}}}, []string{"canaryprivate"}},
	{"/api/mesh/team/{id}/board", "", map[string]any{"tasks": []any{map[string]any{"title": "canarytask"}}}, []string{"canarytask"}},
}

// idOf is the id of what a creation made: at the root, or in the only object
// that has one.
func idOf(reply map[string]any) string {
	if id, ok := reply["id"].(string); ok {
		return id
	}
	for _, name := range slices.Sorted(maps.Keys(reply)) {
		if m, ok := reply[name].(map[string]any); ok {
			if id, ok := m["id"].(string); ok {
				return id
			}
		}
	}
	return "none"
}

// planter is a second agent that has written.
func (w *world) planter(subject ed25519.PrivateKey) {
	w.t.Helper()
	r := w.want(w.do(apiCall{method: "POST", path: "/api/mesh/register", body: encode(w.t, w.proof("second", subject))}), 201, "")
	key := r.json["agent"].(map[string]any)["api_key"].(string)
	w.want(w.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: key, body: encode(w.t, contribution("by another"))}), 201, "")
}

func (o contractObjects) has(method, path string) bool {
	return slices.Contains(o.methods[path], method)
}

// fill puts an object of this world into each parameter of a path.
func (o contractObjects) fill(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if !strings.HasPrefix(p, "{") || i == 0 {
			continue
		}
		if id, ok := o.ids[parts[i-1]]; ok {
			parts[i] = id
		} else {
			parts[i] = "none"
		}
	}
	return strings.Join(parts, "/")
}

// example is a body that a schema takes, near enough to get past the form: the
// bad field must be the one that is refused.
func (o contractObjects) example(path string, schema map[string]any) map[string]any {
	out := map[string]any{}
	properties, _ := schema["properties"].(map[string]any)
	required, _ := schema["required"].([]any)
	for _, r := range required {
		name := r.(string)
		p, _ := properties[name].(map[string]any)
		out[name] = o.exampleOf(name, p)
	}
	if strings.HasSuffix(path, "/contribute") || strings.HasSuffix(path, "/check") || strings.HasSuffix(path, "/knowledge") {
		out["type"], out["content"] = "gotcha", lesson+" Tried with an example."
	}
	return out
}

func (o contractObjects) exampleOf(name string, schema map[string]any) any {
	if list, _ := schema["enum"].([]any); len(list) > 0 {
		return list[0]
	}
	switch {
	case strings.Contains(name, "agent"):
		return o.ids["agent"]
	case strings.HasPrefix(name, "team"):
		return o.ids["team"]
	case name == "did":
		return servicetest.DID(servicetest.Key(9)).String()
	}
	switch schema["type"] {
	case "integer", "number":
		n, _ := number(schema["minimum"])
		return n
	case "boolean":
		return false
	case "array":
		return []any{}
	case "object":
		return map[string]any{}
	}
	least, _ := number(schema["minLength"])
	return fmt.Sprintf("%s%s", "example", strings.Repeat("e", max(0, int(least)-7)))
}
