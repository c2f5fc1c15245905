package trait

import (
	"slices"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/diag"
)

// Use is one use of a trait: its name without the @ and its arguments in the
// order of the source.
type Use struct {
	Name string
	Args []Arg
}

// Arg is an argument; Key is empty for one without a name. A Spread argument
// may be anything.
type Arg struct {
	Key    string
	Value  Value
	Spread bool
}

// Remedy says what a quick fix for a finding does. Text of the finding is the
// text it puts in.
type Remedy uint8

// The remedies.
const (
	NoRemedy     Remedy = iota
	ReplaceName         // Text is the trait's right name, with its @
	ReplaceKey          // Text is the parameter's right name
	ReplaceValue        // Text is the right value as source; for a list the finding's Item says which element
	InsertParam         // Text is "name: value"
	RemoveTrait         // remove this trait or Other
	AddTrait            // Text is a trait to add, with its @
	MergeTraits         // move the arguments of this use to Other and remove it
)

// Finding is what Check or CheckNode has to say. It knows no places: Use and
// Arg are indices into what was checked.
type Finding struct {
	Code       diag.Code
	Severity   diag.Severity
	Slots      []string // of the message
	Use        int      // index of the use (CheckNode)
	Other      int      // index of the second use that plays a part; -1 for none
	Arg        int      // index of the argument; -1 for the use as a whole
	Item       int      // element of a list argument; -1 for the argument as a whole
	Suggestion string   // the nearest name, as a source writes it
	Remedy     Remedy
	Text       string
}

// Message is the sentence of the diagnostic.
func (f Finding) Message() string { return diag.Message(f.Code, f.Slots...) }

func hint(near string) string { return " Did you mean '" + near + "'?" }

// Check judges a use by itself: the name, the parameters, their types, ranges
// and values, and what is missing. The findings are in the order of the
// arguments, those of the whole use last. Time is linear in the size of the
// values.
func (r *Registry) Check(u Use) []Finding {
	e, ok := r.byName[u.Name]
	if !ok {
		return complete([]Finding{r.unknown(u.Name)})
	}
	var out []Finding
	given := make(map[string]bool, len(u.Args))
	place, spread := 0, false
	for i, a := range u.Args {
		if a.Spread {
			spread = true
			continue
		}
		p, ok := e.Param(a.Key)
		if a.Key == "" {
			p, ok = e.Place(place)
			place++
		}
		if !ok {
			if f, say := e.noParam(a, i); say {
				out = append(out, f)
			}
			continue
		}
		given[p.Name] = true
		out = append(out, r.argument(e, p, a, i)...)
	}
	for i := range e.Params {
		p := &e.Params[i]
		if p.Required && !given[p.Name] && !spread {
			v, _ := p.sample()
			out = append(out, Finding{Code: "TRT005", Severity: diag.Warning, Slots: []string{e.Name, p.Name}, Arg: -1, Item: -1, Remedy: InsertParam, Text: p.Name + ": " + v.Source()})
		}
	}
	return complete(out)
}

// argument judges one argument of a known parameter.
func (r *Registry) argument(e *Entry, p *Param, a Arg, i int) []Finding {
	v := a.Value
	if p.Positional != nil && *p.Positional == Rest && a.Key == "" {
		// Each argument is an element of the list.
		one := *p
		for _, t := range p.Type {
			if t.Elem != nil {
				one.Type, one.Default = t.Elem, nil
			}
		}
		p = &one
	}
	found := p.check(e.Name, &v)
	for k := range found {
		found[k].Arg = i
	}
	if e.Name == "platform" && len(found) == 0 {
		found = platformArgument(v, i)
	}
	return found
}

func platformArgument(v Value, i int) []Finding {
	if v.Kind == Text || v.Kind == Word {
		fs := checkPlatform(v.Str, i)
		for k := range fs {
			fs[k].Item = -1
			if v.Kind == Text && fs[k].Text != "" {
				fs[k].Text = quote(fs[k].Text)
			}
		}
		return fs
	}
	var out []Finding
	for k, e := range v.List {
		for _, f := range platformArgument(e, i) {
			f.Item = k
			out = append(out, f)
		}
	}
	return out
}

// complete fills the indices that stay unset with -1 for Check.
func complete(fs []Finding) []Finding {
	for i := range fs {
		fs[i].Other = -1
	}
	return fs
}

func (r *Registry) unknown(name string) Finding {
	f := Finding{Code: unknownTrait, Severity: diag.Warning, Slots: []string{name, ""}, Arg: -1, Item: -1}
	if near, ok := r.Nearest(name); ok {
		f.Slots[1], f.Suggestion, f.Remedy, f.Text = hint("@"+near), "@"+near, ReplaceName, "@"+near
	}
	return f
}

// noParam reports an argument that no parameter takes. An open trait takes
// everything.
func (e *Entry) noParam(a Arg, i int) (Finding, bool) {
	if e.Open {
		return Finding{}, false
	}
	f := Finding{Code: "TRT002", Severity: diag.Info, Slots: []string{e.Name, a.Key, ""}, Arg: i, Item: -1}
	if a.Key == "" {
		f.Slots[1] = a.Value.Source()
		return f, true
	}
	names := make([]string, len(e.Params))
	for k := range e.Params {
		names[k] = e.Params[k].Name
	}
	if near, ok := Nearest(a.Key, names); ok {
		f.Severity = diag.Warning
		f.Slots[2], f.Suggestion, f.Remedy, f.Text = hint(near), near, ReplaceKey, near
	}
	return f, true
}

// check judges a value against the parameter.
func (p *Param) check(trait string, v *Value) []Finding {
	worst := p.checkTerm(trait, v, p.Type[0])
	if len(worst) == 0 {
		return nil
	}
	right := slices.ContainsFunc(p.Type[:1], func(t Term) bool { return shape(t, v) })
	for _, t := range p.Type[1:] {
		found := p.checkTerm(trait, v, t)
		if len(found) == 0 {
			return nil
		}
		if !right && shape(t, v) {
			worst, right = found, true // report on the alternative that was meant
		}
	}
	if !right {
		return []Finding{p.mistyped(trait, v)}
	}
	return worst
}

// shape says whether a value is of the sort a term takes, its content aside.
func shape(t Term, v *Value) bool {
	text := v.Kind == Text || v.Kind == Word
	switch t.Base {
	case TypeNumber, TypeInteger, TypeDuration, TypeLength, TypeAngle:
		return v.Kind == Number
	case TypeString, TypeAsset, TypeName:
		return text
	case TypeEnum:
		return text || v.Kind == Number || v.Kind == Bool
	case TypeBoolean:
		return v.Kind == Bool
	case TypeColor:
		return text || v.Kind == Color
	case TypeVec2, TypeVec3, TypeVec4, TypeQuat:
		return v.Kind == List || v.Kind == Map
	case TypeList:
		return v.Kind == List
	case TypeMap, TypeObject:
		return v.Kind == Map
	case TypeHandler:
		return v.Kind == Handler || v.Kind == Word
	default:
		return true
	}
}

// checkTerm judges a value against one alternative of the type.
func (p *Param) checkTerm(trait string, v *Value, t Term) []Finding {
	if v.Kind == Unknown {
		return nil
	}
	if !shape(t, v) {
		return []Finding{p.mistyped(trait, v)}
	}
	switch t.Base {
	case TypeNumber, TypeInteger, TypeDuration, TypeLength, TypeAngle:
		return p.checkNumber(trait, v, t)
	case TypeEnum:
		return p.checkEnum(v)
	case TypeColor:
		if !IsColor(v.Str) {
			return []Finding{badColor(v)}
		}
	case TypeVec2:
		return p.checkVector(trait, v, 2, 2)
	case TypeVec3:
		return p.checkVector(trait, v, 3, 3)
	case TypeVec4:
		return p.checkVector(trait, v, 4, 4)
	case TypeQuat:
		return p.checkVector(trait, v, 3, 4)
	case TypeList:
		if t.Elem == nil {
			return nil
		}
		elem := *p
		elem.Type, elem.Default = t.Elem, nil
		var out []Finding
		for i := range v.List {
			for _, f := range elem.check(trait, &v.List[i]) {
				f.Item = i
				out = append(out, f)
			}
		}
		return out
	}
	return nil
}

func badColor(v *Value) Finding {
	f := Finding{Code: "TYP005", Severity: diag.Warning, Slots: []string{v.Str}, Arg: -1, Item: -1}
	if near, ok := Nearest(v.Str, colorNames); ok && !strings.HasPrefix(v.Str, "#") {
		f.Suggestion, f.Remedy, f.Text = near, ReplaceValue, quote(near)
	}
	return f
}

func (p *Param) checkNumber(trait string, v *Value, t Term) []Finding {
	unit := p.Unit
	switch {
	case unit != "":
	case t.Base == TypeDuration:
		unit = "s"
	case t.Base == TypeLength:
		unit = "m"
	case t.Base == TypeAngle:
		unit = "deg"
	}
	n, ok := Convert(v.Num, v.Unit, unit)
	if !ok {
		if _, known := Dimension(v.Unit); !known && v.Unit != "" && unit == "" {
			return nil // a symbolic unit such as px on a plain number
		}
		return []Finding{p.mistyped(trait, v)}
	}
	if t.Base == TypeInteger && n != float64(int64(n)) {
		return []Finding{p.mistyped(trait, v)}
	}
	if (p.Min == nil || n >= *p.Min) && (p.Max == nil || n <= *p.Max) {
		return nil
	}
	low, high, clamped := "minus infinity", "infinity", n
	if p.Min != nil {
		low, clamped = formatNumber(*p.Min)+spaced(p.Unit), max(clamped, *p.Min)
	}
	if p.Max != nil {
		high, clamped = formatNumber(*p.Max)+spaced(p.Unit), min(clamped, *p.Max)
	}
	return []Finding{{
		Code: "TRT004", Severity: diag.Warning, Slots: []string{p.Name, trait, low, high}, Arg: -1, Item: -1,
		Remedy: ReplaceValue, Text: formatNumber(clamped),
	}}
}

func spaced(unit string) string {
	if unit == "" {
		return ""
	}
	return " " + unit
}

func (p *Param) checkEnum(v *Value) []Finding {
	same := func(w Value) bool {
		if v.Kind == Word {
			return w.Kind == Text && w.Str == v.Str
		}
		return w.Equal(*v)
	}
	if slices.ContainsFunc(p.Values, same) {
		return nil
	}
	var names, list []string
	for _, w := range p.Values {
		if w.Kind == Text {
			names = append(names, w.Str)
			list = append(list, w.Str)
		} else {
			list = append(list, w.Source())
		}
	}
	said := v.Str
	if v.Kind == Number || v.Kind == Bool {
		said = v.Source()
	}
	f := Finding{Code: "TRT009", Severity: diag.Warning, Slots: []string{said, p.Name, strings.Join(list, ", ")}, Arg: -1, Item: -1}
	if near, ok := Nearest(said, names); ok {
		f.Suggestion, f.Remedy, f.Text = near, ReplaceValue, quote(near)
	}
	return []Finding{f}
}

// checkVector takes [x, y, z] and { x y z }; components that are left out are
// filled in by the model.
func (p *Param) checkVector(trait string, v *Value, least, most int) []Finding {
	bad := func() []Finding { return []Finding{p.mistyped(trait, v)} }
	unit := p.Unit
	if unit == "" {
		unit = map[string]string{"position": "m", "rotation": "deg"}[p.Name]
	}
	number := func(w Value) bool {
		_, ok := Convert(w.Num, w.Unit, unit)
		return w.Kind == Unknown || w.Kind == Number && ok
	}
	if v.Kind == Map {
		for _, f := range v.Fields {
			i := strings.Index("xyzw", f.Key)
			if len(f.Key) != 1 || i < 0 || i >= most || !number(f.Value) {
				return bad()
			}
		}
		return nil
	}
	if len(v.List) == 0 || len(v.List) > most || least == 3 && most == 4 && len(v.List) < 3 {
		return bad()
	}
	for _, w := range v.List {
		if !number(w) {
			return bad()
		}
	}
	return nil
}

// mistyped reports a value of the wrong type, with a conversion that loses nothing.
func (p *Param) mistyped(trait string, v *Value) Finding {
	want := strings.ReplaceAll(p.Type.String(), "|", " or ")
	if p.Unit != "" {
		want += " in " + p.Unit
	}
	found := v.Kind.String()
	if dim, ok := Dimension(v.Unit); v.Kind == Number && ok {
		found = dim
	} else if v.Kind == Number && v.Unit != "" {
		found = "number in " + clip(v.Unit)
	} else if v.Kind == Number && p.Type.Has(TypeInteger) {
		found = formatNumber(v.Num)
	}
	f := Finding{Code: "TRT003", Severity: diag.Warning, Slots: []string{p.Name, trait, want, found}, Arg: -1, Item: -1}
	if text, ok := p.convert(v); ok {
		f.Remedy, f.Text = ReplaceValue, text
	}
	return f
}

// convert spells a value in the parameter's type when that loses nothing and
// the result would pass.
func (p *Param) convert(v *Value) (string, bool) {
	for _, t := range p.Type {
		var w Value
		switch {
		case v.Kind == Text && (t.Base == TypeNumber || t.Base == TypeInteger):
			n, err := strconv.ParseFloat(v.Str, 64)
			if err != nil || formatNumber(n) != v.Str {
				continue
			}
			w = Value{Kind: Number, Num: n}
		case (v.Kind == Text || v.Kind == Word) && t.Base == TypeBoolean && (v.Str == "true" || v.Str == "false"):
			w = Value{Kind: Bool, Bool: v.Str == "true"}
		case (v.Kind == Number && v.Unit == "" || v.Kind == Bool) && t.Base == TypeString:
			w = Value{Kind: Text, Str: v.Source()}
		case t.Base == TypeList && t.Elem != nil && v.Kind != List && v.Kind != Map && v.Kind != Null:
			w = Value{Kind: List, List: []Value{*v}}
		default:
			continue
		}
		if len(p.checkTerm("", &w, t)) == 0 {
			return w.Source(), true
		}
	}
	return "", false
}
