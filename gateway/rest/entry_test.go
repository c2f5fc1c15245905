package rest_test

import "testing"

// How sure an author is may be not at all, and readers see that number.
func TestConfidenceOfNothingIsShown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, key := w.register("ada", 1)
	for name, want := range map[string]any{"none": 0.0, "some": 0.25, "silent": 0.8} {
		body := contribution(name)
		if name != "silent" {
			body["confidence"] = want
		}
		id := w.want(w.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: key, body: encode(t, body)}), 201, "").json["id"].(string)
		shown := w.want(w.do(apiCall{method: "GET", path: "/api/mesh/entry/" + id, key: key}), 200, "").json["entry"].(map[string]any)
		if got, ok := shown["confidence"]; !ok || got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
		if _, ok := w.want(w.get("/api/mesh/entry/"+id), 200, "").json["entry"].(map[string]any)["confidence"]; ok {
			t.Errorf("%s: shown to who has no key", name)
		}
	}
}
