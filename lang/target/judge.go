package target

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/trait"
)

// Judge is everything that is found in a source without a target: by parser and
// checker, by building the scene, and by compiling its program with its tests. It
// is what Compile finds on its way, so a source is judged alike wherever it is
// shown: each finding once, those of the main file first, in the order of the text.
// Its only error is that of step.
func Judge(src Source, limits scene.Limits, step func() error) ([]diag.Diagnostic, error) {
	if unreadable(src) {
		return tidy(src, src.Found), nil
	}
	c := forPages(src)
	if _, err := c.build(Request{Limits: limits, Step: step}); err != nil {
		return nil, err
	}
	return tidy(src, c.found), nil
}

// forPages compiles a source for what a page shows of it.
func forPages(src Source) *compile {
	t, _ := Find("html")
	return newCompile(src, t, artefact.Version)
}

func newCompile(src Source, t *Target, version string) *compile {
	c := &compile{source: src, target: t, version: version, found: slices.Clone(src.Found)}
	if c.source.Registry == nil {
		c.source.Registry = trait.Builtin()
	}
	return c
}

// build makes the scene and notes what is found in it and in its program. A fault of
// the compiler itself is INT001.
func (c *compile) build(req Request) (s *scene.Scene, err error) {
	stage := "building the scene"
	defer func() {
		if p := recover(); p != nil {
			c.found = append(c.found, c.internal(stage, p))
		}
	}()
	s, built := scene.Build(c.source.Main, c.source.More, scene.Options{
		Targets: Known,
		Target:  c.target.ID, Platforms: c.target.platforms, Registry: c.source.Registry, Imports: c.source.Imports, Prototypes: c.target.spawns, Limits: req.Limits, Compiler: c.version, Step: req.Step,
	})
	if req.Step != nil {
		if err := req.Step(); err != nil {
			return nil, err
		}
	}
	c.found = merge(c.found, built)
	if hasErrors(built) { // it ended early
		return s, nil
	}
	stage = "compiling the program"
	if err := c.program(s, req.Step); err != nil {
		return nil, err
	}
	return s, nil
}

// program notes what of the program, tests included, does not run or is not used. That
// a program is too large is for the targets to say that carry one; its error is that of
// the step.
func (c *compile) program(s *scene.Scene, step func() error) error {
	out, err := run.CompileUntil(s, c.files(), true, step)
	var stopped *run.Stopped
	if err != nil && !errors.As(err, &stopped) && len(s.Behaviour.Tests) > 0 {
		out, err = run.CompileUntil(s, c.files(), false, step)
	}
	if errors.As(err, &stopped) {
		return stopped.By
	}
	if err != nil {
		return nil
	}
	for _, l := range out.Left {
		c.addAt("FLO012", diag.Warning, c.file(l.File), l.Offset, l.End, firstUpper(l.What))
	}
	for _, l := range out.Unused {
		if exports(c.file(l.File), l.What) {
			continue // for the files that import it
		}
		c.addAt("LNT015", diag.Hint, c.file(l.File), l.Offset, l.End, l.What)
	}
	return nil
}

// exports says whether a file exports a name that it declares.
func exports(f *ast.File, name string) bool {
	for _, it := range f.Items() {
		x, ok := it.(*ast.Export)
		if !ok {
			continue
		}
		for _, n := range x.Names {
			if n.Name == name && x.Source == nil {
				return true
			}
		}
		if v, ok := x.Item.(*ast.VarDecl); ok && slices.ContainsFunc(v.Decls, func(d *ast.Declarator) bool { return d.Name == name }) {
			return true
		}
	}
	return false
}

func (c *compile) files() []*ast.File { return append([]*ast.File{c.source.Main}, c.source.More...) }

// file is the source of a path, the main one where there is none.
func (c *compile) file(path string) *ast.File {
	for _, f := range c.source.More {
		if f.Path() == path {
			return f
		}
	}
	return c.source.Main
}

func (c *compile) internal(stage string, fault any) diag.Diagnostic {
	return diag.Diagnostic{
		Code: diag.INT001, Message: diag.Message(diag.INT001, fmt.Sprintf("%s (%v)", stage, fault)), File: c.source.Main.Path(),
		Line: 1, Column: 1, EndLine: 1, EndColumn: 1,
	}
}

// unreadable says whether the main file could not be read as a whole: its tree is
// not what its author wrote.
func unreadable(src Source) bool {
	return slices.ContainsFunc(src.Found, func(d diag.Diagnostic) bool {
		if d.Severity != diag.Error || d.File != src.Main.Path() {
			return false
		}
		switch d.Code {
		case diag.LIM001, diag.LIM002, diag.LIM003, diag.INT001:
			return true
		}
		return strings.HasPrefix(string(d.Code), "SYN")
	})
}

// finding is what two equal findings have in common.
type finding struct {
	code    diag.Code
	file    string
	offset  int
	message string
}

func findingOf(d *diag.Diagnostic) finding { return finding{d.Code, d.File, d.Offset, d.Message} }

// known are the codes that say of one place what a later one says again.
var known = map[diag.Code]diag.Code{
	"BLK011": "BLK001", // an unknown kind, and that nothing acts on it
	"BLK002": "TRT002", // a parameter that a trait does not have
	"LNT015": "LNT001", // nothing uses a name, and nothing that is shown does
}

// merge joins the findings of two stages. What both say is reported once, where the first
// says it: at one place, or in the same words in one line.
func merge(a, b []diag.Diagnostic) []diag.Diagnostic {
	type at struct {
		code   diag.Code
		file   string
		offset int
	}
	type words struct {
		file    string
		line    int
		message string
	}
	said, worded := map[at]bool{}, map[words]bool{}
	for _, d := range a {
		said[at{d.Code, d.File, d.Offset}] = true
		worded[words{d.File, d.Line, d.Message}] = true
	}
	out := slices.Clone(a)
	for _, d := range b {
		if !worded[words{d.File, d.Line, d.Message}] && !said[at{d.Code, d.File, d.Offset}] && !said[at{known[d.Code], d.File, d.Offset}] {
			out = append(out, d)
		}
	}
	return out
}

// tidy puts findings in order, each once: those of other files than the sources, then
// those of the main file and of each module. Of a file it keeps as many as a
// bag does of each stage.
func tidy(src Source, found []diag.Diagnostic) []diag.Diagnostic {
	rank := map[string]int{src.Main.Path(): 1}
	for i, f := range src.More {
		rank[f.Path()] = i + 2
	}
	out := slices.Clone(found)
	slices.SortStableFunc(out, func(a, b diag.Diagnostic) int {
		return cmp.Or(cmp.Compare(rank[a.File], rank[b.File]), cmp.Compare(a.File, b.File), cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Code, b.Code))
	})
	said, notes := map[finding]bool{}, map[string]int{}
	return slices.DeleteFunc(out, func(d diag.Diagnostic) bool {
		again := said[findingOf(&d)]
		said[findingOf(&d)] = true
		if !again && d.Severity != diag.Error {
			notes[d.File]++
		}
		return again || d.Severity != diag.Error && notes[d.File] > diag.MaxNotes
	})
}
