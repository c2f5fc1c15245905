package rest_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/gateway/limit"
)

const counter = `object "Lamp" {
  state { lit: false, taps: 0, luck: 0 }
  on "tap" { state.lit = !state.lit  state.taps += event ? 1 : 1  state.luck = random() }
  every 1s { state.luck = random() }
}`

func (w *world) run(key string, body map[string]any) reply {
	w.t.Helper()
	return w.do(apiCall{method: "POST", path: "/api/vm/runs", key: key, body: encode(w.t, body)})
}

func (w *world) step(key, id string, body map[string]any) reply {
	w.t.Helper()
	return w.do(apiCall{method: "POST", path: "/api/vm/runs/" + id + "/step", key: key, body: encode(w.t, body)})
}

// settings are the state of a run by key.
func settings(r reply) map[string]any {
	out := map[string]any{}
	for _, x := range r.json["state"].([]any) {
		s := x.(map[string]any)
		out[s["key"].(string)] = s["value"]
	}
	return out
}

// Two runs of one source with the same inputs have one trace.
func TestHostedRunsReplay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, key := w.register("ada", 1)
	_, other := w.register("bo", 2)
	var traces, logs []string
	for range 2 {
		first := w.want(w.run(key, map[string]any{"code": counter}), 201, "")
		id := first.json["id"].(string)
		if first.Header.Get("Location") != "/api/vm/runs/"+id || first.json["hz"] != 60.0 || first.json["status"] != "waiting" || !strings.HasPrefix(id, "run_") {
			t.Fatalf("begun: %s", first.raw)
		}
		w.want(w.step(key, id, map[string]any{"ms": 1500, "events": []any{map[string]any{"node": "Lamp", "name": "tap"}}}), 200, "")
		w.want(w.step(key, id, map[string]any{"ms": 10}), 200, "")
		w.want(w.step(key, id, map[string]any{"ms": 1490, "events": []any{map[string]any{"name": "tap", "payload": map[string]any{"x": []int{1}}}}}), 200, "")
		now := w.want(w.do(apiCall{method: "GET", path: "/api/vm/runs/" + id, key: key}), 200, "")
		state := settings(now)
		if now.json["time"] != 3.0 || now.json["steps"] != 180.0 || now.json["status"] != "waiting" || state["taps"] != 2.0 || state["lit"] != false || state["luck"] == 0.0 {
			t.Fatalf("after three seconds: %v %.2000s", state, now.raw)
		}
		log := now.json["replay"].(map[string]any)
		traces, logs = append(traces, log["trace_sha256"].(string)), append(logs, encode(t, log["inputs"]))
		for _, method := range []string{"GET", "DELETE"} {
			w.want(w.do(apiCall{method: method, path: "/api/vm/runs/" + id, key: other}), 404, "not_found")
		}
		w.want(w.step(other, id, map[string]any{"ms": 1}), 404, "not_found")
		w.want(w.do(apiCall{method: "DELETE", path: "/api/vm/runs/" + id, key: key}), 204, "")
		w.want(w.do(apiCall{method: "GET", path: "/api/vm/runs/" + id, key: key}), 404, "not_found")
	}
	if traces[0] != traces[1] || logs[0] != logs[1] || !strings.Contains(logs[0], `"ms":1500`) {
		t.Errorf("%v\n%v", traces, logs)
	}
}

func TestHostedRunRefusals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, key := w.register("ada", 1)
	_, other := w.register("bo", 2)
	w.want(w.run("", map[string]any{"code": counter}), 401, "auth_required")
	w.want(w.run(key, map[string]any{}), 400, "missing_field")
	w.want(w.run(key, map[string]any{"code": "object {"}), 422, "source_invalid")
	w.want(w.run(key, map[string]any{"code": counter, "bytecode": map[string]any{}}), 422, "validation_failed")
	w.want(w.run(key, map[string]any{"code": strings.Repeat("x", 262_145)}), 413, "body_too_large")
	w.want(w.run(key, map[string]any{"bytecode": map[string]any{"v": "program/2"}}), 422, "source_invalid")
	w.want(w.run(key, map[string]any{"bytecode": json.RawMessage(`{"v":"program/1","rates":{"spatial":60,"cognitive":5},"functions":[{"code":[42,1]}]}`)}), 422, "source_invalid")
	for kind, hz := range map[string][]int{"spatial": {0, 59, 91}, "cognitive": {0, 1, 11, 60}} {
		for _, n := range hz {
			r := w.want(w.run(key, map[string]any{"code": counter, "kind": kind, "hz": n}), 422, "hz_out_of_range")
			if d := r.json["details"].(map[string]any); d["min"] == nil || d["max"] == nil {
				t.Errorf("range: %s", r.raw)
			}
		}
	}
	var ids []string
	for _, body := range []map[string]any{{"code": counter}, {"code": counter, "hz": 90}, {"code": counter, "kind": "cognitive", "hz": 2},
		{"bytecode": json.RawMessage(`{"v":"program/1","seed":[1,2,3,4],"rates":{"spatial":60,"cognitive":5},"consts":[1],"functions":[{"owner":"scene","code":[0,0,51]}],"schedules":[{"fn":0,"every":1}]}`)}} {
		ids = append(ids, w.want(w.run(key, body), 201, "").json["id"].(string))
	}
	w.want(w.run(key, map[string]any{"code": counter}), 409, "limit_reached")
	w.want(w.run(other, map[string]any{"code": counter}), 201, "")
	if slow := w.want(w.step(key, ids[2], map[string]any{"ms": 2250}), 200, ""); slow.json["steps"] != 4.0 || slow.json["time"] != 2.0 {
		t.Errorf("two steps a second: %s", slow.raw)
	}
	w.want(w.step(key, ids[0], map[string]any{}), 400, "missing_field")
	w.want(w.step(key, ids[0], map[string]any{"ms": 0}), 422, "validation_failed")
	w.want(w.step(key, ids[0], map[string]any{"ms": 10_001}), 422, "validation_failed")
	for _, event := range []map[string]any{{}, {"name": strings.Repeat("n", 129)}, {"name": "tap", "node": "Moon"}, {"name": 3}} {
		w.want(w.step(key, ids[0], map[string]any{"ms": 1, "events": []any{event}}), 422, "validation_failed")
	}
	// Who asks for a run keeps it; the others end.
	w.clock.Add(9 * time.Minute)
	w.want(w.do(apiCall{method: "GET", path: "/api/vm/runs/" + ids[0], key: key}), 200, "")
	w.clock.Add(9 * time.Minute)
	w.want(w.do(apiCall{method: "GET", path: "/api/vm/runs/" + ids[1], key: key}), 404, "not_found")
	w.want(w.do(apiCall{method: "GET", path: "/api/vm/runs/" + ids[0], key: key}), 200, "")
	for range 3 {
		w.want(w.run(key, map[string]any{"code": counter}), 201, "")
	}
	w.want(w.run(key, map[string]any{"code": counter}), 409, "limit_reached")
}

// The log of a run has room for so many steps.
func TestHostedRunEndsWithItsLog(t *testing.T) {
	t.Parallel()
	w := newWorldWith(t, options{limits: limit.Config{Disabled: true}})
	_, key := w.register("ada", 1)
	id := w.want(w.run(key, map[string]any{"code": `object "A" {}`}), 201, "").json["id"].(string)
	for range 1000 {
		if r := w.step(key, id, map[string]any{"ms": 1}); r.StatusCode != 200 {
			t.Fatalf("%d %s", r.StatusCode, r.raw)
		}
	}
	w.want(w.step(key, id, map[string]any{"ms": 1}), 409, "limit_reached")
}

// Programs that want more than they may get end in time, and say so.
func TestHostileRunsEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, key := w.register("ada", 1)
	for name, body := range map[string]string{
		"loop":  `on "update" { while (true) { state.n += 1 } }`,
		"text":  `on "update" { state.s = "x"  for (const i of 0..40) { state.s = state.s + state.s } }`,
		"calls": `function again() { this.again() }  on "update" { this.again() }`,
		"storm": `on "update" { emit("storm") emit("storm") }  on "storm" { emit("storm") emit("storm") }`,
		"list":  `on "update" { state.s = [state.s, state.s, state.s, state.s].concat([0..9000])  while (state.s) { state.s = [state.s, state.s] } }`,
	} {
		id := w.want(w.run(key, map[string]any{"code": `object "A" { state { n: 0, s: "" } ` + body + ` }`}), 201, "").json["id"].(string)
		r := w.step(key, id, map[string]any{"ms": 1000})
		if r.StatusCode != 200 && r.code() != "timeout" || len(r.raw) > 4<<20 {
			t.Errorf("%s: %d, %d bytes: %.300s", name, r.StatusCode, len(r.raw), r.raw)
		}
		if r.StatusCode == 200 && r.json["faults"] == 0.0 && r.json["busy"] != true {
			t.Errorf("%s: nothing stopped it: %.500s", name, r.raw)
		}
		w.want(w.do(apiCall{method: "DELETE", path: "/api/vm/runs/" + id, key: key}), 204, "")
	}
}
