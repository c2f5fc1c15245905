package trait

import (
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/diag"
)

// CheckNode judges the uses of one node together: what excludes what, what is
// missing, what stands twice. Check judges each by itself. Unknown names play
// no part. The findings are in the order of the uses.
func (r *Registry) CheckNode(uses []Use) []Finding {
	var out []Finding
	first := make(map[string]int, len(uses))
	entry := make([]*Entry, len(uses))
	taken := map[int]map[string]bool{}
	for i, u := range uses {
		entry[i] = r.byName[u.Name]
		if entry[i] == nil {
			continue
		}
		if k, again := first[u.Name]; again {
			if f, say := repeated(entry[i], uses, i, k, taken); say {
				out = append(out, f)
			}
			continue
		}
		first[u.Name] = i
	}
	said := map[[2]string]bool{}
	for i, u := range uses {
		if entry[i] == nil || first[u.Name] != i {
			continue
		}
		for _, other := range sortedKeys(r.conflicts[u.Name]) {
			if k, there := first[other]; there && k < i {
				out = append(out, exclusive(uses, i, k))
				said[pair(u.Name, other)] = true
			}
		}
		for _, list := range entry[i].Requires {
			if !slices.ContainsFunc(list, func(name string) bool { _, there := first[name]; return there }) {
				out = append(out, r.lonely(u.Name, list, i))
			}
		}
	}
	for _, c := range r.conditional {
		a, okA := first[c.Traits[0]]
		b, okB := first[c.Traits[1]]
		if okA && okB && !said[pair(c.Traits[0], c.Traits[1])] && r.met(c.When, uses, first) {
			said[pair(c.Traits[0], c.Traits[1])] = true
			out = append(out, exclusive(uses, max(a, b), min(a, b)))
		}
	}
	slices.SortStableFunc(out, func(x, y Finding) int { return x.Use - y.Use })
	return out
}

func pair(a, b string) [2]string { return [2]string{min(a, b), max(a, b)} }

func exclusive(uses []Use, i, k int) Finding {
	return Finding{
		Code: "TRT006", Severity: diag.Warning, Slots: []string{uses[i].Name, uses[k].Name}, Use: i, Other: k, Arg: -1, Item: -1, Remedy: RemoveTrait,
	}
}

func (r *Registry) lonely(name string, list []string, i int) Finding {
	written := make([]string, len(list))
	for k, n := range list {
		written[k] = "'@" + n + "'"
	}
	text := written[0]
	if last := len(written) - 1; last > 0 {
		text = strings.Join(written[:last], ", ") + " or " + written[last]
	}
	return Finding{
		Code: "TRT007", Severity: diag.Info, Slots: []string{name, text}, Use: i, Other: -1, Arg: -1, Item: -1,
		Remedy: AddTrait, Text: "@" + list[0],
	}
}

// repeated reports a trait that stands again. Directives may, and so may what
// merges. The keys of the first use are kept in taken.
func repeated(e *Entry, uses []Use, i, k int, taken map[int]map[string]bool) (Finding, bool) {
	if e.Merges() || e.Kind == KindDirective {
		return Finding{}, false
	}
	f := Finding{Code: "TRT008", Severity: diag.Info, Slots: []string{e.Name}, Use: i, Other: k, Arg: -1, Item: -1}
	if _, read := taken[k]; !read {
		taken[k] = keysOf(e, uses[k].Args)
	}
	if disjoint(e, taken[k], uses[i].Args) {
		f.Remedy = MergeTraits
	}
	return f, true
}

// keysOf are the keys of an argument list, nil where one has no key.
func keysOf(e *Entry, args []Arg) map[string]bool {
	keys := make(map[string]bool, len(args))
	for _, x := range args {
		if x.Key == "" || x.Spread {
			return nil
		}
		keys[keyOf(e, x)] = true
	}
	return keys
}

func keyOf(e *Entry, x Arg) string {
	if p, ok := e.Param(x.Key); ok {
		return p.Name
	}
	return FoldKey(x.Key)
}

// disjoint says whether an argument list names other keys only.
func disjoint(e *Entry, keys map[string]bool, args []Arg) bool {
	return keys != nil && !slices.ContainsFunc(args, func(x Arg) bool { return x.Key == "" || x.Spread || keys[keyOf(e, x)] })
}

// met reports whether a condition is met: the parameter has the value, written
// or by default. A value only known at run time meets none.
func (r *Registry) met(w When, uses []Use, first map[string]int) bool {
	i, there := first[w.Trait]
	e := r.byName[w.Trait]
	if !there || e == nil {
		return false
	}
	p, ok := e.Param(w.Param)
	if !ok {
		return false
	}
	v, ok := Given(e, uses[i].Args, p)
	if !ok {
		if p.Default == nil {
			return false
		}
		v = *p.Default
	}
	if v.Kind == Word {
		v.Kind = Text
	}
	return v.Equal(w.Equals)
}

// Given finds the value that the arguments of a use give a parameter. The last
// one counts.
func Given(e *Entry, args []Arg, p *Param) (v Value, ok bool) {
	place := 0
	for _, a := range args {
		q, found := e.Param(a.Key)
		switch {
		case a.Spread:
			continue
		case a.Key == "":
			q, found = e.Place(place)
			place++
		}
		if found && q == p {
			v, ok = a.Value, true
		}
	}
	return v, ok
}
