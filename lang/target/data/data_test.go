package data_test

import (
	"encoding/json"
	"testing"

	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/scene"
)

// TestSceneHasItsProgram: scene.json is scene/1 with a program that a reader takes,
// and the prototypes that it spawns.
func TestSceneHasItsProgram(t *testing.T) {
	doc := compile(t, `template "Ball" { geometry: "sphere" state { hits: 0 } on_click() { state.hits += 1 } }
object "gun" { state { shots: 0 } on_click() { state.shots += 1
 spawn Ball at [0, 1, 0] } }`, "scene-json", nil)
	s, err := scene.Read(doc)
	if err != nil {
		t.Fatal(err)
	}
	p, err := run.Read(s.Program)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Templates) != 1 || len(p.State) != 2 || len(p.Handlers) != 2 {
		t.Errorf("%+v", p)
	}
	if n := len(s.Nodes); n != 2 || s.Nodes[1].Prototype != "Ball" {
		t.Errorf("%d nodes", n)
	}
	if plain := into[map[string]json.RawMessage](t, compile(t, `object "a" { geometry: "box" label: "\n  \"program\": 0" }`, "scene-json", nil)); plain["program"] != nil {
		t.Errorf("what does nothing has the program %s", plain["program"])
	}
}
