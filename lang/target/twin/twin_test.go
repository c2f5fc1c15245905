package twin_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/target/artefact"
)

func compile(t testing.TB, source, id string) *target.Result {
	t.Helper()
	r, err := target.Compile(target.Load(nil, "main.hsplus", []byte(source), ast.HSPlus), target.Request{Target: id})
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	return r
}

func decode[T any](t testing.TB, r *target.Result) T {
	t.Helper()
	var out T
	if err := json.Unmarshal(r.Files[0].Data, &out); err != nil {
		t.Fatalf("%v: %s", err, r.Files[0].Data)
	}
	return out
}

const pump = `composition "Plant" {
  object "hall" {
    object "pump" @sensor(type: "pressure", unit: "bar") @actuator(type: "speed") {
      state { running: false speed: 3.5 tags: ["a", "b"] place: { row: 1, shelf: "x" } later: null }
      function start(seconds: number, why?: string): boolean {
        emit("started", { seconds })
        return true
      }
      get load(): number => 1
      state_machine "mode" {
        initial: idle
        states: {
          idle: { on: { start: busy } }
          busy: { on: { stop: idle } }
        }
      }
      object "valve" @clickable { state { open: true } }
    }
    object "wall" { geometry: "cube" }
  }
}
`

type entity struct {
	ID       string `json:"@id"`
	Type     string `json:"@type"`
	Name     string
	Schema   any
	Target   string
	Writable bool
	Contents []entity
	Request  *entity
	Response *entity
}

// TestInterfaces: state is a property, a reading and an event telemetry, a
// function a command with its parameters, a thing below a relationship.
func TestInterfaces(t *testing.T) {
	r := compile(t, pump, "dtdl")
	doc := decode[[]entity](t, r)
	var got []string
	for _, e := range doc {
		for _, c := range e.Contents {
			line := fmt.Sprintf("%s %s %s", e.ID, c.Type, c.Name)
			if s, ok := c.Schema.(string); ok {
				line += " " + s
			}
			if c.Target != "" {
				line += " " + c.Target
			}
			got = append(got, line)
		}
	}
	want := []string{
		"dtmi:meshd:Plant:hall_pump;1 Property running boolean", "dtmi:meshd:Plant:hall_pump;1 Property speed double",
		"dtmi:meshd:Plant:hall_pump;1 Property tags", "dtmi:meshd:Plant:hall_pump;1 Property place", "dtmi:meshd:Plant:hall_pump;1 Property later string",
		"dtmi:meshd:Plant:hall_pump;1 Property load double", "dtmi:meshd:Plant:hall_pump;1 Property machine",
		"dtmi:meshd:Plant:hall_pump;1 Telemetry pressure double", "dtmi:meshd:Plant:hall_pump;1 Telemetry started",
		"dtmi:meshd:Plant:hall_pump;1 Command start", "dtmi:meshd:Plant:hall_pump;1 Command set_speed",
		"dtmi:meshd:Plant:hall_pump;1 Relationship hall_pump_valve dtmi:meshd:Plant:hall_pump_valve;1",
		"dtmi:meshd:Plant:hall_pump_valve;1 Property open boolean", "dtmi:meshd:Plant:hall_pump_valve;1 Telemetry click string",
	}
	if !slices.Equal(got, want) {
		t.Errorf("\n%s\nis not\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	losses := map[string]int{}
	for _, l := range r.Losses {
		losses[l.Code+" "+l.Feature] = l.Nodes[0].Line
	}
	if losses["TGT003 behaviour"] == 0 || losses["TGT003 nodes"] != 2 {
		t.Errorf("%v", losses)
	}
}

// TestTypesOfValues: what the source declares of its values, or what they are at
// first, is their schema.
func TestTypesOfValues(t *testing.T) {
	r := compile(t, `
enum Mode { off slow fast }
struct Job { id: string  steps: integer  mode: Mode  where: vec3  note?: string }
interface Long extends Job { more: Map<string, number> }
type Answer = Job | null
type Loop = Loop
object "arm" {
  state { mode: Mode = "off"  left: integer = 3  speed: number = 1  last: Answer = null  jobs: Job[] = []  level: "low" | "high" = "low"  odd: Loop = 1  n: 4 }
  computed { busy: state.left > 0  twice: left * 2  text: "n: " + left  first: jobs[0].id }
  get rate() => speed / 2
  // Begins a job.
  action begin(job: Long, when?: duration): Answer { emit("begun", { id: job.id, left: left })  emit("took", { job, hours: when })  return null }
  action stop(now: boolean = true): void { emit("stopped") }
  on_job(j: Job) { emit("begun", { id: j.id, left: 1.5 }) }
}`, "dtdl")
	doc := decode[[]map[string]any](t, r)
	got := map[string]string{}
	for _, c := range doc[0]["contents"].([]any) {
		c := c.(map[string]any)
		delete(c, "displayName")
		delete(c, "comment")
		name := c["name"].(string)
		delete(c, "name")
		delete(c, "@type")
		raw, _ := json.Marshal(c)
		got[name] = string(raw)
	}
	mode := `{"@type":"Enum","enumValues":[{"enumValue":"off","name":"off"},{"enumValue":"slow","name":"slow"},{"enumValue":"fast","name":"fast"}],"valueSchema":"string"}`
	fields := `{"name":"id","schema":"string"},{"name":"steps","schema":"long"},{"name":"mode","schema":` + mode + `},{"name":"where","schema":{"@type":"Array","elementSchema":"double"}},{"name":"note","schema":"string"}`
	job := `{"@type":"Object","fields":[` + fields + `]}`
	long := `{"@type":"Object","fields":[{"name":"more","schema":{"@type":"Map","mapKey":{"name":"key","schema":"string"},"mapValue":{"name":"value","schema":"double"}}},` + fields + `]}`
	for name, want := range map[string]string{
		"mode": `{"schema":` + mode + `,"writable":true}`, "left": `{"schema":"long","writable":true}`, "speed": `{"schema":"double","writable":true}`, "n0": `{"schema":"double","writable":true}`,
		"last": `{"schema":` + job + `,"writable":true}`, "jobs": `{"schema":{"@type":"Array","elementSchema":` + job + `},"writable":true}`,
		"level": `{"schema":{"@type":"Enum","enumValues":[{"enumValue":"low","name":"low"},{"enumValue":"high","name":"high"}],"valueSchema":"string"},"writable":true}`,
		"odd":   `{"schema":"double","writable":true}`, "busy": `{"schema":"boolean"}`, "twice": `{"schema":"double"}`, "text": `{"schema":"string"}`, "first": `{"schema":"string"}`, "rate": `{"schema":"double"}`,
		"begin":   `{"description":"Begins a job.","request":{"name":"request","schema":{"@type":"Object","fields":[{"name":"job","schema":` + long + `},{"name":"when","schema":"double"}]}},"response":{"name":"response","schema":` + job + `}}`,
		"stop":    `{"request":{"name":"request","schema":{"@type":"Object","fields":[{"name":"now","schema":"boolean"}]}}}`,
		"took":    `{"schema":{"@type":"Object","fields":[{"name":"job","schema":` + long + `},{"name":"hours","schema":"double"}]}}`,
		"stopped": `{"schema":"string"}`, "begun": `{"schema":"string"}`, // two that raise it do not agree
	} {
		if got[name] != want {
			t.Errorf("%s is\n%s, not\n%s", name, got[name], want)
		}
	}
}

// TestThing: one description with all affordances, each with its form.
func TestThing(t *testing.T) {
	type member struct {
		Type     string
		ReadOnly bool
		Enum     []string
		Default  any
		Input    struct {
			Required   []string
			Properties map[string]struct{ Type string }
		}
		Forms []struct{ Href string }
	}
	doc := decode[struct {
		Title                       string
		Properties, Actions, Events map[string]member
	}](t, compile(t, pump, "wot"))
	if p := doc.Properties["hall_pump_speed"]; p.Default != 3.5 || p.Forms[0].Href != "properties/hall_pump_speed" || p.ReadOnly {
		t.Errorf("%+v", p)
	}
	if m := doc.Properties["hall_pump_machine"]; fmt.Sprintf("%v %v %v", m.Enum, m.Default, m.ReadOnly) != "[idle busy] idle true" {
		t.Errorf("%+v", m)
	}
	if a := doc.Actions["hall_pump_start"]; fmt.Sprint(a.Input.Required) != "[seconds]" || a.Input.Properties["why"].Type != "string" {
		t.Errorf("%+v", a)
	}
	if len(doc.Events) != 2 || doc.Title != "Plant" {
		t.Errorf("%v %v", doc.Title, doc.Events)
	}
	alone := decode[struct{ Properties map[string]member }](t, compile(t, `object "a" { state { x: 1 } }`, "wot"))
	if _, ok := alone.Properties["x0"]; !ok {
		t.Errorf("a thing alone needs no name before its own: %v", alone)
	}
}

// TestShells: a shell for every thing, whose submodels are there, and values as
// XML Schema writes them.
func TestShells(t *testing.T) {
	type element struct {
		IDShort, ModelType, ValueType string
		Value                         any
	}
	doc := decode[struct {
		Shells []struct {
			ID        string
			Submodels []struct{ Keys []struct{ Value string } }
		} `json:"assetAdministrationShells"`
		Submodels []struct {
			ID       string
			Elements []element `json:"submodelElements"`
		}
	}](t, compile(t, pump, "aas"))
	var ids []string
	values := map[string]element{}
	for _, m := range doc.Submodels {
		ids = append(ids, m.ID)
		for _, e := range m.Elements {
			values[e.IDShort] = e
		}
	}
	for _, s := range doc.Shells {
		for _, r := range s.Submodels {
			if !slices.Contains(ids, r.Keys[0].Value) {
				t.Errorf("%s is not there", r.Keys[0].Value)
			}
		}
	}
	if len(doc.Shells) != 2 || values["speed"].Value != "3.5" || values["speed"].ValueType != "xs:double" || values["running"].Value != "false" {
		t.Errorf("%+v", values)
	}
	if values["tags"].ModelType != "SubmodelElementList" || values["place"].ModelType != "SubmodelElementCollection" || values["started"].ModelType != "Capability" {
		t.Errorf("%+v", values)
	}
}

func TestNothingToMirror(t *testing.T) {
	for _, id := range []string{"dtdl", "wot", "aas"} {
		_, err := target.Compile(target.Load(nil, "main.holo", []byte(`object "a" { geometry: "cube" }`), ast.Holo), target.Request{Target: id})
		if err == nil || !strings.Contains(err.Error(), "TGT004") {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// TestDeepAndWideValues: what is nested deeper or wider than is described
// becomes any value, not a longer description.
func TestDeepAndWideValues(t *testing.T) {
	wide := make([]string, 31)
	for i := range wide {
		wide[i] = fmt.Sprintf("f%d: 1", i)
	}
	source := fmt.Sprintf(`object "a" { state { deep: { a: { b: { c: { d: { e: { f: 1 } } } } } } wide: { %s } } }`, strings.Join(wide, ", "))
	r := compile(t, source, "dtdl")
	if n := strings.Count(string(r.Files[0].Data), `"fields"`); n != 4 {
		t.Errorf("%d objects: %s", n, r.Files[0].Data)
	}
	if strings.Contains(string(r.Files[0].Data), `"f30"`) || !strings.Contains(string(r.Files[0].Data), `"mapKey"`) {
		t.Errorf("%s", r.Files[0].Data)
	}
	if i := slices.IndexFunc(r.Losses, func(l scene.Loss) bool {
		return l.Feature == string(artefact.Behaviour) && strings.Contains(l.Reason, "text")
	}); i < 0 {
		t.Errorf("%+v", r.Losses)
	}
}

var (
	modelID   = regexp.MustCompile(`^dtmi:[A-Za-z](?:[A-Za-z0-9_]*[A-Za-z0-9])?(?::[A-Za-z](?:[A-Za-z0-9_]*[A-Za-z0-9])?)*;1$`)
	modelName = regexp.MustCompile(`^[A-Za-z](?:[A-Za-z0-9_]*[A-Za-z0-9])?$`)
)

// FuzzNames: whatever things and their parts are called, ids and names keep to
// the rules of the format, are no longer than it takes, and are there once.
func FuzzNames(f *testing.F) {
	for _, s := range []string{"a", "", "9", "_", "日本", "__proto__", "a;1", "dtmi:x", "\"\n", "A", strings.Repeat("x", 200), strings.Repeat("é", 90)} {
		f.Add(s, s+"2")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		q := func(s string) string {
			raw, _ := json.Marshal(s)
			return string(raw)
		}
		source := fmt.Sprintf("composition %[1]s { object %[1]s @clickable @sensor(type: %[2]s) @actuator(type: %[1]s) { object %[2]s @clickable {} object %[1]s @clickable {} function go() { emit(%[1]s) emit(%[2]s) } } }", q(a), q(b))
		r, err := target.Compile(target.Load(nil, "main.hsplus", []byte(source), ast.HSPlus), target.Request{Target: "dtdl"})
		if err != nil {
			return // no text of the language
		}
		ids := map[string]bool{}
		for _, e := range decode[[]entity](t, r) {
			if !modelID.MatchString(e.ID) || len(e.ID) > 128 || ids[strings.ToLower(e.ID)] {
				t.Fatalf("%q and %q give the id %s", a, b, e.ID)
			}
			ids[strings.ToLower(e.ID)] = true
			taken := map[string]bool{}
			for _, c := range e.Contents {
				if !modelName.MatchString(c.Name) || len(c.Name) > 64 || taken[c.Name] {
					t.Fatalf("%q and %q give the name %q", a, b, c.Name)
				}
				taken[c.Name] = true
			}
		}
	})
}
