package scene_test

import (
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/parse"
	"github.com/meshd/meshd/lang/scene"
)

const spawner = `composition "C" {
  template "Pod"(tint: color = "#102030", width: number = 2) @clickable {
    geometry: "box"
    size: [width, 1, 1]
    color: tint
    state { left: width }
    object "Lid" @agent { on_click() { log(tint) } }
    connect Lid.click -> open()
    function open() { spawn Leaf }
  }
  template "Leaf" { geometry: "sphere" }
  template "Never" { geometry: "torus" }
  object "Pod" { on tap { spawn Pod { width: 3 } } }
  object "Other" { on tap { spawn Pod; spawn Nothing } }
}`

// TestPrototypes shows that the nodes of every template that spawn names stand
// behind the scene for those who ask, once, with their parameters as properties.
func TestPrototypes(t *testing.T) {
	for _, asked := range []bool{false, true} {
		f, _ := parse.File("a.holo", []byte(spawner), ast.Holo)
		s, _ := scene.Build(f, nil, scene.Options{Prototypes: asked})
		var paths []string
		for _, n := range s.Nodes {
			paths = append(paths, n.Path+" "+n.Prototype)
		}
		want := "Pod ,Other "
		if asked {
			want += ",template/Leaf Leaf,template/Pod Pod,template/Pod/Lid Pod"
		}
		if got := strings.Join(paths, ","); got != want {
			t.Fatalf("asked %v: %s", asked, got)
		}
		if len(s.Agents)+len(s.Domain) != 0 {
			t.Errorf("asked %v: what is not there is listed: %v %v", asked, s.Agents, s.Domain)
		}
		if !asked {
			continue
		}
		root := s.Nodes[3]
		extras, err := root.Extras.MarshalJSON()
		if got := string(extras); err != nil || got != `{"tint":"#102030","width":2}` {
			t.Errorf("extras %s", got)
		}
		var binds []string
		for _, o := range s.Behaviour.Owners {
			if o.Node != root.ID {
				continue
			}
			for _, b := range o.Binds {
				binds = append(binds, b.Property)
			}
			if o.Prototype != "Pod" || o.State[0].Init.Kind != 0 {
				t.Errorf("the state of a parameter is fixed: %+v", o.State[0].Init)
			}
		}
		if got := strings.Join(binds, ","); !strings.Contains(got, "color") {
			t.Errorf("bound: %s", got)
		}
		if w := s.Behaviour.Wires; len(w) != 1 || w[0].Owner != root.ID {
			t.Errorf("wires %+v", w)
		}
	}
}
