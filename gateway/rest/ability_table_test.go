package rest_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/meshd/meshd/identity/ucan"
)

// aside is what may differ between two answers to one question.
var aside = regexp.MustCompile(`"(request_id|at|now|seq|uptime_s|generated_at|lag_ms|checked_at|views?_seq|timestamp|peer_id|id|hint|partial_reason)": ?("[^"]*"|[0-9.]+)`)

// streams end when they have said something.
type firstWord struct {
	*httptest.ResponseRecorder
	end context.CancelFunc
}

func (f firstWord) Flush() { f.ResponseRecorder.Flush(); f.end() }

// privateWords stand in what bo alone, or the members of a team, may read.
const privateWord = "quicksilver"

// private is what bo alone, or the members of bo's team, may read.
func (w *refusalWorld) private() (made struct{ team, entry, task, doc, scene string }) {
	w.t.Helper()
	team := w.found("bo", fields{"name": "Den " + privateWord, "visibility": "private", "description": privateWord})
	made.team = team[strings.LastIndex(team, "/")+1:]
	task := w.addTask("bo", team, fields{"title": "Mend the " + privateWord, "description": privateWord})
	made.task = task[strings.LastIndex(task, "/")+1:]
	w.as("bo", "POST", team+"/message", fields{"content": "the word is " + privateWord}, 201, "")
	w.as("bo", "PUT", "/api/mesh/agent/"+w.ids["bo"]+"/scene", fields{"format": "holo", "source": strings.ReplaceAll(hall, "Lamp", privateWord),
		"room": fields{"name": privateWord, "access": "private"}}, 201, "")
	w.as("bo", "POST", "/api/mesh/knowledge/private", fields{"entries": []fields{{"type": "wisdom", "domain": "go", "content": "A private lesson about " + privateWord + " and how it is poured."}}}, 201, "")
	made.entry = idOf(w.as("bo", "POST", "/api/mesh/contribute", w.lesson(), 201, ""))
	made.doc = w.ids["bo"] + ".notes"
	memory{w.teamWorld, made.doc}.ops("bo", 200, "", op("lww", "a", "", "value", privateWord))
	made.scene = w.memoryOf(team, "zone/den").id
	w.as("bo", "PUT", "/api/crdt/"+made.scene+"/zones", fields{"zones": []fields{{"id": privateWord, "classification": "sensitive", "bounds": fields{"min": []int{0, 0, 0}, "max": []int{1, 1, 1}},
		"agents": fields{w.ids["bo"]: []string{"spatial:read", "spatial:write"}}}}, "outside": []string{"spatial:read"}}, 200, "")
	w.memoryOf(team, "zone/den/"+privateWord).ops("bo", 200, "", op("lww", "a", "", "value", privateWord))
	w.settle()
	return made
}

// A capability reads what it covers and nothing else: every GET of the API answers who
// presents one for its ability as it answers the agent itself, and whoever presents
// another one as it answers nobody, or refuses. The table is the description of the API,
// so a new endpoint is in it; one with a new kind of id needs a line in ids.
func TestCapabilityReadsWhatItCovers(t *testing.T) {
	t.Parallel()
	w := newRefusalWorld(t)
	secret := w.private()
	id, entry, task, doc := secret.team, secret.entry, secret.task, secret.doc

	// What stands for a name in a path, by the path before it.
	ids := map[string]string{"/api/mesh/entry/{id}": entry, "/api/mesh/agent/{id}": w.ids["bo"], "/api/mesh/team/{id}": id, "/api/mesh/guilds/{id}": id,
		"{task}": task, "{doc}": doc, "/api/mesh/invite/{token}": "none", "/api/mesh/bounties/{id}": strings.TrimPrefix(w.open(nil), "/api/mesh/bounties/"),
		"/api/vm/runs/{id}": "none", "/r/{name}": w.ids["bo"]}
	fill := func(path string) string {
		if strings.HasSuffix(path, "/zones") || strings.HasSuffix(path, "/spot") {
			path = strings.Replace(path, "{doc}", secret.scene, 1)
		}
		for from, to := range ids {
			if i := strings.Index(from, "{"); strings.Contains(path, from) {
				path = strings.Replace(path, from, from[:i]+to, 1)
			}
		}
		return path
	}
	lent := w.want(w.lend(w.keys["bo"], fields{"can": []string{ucan.VoteCast}}), 201, "").json["cid"].(string)
	all := w.want(w.lend(w.keys["bo"], fields{"can": []string{"*"}}), 201, "").json["cid"].(string)
	type declared struct {
		Ability  string `json:"x-ability"`
		Resource string `json:"x-resource"`
		KeyOnly  string `json:"x-key-only"`
	}
	ask := func(path, key string) (int, string) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		r := httptest.NewRequestWithContext(ctx, http.MethodGet, base+path, nil)
		r.Header.Set("Accept", "application/json, text/event-stream")
		if key != "" {
			r.Header.Set("Authorization", "Bearer "+key)
		}
		rec := httptest.NewRecorder()
		w.handler.ServeHTTP(firstWord{rec, cancel}, r)
		return rec.Code, rec.Body.String()
	}
	var doc2 struct {
		Paths map[string]map[string]json.RawMessage
	}
	must(t, json.Unmarshal(w.get("/openapi.json").raw, &doc2))
	asked, private, covered := 0, 0, 0
	for path, item := range doc2.Paths {
		if item["get"] == nil || path == "/openapi.json" {
			continue
		}
		asked++
		full := fill(path)
		if strings.Contains(full, "{") {
			t.Errorf("%s names something new; say what stands for it", path)
			continue
		}
		if needs := map[string]string{"/api/mesh/changes": "?space=agent/" + strings.TrimPrefix(w.ids["bo"], "agt_"), "/api/mesh/search": "?q=" + privateWord,
			"/api/mesh/identity/rotate": "?new=" + w.gateway.Key().String(), "/api/mesh/feed": "?q=" + privateWord,
			"/api/crdt": "?of=" + w.ids["bo"], "/api/crdt/{doc}/spot": "?at=0.5,0.5,0.5"}[path]; needs != "" {
			full += needs
		}
		if _, own := ask(full, w.keys["bo"]); strings.Contains(own, privateWord) {
			private++
		}
		var row declared
		must(t, json.Unmarshal(item["get"], &row))
		ofAgent := strings.HasPrefix(row.Resource, "mesh://<network>/agent/<id>") && row.KeyOnly == ""
		bearers := map[string]string{"another ability": w.bearer(lent, ucan.VoteCast, w.mine())}
		if !ofAgent || strings.Contains(row.Resource, " or ") {
			bearers["every ability of an agent"] = w.bearer(all, "*", w.mine())
		}
		status, nobody := ask(full, "")
		for what, key := range bearers {
			if ofAgent && strings.Contains(row.Resource, " or ") && what != "another ability" {
				continue // a document of the agent
			}
			got, said := ask(full, key)
			refused := got == 401 || got == 403 || got == 404
			if !refused && (got != status || aside.ReplaceAllString(said, "") != aside.ReplaceAllString(nobody, "")) {
				t.Errorf("GET %s with %s: %d %.300s\nnobody: %d %.300s", full, what, got, said, status, nobody)
			}
			if strings.Contains(said, privateWord) && !strings.Contains(nobody, privateWord) {
				t.Errorf("GET %s with %s reads what is private: %.300s", full, what, said)
			}
		}
		if !ofAgent {
			continue
		}
		covered++
		own, _ := ask(full, w.keys["bo"])
		cid := w.want(w.lend(w.keys["bo"], fields{"can": []string{row.Ability}}), 201, "").json["cid"].(string)
		for what, key := range map[string]string{row.Ability: w.bearer(cid, row.Ability, w.mine()), "*": w.bearer(all, row.Ability, w.mine())} {
			if got, said := ask(full, key); got != own {
				t.Errorf("GET %s with a capability for %s: %d %.300s, the agent itself %d", full, what, got, said, own)
			}
		}
	}
	if asked < 60 || private < 8 || covered < 12 {
		t.Errorf("%d endpoints were asked, of which %d show bo what is private and %d are the agent's: the table has shrunk", asked, private, covered)
	}
	t.Logf("%d endpoints, %d with private things, %d of the agent", asked, private, covered)
}

// The same of every tool that only reads, and of every resource, by MCP.
func TestCapabilityReadsNothingByMCP(t *testing.T) {
	t.Parallel()
	w := newRefusalWorld(t)
	secret := w.private()
	args := fields{"agent_id": w.ids["bo"], "id": secret.entry, "entry_id": secret.entry, "team_id": secret.team, "guild_id": secret.team, "bounty_id": strings.TrimPrefix(w.open(nil), "/api/mesh/bounties/"),
		"query": privateWord, "q": privateWord, "content": privateWord, "type": "gotcha", "domain": "go", "source": hall, "code": hall, "name": "glowing", "trait": "glowing",
		"description": "a lamp", "target": "web", "prompt": "a lamp", "to": "hs", "job_id": "a-name-nobody-guesses",
		"doc": secret.team + ".zone/den", "at": "0.5,0.5,0.5", "of": secret.team}
	uris := map[string]string{"mesh://entry/": secret.entry, "mesh://agent/": w.ids["bo"], "mesh://guild/": secret.team, "mesh://bounty/": args["bounty_id"].(string), "mesh://feed/": "go",
		"lang://artefact/": strings.Repeat("0", 64), "lang://example/": "hello.holo", "lang://reference/": "traits"}
	lent := w.want(w.lend(w.keys["bo"], fields{"can": []string{ucan.VoteCast}}), 201, "").json["cid"].(string)
	say := func(key, method string, params fields) string {
		a := ask{key: key, header: map[string]string{}}
		raw := w.send(a, http.MethodPost, "/mcp?toolsets=all", encode(t, fields{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})).Body.String()
		if _, data, ok := strings.Cut(raw, "\ndata: "); ok {
			return data
		}
		return strings.TrimPrefix(raw, "data: ")
	}
	private := 0
	if made := say(w.keys["bo"], "tools/call", fields{"name": "compile_source", "arguments": fields{"code": "// " + privateWord + "\nobject a { }", "target": "source", "job_id": args["job_id"]}}); !strings.Contains(made, privateWord) {
		t.Fatalf("a compile does not show its source: %.300s", made)
	}
	held := func(what, method string, params fields) {
		t.Helper()
		nobody, got := say("", method, params), say(w.bearer(lent, ucan.VoteCast, w.mine()), method, params)
		if strings.Contains(got, privateWord) && !strings.Contains(nobody, privateWord) {
			t.Errorf("%s reads what is private: %.300s", what, got)
		}
	}
	var list struct {
		Result struct {
			Tools []struct {
				Name        string
				Annotations struct{ ReadOnlyHint bool }
				InputSchema struct {
					Required   []string
					Properties map[string]any
				}
			}
			Resources         []struct{ URI string }
			ResourceTemplates []struct{ URITemplate string }
		}
	}
	tools := 0
	must(t, json.Unmarshal([]byte(say(w.keys["bo"], "tools/list", fields{})), &list))
	for _, tool := range list.Result.Tools {
		if !tool.Annotations.ReadOnlyHint {
			continue
		}
		tools++
		with := fields{}
		if tool.InputSchema.Properties["team_id"] != nil {
			with["team_id"] = secret.team
		}
		for _, name := range tool.InputSchema.Required {
			if with[name] = args[name]; with[name] == nil {
				t.Errorf("the tool %s asks for %s, which is new; say what stands for it", tool.Name, name)
			}
		}
		params := fields{"name": tool.Name, "arguments": with}
		if strings.Contains(say(w.keys["bo"], "tools/call", params), privateWord) {
			private++
		}
		held("the tool "+tool.Name, "tools/call", params)
	}
	must(t, json.Unmarshal([]byte(say(w.keys["bo"], "resources/templates/list", fields{})), &list))
	for _, r := range list.Result.ResourceTemplates {
		prefix, _, _ := strings.Cut(r.URITemplate, "{")
		if uris[prefix] == "" {
			t.Errorf("%s is new; say what stands for its variable", r.URITemplate)
		}
		held(r.URITemplate, "resources/read", fields{"uri": prefix + uris[prefix]})
	}
	if tools < 10 || private < 5 || len(list.Result.ResourceTemplates) < 5 {
		t.Errorf("%d tools that read, %d of them private things, %d resources: the table has shrunk", tools, private, len(list.Result.ResourceTemplates))
	}
	t.Logf("%d tools, %d with private things, %d resources", tools, private, len(list.Result.ResourceTemplates))
}
