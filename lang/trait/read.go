package trait

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/meshd/meshd/lang/diag"
)

const invalid diag.Code = "TRT010"

// Read reads a trait file. What is wrong is named fault by fault; a trait with
// a fault is left out and the others are kept. When the file as a whole cannot
// be read it has no traits. Whether the names it refers to exist is found when
// a Registry takes it (With).
func Read(data []byte) (*File, []Fault) {
	f := &File{Schema: Schema, Traits: []Entry{}}
	root, err := readTree(data)
	if err != nil {
		return f, []Fault{{Code: invalid, Reason: err.Error()}}
	}
	r := &reader{}
	o := r.object("", root, "schema", "note", "categories", "category_aliases", "target_groups", "conditional_conflicts", "traits")
	if s := r.text("schema", o["schema"], MaxName); s != Schema {
		r.fault("schema", "should be %q", Schema)
		return f, r.faults
	}
	f.Note = r.text("note", o["note"], MaxText)
	f.Categories = r.names("categories", o["categories"], MaxGroups)
	r.groups(f, o)
	list := r.list("traits", o["traits"], MaxTraits)
	if o["traits"] == nil {
		r.fault("traits", "is missing")
	}
	seen := map[string]bool{}
	for i, v := range list {
		r.trait = ""
		before := len(r.faults)
		e := r.entry(v)
		if e.Name == "" {
			r.trait = fmt.Sprintf("traits[%d]", i)
			for k := before; k < len(r.faults); k++ {
				r.faults[k].Trait = r.trait
			}
		}
		if fold := FoldKey(e.Name); e.Name != "" && seen[fold] {
			r.fault("name", "stands twice in the file")
		} else {
			seen[fold] = true
		}
		if len(r.faults) == before {
			f.Traits = append(f.Traits, e)
		}
		if len(r.faults) >= MaxFaults {
			break
		}
	}
	return f, r.faults[:min(len(r.faults), MaxFaults)]
}

// reader turns a tree into a File and notes what is wrong.
type reader struct {
	trait  string
	faults []Fault
}

func (r *reader) fault(place, format string, args ...any) {
	r.faults = append(r.faults, Fault{Code: invalid, Trait: r.trait, Place: place, Reason: fmt.Sprintf(format, args...)})
}

// object reads a map with known keys only.
func (r *reader) object(place string, v Value, keys ...string) map[string]*Value {
	if v.Kind != Map {
		r.fault(place, "should be an object, found %s", v.Kind)
		return nil
	}
	m := make(map[string]*Value, len(v.Fields))
	for i := range v.Fields {
		f := &v.Fields[i]
		if !slices.Contains(keys, f.Key) {
			r.fault(join(place, clip(f.Key)), "is not a key of this object")
			continue
		}
		m[f.Key] = &f.Value
	}
	return m
}

func join(place, key string) string {
	if place == "" {
		return key
	}
	return place + "." + key
}

// clip keeps what a file says short enough for a message.
func clip(s string) string {
	if utf8.RuneCountInString(s) <= 40 {
		return s
	}
	return string([]rune(s)[:39]) + "…"
}

func (r *reader) text(place string, v *Value, most int) string {
	if v == nil {
		return ""
	}
	if v.Kind != Text {
		r.fault(place, "should be a string, found %s", v.Kind)
		return ""
	}
	if n := utf8.RuneCountInString(v.Str); n > most {
		r.fault(place, "has %d characters, allowed are %d", n, most)
		return ""
	}
	return v.Str
}

func (r *reader) flag(place string, v *Value) bool {
	if v == nil {
		return false
	}
	if v.Kind != Bool {
		r.fault(place, "should be true or false, found %s", v.Kind)
	}
	return v.Bool
}

func (r *reader) number(place string, v *Value) *float64 {
	if v == nil {
		return nil
	}
	if v.Kind != Number {
		r.fault(place, "should be a number, found %s", v.Kind)
		return nil
	}
	return &v.Num
}

func (r *reader) list(place string, v *Value, most int) []Value {
	if v == nil {
		return nil
	}
	if v.Kind != List {
		r.fault(place, "should be a list, found %s", v.Kind)
		return nil
	}
	if len(v.List) > most {
		r.fault(place, "has %d elements, allowed are %d", len(v.List), most)
		return nil
	}
	return v.List
}

// names reads a list of different names.
func (r *reader) names(place string, v *Value, most int) []string {
	list := r.list(place, v, most)
	out := make([]string, 0, len(list))
	for i := range list {
		at := fmt.Sprintf("%s[%d]", place, i)
		s := r.text(at, &list[i], MaxName)
		if list[i].Kind == Text && !isSlug(s) {
			r.fault(at, "'%s' is not a name", clip(s))
			continue
		}
		if slices.Contains(out, s) {
			r.fault(at, "'%s' stands twice", s)
			continue
		}
		out = append(out, s)
	}
	return out
}

// isSlug says whether s is a name of a category, a target or a trait: letters,
// digits, and . : _ - between them; or a lone *.
func isSlug(s string) bool {
	if s == "*" {
		return true
	}
	if s == "" || len(s) > MaxName {
		return false
	}
	for i := range len(s) {
		c := s[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
		if !letter && (i == 0 || i == len(s)-1 || c != '-' && c != '.' && c != ':') {
			return false
		}
	}
	return true
}

// IsName says whether s can name a trait: words of letters, digits and '_',
// joined by '.' or ':', at most MaxName bytes.
func IsName(s string) bool {
	if s == "" || len(s) > MaxName {
		return false
	}
	for part := range strings.FieldsFuncSeq(strings.ReplaceAll(s, ":", "."), func(r rune) bool { return r == '.' }) {
		if strings.Trim(part, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != "" {
			return false
		}
	}
	dotted := "." + strings.ReplaceAll(s, ":", ".") + "."
	return !strings.Contains(dotted, "..")
}

func (r *reader) groups(f *File, o map[string]*Value) {
	if v := o["category_aliases"]; v != nil {
		f.CategoryAliases = map[string]string{}
		for _, a := range r.fields("category_aliases", *v) {
			place := "category_aliases." + clip(a.Key)
			slug := r.text(place, &a.Value, MaxName)
			if !isSlug(a.Key) || !isSlug(slug) {
				r.fault(place, "is not a name for a category")
				continue
			}
			f.CategoryAliases[a.Key] = slug
		}
	}
	if v := o["target_groups"]; v != nil {
		f.TargetGroups = map[string][]string{}
		for _, g := range r.fields("target_groups", *v) {
			place := "target_groups." + clip(g.Key)
			if !isSlug(g.Key) {
				r.fault(place, "is not a name")
				continue
			}
			f.TargetGroups[g.Key] = r.names(place, &g.Value, MaxValues)
		}
	}
	for i, v := range r.list("conditional_conflicts", o["conditional_conflicts"], MaxGroups) {
		place := fmt.Sprintf("conditional_conflicts[%d]", i)
		before := len(r.faults)
		c := r.object(place, v, "traits", "when")
		pair := r.names(place+".traits", c["traits"], 2)
		if len(pair) != 2 {
			r.fault(place+".traits", "should name two traits")
		}
		if c["when"] == nil {
			r.fault(place+".when", "is missing")
		}
		if len(r.faults) > before {
			continue
		}
		w := r.object(place+".when", *c["when"], "trait", "param", "equals")
		cond := Conditional{Traits: [2]string{pair[0], pair[1]}}
		cond.When.Trait, cond.When.Param = r.text(place+".when.trait", w["trait"], MaxName), r.text(place+".when.param", w["param"], MaxName)
		if w["equals"] == nil || w["trait"] == nil || w["param"] == nil {
			r.fault(place+".when", "needs trait, param and equals")
			continue
		}
		cond.When.Equals = *w["equals"]
		if !slices.Contains(pair, cond.When.Trait) {
			r.fault(place+".when.trait", "should be one of the pair")
		}
		if len(r.faults) == before {
			f.ConditionalConflicts = append(f.ConditionalConflicts, cond)
		}
	}
}

func (r *reader) fields(place string, v Value) []Field {
	if v.Kind != Map {
		r.fault(place, "should be an object, found %s", v.Kind)
		return nil
	}
	if len(v.Fields) > MaxGroups {
		r.fault(place, "has %d members, allowed are %d", len(v.Fields), MaxGroups)
		return nil
	}
	return v.Fields
}

var entryKeys = []string{
	"name", "kind", "category", "summary", "open", "merge", "extends", "params", "events", "lowers", "requires", "conflicts", "goals",
}

func (r *reader) entry(v Value) Entry {
	for _, f := range v.Fields {
		if f.Key == "name" && f.Value.Kind == Text && IsName(f.Value.Str) {
			r.trait = f.Value.Str // whose fault it is
		}
	}
	o := r.object("", v, entryKeys...)
	if o == nil {
		return Entry{}
	}
	e := Entry{Name: r.text("name", o["name"], MaxName), Params: []Param{}}
	if e.Name != "" && !IsName(e.Name) {
		r.fault("name", "'%s' is not a name", clip(e.Name))
		e.Name = ""
	}
	for _, key := range []string{"name", "kind", "category", "summary", "params", "requires", "conflicts", "goals"} {
		if o[key] == nil {
			r.fault(key, "is missing")
		}
	}
	e.Kind = r.text("kind", o["kind"], MaxName)
	e.Category = r.text("category", o["category"], MaxName)
	e.Summary = r.text("summary", o["summary"], MaxSummary)
	e.Open = r.flag("open", o["open"])
	if o["merge"] != nil {
		merge := r.flag("merge", o["merge"])
		e.Merge = &merge
	}
	e.Extends = r.text("extends", o["extends"], MaxName)
	for i, v := range r.list("params", o["params"], MaxParams) {
		e.Params = append(e.Params, r.param(fmt.Sprintf("params[%d]", i), v))
	}
	e.Events = r.names("events", o["events"], MaxValues)
	for _, name := range r.names("lowers", o["lowers"], len(Capabilities)) {
		e.Lowers = append(e.Lowers, Capability(name))
	}
	e.Requires = [][]string{}
	for i, v := range r.list("requires", o["requires"], MaxValues) {
		e.Requires = append(e.Requires, r.names(fmt.Sprintf("requires[%d]", i), &v, MaxValues))
	}
	e.Conflicts = r.names("conflicts", o["conflicts"], MaxValues)
	if o["goals"] != nil {
		g := r.object("goals", *o["goals"], "full", "partial")
		e.Goals.Full, e.Goals.Partial = r.names("goals.full", g["full"], MaxValues), r.names("goals.partial", g["partial"], MaxValues)
	}
	r.faults = append(r.faults, e.judge()...)
	return e
}

func (r *reader) param(place string, v Value) Param {
	o := r.object(place, v, "name", "aliases", "type", "values", "positional", "required", "default", "min", "max", "unit", "doc")
	p := Param{
		Name: r.text(place+".name", o["name"], MaxName), Required: r.flag(place+".required", o["required"]), Default: o["default"],
		Min: r.number(place+".min", o["min"]), Max: r.number(place+".max", o["max"]),
		Unit: r.text(place+".unit", o["unit"], MaxName), Doc: r.text(place+".doc", o["doc"], MaxText),
		Values: r.list(place+".values", o["values"], MaxValues), Aliases: r.names(place+".aliases", o["aliases"], MaxValues),
	}
	if o["type"] != nil {
		t, err := ParseType(r.text(place+".type", o["type"], MaxName))
		if err != nil {
			r.fault(place+".type", "%v", err)
		}
		p.Type = t
	}
	if v := o["positional"]; v != nil {
		var at Place
		switch {
		case v.Kind == Text && v.Str == "rest":
			at = Rest
		case v.Kind == Number && v.Num >= 0 && v.Num <= 3 && v.Num == math.Trunc(v.Num):
			at = Place(v.Num)
		default:
			r.fault(place+".positional", "should be 0 to 3 or rest")
		}
		p.Positional = &at
	}
	return p
}

// sortedKeys are the keys of m in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
