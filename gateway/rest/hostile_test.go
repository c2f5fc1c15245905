//go:build !race

// The race detector makes this ten times as long, and says nothing of the memory that is
// counted; bubbles want one processor under it.

package rest_test

import (
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
)

// TestShortRequestsCostLittle: what a source means is counted before any of it is
// made, whoever asks, for every target that makes much of it and for pictures. It is
// judged by what is made: in the bubble no time passes while there is work, so none
// of the limits of time ends a request on a machine that is busy with something else.
func TestShortRequestsCostLittle(t *testing.T) { synctest.Test(t, shortRequestsCostLittle) }

func shortRequestsCostLittle(t *testing.T) {
	w := newWorld(t)
	if len(spheres) != 145 {
		t.Fatalf("the request has %d bytes", len(spheres))
	}
	different := strings.Replace(spheres, "segments:256", "segments:256 radius:i*729+j*27+k+1", 1)
	body := func(of, target string) string { return strings.Replace(of, "usdz", target, 1) }
	for _, c := range []struct {
		name, path, body string
		status           int
	}{
		{"the request itself", "/api/compile", spheres, 422},
		{"usd", "/api/compile", body(spheres, "usd"), 422},
		{"obj", "/api/compile", body(spheres, "obj"), 422},
		{"layers", "/api/compile", body(spheres, "multi-layer"), 422},
		{"the still picture of a page", "/api/compile", body(spheres, "html"), 200},
		{"godot, of one mesh", "/api/compile", body(spheres, "godot"), 200},
		{"godot", "/api/compile", body(different, "godot"), 422},
		{"unity", "/api/compile", body(different, "unity"), 422},
		{"glb", "/api/compile", body(different, "glb"), 422},
		{"android", "/api/compile", body(different, "android"), 422},
		{"a picture", "/api/render", strings.Replace(spheres, `"target":"usdz",`, "", 1), 422},
		{"a plan", "/api/render", strings.Replace(spheres, `"target":"usdz",`, `"format":"svg",`, 1), 422},
		{"a turn", "/api/render", strings.Replace(spheres, `"target":"usdz",`, `"format":"gif",`, 1), 422},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := w.do(apiCall{method: "POST", path: c.path, body: c.body})
		runtime.ReadMemStats(&after)
		if r.StatusCode != c.status {
			t.Errorf("%s: %d %.300s", c.name, r.StatusCode, r.raw)
			continue
		}
		if c.status == 422 {
			d, _ := r.json["details"].(map[string]any)
			found, _ := d["diagnostics"].([]any)
			if r.json["code"] != "artifact_too_large" || !strings.Contains(string(r.raw), "LIM006") || len(found) == 0 {
				t.Errorf("%s: %.400s", c.name, r.raw)
			}
		}
		if made := (after.TotalAlloc - before.TotalAlloc) >> 20; made > 1024 {
			t.Errorf("%s: %d MiB were allocated in all", c.name, made)
		}
	}
}
