package rest_test

import (
	"strings"
	"testing"
)

// dim is a scene in which something is lost: a setting nobody knows, a constant that is not
// used and code that does not run.
const dim = "composition \"Hall\" {\n  const spare = 3\n  object \"Post\" {\n    geometry: \"box\"\n    rougness: 0.4\n    on_start { let m = new Widget() log m }\n  }\n}\n"

// TestFindingsOfASource: what building a scene and compiling its program finds is found by
// the rows and tools that read a source, as by a compile; what is wrong with its meaning
// does not make it unreadable.
func TestFindingsOfASource(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	codes := func(path string, body map[string]any) string {
		t.Helper()
		r := w.want(w.do(apiCall{method: "POST", path: path, body: encode(t, body)}), 200, "")
		var out []string
		for _, key := range []string{"errors", "warnings", "hints"} {
			for _, d := range r.json[key].([]any) {
				out = append(out, d.(map[string]any)["code"].(string))
			}
		}
		return strings.Join(out, " ")
	}
	const want = "BLK002 FLO012 NAM008 LNT015"
	for _, path := range []string{"/api/parse", "/api/validate"} {
		for _, body := range []map[string]any{{"code": dim}, {"files": map[string]any{"main.holo": dim, "b.hsplus": "export let x = 1\n"}, "entry": "main.holo"}} {
			if got := codes(path, body); got != want {
				t.Errorf("%s %v: %s, want %s", path, body, got, want)
			}
		}
		if got := codes(path, map[string]any{"code": "@for i in 0..3000000 { object \"a\" { } }"}); !strings.HasPrefix(got, "LIM008") {
			t.Errorf("%s of a source that means too much: %s", path, got)
		}
	}
	compiled := w.want(w.do(apiCall{method: "POST", path: "/api/compile", body: encode(t, map[string]any{"code": dim, "target": "html"})}), 200, "")
	for _, code := range strings.Fields(want) {
		if strings.Count(string(compiled.raw), `"code":"`+code+`"`) == 0 {
			t.Errorf("a compile does not report %s: %.900s", code, compiled.raw)
		}
	}

	wrong := map[string]any{"code": "let n: number = \"x\"\nexport { n }\n", "format": "hsplus"}
	r := w.want(w.do(apiCall{method: "POST", path: "/api/parse", body: encode(t, wrong)}), 200, "")
	if r.json["success"] != true || len(r.json["errors"].([]any)) != 1 {
		t.Errorf("%.900s", r.raw)
	}
	wrong["strict"] = true
	if r := w.want(w.do(apiCall{method: "POST", path: "/api/parse", body: encode(t, wrong)}), 200, ""); r.json["success"] != false {
		t.Errorf("strict: %.900s", r.raw)
	}
	delete(wrong, "strict")
	wrong["target"] = "source"
	if r := w.want(w.do(apiCall{method: "POST", path: "/api/compile", body: encode(t, wrong)}), 200, ""); !strings.Contains(r.json["output"].(string), "let n") {
		t.Errorf("%.900s", r.raw)
	}
	wrong["target"] = "glb"
	w.want(w.do(apiCall{method: "POST", path: "/api/compile", body: encode(t, wrong)}), 422, "source_invalid")
}
