package run_test

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/run/tracetest"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
)

var update = flag.Bool("update", false, "write the traces anew")

const (
	examples    = "../../examples"
	traces      = "testdata/traces"
	interpreter = "../target/bundle/testdata/interpreter.mjs" // as it was built
)

// traceCase is a stored trace: a program, what happens to it, and what it does.
type traceCase struct {
	Nodes   []traceNode     `json:"nodes"`
	Program json.RawMessage `json:"program"`
	Steps   int             `json:"steps"`
	Long    bool            `json:"long,omitempty"`
	Events  []traceEvent    `json:"events"`
	Trace   json.RawMessage `json:"trace"`
}

type traceNode struct {
	ID     string          `json:"id"`
	Parent string          `json:"parent"`
	Name   string          `json:"name"`
	Props  json.RawMessage `json:"props"`
}

type traceEvent struct {
	Step    int             `json:"step"`
	Node    string          `json:"node"`
	Name    string          `json:"name"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// newCase makes a case of a compiled source. Every event that a handler waits
// for is raised once, some steps apart.
func newCase(t testing.TB, c *run.Compiled, steps int) *traceCase {
	t.Helper()
	program, err := c.Program.Encode()
	if err != nil {
		t.Fatal(err)
	}
	k := &traceCase{Nodes: nodesOf(c), Program: program, Steps: steps, Events: []traceEvent{}}
	seen := map[string]bool{}
	own := map[string]string{} // the first that is spawned stands for what it is made of
	for _, p := range c.Program.Templates {
		for i, id := range p.Nodes {
			own[id] = fmt.Sprintf("s%d", i+1)
		}
	}
	raise := func(node, name string) {
		node = cmp.Or(own[node], node)
		key := node + " " + name
		if name == "" || seen[key] || name == "update" || len(k.Events) >= 24 {
			return
		}
		seen[key] = true
		k.Events = append(k.Events, traceEvent{Step: 2 + 4*len(k.Events), Node: node, Name: name, Payload: json.RawMessage(`{"n":1,"text":"é"}`)})
	}
	for _, h := range c.Program.Handlers {
		raise(h.Node, h.Event)
	}
	for _, s := range c.Program.Subscriptions {
		raise(s.From, s.Event)
	}
	for _, m := range c.Program.Machines {
		for _, s := range m.States {
			for _, o := range s.On {
				raise(m.Node, o.Event)
			}
		}
	}
	return k
}

func nodesOf(c *run.Compiled) []traceNode {
	out := []traceNode{}
	for _, n := range c.Nodes {
		out = append(out, traceNode{n.ID, n.Parent, n.Name, json.RawMessage(run.Show(n.Props))})
	}
	return out
}

// runs the case in Go.
func (k *traceCase) run(t testing.TB) json.RawMessage {
	t.Helper()
	p, err := run.Read(k.Program)
	if err != nil {
		t.Fatal(err)
	}
	o := run.Options{Long: k.Long}
	for _, n := range k.Nodes {
		props, err := run.ParseValue(string(n.Props))
		if err != nil {
			t.Fatal(err)
		}
		o.Nodes = append(o.Nodes, run.Info{ID: n.ID, Parent: n.Parent, Name: n.Name, Props: props.(*run.Object)})
	}
	m, err := run.New(p, o)
	if err != nil {
		t.Fatal(err)
	}
	m.Start()
	for i := range k.Steps {
		for _, e := range k.Events {
			if e.Step != i {
				continue
			}
			payload, err := run.ParseValue(string(e.Payload))
			if err != nil {
				payload = nil
			}
			m.Inject(run.Event{Node: e.Node, Name: e.Name, Payload: payload})
		}
		m.Step()
	}
	entries, _ := m.Trace()
	if entries == nil {
		entries = []run.Entry{}
	}
	out, err := json.Marshal(entries)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// engine is the built interpreter in Node.
type engine struct {
	ask *json.Encoder
	in  *bufio.Reader
}

func newEngine(t *testing.T) *engine {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal("node is missing: scripts/need tests")
	}
	cmd := exec.Command(node, "testdata/drive.mjs", interpreter)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stdin.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	return &engine{json.NewEncoder(stdin), bufio.NewReaderSize(stdout, 1<<20)}
}

func (e *engine) answer(t *testing.T, question, into any) {
	t.Helper()
	if err := e.ask.Encode(question); err != nil {
		t.Fatal(err)
	}
	line, err := e.in.ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(line, into); err != nil {
		t.Fatal(err)
	}
}

// differ says where two traces differ: numbers count to 12 digits, within texts
// too.
func differ(t *testing.T, a, b json.RawMessage) string {
	t.Helper()
	var x, y []map[string]any
	for _, p := range []struct {
		raw json.RawMessage
		to  *[]map[string]any
	}{{a, &x}, {b, &y}} {
		if err := json.Unmarshal(p.raw, p.to); err != nil {
			t.Fatal(err)
		}
	}
	for i := range max(len(x), len(y)) {
		if i >= len(x) || i >= len(y) {
			return fmt.Sprintf("%d and %d entries", len(x), len(y))
		}
		if !tracetest.Alike(x[i], y[i]) {
			p, _ := json.Marshal(x[i])
			q, _ := json.Marshal(y[i])
			return fmt.Sprintf("entry %d:\n  %s\n  %s", i, p, q)
		}
	}
	return ""
}

func stored(t *testing.T) map[string]*traceCase {
	t.Helper()
	names, err := filepath.Glob(traces + "/*.json")
	if err != nil || len(names) == 0 {
		t.Fatal("no traces", err)
	}
	out := map[string]*traceCase{}
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		k := &traceCase{}
		if err := json.Unmarshal(raw, k); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[strings.TrimSuffix(filepath.Base(name), ".json")] = k
	}
	return out
}

// sources are the cases by name: the examples, and what is written to break an
// interpreter.
func sources(t *testing.T) map[string]*traceCase {
	t.Helper()
	out := map[string]*traceCase{}
	entries, err := os.ReadDir(examples)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		format, ok := ast.FormatOf(e.Name())
		if !ok {
			continue
		}
		raw, err := os.ReadFile(filepath.Join(examples, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out["example_"+strings.ReplaceAll(e.Name(), ".", "_")] = newCase(t, compile(t, examples, e.Name(), raw, format), 90)
	}
	for _, texts := range []map[string]string{hostile, spawned} {
		for name, text := range texts {
			out[name] = newCase(t, compile(t, ".", name+".holo", []byte(strings.ReplaceAll(text, "; ", "\n")), ast.Holo), 40)
		}
	}
	return out
}

// TestTraces runs the stored cases in both interpreters, and every source whose
// program the compiler makes differently today, or that has no stored case yet,
// in both against each other.
func TestTraces(t *testing.T) {
	made := sources(t)
	if *update {
		for name, k := range made {
			k.Trace = k.run(t)
			if err := os.WriteFile(filepath.Join(traces, name+".json"), pretty(t, k), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	cases := stored(t)
	node := newEngine(t)
	for name, k := range cases {
		if d := differ(t, k.run(t), k.Trace); d != "" {
			t.Errorf("%s: Go: %s", name, d)
		}
		var got struct{ Trace json.RawMessage }
		node.answer(t, map[string]any{"case": k}, &got)
		if d := differ(t, got.Trace, k.Trace); d != "" {
			t.Errorf("%s: Node: %s", name, d)
		}
	}
	for name, k := range made {
		if old := cases[name]; old != nil && bytes.Equal(plain(t, old.Program), plain(t, k.Program)) {
			continue
		}
		k.Trace = k.run(t)
		var got struct{ Trace json.RawMessage }
		node.answer(t, map[string]any{"case": k}, &got)
		if d := differ(t, got.Trace, k.Trace); d != "" {
			t.Errorf("%s, today: Go and Node: %s", name, d)
		}
	}
	for name := range hostile {
		if cases[name] == nil {
			t.Errorf("%s has no trace; -update", name)
		}
	}
}

// plain is JSON in one way of writing it.
func plain(t *testing.T, raw json.RawMessage) []byte {
	t.Helper()
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// pretty writes a case with one entry of the trace a line.
func pretty(t *testing.T, k *traceCase) []byte {
	t.Helper()
	var b bytes.Buffer
	put := func(format string, v any) {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, format, raw)
	}
	put("{\"nodes\": %s,\n", k.Nodes)
	put("\"program\": %s,\n", k.Program)
	put("\"steps\": %s,\n", k.Steps)
	put("\"events\": %s,\n\"trace\": [", k.Events)
	var entries []json.RawMessage
	if err := json.Unmarshal(k.Trace, &entries); err != nil {
		t.Fatal(err)
	}
	for i, e := range entries {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		b.Write(e)
	}
	b.WriteString("]}\n")
	return b.Bytes()
}

// TestNodes shows that the interpreter sees in a scene/1 document the nodes that
// the compiler's sees.
func TestNodes(t *testing.T) {
	node := newEngine(t)
	entries, err := os.ReadDir(examples)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		format, ok := ast.FormatOf(e.Name())
		if !ok {
			continue
		}
		raw, err := os.ReadFile(filepath.Join(examples, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		src := target.Load(os.DirFS(examples), e.Name(), raw, format)
		s, _ := scene.Build(src.Main, src.More, scene.Options{Registry: src.Registry, Imports: src.Imports, Prototypes: true})
		doc, err := s.Encode()
		if err != nil {
			t.Fatal(err)
		}
		c, err := run.Compile(s, append([]*ast.File{src.Main}, src.More...), false)
		if err != nil {
			t.Fatal(err)
		}
		var got, want any
		node.answer(t, map[string]any{"scene": json.RawMessage(doc)}, &got)
		own, err := json.Marshal(nodesOf(c))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(own, &want); err != nil {
			t.Fatal(err)
		}
		if !tracetest.Alike(got, want) {
			p, _ := json.Marshal(got)
			t.Errorf("%s:\n%s\n%s", e.Name(), p, own)
		}
	}
}

// TestAnyProgramRunsAlike builds programs of random code that the loader takes,
// and runs them in both interpreters.
func TestAnyProgramRunsAlike(t *testing.T) {
	node := newEngine(t)
	ran := 0
	rapid.Check(t, func(r *rapid.T) {
		program := randomProgram(r)
		_, err := run.Read(program)
		var said any
		node.answer(t, map[string]any{"program": string(program)}, &said)
		if (err != nil) != (said != nil) {
			r.Fatalf("refused in Go: %v, in Node: %v\n%s", err, said, program)
		}
		if err != nil {
			return
		}
		ran++
		k := &traceCase{
			Nodes: []traceNode{{"n1", "", "A", json.RawMessage(`{"position":[1,2,3],"text":"é"}`)}}, Program: program, Steps: 4,
			Events: []traceEvent{{0, "n1", "tap", json.RawMessage(`[1,"😀"]`)}, {2, "n1", "tap", nil}},
		}
		k.Trace = k.run(t)
		var got struct{ Trace json.RawMessage }
		node.answer(t, map[string]any{"case": k}, &got)
		if d := differ(t, got.Trace, k.Trace); d != "" {
			r.Fatalf("Node and Go: %s\n%s", d, program)
		}
	})
	if ran == 0 {
		t.Error("no program was taken")
	}
}

// randomProgram is a program of straight code: each instruction finds what it
// needs on the stack, which the maker follows.
func randomProgram(r *rapid.T) []byte {
	consts := []any{nil, true, false, 0, 1, -2.5, 1e21, 40, "", "a😀é", "length", "position", "x", "log", "push", "map", "tap", "k"}
	methods := []string{"push", "pop", "slice", "join", "sort", "reverse", "indexOf", "split", "toUpperCase", "repeat", "padStart", "keys", "toFixed", "concat", "at", "replaceAll", "has"}
	hosts := []string{"log", "random", "clamp", "lerp", "JSON.stringify", "JSON.parse", "Number", "tween", "choose", "Math.max", "show", "unknown_op", "typeof", "ease", "spawned"}
	first := len(consts)
	for _, m := range methods {
		consts = append(consts, m)
	}
	var code []int
	height := 0
	pick := func(n int) int { return rapid.IntRange(0, n-1).Draw(r, "n") }
	for range rapid.IntRange(1, 40).Draw(r, "length") {
		switch k := pick(16); {
		case k < 5 || height == 0:
			code, height = append(code, 0, pick(first)), height+1
		case k == 5 && height > 1: // two operands
			op := []int{20, 21, 22, 23, 24, 25, 27, 28, 29, 30, 31, 34, 35, 36, 37, 38, 39, 40, 41, 13, 17, 18}
			code, height = append(code, op[pick(len(op))]), height-1
		case k == 6:
			code = append(code, []int{26, 32, 33}[pick(3)])
		case k == 7:
			n := pick(height + 1)
			code, height = append(code, 15, n), height-n+1
		case k == 8:
			n := pick(height/2 + 1)
			code, height = append(code, 16, n), height-2*n+1
		case k == 9:
			n := pick(height + 1)
			code, height = append(code, 19, n), height-n+1
		case k == 10:
			n := pick(min(height, 4))
			code, height = append(code, 48, first+pick(len(methods)), n), height-n
		case k == 11:
			n := pick(min(height, 4) + 1)
			code, height = append(code, 47, pick(len(hosts)), n), height-n+1
		case k == 12:
			code = append(code, 11, []int{10, 11, 12}[pick(3)])
		case k == 13:
			code, height = append(code, 9, pick(2)), height-1
		case k == 14:
			code, height = append(code, 8, pick(2)), height+1
		default:
			code, height = append(code, []int{2, 6}[pick(2)]), height+1
		}
	}
	if height == 0 {
		code = append(code, 0, 0)
	}
	code = append(code, 51)
	program, err := json.Marshal(map[string]any{
		"v": "program/1", "seed": []int{1, 2, 3, 4}, "rates": map[string]int{"spatial": 60, "cognitive": 5}, "consts": consts, "host": hosts,
		"state":     []any{map[string]any{"owner": "n1", "key": "a", "init": 5}, map[string]any{"owner": "scene", "key": "b", "init": 9}},
		"functions": []any{map[string]any{"name": "f", "owner": "n1", "params": 1, "locals": 1, "code": code, "lines": []any{[]int{0, 1, 1}}}},
		"handlers":  []any{map[string]any{"node": "n1", "event": "tap", "fn": 0}},
	})
	if err != nil {
		r.Fatal(err)
	}
	return program
}
