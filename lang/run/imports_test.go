package run_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/module"
	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
)

// project compiles main.hsplus of some files and runs its tests.
func project(t testing.TB, files module.Memory) *run.Compiled {
	t.Helper()
	src := target.Load(files, "main.hsplus", files["main.hsplus"], ast.HSPlus)
	for _, d := range src.Found {
		if d.Severity <= diag.Warning {
			t.Error(d.String())
		}
	}
	s, found := scene.Build(src.Main, src.More, scene.Options{Registry: src.Registry, Imports: src.Imports})
	for _, d := range found {
		t.Error(d.String())
	}
	c, err := run.Compile(s, append([]*ast.File{src.Main}, src.More...), true)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range c.Left {
		t.Error(l)
	}
	if len(c.Tests) == 0 {
		t.Error("no tests")
	}
	for i := range c.Tests {
		r, err := c.Run(&c.Tests[i], nil)
		if err != nil || !r.OK {
			t.Errorf("%s: %v %q", c.Tests[i].Name, err, r.Failed)
		}
	}
	return c
}

// TestImportedData: an imported .json is its value, another data file its text,
// and an asset its path, when a program runs.
func TestImportedData(t *testing.T) {
	var many []string
	for i := range 6000 {
		many = append(many, fmt.Sprintf(`{"n": %d}`, i))
	}
	project(t, module.Memory{
		"data/levels.json": []byte(`{"title": "Caves", "levels": [{"name": "one", "gems": 3}, {"name": "two", "gems": 5}], "hard": false, "best": null}`),
		"many.json":        []byte("[" + strings.Join(many, ",") + "]"),
		"words.txt":        []byte("a\nb"),
		"duck.glb":         []byte("glTF"),
		"main.hsplus": []byte(`import game from "./data/levels.json"
import * as all from "./data/levels.json"
import { title, levels as list } from "@/data/levels.json"
import many from "./many.json"
import words from "./words.txt"
import duck from "./duck.glb"
import { first } from "./lib.hsplus"
module M {
  state { gems: game.levels[1].gems, copy: list, name: title }
  function total() {
    let n = 0
    for (const l of list) { n += l.gems }
    return n
  }
}
@test { name: "data"
  assert: {
    game.title == "Caves"
    all.levels.length == 2
    title == "Caves"
    M.state.gems == 5
    M.state.copy[0].name == "one"
    M.state.name == "Caves"
    M.total() == 8
    game.hard == false
    game.best == null
    many.length == 6000
    many[5999].n == 5999
    words == "a\nb"
    duck == "/duck.glb"
    first() == "one"
  }
}`),
		"lib.hsplus": []byte("import { levels } from \"./data/levels.json\"\nexport function first() { return levels[0].name }\n"),
	})
}

// TestImportedNames: a function or a constant is that of the file which the
// import leads to, whatever other files are called.
func TestImportedNames(t *testing.T) {
	project(t, module.Memory{
		"a/num.hsplus":      []byte("export function pick() { return \"a\" }\n"),
		"b/num.hsplus":      []byte("const base = 40\nexport const answer = base + 2\nexport function pick() { return \"b\" }\n"),
		"hub.hsplus":        []byte("export { pick as chosen } from \"./b/num.hsplus\"\nexport * from \"./deep/index.hsplus\"\n"),
		"deep/index.hs":     []byte("export function deep() { return \"deep\" }\n"),
		"deep/index.hsplus": []byte("import { pick } from \"../a/num.hsplus\"\nexport { pick as inner }\nexport function deep() { return \"deeper \" + pick() }\n"),
		"main.hsplus": []byte(`import { pick } from "./b/num.hsplus"
import { pick as other } from "./a/num"
import { answer } from "./b/num.hsplus"
import { chosen, deep, inner } from "./hub.hsplus"
module M { state { n: 1 } function all() { return pick() + other() + chosen() + deep() + inner() } }
@test { name: "names"
  assert: {
    M.all() == "babdeeper aa"
    answer == 42
  }
}`),
	})
}

// TestBrokenData: a data file that cannot be read is an error of what imports it.
func TestBrokenData(t *testing.T) {
	for text, want := range map[string]string{
		"{\n \"a\": }": "line 2",
		"\xff":         "UTF-8",
		strings.Repeat("[", 200) + strings.Repeat("]", 200): "nested",
		"[" + strings.Repeat("1,", 40_000) + "1]":           "more than",
		strings.Repeat(" ", module.MaxData+1):               "larger",
	} {
		main := "import x from \"./x.json\"\nmodule M { function f() { return x } }"
		src := target.Load(module.Memory{"main.hsplus": []byte(main), "x.json": []byte(text)}, "main.hsplus", []byte(main), ast.HSPlus)
		if len(src.Found) == 0 || src.Found[0].Code != "IMP007" || !strings.Contains(src.Found[0].Related[0].Message, want) {
			t.Errorf("%.20q: %+v", text, src.Found)
		}
	}
	main := "import { b } from \"./x.json\"\nmodule M { function f() { return b } }"
	src := target.Load(module.Memory{"main.hsplus": []byte(main), "x.json": []byte(`{"a": 1}`)}, "main.hsplus", []byte(main), ast.HSPlus)
	if len(src.Found) == 0 || src.Found[0].Code != "IMP002" {
		t.Errorf("a field that is not there: %+v", src.Found)
	}
}
