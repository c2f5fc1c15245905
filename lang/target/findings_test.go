package target_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/module"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
)

// What a source has to be like for the codes that compiling gives. The tables of
// the parser and the checker have the others, with what their fixes leave.
var compiled = []struct {
	code    diag.Code
	target  string
	text    string
	limits  scene.Limits
	message string // what it begins with
}{
	{"TGT001", "htmk", `object "A" { }`, scene.Limits{}, "Unknown target 'htmk'. Did you mean 'html'?"},
	{"TGT002", "stl", `object "A" { geometry: "box" color: "red" }`, scene.Limits{}, "stl cannot express materials; it is left out."},
	{"TGT003", "urdf", `object "A" { geometry: "torus" }`, scene.Limits{}, "urdf approximates"},
	{"TGT004", "openapi", `object "A" { geometry: "box" }`, scene.Limits{}, "Nothing in this source fits openapi; it needs an endpoint"},
	{"TGT005", "html", `@for i in 0..60000 { object "a" { on_tap() { } on_press() { } } }`, scene.Limits{}, "html requires behaviour that fits into one program"},
	{"TGT006", "gltf", `object "A" { model: "duck.glb" }`, scene.Limits{}, "Asset 'duck.glb' is not inside the artefact."},
	{"TGT007", "urdf", `object "A b/c" { geometry: "box" }`, scene.Limits{}, "'A b∕c' is called 'A_b_c' in urdf."},
	{"LIM001", "html", strings.Repeat(" ", 8<<20+1), scene.Limits{}, "Limit exceeded: the size of the source in bytes is 8388609, allowed 8388608."},
	{"LIM002", "html", "a: " + strings.Repeat("(", 300) + "1" + strings.Repeat(")", 300), scene.Limits{}, "Limit exceeded: the nesting of brackets"},
	{"LIM003", "html", strings.Repeat(",", 4_000_001), scene.Limits{}, "Limit exceeded: the number of tokens is 4000001, allowed 4000000."},
	{"LIM004", "html", "import \"./chain0\"", scene.Limits{}, "Limit exceeded: the depth of imports is 65, allowed 64."},
	{"LIM005", "html", `@for i in 0..3 { object "a" { } }`, scene.Limits{Nodes: 2}, "Limit exceeded: the number of nodes is 3, allowed 2."},
	{"LIM005", "html", `object "a" { object "b" { object "c" { } } }`, scene.Limits{Depth: 2}, "Limit exceeded: the depth of the tree of nodes is 3, allowed 2."},
	{"LIM006", "glb", `object "a" { geometry: "sphere" }`, scene.Limits{}, "Limit exceeded: the size of the artefact is "},
	{"LIM007", "html", `object "a" { x: [1, 2, 3, 4] }`, scene.Limits{Work: 5}, "Limit exceeded: compile work is 49, allowed 5."},
	{"LIM008", "html", `@for i in 0..30 { x: 1 }`, scene.Limits{Iterations: 20}, "Limit exceeded: the number of turns of @for"},
	{"LIM009", "html", strings.Repeat("a: * 2\n", 150), scene.Limits{}, "Limit exceeded: the number of lines with errors is 150, allowed 100."},
	{"LIM010", "html", `template "A" { } template "B" using "A" { } template "C" using "B" { } object "x" using "C" { }`, scene.Limits{Chain: 1}, "Limit exceeded: the chain of templates is 2, allowed 1."},
}

// TestFindingsOfCompiling: each is reported with its message and a place in a file.
func TestFindingsOfCompiling(t *testing.T) {
	tested := map[diag.Code]bool{diag.INT001: true} // TestFaultOfAWriter
	for _, c := range compiled {
		tested[c.code] = true
		src := target.Load(importsOf(c.text), "main.holo", []byte(c.text), ast.Holo)
		size := 0
		if c.code == "LIM006" {
			size = 1 << 10
		}
		r, err := target.Compile(src, target.Request{Target: c.target, Limits: c.limits, MaxSize: size})
		var bad *target.SourceError
		var unknown *target.UnknownTarget
		var found []diag.Diagnostic
		switch {
		case err == nil:
			found = r.Diagnostics
		case errors.As(err, &bad):
			found = bad.All
		case errors.As(err, &unknown):
			if c.code != "TGT001" || err.Error() != c.message {
				t.Errorf("%s: %v", c.code, err)
			}
			continue
		default:
			t.Errorf("%s: %v", c.code, err)
			continue
		}
		i := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return d.Code == c.code && strings.HasPrefix(d.Message, c.message) })
		if i < 0 {
			t.Errorf("%s %.60q: found %v", c.code, c.text, found)
			continue
		}
		d := found[i]
		fails := slices.IndexFunc(diag.Rows, func(r diag.Row) bool { return r.Code == d.Code && r.Severity == diag.Error }) >= 0
		if d.Line < 1 || d.Column < 1 || d.File == "" || fails != (d.Severity == diag.Error) || fails != (err != nil) {
			t.Errorf("%s: %+v, and the compile answers %v", c.code, d, err)
		}
	}
	for _, row := range diag.Rows {
		switch row.Code[:3] {
		case "SYN", "NAM", "BLK", "TRT", "TYP", "IMP", "STM", "FLO", "LNT": // tables of lang/parse and lang/check
		default:
			if !tested[row.Code] {
				t.Errorf("nothing provokes %s", row.Code)
			}
		}
	}
}

// importsOf is a project in which a chain of modules is too long.
func importsOf(text string) module.Memory {
	files := module.Memory{"main.holo": []byte(text)}
	for i := range module.MaxImports + 1 {
		files["chain"+strconv.Itoa(i)+".hsplus"] = []byte("import \"./chain" + strconv.Itoa(i+1) + "\"\n")
	}
	return files
}
