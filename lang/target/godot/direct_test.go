package godot_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/run/tracetest"
	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/target/direct/directtest"
)

// TestScriptsDoWhatTheRunnerDoes has the engine run generated scripts and, where
// something is left, the interpreter: what happens is what the runner says.
func TestScriptsDoWhatTheRunnerDoes(t *testing.T) {
	engine, err := exec.LookPath("godot3-server")
	if err != nil {
		t.Fatal("godot3-server is missing: scripts/need tests")
	}
	all := directtest.Examples(t, os.DirFS("../../../examples"))
	maps.Copy(all, directtest.Sources())
	dir := t.TempDir()
	var cases []*directtest.Case
	var jobs []any
	for _, name := range slices.Sorted(maps.Keys(all)) {
		k := directtest.Rehearse(t, name, all[name], target.Request{Target: "godot", Options: map[string]any{"version": "3"}})
		if k == nil {
			continue
		}
		folder := fmt.Sprintf("scene_%d", len(cases))
		for _, f := range k.Result.Files {
			path := filepath.Join(dir, folder, filepath.FromSlash(f.Path))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		cases = append(cases, k)
		jobs = append(jobs, map[string]any{"folder": folder, "steps": directtest.Steps, "events": k.Events})
	}
	list, err := json.Marshal(jobs)
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile("../../../scripts/validators/godot.gd")
	if err != nil {
		t.Fatal(err)
	}
	for name, raw := range map[string][]byte{"project.godot": []byte("config_version=4\n"), "godot.gd": program, "jobs.json": list} {
		if err := os.WriteFile(filepath.Join(dir, name), raw, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.CommandContext(t.Context(), engine, "--path", dir, "--fixed-fps", "60", "-s", "godot.gd")
	c.Env = append(os.Environ(), "HOME="+dir)
	said, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %.2000s", err, said)
	}
	parts := strings.Split(string(said), "JOB ")[1:]
	if len(parts) != len(cases) {
		t.Fatalf("%d of %d scenes were opened: %.2000s", len(parts), len(cases), said)
	}
	for i, k := range cases {
		if at := strings.Index(parts[i], "SCRIPT ERROR"); at >= 0 {
			t.Errorf("%s: %.600s", k.Name, parts[i][at:])
			continue
		}
		if d := tracetest.Differ(tracetest.Printed(t, parts[i]), k.Trace); d != "" {
			t.Errorf("%s: %s", k.Name, d)
		}
	}
}
