package unreal

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/meshd/meshd/lang/run/tracetest"
	"github.com/meshd/meshd/lang/scene"
)

// trial builds the interpreter with a program that runs cases, with every warning
// a fault, and without exceptions and type information, as the engine builds.
func trial(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	head, body := programFiles("a trial")
	main, err := os.ReadFile("testdata/trial.cpp")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"Program.h": head, "Program.cpp": body, "trial.cpp": string(main)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(dir, "trial")
	c := exec.CommandContext(t.Context(), "g++", "-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror", "-fno-exceptions", "-fno-rtti",
		"Program.cpp", "trial.cpp", "-o", program)
	c.Dir = dir
	if said, err := c.CombinedOutput(); err != nil {
		t.Fatalf("g++ (scripts/need tests): %v: %.3000s", err, said)
	}
	return program
}

func runTrial(t testing.TB, program string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), program, args...)
	c.Stderr = os.Stderr
	said, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, said[max(0, len(said)-400):])
	}
	return string(said)
}

// TestInterpreter builds the interpreter once, and runs it.
func TestInterpreter(t *testing.T) {
	program := trial(t)
	t.Run("traces", func(t *testing.T) { tracesAreThoseOfTheRunner(t, program) })
	t.Run("templates", func(t *testing.T) { templatesHaveTheirForm(t, program) })
	t.Run("letters", func(t *testing.T) { lettersHaveTheCaseOfGo(t, program) })
	t.Run("motion", func(t *testing.T) { motionKeepsPlaces(t, program) })
}

// The stored programs of package run give the traces that every interpreter gives.
func tracesAreThoseOfTheRunner(t *testing.T, program string) {
	names, err := filepath.Glob("../../run/testdata/traces/*.json")
	if err != nil || len(names) == 0 {
		t.Fatal("no traces", err)
	}
	dir := t.TempDir()
	want := map[string][]tracetest.Entry{}
	var paths []string
	for _, path := range names {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var k struct {
			Program json.RawMessage
			Trace   []tracetest.Entry
		}
		if err := json.Unmarshal(raw, &k); err != nil {
			t.Fatal(err)
		}
		at := filepath.Join(dir, strings.TrimSuffix(filepath.Base(path), ".json"))
		for end, text := range map[string][]byte{".program.json": k.Program, ".case.json": raw} {
			if err := os.WriteFile(at+end, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		paths, want[at] = append(paths, at), k.Trace
	}
	said := runTrial(t, program, paths...)
	for _, chunk := range strings.Split(said, "CASE ")[1:] {
		name, rest, _ := strings.Cut(chunk, "\n")
		if d := tracetest.Differ(tracetest.Printed(t, rest), want[name]); d != "" {
			t.Errorf("%s: %s", filepath.Base(name), d)
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("%d cases did not run", len(want))
	}
}

// A program whose templates have no names or nodes of their own is none.
func templatesHaveTheirForm(t *testing.T, program string) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "case"), []byte(`{"nodes":[],"events":[],"steps":1}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		templates string
		fine      bool
	}{
		{`[]`, true}, {`[{"name":"A","nodes":["a","b"]},{"name":"B","nodes":["c"]}]`, true},
		{`{}`, false}, {`"A"`, false}, {`["A"]`, false}, {`[{"nodes":["a"]}]`, false}, {`[{"name":"","nodes":["a"]}]`, false}, {`[{"name":1,"nodes":["a"]}]`, false},
		{`[{"name":"A"}]`, false}, {`[{"name":"A","nodes":[]}]`, false}, {`[{"name":"A","nodes":"a"}]`, false}, {`[{"name":"A","nodes":[""]}]`, false},
		{`[{"name":"A","nodes":[1]}]`, false}, {`[{"name":"A","nodes":["scene"]}]`, false}, {`[{"name":"A","nodes":["*"]}]`, false}, {`[{"name":"A","nodes":["a","a"]}]`, false},
		{`[{"name":"A","nodes":["a"]},{"name":"A","nodes":["b"]}]`, false}, {`[{"name":"A","nodes":["a"]},{"name":"B","nodes":["a"]}]`, false},
		{`[{"name":"A","nodes":["a"],"more":1}]`, false},
	} {
		at := filepath.Join(dir, fmt.Sprint(i))
		doc := `{"v":"program/1","seed":[1,2,3,4],"rates":{"spatial":60,"cognitive":5},"templates":` + c.templates + `}`
		if err := os.WriteFile(at+".program.json", []byte(doc), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(dir, "case"), at+".case.json"); err != nil {
			t.Fatal(err)
		}
		if said := runTrial(t, program, at); strings.Contains(said, "UNREADABLE") == c.fine {
			t.Errorf("%s: %s", c.templates, said)
		}
	}
}

// The table of cases says what package unicode says, but for what every interpreter
// leaves as it is.
func lettersHaveTheCaseOfGo(t *testing.T, program string) {
	lines := 0
	for line := range strings.Lines(runTrial(t, program, "letters")) {
		var c, upper, lower rune
		if _, err := fmt.Sscanf(line, "%x %x %x", &c, &upper, &lower); err != nil {
			t.Fatal(err, line)
		}
		lines++
		if c == 0x130 || c >= 0x1f80 && c <= 0x1ffc {
			continue
		}
		if unicode.ToUpper(c) != upper || unicode.ToLower(c) != lower {
			t.Errorf("%x: %x and %x", c, upper, lower)
		}
	}
	if lines < 100_000 {
		t.Error("only", lines)
	}
}

// What a program says of places and turns is where the engine has them, and back.
func motionKeepsPlaces(t *testing.T, program string) {
	said := runTrial(t, program, "motion")
	q := scene.Euler(scene.Vec{10, 20, 30})
	want := []string{
		"place -300 100 200", "place back 1 2 3", "scale 3 1 2", "scale back 1 2 3", "angles 10 20 30", "angles -80 -45 170", "angles 0 90 0",
		"sample 2.5\nsample 2.5\nsample 10\nsample 7.5\n", "halfway 0 0.707106781 0 0.707106781", "colour 1 1.000 0.388 0.278", "colour 1 0.000 1.000 0.533", "colour 1 0.200 0.400 0.600",
		"colour 0",
	}
	for _, w := range want {
		if !strings.Contains(said, w) {
			t.Errorf("no %q", w)
		}
	}
	for _, line := range []struct {
		what string
		v    [4]float64
	}{{"turn", q}, {"turn in the engine", turn(q)}, {"turn back", q}} {
		var got [4]float64
		_, rest, _ := strings.Cut("\n"+said, "\n"+line.what+" ")
		if _, err := fmt.Sscan(rest, &got[0], &got[1], &got[2], &got[3]); err != nil {
			t.Fatal(err)
		}
		for k := range 4 {
			if math.Abs(got[k]-line.v[k]) > 1e-6 {
				t.Errorf("%s: %v, not %v", line.what, got, line.v)
				break
			}
		}
	}
	if t.Failed() {
		t.Log(said)
	}
}
