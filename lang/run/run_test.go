package run_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
)

func compile(t testing.TB, dir, name string, raw []byte, format ast.Format) *run.Compiled {
	t.Helper()
	src := target.Load(os.DirFS(dir), name, raw, format)
	s, _ := scene.Build(src.Main, src.More, scene.Options{Registry: src.Registry, Imports: src.Imports, Prototypes: true})
	c, err := run.Compile(s, append([]*ast.File{src.Main}, src.More...), true)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return c
}

// TestExamples runs every example: its tests pass, its program survives its
// encoding, and two runs give one trace.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("../../examples/*.h*")
	projects, _ := filepath.Glob("../../examples/*/main.h*")
	if err != nil || len(files) == 0 || len(projects) == 0 {
		t.Fatal("no examples", err)
	}
	tests := 0
	for _, file := range append(files, projects...) {
		name := filepath.Base(file)
		format, _ := ast.FormatOf(name)
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c := compile(t, filepath.Dir(file), name, raw, format)
		for i := range c.Tests {
			tests++
			r, err := c.Run(&c.Tests[i], nil)
			if err != nil || !r.OK {
				t.Errorf("%s: %s: %v %v", name, c.Tests[i].Name, err, r)
			}
		}
		data, err := c.Program.Encode()
		if err != nil {
			t.Fatal(err)
		}
		p, err := run.Read(data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var traces [2][]run.Entry
		for i, p := range []*run.Program{c.Program, p} {
			m, err := run.New(p, run.Options{Nodes: c.Nodes})
			if err != nil {
				t.Fatal(err)
			}
			m.Start()
			m.Run(3)
			traces[i], _ = m.Trace()
		}
		if !reflect.DeepEqual(traces[0], traces[1]) {
			t.Errorf("%s: two runs differ", name)
		}
	}
	if tests < 60 {
		t.Errorf("only %d tests", tests)
	}
}

// TestFaults shows that a handler that faults leaves nothing behind, and that
// the limits apply.
func TestFaults(t *testing.T) {
	for code, body := range map[string]string{
		run.FaultTurn:   `while (true) { state.n += 1 }`,
		run.FaultCalls:  `this.again()`,
		run.FaultEvents: `emit("tap")`,
		run.FaultKind:   `state.n = 1 + [1]`,
		run.FaultThrown: `throw "no"`,
		run.FaultSize:   `let s = "0123456789"  for (const i of 0..30) { s = s + s }`,
	} {
		text := `object "A" { state { n: 0 } function again() { this.again() } on "tap" { state.n = 7  ` + body + ` } }`
		c := compile(t, ".", "a.holo", []byte(text), ast.Holo)
		m, err := run.New(c.Program, run.Options{Nodes: c.Nodes})
		if err != nil {
			t.Fatal(err)
		}
		m.Start()
		id, _ := c.Owner("A")
		m.Inject(run.Event{Node: id, Name: "tap"})
		for range 3 {
			m.Step()
		}
		trace, _ := m.Trace()
		if !slices.ContainsFunc(trace, func(e run.Entry) bool { return e.Kind == "fault" && e.Name == code }) {
			t.Errorf("%s: no fault", code)
		}
		wrote := slices.ContainsFunc(trace, func(e run.Entry) bool { return e.Kind == "set" })
		if wrote != (code == run.FaultEvents) {
			t.Errorf("%s: writes stay: %v", code, wrote)
		}
	}
}

// TestCaughtFaults: a fault that an on_error takes does not fail a test; one that
// nothing takes does, and so do a fault of the on_error and of the test itself.
func TestCaughtFaults(t *testing.T) {
	const node = `object "A" { state { n: 0, seen: "" } on "bad" { throw "oops" } %s }`
	const takes = `on_error(err) { state.seen = err.message }`
	for _, c := range []struct {
		handler, setup, assert string
		ok                     bool
	}{
		{takes, `A.emit("bad")`, `A.state.seen == "oops"`, true},
		{takes, `A.emit("bad")`, `A.state.seen == "other"`, false},
		{"", `A.emit("bad")`, `A.state.n == 0`, false},
		{`on_error(err) { throw "again" }`, `A.emit("bad")`, `A.state.n == 0`, false},
		{takes, `throw "setup"`, `A.state.n == 0`, false},
	} {
		for _, outer := range []string{"", `on_error(err) { log "scene" }`} {
			if outer != "" && c.handler == "" {
				continue // the scene takes it
			}
			text := "composition \"C\" { " + outer + "\n" + strings.Replace(node, "%s", c.handler, 1) + "\n@test { name: \"t\" setup: { " + c.setup + " } assert: { " + c.assert + " } } }"
			p := compile(t, ".", "a.holo", []byte(text), ast.Holo)
			if len(p.Tests) != 1 {
				t.Fatalf("%d tests in %s", len(p.Tests), text)
			}
			r, err := p.Run(&p.Tests[0], nil)
			if err != nil || r.OK != c.ok {
				t.Errorf("%s\n%v %+v", text, err, r)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	for _, text := range []string{
		`{}`, `{"v":"program/2"}`, `{"v":"program/1"}`, `{"v":"program/1","extra":1}`,
		`{"v":"program/1","rates":{"spatial":60,"cognitive":5},"functions":[{"code":[1,51]}]}`,
		`{"v":"program/1","rates":{"spatial":60,"cognitive":5},"functions":[{"code":[63]}]}`,
		`{"v":"program/1","rates":{"spatial":60,"cognitive":5},"functions":[{"code":[42,1]}]}`,
	} {
		if _, err := run.Read([]byte(text)); err == nil {
			t.Errorf("accepted %s", text)
		}
	}
}

// FuzzRead runs whatever Read accepts, for a moment.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"v":"program/1","rates":{"spatial":60,"cognitive":5},"consts":[1],"functions":[{"owner":"scene","code":[0,0,51]}],"schedules":[{"fn":0,"every":1}]}`))
	for _, text := range broken {
		f.Add([]byte(text))
	}
	for _, name := range []string{"throwing", "trees", "clocks", "closures"} {
		raw, err := os.ReadFile(filepath.Join(traces, name+".json"))
		if err != nil {
			f.Fatal(err)
		}
		k := &traceCase{}
		if err := json.Unmarshal(raw, k); err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(k.Program))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := run.Read(data)
		if err != nil {
			return
		}
		m, err := run.New(p, run.Options{Hosted: true})
		if err != nil {
			t.Fatal(err)
		}
		m.Start()
		for range 5 {
			m.Step()
		}
		trace, _ := m.Trace()
		for i := range trace {
			if strings.Contains(trace[i].Kind, " ") {
				t.Fatal(trace[i])
			}
		}
	})
}

// FuzzSource compiles and runs whatever text parses: the compiler makes no
// program that the loader refuses, tests come to an end, and what happens twice
// happens alike.
func FuzzSource(f *testing.F) {
	for _, text := range hostile {
		f.Add(strings.ReplaceAll(text, "; ", "\n"))
	}
	f.Add("composition \"C\" { state { n: 0 }\non \"add\" { state.n += 1 }\n@test { name: \"t\" setup: { emit(\"add\") step(1s) } assert: { state.n == 1 } } }")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4096 {
			return
		}
		src := target.Load(os.DirFS("."), "main.holo", []byte(text), ast.Holo)
		s, _ := scene.Build(src.Main, src.More, scene.Options{Registry: src.Registry, Imports: src.Imports, Prototypes: true})
		c, err := run.Compile(s, append([]*ast.File{src.Main}, src.More...), true)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if len(c.Tests) > 0 {
			if _, err := c.Run(&c.Tests[0], nil); err != nil {
				t.Fatal(err)
			}
		}
		k := newCase(t, c, 5)
		for i := range k.Events {
			k.Events[i].Step = i % 5
		}
		if a, b := k.run(t), k.run(t); !bytes.Equal(a, b) {
			t.Fatal("two runs differ")
		}
	})
}
