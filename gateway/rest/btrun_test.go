package rest_test

import (
	"encoding/json"
	"strings"
	"testing"
)

func (w *world) tree(key string, body map[string]any) reply {
	w.t.Helper()
	return w.do(apiCall{method: "POST", path: "/api/bt/run", key: key, body: encode(w.t, body)})
}

// eater eats while it is hungry, and then rests for a second.
var eater = fields{"type": "sequence", "children": []any{
	fields{"type": "selector", "name": "sated", "children": []any{
		fields{"type": "condition", "check": "state.hunger <= 0"},
		fields{"type": "action", "do": "state.hunger -= 1 // a bite\nif (state.hunger > 0) { return \"running\" }"},
	}},
	fields{"type": "wait", "duration": 1},
	fields{"type": "action", "do": "state.plan = [state.plan[0], \"slept\"]; return state.well"},
}}

func TestBehaviourTreesRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, key := w.register("ada", 1)
	board := func(well bool) fields { return fields{"hunger": 3, "plan": []string{"eat"}, "well": well} }
	for _, c := range []struct {
		ticks  int
		well   bool
		status string
		made   float64
		plan   string
	}{
		{2, true, "running", 2, `["eat"]`},
		{10_000, true, "success", 13, `["eat","slept"]`}, // three bites and a second of ten ticks
		{10_000, false, "failure", 13, `["eat","slept"]`},
	} {
		r := w.want(w.tree(key, fields{"tree": eater, "blackboard": board(c.well), "ticks": c.ticks}), 200, "")
		after := r.json["blackboard"].(fields)
		if r.json["status"] != c.status || r.json["ticks"] != c.made || encode(t, after["plan"]) != c.plan {
			t.Errorf("%+v: %s", c, r.raw)
		}
	}
	one := w.want(w.tree(key, fields{"tree": eater, "blackboard": board(true)}), 200, "")
	var seen []string
	for _, x := range one.json["trace"].([]any) {
		v := x.(fields)
		seen = append(seen, v["node"].(string)+":"+v["type"].(string)+":"+v["result"].(string))
	}
	if got := strings.Join(seen, " "); got != "0.0:condition:failure 0.1:action:running 0:selector:running :sequence:running" {
		t.Errorf("one tick visits %s", got)
	}
	if e := one.json["effects"].([]any); len(e) != 1 || e[0].(fields)["name"] != "hunger" || e[0].(fields)["value"] != 2.0 {
		t.Errorf("effects of a tick: %s", one.raw)
	}
	again := w.want(w.tree(key, fields{"tree": eater, "blackboard": board(true)}), 200, "")
	if string(again.raw) != string(one.raw) {
		t.Errorf("the same request gave\n%s and\n%s", one.raw, again.raw)
	}
}

func TestBehaviourTreesOfSources(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, key := w.register("ada", 1)
	source := `object "Guard" { state { n: 0 } function look() { state.n += 1; return state.n > 2 }
  behavior_tree { tick_rate: 60; root: retry { times: 5; children: [ action { call: look } ] } } }`
	r := w.want(w.tree(key, fields{"tree": source, "ticks": 10}), 200, "")
	if r.json["status"] != "success" || r.json["ticks"] != 3.0 || r.json["blackboard"].(fields)["n"] != 3.0 {
		t.Errorf("three looks: %s", r.raw)
	}
	r = w.want(w.tree(key, fields{"tree": source, "ticks": 10, "blackboard": fields{"n": -10}}), 200, "")
	if r.json["status"] != "failure" || r.json["ticks"] != 5.0 || r.json["blackboard"].(fields)["n"] != -5.0 {
		t.Errorf("five looks of ten: %s", r.raw)
	}
	w.want(w.tree(key, fields{"tree": source, "blackboard": fields{"m": 1}}), 422, "validation_failed")
	w.want(w.tree(key, fields{"tree": source + strings.ReplaceAll(source, "Guard", "Other")}), 422, "source_invalid")
	w.want(w.tree(key, fields{"tree": `object "Guard" { }`}), 422, "source_invalid")
}

func TestBehaviourTreeRefusals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, key := w.register("ada", 1)
	leaf := fields{"type": "wait", "duration": 1}
	deep := any(leaf)
	for range 12 {
		deep = fields{"type": "inverter", "children": []any{deep}}
	}
	w.want(w.tree(key, fields{"tree": deep}), 200, "")
	w.want(w.tree("", fields{"tree": leaf}), 401, "auth_required")
	w.want(w.tree(key, fields{}), 400, "missing_field")
	w.want(w.tree(key, fields{"tree": "object {"}), 422, "source_invalid")
	w.want(w.tree(key, fields{"tree": strings.Repeat("x", 262_145)}), 413, "body_too_large")
	many := make([]any, 1000)
	for i := range many {
		many[i] = leaf
	}
	for name, body := range map[string]fields{
		"ticks":     {"tree": leaf, "ticks": 10_001},
		"no ticks":  {"tree": leaf, "ticks": 0},
		"type":      {"tree": fields{"type": "teapot"}},
		"field":     {"tree": fields{"type": "wait", "duration": 1, "colour": "red"}},
		"children":  {"tree": fields{"type": "sequence"}},
		"leaf":      {"tree": fields{"type": "wait", "duration": 1, "children": []any{leaf}}},
		"duration":  {"tree": fields{"type": "wait", "duration": -1}},
		"long":      {"tree": fields{"type": "wait", "duration": 86_401}},
		"no check":  {"tree": fields{"type": "condition"}},
		"times":     {"tree": fields{"type": "retry", "times": 0, "child": leaf}},
		"policy":    {"tree": fields{"type": "parallel", "policy": "some", "children": []any{leaf}}},
		"nodes":     {"tree": fields{"type": "sequence", "children": many}},
		"key":       {"tree": leaf, "blackboard": fields{"a b": 1}},
		"key code":  {"tree": leaf, "blackboard": fields{"a: 1 } on \"tap\" {": 1}},
		"board":     {"tree": leaf, "blackboard": fields{"text": strings.Repeat("x", 64<<10)}},
		"no object": {"tree": leaf, "blackboard": []int{1}},
	} {
		if r := w.tree(key, body); r.StatusCode != 422 || r.json["code"] != "validation_failed" {
			t.Errorf("%s: %d %.300s", name, r.StatusCode, r.raw)
		}
	}
	w.want(w.tree(key, fields{"tree": fields{"type": "retry", "children": []any{leaf, leaf}}}), 422, "source_invalid")
	w.want(w.tree(key, fields{"tree": fields{"type": "condition", "check": "state."}}), 422, "source_invalid")
}

// A tree that would never end is ended by the limits of hosted runs, and what it
// reports is bounded.
func TestHostileBehaviourTreesEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, key := w.register("ada", 1)
	spin := w.want(w.tree(key, fields{"tree": fields{"type": "action", "do": "while (true) { state.n += 1 }"}, "blackboard": fields{"n": 0}}), 200, "")
	if spin.json["status"] != "failure" || spin.json["blackboard"].(fields)["n"] != 0.0 || !strings.Contains(string(spin.raw), "RUN001") {
		t.Errorf("an endless action: %s", spin.raw)
	}
	wide := make([]any, 500)
	for i := range wide {
		wide[i] = fields{"type": "wait", "duration": 100}
	}
	r := w.want(w.tree(key, fields{"tree": fields{"type": "parallel", "children": wide}, "ticks": 20}), 200, "")
	if n := len(r.json["trace"].([]any)); n != 2000 || r.json["dropped"] != 20.0*501-2000 {
		t.Errorf("%d visits reported, %v dropped", n, r.json["dropped"])
	}
	big := w.want(w.tree(key, fields{"tree": fields{"type": "action", "do": "state.s = state.s + state.s; return \"running\""}, "blackboard": fields{"s": "xx"}, "ticks": 200}), 200, "")
	if len(big.raw) > 2<<20 || !json.Valid(big.raw) {
		t.Errorf("a reply of %d bytes", len(big.raw))
	}
}
