package godot

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/run/tracetest"
	"github.com/meshd/meshd/lang/scene"
)

// engine is the third version of the engine, as Debian has it.
const engine = "godot3-server"

// project makes a folder that the engine takes as a project.
func project(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files["project.godot"] = "config_version=4\n\n[application]\n\nconfig/name=\"trial\"\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// godot runs a script in a project.
func godot(t testing.TB, dir, script string) string {
	t.Helper()
	path, err := exec.LookPath(engine)
	if err != nil {
		t.Fatal(engine + " is missing: scripts/need tests")
	}
	c := exec.CommandContext(t.Context(), path, "--path", dir, "-s", script)
	c.Env = append(os.Environ(), "HOME="+t.TempDir())
	out, err := c.CombinedOutput()
	if err != nil {
		t.Logf("%s", out)
		t.Fatal(err)
	}
	return string(out)
}

// nothing are the tables of a scene that is empty.
func nothing() string {
	w := &writer{s: &scene.Scene{}}
	tables, err := w.tables(&run.Compiled{Program: &run.Program{}})
	if err != nil {
		panic(err)
	}
	out := "const SHAPES = []\n"
	for _, table := range tables {
		doc, err := plain(table.data)
		if err != nil {
			panic(err)
		}
		if string(doc) == "null\n" && table.name != "PROGRAM" {
			doc = []byte("[]")
		}
		text, err := literal(doc, 0)
		if err != nil {
			panic(err)
		}
		out += "const " + table.name + " = " + text + "\n"
	}
	return out
}

// TestTracesAreThoseOfTheRunner runs the stored programs of package run in the
// engine. Each gives the trace that every interpreter gives.
func TestTracesAreThoseOfTheRunner(t *testing.T) {
	names, err := filepath.Glob("../../run/testdata/traces/*.json")
	if err != nil || len(names) == 0 {
		t.Fatal("no traces", err)
	}
	files := map[string]string{}
	want := map[string][]tracetest.Entry{}
	for _, path := range names {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		var k struct {
			Nodes []struct {
				ID, Parent, Name string
				Props            json.RawMessage
			}
			Program json.RawMessage
			Steps   int
			Long    bool
			Events  []struct {
				Step    int             `json:"step"`
				Node    string          `json:"node"`
				Name    string          `json:"name"`
				Payload json.RawMessage `json:"payload"`
			}
			Trace []tracetest.Entry
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
		text, err := literal(doc, 2)
		if err != nil {
			t.Fatal(err)
		}
		trial, err := os.ReadFile("testdata/trial.gd")
		if err != nil {
			t.Fatal(err)
		}
		files[name+".gd"] = "extends Spatial\n\nvar CASE = " + text + "\n" + nothing() + join("three") + join(interpreterParts...) + join(stageParts...) + string(trial)
		files["cases.txt"] += name + "\n"
		want[name] = k.Trace
	}
	main, err := os.ReadFile("testdata/trials.gd")
	if err != nil {
		t.Fatal(err)
	}
	files["trials.gd"] = string(main)
	said := godot(t, project(t, files), "trials.gd")
	for _, chunk := range strings.Split(said, "CASE ")[1:] {
		name, rest, _ := strings.Cut(chunk, "\n")
		if i := strings.Index(rest, "SCRIPT ERROR"); i >= 0 {
			t.Errorf("%s: %s", name, rest[i:min(len(rest), i+400)])
		}
		if _, ms, ok := strings.Cut(rest, "DONE "); ok {
			t.Log(strings.TrimSpace(ms), "ms")
		}
		if d := tracetest.Differ(tracetest.Printed(t, rest), want[name]); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("%d cases did not run: %s", len(want), bytes.TrimSpace([]byte(said[:min(len(said), 2000)])))
	}
}
