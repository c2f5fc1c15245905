// Package check judges what the parser accepts: names, block kinds, traits,
// types, imports, state machines, behaviour trees, pipelines and habits.
//
// The vocabulary is open. A kind, a trait or a setting that nobody knows is
// kept as data and at most warned about; an error is what no artefact can be
// made of. A part that the parser could not read is left out, its neighbours
// are judged.
//
// File reads one tree. What the file imports it reads through a
// module.Project; without one, imported names stand for anything. The result
// also says, for editors, which name means which declaration.
//
// The package is pure, and its findings depend on its arguments only.
package check

import (
	"fmt"
	"slices"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/module"
	"github.com/meshd/meshd/lang/token"
	"github.com/meshd/meshd/lang/trait"
)

// Options says what a file is judged by. The zero value is sensible.
type Options struct {
	// Project is where imports lead; nil leaves them open. The path of the file
	// is then relative to the project's root.
	Project *module.Project
	// Registry is the set of traits; nil is the project's, or the built-in one.
	Registry *trait.Registry
	// Rules gives findings another weight: a severity, or "off". An error keeps
	// its weight.
	Rules map[diag.Code]string
}

// Result is what File found.
type Result struct {
	// Diagnostics are those of the parser and the checker, ordered by start and
	// code, at most one error a line.
	Diagnostics []diag.Diagnostic
	// Symbols are the declarations of the file in the order of their names' places.
	Symbols []*Symbol
	// References are the uses of declarations, in the order of their places.
	References []Reference
	// Registry is the set of traits with the definitions of the file.
	Registry *trait.Registry
	// Locals are the names that functions declare before the place of Around, the
	// innermost first. File leaves them out.
	Locals []*Symbol
	// Nodes and Traits count what the file has of them.
	Nodes, Traits int

	work int // see checker
}

// Reference is a name in the source that means a declaration.
type Reference struct {
	At     token.Span
	Symbol *Symbol
}

// File judges a tree. The found are the parser's diagnostics of it. A fault of
// the checker itself is caught and becomes INT001.
func File(f *ast.File, found []diag.Diagnostic, o Options) (r *Result) {
	defer func() {
		if fault := recover(); fault != nil {
			bag := diag.NewBag(f.Path(), f.Stream.Source)
			bag.Keep(found)
			bag.Add(diag.INT001, 0, 0, fmt.Sprintf("checking (%v)", fault))
			r = &Result{Diagnostics: bag.All(), Registry: trait.Builtin()}
		}
	}()
	return run(f, found, o)
}

// run is File without the net: tests and fuzzing use it.
func run(f *ast.File, found []diag.Diagnostic, o Options) *Result {
	c := newChecker(f, o)
	c.bag.Keep(found)
	c.declareFile()
	c.gatherFile()
	c.imports()
	c.define()
	c.chains()
	c.judgeFile()
	c.unused()
	return c.result()
}

// checker is one run over one file.
type checker struct {
	f      *ast.File
	o      Options
	near   int     // see passes; -1: all
	locals *locals // see keepLocals
	bag    *diag.Bag
	reg    *trait.Registry
	strict bool // .hsplus: declared types are enforced

	top       *owner
	owners    map[*ast.Body]*owner
	tested    *owner // see shared
	named     map[string][]*owner
	templates map[string]*owner
	types     map[string]*Symbol
	raised    map[string]bool // events that this file raises, by their normal names
	mentions  map[string]bool // names that stand anywhere but in a declaration
	spellings map[string]string
	dialogues map[string]bool // by name
	serves    bool            // an endpoint or a server is in the file
	served    map[string]bool // actions that endpoints mean by their own names
	broadcast bool            // some event is raised on all nodes
	imported  []*ast.Import
	exported  map[string]token.Span
	open      bool // the file imports what could not be read: its names may be anything
	pipes     bool // the file has a pipeline

	cells        map[string]bool
	undeclared   map[string]bool // state keys and calls that were reported
	symbols      []*Symbol
	refs         []Reference
	nodes, uses  int
	cycle        map[string]bool // names that were imported around a cycle
	suggested    int             // calls of nearest
	steps        int             // of the comparison of types under way
	work         int             // nodes, owners and names that were looked at
	lineages     map[*owner][]*owner
	speller      *trait.Speller // events that a handler may name, made when one names another
	traitsOf     map[*owner][]string
	unknown      map[string]trait.Finding // of traits that nobody knows, by their names
	missing      int                      // keys of states that were reported
	lastDeclared bool                     // the last path or reference means a declaration with a type of its own
}

func newChecker(f *ast.File, o Options) *checker {
	c := &checker{
		f: f, o: o, near: -1, bag: diag.NewBag(f.Path(), f.Stream.Source), reg: o.Registry, strict: f.Format == ast.HSPlus,
		owners: map[*ast.Body]*owner{}, named: map[string][]*owner{}, templates: map[string]*owner{}, types: map[string]*Symbol{},
		raised: map[string]bool{}, mentions: map[string]bool{}, spellings: map[string]string{}, undeclared: map[string]bool{},
		exported: map[string]token.Span{}, lineages: map[*owner][]*owner{},
		traitsOf: map[*owner][]string{}, unknown: map[string]trait.Finding{}, cycle: map[string]bool{},
	}
	if c.reg == nil && o.Project != nil {
		c.reg = o.Project.Registry()
	}
	if c.reg == nil {
		c.reg = trait.Builtin()
	}
	return c
}

func (c *checker) result() *Result {
	r := &Result{Symbols: c.symbols, References: c.refs, Registry: c.reg, Nodes: c.nodes, Traits: c.uses, work: c.work}
	slices.SortStableFunc(r.Symbols, func(a, b *Symbol) int { return int(a.At.Start) - int(b.At.Start) })
	slices.SortStableFunc(r.References, func(a, b Reference) int { return int(a.At.Start) - int(b.At.Start) })
	r.Diagnostics = weigh(c.bag.All(), c.o.Rules)
	return r
}

// weigh applies the rules of the options.
func weigh(found []diag.Diagnostic, rules map[diag.Code]string) []diag.Diagnostic {
	if len(rules) == 0 {
		return found
	}
	out := found[:0]
	for _, d := range found {
		rule, ok := rules[d.Code]
		if !ok || d.Severity == diag.Error {
			out = append(out, d)
			continue
		}
		if rule == "off" {
			continue
		}
		var s diag.Severity
		if s.UnmarshalText([]byte(rule)) == nil {
			d.Severity = s
		}
		out = append(out, d)
	}
	return out
}

// add reports a finding with the severity of the table.
func (c *checker) add(code diag.Code, at token.Span, slots ...string) *diag.Finding {
	return c.bag.Add(code, int(at.Start), int(at.End), slots...)
}

// addAs reports a finding with another severity.
func (c *checker) addAs(s diag.Severity, code diag.Code, at token.Span, slots ...string) *diag.Finding {
	return c.bag.AddAs(s, code, int(at.Start), int(at.End), slots...)
}

// enforced is the severity of a finding about a type: an error in .hsplus, where the file
// itself declares it.
func (c *checker) enforced(declared bool, of ...*Type) diag.Severity {
	if c.strict && declared && !c.elsewhere(of, 0) {
		return diag.Error
	}
	return diag.Warning
}

// elsewhere says whether a part of a type is declared in another file.
func (c *checker) elsewhere(of []*Type, depth int) bool {
	for _, t := range of {
		if t == nil || depth > maxForeign {
			continue
		}
		if t.form == namedType && t.sym.File != c.f.Path() {
			return true
		}
		inner := t.alts
		switch t.form {
		case namedType:
			if _, alias := t.sym.decl.(*ast.Command); alias {
				c.look(t) // which reads what it stands for
				inner = []*Type{t.elem}
			}
		case listType, mapType:
			inner = []*Type{t.elem}
		}
		if c.elsewhere(inner, depth+1) {
			return true
		}
	}
	return false
}

// maxForeign is how deep a type is looked through for parts of other files.
const maxForeign = 8

// replace gives a finding the fix that puts a text in the place of a span.
func replace(f *diag.Finding, at token.Span, text string) {
	f.Suggest(text).Fix("Replace with '"+text+"'", int(at.Start), int(at.End), text)
}

func hint(near string) string { return " Did you mean '" + near + "'?" }
