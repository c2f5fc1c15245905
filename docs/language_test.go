package docs_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/idiom"
	"github.com/meshd/meshd/lang/module"
	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/trait"
)

var update = flag.Bool("update", false, "write the tables of language.md anew")

// fence is a block of code: its language, the words behind that, its text.
var fence = regexp.MustCompile("(?ms)^```([a-z]+)([^\n]*)\n(.*?)^```$")

// example is a source of the page. The words behind its language are the name of
// its file and the codes of the warnings and errors that it must have.
type example struct {
	name  string
	text  string
	codes []string
	line  int
}

func readPage(t *testing.T) (page string, sources []example, commands []string) {
	t.Helper()
	raw, err := os.ReadFile("language.md")
	if err != nil {
		t.Fatal(err)
	}
	page = string(raw)
	for _, m := range fence.FindAllStringSubmatchIndex(page, -1) {
		lang, words, text := page[m[2]:m[3]], strings.Fields(page[m[4]:m[5]]), page[m[6]:m[7]]
		if lang == "console" {
			commands = append(commands, text)
			continue
		}
		e := example{text: text, line: 1 + strings.Count(page[:m[0]], "\n")}
		e.name = fmt.Sprintf("line%d.%s", e.line, lang)
		for _, w := range words {
			if _, ok := ast.FormatOf(w); ok {
				e.name = w
			} else {
				e.codes = append(e.codes, w)
			}
		}
		sources = append(sources, e)
	}
	if len(sources) < 15 || len(commands) < 3 {
		t.Fatalf("only %d sources and %d commands", len(sources), len(commands))
	}
	return page, sources, commands
}

// TestLanguageExamples checks and compiles every source of the page, and runs
// its tests. A source has the warnings and errors that the page names, no others.
func TestLanguageExamples(t *testing.T) {
	t.Parallel()
	_, sources, _ := readPage(t)
	files := module.Memory{}
	for _, e := range sources {
		files[e.name] = []byte(e.text)
	}
	tests := 0
	for _, e := range sources {
		format, ok := ast.FormatOf(e.name)
		if !ok {
			t.Errorf("line %d: %s is no source", e.line, e.name)
			continue
		}
		src := target.Load(files, e.name, []byte(e.text), format)
		var codes []string
		failed := false
		for _, d := range src.Found {
			if d.Severity <= diag.Warning {
				codes = append(codes, string(d.Code))
				failed = failed || d.Severity == diag.Error
			}
		}
		if !slices.Equal(codes, e.codes) {
			t.Errorf("line %d: has %v, want %v: %v", e.line, codes, e.codes, src.Found)
		}
		if failed {
			continue
		}
		if _, err := target.Compile(src, target.Request{Target: "scene-json"}); err != nil {
			t.Errorf("line %d: %v", e.line, err)
			continue
		}
		s, _ := scene.Build(src.Main, src.More, scene.Options{Registry: src.Registry, Imports: src.Imports, Prototypes: true})
		c, err := run.Compile(s, append([]*ast.File{src.Main}, src.More...), true)
		if err != nil {
			t.Errorf("line %d: %v", e.line, err)
			continue
		}
		for i := range c.Tests {
			tests++
			if r, err := c.Run(&c.Tests[i], nil); err != nil || !r.OK {
				t.Errorf("line %d: %s: %v %+v", e.line, c.Tests[i].Name, err, r)
			}
		}
	}
	if tests < 6 {
		t.Errorf("only %d tests", tests)
	}
}

// TestLanguageCommands runs the commands of the page beside its sources and
// compares what they say.
func TestLanguageCommands(t *testing.T) {
	t.Parallel()
	_, sources, commands := readPage(t)
	dir := t.TempDir()
	for _, e := range sources {
		if err := os.WriteFile(filepath.Join(dir, e.name), []byte(e.text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	meshd := filepath.Join(dir, "meshd")
	if said, err := exec.Command("go", "build", "-o", meshd, "../cmd/meshd").CombinedOutput(); err != nil {
		t.Fatalf("build: %v %s", err, said)
	}
	milliseconds := regexp.MustCompile(` \(\d+ ms\)`)
	for _, block := range commands {
		var got bytes.Buffer
		for line := range strings.Lines(block) {
			command, ok := strings.CutPrefix(line, "$ meshd ")
			if !ok {
				continue
			}
			fmt.Fprintf(&got, "%s", line)
			c := exec.Command(meshd, strings.Fields(command)...)
			c.Dir, c.Env = dir, append(os.Environ(), "MESHD_LOOPBACK=1", "MESHD_HOME="+filepath.Join(dir, "home"))
			said, err := c.CombinedOutput()
			if err != nil {
				t.Errorf("%s: %v %s", strings.TrimSpace(line), err, said)
			}
			got.Write(milliseconds.ReplaceAll(said, nil))
		}
		if got.String() != block {
			t.Errorf("the page says\n%s\nthe program\n%s", block, got.String())
		}
	}
	for _, made := range []string{"lamp.png", "page/index.html"} {
		if info, err := os.Stat(filepath.Join(dir, made)); err != nil || info.Size() == 0 {
			t.Errorf("%s was not made: %v", made, err)
		}
	}
}

// habitTables are the habits and the words of presets.
func habitTables() string {
	var b strings.Builder
	cell := func(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, "|", "\\|"), "\n", " ⏎ ") }
	b.WriteString("| # | accepts | becomes | example |\n|---|---|---|---|\n")
	for _, r := range idiom.Rows {
		example := ""
		if r.Example != "" {
			example = "`` " + cell(r.Example) + " ``"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", r.ID, cell(r.Habit), cell(r.Becomes), example)
	}
	for _, l := range []struct {
		what  string
		words []string
	}{{"Skies and surroundings", idiom.Skies()}, {"Materials", idiom.Finishes()}, {"Lights", idiom.Lamps()}, {"Motion", idiom.Motions()}} {
		fmt.Fprintf(&b, "\n%s: %s.\n", l.what, strings.Join(l.words, ", "))
	}
	return b.String()
}

// TestLanguageTables compares the tables of the page with those of the program.
func TestLanguageTables(t *testing.T) {
	page, _, _ := readPage(t)
	var codes, traits strings.Builder
	codes.WriteString("| code | severity | says |\n|---|---|---|\n")
	for _, r := range diag.Rows {
		fmt.Fprintf(&codes, "| `%s` | %s | %s |\n", r.Code, r.Severity, strings.ReplaceAll(r.Message, "|", "\\|"))
	}
	byCategory := map[string][]string{}
	for _, e := range trait.Builtin().All() {
		byCategory[e.Category] = append(byCategory[e.Category], "`"+e.Name+"`")
	}
	var names []string
	for name := range byCategory {
		names = append(names, name)
	}
	slices.Sort(names)
	traits.WriteString("| category | traits |\n|---|---|\n")
	for _, name := range names {
		slices.Sort(byCategory[name])
		fmt.Fprintf(&traits, "| %s | %s |\n", name, strings.Join(byCategory[name], " "))
	}
	want := page
	for mark, table := range map[string]string{"codes": codes.String(), "traits": traits.String(), "habits": habitTables()} {
		start := strings.Index(want, "<!-- "+mark+" -->\n")
		end := start + strings.Index(want[max(start, 0):], "<!-- end -->")
		if start < 0 || end <= start {
			t.Fatalf("no table of %s", mark)
		}
		start += len("<!-- " + mark + " -->\n")
		want = want[:start] + table + want[end:]
	}
	if *update {
		if err := os.WriteFile("language.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want != page {
		t.Error("the tables of language.md are old; run go test ./docs -run LanguageTables -update")
	}
}
