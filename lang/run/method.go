package run

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/meshd/meshd/lang/run/table"
)

// changing are the built-ins that change a list, and light those that touch a place or
// two of it, however long it is.
var (
	changing = table.ListMethods(func(m table.Method) bool { return m.Changes })
	light    = table.ListMethods(func(m table.Method) bool { return m.Light })
)

// method calls a built-in of a value, or a function in it.
func (m *Machine) method(x Value, name string, a []Value) (Value, *Fault) {
	switch x := x.(type) {
	case *List:
		if !light[name] {
			m.charge(len(x.Items) / ChargeElements)
		}
		return m.listMethod(x, name, a)
	case string:
		m.charge(len(x) / ChargeBytes)
		return m.textMethod(x, name, a)
	case *Object:
		if c, ok := x.Values[name].(*Closure); ok {
			return m.invoke(c, a...)
		}
		return m.objectMethod(x, name, a)
	case float64:
		switch name {
		case "toFixed", "to_fixed":
			n, f := numbers(a, 1)
			return fixed(x, n[0]), f
		case "toString", "to_string":
			return FormatNumber(x), nil
		}
	case Node:
		return m.nodeMethod(x, name, a)
	case stateOf:
		v, f := m.member(x, name)
		if f != nil {
			return nil, f
		}
		return m.invoke(v, a...)
	case nil:
		return nil, fault(FaultKind, "null has no method '%s'", clip(name))
	}
	return nil, fault(FaultKind, "%s has no method '%s'", typeName(x), clip(name))
}

// fixed prints a number with so many digits behind the point.
func fixed(x, digits float64) string {
	d := whole(digits, 0, 20)
	if math.IsNaN(x) || math.Abs(x) >= 1e21 {
		return FormatNumber(x)
	}
	if x == 0 {
		x = 0 // without its sign
	}
	if tie := math.Ldexp(math.Abs(x), d+1); tie == math.Trunc(tie) && math.Mod(tie, 2) == 1 {
		x = math.Copysign(math.Nextafter(math.Abs(x), math.Inf(1)), x) // halves go away from zero, as in ECMAScript
	}
	return strconv.FormatFloat(x, 'f', d, 64)
}

// bound is an index counted from the front, or from the back when below 0,
// within 0 and n.
func bound(v Value, n int, otherwise int) int {
	f, ok := v.(float64)
	if !ok || math.IsNaN(f) {
		return otherwise
	}
	if f < 0 {
		f += float64(n)
	}
	return int(math.Max(0, math.Min(float64(n), math.Trunc(f))))
}

func at(a []Value, i int) Value {
	if i < len(a) {
		return a[i]
	}
	return nil
}

func (m *Machine) objectMethod(o *Object, name string, a []Value) (Value, *Fault) {
	var out []Value
	switch name {
	case "keys":
		for _, k := range o.Keys {
			out = append(out, k)
		}
		return m.list(out)
	case "values":
		for _, k := range o.Keys {
			out = append(out, o.Values[k])
		}
		return m.list(out)
	case "entries":
		for _, k := range o.Keys {
			out = append(out, &List{Items: []Value{k, o.Values[k]}})
		}
		return m.list(out)
	case "has", "contains", "hasOwnProperty":
		_, there := o.Values[m.printed(first(a))]
		return there, nil
	case "get":
		return o.Values[m.printed(first(a))], nil
	case "set":
		return nil, m.putMember(o, m.printed(first(a)), at(a, 1))
	case "delete", "remove":
		key := m.printed(first(a))
		m.charge(len(o.Keys) / ChargeElements)
		_, there := o.Values[key]
		m.touch(o)
		o.remove(key)
		return there, nil
	case "clear":
		m.touch(o)
		o.Keys, o.Values = nil, map[string]Value{}
		return nil, nil
	case "toString", "to_string":
		return m.text(m.printed(o))
	case "stop": // event.stop()
		m.stop = true
		return nil, nil
	}
	return nil, fault(FaultKind, "an object has no method '%s'", clip(name))
}

// nodeMethod calls a function of a node; emit raises an event there.
func (m *Machine) nodeMethod(n Node, name string, a []Value) (Value, *Fault) {
	if fn, ok := m.byName[slotKey{string(n), name}]; ok {
		return m.call(fn, a, nil)
	}
	switch name {
	case "emit":
		return nil, m.emit(string(n), m.printed(first(a)), at(a, 1))
	case "show", "hide":
		return nil, m.setProperty(string(n), "visible", name == "show")
	case "set_text":
		return nil, m.setProperty(string(n), "text", first(a))
	}
	v, f := m.nodeMember(string(n), name)
	if c, ok := v.(*Closure); ok && f == nil {
		return m.invoke(c, a...)
	}
	return m.hostCall(&Function{Owner: string(n)}, name, a)
}

func indexText(s, part string) int {
	i := strings.Index(s, part)
	if i < 0 {
		return -1
	}
	return utf8.RuneCountInString(s[:i])
}

// cased maps each character by itself; those that Unicode would make several of
// stay as they are.
func cased(s string, to func(rune) rune) string {
	return strings.Map(func(r rune) rune {
		if r == 0x130 || r >= 0x1f80 && r <= 0x1ffc {
			return r
		}
		return to(r)
	}, s)
}

func (m *Machine) textMethod(s, name string, a []Value) (Value, *Fault) {
	arg := func(i int) string { return m.printed(at(a, i)) }
	switch name {
	case "toUpperCase", "uppercase", "upper", "to_upper":
		return m.text(cased(s, unicode.ToUpper))
	case "toLowerCase", "lowercase", "lower", "to_lower":
		return m.text(cased(s, unicode.ToLower))
	case "trim":
		return m.text(strings.TrimSpace(s))
	case "split":
		var out []Value
		if len(a) == 0 {
			return m.list([]Value{s})
		}
		if strings.Count(s, arg(0)) >= MaxItems {
			return nil, fault(FaultSize, "too many parts")
		}
		for _, p := range strings.Split(s, arg(0)) {
			out = append(out, p)
		}
		return m.list(out)
	case "replace":
		return m.text(strings.Replace(s, arg(0), arg(1), 1))
	case "replaceAll", "replace_all":
		if n := strings.Count(s, arg(0)); n*len(arg(1)) > MaxText {
			return nil, fault(FaultSize, "text of %d bytes", n*len(arg(1)))
		}
		return m.text(strings.ReplaceAll(s, arg(0), arg(1)))
	case "includes", "contains":
		return strings.Contains(s, arg(0)), nil
	case "startsWith", "starts_with":
		return strings.HasPrefix(s, arg(0)), nil
	case "endsWith", "ends_with":
		return strings.HasSuffix(s, arg(0)), nil
	case "indexOf", "index_of":
		return float64(indexText(s, arg(0))), nil
	case "slice", "substring", "substr":
		rs := []rune(s)
		from := bound(at(a, 0), len(rs), 0)
		return m.text(string(rs[from:max(from, bound(at(a, 1), len(rs), len(rs)))]))
	case "charAt", "at":
		return m.index(s, first(a))
	case "repeat":
		n, _ := first(a).(float64)
		if !(n >= 0) || n*float64(len(s)) > MaxText || n > MaxText {
			return nil, fault(FaultSize, "text repeated %s times", FormatNumber(n))
		}
		return m.text(strings.Repeat(s, int(n)))
	case "padStart", "padEnd", "pad_start", "pad_end":
		n, _ := first(a).(float64)
		fill := " "
		if len(a) > 1 {
			fill = arg(1)
		}
		missing := whole(n, 0, MaxText) - utf8.RuneCountInString(s)
		if missing <= 0 || fill == "" {
			return s, nil
		}
		rs := []rune(fill)
		pad := make([]rune, missing)
		for i := range pad {
			pad[i] = rs[i%len(rs)]
		}
		if strings.HasSuffix(strings.ToLower(name), "start") {
			return m.text(string(pad) + s)
		}
		return m.text(s + string(pad))
	case "concat":
		return m.text(s + arg(0))
	case "toString", "to_string":
		return s, nil
	}
	return nil, fault(FaultKind, "a text has no method '%s'", clip(name))
}
