package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"github.com/meshd/meshd/node/health"
	"github.com/meshd/meshd/node/transfer"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// secondSeed names what both programs are asked about; with MESHD_SECOND_SEED a run
// asks about others.
const secondSeed = "14"

// secondChanges is how many: a quarter in short mode.
func secondChanges() string {
	if testing.Short() {
		return "5000"
	}
	return "20000"
}

// judged is what the second program makes of the lines of an export.
type judged struct {
	Verdicts []struct {
		Line int
		Code string
		Stub bool
	}
	Sets map[string]struct {
		Count uint64
		FP    string
	}
	View string
	Rows []string
}

// exportedIDs are the ids of the lines of an export.
func exportedIDs(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for line := range bytes.Lines(data) {
		var l struct{ ID string }
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, l.ID)
	}
	return ids
}

// TestSecondDifferential gives both programs the same changes, valid ones and such
// that are broken in many ways. They must agree on each with its code, and have
// the same sets and the same view hash afterwards.
func TestSecondDifferential(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	buildSecond(ctx, t)
	seed := os.Getenv("MESHD_SECOND_SEED")
	if seed == "" {
		seed = secondSeed
	}
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	script := func(args ...string) []byte {
		t.Helper()
		cmd := second(ctx, t, "differential.js", args...)
		cmd.Stderr = t.Output()
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("differential.js %s: %v", args[0], err)
		}
		return out
	}
	keep := func(name string, data []byte) {
		t.Helper()
		if err := os.WriteFile(path(name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	keep("network", script("network", seed))
	n := newNode(t, path("network"))
	n.start()
	keep("base", n.do("export"))
	script("make", path("network"), path("base"), seed, secondChanges(), path("lines"))
	var report transfer.ImportReport
	n.ask(&report, "import", path("lines"))
	var status health.Status
	n.ask(&status, "status")
	keep("export", n.do("export"))
	var other judged
	if err := json.Unmarshal(script("judge", path("network"), path("export"), path("lines")), &other); err != nil {
		t.Fatal(err)
	}

	how, err := os.ReadFile(path("lines.how"))
	if err != nil {
		t.Fatal(err)
	}
	ways := strings.Split(strings.TrimSpace(string(how)), "\n")
	if n, err := strconv.Atoi(secondChanges()); err != nil || len(ways) < n || report.Read != len(ways) { // the last one made may be two
		t.Fatalf("%d lines were made, %d read", len(ways), report.Read)
	}
	here, there := make([]string, len(ways)), make([]string, len(ways))
	named := func(code string, stub bool) string {
		if stub {
			return code + ", kept without its body"
		}
		return code
	}
	for _, f := range report.Faults {
		here[f.Line-1] = named(string(f.Code), f.Stub)
	}
	faults := map[string]int{}
	for _, v := range other.Verdicts {
		there[v.Line-1] = named(v.Code, v.Stub)
		faults[v.Code]++
	}
	// Which of several copies of a change is refused, and with which code, depends on
	// what else came with it; whether the change is a member shows in the sets.
	copies := map[string]int{}
	ids := exportedIDs(t, path("lines"))
	for _, id := range ids {
		copies[id]++
	}
	differ := 0
	for i := range ways {
		if here[i] == there[i] || copies[ids[i]] > 1 {
			continue
		}
		if differ++; differ <= 20 {
			t.Errorf("seed %s, line %d (%s): meshd %q, the second program %q", seed, i+1, ways[i], here[i], there[i])
		}
	}
	if differ > 0 {
		t.Errorf("seed %s: the programs differ about %d of %d changes", seed, differ, len(ways))
	}
	for _, s := range status.Sets {
		if got := other.Sets[s.Name]; s.Count != got.Count || s.Count > 0 && s.FP != got.FP {
			t.Errorf("seed %s: set %s is %d %s, there %d %s", seed, s.Name, s.Count, s.FP, got.Count, got.FP)
		}
		delete(other.Sets, s.Name)
	}
	if len(other.Sets) > 0 {
		t.Errorf("seed %s: sets that are not here: %v", seed, other.Sets)
	}
	if status.View.FP != other.View || int(status.View.Rows) != len(other.Rows) {
		t.Errorf("seed %s: view %+v, there %s of %d rows", seed, status.View, other.View, len(other.Rows))
	}
	codes := []string{}
	for code, n := range faults {
		codes = append(codes, fmt.Sprint(code, " ", n))
	}
	slices.Sort(codes)
	t.Logf("%d changes, %d rows, view %s; %s", len(ways), len(other.Rows), other.View, strings.Join(codes, ", "))
}
