// Package trait is the registry of traits: what a name after an @ means, which
// parameters it takes, what it needs and excludes, and which capability of the
// scene model it becomes.
//
// The registry is data. Builtin is the catalogue of the project; With lays a
// project's trait files over it and Define the definitions of a source, a later
// one hiding an earlier one of the same name. A Registry never changes once
// made, so any number of goroutines may share it.
//
// The set is open: a name the registry lacks is a warning and a piece of data,
// never a syntax error. Check and CheckNode judge uses without knowing where
// they stand; their findings point at arguments by number, and the checker adds
// the places.
//
// The package reads no file and no clock. Everything it returns is in an order
// that depends on its input only.
package trait

import (
	_ "embed" // the catalogue
	"fmt"
	"maps"
	"slices"
	"sort"
	"sync"

	"github.com/meshd/meshd/lang/diag"
)

//go:embed catalogue.json
var catalogue []byte

// Own is the category of a definition in a source that names none and extends none.
const Own = "own"

// Registry is a set of traits with their categories and groups. It is
// immutable; make one with Builtin, With and Define.
type Registry struct {
	entries      []*Entry          // resolved, by name
	written      map[string]*Entry // as it came
	byName       map[string]*Entry // with what it inherits
	roots        map[*Entry]*Entry // from written to resolved, for those that extend nothing
	categories   []string          // sorted
	aliases      map[string]string
	groups       map[string][]string
	conditional  []Conditional
	conflicts    map[string]map[string]bool // both directions
	spelling     spelling
	catSpelling  spelling
	suggestWords func() index
}

// Builtin is the registry of the built-in catalogue. Every call returns the same one.
var Builtin = sync.OnceValue(func() *Registry {
	f, faults := Read(catalogue)
	r, more := (&Registry{}).With(f)
	if faults = append(faults, more...); len(faults) > 0 {
		panic("trait: built-in catalogue: " + faults[0].Message()) // a test reads it in every build
	}
	return r
})

// With lays a file over the registry. Its entries hide those of the same name,
// its categories, aliases and groups are added. What cannot be taken is left
// out and reported: a category nobody has, a name in extends, requires or
// conflicts that is no trait, a cycle.
func (r *Registry) With(f *File) (*Registry, []Fault) {
	next := r.clone()
	var faults []Fault
	add := func(list ...string) {
		for _, c := range list {
			if i, found := slices.BinarySearch(next.categories, c); !found {
				next.categories = slices.Insert(next.categories, i, c)
			}
		}
	}
	add(f.Categories...)
	for _, alias := range sortedKeys(f.CategoryAliases) {
		slug := f.CategoryAliases[alias]
		if _, known := slices.BinarySearch(next.categories, slug); !known {
			faults = append(faults, Fault{Code: invalid, Place: "category_aliases." + alias, Reason: fmt.Sprintf("'%s' is not a category", slug)})
			continue
		}
		next.aliases[alias] = slug
	}
	for _, g := range sortedKeys(f.TargetGroups) {
		next.groups[g] = slices.Clone(f.TargetGroups[g])
	}
	faults = append(faults, next.lay(f.Traits)...)
	for i, c := range f.ConditionalConflicts {
		if fault := next.condition(c); fault != "" {
			faults = append(faults, Fault{Code: invalid, Place: fmt.Sprintf("conditional_conflicts[%d]", i), Reason: fault})
			continue
		}
		next.conditional = append(next.conditional, c)
	}
	next.prepare()
	return next, faults
}

// Define lays the definitions of a source over the registry. A definition
// without a category gets that of the one it extends, else Own.
func (r *Registry) Define(entries []Entry) (*Registry, []Fault) {
	next := r.clone()
	var good []Entry
	var faults []Fault
	for i := range entries {
		e := entries[i]
		if e.Kind == "" {
			e.Kind = KindTrait
		}
		own := e.judge()
		if slices.ContainsFunc(entries[:i], func(o Entry) bool { return FoldKey(o.Name) == FoldKey(e.Name) }) {
			own = append(own, Fault{Code: invalid, Trait: e.Name, Place: "name", Reason: "is defined twice"})
		}
		if faults = append(faults, own...); len(own) == 0 {
			good = append(good, e)
		}
	}
	faults = append(faults, next.lay(good)...)
	next.prepare()
	return next, faults
}

func (r *Registry) clone() *Registry {
	return &Registry{
		written: cloneMap(r.written), roots: cloneMap(r.roots), byName: cloneMap(r.byName), categories: slices.Clone(r.categories),
		aliases: cloneMap(r.aliases), groups: cloneMap(r.groups), conditional: slices.Clone(r.conditional),
	}
}

func cloneMap[K comparable, V any](m map[K]V) map[K]V {
	if m == nil {
		return map[K]V{}
	}
	return maps.Clone(m)
}

// lay takes entries into the registry and resolves what they extend.
func (r *Registry) lay(entries []Entry) []Fault {
	var faults []Fault
	taken := map[string]bool{}
	before, shared := maps.Clone(r.written), r.byName
	folds := make(map[string]string, len(r.written))
	for name := range r.written {
		folds[FoldKey(name)] = name
	}
	for i := range entries {
		e := entries[i]
		fault := func(place, format string, args ...any) {
			faults = append(faults, Fault{Code: invalid, Trait: e.Name, Place: place, Reason: fmt.Sprintf(format, args...)})
		}
		_, known := slices.BinarySearch(r.categories, e.Category)
		other, spelt := folds[FoldKey(e.Name)]
		switch {
		case e.Category != "" && !known:
			fault("category", "'%s' is not a category", e.Category)
		case spelt && other != e.Name:
			fault("name", "spells the same key as '@%s'", other)
		case r.written[e.Name] == nil && len(r.written) >= MaxTraits:
			fault("", "the registry holds %d traits, no more are allowed", MaxTraits)
		default:
			r.written[e.Name] = &e
			folds[FoldKey(e.Name)] = e.Name
			taken[e.Name] = true
		}
	}
	more, bad := r.resolveAll()
	if faults = append(faults, more...); len(bad) > 0 {
		// What a refused entry was to hide shows again.
		for name := range bad {
			delete(r.written, name)
			if old := before[name]; old != nil {
				r.written[name] = old
				delete(taken, name)
			}
		}
		_, bad = r.resolveAll()
		for name := range bad {
			delete(r.written, name)
		}
	}
	for _, name := range sortedKeys(r.byName) {
		if r.byName[name] == shared[name] {
			continue // done in the registry this one grew from, which still uses it
		}
		if missing := r.references(r.byName[name]); taken[name] {
			faults = append(faults, missing...)
		}
	}
	return faults
}

// references removes names that no trait has from an entry and reports them.
func (r *Registry) references(e *Entry) []Fault {
	var faults []Fault
	missing := func(place string) func(string) bool {
		return func(name string) bool {
			if r.byName[name] != nil {
				return false
			}
			faults = append(faults, Fault{Code: invalid, Trait: e.Name, Place: place, Reason: fmt.Sprintf("'%s' is not a trait", name)})
			return true
		}
	}
	e.Conflicts = slices.DeleteFunc(e.Conflicts, missing("conflicts"))
	for i := range e.Requires {
		e.Requires[i] = slices.DeleteFunc(e.Requires[i], missing(fmt.Sprintf("requires[%d]", i)))
	}
	e.Requires = slices.DeleteFunc(e.Requires, func(list []string) bool { return len(list) == 0 })
	return faults
}

// condition says why a conditional conflict cannot be taken.
func (r *Registry) condition(c Conditional) string {
	for _, name := range c.Traits {
		if r.byName[name] == nil {
			return fmt.Sprintf("'%s' is not a trait", name)
		}
	}
	e := r.byName[c.When.Trait]
	if e == nil {
		return fmt.Sprintf("'%s' is not a trait", c.When.Trait)
	}
	if _, ok := e.Param(c.When.Param); !ok {
		return fmt.Sprintf("'@%s' has no parameter '%s'", e.Name, c.When.Param)
	}
	return ""
}

// prepare builds what look-ups use.
func (r *Registry) prepare() {
	r.entries = make([]*Entry, 0, len(r.byName))
	used := false
	names := sortedKeys(r.byName)
	for _, n := range names {
		r.entries = append(r.entries, r.byName[n])
		used = used || r.byName[n].Category == Own
	}
	if i, found := slices.BinarySearch(r.categories, Own); used && !found {
		r.categories = slices.Insert(r.categories, i, Own)
	}
	r.conflicts = map[string]map[string]bool{}
	exclude := func(a, b string) {
		if r.conflicts[a] == nil {
			r.conflicts[a] = map[string]bool{}
		}
		r.conflicts[a][b] = true
	}
	for _, e := range r.entries {
		for _, other := range e.Conflicts {
			exclude(e.Name, other)
			exclude(other, e.Name)
		}
	}
	r.spelling = newSpelling(names)
	r.catSpelling = newSpelling(append(slices.Clone(r.categories), sortedKeys(r.aliases)...))
	entries := r.entries
	r.suggestWords = sync.OnceValue(func() index { return newIndex(entries) })
}

// Len is the number of traits and directives.
func (r *Registry) Len() int { return len(r.entries) }

// All returns every entry by name. The slice is a copy, the entries are shared.
func (r *Registry) All() []*Entry { return slices.Clone(r.entries) }

// Lookup finds a trait by its exact name, without the @.
func (r *Registry) Lookup(name string) (*Entry, bool) {
	e, ok := r.byName[name]
	return e, ok
}

// Nearest finds the trait that a misspelt name most likely means.
func (r *Registry) Nearest(name string) (string, bool) { return r.spelling.nearest(name) }

// Categories returns the slugs of all categories, sorted.
func (r *Registry) Categories() []string { return slices.Clone(r.categories) }

// Category finds a category by its slug or an alias.
func (r *Registry) Category(name string) (slug string, ok bool) {
	if _, found := slices.BinarySearch(r.categories, name); found {
		return name, true
	}
	slug, ok = r.aliases[name]
	return slug, ok
}

// NearestCategories are at most three categories and aliases whose names are
// close to a name that is neither, the nearest first.
func (r *Registry) NearestCategories(name string) []string {
	var out []string
	names := slices.Clone(r.catSpelling.names)
	for len(out) < 3 {
		n, ok := spelling{names}.nearest(name)
		if !ok {
			return out
		}
		out = append(out, n)
		names = slices.DeleteFunc(names, func(s spelt) bool { return s.name == n })
	}
	return out
}

// Goals are the target ids where support for a trait is wanted, groups and *
// resolved: the full ones and, apart from those, the partial ones, each sorted.
// all is every target there is.
func (r *Registry) Goals(e *Entry, all []string) (full, partial []string) {
	expand := func(names []string) []string {
		var out []string
		for _, n := range names {
			switch group, isGroup := r.groups[n]; {
			case n == "*":
				out = append(out, all...)
			case isGroup:
				out = append(out, group...)
			default:
				out = append(out, n)
			}
		}
		sort.Strings(out)
		return slices.Compact(out)
	}
	full, partial = expand(e.Goals.Full), expand(e.Goals.Partial)
	return full, slices.DeleteFunc(partial, func(id string) bool { return slices.Contains(full, id) })
}

// Exclude says whether two traits exclude each other on one node, whatever
// their parameters.
func (r *Registry) Exclude(a, b string) bool { return r.conflicts[a][b] }

const unknownTrait diag.Code = "TRT001"
