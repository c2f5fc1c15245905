package unity_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/run/tracetest"
	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/target/direct/directtest"
	"github.com/meshd/meshd/lang/target/unity"
)

// TestComponentsDoWhatTheRunnerDoes runs the components that are written for a source,
// and for the rest the interpreter, without an engine: what happens is what the runner
// says.
func TestComponentsDoWhatTheRunnerDoes(t *testing.T) {
	all := directtest.Sources()
	for _, n := range []string{"lighthouse.holo", "cold_chain.hs"} {
		all[n] = directtest.Examples(t, os.DirFS("../../../examples"))[n]
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		k := directtest.Rehearse(t, name, all[name], target.Request{Target: "unity"})
		if k == nil {
			continue
		}
		dir := t.TempDir()
		sources := []string{}
		for _, f := range k.Result.Files {
			if !strings.HasSuffix(f.Path, ".cs") {
				continue
			}
			path := filepath.Join(dir, filepath.Base(f.Path))
			if err := os.WriteFile(path, f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
			sources = append(sources, path)
		}
		sources = append(sources, "../../../scripts/validators/unity.cs", "../../../scripts/validators/unity_objects.cs", "testdata/scripted.cs")
		args := []string{strconv.Itoa(directtest.Steps)}
		for _, e := range k.Events {
			payload, err := json.Marshal(e.Payload)
			if err != nil {
				t.Fatal(err)
			}
			args = append(args, strconv.Itoa(e.Step), e.Node, e.Name, string(payload))
		}
		if d := tracetest.Differ(tracetest.Printed(t, unity.Runs(t, dir, sources, args)), k.Trace); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}
