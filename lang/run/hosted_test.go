package run_test

import (
	"encoding/json"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/run"
)

func hosted(t *testing.T, body string, o run.Options) (*run.Machine, string) {
	t.Helper()
	c := compile(t, ".", "a.holo", []byte(`object "A" { state { n: 0 list: [] } `+body+` }`), ast.Holo)
	o.Nodes, o.Hosted = c.Nodes, true
	m, err := run.New(c.Program, o)
	if err != nil {
		t.Fatal(err)
	}
	m.Start()
	id, _ := c.Owner("A")
	return m, id
}

// A hosted run stores less, records less and can be stopped.
func TestHostedRunsAreBounded(t *testing.T) {
	m, _ := hosted(t, `on "update" { state.list = state.list.concat([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])  for (const i of 0..900) { state.list.push(i) } }`, run.Options{Hz: 60})
	for range 2000 {
		m.Step()
	}
	entries, dropped := m.Trace()
	if len(entries) > 10_000 || dropped == 0 && len(run.JSON(m.State()[1].Value)) > 1<<20 {
		t.Errorf("%d entries, %d dropped", len(entries), dropped)
	}
	if list := m.State()[1].Value.(*run.List); len(list.Items) > 1<<19 {
		t.Errorf("a state of %d items", len(list.Items))
	}

	asked := 0
	m, _ = hosted(t, `on "update" { while (true) { state.n += 1 } }`, run.Options{Hz: 60, Interrupted: func() bool { asked++; return asked > 3 }})
	for range 100 {
		m.Step()
	}
	if !m.Stopped() || m.Steps() == 100 || asked != 4 {
		t.Errorf("stopped %v after %d steps and %d questions", m.Stopped(), m.Steps(), asked)
	}
}

func TestHzIsTheStepsOfASecond(t *testing.T) {
	for hz, ok := range map[int]bool{2: true, 10: true, 60: true, 90: true, 1: false, 11: false, 59: false, 91: false, -1: false} {
		c := compile(t, ".", "a.holo", []byte(`object "A" { state { n: 0 } every 1s { state.n += 1 } }`), ast.Holo)
		m, err := run.New(c.Program, run.Options{Nodes: c.Nodes, Hosted: true, Hz: hz})
		if (err == nil) != ok {
			t.Errorf("%d: %v", hz, err)
		}
		if err != nil {
			continue
		}
		m.Start()
		for range 3 * hz {
			m.Step()
		}
		if m.Time() != 3 || c.Program.Rates.Spatial != 60 {
			t.Errorf("%d Hz: %v s, and the program has %d", hz, m.Time(), c.Program.Rates.Spatial)
		}
	}
}

func TestValuesAsJSON(t *testing.T) {
	nested := run.NewObject("a", &run.List{Items: []run.Value{1.5, nil, true, "x\n"}}, "f", run.Node("n1"))
	for _, v := range []run.Value{nil, 1.0, "text", nested, &run.Closure{}} {
		if !json.Valid(run.JSON(v)) {
			t.Errorf("%v: %s", v, run.JSON(v))
		}
	}
}
