package target_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/target/artefact"
)

// modules are the targets for hosts, with the libraries that they may import.
var modules = map[string][]string{
	"threejs":    {"three"},
	"babylon":    {"@babylonjs/core", "@babylonjs/loaders"},
	"playcanvas": {"playcanvas"},
}

// sceneOf reads the scene out of scene.js.
func sceneOf(t *testing.T, r *target.Result) *scene.Scene {
	t.Helper()
	_, doc, ok := strings.Cut(string(r.Files[0].Data), "export const scene = ")
	doc, rest, also := strings.Cut(doc, ";\n\n// createScene")
	if !ok || !also || strings.Count(rest, "export ") != 1 {
		t.Fatalf("scene.js is not as it should be: %.300s", r.Files[0].Data)
	}
	s, err := scene.Read([]byte(doc))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestModulesHoldTheScene(t *testing.T) {
	deep := strings.Repeat(`group "g" { position: [1, 0, 0] `, 40) + `object "leaf" { geometry: "box" }` + strings.Repeat(" }", 40)
	for id := range modules {
		if s := sceneOf(t, mustCompile(t, "", id)); len(s.Nodes) != 0 {
			t.Errorf("%s: an empty scene has %d nodes", id, len(s.Nodes))
		}
		s := sceneOf(t, mustCompile(t, deep, id))
		if len(s.Nodes) != 41 || s.Nodes[40].Name != "leaf" || s.Nodes[40].Parent != 39 {
			t.Errorf("%s: %d nodes of a deep scene", id, len(s.Nodes))
		}
		for _, name := range hostile {
			quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(name)
			r := mustCompile(t, fmt.Sprintf(`object "%s" { geometry: "box" label: "%s" }`, quoted, quoted), id)
			if s := sceneOf(t, r); s.Nodes[0].Label != mustCompileLabel(t, quoted) || bytes.ContainsAny(r.Files[0].Data, "\u2028\u2029") {
				t.Errorf("%s: %q becomes %q", id, name, s.Nodes[0].Label)
			}
		}
		r := mustCompile(t, `object "a" { geometry: "box" state { n: 0 } on_click() { n += 1 } }`, id)
		if s := sceneOf(t, r); len(s.Program) == 0 || len(r.Places) != 1 || r.Places[0] != (artefact.Place{ID: s.Nodes[0].ID, Place: "scene.nodes[0]"}) {
			t.Errorf("%s: program %d bytes, places %v", id, len(s.Program), r.Places)
		}
	}
}

// mustCompileLabel is the label as the model has it.
func mustCompileLabel(t *testing.T, quoted string) string {
	t.Helper()
	s, err := scene.Read(mustCompile(t, fmt.Sprintf(`object "x" { label: "%s" }`, quoted), "scene-json").Files[0].Data)
	if err != nil {
		t.Fatal(err)
	}
	return s.Nodes[0].Label
}

var imports = regexp.MustCompile(`(?m)^(?:import|export) [^;]*?from "([^"]+)";|^import "([^"]+)";`)

func TestModulesBringTheirRuntimeAndNameTheirLibraries(t *testing.T) {
	for id, libraries := range modules {
		r := mustCompile(t, `object "a" { geometry: "box" }`, id)
		if len(r.Files) != 3 || r.Files[1].Path != "runtime.js" || r.Files[2].Path != "package.json" {
			t.Fatalf("%s: %d files", id, len(r.Files))
		}
		var pkg struct {
			Type         string
			Main         string
			Dependencies map[string]string
		}
		if err := json.Unmarshal(r.Files[2].Data, &pkg); err != nil || pkg.Type != "module" || pkg.Main != "scene.js" || len(pkg.Dependencies) != len(libraries) {
			t.Errorf("%s: %v %+v", id, err, pkg)
		}
		found := imports.FindAllSubmatch(r.Files[1].Data, -1)
		if len(found) == 0 {
			t.Errorf("%s: the runtime imports nothing", id)
		}
		for _, m := range found {
			name := string(m[1]) + string(m[2])
			if !slices.ContainsFunc(libraries, func(l string) bool { return name == l || strings.HasPrefix(name, l+"/") }) {
				t.Errorf("%s: the runtime imports %q", id, name)
			}
		}
		for _, l := range libraries {
			if !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(pkg.Dependencies[l]) {
				t.Errorf("%s: %s is pinned to %q", id, l, pkg.Dependencies[l])
			}
		}
		for _, word := range []string{"eval(", "new Function", "window.", "XMLHttpRequest", "innerHTML"} {
			if bytes.Contains(r.Files[1].Data, []byte(word)) {
				t.Errorf("%s: the runtime has %s", id, word)
			}
		}
		if bytes.Contains(r.Files[1].Data, []byte("globalThis.")) && regexp.MustCompile(`globalThis\.\w+ = `).Match(r.Files[1].Data) {
			t.Errorf("%s: the runtime makes globals", id)
		}
	}
}
