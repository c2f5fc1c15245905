package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if os.Getenv("README_BENCH") == "main" { // as the burner starts itself
		main()
		return
	}
	os.Exit(m.Run())
}

// TestBenchmarksRunSmall runs the programs behind the README's figures (mesh on
// three nodes and on one, gateway, streams and flood over a real meshd), idle and beside the
// burner, with a hundred entries; in short mode only those that start no process but
// mesh. The peer has such a test in its own module.
func TestBenchmarksRunSmall(t *testing.T) {
	t.Chdir("../../..")
	rows := []struct{ name, want string }{
		{"^the gate", "ms"}, {"^a pass of", "B in all | the same"}, {"^100 entries, one node", "s to ready"},
		{"^its directory", "/s, p99"}, {"^durable contributions", "/s, p99"}, {"^events", "delivered"}, {"floods a public gateway", "sets equal after"},
	}
	if testing.Short() {
		rows = rows[:3]
	}
	var names []string
	for _, r := range rows {
		names = append(names, r.name)
	}
	s := settings{few: 100, many: 100, turns: 1, readers: 20, length: 100 * time.Millisecond, only: regexp.MustCompile(strings.Join(names, "|"))}
	table, err := figures(t.Context(), s, t.Output())
	if err != nil {
		t.Fatal(err)
	}
	t.Log(table)
	lines := strings.Split(strings.TrimSpace(table), "\n")
	if len(lines) != 4+len(rows) || !strings.Contains(lines[0], "Load when the idle runs began") {
		t.Fatalf("%d lines:\n%s", len(lines), table)
	}
	for _, r := range rows {
		lines = lines[1:]
		for !strings.HasPrefix(lines[0], "| ") || strings.HasPrefix(lines[0], "| what") {
			lines = lines[1:]
		}
		if cells := strings.Split(lines[0], " | "); len(cells) != 4 || !strings.Contains(lines[0], r.want) || strings.Contains(lines[0], "NaN") {
			t.Errorf("no %q in %s", r.want, lines[0])
		}
	}
	if m := regexp.MustCompile(`(\d+) of (\d+) delivered`).FindAllStringSubmatch(table, -1); !testing.Short() && (len(m) != 2 || m[0][1] != m[0][2] || m[0][1] == "0") {
		t.Errorf("events: %v", m)
	}
}

// TestReplaceKeepsTheRest: the table alone is another one.
func TestReplaceKeepsTheRest(t *testing.T) {
	t.Parallel()
	name := t.TempDir() + "/README.md"
	if err := os.WriteFile(name, []byte("before\n"+beginMark+"old\n"+endMark+"after\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := replace(name, "| new |\n"); err != nil {
			t.Fatal(err)
		}
	}
	if raw, err := os.ReadFile(name); err != nil || string(raw) != "before\n"+beginMark+"| new |\n"+endMark+"after\n" {
		t.Errorf("%q, %v", raw, err)
	}
	if err := os.WriteFile(name, []byte("nothing"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := replace(name, "x"); err == nil {
		t.Error("a file without a place is taken")
	}
}

// TestReadmeHasAPlaceForFigures: the command can write what the README quotes.
func TestReadmeHasAPlaceForFigures(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(raw), beginMark) != 1 || strings.Count(string(raw), endMark) != 1 {
		t.Error("the README has no place for figures")
	}
}
