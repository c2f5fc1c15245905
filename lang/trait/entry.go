package trait

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/diag"
)

// Schema is the mark of a trait file.
const Schema = "trait-catalogue/1"

// The kinds of entries. A directive belongs to the file or to control flow, a
// trait to the node it stands on.
const (
	KindTrait     = "trait"
	KindDirective = "directive"
)

// Capability is a part of the scene model that a core trait lowers to.
type Capability string

// Capabilities lists every capability in the order of the model.
var Capabilities = []Capability{
	"nodes", "geometry", "material", "light", "environment", "post", "camera", "animation", "physics", "joint", "audio", "particles",
	"ui", "events", "script", "machine", "agent", "network", "xr", "twin", "robot", "service", "pipeline",
}

// Entry is one trait or directive of a registry. Entries that a Registry
// returns are shared: do not change them.
type Entry struct {
	Name      string       `json:"name"`
	Kind      string       `json:"kind"`
	Category  string       `json:"category"`
	Summary   string       `json:"summary"`
	Open      bool         `json:"open,omitempty"`    // takes parameters it does not list
	Merge     *bool        `json:"merge,omitempty"`   // repeats on one node merge; nil: see Merges
	Extends   string       `json:"extends,omitempty"` // the definition it inherits from
	Params    []Param      `json:"params"`
	Events    []string     `json:"events,omitempty"`
	Lowers    []Capability `json:"lowers,omitempty"`
	Requires  [][]string   `json:"requires"` // each inner list needs one member on the same node
	Conflicts []string     `json:"conflicts"`
	Goals     Goals        `json:"goals"`
}

// Goals are the targets where support is wanted: target ids, group names or *.
// They are wishes and say nothing about what a target does.
type Goals struct {
	Full    []string `json:"full"`
	Partial []string `json:"partial"`
}

// Param is a parameter of a trait.
type Param struct {
	Name       string   `json:"name"`
	Aliases    []string `json:"aliases,omitempty"`
	Type       Type     `json:"type"`
	Values     []Value  `json:"values,omitempty"`     // of an enum
	Positional *Place   `json:"positional,omitempty"` // where an argument without a name goes
	Required   bool     `json:"required,omitempty"`
	Default    *Value   `json:"default,omitempty"`
	Min        *float64 `json:"min,omitempty"` // inclusive, in Unit
	Max        *float64 `json:"max,omitempty"` // inclusive, in Unit
	Unit       string   `json:"unit,omitempty"`
	Doc        string   `json:"doc,omitempty"`
}

// Place is a position among the arguments: 0 to 3, or Rest for all that are left.
type Place int8

// Rest takes every argument without a name that no other parameter takes.
const Rest Place = -1

// MarshalJSON writes the number, or "rest".
func (p Place) MarshalJSON() ([]byte, error) {
	if p == Rest {
		return []byte(`"rest"`), nil
	}
	return json.Marshal(int8(p))
}

// MarshalText writes the spelling of the catalogue.
func (t Type) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Core says whether the trait becomes a capability of the scene model. All
// others are data: checked, kept and listed as one loss per name.
func (e *Entry) Core() bool { return len(e.Lowers) > 0 }

// metadata are the directives whose repeats merge unless the entry says otherwise.
var metadata = []string{"author", "config", "manifest", "meta", "metadata", "tags", "version"}

// Merges says whether repeats on one node merge into one use; otherwise they
// form a list.
func (e *Entry) Merges() bool {
	if e.Merge != nil {
		return *e.Merge
	}
	return e.Kind == KindDirective && slices.Contains(metadata, e.Name)
}

// Param finds a parameter by its name or an alias, in camelCase or snake_case.
func (e *Entry) Param(name string) (*Param, bool) {
	fold := FoldKey(name)
	for i := range e.Params {
		p := &e.Params[i]
		if FoldKey(p.Name) == fold {
			return p, true
		}
	}
	for i := range e.Params {
		p := &e.Params[i]
		if slices.ContainsFunc(p.Aliases, func(a string) bool { return FoldKey(a) == fold }) {
			return p, true
		}
	}
	return nil, false
}

// Place finds the parameter of the argument that stands at position i among
// those without a name.
func (e *Entry) Place(i int) (*Param, bool) {
	var rest *Param
	for k := range e.Params {
		p := &e.Params[k]
		if p.Positional == nil {
			continue
		}
		if *p.Positional == Rest {
			rest = p
		} else if int(*p.Positional) == i {
			return p, true
		}
	}
	return rest, rest != nil
}

// Example is a use of the trait as a source writes it: what it requires and up
// to two more parameters at their defaults.
func (e *Entry) Example() string {
	var args []string
	extra := 0
	for i := range e.Params {
		p := &e.Params[i]
		v, ok := p.sample()
		switch {
		case p.Required && p.Positional != nil:
			args = append(args, v.Source())
		case p.Required:
			args = append(args, p.Name+": "+v.Source())
		case ok && p.Default != nil && extra < 2:
			args = append(args, p.Name+": "+v.Source())
			extra++
		}
	}
	if len(args) == 0 {
		return "@" + e.Name
	}
	return "@" + e.Name + "(" + strings.Join(args, ", ") + ")"
}

// sample is a value that fits the parameter: its default, or a plain one of its type.
func (p *Param) sample() (Value, bool) {
	if p.Default != nil {
		return *p.Default, true
	}
	if len(p.Values) > 0 {
		return p.Values[0], true
	}
	v := plain(p.Type)
	if v.Kind == Number {
		if p.Min != nil {
			v.Num = max(v.Num, *p.Min)
		}
		if p.Max != nil {
			v.Num = min(v.Num, *p.Max)
		}
	}
	return v, false
}

func plain(t Type) Value {
	if len(t) == 0 {
		return Value{Kind: Text, Str: "…"}
	}
	one := Value{Kind: Number, Num: 1}
	switch t[0].Base {
	case TypeNumber, TypeInteger, TypeDuration, TypeLength, TypeAngle:
		return one
	case TypeBoolean:
		return Value{Kind: Bool, Bool: true}
	case TypeColor:
		return Value{Kind: Text, Str: "#ffffff"}
	case TypeVec2:
		return Value{Kind: List, List: []Value{one, one}}
	case TypeVec3:
		return Value{Kind: List, List: []Value{one, one, one}}
	case TypeVec4, TypeQuat:
		return Value{Kind: List, List: []Value{one, one, one, one}}
	case TypeList:
		if t[0].Elem == nil {
			return Value{Kind: List}
		}
		return Value{Kind: List, List: []Value{plain(t[0].Elem)}}
	case TypeMap, TypeObject:
		return Value{Kind: Map}
	case TypeExpression, TypeName, TypeHandler:
		return Value{Kind: Word, Str: "x"}
	case TypeAsset:
		return Value{Kind: Text, Str: "model.glb"}
	default:
		return Value{Kind: Text, Str: "…"}
	}
}

// FoldKey is the one spelling of a key: camelCase becomes snake_case, and '-'
// becomes '_'. Two keys are the same when their folds are.
func FoldKey(s string) string {
	plain := true
	for i := 0; i < len(s) && plain; i++ {
		plain = s[i] != '-' && (s[i] < 'A' || s[i] > 'Z')
	}
	if plain {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		switch {
		case c == '-':
			b.WriteByte('_')
		case c >= 'A' && c <= 'Z':
			small := func(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }
			big := func(c byte) bool { return c >= 'A' && c <= 'Z' }
			if i > 0 && (small(s[i-1]) || big(s[i-1]) && i+1 < len(s) && s[i+1] >= 'a' && s[i+1] <= 'z') {
				b.WriteByte('_')
			}
			b.WriteByte(c + 'a' - 'A')
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// File is the content of a trait file.
type File struct {
	Schema               string              `json:"schema"`
	Note                 string              `json:"note,omitempty"`
	Categories           []string            `json:"categories,omitempty"`
	CategoryAliases      map[string]string   `json:"category_aliases,omitempty"`
	TargetGroups         map[string][]string `json:"target_groups,omitempty"`
	ConditionalConflicts []Conditional       `json:"conditional_conflicts,omitempty"`
	Traits               []Entry             `json:"traits"`
}

// Conditional is a pair of traits that exclude each other while a parameter of
// one of them has a certain value.
type Conditional struct {
	Traits [2]string `json:"traits"`
	When   When      `json:"when"`
}

// When is the condition of a Conditional.
type When struct {
	Trait  string `json:"trait"`
	Param  string `json:"param"`
	Equals Value  `json:"equals"`
}

// Fault says why a part of a trait file, or a definition in a source, is
// refused. Code is TRT010, TRT011 (a cycle of extends) or LIM010 (a chain of
// extends that is too long).
type Fault struct {
	Code   diag.Code
	Trait  string // empty when the file as a whole is at fault
	Place  string // such as params[2].min; empty for the whole
	Reason string // for TRT011 the cycle
}

// Slots are those of the code's message.
func (f Fault) Slots() []string {
	switch f.Code {
	case diag.Code("TRT011"):
		return []string{f.Reason}
	case diag.Code("LIM010"):
		return []string{"the number of definitions that extend each other", f.Reason, "32"}
	}
	name, reason := f.Trait, f.Reason
	if name == "" {
		name = "file"
	}
	if f.Place != "" {
		reason = f.Place + ": " + reason
	}
	return []string{name, reason}
}

// Message is the sentence of the diagnostic.
func (f Fault) Message() string { return diag.Message(f.Code, f.Slots()...) }
