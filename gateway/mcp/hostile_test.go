//go:build !race

// The race detector makes this ten times as long, and says nothing of the memory that is
// counted; bubbles want one processor under it.

package mcp_test

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestShortCallsCostLittle is the request of 145 bytes that used to take all
// memory, as a call of a tool. No time passes in the bubble while there is work, so
// none of the limits of time ends a call on a machine that is busy.
func TestShortCallsCostLittle(t *testing.T) { synctest.Test(t, shortCallsCostLittle) }

func shortCallsCostLittle(t *testing.T) {
	w := newWorld(t)
	s := w.dial(modern, "")
	const spheres = `@for i in 0..27{@for j in 0..27{@for k in 0..27{object b{geometry:"sphere" segments:256 position:[i,j,k]}}}}`
	for _, c := range []struct {
		tool string
		args map[string]any
	}{
		{"compile_source", map[string]any{"code": spheres, "target": "usdz"}},
		{"compile_source", map[string]any{"code": spheres, "target": "multi-layer"}},
		{"compile_source", map[string]any{"code": strings.Replace(spheres, "256", "256 radius:i*729+j*27+k+1", 1), "target": "unity"}},
		{"render_scene", map[string]any{"code": spheres}},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		p := &sdk.CallToolParams{Name: c.tool, Arguments: c.args}
		p.SetProgressToken("waits") // or what takes long is a job
		out, ok := callWith(t, s, p)
		runtime.ReadMemStats(&after)
		raw, err := json.Marshal(out)
		must(t, err)
		if ok || out["code"] != "artifact_too_large" || !strings.Contains(string(raw), "LIM006") {
			t.Errorf("%s %v: %.300s", c.tool, c.args["target"], raw)
		}
		if made := (after.TotalAlloc - before.TotalAlloc) >> 20; made > 1024 {
			t.Errorf("%s %v: %d MiB were allocated in all", c.tool, c.args["target"], made)
		}
	}
}
