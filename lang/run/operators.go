package run

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

func arithmetic(op Op, x, y Value) (Value, *Fault) {
	a, ok := number(x)
	if !ok {
		return nil, fault(FaultKind, "arithmetic needs numbers, not %s", typeName(x))
	}
	b, ok := number(y)
	if !ok {
		return nil, fault(FaultKind, "arithmetic needs numbers, not %s", typeName(y))
	}
	switch op {
	case opAdd:
		return a + b, nil
	case opSub:
		return a - b, nil
	case opMul:
		return float64(a * b), nil
	case opDiv:
		return a / b, nil
	case opMod:
		return math.Mod(a, b), nil
	}
	return power(a, b), nil
}

// power is a to the b as ECMAScript has it.
func power(a, b float64) float64 {
	if math.IsNaN(b) || math.IsInf(b, 0) && math.Abs(a) == 1 {
		return math.NaN()
	}
	return math.Pow(a, b)
}

// least and most are math.Min and math.Max, but NaN wins.
func least(a, b float64) float64 {
	if math.IsNaN(a) || math.IsNaN(b) {
		return math.NaN()
	}
	return math.Min(a, b)
}

func most(a, b float64) float64 {
	if math.IsNaN(a) || math.IsNaN(b) {
		return math.NaN()
	}
	return math.Max(a, b)
}

// whole is a number as an int within limits; what is no number is the lower one.
func whole(n, lo, hi float64) int {
	if math.IsNaN(n) {
		n = lo
	}
	return int(math.Max(lo, math.Min(hi, n)))
}

// toInt32 wraps a number as ECMAScript does.
func toInt32(n float64) int32 {
	if math.IsNaN(n) || math.IsInf(n, 0) {
		return 0
	}
	return int32(uint32(int64(math.Mod(math.Trunc(n), 1<<32))))
}

func bits(op Op, x, y Value) (Value, *Fault) {
	a, ok := number(x)
	b, okay := number(y)
	if !ok || !okay {
		return nil, fault(FaultKind, "operators on bits need numbers")
	}
	i, j := toInt32(a), toInt32(b)
	switch op {
	case opAnd:
		return float64(i & j), nil
	case opOr:
		return float64(i | j), nil
	case opXor:
		return float64(i ^ j), nil
	case opShl:
		return float64(i << (uint32(j) & 31)), nil
	}
	return float64(i >> (uint32(j) & 31)), nil
}

func (m *Machine) compare(op Op, x, y Value) (Value, *Fault) {
	less, same := false, false
	s, ok := x.(string)
	t, okay := y.(string)
	if ok && okay {
		m.charge(min(len(s), len(t)) / ChargeBytes)
		less, same = s < t, s == t
	} else {
		a, ok := number(x)
		b, okay := number(y)
		if !ok || !okay {
			return nil, fault(FaultKind, "%s and %s have no order", typeName(x), typeName(y))
		}
		if math.IsNaN(a) || math.IsNaN(b) {
			return false, nil
		}
		less, same = a < b, a == b
	}
	switch op {
	case opLt:
		return less, nil
	case opLe:
		return less || same, nil
	case opGt:
		return !less && !same, nil
	}
	return !less, nil
}

// within is x in y: an element of a list, a key of an object, a part of a text.
func (m *Machine) within(x, y Value) (Value, *Fault) {
	switch y := y.(type) {
	case *List:
		i, f := m.find(y.Items, x)
		return i >= 0, f
	case *Object:
		_, there := y.Values[m.printed(x)]
		return there, nil
	case string:
		m.charge(len(y) / ChargeBytes)
		return strings.Contains(y, m.printed(x)), nil
	}
	return nil, fault(FaultKind, "nothing can be in %s", typeName(y))
}

func (m *Machine) rangeOf(x, y Value) (Value, *Fault) {
	a, ok := x.(float64)
	b, okay := y.(float64)
	if !ok || !okay || math.IsNaN(a) || math.IsNaN(b) {
		return nil, fault(FaultKind, "a range needs numbers")
	}
	if b-a > MaxItems {
		return nil, fault(FaultSize, "range of %s elements", FormatNumber(b-a))
	}
	var items []Value
	for v := a; v < b && len(items) <= MaxItems; v++ {
		items = append(items, v)
	}
	return m.list(items)
}

func (m *Machine) merge(x, y Value) (Value, *Fault) {
	a, ok := x.(*Object)
	b, okay := y.(*Object)
	if y == nil && ok {
		return x, nil
	}
	if !ok || !okay {
		return nil, fault(FaultKind, "only an object can be spread into an object, not %s", typeName(y))
	}
	if len(a.Keys)+len(b.Keys) > MaxItems {
		return nil, fault(FaultSize, "object of %d fields", len(a.Keys)+len(b.Keys))
	}
	out := &Object{Values: make(map[string]Value, len(a.Keys)+len(b.Keys))}
	for _, o := range []*Object{a, b} {
		for _, k := range o.Keys {
			out.put(k, o.Values[k])
		}
	}
	return out, m.alloc(len(out.Keys) + 1)
}

// iterate begins a walk over the elements of a list, the characters of a text or
// the keys of an object.
func (m *Machine) iterate(v Value) (Value, *Fault) {
	var items []Value
	switch v := v.(type) {
	case *List:
		items = slices.Clone(v.Items)
	case *Object:
		for _, k := range v.Keys {
			items = append(items, k)
		}
	case string:
		if utf8.RuneCountInString(v) > MaxItems {
			return nil, fault(FaultSize, "too many characters to walk over")
		}
		for _, r := range v {
			items = append(items, string(r))
		}
	case nil:
	default:
		return nil, fault(FaultKind, "cannot walk over %s", typeName(v))
	}
	return &iterator{items: items}, m.alloc(len(items) + 1)
}

// position is the place of an index from the front; ok is false outside.
func position(v Value, n int) (int, bool) {
	i, ok := v.(float64)
	if !ok || i != math.Trunc(i) || i < 0 || i >= float64(n) {
		return 0, false
	}
	return int(i), true
}

func (m *Machine) index(x, i Value) (Value, *Fault) {
	switch x := x.(type) {
	case *List:
		if at, ok := position(i, len(x.Items)); ok {
			return x.Items[at], nil
		}
		return nil, nil
	case string:
		rs := []rune(x)
		if f := m.alloc(len(rs)); f != nil {
			return nil, f
		}
		if at, ok := position(i, len(rs)); ok {
			return string(rs[at]), nil
		}
		return nil, nil
	case nil:
		return nil, fault(FaultKind, "null has no element %s", clip(m.printed(i)))
	}
	return m.member(x, m.printed(i))
}

func (m *Machine) putIndex(x, i, v Value) *Fault {
	l, ok := x.(*List)
	if !ok {
		return m.putMember(x, m.printed(i), v)
	}
	if n, isNumber := i.(float64); isNumber && n == float64(len(l.Items)) && n < MaxItems {
		m.touch(l)
		l.Items = append(l.Items, v)
		return m.alloc(1)
	}
	at, ok := position(i, len(l.Items))
	if !ok {
		return fault(FaultKind, "a list of %d elements has no place %s", len(l.Items), clip(m.printed(i)))
	}
	m.touch(l)
	l.Items[at] = v
	return nil
}

// axis is the place of x, y, z or w in a list of up to four.
func axis(l *List, name string) int {
	if i := strings.Index("xyzw", name); len(name) == 1 && len(l.Items) <= 4 && i < len(l.Items) {
		return i
	}
	return -1
}

// member is x.name.
func (m *Machine) member(x Value, name string) (Value, *Fault) {
	switch x := x.(type) {
	case *Object:
		return x.Values[name], nil
	case *List:
		if name == "length" || name == "count" {
			return float64(len(x.Items)), nil
		}
		if i := axis(x, name); i >= 0 {
			return x.Items[i], nil
		}
		return nil, nil
	case string:
		if name == "length" {
			return float64(utf8.RuneCountInString(x)), nil
		}
		return nil, nil
	case Node:
		return m.nodeMember(string(x), name)
	case stateOf:
		if i, ok := m.slotOf[slotKey{string(x), name}]; ok {
			return m.get(i), nil
		}
		return m.extraState(string(x), name), nil
	case nil:
		return nil, fault(FaultKind, "null has no member '%s'", clip(name))
	}
	return nil, nil
}

func (m *Machine) putMember(x Value, name string, v Value) *Fault {
	switch x := x.(type) {
	case *Object:
		if _, there := x.Values[name]; !there && len(x.Keys) >= MaxItems {
			return fault(FaultSize, "object of %d fields", len(x.Keys))
		}
		m.touch(x)
		x.put(name, v)
		return m.alloc(1)
	case *List:
		if i := axis(x, name); i >= 0 {
			m.touch(x)
			x.Items[i] = v
			return nil
		}
	case Node:
		if i, ok := m.slotOf[slotKey{string(x), name}]; ok {
			m.set(i, v)
			return nil
		}
		return m.setProperty(string(x), name, v)
	case stateOf:
		if i, ok := m.slotOf[slotKey{string(x), name}]; ok {
			m.set(i, v)
			return nil
		}
		return m.setProperty(string(x)+"\x00state", name, v)
	}
	return fault(FaultKind, "%s cannot take a member '%s'", typeName(x), clip(name))
}
