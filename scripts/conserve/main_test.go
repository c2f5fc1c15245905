package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFigures: a folder with a scene, a module with two tests and a text that is none.
func TestFigures(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"lamp.holo": "composition \"Room\" {\n  object \"Lamp\" @clickable { geometry: sphere radius: 0.25 color: #ffcc88\n    on_click { log \"lit\" } }\n  flurb \"x\" { depth: 3 }\n}\n",
		"count.hsplus": "module Count {\n  state { n: 1 }\n  action add() { state.n += 1 }\n  exports { add }\n}\n" +
			"@test { name: \"adds\", setup: { Count.add() }, assert: { Count.state.n == 2 } }\n@test { name: \"wrong\", assert: { Count.state.n == 5 } }\n",
		"broken.hs": "object \"x\" {\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	f := &figures{verbose: true, by: "key", targets: targets("html,gltf"), out: &out}
	if err := f.walk(dir); err != nil {
		t.Fatal(err)
	}
	f.print()
	for _, want := range []string{
		"files              3\n", "do not parse       1 (66.7 % of the files parse)\n", "broken.hs: does not parse: ", "  silent           0 (0.0 %)\n",
		"  reported         1 (", "tests              2, pass 1 (50.0 %)\n", "test \"wrong\": 7:34: Count.state.n == 5 (1 and 5)\n",
		"compiles           3 of 3 (100.0 %), 1 named refusals apart; 0 files fail somewhere\n", "findings a file    median ",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// TestTargets: those that draw are counted, the others are not.
func TestTargets(t *testing.T) {
	t.Parallel()
	ids := map[string]bool{}
	for _, x := range targets("") {
		ids[x.ID] = true
	}
	if !ids["html"] || !ids["unity"] || !ids["glb"] || ids["openapi"] || ids["json-ast"] || ids["pipeline-node"] {
		t.Errorf("%v", ids)
	}
	if len(targets("none")) != 0 {
		t.Error("none is some")
	}
}
