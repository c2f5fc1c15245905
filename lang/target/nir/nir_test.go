package nir_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/target"
)

type graph struct {
	V     string
	Nodes []struct{ ID, Type, Kind, Owner, Name, Parent string }
	Edges []struct{ From, To, Type, Via, Node, Event string }
	Scene json.RawMessage
}

func made(t *testing.T, source string) (graph, *target.Result) {
	t.Helper()
	r, err := target.Compile(target.Load(nil, "main.hs", []byte(source), ast.HS), target.Request{Target: "nir"})
	if err != nil {
		t.Fatal(err)
	}
	var g graph
	if err := json.Unmarshal(r.Files[0].Data, &g); err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, n := range g.Nodes {
		if ids[n.ID] {
			t.Errorf("two nodes are %s", n.ID)
		}
		ids[n.ID] = true
	}
	for _, e := range g.Edges {
		if !ids[e.From] || !ids[e.To] || e.Event != "" && !ids[e.Event] {
			t.Errorf("%+v has an end that is no node", e)
		}
	}
	return g, r
}

// lines are the edges in words, with the names of nodes for their ids.
func (g graph) lines(r *target.Result) []string {
	var swap []string
	for i := range r.Scene.Nodes {
		swap = append(swap, r.Scene.Nodes[i].ID, r.Scene.Nodes[i].Name)
	}
	names := strings.NewReplacer(swap...)
	var out []string
	for _, e := range g.Edges {
		line := fmt.Sprintf("%s %s %s", e.From, e.Type, e.To)
		for _, more := range []string{e.Via, e.Node, e.Event} {
			if more != "" {
				line += " " + more
			}
		}
		out = append(out, names.Replace(line))
	}
	return out
}

func TestWhatABehaviourDoesIsInTheGraph(t *testing.T) {
	g, r := made(t, `object "lamp" {
  geometry: "sphere"
  state { lit: false, count: 0 }
  computed { many: count > 3 }
  watch { lit: (now, before) => { print(now) } }
  function flip() { lit = !lit  count = count + 1  if (many) { emit("worn") } }
  on_click() { this.flip() }
  @state_machine {
    initial: "off"
    states: {
      off: { on_pressed: -> "on" guard(many) action(flip) }
      on: { after: 3s, on_timeout: -> "off" }
    }
  }
}
object "bell" {
  on lamp.worn -> (e) { this.visible = false }
}
connect lamp.worn -> lamp.flip()
execute lamp.flip() every 5s
`)
	lines := g.lines(r)
	for _, want := range []string{
		"function:lamp/flip reads state:lamp/lit", "function:lamp/flip writes state:lamp/lit", "function:lamp/flip writes state:lamp/count",
		"function:lamp/flip reads state:lamp/many", "function:lamp/flip raises event:worn lamp",
		"event:click calls function:lamp/on click handler lamp", "event:worn calls function:lamp/flip wire lamp",
		"event:worn calls function:bell/on worn subscription lamp", "function:bell/on worn writes state:bell/visible",
		"state:lamp/lit calls function:lamp/watch lit watch", "function:lamp/watch lit calls function:print",
		"state:lamp/many calls function:lamp/many computed", "function:scene/schedule 1 calls function:scene/execute schedule",
		"state:lamp/off flows state:lamp/on transition event:pressed", "state:lamp/off calls function:lamp/action action event:pressed",
		"state:lamp/on flows state:lamp/on after event:timeout", "state:lamp/on flows state:lamp/off transition event:timeout",
	} {
		if !slices.Contains(lines, want) {
			t.Errorf("no edge %s in\n%s", want, strings.Join(lines, "\n"))
		}
	}
}

// TestRecordsFlowAsTheRunnersTakeThem: from the stage before, from those that are
// named, from all that nobody took, and from a branch to its sinks.
func TestRecordsFlowAsTheRunnersTakeThem(t *testing.T) {
	g, r := made(t, `pipeline "P" {
  source A { type: "list" }
  transform B { x -> y }
  source C { type: "list" }
  merge D { key: "id" }
  filter E { where: x > 1 }
  branch F {
    when x > 2 -> sink G
    default -> sink H
  }
  sink G { type: "stdout" }
  sink I { from: B type: "stdout" }
  sink H { type: "stdout" }
  sink J { type: "stdout" }
  merge K { from: [A, nobody] with: C }
}`)
	want := []string{"A B", "B D", "C D", "D E", "E F", "F G", "F H", "B I", "F J", "A K", "C K"}
	var got []string
	for _, l := range g.lines(r) {
		got = append(got, strings.NewReplacer("stage:P/", "", " flows", "").Replace(l))
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}

// TestTheSceneIsWhole: the scene in a graph is that of scene-json, with its program.
func TestTheSceneIsWhole(t *testing.T) {
	const source = `composition "c" { environment { fog { density: 0.1 } } object "a" @clickable { geometry: "box" state { n: 1 } on_click() { n = n + 1 } } light { type: point } }`
	g, _ := made(t, source)
	r, err := target.Compile(target.Load(nil, "main.hs", []byte(source), ast.HS), target.Request{Target: "scene-json"})
	if err != nil {
		t.Fatal(err)
	}
	var a, b map[string]any
	if err := json.Unmarshal(g.Scene, &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(r.Files[0].Data, &b); err != nil {
		t.Fatal(err)
	}
	if a["program"] == nil {
		t.Error("no program")
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("%v\n%v", a, b)
	}
	if g, _ := made(t, ""); g.V != "nir/1" || len(g.Nodes)+len(g.Edges) != 0 {
		t.Errorf("an empty source makes %+v", g)
	}
}

// TestNamesDoNotClash: what has one name twice, and what is called like an id,
// are nodes of their own.
func TestNamesDoNotClash(t *testing.T) {
	for _, name := range []string{"a", "a~2", "state:a/b", "\u202e</script>", "\\n\\\"", strings.Repeat("long ", 200)} {
		q := strings.ReplaceAll(name, "\u202e", "\\u202e")
		g, _ := made(t, fmt.Sprintf(`object "%[1]s" { state { b: 1 } on_click() { b = 2  emit("%[1]s") } on_click() { b = 3 } }
pipeline "%[1]s" { source S { type: "list" } sink S { type: "stdout" } }
pipeline "%[1]s" { source S { type: "list" } sink T { type: "stdout" } }`, q))
		stages := 0
		for _, n := range g.Nodes {
			if n.Type == "stage" {
				stages++
			}
		}
		if stages != 4 {
			t.Errorf("%q: %d stages", name, stages)
		}
	}
	deep := strings.Repeat(`group "g" { `, 60) + `object "a" { on_click() { emit("x") } }` + strings.Repeat("}", 60)
	if g, _ := made(t, deep); len(g.Edges) != 2 {
		t.Errorf("%+v", g.Edges)
	}
}
