// Validate runs the examples through every compile target and the results
// through the real tools that read them. It prints a table and, with --write,
// keeps the result: lang/target/verified.json, which the program embeds, and
// docs/targets.md.
//
// The pictures that targets draw of twelve scenes are compared with those of
// package picture.
//
// Run it from the root of the repository: go run ./scripts/validate [--quick].
// A tool that is missing is a fault; packages of npm are installed where they
// are missing. Every tool is also given a broken artefact, which it must refuse.
// --quick is part of make test: every example is compiled to every target, and a
// few quick tools look at the results (see quickTools). --fuzz N gives the tools
// what N changed examples become instead; --seed chooses the changes.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/target/artefact"
)

func main() {
	quick := flag.Bool("quick", false, "only what takes a few minutes")
	write := flag.Bool("write", false, "keep the result in lang/target/verified.json and docs/targets.md")
	only := flag.String("target", "", "check one target")
	fuzz := flag.Int("fuzz", 0, "take so many changed examples instead of the examples")
	seed := flag.Uint64("seed", 1, "the changes of --fuzz")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *quick && *write {
		fmt.Fprintln(os.Stderr, "validate: --quick asks too few tools for --write")
		os.Exit(2)
	}
	if *fuzz > 0 && (*write || *quick) {
		fmt.Fprintln(os.Stderr, "validate: --fuzz proves no target; it goes without --write and --quick")
		os.Exit(2)
	}
	if err := run(ctx, *quick, *write, *only, *fuzz, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "validate:", err)
		os.Exit(1)
	}
}

// sources is the folder that the examples lie in.
var sources = "examples"

// row is what became of a target.
type row struct {
	target   *target.Target
	made     []string // main files, in the order of the examples
	refused  int      // examples that do not fit it (TGT004)
	faults   []string
	verified target.Verified
	took     time.Duration
}

func run(ctx context.Context, quick, write bool, only string, fuzz int, seed uint64) error {
	dir, err := os.MkdirTemp("", "meshd-validate-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	examples, err := filepath.Glob("examples/*.h*")
	if err != nil || len(examples) == 0 {
		return errors.New("no examples; run from the root of the repository")
	}
	projects, err := filepath.Glob("examples/*/main.h*") // with what they import
	if err != nil {
		return err
	}
	if examples = append(examples, projects...); fuzz > 0 {
		sources = filepath.Join(dir, "fuzz")
		if examples, err = hostileSources(sources, examples, fuzz, seed); err != nil {
			return err
		}
	}
	if err := install(ctx, workspace); err != nil {
		return err
	}
	if !quick {
		if err := viewerIsBuilt(ctx); err != nil {
			return err
		}
	}
	var rows []*row
	for _, t := range target.All() {
		if only != "" && t.ID != only {
			continue
		}
		r := &row{target: t, verified: target.Verified{Level: "none"}}
		for _, e := range examples {
			if err := r.compile(e, dir, !quick, fuzz > 0); err != nil { // the goldens contain the bytes too
				return err
			}
		}
		rows = append(rows, r)
	}
	for _, c := range checks {
		if fuzz > 0 {
			c.targets = slices.DeleteFunc(slices.Clone(c.targets), func(id string) bool { return slices.Contains(outward, id) })
		}
		if quick {
			if !slices.Contains(quickTools, c.tool) {
				continue
			}
			if c.tool == "chromium" {
				c.most = quickPages
			}
		}
		if err := c.run(ctx, dir, rows); err != nil {
			return err
		}
	}
	faults := report(rows, len(examples), fuzz > 0)
	for _, p := range painters {
		if quick || fuzz > 0 || only != "" && only != p.target {
			continue
		}
		if err := p.parity(ctx, dir, examples); err != nil {
			return err
		}
	}
	if faults > 0 {
		return fmt.Errorf("%d faults", faults)
	}
	if quick {
		return withinBudget(rows)
	}
	if write {
		return keep(rows)
	}
	return nil
}

// viewerIsBuilt builds the viewer from its sources and compares it with what is
// committed.
func viewerIsBuilt(ctx context.Context) error {
	const dir = "lang/target/html/viewer"
	if err := install(ctx, dir); err != nil {
		return err
	}
	const list = "lang/target/bundle/built.txt"
	written, err := os.ReadFile(list)
	if err != nil {
		return err
	}
	files := []string{list, "lang/target/html/viewer.LICENSES.txt"}
	for line := range strings.Lines(string(written)) {
		if _, file, _ := strings.Cut(strings.TrimSpace(line), "  "); file != "sources" {
			files = append(files, "lang/target/"+file)
		}
	}
	before := map[string][]byte{}
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		before[f] = raw
	}
	for _, step := range [][]string{{"node_modules/.bin/tsc", "--noEmit", "-p", "."}, {"node", "build.mjs"}} {
		c := exec.CommandContext(ctx, step[0], step[1:]...)
		c.Dir = dir
		if said, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("viewer: %s: %w: %s", step[0], err, said)
		}
	}
	for _, f := range files {
		if raw, err := os.ReadFile(f); err != nil || !bytes.Equal(raw, before[f]) {
			return fmt.Errorf("%s was not built from its sources; it is now", f)
		}
	}
	return nil
}

// compile makes one example, and when asked to makes it twice and compares the
// bytes.
// A changed example may be refused for any reason but a fault of the compiler.
func (r *row) compile(example, dir string, twice, changed bool) error {
	raw, err := os.ReadFile(example)
	if err != nil {
		return err
	}
	if !wants(raw, r.target) {
		return nil
	}
	format, _ := ast.FormatOf(example)
	root, err := os.OpenRoot(filepath.Dir(example))
	if err != nil {
		return err
	}
	defer root.Close()
	start := time.Now()
	once := func() (*target.Result, error) {
		return target.Compile(target.Load(root.FS(), filepath.Base(example), raw, format), target.Request{Target: r.target.ID})
	}
	first, err := once()
	r.took += time.Since(start)
	var bad *target.SourceError
	if errors.As(err, &bad) && (slices.ContainsFunc(bad.All, isNothing) || changed && !slices.ContainsFunc(bad.All, isInternal)) {
		r.refused++
		return nil
	}
	if err != nil {
		r.faults = append(r.faults, fmt.Sprintf("%s: %v", example, err))
		return nil
	}
	second := first
	if twice {
		second, err = once()
	}
	if err != nil || !slices.EqualFunc(first.Files, second.Files, func(a, b artefact.File) bool { return a.Path == b.Path && bytes.Equal(a.Data, b.Data) }) {
		r.faults = append(r.faults, example+": two compiles differ")
	}
	for i, f := range first.Files {
		name := strings.ReplaceAll(strings.TrimPrefix(filepath.ToSlash(example), filepath.ToSlash(sources)+"/"), "/", "_")
		path := filepath.Join(dir, r.target.ID, name, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			return err
		}
		if i == 0 {
			r.made = append(r.made, path)
		}
	}
	return nil
}

// wants says whether an example is meant for a target: those of its line
// "// targets: a b", or every one of "// targets: all".
func wants(raw []byte, t *target.Target) bool {
	for line := range strings.Lines(string(raw)) {
		list, ok := strings.CutPrefix(strings.TrimSpace(line), "// targets:")
		if !ok {
			continue
		}
		return slices.ContainsFunc(strings.FieldsFunc(list, func(c rune) bool { return c == ' ' || c == ',' }), func(name string) bool {
			if name == "all" {
				return true
			}
			found, known := target.Find(name)
			return known && found == t
		})
	}
	return true
}

// report prints the table and counts the faults.
func report(rows []*row, examples int, changed bool) int {
	faults := 0
	fmt.Printf("%-16s %8s %8s %8s  %-10s %s\n", "target", "made", "unfit", "ms", "level", "tool")
	for _, r := range rows {
		fmt.Printf("%-16s %8d %8d %8d  %-10s %s %s\n", r.target.ID, len(r.made), r.refused, r.took.Milliseconds(), r.verified.Level, r.verified.Tool, r.verified.Version)
		for _, f := range r.faults {
			fmt.Printf("    FAULT %s\n", f)
		}
		faults += len(r.faults)
		if len(r.made) == 0 && !changed {
			fmt.Printf("    FAULT none of %d examples fits\n", examples)
			faults++
		}
	}
	return faults
}

// verdict is what a tool says of a file.
type verdict struct {
	File    string `json:"file"`
	OK      bool   `json:"ok"`
	Message string `json:"message"`
}

// verdicts reads the lines of a checker.
func verdicts(ctx context.Context, name string, args ...string) ([]verdict, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var list []verdict
	for line := range bytes.Lines(out) {
		var v verdict
		if err := json.Unmarshal(line, &v); err != nil {
			return nil, fmt.Errorf("%s said %q", name, line)
		}
		list = append(list, v)
	}
	return list, nil
}
