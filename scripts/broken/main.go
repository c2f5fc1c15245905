// Command broken breaks things on purpose, one at a time and in a copy, and lets
// the world test look for each: it prints the first seed that fails and by which
// rule. No file of the tree is changed; the compiler is given other text for one.
//
//	go run ./scripts/broken                 every row
//	go run ./scripts/broken -only log,fold  some
//	go run ./scripts/broken -seeds 1-50     the seeds that are tried, 1-50 when not said
//
// It exits with 1 when a break is not found, or when a row no longer fits the code.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// row is one thing that can be broken.
type row struct {
	name, file, old, broken, what string
}

var rows = []row{
	{
		"log", "crdt/log/engine/pebble.go",
		"pebbleds.WithPebbleWriteOptions(pebble.Sync)", "pebbleds.WithPebbleWriteOptions(pebble.NoSync)",
		"writes are acknowledged before they are synced",
	},
	{
		"rules", "crdt/rules/identity.go",
		"if p.Head.Author != author {", "if p.Head.Author != author && past == nil {",
		"anybody may write as another agent by naming its record as proof",
	},
	{
		"fold", "crdt/fold/retract.go",
		"return !r.off && r.agent == by && r.space == space", "return !r.off && by != nil && r.space == space",
		"anybody may withdraw another's entry",
	},
	{
		"recon", "p2p/sync/frame_hello.go",
		"return s.count == o.count && s.fp == o.fp", "return s.count == o.count",
		"sets of one size are taken for equal",
	},
	{
		"admission", "node/core/reads.go",
		"return uint64(n.Opt.Now().Add(n.Config().Admission.ClockAhead).UnixMilli()) << 10", "return 1<<63 + uint64(n.Config().Admission.ClockAhead)",
		"what claims to be of next year is shown today",
	},
	{
		"causality", "crdt/rules/check.go",
		"if h.HLC < floor {", "if h.HLC == 0 {",
		"a change may claim to be older than what it builds on",
	},
	{
		"order", "node/ingest/receive.go",
		"				in.settle(ctx, a.fresh)\n", "",
		"a change that crosses its past is forgotten (found by the world test in the first place)",
	},
}

func main() {
	only := flag.String("only", "", "names of rows, with commas between; empty: all")
	seeds := flag.String("seeds", "1-50", "seeds that are tried")
	flag.Parse()
	failed := false
	for _, r := range rows {
		if *only != "" && !slices.Contains(strings.Split(*only, ","), r.name) {
			continue
		}
		begin := time.Now()
		found, err := try(r, *seeds)
		if err != nil {
			fmt.Printf("%-10s %s: %v\n", r.name, r.what, err)
			failed = true
			continue
		}
		if found == "" {
			found, failed = "NOT FOUND within seeds "+*seeds, true
		}
		fmt.Printf("%-10s %s\n           %s (%v)\n", r.name, r.what, found, time.Since(begin).Round(time.Second))
	}
	if failed {
		os.Exit(1)
	}
}

// failure is the line of a world that failed, as the test prints it.
var failure = regexp.MustCompile(`seed (\d+) fails: (R\d) [^\n]*`)

// try builds the world test with one break in it and runs it until a seed fails.
func try(r row, seeds string) (string, error) {
	text, err := os.ReadFile(r.file)
	if err != nil {
		return "", fmt.Errorf("run it from the top of the tree: %w", err)
	}
	if n := strings.Count(string(text), r.old); n != 1 {
		return "", fmt.Errorf("%s has %d places like %q, want 1", r.file, n, r.old)
	}
	dir, err := os.MkdirTemp("", "broken")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	broken, overlay, program := filepath.Join(dir, "broken.go"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "world.test")
	whole, err := filepath.Abs(r.file)
	if err != nil {
		return "", err
	}
	table, err := json.Marshal(map[string]any{"Replace": map[string]string{whole: broken}})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(broken, []byte(strings.Replace(string(text), r.old, r.broken, 1)), 0o600); err != nil {
		return "", err
	}
	if err := os.WriteFile(overlay, table, 0o600); err != nil {
		return "", err
	}
	build := exec.Command("go", "test", "-vet=off", "-overlay", overlay, "-c", "-o", program, "./node/world")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("it does not build: %w\n%s", err, out)
	}
	run := exec.Command(program, "-test.run", "TestWorld$", "-test.v", "-test.timeout", "0", "-world.first", "-world.shrink=false", "-world.seeds", seeds)
	run.Dir = filepath.Join("node", "world")
	run.Env = append(os.Environ(), "MESHD_LOOPBACK=1")
	out, err := run.CombinedOutput()
	if m := failure.FindString(string(out)); m != "" {
		return m, nil
	}
	if err != nil {
		return "the world ends: " + lastLines(out), nil
	}
	return "", nil
}

func lastLines(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return strings.Join(lines[max(0, len(lines)-5):], " | ")
}
