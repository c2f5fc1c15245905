// Package conserve measures whether a source loses anything on its way: it changes
// each literal of a text, one at a time, to another value of the same kind, reads the
// text again and compares what came of it. A literal whose change changes nothing, and
// of which no finding speaks, is silent: its author wrote something that nobody sees.
//
// What is compared is what readers of a source act on:
//
//   - the scene, without what is kept as data only (settings that the model has no place
//     for, blocks of kinds that nobody knows, traits that nobody knows) and without places
//     in the text. A setting that the model has no place for counts where the program
//     reads it by its name;
//   - the program with the @test blocks, without constants that no instruction uses and
//     without lines;
//   - the pipelines and agents of the scene, and what targets without a picture write of
//     the source: services, cards of agents, configurations of servers, twins;
//   - for other platforms than the web too, where a source asks which one it is for;
//   - templates that are not used in the file, as if they were;
//   - types, by their literals: they are what openapi, dtdl and importing files read, so
//     that a literal of a type, and the value of a member of an enum, always counts. The
//     default of a member is no type: it counts where something comes of it;
//   - exported constants, which other files read.
//
// Names in headings, keys and names of events are no literals here: they are what others
// refer to.
package conserve

import (
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/check"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/parse"
	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/token"
)

// MaxSame is how many literals of one key are changed in a file when Options says
// nothing else: the first ones, the others count as Report.Skipped. Without it a town of
// a thousand lines, whose hundreds of positions are read by the same code, takes minutes.
const MaxSame = 40

// Options says how a source is looked at. The zero value is sensible.
type Options struct {
	// Root is the folder that imports stay in; nil has the source alone.
	Root fs.FS
	// Same is how many literals of one key are changed; 0 is MaxSame, below 0 all.
	Same int

	// drop takes something out of a scene before it is compared, so that a test sees
	// that the loss is seen.
	drop func(*scene.Scene)
}

// Result is what became of a literal.
type Result uint8

// The results, the best first.
const (
	Changed  Result = iota // something that is read is another
	Reported               // a finding speaks of it
	Clamped                // by a rule of Clamps
	Silent                 // nobody would know
)

var resultNames = [...]string{"changed", "reported", "clamped", "silent"}

// String is the name in reports.
func (r Result) String() string { return resultNames[r] }

// Literal is a literal of a source with what became of it.
type Literal struct {
	Line, Column int
	// Key is the kind of the block around it and the path of keys from there:
	// object.material.color.
	Key         string
	Text        string // as written
	Replacement string // what it was changed to
	Result      Result
	Why         string // of a clamp: its reason

	visual bool
}

// Visual says whether the literal stands in a setting of what is seen: of a node, a
// material, a light, a camera or the environment, outside of code.
func (l *Literal) Visual() bool { return l.visual }

// Report is what Source found.
type Report struct {
	Name string
	// Unreadable is the first reason that the text does not parse; nothing else is
	// known then.
	Unreadable string
	Literals   []Literal // those that were changed, in the order of the source
	Skipped    int       // literals beyond Options.Same
	Findings   []diag.Diagnostic
}

// Count is how many literals had a result.
func (r *Report) Count(what Result) int {
	n := 0
	for i := range r.Literals {
		if r.Literals[i].Result == what {
			n++
		}
	}
	return n
}

// Silent are the literals that are lost.
func (r *Report) Silent() []Literal {
	var out []Literal
	for _, l := range r.Literals {
		if l.Result == Silent {
			out = append(out, l)
		}
	}
	return out
}

// Source changes the literals of a source one by one. The name is its path below
// Options.Root; the extension says the format.
func Source(name string, text []byte, o Options) Report {
	out := Report{Name: name}
	g := open(name, text, o)
	for _, d := range g.first.Found {
		if d.Severity == diag.Error {
			out.Unreadable = d.String()
			return out
		}
	}
	out.Findings = g.findings()
	g.index(out.Findings)

	same := o.Same
	if same == 0 {
		same = MaxSame
	}
	seen := map[string]int{}
	for _, l := range literals(g.first.File) {
		if seen[l.key]++; same > 0 && seen[l.key] > same {
			out.Skipped++
			continue
		}
		out.Literals = append(out.Literals, g.judge(l))
	}
	return out
}

// open reads a source and what comes of it.
func open(name string, text []byte, o Options) *gate {
	format, ok := ast.FormatOf(name)
	if !ok {
		format = ast.GuessFormat(string(text))
	}
	g := &gate{name: name, format: format, o: o, first: parse.Read(name, text, format)}
	if broken(g.first.Found) {
		return g
	}
	g.source = target.Load(o.Root, name, []byte(g.first.File.Text()), format)
	g.profiles = profiles(g.first.File)
	g.probe = probe(g.first.File)
	g.read()
	g.outputs = g.write(g.source, nil)
	g.steady()
	return g
}

// gate is one source under judgement.
type gate struct {
	name     string
	format   ast.Format
	o        Options
	first    *parse.Reading
	source   target.Source
	profiles []profile
	probe    string
	base     []*view // for each profile, then with the probe; nil without one
	members  map[string]bool
	outputs  map[string]string
	reported reported
}

// judge changes one literal in every way that change has for it.
func (g *gate) judge(l literal) Literal {
	f := g.first.File
	line, column := f.Stream.Source.Position(l.start)
	out := Literal{Line: line, Column: column, Key: l.key, Text: f.Text()[l.start:l.end], Result: Silent, visual: l.visual}
	if l.fixed {
		out.Result = Changed
		return out
	}
	var kept []*parse.Reading
	for i, with := range l.replacements {
		r := g.first.Edit(token.Edit{Start: l.start, End: l.end, Text: with})
		if broken(r.Found) {
			continue
		}
		if out.Replacement == "" || i == 0 {
			out.Replacement = with
		}
		kept = append(kept, r)
		if g.changed(r, l.trait) {
			out.Result, out.Replacement = Changed, with
			return out
		}
	}
	if g.reported.about(l, f) {
		out.Result = Reported
		return out
	}
	for _, r := range kept {
		if g.reports(r) {
			out.Result = Reported
			return out
		}
	}
	if why, ok := clamped(l); ok {
		out.Result, out.Why = Clamped, why
	}
	return out
}

func broken(found []diag.Diagnostic) bool {
	return slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })
}

// changed says whether a reading means something else than the first one.
func (g *gate) changed(r *parse.Reading, trait bool) bool {
	if trait { // a definition: what editors and other files read of it
		defer func(was target.Source) { g.source = was }(g.source)
		before := g.source.Registry
		g.source.Registry = check.File(r.File, r.Found, check.Options{Project: g.project()}).Registry
		for _, name := range traitsOf(g.first.File) {
			x, _ := before.Lookup(name)
			if y, ok := g.source.Registry.Lookup(name); !ok || !reflect.DeepEqual(x, y) {
				return true
			}
		}
	}
	for i := range g.base {
		if f := g.text(r, i); f != nil && !g.base[i].equal(g.view(f, g.profile(i))) {
			return true
		}
	}
	if len(g.outputs) == 0 {
		return false
	}
	src := g.source
	src.Main = r.File
	return g.differs(src)
}

// steady forgets the artefacts that are others when nothing but a comment is.
func (g *gate) steady() {
	end := len(g.first.File.Text())
	src := g.source
	src.Main = g.first.Edit(token.Edit{Start: end, End: end, Text: "\n// nothing\n"}).File
	now := g.write(src, g.outputs)
	for id, text := range g.outputs {
		if now[id] != text {
			delete(g.outputs, id)
		}
	}
}

// read builds what the first reading means: under each profile, and behind them with
// the templates in use.
func (g *gate) read() {
	for i := 0; i <= len(g.profiles); i++ {
		var v *view
		if f := g.text(g.first, i); f != nil {
			v = g.view(f, g.profile(i))
			v.program()
			if i == 0 {
				g.members = members(v.compiled.Program)
			}
			v.settle(g.members)
		}
		g.base = append(g.base, v)
	}
}

// profile is the one of a place in base.
func (g *gate) profile(i int) profile {
	if i == len(g.profiles) {
		i = 0
	}
	return g.profiles[i]
}

// text is the tree that is built for a place in base: the reading, or with the probe
// behind it; nil where there is no probe.
func (g *gate) text(r *parse.Reading, i int) *ast.File {
	if i < len(g.profiles) {
		return r.File
	}
	if g.probe == "" {
		return nil
	}
	f, _ := parse.File(g.name, []byte(r.File.Text()+g.probe), g.format)
	return f
}

// view builds the scene of a tree. Modules and traits are those of the source.
func (g *gate) view(f *ast.File, p profile) *view {
	s, _ := scene.Build(f, g.source.More, scene.Options{
		Target: p.target, Platforms: p.platforms, Prototypes: true, Registry: g.source.Registry, Imports: g.source.Imports,
	})
	if g.o.drop != nil {
		g.o.drop(s)
	}
	v := &view{built: s, files: append([]*ast.File{f}, g.source.More...)}
	if g.members != nil {
		v.settle(g.members)
	}
	return v
}

// findings are those of parsing, checking, building and compiling, under each profile:
// what stands under @platform is built for no other.
func (g *gate) findings() []diag.Diagnostic {
	out := slices.Clone(g.source.Found)
	for i, p := range g.profiles {
		for _, d := range g.built(g.source.Main, g.source, p) {
			if i == 0 || !slices.ContainsFunc(out, func(o diag.Diagnostic) bool { return o.Code == d.Code && o.File == d.File && o.Offset == d.Offset }) {
				out = append(out, d)
			}
		}
	}
	return out
}

// built are the findings of building and of what does not run, under a profile.
func (g *gate) built(f *ast.File, src target.Source, p profile) []diag.Diagnostic {
	s, out := scene.Build(f, src.More, scene.Options{Target: p.target, Targets: target.Known, Platforms: p.platforms, Prototypes: true, Registry: src.Registry, Imports: src.Imports})
	if c, err := run.Compile(s, append([]*ast.File{f}, src.More...), true); err == nil {
		for _, l := range c.Left {
			out = append(out, diag.Diagnostic{Code: "FLO012", Severity: diag.Warning, Message: l.What + " does not run", File: l.File, Line: l.Line, Column: l.Column, EndLine: l.Line, Offset: l.Offset, EndOffset: l.End})
		}
		for _, l := range c.Unused {
			out = append(out, diag.Diagnostic{Code: "LNT015", Severity: diag.Hint, Message: l.What, File: l.File, Line: l.Line, Column: l.Column, EndLine: l.Line, Offset: l.Offset})
		}
	}
	return out
}

// reports says whether a reading has a finding that the first one has not.
func (g *gate) reports(r *parse.Reading) bool {
	judged := check.File(r.File, r.Found, check.Options{Project: g.project()})
	src := g.source
	src.Main, src.Registry = r.File, judged.Registry
	seen := map[string]int{}
	for _, d := range append(judged.Diagnostics, g.built(r.File, src, g.profiles[0])...) {
		if d.File == g.name && !style[d.Code] {
			key := fmt.Sprintf("%s:%d", d.Code, d.Line)
			if seen[key]++; seen[key] > g.reported.count[key] {
				return true
			}
		}
	}
	return false
}

// profile is a platform that a source may ask for.
type profile struct {
	target    string
	platforms []string
}

var web = []string{"web", "desktop"}

// profiles are the platforms under which a file is read: the web, and one of each other
// category where the file asks for platforms or targets.
func profiles(f *ast.File) []profile {
	out := []profile{{"html", web}}
	text := f.Text()
	if strings.Contains(text, "@platform") || strings.Contains(text, "#if") || strings.Contains(text, "@if") {
		out = append(out, profile{"android", []string{"android", "mobile"}}, profile{"ios", []string{"ios", "mobile", "ar", "visionos-ar"}},
			profile{"android-xr", []string{"android-xr", "vr", "quest3", "pcvr", "visionos", "android-xr-ar", "webxr"}},
			profile{"unity", []string{"windows", "macos", "linux", "desktop", "automotive", "wearable"}})
	}
	return out
}

// probe uses each template of a file once more, with the defaults of its parameters.
func probe(f *ast.File) string {
	var b strings.Builder
	ast.Walk(f, func(n ast.Node) bool {
		if t, ok := n.(*ast.Block); ok && t.BlockKind == "template" && t.NameText() != "" {
			fmt.Fprintf(&b, "\nobject \"probe of it\" using %q { }", t.NameText())
		}
		return true
	})
	return b.String()
}

func nameOf(n ast.Node) string {
	switch n := n.(type) {
	case *ast.String:
		return n.Value()
	case *ast.Ident:
		return n.Name
	case *ast.Path:
		return n.Raw
	}
	return ""
}

// traitsOf are the names of the traits that a file defines.
func traitsOf(f *ast.File) []string {
	var out []string
	for _, it := range f.Items() {
		if e, ok := it.(*ast.Export); ok {
			it = e.Item
		}
		switch it := it.(type) {
		case *ast.Block:
			if it.BlockKind == "trait" {
				out = append(out, it.NameText())
			}
		case *ast.Attribute:
			if it.Name != "trait" {
				continue
			}
			if len(it.Positional) > 0 {
				out = append(out, nameOf(it.Positional[0]))
			}
			if it.Config == nil {
				continue
			}
			for _, m := range it.Config.Items {
				if p, ok := m.(*ast.Property); ok && p.Key.Name() == "name" {
					out = append(out, nameOf(p.Value))
				}
			}
		}
	}
	return out
}
