// Command conserve says what of sources is lost on its way to a scene, a program and
// artefacts, and how many of them parse, compile and pass their own tests:
//
//	go run ./scripts/conserve [-v] [-by key|file] [-same N] FILE|DIR...
//
// It prints the figures that docs/targets.md has of the gate. -v prints each literal
// that is lost. The exit code is 1 when one is lost or a file does not parse.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/conserve"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/target/artefact"
)

func main() {
	verbose := flag.Bool("v", false, "print each literal that is lost, each failed compile and each failed test")
	by := flag.String("by", "key", "list what is lost by key or by file")
	same := flag.Int("same", conserve.MaxSame, "change so many literals of a key in a file, below 0 all")
	only := flag.String("targets", "", "compile to these, by commas; empty: to all that draw; none: to none")
	flag.Parse()
	if flag.NArg() == 0 || *by != "key" && *by != "file" {
		fmt.Fprintln(os.Stderr, "usage: conserve [-v] [-by key|file] [-same N] [-targets a,b|none] FILE|DIR...")
		os.Exit(2)
	}
	f := &figures{verbose: *verbose, by: *by, same: *same, targets: targets(*only), out: os.Stdout}
	for _, arg := range flag.Args() {
		if err := f.walk(arg); err != nil {
			fmt.Fprintln(os.Stderr, "conserve:", err)
			os.Exit(2)
		}
	}
	f.print()
	if f.count[conserve.Silent] > 0 || f.unreadable > 0 || f.faults > 0 {
		os.Exit(1)
	}
}

// figures are what was found in all files.
type figures struct {
	verbose bool
	by      string
	same    int
	targets []*target.Target
	out     io.Writer

	files, unreadable, skipped, faults int
	count                              [conserve.Silent + 1]int
	visual, lost, reported             int // values of what is seen
	silent                             map[string]int
	findings, causes                   []int
	refused                            int // files with errors of checking or building
	compiled, named, failed            int
	worst                              map[string]int // failures by target and code
	tests, passed                      int
}

// targets are those that draw what they are given: all but those without a picture.
func targets(only string) []*target.Target {
	var out []*target.Target
	for _, t := range target.All() {
		switch {
		case only == "none":
		case only != "":
			if slices.Contains(strings.Split(only, ","), t.ID) {
				out = append(out, t)
			}
		case slices.Contains([]string{"web", "exchange", "device", "engine"}, t.Category):
			out = append(out, t)
		}
	}
	return out
}

// walk judges a file, or the sources below a folder.
func (f *figures) walk(arg string) error {
	return filepath.WalkDir(arg, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != arg && strings.HasPrefix(d.Name(), ".") {
			return filepath.SkipDir
		}
		if _, ok := ast.FormatOf(d.Name()); !ok || !d.Type().IsRegular() {
			return nil
		}
		return f.file(path)
	})
}

func (f *figures) file(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	root, name := os.DirFS(filepath.Dir(path)), filepath.Base(path)
	f.files++
	defer func() { // one file that breaks a stage is no reason to know nothing of the others
		if fault := recover(); fault != nil {
			f.faults++
			f.say("%s: fault: %v", path, fault)
		}
	}()
	r := conserve.Source(name, text, conserve.Options{Root: root, Same: cmp.Or(f.same, -1)})
	if r.Unreadable != "" {
		f.unreadable++
		f.say("%s: does not parse: %s", path, r.Unreadable)
		return nil
	}
	f.skipped += r.Skipped
	f.findings = append(f.findings, len(r.Findings))
	causes := map[diag.Code]bool{}
	for _, d := range r.Findings {
		causes[d.Code] = true
	}
	f.causes = append(f.causes, len(causes))
	for i := range r.Literals {
		l := &r.Literals[i]
		f.count[l.Result]++
		if l.Visual() {
			f.visual++
			if l.Result == conserve.Reported {
				f.reported++
			}
			if l.Result == conserve.Reported || l.Result == conserve.Silent {
				f.lost++
			}
			if l.Result == conserve.Reported {
				f.say("%s:%d:%d: %s %s is reported", path, l.Line, l.Column, l.Key, l.Text)
			}
		}
	}
	for _, l := range r.Silent() {
		key := l.Key
		if f.by == "file" {
			key = path
		}
		if f.silent == nil {
			f.silent = map[string]int{}
		}
		f.silent[key]++
		f.say("%s:%d:%d: %s %s is silent, and so is %s", path, l.Line, l.Column, l.Key, l.Text, l.Replacement)
	}
	format, _ := ast.FormatOf(name)
	src := target.Load(root, name, text, format)
	f.compile(path, src)
	f.test(path, src)
	return nil
}

func (f *figures) say(format string, args ...any) {
	if f.verbose {
		fmt.Fprintf(f.out, format+"\n", args...)
	}
}

// compile makes all artefacts. A refusal that names what is wanted of the source counts
// apart: nothing in it fits the target, or it is too large.
func (f *figures) compile(path string, src target.Source) {
	refused := false
	for _, t := range f.targets {
		_, err := target.Compile(src, target.Request{Target: t.ID})
		if err == nil {
			f.compiled++
			continue
		}
		code, text := "", err.Error()
		if e := (*target.SourceError)(nil); errors.As(err, &e) {
			for _, d := range e.All {
				if d.Severity == diag.Error {
					code, text = string(d.Code), d.String()
					break
				}
			}
		}
		if code == "TGT004" || code == "TGT005" || strings.HasPrefix(code, "LIM") {
			f.named++
			continue
		}
		refused = true
		f.failed++
		if f.worst == nil {
			f.worst = map[string]int{}
		}
		f.worst[cmp.Or(code, text)]++
		f.say("%s: %s: %s", path, t.ID, text)
	}
	if refused {
		f.refused++
	}
}

// test runs the @test blocks.
func (f *figures) test(path string, src target.Source) {
	for _, d := range src.Found {
		if d.Severity == diag.Error { // none of them runs
			ast.Walk(src.Main, func(n ast.Node) bool {
				if a, ok := n.(*ast.Attribute); ok && a.Name == "test" {
					f.tests++
				}
				return true
			})
			return
		}
	}
	s, _ := scene.Build(src.Main, src.More, scene.Options{Registry: src.Registry, Imports: src.Imports, Prototypes: true, Compiler: artefact.Version})
	c, err := run.Compile(s, append([]*ast.File{src.Main}, src.More...), true)
	if err != nil {
		f.say("%s: %v", path, err)
		return
	}
	for i := range c.Tests {
		f.tests++
		r, err := c.Run(&c.Tests[i], nil)
		switch {
		case err != nil:
			f.say("%s: test %q: %v", path, c.Tests[i].Name, err)
		case !r.OK:
			f.say("%s: test %q: %s", path, r.Name, strings.Join(r.Failed, "; "))
		default:
			f.passed++
		}
	}
}

func (f *figures) print() {
	line := func(what, format string, args ...any) {
		fmt.Fprintf(f.out, "%-18s "+format+"\n", append([]any{what}, args...)...)
	}
	line("files", "%d", f.files)
	line("do not parse", "%d (%s of the files parse)", f.unreadable, percent(f.files-f.unreadable, f.files))
	if f.faults > 0 {
		line("faults", "%d files break a stage", f.faults)
	}
	all := 0
	for _, n := range f.count {
		all += n
	}
	line("literals", "%d, and %d more of the same keys", all, f.skipped)
	for what, n := range f.count {
		line("  "+conserve.Result(what).String(), "%d (%s)", n, percent(n, all))
	}
	line("visual values", "%d, lost %d (%s), of these reported %d (%s)", f.visual, f.lost, percent(f.lost, f.visual), f.reported, percent(f.reported, f.lost))
	if len(f.targets) > 0 {
		line("compiles", "%d of %d (%s), %d named refusals apart; %d files fail somewhere", f.compiled, f.compiled+f.failed, percent(f.compiled, f.compiled+f.failed), f.named, f.refused)
		for _, k := range byCount(f.worst) {
			line("  "+k, "%d", f.worst[k])
		}
	}
	line("tests", "%d, pass %d (%s)", f.tests, f.passed, percent(f.passed, f.tests))
	slices.Sort(f.findings)
	slices.Sort(f.causes)
	if n := len(f.findings); n > 0 {
		line("findings a file", "median %d, most %d; kinds of findings median %d, most %d", f.findings[n/2], f.findings[n-1], f.causes[n/2], f.causes[n-1])
	}
	for _, k := range byCount(f.silent) {
		fmt.Fprintf(f.out, "%6d %s\n", f.silent[k], k)
	}
}

func percent(n, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
}

// byCount are the keys of counts, the largest first.
func byCount(m map[string]int) []string {
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		return cmp.Or(cmp.Compare(m[b], m[a]), cmp.Compare(a, b))
	})
}
