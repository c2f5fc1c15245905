package trait

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/meshd/meshd/lang/diag"
)

// judge says what is wrong with an entry by itself, whether it came from a file
// or from a source. Names it refers to are looked up by the registry.
func (e *Entry) judge() []Fault {
	var out []Fault
	fault := func(place, format string, args ...any) {
		out = append(out, Fault{Code: invalid, Trait: e.Name, Place: place, Reason: fmt.Sprintf(format, args...)})
	}
	if !IsName(e.Name) {
		fault("name", "'%s' is not a name", clip(e.Name))
	}
	if e.Kind != KindTrait && e.Kind != KindDirective {
		fault("kind", "should be trait or directive")
	}
	if n := utf8.RuneCountInString(e.Summary); n > MaxSummary {
		fault("summary", "has %d characters, allowed are %d", n, MaxSummary)
	}
	if e.Category != "" && !isSlug(e.Category) {
		fault("category", "'%s' is not a name", clip(e.Category))
	}
	for _, c := range e.Lowers {
		if !slices.Contains(Capabilities, c) {
			fault("lowers", "'%s' is not a capability", clip(string(c)))
		}
	}
	for i, list := range e.Requires {
		if len(list) == 0 {
			fault(fmt.Sprintf("requires[%d]", i), "is empty")
		}
		if slices.Contains(list, e.Name) {
			fault(fmt.Sprintf("requires[%d]", i), "names the trait itself")
		}
	}
	if slices.Contains(e.Conflicts, e.Name) {
		fault("conflicts", "names the trait itself")
	}
	if len(e.Params) > MaxParams {
		fault("params", "has %d elements, allowed are %d", len(e.Params), MaxParams)
	}
	spelled := map[string]string{}
	places := map[Place]string{}
	for i := range e.Params {
		p := &e.Params[i]
		at := fmt.Sprintf("params[%d]", i)
		out = append(out, p.judge(e.Name, at)...)
		for _, name := range append([]string{p.Name}, p.Aliases...) {
			if other, taken := spelled[FoldKey(name)]; taken {
				fault(at, "'%s' spells the same key as '%s'", name, other)
			}
			spelled[FoldKey(name)] = name
		}
		if p.Positional == nil {
			continue
		}
		if other, taken := places[*p.Positional]; taken {
			fault(at+".positional", "'%s' has this place already", other)
		}
		places[*p.Positional] = p.Name
	}
	return out
}

func (p *Param) judge(trait, at string) []Fault {
	var out []Fault
	fault := func(place, format string, args ...any) {
		out = append(out, Fault{Code: invalid, Trait: trait, Place: at + place, Reason: fmt.Sprintf(format, args...)})
	}
	if !IsName(p.Name) {
		fault(".name", "'%s' is not a name", clip(p.Name))
	}
	if len(p.Type) == 0 {
		fault(".type", "is missing")
		return out
	}
	if p.Type.Has(TypeEnum) != (len(p.Values) > 0) {
		fault(".values", "belong to an enum, and an enum needs them")
	}
	for i, v := range p.Values {
		if v.Kind != Text && v.Kind != Number && v.Kind != Bool {
			fault(fmt.Sprintf(".values[%d]", i), "should be a string, a number or a boolean")
		}
		if slices.ContainsFunc(p.Values[:i], v.Equal) {
			fault(fmt.Sprintf(".values[%d]", i), "stands twice")
		}
	}
	if (p.Min != nil || p.Max != nil) && !p.Type.measured() {
		fault(".min", "a range needs a type that takes numbers")
	}
	if p.Min != nil && p.Max != nil && *p.Min > *p.Max {
		fault(".min", "is above the maximum")
	}
	if p.Unit != "" && !p.Type.measured() {
		fault(".unit", "a unit needs a type that takes numbers")
	}
	if _, known := lookUnit(p.Unit); p.Unit != "" && !known {
		fault(".unit", "'%s' is not a unit", clip(p.Unit))
	}
	if p.Positional != nil && (*p.Positional < Rest || *p.Positional > 3) {
		fault(".positional", "should be 0 to 3 or rest")
	}
	if p.Default == nil || len(out) > 0 {
		return out
	}
	// A default that the checker would complain about is a mistake of the catalogue.
	for _, f := range p.check(trait, p.Default) {
		if f.Severity <= diag.Warning {
			fault(".default", "%s", strings.TrimSuffix(f.Message(), "."))
		}
	}
	return out
}
