package scene

import (
	"slices"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/trait"
)

// decl is what a block says of a node, its templates merged in, before it
// becomes a Node. The root of a file is one too.
type decl struct {
	kind, name string
	template   string
	file       *ast.File
	at         ast.Node // for the place; nil for an entry of a value document's list
	props      []prop
	byKey      map[string]int
	traits     []use          // none is ever taken out
	byTrait    map[string]int // see traitAt
	indexed    int            // traits that byTrait has
	looked     int            // traits that traitAt has compared or indexed
	children   []*decl
	domain     []Domain
	timelines  []Timeline
	widgets    []Widget
	pipelines  []Domain
	owner      Owner
	wires      []Wire
	runs       []Execute
	params     map[string]Value // of its template
	visibleBy  *Bind            // a condition on state that shows or hides the node
	hidden     bool
	platforms  []string
	overrides  []override
	scopes     []*scope
	ownScale   UnitVec // of its solid alone; zero for none
}

// prop is a setting of a node. Its key is in snake case.
type prop struct {
	key  string
	v    Value
	dyn  bool
	expr ast.Node // of a dynamic one
	file *ast.File
	at   ast.Node
	from *trait.Origin
}

type override struct {
	path []string
	p    prop
}

func (d *decl) put(p prop) {
	p.key = trait.FoldKey(p.key)
	if d.byKey == nil {
		d.byKey = map[string]int{}
	}
	i, there := d.byKey[p.key]
	if !there {
		d.byKey[p.key] = len(d.props)
		d.props = append(d.props, p)
		return
	}
	old := d.props[i]
	p.v = deepMerge(old.v, p.v)
	d.props[i] = p
}

// param notes a parameter of the template.
func (d *decl) param(name string, v Value) {
	if d.params == nil {
		d.params = map[string]Value{}
	}
	d.params[name] = v
}

// prop finds a setting by the first of its names that is set.
func (d *decl) prop(names ...string) (*prop, bool) {
	for _, n := range names {
		if i, ok := d.byKey[n]; ok && d.props[i].v.Kind != trait.Null {
			d.props[i].from.Use()
			return &d.props[i], true
		}
	}
	return nil, false
}

// flag is a setting that is true or false; of another value it asks nothing.
func (d *decl) flag(names ...string) (value, ok bool) {
	for _, n := range names {
		if i, there := d.byKey[n]; there && d.props[i].v.Kind == trait.Bool {
			d.props[i].from.Use()
			return d.props[i].v.Bool, true
		}
	}
	return false, false
}

// value is the value of a setting, or Unknown.
func (d *decl) value(names ...string) Value {
	if p, ok := d.prop(names...); ok {
		return p.v
	}
	return Value{}
}

// deepMerge lays a value over another: fields of maps by name, everything else
// is replaced.
func deepMerge(old, v Value) Value {
	if old.Kind != trait.Map || v.Kind != trait.Map {
		return v
	}
	out := mapOf(slices.Clone(old.Fields)...)
	at := make(map[string]int, len(out.Fields))
	for i, f := range out.Fields {
		at[trait.FoldKey(f.Key)] = i
	}
	for _, f := range v.Fields {
		key := trait.FoldKey(f.Key)
		if i, there := at[key]; there {
			out.Fields[i].Value = deepMerge(out.Fields[i].Value, f.Value)
			continue
		}
		at[key] = len(out.Fields)
		out.Fields = append(out.Fields, f)
	}
	return out
}

// use is one trait of a node.
type use struct {
	Name  string
	args  []field // in order; what has no name in the registry is called after its place
	entry *trait.Entry
	at    ast.Node
	file  *ast.File
}

// fields are the parameters with the defaults of those that are not given.
func (u *use) fields() []field {
	out := slices.Clone(u.args)
	if u.entry == nil {
		return out
	}
	for i := range u.entry.Params {
		p := &u.entry.Params[i]
		if p.Default == nil {
			continue
		}
		given := slices.ContainsFunc(u.args, func(f field) bool {
			q, ok := u.entry.Param(f.Key)
			return ok && q == p
		})
		if !given {
			out = append(out, field{Key: p.Name, Value: *p.Default})
		}
	}
	return out
}

// param is a parameter: what is given, else the default.
func (u *use) param(name string) Value {
	if v, ok := u.given(name); ok {
		return v
	}
	if u.entry != nil {
		if p, ok := u.entry.Param(name); ok && p.Default != nil {
			return *p.Default
		}
	}
	return Value{}
}

func (u *use) given(name string) (Value, bool) {
	v, ok := get(mapOf(u.args...), name)
	if ok || u.entry == nil {
		return v, ok
	}
	for i := len(u.args) - 1; i >= 0; i-- {
		if p, known := u.entry.Param(u.args[i].Key); known && p.Name == name {
			return u.args[i].Value, true
		}
	}
	return Value{}, false
}

// find is the first use of a trait by one of its names.
func (d *decl) find(names ...string) (*use, bool) {
	for _, n := range names {
		if i := d.traitAt(n); i >= 0 {
			return &d.traits[i], true
		}
	}
	return nil, false
}

// fewTraits are so many that looking through them is as fast as an index.
const fewTraits = 8

// traitAt is the place of the first use of a trait, -1 where there is none: found at
// once however many traits there are.
func (d *decl) traitAt(name string) int {
	if d.looked++; len(d.traits) <= fewTraits {
		d.looked += len(d.traits)
		return slices.IndexFunc(d.traits, func(u use) bool { return u.Name == name })
	}
	if d.byTrait == nil {
		d.byTrait = make(map[string]int, len(d.traits))
	}
	for ; d.indexed < len(d.traits); d.indexed++ {
		d.looked++
		if _, there := d.byTrait[d.traits[d.indexed].Name]; !there {
			d.byTrait[d.traits[d.indexed].Name] = d.indexed
		}
	}
	if i, there := d.byTrait[name]; there {
		return i
	}
	return -1
}

// has says whether a node has one of the traits.
func (d *decl) has(names ...string) bool {
	_, ok := d.find(names...)
	return ok
}

// overlay lays the instance over what its template made.
func (d *decl) overlay(in *decl) {
	d.scopes = append(d.scopes, in.scopes...)
	for _, p := range in.props {
		d.put(p)
	}
	for _, u := range in.traits {
		if i := d.traitAt(u.Name); i >= 0 {
			d.traits[i].args = deepMerge(mapOf(d.traits[i].args...), mapOf(u.args...)).Fields
		} else {
			d.traits = append(d.traits, u)
		}
	}
	// A child of the instance meets one child of the template that has its name;
	// children of the instance never meet each other (@for gives all one name).
	theirs := map[string][]*decl{}
	for _, o := range d.children {
		theirs[o.name] = append(theirs[o.name], o)
	}
	for _, c := range in.children {
		if same := theirs[c.name]; c.name != "" && len(same) > 0 {
			same[0].overlay(c)
			theirs[c.name] = same[1:]
			continue
		}
		d.children = append(d.children, c)
	}
	d.domain = append(d.domain, in.domain...)
	d.timelines = append(d.timelines, in.timelines...)
	d.widgets = append(d.widgets, in.widgets...)
	d.pipelines = append(d.pipelines, in.pipelines...)
	d.overrides = append(d.overrides, in.overrides...)
	d.owner.overlay(&in.owner)
	d.wires, d.runs = append(d.wires, in.wires...), append(d.runs, in.runs...)
	for name, v := range in.params {
		d.param(name, v)
	}
	if in.kind != "" {
		d.kind = in.kind
	}
	if in.name != "" {
		d.name = in.name
	}
	if in.template != "" {
		d.template = in.template
	}
	if in.platforms != nil {
		d.platforms = in.platforms
	}
	if in.visibleBy != nil {
		d.visibleBy, d.hidden = in.visibleBy, in.hidden
	}
	d.at, d.file = in.at, in.file
}
