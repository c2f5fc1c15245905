package run_test

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
)

func programOf(t *testing.T, source string) *run.Program {
	t.Helper()
	src := target.Load(nil, "main.holo", []byte(source), ast.Holo)
	s, _ := scene.Build(src.Main, src.More, scene.Options{Imports: src.Imports})
	c, err := run.Compile(s, []*ast.File{src.Main}, false)
	if err != nil {
		t.Fatal(err)
	}
	return c.Program
}

func TestEffects(t *testing.T) {
	p := programOf(t, `object "a" {
  state { n: 0, name: "x" }
  function helper() { return n }
  function all(which) {
    n = n + helper()
    emit("plain")
    emit("with", { which: which, deep: [1, which ? 2 : 3] })
    emit(which ? "one" : "two")
    emit(which ? "same" : "same")
    this.visible = false
    print(this.position)
    for (x in [1, 2]) { emit("looped", x) }
    try { emit("tried") } catch (e) { print(e) }
    const inner = () => { emit("inside") }
    inner()
    b.emit("there")
    b.glow(1)
    b.hide()
    [1].push(2)
    transition("open")
  }
}
object "b" { }`)
	i := slices.IndexFunc(p.Functions, func(f run.Function) bool { return f.Name == "all" })
	var raised []string
	kinds := map[run.EffectKind]int{}
	for _, e := range p.Effects(i) {
		kinds[e.Kind]++
		if e.Kind == run.Raises {
			raised = append(raised, e.Name)
		}
		if e.Kind == run.WritesMember && (!e.Own && e.Owner == "" || e.Name != "visible") || e.Kind == run.ReadsMember && (!e.Own || e.Name != "position") {
			t.Errorf("%+v", e)
		}
	}
	// Either of two names is none that the code alone knows.
	if want := []string{"plain", "with", "", "same", "looped", "tried", "there", "transition"}; !slices.Equal(raised, want) {
		t.Errorf("raises %q, not %q", raised, want)
	}
	want := map[run.EffectKind]int{run.ReadsState: 1, run.WritesState: 1, run.ReadsMember: 1, run.WritesMember: 2, run.Raises: 8, run.Calls: 2, run.CallsMember: 1, run.CallsHost: 2}
	for k := range run.Spawns + 1 {
		if kinds[k] != want[k] {
			t.Errorf("%d effects of kind %d, not %d", kinds[k], k, want[k])
		}
	}
	for i := range p.Functions {
		p.Effects(i) // none stumbles
	}
}

// TestEffectsHoldWhatRunsDo: whatever the stored traces raise, set, ask the host
// for and spawn is an effect of a function of their program.
func TestEffectsHoldWhatRunsDo(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(traces, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("no traces", err)
	}
	seen := map[string]int{}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var k traceCase
		if err := json.Unmarshal(raw, &k); err != nil {
			t.Fatal(err)
		}
		p, err := run.Read(k.Program)
		if err != nil {
			t.Fatal(err)
		}
		all := map[string]bool{"event update": true}
		anyEvent := false
		for i := range p.Functions {
			for _, e := range p.Effects(i) {
				switch e.Kind {
				case run.WritesState:
					all["set "+p.State[e.Index].Owner+" "+p.State[e.Index].Key] = true
				case run.WritesMember:
					all["member "+e.Name] = true
				case run.Raises:
					anyEvent = anyEvent || e.Name == ""
					all["event "+e.Name] = true
				case run.CallsMember:
					all["host "+e.Name] = true
				case run.CallsHost:
					all["host "+p.Host[e.Index]] = true
				case run.Spawns:
					all["spawn "+e.Name] = true
					for _, t := range p.Templates {
						for _, s := range p.State {
							if t.Name == e.Name && s.Owner == t.Nodes[0] { // the keys behind the place
								all["set "+s.Owner+" "+s.Key] = true
							}
						}
					}
				}
			}
		}
		for _, w := range p.Wires {
			if w.Set != nil {
				all["set "+p.State[*w.Set].Owner+" "+p.State[*w.Set].Key] = true
			}
		}
		for _, e := range k.Events {
			all["event "+e.Name] = true
		}
		var list []struct{ Kind, Node, Name string }
		if err := json.Unmarshal(k.Trace, &list); err != nil {
			t.Fatal(err)
		}
		prototypes := map[string][]string{}
		for _, t := range p.Templates {
			prototypes[t.Name] = t.Nodes
		}
		made, more := map[string]string{}, []string(nil) // what is spawned is of a prototype; its nodes follow each other
		for _, e := range list {
			if e.Kind == "spawn" && len(more) > 0 {
				made[e.Node], more = more[0], more[1:]
				continue
			}
			if nodes := prototypes[e.Name]; e.Kind == "spawn" && nodes != nil {
				made[e.Node], more = nodes[0], nodes[1:]
			}
			e.Node = cmp.Or(made[e.Node], e.Node)
			switch e.Kind {
			case "event":
				if !all["event "+e.Name] && !anyEvent {
					t.Errorf("%s: nothing raises %q", file, e.Name)
				}
			case "set":
				if !all["set "+e.Node+" "+e.Name] && !all["member "+e.Name] {
					t.Errorf("%s: nothing writes %s of %s", file, e.Name, e.Node)
				}
			case "host", "spawn":
				if !all[e.Kind+" "+e.Name] {
					t.Errorf("%s: no %s of %s", file, e.Kind, e.Name)
				}
			default:
				continue
			}
			seen[e.Kind]++
		}
	}
	if seen["event"] < 1000 || seen["set"] < 1000 || seen["host"] < 10 || seen["spawn"] < 3 {
		t.Errorf("the traces hold too little: %v", seen)
	}
}
