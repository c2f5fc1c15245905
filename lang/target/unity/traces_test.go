package unity

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// runs compiles C# and runs it, each once.
func runs(t testing.TB, dir string, sources, args []string) string {
	t.Helper()
	for _, need := range []string{"mcs", "mono"} {
		if _, err := exec.LookPath(need); err != nil {
			t.Fatal(need + " is missing: scripts/need tests")
		}
	}
	program := filepath.Join(dir, "trial.exe")
	c := exec.CommandContext(t.Context(), "mcs", append([]string{"-langversion:6", "-warnaserror", "-out:" + program}, sources...)...)
	if said, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	c = exec.CommandContext(t.Context(), "mono", append([]string{program}, args...)...)
	c.Env = append(os.Environ(), "HOME="+t.TempDir())
	said, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, said[max(0, len(said)-2000):])
	}
	return string(said)
}

// entry is one of a trace.
type entry struct {
	At       float64 `json:"at"`
	Kind     string  `json:"kind"`
	Node     string  `json:"node"`
	Name     string  `json:"name"`
	Value    any     `json:"value"`
	Function string  `json:"function"`
	Line     int     `json:"line"`
	Column   int     `json:"column"`
}

// traceOf reads the entries that a case printed.
func traceOf(t testing.TB, said string) []entry {
	t.Helper()
	var out []entry
	for line := range strings.Lines(said) {
		raw, ok := strings.CutPrefix(line, "TRACE ")
		if !ok {
			continue
		}
		var f []any
		if err := json.Unmarshal([]byte(raw), &f); err != nil || len(f) != 8 {
			t.Fatalf("%v in %s", err, line)
		}
		e := entry{f[0].(float64), f[1].(string), f[2].(string), f[3].(string), f[4], f[5].(string), int(f[6].(float64)), int(f[7].(float64))}
		var v any
		if json.Unmarshal([]byte(f[4].(string)), &v) == nil {
			e.Value = v
		}
		out = append(out, e)
	}
	return out
}

var inText = regexp.MustCompile(`\d+\.\d{9,}(e[+-]\d+)?`)

// alike compares values; numbers count to 12 digits, within texts to ten.
func alike(a, b any) bool {
	switch a := a.(type) {
	case float64:
		c, ok := b.(float64)
		return ok && math.Abs(a-c) <= 1e-11*math.Max(1e-3, math.Max(math.Abs(a), math.Abs(c)))
	case string:
		c, ok := b.(string)
		round := func(s string) string {
			return inText.ReplaceAllStringFunc(s, func(n string) string {
				v, _ := strconv.ParseFloat(n, 64)
				return strconv.FormatFloat(v, 'e', 9, 64)
			})
		}
		return ok && round(a) == round(c)
	case []any:
		c, ok := b.([]any)
		return ok && slices.EqualFunc(a, c, alike)
	case map[string]any:
		c, ok := b.(map[string]any)
		if !ok || len(a) != len(c) {
			return false
		}
		for k, v := range a {
			if w, there := c[k]; !there || !alike(v, w) {
				return false
			}
		}
		return true
	}
	return a == b
}

func differ(a, b []entry) string {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) {
			return fmt.Sprintf("%d and %d entries", len(a), len(b))
		}
		x, y := a[i], b[i]
		same := alike(x.Value, y.Value) && alike(x.At, y.At)
		x.Value, y.Value, x.At, y.At = nil, nil, 0, 0
		if !same || x != y {
			return fmt.Sprintf("entry %d:\n  %+v\n  %+v", i, a[i], b[i])
		}
	}
	return ""
}

// TestTracesAreThoseOfTheRunner runs the stored programs of package run by the
// interpreter in C#. Each gives the trace that every interpreter gives.
func TestTracesAreThoseOfTheRunner(t *testing.T) {
	names, err := filepath.Glob("../../run/testdata/traces/*.json")
	if err != nil || len(names) == 0 {
		t.Fatal("no traces", err)
	}
	dir := t.TempDir()
	want := map[string][]entry{}
	var cases []string
	for _, path := range names {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var k struct {
			Nodes []struct {
				ID, Parent, Name string
				Props            json.RawMessage
			}
			Program json.RawMessage
			Steps   int
			Long    bool
			Events  json.RawMessage
			Trace   []entry
		}
		if err := json.Unmarshal(raw, &k); err != nil {
			t.Fatal(err)
		}
		nodes := [][]any{}
		for _, n := range k.Nodes {
			nodes = append(nodes, []any{n.ID, n.Parent, n.Name, n.Props})
		}
		doc, err := json.Marshal(map[string]any{"program": k.Program, "nodes": nodes, "steps": k.Steps, "long": k.Long, "events": k.Events})
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, filepath.Base(path))
		if err := os.WriteFile(file, doc, 0o644); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, file)
		want[strings.TrimSuffix(filepath.Base(path), ".json")] = k.Trace
	}
	source := filepath.Join(dir, "Runtime.cs")
	if err := os.WriteFile(source, runtime("trial"), 0o644); err != nil {
		t.Fatal(err)
	}
	said := runs(t, dir, []string{source, "testdata/trial.cs"}, cases)
	for _, chunk := range strings.Split(said, "CASE ")[1:] {
		name, rest, _ := strings.Cut(chunk, "\n")
		if d := differ(traceOf(t, rest), want[name]); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("%d cases did not run: %.2000s", len(want), said)
	}
}
