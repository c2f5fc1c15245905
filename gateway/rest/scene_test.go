package rest_test

import (
	"fmt"
	"strings"
	"testing"
)

// hall is a scene that parses.
const hall = "composition \"Hall\" {\n  object \"Lamp\" @glowing {\n    position: [0, 2, 0]\n  }\n}\n"

func (w *world) putScene(agent, key string, body map[string]any, header map[string]string) reply {
	w.t.Helper()
	return w.do(call{method: "PUT", path: "/api/mesh/agent/" + agent + "/scene", key: key, body: encode(w.t, body), header: header})
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
	if kept := w.do(call{method: "GET", path: path, header: map[string]string{"If-None-Match": got.Header.Get("ETag")}}); kept.StatusCode != 304 {
		t.Fatalf("not kept: %d", kept.StatusCode)
	}

	// The same again writes nothing; the tag of a version lets one writer in.
	if same := w.want(w.putScene(ada, o.key, map[string]any{"source": hall}, nil), 200, ""); same.json["version"] != 1.0 {
		t.Fatalf("the same scene is another version: %s", same.raw)
	}
	tag := map[string]string{"If-Match": got.Header.Get("ETag")}
	w.want(w.putScene(ada, o.key, map[string]any{"source": hall + "// two\n"}, tag), 200, "")
	lost := w.want(w.putScene(ada, o.key, map[string]any{"source": hall + "// three\n"}, tag), 412, "version_conflict")
	if lost.json["details"].(map[string]any)["current_version"] != 2.0 {
		t.Fatalf("conflict: %s", lost.raw)
	}

	w.want(w.do(call{method: "DELETE", path: path, key: o.key}), 204, "")
	w.want(w.get(path), 404, "scene_not_found")
	w.want(w.do(call{method: "DELETE", path: path, key: o.key}), 404, "scene_not_found")
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
	w.want(w.do(call{method: "DELETE", path: "/api/mesh/agent/" + ada + "/scene", key: other}), 403, "not_owner")
	w.want(w.putScene(ada, key, map[string]any{}, nil), 400, "missing_field")
	w.want(w.putScene(ada, key, map[string]any{"source": hall, "format": "doc"}, nil), 422, "validation_failed")
	bad := w.want(w.putScene(ada, key, map[string]any{"source": "composition \"Hall\" {\n  object \"Lamp {\n"}, nil), 422, "source_invalid")
	found := bad.json["details"].(map[string]any)["diagnostics"].([]any)
	if d := found[0].(map[string]any); d["severity"] != "error" || d["line"] == 0.0 || d["code"] == "" {
		t.Fatalf("diagnostics: %s", bad.raw)
	}
	w.want(w.putScene(ada, key, map[string]any{"source": hall + "// " + strings.Repeat("x", 45<<10)}, nil), 422, "change_too_large")
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

// Whoever a scene is not for is told that there is none.
func TestSceneAccess(t *testing.T) {
	t.Parallel()
	w, o := contractWorld(t)
	path := "/api/mesh/agent/" + o.ids["agent"] + "/scene"
	stranger, strangerKey := w.register("stranger", 7)
	sees := func(want map[string]bool) {
		t.Helper()
		for key, seen := range want {
			for _, p := range []string{path, path + "?source=1"} {
				r := w.do(call{method: "GET", path: p, key: key})
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
	w.want(w.do(call{method: "POST", path: "/api/mesh/team/" + o.ids["guilds"] + "/members", key: o.key,
		body: encode(t, map[string]any{"agent_id": stranger})}), 200, "")
	sees(map[string]bool{"": false, strangerKey: true, o.key: true})
	// The page's word counts too, when it is the narrower one.
	w.want(w.do(call{method: "PATCH", path: "/api/mesh/profile", key: o.key, body: `{"room":{"access":"private"}}`}), 200, "")
	sees(map[string]bool{"": false, strangerKey: false, o.key: true})
}

// A document takes 256 KiB; a scene goes on in the next one, and its version too.
func TestSceneOutlivesItsDocument(t *testing.T) {
	t.Parallel()
	w, o := contractWorld(t)
	path := "/api/mesh/agent/" + o.ids["agent"] + "/scene"
	for i := range 9 {
		big := hall + "// " + strings.Repeat(fmt.Sprint(i), 45<<10-len(hall)-4) + "\n"
		r := w.putScene(o.ids["agent"], o.key, map[string]any{"source": big, "room": map[string]any{"description": strings.Repeat("界", 300), "name": strings.Repeat("界", 64)}}, nil)
		if r.StatusCode >= 300 || r.json["version"] != float64(i+1) {
			t.Fatalf("write %d: %d %.300s", i, r.StatusCode, r.raw)
		}
		if got := w.get(path + "?source=1"); string(got.raw) != big {
			t.Fatalf("write %d is not what is read", i)
		}
	}
}
