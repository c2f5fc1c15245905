# The built-in methods of values.

# These touch a place or two of a list, however long it is.
const LIGHT = ["push", "append", "add", "pop", "at", "first", "last", "length", "count", "set", "clear"]
const CHANGING = ["push", "append", "add", "unshift", "pop", "shift", "splice", "sort", "reverse", "remove", "delete", "set", "clear"]

func t_at(a, i):
	return a[i] if i < a.size() else null

func t_method(x, name, a):
	match v_kind(x):
		LIST:
			if not LIGHT.has(name):
				m_charge(int(x.items.size() / ChargeElements))
			if CHANGING.has(name):
				return t_change(x, name, a)
			return t_list(x, name, a)
		TEXT:
			m_charge_text(x)
			return t_text(x, name, a)
		OBJ:
			if x.map.has(name) and v_kind(x.map[name]) == FN:
				return m_invoke(x.map[name], a)
			return t_object(x, name, a)
		NUM:
			if name == "toFixed" or name == "to_fixed":
				var d = m_numbers(a, 1)
				return n_fixed(x, d[0]) if fault == null else null
			if name == "toString" or name == "to_string":
				return n_format(x)
		NODE:
			return t_node(x, name, a)
		STATE:
			return m_invoke(m_state_member(x.id, name), a)
		NIL:
			return o_wrong("null has no method '" + v_clip(name) + "'")
	return o_wrong(v_type(x) + " has no method '" + v_clip(name) + "'")

# t_bound is an index counted from the front, or from the back when below 0,
# within 0 and n.
func t_bound(v, n, otherwise):
	if typeof(v) != NUM or is_nan(v):
		return otherwise
	var i = v + n if v < 0.0 else v
	return int(n_max(0.0, n_min(n_real(n), i)))

func t_flat(out, v):
	if v_kind(v) == LIST:
		for e in v.items:
			out.append(e)
	else:
		out.append(v)
	return out.size() <= MaxItems

# t_each calls a function with each element. What it gives is kept by what for.
func t_each(l, f, what):
	var copy = l.items.duplicate()
	var out = []
	for i in range(copy.size()):
		var v = copy[i]
		var r = m_invoke(f, [v, n_real(i)])
		if fault != null:
			return null
		match what:
			"map":
				out.append(r)
			"flatMap":
				if not t_flat(out, r):
					break
			"filter":
				if v_truthy(r):
					out.append(v)
			"find", "every":
				if v_truthy(r) == (what == "find"):
					m_alloc(l.items.size())
					return [v, i]
	m_alloc(l.items.size())
	return out

func t_list(l, name, a):
	var items = l.items
	var f = t_at(a, 0)
	match name:
		"map":
			var out = t_each(l, f, "map")
			return m_list(out) if fault == null else null
		"flatMap", "flat_map":
			var out = t_each(l, f, "flatMap")
			return m_list(out) if fault == null else null
		"filter":
			var out = t_each(l, f, "filter")
			return m_list(out) if fault == null else null
		"forEach", "each", "for_each":
			t_each(l, f, "")
			return null
		"find", "findIndex", "find_index", "some":
			var out = t_each(l, f, "find")
			if fault != null:
				return null
			if name == "find":
				return out[0] if out.size() > 0 else null
			if name == "some":
				return out.size() > 0
			return n_real(out[1]) if out.size() > 0 else -1.0
		"every":
			var out = t_each(l, f, "every")
			return out.size() == 0 if fault == null else null
		"reduce":
			var acc = t_at(a, 1)
			var from = 0
			if a.size() < 2:
				if items.size() == 0:
					return o_wrong("nothing to reduce")
				acc = items[0]
				from = 1
			var copy = items.duplicate()
			for i in range(from, copy.size()):
				acc = m_invoke(f, [acc, copy[i], n_real(i)])
				if fault != null:
					return null
			return acc
		"indexOf", "index_of":
			return n_real(m_find(items, f))
		"includes", "contains", "has":
			return m_find(items, f) >= 0
		"join":
			var gap = m_printed(a[0]) if a.size() > 0 else ","
			var wide = v_bytes(gap)
			var parts = []
			var size = 0
			for i in range(items.size()):
				if i > 0:
					size += wide
				var one = m_printed(items[i])
				parts.append(one)
				size += v_bytes(one)
				if size > MaxText:
					break
			return m_text(v_join(parts, gap))
		"slice":
			var from = t_bound(f, items.size(), 0)
			return m_list(v_part(items, from, int(n_max(from, t_bound(t_at(a, 1), items.size(), items.size())))))
		"concat":
			var out = items.duplicate()
			for v in a:
				if not t_flat(out, v):
					break
			return m_list(out)
		"at":
			var i = 0.0
			if typeof(f) == NUM:
				i = f + items.size() if f < 0.0 else f
			return o_index(l, i)
		"first":
			return items[0] if items.size() > 0 else null
		"last":
			return items[items.size() - 1] if items.size() > 0 else null
		"length", "count":
			return n_real(items.size())
		"flat":
			var out = []
			for v in items:
				if not t_flat(out, v):
					break
			return m_list(out)
		"keys":
			var out = []
			for i in range(items.size()):
				out.append(n_real(i))
			return m_list(out)
		"values":
			return m_list(items.duplicate())
		"toString", "to_string":
			return m_text(m_printed(l))
	return o_wrong("a list has no method '" + v_clip(name) + "'")

func t_room(n):
	if n > MaxItems:
		o_large("list of " + str(n) + " elements")
	return fault == null

func t_change(l, name, a):
	m_touch(l)
	var n = l.items.size()
	match name:
		"push", "append", "add":
			if not t_room(n + a.size()):
				return null
			for v in a:
				l.items.append(v)
			m_alloc(a.size())
			return n_real(l.items.size())
		"unshift":
			if not t_room(n + a.size()):
				return null
			l.items = a.duplicate() + l.items
			m_alloc(l.items.size())
			return n_real(l.items.size())
		"pop":
			return l.items.pop_back() if n > 0 else null
		"shift":
			return l.items.pop_front() if n > 0 else null
		"splice":
			var from = t_bound(t_at(a, 0), n, 0)
			var c = t_at(a, 1)
			var count = n - from
			if typeof(c) == NUM:
				count = 0 if is_nan(c) else int(n_max(0.0, n_min(n_real(n - from), c)))
			var added = v_part(a, 2, a.size()) if a.size() > 2 else []
			var cut = v_part(l.items, from, from + count)
			if not t_room(n - count + added.size()):
				return null
			l.items = v_part(l.items, 0, from) + added + v_part(l.items, from + count, n)
			return m_list(cut)
		"sort":
			return t_sort(l, t_at(a, 0))
		"reverse":
			var out = []
			for i in range(n - 1, -1, -1):
				out.append(l.items[i])
			l.items = out
			return l
		"remove", "delete":
			var i = m_find(l.items, t_at(a, 0))
			if i >= 0 and fault == null:
				l.items = v_part(l.items, 0, i) + v_part(l.items, i + 1, n)
			return i >= 0
		"set":
			o_put_index(l, t_at(a, 0), t_at(a, 1))
			return null
	l.items = []
	return null

func t_after(by, x, y):
	m_charge(1)
	m_check_budget()
	if fault != null:
		return false
	if by != null:
		var r = v_number(m_invoke(by, [x, y]))
		return r != null and r > 0.0
	if typeof(x) == NUM and typeof(y) == NUM:
		return x > y
	if typeof(x) == NUM:
		return false
	if typeof(y) == NUM:
		return true
	return v_order(m_printed(x), m_printed(y)) > 0

# t_sort orders a list by merging, so that every interpreter asks for the same
# comparisons: by a function of two elements, else numbers before texts.
func t_sort(l, by):
	var from = l.items.duplicate()
	var to = from.duplicate()
	var n = from.size()
	var width = 1
	while width < n:
		var lo = 0
		while lo < n:
			var mid = int(n_min(lo + width, n))
			var hi = int(n_min(lo + 2 * width, n))
			var i = lo
			var j = mid
			for k in range(lo, hi):
				var left = false
				if i < mid:
					left = j >= hi or not t_after(by, from[i], from[j])
					if fault != null:
						return null
				if left:
					to[k] = from[i]
					i += 1
				else:
					to[k] = from[j]
					j += 1
			lo += 2 * width
		var swap = from
		from = to
		to = swap
		width *= 2
	l.items = from
	return l

func t_object(o, name, a):
	match name:
		"keys":
			return m_list(o.map.keys())
		"values":
			return m_list(o.map.values())
		"entries":
			var out = []
			for key in o.map:
				out.append(List.new([key, o.map[key]]))
			return m_list(out)
		"has", "contains", "hasOwnProperty":
			return o.map.has(m_printed(t_at(a, 0)))
		"get":
			var key = m_printed(t_at(a, 0))
			return o.map[key] if o.map.has(key) else null
		"set":
			o_put_member(o, m_printed(t_at(a, 0)), t_at(a, 1))
			return null
		"delete", "remove":
			var key = m_printed(t_at(a, 0))
			m_charge(int(o.map.size() / ChargeElements))
			m_touch(o)
			var there = o.map.has(key)
			if there:
				o.map.erase(key)
			return there
		"clear":
			m_touch(o)
			o.map = {}
			return null
		"toString", "to_string":
			return m_text(m_printed(o))
		"stop":
			stopped = true
			return null
	return o_wrong("an object has no method '" + v_clip(name) + "'")

func t_node(n, name, a):
	var fn = m_function_of(n.id, name)
	if fn >= 0:
		return m_call(fn, a, [])
	match name:
		"emit":
			m_emit(n.id, m_printed(t_at(a, 0)), t_at(a, 1))
			return null
		"show", "hide":
			m_set_property(n.id, "visible", name == "show")
			return null
		"set_text":
			m_set_property(n.id, "text", t_at(a, 0))
			return null
	var v = m_node_member(n.id, name)
	if v_kind(v) == FN:
		return m_invoke(v, a)
	return m_host_call("", n.id, name, a)
