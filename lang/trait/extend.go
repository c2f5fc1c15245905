package trait

import (
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/diag"
)

// resolveAll fills byName from what is written: every entry with what it
// inherits. An entry that cannot be resolved is reported and left out, and so
// are those that extend it; bad names them.
func (r *Registry) resolveAll() (faults []Fault, bad map[string]bool) {
	r.byName = make(map[string]*Entry, len(r.written))
	bad = map[string]bool{}
	for name, e := range r.written {
		if root := r.roots[e]; root != nil {
			r.byName[name] = root
		}
	}
	for _, name := range sortedKeys(r.written) {
		faults = append(faults, r.resolve(name, bad)...)
	}
	return faults, bad
}

// resolve walks up from one entry to the nearest that is resolved, then down
// again. It is a loop, so that a long chain needs no deep stack.
func (r *Registry) resolve(name string, bad map[string]bool) []Fault {
	var chain []*Entry // name first
	for at := name; at != "" && r.byName[at] == nil; {
		e := r.written[at]
		last := len(chain) - 1
		switch {
		case e == nil:
			return refuse(chain, bad, Fault{Code: invalid, Trait: chain[last].Name, Place: "extends", Reason: fmt.Sprintf("'%s' is not a trait", clip(at))})
		case bad[at] && last < 0:
			return nil // reported with the chain it was found in
		case bad[at]:
			return refuse(chain, bad, Fault{Code: invalid, Trait: chain[0].Name, Place: "extends", Reason: fmt.Sprintf("'@%s' is not valid", at)})
		case slices.Contains(chain, e):
			return refuse(chain, bad, Fault{Code: diag.Code("TRT011"), Trait: chain[0].Name, Place: "extends", Reason: cycle(chain[slices.Index(chain, e):])})
		}
		chain = append(chain, e)
		at = e.Extends
	}
	var faults []Fault
	for i, e := range slices.Backward(chain) {
		parent := r.byName[e.Extends]
		if r.depth(e) > MaxExtends {
			f := Fault{Code: diag.Code("LIM010"), Trait: e.Name, Place: "extends", Reason: fmt.Sprint(r.depth(e))}
			return append(faults, refuse(chain[:i+1], bad, f)...)
		}
		whole := inherit(parent, e)
		if len(whole.Params) > MaxParams {
			f := Fault{Code: invalid, Trait: e.Name, Place: "params", Reason: fmt.Sprintf("has %d elements, allowed are %d", len(whole.Params), MaxParams)}
			return append(faults, refuse(chain[:i+1], bad, f)...)
		}
		if parent != nil { // without one it was judged when it came
			if own := whole.judge(); len(own) > 0 {
				return append(faults, refuse(chain[:i+1], bad, own...)...)
			}
		}
		r.byName[e.Name] = whole
		if parent == nil {
			r.roots[e] = whole
		}
	}
	return faults
}

func refuse(chain []*Entry, bad map[string]bool, faults ...Fault) []Fault {
	for _, e := range chain {
		bad[e.Name] = true
	}
	return faults
}

// depth is how many definitions stand above e, at most one over the limit.
func (r *Registry) depth(e *Entry) int {
	n := 0
	for ; e != nil && e.Extends != "" && n <= MaxExtends; n++ {
		e = r.written[e.Extends]
	}
	return n
}

func cycle(chain []*Entry) string {
	names := make([]string, 0, len(chain)+1)
	for _, e := range chain {
		names = append(names, "@"+e.Name)
	}
	return strings.Join(append(names, names[0]), " → ")
}

// inherit is e with what its parent gives: parameters by name, requirements,
// conflicts, events, lowers and goals. A parameter of e replaces that of the
// parent; range, unit, place and aliases that it leaves out are inherited when
// the type stays the same.
func inherit(parent, e *Entry) *Entry {
	out := *e
	out.Params = slices.Clone(e.Params)
	out.Conflicts = append([]string{}, e.Conflicts...)
	out.Requires = [][]string{}
	for _, list := range e.Requires {
		out.Requires = append(out.Requires, slices.Clone(list))
	}
	if out.Params == nil {
		out.Params = []Param{}
	}
	out.Goals = Goals{append([]string{}, e.Goals.Full...), append([]string{}, e.Goals.Partial...)}
	if parent == nil {
		if out.Category == "" {
			out.Category = Own
		}
		return &out
	}
	if out.Category == "" {
		out.Category = parent.Category
	}
	if out.Merge == nil {
		out.Merge = parent.Merge
	}
	out.Open = out.Open || parent.Open
	var params []Param
	for _, p := range parent.Params {
		i := slices.IndexFunc(out.Params, func(q Param) bool { return FoldKey(q.Name) == FoldKey(p.Name) })
		if i < 0 {
			params = append(params, p)
			continue
		}
		params = append(params, narrow(p, out.Params[i]))
		out.Params = slices.Delete(out.Params, i, i+1)
	}
	out.Params = append(params, out.Params...)
	out.Events = union(parent.Events, e.Events)
	out.Lowers = union(parent.Lowers, e.Lowers)
	out.Conflicts = union(parent.Conflicts, e.Conflicts)
	for _, list := range parent.Requires {
		if !slices.ContainsFunc(out.Requires, func(l []string) bool { return slices.Equal(l, list) }) {
			out.Requires = append(out.Requires, slices.Clone(list))
		}
	}
	if len(e.Goals.Full)+len(e.Goals.Partial) == 0 {
		out.Goals = Goals{slices.Clone(parent.Goals.Full), slices.Clone(parent.Goals.Partial)}
	}
	return &out
}

// narrow completes a parameter from the one it replaces.
func narrow(parent, p Param) Param {
	if len(p.Type) == 0 {
		p.Type = parent.Type
	}
	if p.Type.String() != parent.Type.String() {
		return p
	}
	if p.Min == nil && p.Max == nil && p.Unit == "" {
		p.Min, p.Max, p.Unit = parent.Min, parent.Max, parent.Unit
	}
	if p.Values == nil {
		p.Values = parent.Values
	}
	if p.Positional == nil {
		p.Positional = parent.Positional
	}
	if p.Aliases == nil {
		p.Aliases = parent.Aliases
	}
	if p.Doc == "" {
		p.Doc = parent.Doc
	}
	return p
}

func union[T comparable](a, b []T) []T {
	out := append([]T{}, a...)
	for _, x := range b {
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}
