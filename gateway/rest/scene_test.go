package rest_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

// hall is a scene that parses.
const hall = "composition \"Hall\" {\n  object \"Lamp\" @glowing {\n    position: [0, 2, 0]\n  }\n}\n"

func (w *world) putScene(agent, key string, body map[string]any, header map[string]string) reply {
	w.t.Helper()
	return w.do(apiCall{method: "PUT", path: "/api/mesh/agent/" + agent + "/scene", key: key, body: encode(w.t, body), header: header})
}

func TestSceneIsKeptAndRead(t *testing.T) {
	t.Parallel()
	w, o := contractWorld(t)
	ada, path := o.ids["agent"], "/api/mesh/agent/"+o.ids["agent"]+"/scene"
	w.want(w.get(path), 404, "scene_not_found")
	first := w.want(w.putScene(ada, o.key, map[string]any{"format": "holo", "source": hall,
		"room": map[string]any{"name": "Ada's hall", "dimensions": []any{4.5, 3, 12}, "spatial_audio": true}}, nil), 201, "")
	if first.json["version"] != 1.0 || first.Header.Get("Location") != path {
		t.Fatalf("first: %v %s", first.Header, first.raw)
	}
	got := w.want(w.get(path), 200, "")
	room := got.json["room"].(map[string]any)
	if got.json["scene"].(map[string]any)["source"] != hall || room["name"] != "Ada's hall" || encode(t, room["dimensions"]) != "[4.5,3,12]" ||
		room["max_visitors"] != 50.0 || room["access"] != "public" || room["spatial_audio"] != true {
		t.Fatalf("read back: %s", got.raw)
	}
	if text := w.get(path + "?source=1"); string(text.raw) != hall || text.Header.Get("Content-Type") != "text/plain; charset=utf-8" || text.Header.Get("ETag") == got.Header.Get("ETag") {
		t.Fatalf("source alone: %v %q", text.Header, text.raw)
	}
	if kept := w.do(apiCall{method: "GET", path: path, header: map[string]string{"If-None-Match": got.Header.Get("ETag")}}); kept.StatusCode != 304 {
		t.Fatalf("not kept: %d", kept.StatusCode)
	}

	// The same again writes nothing; the tag of a version admits one writer.
	if same := w.want(w.putScene(ada, o.key, map[string]any{"source": hall}, nil), 200, ""); same.json["version"] != 1.0 {
		t.Fatalf("the same scene is another version: %s", same.raw)
	}
	tag := map[string]string{"If-Match": got.Header.Get("ETag")}
	w.want(w.putScene(ada, o.key, map[string]any{"source": hall + "// two\n"}, tag), 200, "")
	lost := w.want(w.putScene(ada, o.key, map[string]any{"source": hall + "// three\n"}, tag), 412, "version_conflict")
	if lost.json["details"].(map[string]any)["current_version"] != 2.0 {
		t.Fatalf("conflict: %s", lost.raw)
	}

	w.want(w.do(apiCall{method: "DELETE", path: path, key: o.key}), 204, "")
	w.want(w.get(path), 404, "scene_not_found")
	w.want(w.do(apiCall{method: "DELETE", path: path, key: o.key}), 404, "scene_not_found")
	if back := w.want(w.putScene(ada, o.key, map[string]any{"source": hall}, nil), 201, ""); back.json["version"] != 4.0 {
		t.Fatalf("versions began anew: %s", back.raw)
	}
}

func TestSceneRefusals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada, key := w.register("ada", 1)
	_, other := w.register("bo", 2)
	ok := map[string]any{"source": hall}
	w.want(w.putScene(ada, "", ok, nil), 401, "auth_required")
	w.want(w.putScene("nobody", key, ok, nil), 404, "agent_not_found")
	w.want(w.putScene(ada, other, ok, nil), 403, "not_owner")
	w.want(w.do(apiCall{method: "DELETE", path: "/api/mesh/agent/" + ada + "/scene", key: other}), 403, "not_owner")
	w.want(w.putScene(ada, key, map[string]any{}, nil), 400, "missing_field")
	w.want(w.putScene(ada, key, map[string]any{"source": hall, "format": "doc"}, nil), 422, "validation_failed")
	bad := w.want(w.putScene(ada, key, map[string]any{"source": "composition \"Hall\" {\n  object \"Lamp {\n"}, nil), 422, "source_invalid")
	found := bad.json["details"].(map[string]any)["diagnostics"].([]any)
	if d := found[0].(map[string]any); d["severity"] != "error" || d["line"] == 0.0 || d["code"] == "" {
		t.Fatalf("diagnostics: %s", bad.raw)
	}
	large := w.want(w.putScene(ada, key, map[string]any{"source": hall + "// " + strings.Repeat("x", 256<<10)}, nil), 413, "body_too_large")
	if large.json["details"].(map[string]any)["limit_bytes"] != 262144.0 {
		t.Errorf("limit: %s", large.raw)
	}
	w.want(w.putScene(ada, key, map[string]any{"source": hall + "// " + strings.Repeat("x", 1<<20)}, nil), 413, "body_too_large")
	w.want(w.putScene(ada, key, map[string]any{"source": hall, "scene": map[string]any{"v": 1}}, nil), 422, "validation_failed")
	circle := []any{map[string]any{"id": "a", "name": "A", "type": "group", "parent_id": "b"}, map[string]any{"id": "b", "name": "B", "type": "group", "parent_id": "a"}}
	round := w.want(w.putScene(ada, key, map[string]any{"scene": map[string]any{"v": 1, "nodes": circle}}, nil), 422, "scene_invalid")
	if round.json["details"].(map[string]any)["path"] != "nodes[0].parent_id" {
		t.Errorf("where: %s", round.raw)
	}
	nodes := []any{}
	for range 2001 {
		nodes = append(nodes, map[string]any{"name": "A", "type": "mesh"})
	}
	w.want(w.putScene(ada, key, map[string]any{"scene": map[string]any{"v": 1, "nodes": nodes}}, nil), 422, "scene_invalid")
	w.want(w.putScene(ada, key, map[string]any{"source": hall + "// token = ghp_" + strings.Repeat("a1B2", 9) + "\n"}, nil), 422, "secret_detected")
	var many strings.Builder
	for range 2001 {
		many.WriteString("object a{}\n")
	}
	w.want(w.putScene(ada, key, map[string]any{"source": many.String()}, nil), 422, "source_invalid")
	for name, room := range map[string]map[string]any{
		"name": {"name": strings.Repeat("n", 65)}, "description": {"description": strings.Repeat("d", 301)}, "access": {"access": "friends"},
		"dimensions": {"dimensions": []int{1, 2}}, "a side": {"dimensions": []int{1, 2, 1001}}, "no side": {"dimensions": []float64{1, 0.5, 1}},
		"visitors": {"max_visitors": 501}, "nobody": {"max_visitors": 0}, "type": {"name": 7}, "nul": {"name": "a\x00b"},
	} {
		if r := w.putScene(ada, key, map[string]any{"source": hall, "room": room}, nil); r.code() != "validation_failed" {
			t.Errorf("%s: %d %s", name, r.StatusCode, r.raw)
		}
	}
	w.want(w.get("/api/mesh/agent/ada/scene?source=2"), 400, "invalid_param")
}

// Whoever may not see a scene gets the answer that there is none.
func TestSceneAccess(t *testing.T) {
	t.Parallel()
	w, o := contractWorld(t)
	path := "/api/mesh/agent/" + o.ids["agent"] + "/scene"
	stranger, strangerKey := w.register("stranger", 7)
	sees := func(want map[string]bool) {
		t.Helper()
		for key, seen := range want {
			for _, p := range []string{path, path + "?source=1"} {
				r := w.do(apiCall{method: "GET", path: p, key: key})
				if (r.StatusCode == 200) != seen || !seen && (r.code() != "scene_not_found" || strings.Contains(string(r.raw), "Lamp")) {
					t.Errorf("%s by %q: %d %s", p, key, r.StatusCode, r.raw)
				}
			}
		}
	}
	access := func(class string) {
		t.Helper()
		if r := w.putScene(o.ids["agent"], o.key, map[string]any{"source": hall, "room": map[string]any{"access": class}}, nil); r.StatusCode >= 300 {
			t.Fatalf("%s: %d %s", class, r.StatusCode, r.raw)
		}
	}
	access("private")
	sees(map[string]bool{"": false, strangerKey: false, o.key: true})
	access("public")
	sees(map[string]bool{"": true, strangerKey: true, o.key: true})
	access("guild")
	sees(map[string]bool{"": false, strangerKey: false, o.key: true})
	w.want(w.do(apiCall{method: "POST", path: "/api/mesh/team/" + o.ids["guilds"] + "/members", key: o.key,
		body: encode(t, map[string]any{"agent_id": stranger})}), 200, "")
	sees(map[string]bool{"": false, strangerKey: true, o.key: true})
	// The page's word counts too, when it is the narrower one.
	w.want(w.do(apiCall{method: "PATCH", path: "/api/mesh/profile", key: o.key, body: `{"room":{"access":"private"}}`}), 200, "")
	sees(map[string]bool{"": false, strangerKey: false, o.key: true})
}

// A document takes 256 KiB; a scene goes on in the next one, and its version too.
// A source that does not fit one change comes back whole as well.
func TestSceneOutlivesItsDocument(t *testing.T) {
	t.Parallel()
	w, o := contractWorld(t)
	path := "/api/mesh/agent/" + o.ids["agent"] + "/scene"
	sizes := []int{45 << 10, 45<<10 + 1, 256 << 10, 45 << 10, 256 << 10, 45 << 10, 45 << 10, 45 << 10, 45 << 10, 45 << 10, 100 << 10}
	for i, size := range sizes {
		big := hall + "// " + strings.Repeat("é", (size-len(hall)-5)/2) + fmt.Sprint(i%10)
		big += strings.Repeat("\n", size-len(big))
		r := w.putScene(o.ids["agent"], o.key, map[string]any{"source": big, "room": map[string]any{"description": strings.Repeat("界", 300), "name": strings.Repeat("界", 64)}}, nil)
		if r.StatusCode >= 300 || r.json["version"] != float64(i+1) {
			t.Fatalf("write %d: %d %.300s", i, r.StatusCode, r.raw)
		}
		if got := w.get(path + "?source=1"); string(got.raw) != big {
			t.Fatalf("write %d is not what is read", i)
		}
	}
	w.want(w.do(apiCall{method: "DELETE", path: path, key: o.key}), 204, "")
	w.want(w.get(path), 404, "scene_not_found")
}

// A scene that is described is kept as text, and both are a page.
func TestSceneCompiles(t *testing.T) {
	t.Parallel()
	w, o := contractWorld(t)
	path := "/api/mesh/agent/" + o.ids["agent"] + "/scene"
	described := map[string]any{"v": 1, "metadata": map[string]any{"name": "Kitchen</script>"}, "nodes": []any{
		map[string]any{"id": "t", "name": "Table", "type": "mesh", "primitive": "box", "rotation": []int{0, 90, 0}, "parent_id": nil},
		map[string]any{"name": "Cup", "type": "mesh", "primitive": "cylinder", "parent_id": "t"},
	}}
	put := w.want(w.putScene(o.ids["agent"], o.key, map[string]any{"scene": described, "room": map[string]any{"access": "private"}}, nil), 201, "")
	source := put.json["scene"].(map[string]any)
	if source["format"] != "holo" || !strings.Contains(source["source"].(string), "object \"Cup\" {") {
		t.Fatalf("text: %s", put.raw)
	}
	page := func(key string) reply {
		return w.do(apiCall{method: "GET", path: path, key: key, header: map[string]string{"Accept": "text/html,application/xhtml+xml;q=0.9"}})
	}
	w.want(page(""), 404, "scene_not_found")
	got := page(o.key)
	sum := sha256.Sum256(got.raw)
	compiled := put.json["compiled"].(map[string]any)
	if got.StatusCode != 200 || got.Header.Get("Content-Type") != "text/html; charset=utf-8" || compiled["sha256"] != hex.EncodeToString(sum[:]) ||
		compiled["bytes"] != float64(len(got.raw)) || compiled["target"] != "html" || compiled["url"] != base+path {
		t.Fatalf("%d %v %v", got.StatusCode, got.Header, compiled)
	}
	if got.Header.Get("Content-Security-Policy") != "sandbox allow-scripts allow-pointer-lock" || !strings.Contains(got.Header.Get("Vary"), "Accept") ||
		!strings.Contains(string(got.raw), "default-src 'none'; script-src 'sha256-") || strings.Contains(string(got.raw), "Kitchen</script>") {
		t.Fatalf("policy: %v", got.Header)
	}
	if again := w.do(apiCall{method: "GET", path: path, key: o.key, header: map[string]string{"Accept": "text/html", "If-None-Match": got.Header.Get("ETag")}}); again.StatusCode != 304 {
		t.Errorf("page is not kept: %d", again.StatusCode)
	}
	// What parses but does not compile is refused, and nothing is written.
	bad := w.want(w.putScene(o.ids["agent"], o.key, map[string]any{"source": "composition \"A\" {\n  template \"T\" using \"T\" {}\n  object \"X\" using \"T\" {}\n}\n"}, nil), 422, "source_invalid")
	if len(bad.json["details"].(map[string]any)["diagnostics"].([]any)) == 0 {
		t.Errorf("diagnostics: %s", bad.raw)
	}
	if now := w.do(apiCall{method: "GET", path: path, key: o.key}); now.json["version"] != 1.0 {
		t.Errorf("a refused scene was written: %s", now.raw)
	}
}
