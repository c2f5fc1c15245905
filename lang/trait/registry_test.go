package trait

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/diag"
)

// targetIDs are those of language.md §16.2, the reserved ones included.
var targetIDs = strings.Fields(`html threejs gltf glb usd usdz obj stl urdf sdf a2a-agent-card mcp-config openapi state json-ast scene-json source
	pipeline-node r3f babylon playcanvas aframe x3d webgpu wasm ar native-2d godot openxr mjcf dtdl wot aas node-service pipeline-python unity vrchat
	unreal visionos ios android android-xr kubernetes github-actions vrr phone-sleeve-vr 3dgs nir multi-layer
	nextjs-api docker markdown tsl scm openxr-spatial-entities ngsi-ld model-viewer`)

func builtinFile(t testing.TB) *File {
	t.Helper()
	f, faults := Read(catalogue)
	for _, f := range faults {
		t.Error(f.Message())
	}
	return f
}

func TestCatalogueIsValid(t *testing.T) {
	t.Parallel()
	f := builtinFile(t)
	r, faults := (&Registry{}).With(f)
	for _, f := range faults {
		t.Error(f.Message())
	}
	if r.Len() != len(f.Traits) || r.Len() == 0 {
		t.Fatalf("registry has %d of %d traits", r.Len(), len(f.Traits))
	}
	if !slices.IsSortedFunc(f.Traits, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("the catalogue is not sorted by name")
	}
	folds := map[string]string{}
	for _, e := range r.All() {
		if other := folds[FoldKey(e.Name)]; other != "" {
			t.Errorf("@%s and @%s spell one key", e.Name, other)
		}
		folds[FoldKey(e.Name)] = e.Name
		if e.Summary == "" {
			t.Errorf("@%s has no summary", e.Name)
		}
		for _, other := range e.Conflicts {
			o, ok := r.Lookup(other)
			if !ok || !slices.Contains(o.Conflicts, e.Name) {
				t.Errorf("@%s excludes @%s but not the other way", e.Name, other)
			}
			if !r.Exclude(e.Name, other) || !r.Exclude(other, e.Name) {
				t.Errorf("Exclude(%s, %s) is false", e.Name, other)
			}
		}
	}
}

// Every goal is a target, a group of targets or *.
func TestGoalsNameTargets(t *testing.T) {
	t.Parallel()
	r := Builtin()
	for _, e := range r.All() {
		full, partial := r.Goals(e, targetIDs)
		for _, id := range append(full, partial...) {
			if !slices.Contains(targetIDs, id) {
				t.Errorf("@%s has the goal %s, which is no target", e.Name, id)
			}
		}
		for _, id := range partial {
			if slices.Contains(full, id) {
				t.Errorf("@%s has %s as full and partial", e.Name, id)
			}
		}
	}
}

// What is read and written again is the same, so no field of the data is lost.
func TestCatalogueSurvivesEncoding(t *testing.T) {
	t.Parallel()
	f := builtinFile(t)
	out, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	var before, after any
	if err := json.Unmarshal(catalogue, &before); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &after); err != nil {
		t.Fatal(err)
	}
	if a, b := canonical(t, before), canonical(t, after); a != b {
		i := 0
		for i < len(a) && i < len(b) && a[i] == b[i] {
			i++
		}
		t.Errorf("differs at byte %d:\n%.200s\n%.200s", i, a[max(0, i-80):], b[max(0, i-80):])
	}
}

func canonical(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Every example is a use the checker has nothing to say about.
func TestExamplesAreClean(t *testing.T) {
	t.Parallel()
	r := Builtin()
	for _, e := range r.All() {
		var args []Arg
		for i := range e.Params {
			p := &e.Params[i]
			if v, _ := p.sample(); p.Required || p.Default != nil {
				args = append(args, Arg{Key: p.Name, Value: v})
			}
		}
		for _, f := range r.Check(Use{e.Name, args}) {
			t.Errorf("@%s: %s", e.Name, f.Message())
		}
		if x, ok := r.Explain(e.Name); !ok || x.Core != e.Core() || !strings.HasPrefix(x.Example, "@"+e.Name) {
			t.Errorf("Explain(%s) = %+v", e.Name, x)
		}
	}
	if got, want := mustLookup(t, r, "glowing").Example(), `@glowing(color: "#ffffff", intensity: 1)`; got != want {
		t.Errorf("example %s, want %s", got, want)
	}
	if got, want := mustLookup(t, r, "tooltip").Example(), `@tooltip("…")`; got != want {
		t.Errorf("example %s, want %s", got, want)
	}
}

func mustLookup(t testing.TB, r *Registry, name string) *Entry {
	t.Helper()
	e, ok := r.Lookup(name)
	if !ok {
		t.Fatalf("no trait @%s", name)
	}
	return e
}

func TestLookups(t *testing.T) {
	t.Parallel()
	r := Builtin()
	if _, ok := r.Lookup("Glowing"); ok {
		t.Error("names are compared exactly")
	}
	p, ok := mustLookup(t, r, "emissive").Param("emissionColor")
	if !ok || p.Name != "color" {
		t.Errorf("emissionColor finds %+v", p)
	}
	for name, want := range map[string]string{
		"grabable": "grabbable", "bouyancy": "buoyancy", "claim_filter": "claimFilter", "Glowing": "glowing", "on-event": "on_event",
		"fore": "for", "fo": "for", "frr": "for", "qwertyuiop": "", "": "", strings.Repeat("a", MaxName+1): "", "lod2": "lod", "lo": "lod",
	} {
		if got, _ := r.Nearest(name); got != want {
			t.Errorf("nearest of %q is %q, want %q", name, got, want)
		}
	}
	if slug, ok := r.Category("a11y"); !ok || slug != "accessibility" {
		t.Errorf("category a11y is %q", slug)
	}
	if _, ok := r.Category("nonsense"); ok {
		t.Error("a category nobody has is found")
	}
	if got := r.NearestCategories("physic"); len(got) == 0 || got[0] != "physics" {
		t.Errorf("nearest of physic: %q", got)
	}
	full, partial := r.Goals(mustLookup(t, r, "on"), []string{"b", "a"})
	if fmt.Sprint(full, partial) != "[a b] []" {
		t.Errorf("goals of * are %v %v", full, partial)
	}
	if full, _ := r.Goals(mustLookup(t, r, "grabbable"), targetIDs); !slices.Contains(full, "playcanvas") || !slices.Contains(full, "godot") {
		t.Errorf("groups are not resolved: %v", full)
	}
}

func TestListing(t *testing.T) {
	t.Parallel()
	r := Builtin()
	all := r.List("")
	sum := 0
	for _, n := range all.Categories {
		sum += n
	}
	if all.Total != r.Len() || len(all.List) != all.Total || sum != all.Total || len(all.CategorySlugs) != len(all.Categories) {
		t.Errorf("total %d, list %d, sum %d, slugs %d, categories %d", all.Total, len(all.List), sum, len(all.CategorySlugs), len(all.Categories))
	}
	for _, slug := range all.CategorySlugs {
		one, ok := r.ListCategory(slug, "")
		if !ok || one.Count != all.Categories[slug] || one.Count == 0 {
			t.Errorf("category %s has %d traits, counted %d", slug, one.Count, all.Categories[slug])
		}
	}
	viaAlias, ok := r.ListCategory("vr", "")
	if !ok || viaAlias.Category != "xr" || viaAlias.RequestedAs != "vr" {
		t.Errorf("alias: %+v", viaAlias)
	}
	if _, ok := r.ListCategory("vrr", ""); ok {
		t.Error("an unknown category is listed")
	}
	found := r.List("HAND pick")
	if found.Total != 1 || found.List[0].Name != "grabbable" {
		t.Errorf("q finds %d: %+v", found.Total, found.List)
	}
	text := canonical(t, found.List[0])
	if !strings.HasPrefix(text, `{"category":`) && !strings.HasPrefix(text, `{"name":"grabbable","category":"interaction","summary":"The user can pick`) {
		t.Errorf("JSON form %s", text)
	}
	if !strings.Contains(text, `{"name":"snap_distance","type":"number","default":0.1,"min":0,"unit":"m"}`) {
		t.Errorf("JSON form of a parameter: %s", text)
	}
}

const minimal = `{"name":%q,"kind":"trait","category":"state","summary":"s","params":[],"requires":[],"conflicts":[],"goals":{}%s}`

func file(entries ...string) []byte {
	return []byte(`{"schema":"trait-catalogue/1","categories":["mine"],"category_aliases":{"my":"mine"},"traits":[` + strings.Join(entries, ",") + `]}`)
}

func entry(name, more string) string { return fmt.Sprintf(minimal, name, more) }

func TestProjectFileIsLaidOver(t *testing.T) {
	t.Parallel()
	f, faults := Read(file(
		`{"name":"glowing","kind":"trait","category":"my_own","summary":"Ours.","params":[{"name":"hue","type":"number"}],"requires":[],"conflicts":["grabbable"],"goals":{}}`))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	base := Builtin()
	r, faults := base.With(f)
	if len(faults) != 1 || faults[0].Trait != "glowing" || faults[0].Place != "category" {
		t.Fatalf("a category nobody has: %+v", faults)
	}
	if mustLookup(t, r, "glowing").Summary == "Ours." {
		t.Error("a refused entry hides the built-in one")
	}
	f.Traits[0].Category = "mine"
	r, faults = base.With(f)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if mustLookup(t, r, "glowing").Summary != "Ours." || mustLookup(t, base, "glowing").Summary == "Ours." {
		t.Error("the later definition should hide the earlier one, in the new registry only")
	}
	if !r.Exclude("grabbable", "glowing") || base.Exclude("grabbable", "glowing") {
		t.Error("conflicts are symmetric, in the new registry only")
	}
	if slug, _ := r.Category("my"); slug != "mine" || r.Len() != base.Len() {
		t.Errorf("category %q, %d traits", slug, r.Len())
	}
}

func TestReferencesMustExist(t *testing.T) {
	t.Parallel()
	f, faults := Read(file(
		`{"name":"aa","kind":"trait","category":"mine","summary":"","params":[],"requires":[["nope"],["nope","glowing"]],"conflicts":["nope","static"],"goals":{}}`))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	r, faults := Builtin().With(f)
	if len(faults) != 3 {
		t.Errorf("%d faults: %+v", len(faults), faults)
	}
	e := mustLookup(t, r, "aa")
	if fmt.Sprint(e.Requires, e.Conflicts) != "[[glowing]] [static]" {
		t.Errorf("what is left: %v %v", e.Requires, e.Conflicts)
	}
	again, faults := r.With(&File{})
	if len(faults) > 0 || fmt.Sprint(mustLookup(t, again, "aa").Requires) != "[[glowing]]" {
		t.Errorf("a second layer: %+v", faults)
	}
}

func TestDefinitionsInherit(t *testing.T) {
	t.Parallel()
	warm := Value{Kind: Text, Str: "#ffb070"}
	high := Value{Kind: Number, Num: 1.5}
	r, faults := Builtin().Define([]Entry{{
		Name: "warm_glow", Extends: "glowing",
		Params: []Param{{Name: "color", Type: Type{{Base: TypeColor}}, Default: &warm}, {Name: "intensity", Type: Type{{Base: TypeNumber}}, Default: &high}},
	}, {Name: "ticker", Params: []Param{{Name: "speed", Type: Type{{Base: TypeNumber}}}}}})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	e, parent := mustLookup(t, r, "warm_glow"), mustLookup(t, r, "glowing")
	if len(e.Params) != len(parent.Params) || e.Category != "rendering" || !e.Core() || len(e.Goals.Full) != len(parent.Goals.Full) {
		t.Errorf("inherited: %+v", e)
	}
	p, _ := e.Param("intensity")
	if p.Min == nil || *p.Min != 0 || p.Default.Num != 1.5 {
		t.Errorf("a narrowed parameter keeps its range: %+v", p)
	}
	if mustLookup(t, r, "ticker").Category != Own || !slices.Contains(r.Categories(), Own) {
		t.Error("a definition without a category is in its own")
	}
	if got := r.Check(Use{"warm_glow", []Arg{{Key: "intensity", Value: Value{Kind: Number, Num: -1}}}}); len(got) != 1 || got[0].Code != "TRT004" {
		t.Errorf("inherited range: %+v", got)
	}
}

func TestBadDefinitions(t *testing.T) {
	t.Parallel()
	chain := func(n int) []Entry {
		var out []Entry
		for i := range n {
			out = append(out, Entry{Name: fmt.Sprintf("c%d", i), Extends: fmt.Sprintf("c%d", i+1)})
		}
		return append(out, Entry{Name: fmt.Sprintf("c%d", n)})
	}
	negative := Value{Kind: Number, Num: -1}
	many := make([]Param, MaxParams)
	for i := range many {
		many[i] = Param{Name: fmt.Sprintf("p%d", i), Type: Type{{Base: TypeAny}}}
	}
	zero := 0.0
	cases := []struct {
		name    string
		entries []Entry
		code    diag.Code
		message string
		kept    []string // names that are there afterwards
	}{
		{"unknown parent", []Entry{{Name: "a1", Extends: "nope"}, {Name: "b1"}}, "TRT010", "Trait definition 'a1' is not valid: extends: 'nope' is not a trait.", []string{"b1"}},
		{"itself", []Entry{{Name: "glowing", Extends: "glowing"}}, "TRT011", "Trait definitions extend each other: @glowing → @glowing.", []string{"glowing"}},
		{"a cycle", []Entry{{Name: "a1", Extends: "b1"}, {Name: "b1", Extends: "a1"}, {Name: "c1", Extends: "a1"}}, "TRT011", "Trait definitions extend each other: @a1 → @b1 → @a1.", nil},
		{"a long chain", chain(MaxExtends + 1), "LIM010", "", []string{"c1"}},
		{"a bad name", []Entry{{Name: "a b"}}, "TRT010", "Trait definition 'a b' is not valid: name: 'a b' is not a name.", nil},
		{"a bad default", []Entry{{Name: "a1", Params: []Param{{Name: "x", Type: Type{{Base: TypeNumber}}, Min: &zero, Default: &negative}}}}, "TRT010",
			"Trait definition 'a1' is not valid: params[0].default: 'x' of '@a1' should be between 0 and infinity.", nil},
		{"an inherited range", []Entry{{Name: "a1", Extends: "glowing", Params: []Param{{Name: "intensity", Type: Type{{Base: TypeNumber}}, Default: &negative}}}}, "TRT010", "", []string{"glowing"}},
		{"twice", []Entry{{Name: "a1"}, {Name: "a1"}}, "TRT010", "Trait definition 'a1' is not valid: name: is defined twice.", []string{"a1"}},
		{"two spellings", []Entry{{Name: "claim_filter"}}, "TRT010", "Trait definition 'claim_filter' is not valid: name: spells the same key as '@claimFilter'.", []string{"claimFilter"}},
		{"one parameter in two spellings", []Entry{{Name: "a1", Params: []Param{{Name: "aB", Type: Type{{Base: TypeAny}}}, {Name: "a_b", Type: Type{{Base: TypeAny}}}}}}, "TRT010", "", nil},
		{"too many parameters in all", []Entry{{Name: "a1", Extends: "glowing", Params: many}}, "TRT010", "", []string{"glowing"}},
		{"a parameter without a type", []Entry{{Name: "a1", Params: []Param{{Name: "x"}}}}, "TRT010", "", nil},
	}
	for _, c := range cases {
		r, faults := Builtin().Define(c.entries)
		if len(faults) == 0 || faults[0].Code != c.code {
			t.Errorf("%s: %+v", c.name, faults)
			continue
		}
		if c.message != "" && faults[0].Message() != c.message {
			t.Errorf("%s: %s\nwant %s", c.name, faults[0].Message(), c.message)
		}
		for _, name := range c.kept {
			mustLookup(t, r, name)
		}
		for _, e := range c.entries {
			if _, there := r.Lookup(e.Name); there && !slices.Contains(c.kept, e.Name) && c.name != "a long chain" {
				t.Errorf("%s: @%s is in the registry", c.name, e.Name)
			}
		}
		if r.Len() < Builtin().Len() {
			t.Errorf("%s: built-in traits are gone", c.name)
		}
	}
	if r, faults := Builtin().Define(chain(MaxExtends)); len(faults) > 0 || r.Len() != Builtin().Len()+MaxExtends+1 {
		t.Errorf("the longest chain: %v", faults)
	}
}
