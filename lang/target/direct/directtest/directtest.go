// Package directtest has sources whose functions translate into the code of an
// engine, and what the runner does with them, for the tests of the writers.
package directtest

import (
	"encoding/json"
	"io/fs"
	"slices"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/run/tracetest"
	"github.com/meshd/meshd/lang/target"
)

// Steps are how many steps a source is run for.
const Steps = 60

// Event is one that comes from outside.
type Event struct {
	Step    int    `json:"step"`
	Node    string `json:"node"`
	Name    string `json:"name"`
	Payload any    `json:"payload"`
}

// Case is a source with its artefact, and what the runner does with it.
type Case struct {
	Name   string
	Result *target.Result
	Events []Event
	Trace  []tracetest.Entry
}

// payloads are what events bring, one after the other.
var payloads = []any{"x", nil, map[string]any{"amount": 2.5, "buoy": "North", "at": []any{1.0, 2.0, 3.0}}, 7.0, true, []any{4.0, "five"}}

// Sources are those of this package, by their names.
func Sources() map[string]string { return sources }

// Examples are the sources of the repository's examples.
func Examples(t testing.TB, root fs.FS) map[string]string {
	t.Helper()
	names, err := fs.Glob(root, "*.h*")
	if err != nil || len(names) == 0 {
		t.Fatal("no examples", err)
	}
	out := map[string]string{}
	for _, n := range names {
		raw, err := fs.ReadFile(root, n)
		if err != nil {
			t.Fatal(err)
		}
		out[n] = string(raw)
	}
	return out
}

// Rehearse compiles a source for a target and runs it by the runner, with every
// event that something waits for and every kind of payload.
func Rehearse(t testing.TB, name, source string, request target.Request) *Case {
	t.Helper()
	format, ok := ast.FormatOf(name)
	if !ok {
		format = ast.Holo
	}
	src := target.Load(nil, name, []byte(source), format)
	r, err := target.Compile(src, request)
	if err != nil {
		t.Logf("%s: %v", name, err)
		return nil
	}
	k := &Case{Name: name, Result: r, Events: []Event{}}
	c, err := run.Compile(r.Scene, append([]*ast.File{src.Main}, src.More...), false)
	if err != nil {
		t.Fatal(err)
	}
	if c.Program.Empty() {
		return nil
	}
	k.events(c.Program)
	m, err := run.New(c.Program, run.Options{Nodes: c.Nodes})
	if err != nil {
		t.Fatal(err)
	}
	m.Start()
	for i := range Steps {
		for _, e := range k.Events {
			if e.Step == i {
				m.Inject(run.Event{Node: e.Node, Name: e.Name, Payload: value(e.Payload)})
			}
		}
		m.Step()
	}
	entries, _ := m.Trace()
	raw, err := json.Marshal(entries)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &k.Trace); err != nil {
		t.Fatal(err)
	}
	return k
}

// value is a payload as the runner has values.
func value(v any) run.Value {
	switch v := v.(type) {
	case []any:
		l := &run.List{}
		for _, e := range v {
			l.Items = append(l.Items, value(e))
		}
		return l
	case map[string]any:
		var pairs []any
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			pairs = append(pairs, k, value(v[k]))
		}
		return run.NewObject(pairs...)
	}
	return v
}

// events fills in those that something waits for, each with every payload.
func (k *Case) events(p *run.Program) {
	seen := map[[2]string]bool{}
	add := func(node, name string) {
		if seen[[2]string{node, name}] || name == "update" || name == "init" || name == "start" || name == "mount" {
			return
		}
		seen[[2]string{node, name}] = true
		for _, payload := range payloads {
			k.Events = append(k.Events, Event{2 + len(k.Events)%(Steps-4), node, name, payload})
		}
	}
	for _, h := range p.Handlers {
		add(h.Node, h.Event)
	}
	for _, s := range p.Subscriptions {
		add(s.From, s.Event)
	}
	for _, m := range p.Machines {
		for _, s := range m.States {
			for _, t := range s.On {
				add(m.Node, t.Event)
			}
		}
	}
}
