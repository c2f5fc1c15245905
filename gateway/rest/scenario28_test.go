package rest_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/mcp"
	"github.com/meshd/meshd/gateway/rest"
	"github.com/meshd/meshd/gateway/service"
)

// spheres is a request of 145 bytes for 19,683 spheres of 64,768 triangles.
const spheres = `{"target":"usdz","code":"@for i in 0..27{@for j in 0..27{@for k in 0..27{object b{geometry:\"sphere\" segments:256 position:[i,j,k]}}}}"        }`

// hostileJob is a request that wants more than it may have, and what stops it: a
// refusal of the request, or a fault inside a run that goes on.
type hostileJob struct {
	kind, name, path string
	body             any
	code             string // of the refusal, or
	fault            string // of the run or tree
}

// hostileJobs spin, allocate, flood what they put out, and ask for addresses.
// mal is who sends them, target a listener of this machine.
func hostileJobs(t *testing.T, mal, target string) []hostileJob {
	t.Helper()
	var spheres28 map[string]any
	must(t, json.Unmarshal([]byte(spheres), &spheres28))
	differ := strings.Replace(spheres28["code"].(string), "segments:256", "segments:256 radius:i*729+j*27+k+1", 1)
	program := func(handler string) string {
		return `object "A" { state { n: 0, s: "", l: [] } on "update" { ` + handler + ` } }`
	}
	leaf := func(do string) fields {
		return fields{"tree": fields{"type": "action", "do": do}, "blackboard": fields{"n": 0}, "ticks": 10_000}
	}
	return []hostileJob{
		{"spin", "a loop in a run", "/api/vm/runs", program(`while (true) { state.n += 1 }`), "", "RUN001"},
		{"spin", "calls of calls in a run", "/api/vm/runs", `object "A" { function again() { this.again() } on "update" { this.again() } }`, "", "RUN002"},
		{"spin", "a loop in a leaf", "/api/bt/run", leaf(`while (true) { state.n += 1 }`), "", "RUN001"},
		{"spin", "loops of a source", "/api/compile", fields{"target": "godot", "code": differ}, "artifact_too_large", ""},
		{"spin", "loops of a picture", "/api/render", fields{"format": "gif", "code": differ}, "artifact_too_large", ""},
		{"allocate", "a text that doubles", "/api/vm/runs", program(`let s = "0123456789" for (const i of 0..60) { s = s + s } state.s = s`), "", "RUN007"},
		{"allocate", "a list that doubles", "/api/vm/runs", program(`let l = [1] for (const i of 0..60) { l = l.concat(l) } state.l = l`), "", "RUN007"},
		{"allocate", "meshes of a source", "/api/compile", fields{"target": "glb", "code": differ}, "artifact_too_large", ""},
		{"allocate", "a source beyond its length", "/api/compile", fields{"target": "glb", "code": strings.Repeat("x", 300_000)}, "body_too_large", ""},
		{"flood", "events of events in a run", "/api/vm/runs", `object "A" { on "update" { emit("s") } on "s" { emit("s") emit("s") } }`, "", `"busy":true`},
		{"flood", "lines of a leaf", "/api/bt/run", leaf(`while (true) { log("again and again and again") }`), "", "RUN001"},
		{"flood", "copies in an archive", "/api/compile", fields{"target": "usdz", "code": spheres28["code"]}, "artifact_too_large", ""},
		{"allocate", "a text of a document", "/api/crdt/" + mal + ".notes/ops", fields{"ops": []any{op("text", "body", "insert", "text", strings.Repeat("x", 200_000), "index", 0)}}, "validation_failed", ""},
		{"flood", "operations of a document", "/api/crdt/" + mal + ".notes/ops", fields{"ops": slices.Repeat([]any{op("lww", "k", "", "value", 1)}, 3_000)}, "validation_failed", ""},
		{"fetch", "an import of this machine", "/api/compile", fields{"target": "glb", "code": `import { X } from "` + target + `/x.hs"` + "\n" + `object "A" { geometry: "box" }`}, "source_invalid", ""},
	}
}

// Scenario 28: jobs of strangers that spin, allocate, flood their output or fetch
// addresses of this machine are stopped at their budgets, each with its code in the
// log and in the metrics, while another client is served as if they were not there.
// How long that takes depends on what else the machine does, and is reported only.
// Skills and absorb do not exist in this release; what runs strangers' work are
// compiles, pictures, hosted runs and the worker of documents.
func TestScenario28HostileJobs(t *testing.T) {
	const seed = 28
	beside := int64(6) // attacks under way while another client asks
	if os.Getenv("MESHD_NIGHTLY") == "1" {
		beside = 400
	}
	var asked atomic.Int64
	spy, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = spy.Close() })
	go func() {
		for {
			c, err := spy.Accept()
			if err != nil {
				return
			}
			asked.Add(1)
			_ = c.Close()
		}
	}()
	var log lines
	var mu sync.Mutex
	refused := map[string]int{}
	w := facing(t, newTown(t, nil).node, service.Config{Version: "1.2.3", Tools: mcp.Tools(), BaseURL: func() string { return base }},
		rest.Config{Public: true, Access: slog.New(slog.NewJSONHandler(&log, nil)), Refused: func(c reason.Code, gate string) {
			mu.Lock()
			defer mu.Unlock()
			refused[string(c)]++
		}})
	id, mal := w.register("mal", 1)
	_, bo := w.register("bo", 2)
	jobs := hostileJobs(t, id, "http://"+spy.Addr().String())

	// One job after another: what each allocates, and how it ends.
	want := map[string]int{}
	attack := func(j hostileJob, budget bool) {
		t.Helper()
		var r reply
		for starved := true; starved; {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r, starved = judged(func() reply { return w.attack(mal, j) })
			runtime.ReadMemStats(&after)
			if made := (after.TotalAlloc - before.TotalAlloc) >> 20; budget && made > 1024 {
				t.Fatalf("%s (%s): %d MiB were allocated", j.name, j.kind, made)
			}
		}
		if len(r.raw) > 4<<20 {
			t.Errorf("%s (%s): %d bytes came back", j.name, j.kind, len(r.raw))
		}
		if j.code != "" {
			if r.code() != j.code {
				t.Errorf("%s (%s): %d %q, want %q: %.300s", j.name, j.kind, r.StatusCode, r.code(), j.code, r.raw)
			} else if found := log.with(r.json["request_id"].(string)); len(found) != 1 || !strings.Contains(found[0], `"code":"`+j.code+`"`) {
				t.Errorf("%s (%s): the log says %q", j.name, j.kind, found)
			}
		} else if r.StatusCode != http.StatusOK || !strings.Contains(string(r.raw), j.fault) {
			t.Errorf("%s (%s): %d without %s: %.600s", j.name, j.kind, r.StatusCode, j.fault, r.raw)
		}
	}
	for _, j := range jobs {
		attack(j, true)
		want[j.code]++
	}
	for code, n := range want {
		mu.Lock()
		if code != "" && refused[code] < n {
			t.Errorf("%d refusals with %s are counted, want %d", refused[code], code, n)
		}
		mu.Unlock()
	}

	// All of them at once, again and again, and another client beside.
	calm := w.client(bo, 0, func(n int) bool { return n < 20 })
	stop := make(chan struct{})
	var storm sync.WaitGroup
	var attacks atomic.Int64
	for i := range 4 { // at a time: twice as many as there are places
		storm.Go(func() {
			for n := i; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				w.attack(mal, jobs[n%len(jobs)])
				attacks.Add(1)
			}
		})
	}
	busy := w.client(bo, 1, func(n int) bool { return n < 20 || attacks.Load() < beside })
	close(stop)
	storm.Wait()
	var now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&now)
	if alive := now.HeapAlloc >> 20; alive > 256 {
		t.Errorf("%d MiB are alive after it", alive)
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("an address of this machine was asked %d times", n)
	}
	attack(jobs[0], true) // and it still works
	t.Logf("scenario 28: %d kinds of hostile job stopped with their codes; beside %d of them another client was served %d of %d requests, p50 %v p99 %v (before: p50 %v p99 %v); 0 addresses asked (bar: stopped at their budget, refusal code in the log, the other client served; seed %d)",
		len(jobs), attacks.Load(), busy.served, busy.asked, busy.at(50), busy.at(99), calm.at(50), calm.at(99), seed)
}

// attack sends a hostile job; a run is begun, stepped and ended.
func (w *world) attack(key string, j hostileJob) reply {
	code, is := j.body.(string)
	if !is {
		return w.do(apiCall{method: "POST", path: j.path, key: key, body: encode(w.t, j.body)})
	}
	begun := w.run(key, fields{"code": code})
	id, _ := begun.json["id"].(string)
	if id == "" {
		return begun
	}
	defer w.do(apiCall{method: "DELETE", path: "/api/vm/runs/" + id, key: key})
	return w.step(key, id, fields{"ms": 1000})
}

// enough is the processor time within which everything here is answered, and the
// shortest of the limits of time that it is asked under.
const enough = 5 * time.Second

// judged asks, and reports whether the answer says nothing: a limit of time ended the
// request although this process had less than enough of the processors meanwhile, so
// other processes kept it from working. Who had enough and is late is too slow, and who
// is sent away at once was not late.
func judged(ask func() reply) (r reply, starved bool) {
	begun, used := time.Now(), processorTime()
	r = ask()
	switch reason.Code(r.code()) {
	case reason.Timeout, reason.CompileTimeout, reason.RenderTimeout, reason.Overloaded:
		return r, time.Since(begun) >= enough && processorTime()-used < enough
	}
	return r, false
}

// served is what a client got.
type served struct {
	asked, served int
	took          []time.Duration
}

func (s served) at(percent int) time.Duration {
	slices.Sort(s.took)
	return s.took[min(len(s.took)-1, len(s.took)*percent/100)].Round(100 * time.Microsecond)
}

// client asks for what others ask for, each of which must be given: to read, to
// write, to compile and to edit a document, as long as on says so.
func (w *world) client(key string, part int, on func(n int) bool) (s served) {
	w.t.Helper()
	for i := 0; on(i); i++ {
		ask := []apiCall{
			{method: "GET", path: "/api/mesh/feed"},
			{method: "POST", path: "/api/mesh/contribute", body: encode(w.t, contribution(fmt.Sprint("beside ", part, " ", i)))},
			{method: "POST", path: "/api/compile", body: encode(w.t, fields{"target": "glb", "code": fmt.Sprintf(`object "B%d" { geometry: "box" }`, i)})},
			{method: "PATCH", path: "/api/mesh/profile", body: encode(w.t, fields{"bio": fmt.Sprintf("I write %d lines.", i)})},
		}[i%4]
		ask.key = key
		begun := time.Now()
		r, starved := judged(func() reply { return w.do(ask) })
		if starved {
			continue
		}
		s.took = append(s.took, time.Since(begun))
		if s.asked++; r.StatusCode < 300 {
			s.served++
		} else {
			w.t.Errorf("%s %s beside hostile jobs: %d %.300s", ask.method, ask.path, r.StatusCode, r.raw)
		}
	}
	return s
}
