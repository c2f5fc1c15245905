package rest_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/meshd/meshd/crdt/doc/automerge"
)

var (
	contractLong = flag.Bool("contract.long", false, "send every case to every operation, not a choice of them")
	contractSeed = flag.Uint64("contract.seed", 1, "of the choice of cases")
)

// TestMain serves documents when a node of these tests starts this program as
// its worker.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "doc-worker" {
		if automerge.ServeWorker(os.Stdin, os.Stdout) != nil {
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// operation is one operation of the API's description.
type operation struct {
	method, path string
	keyed        bool
	paths        []string // names of parameters in the path
	query        []param
	body         map[string]any // schema of the request, nil for none
	media        string         // of a request that is no JSON
	schemas      map[string]*jsonschema.Schema
	codes        map[string][]string // by status
}

type param struct {
	name   string
	schema map[string]any
}

var refusedCodes = regexp.MustCompile(`^Refused: (.+)$`)

// operations reads the description that the node serves of itself.
func operations(t *testing.T, raw []byte) []operation {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	must(t, err)
	compiler := jsonschema.NewCompiler()
	must(t, compiler.AddResource("openapi.json", document))
	var out []operation
	paths := document.(map[string]any)["paths"].(map[string]any)
	for at, item := range paths {
		for method, o := range item.(map[string]any) {
			described := o.(map[string]any)
			op := operation{method: strings.ToUpper(method), path: at, keyed: keyed(described["security"].([]any)),
				schemas: map[string]*jsonschema.Schema{}, codes: map[string][]string{}}
			params, _ := described["parameters"].([]any)
			for _, p := range params {
				m := p.(map[string]any)
				switch m["in"] {
				case "path":
					op.paths = append(op.paths, m["name"].(string))
				case "query":
					op.query = append(op.query, param{m["name"].(string), m["schema"].(map[string]any)})
				}
			}
			if body, ok := described["requestBody"].(map[string]any); ok {
				for media, content := range body["content"].(map[string]any) {
					if media == "application/json" {
						op.body = content.(map[string]any)["schema"].(map[string]any)
					} else {
						op.media = media
					}
				}
			}
			for status, r := range described["responses"].(map[string]any) {
				reply := r.(map[string]any)
				if m := refusedCodes.FindStringSubmatch(reply["description"].(string)); m != nil {
					op.codes[status] = strings.Split(m[1], ", ")
				}
				if content, _ := reply["content"].(map[string]any); content["application/json"] != nil {
					where := "openapi.json#/paths/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(at) + "/" + method +
						"/responses/" + status + "/content/application~1json/schema"
					op.schemas[status], err = compiler.Compile(strings.NewReplacer("{", "%7B", "}", "%7D").Replace(where))
					must(t, err)
				}
			}
			out = append(out, op)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].path+out[i].method < out[j].path+out[j].method })
	return out
}

// keyed reports whether every way to call an operation has a credential.
func keyed(security []any) bool {
	return !slices.ContainsFunc(security, func(way any) bool { return len(way.(map[string]any)) == 0 })
}

// judge says what is wrong with a reply to op, "" for nothing.
func (op operation) judge(c apiCall, r reply, canaries []string) string {
	status, anonymous := fmt.Sprint(r.StatusCode), c.key == ""
	if r.json == nil && strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		return "a JSON reply that is no object"
	}
	if r.StatusCode >= 400 {
		code := r.code()
		switch {
		case r.StatusCode == 405:
			if code != "method_not_allowed" || r.Header.Get("Allow") == "" {
				return "405 without its code or Allow"
			}
			return ""
		case code == "not_found" && !op.serves(c.path):
			return "" // another path
		case !slices.Contains(op.codes[status], code):
			return fmt.Sprintf("%s %q is not listed for the operation", status, code)
		case r.StatusCode == 500:
			return "a fault inside"
		}
	}
	if schema := op.schemas[status]; schema != nil && r.json != nil {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(r.raw))
		if err != nil {
			return err.Error()
		}
		if err := schema.Validate(v); err != nil {
			return "against its schema: " + err.Error()
		}
	}
	if made, _ := r.json["agent"].(map[string]any); made["api_key"] != nil {
		anonymous = false // a quickstart shows what the key in it may read
	}
	if anonymous {
		for _, c := range canaries {
			if bytes.Contains(r.raw, []byte(c)) {
				return "shows " + c + " to somebody without a key"
			}
		}
	}
	return ""
}

// serves reports whether a path goes to op: a bad parameter may make another one
// of it.
func (op operation) serves(target string) bool {
	target, _, _ = strings.Cut(target, "?")
	if path.Clean(target) != target || strings.Contains(target, "//") {
		return false
	}
	return strings.Count(target, "/") == strings.Count(op.path, "/")
}

// TestContract sends what clients should not send to every operation that the
// description names, for every field. No reply may be a fault, break its own
// schema, carry a code that is not listed, or show an anonymous caller what is
// not public.
func TestContract(t *testing.T) {
	t.Parallel()
	w, objects := contractWorld(t)
	ops := operations(t, w.get("/openapi.json").raw)
	random := rand.New(rand.NewPCG(*contractSeed, 1))
	sent, failures := 0, map[string]string{}
	for _, op := range ops {
		if op.path == "/mcp" || op.path == "/api/mesh/ws" {
			continue // another protocol, with tests of its own
		}
		alive := w.do(apiCall{method: "GET", path: "/api/mesh/me", key: objects.key}).StatusCode == 200
		if !alive || *contractLong && op.method != "GET" {
			w, objects = contractWorld(t) // what the last one broke is whole again
		}
		cases := op.cases(objects)
		if !*contractLong {
			random.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
			cases = cases[:min(len(cases), shortCases)]
		}
		for _, c := range cases {
			for _, key := range []string{"", objects.key} {
				c := c
				c.key = key
				r := w.do(c)
				sent++
				if fault := op.judge(c, r, objects.canaries); fault != "" {
					name := op.method + " " + op.path + ": " + fault
					if _, seen := failures[name]; !seen {
						failures[name] = fmt.Sprintf("%s %s key=%v header=%v\nbody %.300s\nreply %d %.500s", c.method, c.path, c.key != "", c.header, c.body, r.StatusCode, r.raw)
					}
				}
			}
		}
	}
	t.Logf("%d requests to %d operations, seed %d", sent, len(ops), *contractSeed)
	for _, name := range slices.Sorted(mapKeys(failures)) {
		t.Errorf("%s\n%s", name, failures[name])
	}
}

// shortCases is how many cases of an operation the everyday run chooses.
const shortCases = 24

// A judge that finds nothing proves nothing: it must see each kind of fault.
func TestContractJudge(t *testing.T) {
	t.Parallel()
	w, objects := contractWorld(t)
	ops := operations(t, w.get("/openapi.json").raw)
	at := slices.IndexFunc(ops, func(o operation) bool { return o.path == "/api/mesh/feed" && o.method == "GET" })
	op, good := ops[at], w.get("/api/mesh/feed")
	if fault := op.judge(apiCall{path: op.path}, good, objects.canaries); fault != "" {
		t.Fatal(fault)
	}
	change := func(f func(r *reply)) reply {
		r := w.get("/api/mesh/feed")
		f(&r)
		if raw, err := json.Marshal(r.json); err == nil && r.json != nil {
			r.raw = raw
		}
		return r
	}
	for name, r := range map[string]reply{
		"schema":  change(func(r *reply) { r.json["count"] = "three" }),
		"missing": change(func(r *reply) { delete(r.json, "has_more") }),
		"canary":  change(func(r *reply) { r.json["next_cursor"] = objects.canaries[0] }),
		"code":    change(func(r *reply) { r.StatusCode, r.json = 404, map[string]any{"code": "entry_not_found"} }),
		"fault":   change(func(r *reply) { r.StatusCode, r.json = 500, map[string]any{"code": "internal"} }),
	} {
		if op.judge(apiCall{path: op.path}, r, objects.canaries) == "" {
			t.Errorf("%s goes unseen", name)
		}
	}
}

// cases are the requests to an operation: a good one, and each field of it
// turned bad.
func (op operation) cases(o contractObjects) []apiCall {
	good := apiCall{method: op.method, path: o.fill(op.path), header: map[string]string{}}
	body := map[string]any{}
	if op.body != nil {
		body = o.example(op.path, op.body)
		good.body = mustJSON(body)
	}
	out := []apiCall{good}
	with := func(f func(c *apiCall)) {
		c := good
		c.header = map[string]string{}
		f(&c)
		out = append(out, c)
	}
	for _, name := range op.paths {
		for _, v := range badTexts {
			with(func(c *apiCall) {
				c.path = strings.ReplaceAll(o.fill(strings.ReplaceAll(op.path, "{"+name+"}", "\x00")), "\x00", strings.ReplaceAll(url.PathEscape(v), "%2F", "/"))
			})
		}
	}
	for _, p := range op.query {
		for _, v := range append(valuesOf(p.schema), badTexts...) {
			with(func(c *apiCall) { c.path += "?" + url.Values{p.name: {v}}.Encode() })
		}
		with(func(c *apiCall) { c.path += "?" + p.name + "=a&" + p.name + "=b" })
		with(func(c *apiCall) { c.path += "?" + p.name + "=%ff%fe" })
		with(func(c *apiCall) { c.path += "?" + p.name })
	}
	with(func(c *apiCall) { c.path += "?min_seq=18446744073709551616&wait=peers:9&%00=%00" })
	if op.body != nil {
		properties, _ := op.body["properties"].(map[string]any)
		for _, name := range slices.Sorted(mapKeys(properties)) {
			for _, v := range badValues(properties[name].(map[string]any)) {
				with(func(c *apiCall) { c.body = mustJSON(changed(body, name, v)) })
			}
			with(func(c *apiCall) { c.body = mustJSON(without(body, name)) })
			with(func(c *apiCall) { c.body = `{"` + name + `":1,"` + name + `":2}` })
		}
		for _, raw := range brokenBodies {
			with(func(c *apiCall) { c.body = raw })
		}
		with(func(c *apiCall) { c.header["Content-Type"] = "text/plain" })
		with(func(c *apiCall) { c.header["Content-Type"] = "application/json; charset=\"" })
	}
	if op.media != "" {
		for _, raw := range append(brokenBytes, brokenBodies...) {
			with(func(c *apiCall) { c.body, c.header["Content-Type"] = raw, op.media })
		}
		with(func(c *apiCall) { c.body = "{}" })
	}
	for _, h := range badHeaders {
		with(func(c *apiCall) { c.header[h[0]] = h[1] })
	}
	for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "MESH"} {
		if method != op.method && !(op.method == "GET" && method == "HEAD") {
			with(func(c *apiCall) {
				c.method, c.body = method, ""
				if o.has(method, op.path) {
					c.method = "MESH"
				}
			})
		}
	}
	return out
}
