package run

import (
	"slices"
	"strings"
)

func (m *Machine) listMethod(l *List, name string, a []Value) (Value, *Fault) {
	if changing[name] {
		return m.changeList(l, name, a)
	}
	items := l.Items
	each := func(f func(i int, v Value, r Value) bool) *Fault {
		for i, v := range slices.Clone(items) {
			r, err := m.invoke(first(a), v, float64(i))
			if err != nil {
				return err
			}
			if !f(i, v, r) {
				break
			}
		}
		return m.alloc(len(items))
	}
	var out []Value
	switch name {
	case "map":
		f := each(func(_ int, _, r Value) bool { out = append(out, r); return true })
		if f != nil {
			return nil, f
		}
		return m.list(out)
	case "flatMap", "flat_map":
		f := each(func(_ int, _, r Value) bool {
			out = flat(out, r)
			return len(out) <= MaxItems
		})
		if f != nil {
			return nil, f
		}
		return m.list(out)
	case "filter":
		f := each(func(_ int, v, r Value) bool {
			if Truthy(r) {
				out = append(out, v)
			}
			return true
		})
		if f != nil {
			return nil, f
		}
		return m.list(out)
	case "forEach", "each", "for_each":
		return nil, each(func(int, Value, Value) bool { return true })
	case "find", "findIndex", "find_index", "some", "every":
		var found Value
		index := -1.0
		want := name != "every"
		f := each(func(i int, v, r Value) bool {
			if Truthy(r) == want {
				found, index = v, float64(i)
				return false
			}
			return true
		})
		switch name {
		case "find":
			return found, f
		case "some":
			return index >= 0, f
		case "every":
			return index < 0, f
		}
		return index, f
	case "reduce":
		return m.reduce(items, a)
	}
	return m.lookInto(l, name, a)
}

// lookInto does what calls no function and changes nothing.
func (m *Machine) lookInto(l *List, name string, a []Value) (Value, *Fault) {
	items := l.Items
	var out []Value
	switch name {
	case "indexOf", "index_of":
		i, f := m.find(items, first(a))
		return float64(i), f
	case "includes", "contains", "has":
		i, f := m.find(items, first(a))
		return i >= 0, f
	case "join":
		return m.join(items, a)
	case "slice":
		from := bound(at(a, 0), len(items), 0)
		return m.list(slices.Clone(items[from:max(from, bound(at(a, 1), len(items), len(items)))]))
	case "concat":
		out = slices.Clone(items)
		for _, v := range a {
			if out = flat(out, v); len(out) > MaxItems {
				break
			}
		}
		return m.list(out)
	case "at":
		i, ok := first(a).(float64)
		if ok && i < 0 {
			i += float64(len(items))
		}
		return m.index(l, i)
	case "first":
		return first(items), nil
	case "last":
		if len(items) == 0 {
			return nil, nil
		}
		return items[len(items)-1], nil
	case "length", "count":
		return float64(len(items)), nil
	case "flat":
		for _, v := range items {
			if out = flat(out, v); len(out) > MaxItems {
				break
			}
		}
		return m.list(out)
	case "keys":
		for i := range items {
			out = append(out, float64(i))
		}
		return m.list(out)
	case "values":
		return m.list(slices.Clone(items))
	case "toString", "to_string":
		return m.text(m.printed(l))
	}
	return nil, fault(FaultKind, "a list has no method '%s'", clip(name))
}

// flat are values with one more behind them, or with the elements of a list.
func flat(out []Value, v Value) []Value {
	if in, ok := v.(*List); ok {
		return append(out, in.Items...)
	}
	return append(out, v)
}

func (m *Machine) reduce(items, a []Value) (Value, *Fault) {
	acc, from := at(a, 1), 0
	if len(a) < 2 {
		if len(items) == 0 {
			return nil, fault(FaultKind, "nothing to reduce")
		}
		acc, from = items[0], 1
	}
	for i, v := range slices.Clone(items)[from:] {
		var f *Fault
		if acc, f = m.invoke(first(a), acc, v, float64(i+from)); f != nil {
			return nil, f
		}
	}
	return acc, nil
}

func (m *Machine) join(items, a []Value) (Value, *Fault) {
	sep := ","
	if len(a) > 0 {
		sep = m.printed(a[0])
	}
	var text strings.Builder
	for i, v := range items {
		if i > 0 {
			text.WriteString(sep)
		}
		text.WriteString(m.printed(v))
		if text.Len() > MaxText {
			break
		}
	}
	return m.text(text.String())
}

func (m *Machine) changeList(l *List, name string, a []Value) (Value, *Fault) {
	m.touch(l)
	n := len(l.Items)
	switch name {
	case "push", "append", "add":
		if n+len(a) > MaxItems {
			return nil, fault(FaultSize, "list of %d elements", n+len(a))
		}
		l.Items = append(l.Items, a...)
		return float64(len(l.Items)), m.alloc(len(a))
	case "unshift":
		if n+len(a) > MaxItems {
			return nil, fault(FaultSize, "list of %d elements", n+len(a))
		}
		l.Items = append(slices.Clone(a), l.Items...)
		return float64(len(l.Items)), m.alloc(len(l.Items))
	case "pop", "shift":
		if n == 0 {
			return nil, nil
		}
		if name == "pop" {
			v := l.Items[n-1]
			l.Items = l.Items[:n-1]
			return v, nil
		}
		v := l.Items[0]
		l.Items = l.Items[1:]
		return v, nil
	case "splice":
		from := bound(at(a, 0), n, 0)
		count := n - from
		if c, ok := at(a, 1).(float64); ok {
			count = whole(c, 0, float64(count))
		}
		var in []Value
		if len(a) > 2 {
			in = a[2:]
		}
		cut := slices.Clone(l.Items[from : from+count])
		if n-count+len(in) > MaxItems {
			return nil, fault(FaultSize, "list of %d elements", n-count+len(in))
		}
		l.Items = slices.Concat(l.Items[:from], in, l.Items[from+count:])
		return m.list(cut)
	case "sort":
		return m.sort(l, first(a))
	case "reverse":
		items := slices.Clone(l.Items)
		slices.Reverse(items)
		l.Items = items
		return l, nil
	case "remove", "delete":
		i, f := m.find(l.Items, first(a))
		if i >= 0 {
			l.Items = slices.Delete(slices.Clone(l.Items), i, i+1)
		}
		return i >= 0, f
	case "set":
		return nil, m.putIndex(l, first(a), at(a, 1))
	}
	l.Items = nil
	return nil, nil
}

// sort orders a list in place by merging, so that all interpreters ask for the
// same comparisons: by a function of two elements, else numbers before texts,
// each in their order.
func (m *Machine) sort(l *List, by Value) (Value, *Fault) {
	from, to := slices.Clone(l.Items), make([]Value, len(l.Items))
	for width := 1; width < len(from); width *= 2 {
		for lo := 0; lo < len(from); lo += 2 * width {
			mid, hi := min(lo+width, len(from)), min(lo+2*width, len(from))
			for i, j, k := lo, mid, lo; k < hi; k++ {
				left := i < mid
				if left && j < hi {
					behind, f := m.behind(from[i], from[j], by)
					if f != nil {
						return nil, f
					}
					left = !behind
				}
				if left {
					to[k] = from[i]
					i++
				} else {
					to[k] = from[j]
					j++
				}
			}
		}
		from, to = to, from
	}
	l.Items = from
	return l, nil
}

// behind says whether x comes after y.
func (m *Machine) behind(x, y, by Value) (bool, *Fault) {
	m.charge(1)
	if f := m.overdrawn(); f != nil {
		return false, f
	}
	if by != nil {
		v, f := m.invoke(by, x, y)
		n, _ := number(v)
		return n > 0, f
	}
	p, ok := x.(float64)
	q, okay := y.(float64)
	if ok || okay {
		return ok && okay && p > q || !ok, nil
	}
	return m.printed(x) > m.printed(y), nil
}
