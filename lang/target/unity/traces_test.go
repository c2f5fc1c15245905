package unity

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/run/tracetest"
)

// runs compiles C# and runs it, each once.
func runs(t testing.TB, dir string, sources, args []string) string {
	t.Helper()
	for _, need := range []string{"mcs", "mono"} {
		if _, err := exec.LookPath(need); err != nil {
			t.Fatal(need + " is missing: scripts/need tests")
		}
	}
	program := filepath.Join(dir, "trial.exe")
	c := exec.CommandContext(t.Context(), "mcs", append([]string{"-langversion:6", "-nowarn:649,169,414", "-warnaserror", "-out:" + program}, sources...)...)
	if said, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	c = exec.CommandContext(t.Context(), "mono", append([]string{program}, args...)...)
	c.Env = append(os.Environ(), "HOME="+t.TempDir())
	said, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, said[max(0, len(said)-2000):])
	}
	return string(said)
}

// TestTracesAreThoseOfTheRunner runs the stored programs of package run by the
// interpreter in C#. Each gives the trace that every interpreter gives.
func TestTracesAreThoseOfTheRunner(t *testing.T) {
	names, err := filepath.Glob("../../run/testdata/traces/*.json")
	if err != nil || len(names) == 0 {
		t.Fatal("no traces", err)
	}
	dir := t.TempDir()
	want := map[string][]tracetest.Entry{}
	var cases []string
	for _, path := range names {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var k struct {
			Nodes []struct {
				ID, Parent, Name string
				Props            json.RawMessage
			}
			Program json.RawMessage
			Steps   int
			Long    bool
			Events  json.RawMessage
			Trace   []tracetest.Entry
		}
		if err := json.Unmarshal(raw, &k); err != nil {
			t.Fatal(err)
		}
		nodes := [][]any{}
		for _, n := range k.Nodes {
			nodes = append(nodes, []any{n.ID, n.Parent, n.Name, n.Props})
		}
		doc, err := json.Marshal(map[string]any{"program": k.Program, "nodes": nodes, "steps": k.Steps, "long": k.Long, "events": k.Events})
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, filepath.Base(path))
		if err := os.WriteFile(file, doc, 0o644); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, file)
		want[strings.TrimSuffix(filepath.Base(path), ".json")] = k.Trace
	}
	source := filepath.Join(dir, "Runtime.cs")
	if err := os.WriteFile(source, runtime("trial"), 0o644); err != nil {
		t.Fatal(err)
	}
	said := runs(t, dir, []string{source, "testdata/trial.cs"}, cases)
	for _, chunk := range strings.Split(said, "CASE ")[1:] {
		name, rest, _ := strings.Cut(chunk, "\n")
		if d := tracetest.Differ(tracetest.Printed(t, rest), want[name]); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("%d cases did not run: %.2000s", len(want), said)
	}
}
