package direct_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/target/direct"
	"github.com/meshd/meshd/lang/target/direct/directtest"
)

func plan(t *testing.T, source string) *direct.Scripts {
	t.Helper()
	src := target.Load(nil, "main.holo", []byte(source), ast.Holo)
	r, err := target.Compile(src, target.Request{Target: "godot"})
	if err != nil {
		t.Fatal(err)
	}
	in := &artefact.Input{Scene: r.Scene, Files: append([]*ast.File{src.Main}, src.More...), Target: "godot"}
	c, err := in.Behaviour()
	if err != nil {
		t.Fatal(err)
	}
	return direct.Plan(in, c)
}

// TestEachReasonIsSaid: what does not translate is left with what it has, and its
// place.
func TestEachReasonIsSaid(t *testing.T) {
	for code, reason := range map[string]string{
		"for (const x of state.list) { state.n = state.n + 1 }": "a loop",
		"while (state.n < 3) { state.n += 1 }":                  "a loop",
		"try { state.n = e.a } catch (f) { state.n = 0 }":       "try",
		"const f = () => { state.n = 1 }":                       "a function as a value",
		"await wait(1)":                                         "wait",
		"spawn \"T\" at [0, 0, 0]":                              "spawn",
		"looping(1)":                                            "a call of looping, which is left",
		"again(1)":                                              "a call of itself",
		"state.list[0] = 1":                                     "an assignment to an element",
		"const [a, b] = state.list":                             "",
	} {
		s := plan(t, `composition "c" { template "T" { geometry: "box" } object "o" { geometry: "box" state { n: 0 list: [] }
  function looping(k) { for (const x of state.list) { state.n = k } }
  function again(k) { again(k - 1) }
  on "click" (e) { `+code+` } } }`)
		at := slices.IndexFunc(s.Left, func(l direct.Left) bool { return l.Name == "on click" })
		switch {
		case reason == "":
			if at >= 0 {
				t.Errorf("%s: %v", code, s.Left[at])
			}
		case at < 0:
			t.Errorf("%s translates", code)
		case s.Left[at].Reason != reason || s.Left[at].Line != 4 || s.Left[at].File != "main.holo":
			t.Errorf("%s: %+v", code, s.Left[at])
		}
	}
}

// TestNamesAreTheAuthors: parameters and locals keep their names, also where a value
// is a call.
func TestNamesAreTheAuthors(t *testing.T) {
	s := plan(t, `composition "c" { object "o" { geometry: "box" state { n: 0 }
  function half(whole) { return whole / 2 }
  on "click" (hit) { const first = half(state.n)
    let second = first + 1
    second = second * 2
    state.n = second
    log(hit) } } }`)
	var f *direct.Func
	for _, r := range s.Rows {
		if strings.HasPrefix(r.Func.Name, "on_click") {
			f = r.Func
		}
	}
	if f == nil || !slices.Equal(f.Params, []string{"hit"}) {
		t.Fatalf("%+v", f)
	}
	var names []string
	for _, x := range f.Body {
		if x.Kind == direct.Let || x.Kind == direct.Assign {
			names = append(names, x.Name)
		}
	}
	if !slices.Equal(names, []string{"first", "second", "second"}) {
		t.Errorf("%q", names)
	}
}

// TestLongNames: names that are cut stay apart.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("n", 80)
	s := plan(t, `composition "c" { object "o" { geometry: "box" on "click" (`+long+`a) { const `+long+`b = 1
    const `+long+`c = 2
    log(`+long+`a, `+long+`b, `+long+`c) } } }`)
	if len(s.Rows) != 1 || s.Rows[0].Func.Body[0].Name == s.Rows[0].Func.Body[1].Name {
		t.Errorf("%+v", s.Rows)
	}
}

// TestMostTranslates: of the functions of the examples, four in five.
func TestMostTranslates(t *testing.T) {
	done, all := 0, 0
	for name, source := range directtest.Examples(t, os.DirFS("../../../examples")) {
		format, ok := ast.FormatOf(name)
		if !ok {
			continue
		}
		src := target.Load(nil, name, []byte(source), format)
		r, err := target.Compile(src, target.Request{Target: "scene-json"})
		if err != nil {
			continue // it needs other files
		}
		in := &artefact.Input{Scene: r.Scene, Files: append([]*ast.File{src.Main}, src.More...), Target: "godot"}
		c, err := in.Behaviour()
		if err != nil {
			t.Fatal(err)
		}
		s := direct.Plan(in, c)
		done, all = done+len(s.Rows), all+len(s.Rows)+len(s.Left)
	}
	if all < 300 || done*100 < all*80 {
		t.Errorf("%d of %d functions translate", done, all)
	}
}

// FuzzPlan: whatever a source says, the plan is made.
func FuzzPlan(f *testing.F) {
	for _, s := range directtest.Sources() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		src := target.Load(nil, "main.holo", []byte(source), ast.Holo)
		r, err := target.Compile(src, target.Request{Target: "scene-json"})
		if err != nil {
			return // no source
		}
		in := &artefact.Input{Scene: r.Scene, Files: append([]*ast.File{src.Main}, src.More...), Target: "godot"}
		if c, err := in.Behaviour(); err == nil {
			direct.Plan(in, c)
		}
	})
}
