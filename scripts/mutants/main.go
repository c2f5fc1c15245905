// Command mutants shows which refusals the published vectors pin. It makes one
// copy of the judge in which every refusal, every form of a field, every required
// key and every limit can be switched off by number, compiles that once with the
// vectors beside it, and switches off one after the other. What no vector notices
// is listed, and the command fails.
//
//	go run ./scripts/mutants        # a table, and the unnoticed
//	go run ./scripts/mutants -all   # every switch with the number of vectors that reach it
//
// Nothing of this is in the program that is built otherwise: the copies and the
// test that runs them come in by -overlay. known.txt names switches that no vector
// can notice, each with its reason.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"

	"github.com/meshd/meshd/scripts/mutants/switches"
)

// A target is one test binary: the sources that it can switch, and the seam test
// that runs the vectors in a package.
type target struct {
	name    string
	sources []string // globs, from the top of the repository
	seam    string   // in scripts/mutants/seam
	pkg     string
}

var targets = []target{
	{"judge", []string{"crdt/body/*.go", "crdt/rules/*.go", "crdt/change/head.go", "crdt/change/change.go", "crdt/change/space.go"},
		"rules_test.go.txt", "crdt/rules"},
	{"frames", []string{"p2p/sync/frame*.go", "p2p/sync/pack.go"}, "sync_test.go.txt", "p2p/sync"},
	{"records", []string{"p2p/discover/record.go"}, "discover_test.go.txt", "p2p/discover"},
}

// A result is what the seam test says of one switch.
type result struct {
	ID      int  `json:"id"`
	Reached int  `json:"reached"` // vectors that come by it
	Noticed bool `json:"noticed"`
}

func main() {
	all := flag.Bool("all", false, "list every switch")
	only := flag.String("only", "", "run one target: judge, frames or records")
	flag.Parse()
	if err := run(*all, *only); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(all bool, only string) error {
	known, err := readKnown("scripts/mutants/known.txt")
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	failed, used := 0, map[string]bool{}
	for _, t := range targets {
		if only != "" && only != t.name {
			continue
		}
		sites, results, err := t.measure(filepath.Join(dir, t.name))
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		var unnoticed, excused []string
		for _, r := range results {
			s := sites[r.ID]
			if all {
				fmt.Printf("%-5t %4d  %s\n", r.Noticed, r.Reached, s)
			}
			if r.Noticed {
				continue
			}
			if known[s.Key()] != "" {
				used[s.Key()] = true
				excused = append(excused, s.Key())
				continue
			}
			unnoticed = append(unnoticed, fmt.Sprintf("%s (%d vectors reach it)", s, r.Reached))
		}
		sort.Strings(unnoticed)
		fmt.Printf("%-8s %4d switches, %4d noticed, %3d excused, %3d unnoticed\n", t.name, len(results), len(results)-len(unnoticed)-len(excused), len(excused), len(unnoticed))
		for _, u := range unnoticed {
			fmt.Println("  unnoticed:", u)
		}
		failed += len(unnoticed)
	}
	if only == "" {
		for key := range known {
			if !used[key] {
				fmt.Println("  known.txt: no such switch, or one that is noticed:", key)
				failed++
			}
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d rules that no vector pins", failed)
	}
	return nil
}

// measure makes the overlay of t, runs its seam test and reads what that says.
func (t target) measure(dir string) (map[int]switches.Site, []result, error) {
	top, err := os.Getwd()
	if err != nil {
		return nil, nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, nil, err
	}
	replace := map[string]string{
		filepath.Join(top, "internal/mutant/mutant.go"): filepath.Join(top, "scripts/mutants/seam/mutant.go.txt"),
		filepath.Join(top, t.pkg, "zz_mutants_test.go"): filepath.Join(top, "scripts/mutants/seam", t.seam),
	}
	m := &switches.Maker{Sites: map[int]switches.Site{}}
	for _, glob := range t.sources {
		files, err := filepath.Glob(glob)
		if err != nil {
			return nil, nil, err
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			out, changed, err := m.Rewrite(file)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", file, err)
			}
			if !changed {
				continue
			}
			copyAt := filepath.Join(dir, strings.ReplaceAll(file, "/", "_"))
			if err := os.WriteFile(copyAt, out, 0o644); err != nil {
				return nil, nil, err
			}
			replace[filepath.Join(top, file)] = copyAt
		}
	}
	ids := make([]int, 0, len(m.Sites))
	for id := range m.Sites {
		ids = append(ids, id)
	}
	sort.Ints(ids)
	in, out, overlay := filepath.Join(dir, "switches.json"), filepath.Join(dir, "results.json"), filepath.Join(dir, "overlay.json")
	if err := writeJSON(in, ids); err != nil {
		return nil, nil, err
	}
	if err := writeJSON(overlay, map[string]any{"Replace": replace}); err != nil {
		return nil, nil, err
	}
	cmd := exec.Command("go", "test", "-vet=off", "-count=1", "-overlay", overlay, "-run", "^TestMutants$", "./"+t.pkg)
	cmd.Env = append(os.Environ(), "MESHD_LOOPBACK=1", "MUTANTS_IN="+in, "MUTANTS_OUT="+out)
	if b, err := cmd.CombinedOutput(); err != nil {
		return nil, nil, fmt.Errorf("%w\n%s", err, b)
	}
	var results []result
	b, err := os.ReadFile(out)
	if err != nil {
		return nil, nil, err
	}
	return m.Sites, results, json.Unmarshal(b, &results)
}

func writeJSON(file string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return os.WriteFile(file, b, 0o644)
}

// readKnown reads lines "switch | reason".
func readKnown(file string) (map[string]string, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := map[string]string{}
	for s := bufio.NewScanner(f); s.Scan(); {
		if s.Text() == "" || strings.HasPrefix(s.Text(), "#") {
			continue
		}
		key, why, ok := strings.Cut(s.Text(), " | ")
		if !ok || strings.TrimSpace(why) == "" {
			return nil, fmt.Errorf("%s: a line without a reason: %s", file, s.Text())
		}
		out[strings.TrimSpace(key)] = why
	}
	return out, nil
}
