package rest_test

import (
	"fmt"
	"strings"
	"testing"
)

// memory is a document of a world.
type memory struct {
	w  *teamWorld
	id string
}

func (m memory) ops(who string, status int, code string, ops ...any) map[string]any {
	m.w.t.Helper()
	return m.w.as(who, "POST", "/api/crdt/"+m.id+"/ops", map[string]any{"ops": ops}, status, code)
}

func (m memory) state(who string) map[string]any {
	m.w.t.Helper()
	return m.w.as(who, "GET", "/api/crdt/"+m.id+"/state", nil, 200, "")["state"].(map[string]any)
}

func op(typ, key, action string, more ...any) map[string]any {
	out := map[string]any{"type": typ, "key": key}
	if action != "" {
		out["action"] = action
	}
	for i := 0; i < len(more); i += 2 {
		out[more[i].(string)] = more[i+1]
	}
	return out
}

func TestMemoryOfAnAgent(t *testing.T) {
	t.Parallel()
	w := newTeamWorld(t)
	w.agent("ada")
	w.agent("bo")
	m := memory{w, w.ids["ada"] + ".notes%2Ftoday"}
	if got := encode(t, m.state("bo")); got != `{"lists":{},"sets":{},"texts":{},"values":{}}` {
		t.Errorf("before anything: %s", got)
	}
	r := m.ops("ada", 200, "", op("lww", "name", "", "value", "Ada"), op("lww", "n", "", "value", 9007199254740993), op("lww", "deep", "", "value", map[string]any{"a": []any{true, nil, 1}}),
		op("or-set", "tags", "add", "value", "go"), op("or-set", "tags", "add", "value", "css"), op("or-set", "tags", "add", "value", "go"),
		op("list", "todo", "insert", "value", "second"), op("list", "todo", "insert", "index", 0, "value", "first"), op("list", "todo", "insert", "value", "third"),
		op("text", "log", "insert", "text", "Hällo world"))
	want := `{"lists":{"todo":["first","second","third"]},"sets":{"tags":["css","go"]},"texts":{"log":"Hällo world"},"values":{"deep":{"a":[true,null,1]},"n":9007199254740993,"name":"Ada"}}`
	if got := string(w.rawState("bo", m.id)); got != want {
		t.Errorf("state %s\nwant  %s", got, want)
	}
	if r["change"] == nil || r["version"] != 1.0 || r["doc"] != strings.ReplaceAll(m.id, "%2F", "/") {
		t.Errorf("reply %v", r)
	}
	vector := r["vector"].(string)
	m.ops("ada", 200, "", op("lww", "name", "", "value", nil), op("or-set", "tags", "remove", "value", "css"), op("list", "todo", "delete", "index", 1),
		op("list", "todo", "set", "index", 1, "value", "last"), op("text", "log", "delete", "index", 5, "length", 6), op("text", "log", "insert", "index", 1, "text", "-"))
	if got := encode(t, m.state("bo")); got != `{"lists":{"todo":["first","last"]},"sets":{"tags":["go"]},"texts":{"log":"H-ällo"},"values":{"deep":{"a":[true,null,1]},"n":9007199254740992}}` {
		t.Errorf("state %s", got) // the last digit is lost in this test's reader alone
	}
	// What the vector lacks is the second edit.
	for since, n := range map[string]int{"": 2, vector: 1, "00000000000000000000000000000000:7": 2} {
		r := w.as("bo", "GET", "/api/crdt/"+m.id+"/state?since="+since, nil, 200, "")
		if edits, _ := r["edits"].([]any); len(edits) != n && n > 0 {
			t.Errorf("since %q: %d edits, want %d", since, len(edits), n)
		}
	}
	if r := m.ops("ada", 200, "", op("lww", "n", "", "value", 9007199254740993)); r["change"] != nil || r["version"] != 2.0 {
		t.Errorf("what is so already is written: %v", r)
	}
	if r := m.ops("ada", 200, "", op("or-set", "tags", "add", "value", "go")); r["change"] == nil || r["version"] != 3.0 {
		t.Errorf("an addition of what is there already writes no tag, so that a removal elsewhere undoes it: %v", r)
	}
}

func (w *teamWorld) rawState(who, id string) []byte {
	w.t.Helper()
	r := w.want(w.do(apiCall{method: "GET", path: "/api/crdt/" + id + "/state", key: w.keys[who]}), 200, "")
	_, rest, _ := strings.Cut(string(r.raw), `"state":`)
	state, _, _ := strings.Cut(rest, `,"change"`)
	// The order of fields is that of the reply's type; of the test, the alphabet's.
	var parts [4]string
	for i, name := range []string{"lists", "sets", "texts", "values"} {
		at := strings.Index(state, `"`+name+`":`) + len(name) + 3
		depth, end := 0, at
		for ; end < len(state); end++ {
			depth += strings.Count("{[", state[end:end+1]) - strings.Count("}]", state[end:end+1])
			if depth == 0 {
				break
			}
		}
		parts[i] = `"` + name + `":` + state[at:end+1]
	}
	return []byte("{" + strings.Join(parts[:], ",") + "}")
}

// TestMemoryIsPublishedToReaders: a reader of one document receives its events alone, and a
// socket changes it too.
func TestMemoryIsPublishedToReaders(t *testing.T) {
	t.Parallel()
	w := newTeamWorld(t)
	w.agent("ada")
	w.agent("bo")
	l := liveOver(t, w.world)
	m, other := memory{w, w.ids["ada"] + ".notes"}, memory{w, w.ids["ada"] + ".other"}
	stream := l.stream("/api/crdt/"+m.id+"/events", w.keys["bo"], nil)
	if e := stream.next(); e.kind != "hello" {
		t.Fatalf("first %+v", e)
	}
	other.ops("ada", 200, "", op("lww", "k", "", "value", 1))
	change := m.ops("ada", 200, "", op("lww", "k", "", "value", 1))["change"]
	e := stream.next()
	if data, _ := e.data["data"].(map[string]any); e.kind != "doc.updated" || data["id"] != m.id || data["change"] != change {
		t.Errorf("received %+v", e)
	}
	s := l.socket("", w.keys["ada"])
	w.settle()
	s.send(obj{"id": "w", "type": "state-sync", "payload": obj{"doc": m.id, "ops": []any{op("lww", "k", "", "value", "by socket")}}})
	f := s.want("state-sync")
	vector, _ := f.Payload["result"].(obj)["vector"].(string)
	if f.ID != "w" || f.Payload["status"] != 200.0 || !strings.HasSuffix(vector, ":2") {
		t.Errorf("written: %+v", f)
	}
	s.send(obj{"id": "r", "type": "state-sync", "payload": obj{"doc": m.id, "since": strings.Replace(vector, ":2", ":1", 1)}})
	if f := s.want("state-sync"); len(f.Payload["result"].(obj)["edits"].([]any)) != 1 || encode(t, f.Payload["result"].(obj)["state"].(obj)["values"]) != `{"k":"by socket"}` {
		t.Errorf("read: %+v", f)
	}
	s.send(obj{"id": "x", "type": "state-sync", "payload": obj{"doc": w.ids["bo"] + ".notes", "ops": []any{op("lww", "k", "", "value", 1)}}})
	if f := s.want("state-sync"); f.Payload["error"].(obj)["code"] != "not_owner" {
		t.Errorf("another's: %+v", f)
	}
}

func TestMemoryRefusals(t *testing.T) {
	t.Parallel()
	w := newTeamWorld(t)
	for _, name := range []string{"ada", "bo"} {
		w.agent(name)
	}
	m := memory{w, w.ids["ada"] + ".notes"}
	good := op("lww", "k", "", "value", 1)
	m.ops("", 401, "auth_required", good)
	m.ops("bo", 403, "not_owner", good)
	m.ops("ada", 400, "missing_field")
	for name, bad := range map[string]any{
		"no object": 7, "no type": op("counter", "k", ""), "no key": op("lww", "", "", "value", 1), "long key": op("lww", strings.Repeat("k", 25), "", "value", 1),
		"odd key": op("lww", "a:b", "", "value", 1), "action of lww": op("lww", "k", "add", "value", 1), "no value": op("lww", "k", ""), "float": op("lww", "k", "", "value", 1.5),
		"huge": op("lww", "k", "", "value", 1e30), "long text": op("lww", "k", "", "value", strings.Repeat("a", 4097)), "beyond": op("list", "k", "delete", "index", 0),
		"negative": op("list", "k", "insert", "index", -1, "value", 1), "no index": op("list", "k", "delete"), "no text": op("text", "k", "insert"),
		"no length": op("text", "k", "delete", "index", 0), "beyond the text": op("text", "k", "delete", "index", 0, "length", 1), "null in a set": op("or-set", "k", "add", "value", nil),
		"deep": op("lww", "k", "", "value", []any{[]any{[]any{[]any{[]any{[]any{[]any{[]any{[]any{1}}}}}}}}}),
	} {
		if r := w.as("ada", "POST", "/api/crdt/"+m.id+"/ops", map[string]any{"ops": []any{good, bad}}, 422, "validation_failed"); r == nil {
			t.Errorf("%s goes through", name)
		}
	}
	m.ops("ada", 422, "secret_detected", op("lww", "k", "", "value", map[string]any{"of": leaked}))
	m.ops("ada", 422, "secret_detected", op("text", "k", "insert", "text", leaked))
	many := make([]any, 101)
	for i := range many {
		many[i] = good
	}
	m.ops("ada", 422, "validation_failed", many...)
	for id, code := range map[string]string{"notes": "not_found", "ada.notes": "not_found", w.ids["ada"] + ".No": "invalid_param", w.ids["ada"] + ".": "invalid_param",
		w.ids["ada"] + "." + strings.Repeat("a", 74): "invalid_param", w.ids["ada"] + ".a~2": "invalid_param"} {
		status := map[string]int{"not_found": 404, "invalid_param": 400}[code]
		memory{w, id}.ops("ada", status, code, good)
		w.as("ada", "GET", "/api/crdt/"+id+"/state", nil, status, code)
		w.as("ada", "GET", "/api/crdt/"+id+"/events", nil, status, code)
	}
	w.as("ada", "GET", "/api/crdt/"+m.id+"/state?since=x", nil, 400, "invalid_param")
	w.as("", "GET", "/api/crdt/"+m.id+"/state", nil, 401, "auth_required")
	m.ops("ada", 200, "", good)
	r := w.do(apiCall{method: "POST", path: "/api/crdt/" + m.id + "/ops", key: w.keys["ada"], body: encode(t, map[string]any{"ops": []any{good}}), header: map[string]string{"If-Match": "7"}})
	w.want(r, 412, "version_conflict")
}

func TestMemoryOfATeamMerges(t *testing.T) {
	t.Parallel()
	w := newTeamWorld(t)
	for _, name := range []string{"ada", "bo", "cy"} {
		w.agent(name)
	}
	team := w.found("ada", map[string]any{"name": "Night shift", "visibility": "private"})
	id := team[strings.LastIndex(team, "/")+1:]
	code := w.invite(team, fields{})["code"]
	w.as("bo", "POST", team+"/join", map[string]any{"invite_code": code}, 200, "")
	m := memory{w, id + ".plan"}
	m.ops("cy", 403, "not_a_member", op("lww", "k", "", "value", 1))
	w.as("cy", "GET", "/api/crdt/"+m.id+"/state", nil, 403, "not_a_member")
	for i := range 40 {
		who := []string{"ada", "bo"}[i%2]
		m.ops(who, 200, "", op("list", "all", "insert", "index", i/2, "value", i), op("or-set", "by", "add", "value", who), op("text", "log", "insert", "index", 0, "text", fmt.Sprint(i%10)))
	}
	s := m.state("ada")
	all := s["lists"].(map[string]any)["all"].([]any)
	want := []any{}
	for i := range 40 {
		want = append(want[:i/2], append([]any{float64(i)}, want[i/2:]...)...)
	}
	if encode(t, all) != encode(t, want) {
		t.Errorf("list %v\nwant %v", all, want)
	}
	if encode(t, s["sets"]) != `{"by":["ada","bo"]}` || len(s["texts"].(map[string]any)["log"].(string)) != 40 {
		t.Errorf("state %v", s)
	}
	vector := w.as("bo", "GET", "/api/crdt/"+m.id+"/state", nil, 200, "")["vector"].(string)
	if strings.Count(vector, ",") != 1 || strings.Count(vector, ":20") != 2 {
		t.Errorf("vector %s", vector)
	}
}
