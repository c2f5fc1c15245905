# The operators on values. What has the wrong kind sets the fault, and every
# caller looks whether it is set.

func o_fault(code, text):
	if fault == null:
		fault = Fault.new(code, text)
	return null

func o_wrong(text):
	return o_fault("RUN004", text)

func o_large(text):
	return o_fault("RUN007", text)

func o_arithmetic(op, x, y):
	var a = v_number(x)
	var b = v_number(y)
	if a == null:
		return o_wrong("arithmetic needs numbers, not " + v_type(x))
	if b == null:
		return o_wrong("arithmetic needs numbers, not " + v_type(y))
	match op:
		20:
			return a + b
		21:
			return a - b
		22:
			return a * b
		23:
			return n_divide(a, b)
		24:
			return n_mod(a, b)
	return n_power(a, b)

func o_bits(op, x, y):
	var a = v_number(x)
	var b = v_number(y)
	if a == null or b == null:
		return o_wrong("operators on bits need numbers")
	a = n_whole(a)
	b = n_whole(b)
	match op:
		27:
			return n_real(a & b)
		28:
			return n_real(a | b)
		29:
			return n_real(a ^ b)
		30:
			return n_real(n_wrap((a & 0xffffffff) << (b & 31)))
	var n = b & 31
	if a >= 0:
		return n_real(a >> n)
	return n_real(-1 - ((-1 - a) >> n))

func o_order(op, x, y):
	var c = 0
	if typeof(x) == TEXT and typeof(y) == TEXT:
		m_charge_text(x if x.length() < y.length() else y)
		c = v_order(x, y)
	else:
		var a = v_number(x)
		var b = v_number(y)
		if a == null or b == null:
			return o_wrong(v_type(x) + " and " + v_type(y) + " have no order")
		if is_nan(a) or is_nan(b):
			return false
		c = -1 if a < b else 1 if a > b else 0
	match op:
		36:
			return c < 0
		37:
			return c <= 0
		38:
			return c > 0
	return c >= 0

func o_within(x, y):
	match v_kind(y):
		LIST:
			return m_find(y.items, x) >= 0
		OBJ:
			return y.map.has(m_printed(x))
		TEXT:
			m_charge_text(y)
			var part = m_printed(x)
			return part == "" or y.find(part) >= 0
	return o_wrong("nothing can be in " + v_type(y))

func o_range(x, y):
	if typeof(x) != NUM or typeof(y) != NUM or is_nan(x) or is_nan(y):
		return o_wrong("a range needs numbers")
	if y - x > MaxItems:
		return o_large("range of " + n_format(y - x) + " elements")
	var items = []
	var v = x
	while v < y and items.size() <= MaxItems:
		items.append(v)
		v += 1.0
	return m_list(items)

func o_merge(x, y):
	if y == null and v_kind(x) == OBJ:
		return x
	if v_kind(x) != OBJ or v_kind(y) != OBJ:
		return o_wrong("only an object can be spread into an object, not " + v_type(y))
	if x.map.size() + y.map.size() > MaxItems:
		return o_large("object of " + str(x.map.size() + y.map.size()) + " fields")
	var out = x.map.duplicate()
	for key in y.map:
		out[key] = y.map[key]
	m_alloc(out.size() + 1)
	return Obj.new(out)

# o_iterate begins a walk over the elements of a list, the characters of a text or
# the keys of an object.
func o_iterate(v):
	var items = []
	match v_kind(v):
		LIST:
			items = v.items.duplicate()
		OBJ:
			items = v.map.keys()
		TEXT:
			if v.length() > MaxItems:
				return o_large("too many characters to walk over")
			items = v_chars(v)
		NIL:
			pass
		_:
			return o_wrong("cannot walk over " + v_type(v))
	m_alloc(items.size() + 1)
	return Iter.new(items)

# o_position is an index within 0 and n, else -1.
func o_position(v, n):
	if typeof(v) == NUM and v >= 0.0 and v < n and floor(v) == v:
		return int(v)
	return -1

func o_index(x, i):
	match v_kind(x):
		LIST:
			var at = o_position(i, x.items.size())
			return x.items[at] if at >= 0 else null
		TEXT:
			m_alloc(x.length())
			var at = o_position(i, x.length())
			return x.substr(at, 1) if at >= 0 else null
		NIL:
			return o_wrong("null has no element " + v_clip(m_printed(i)))
	return o_member(x, m_printed(i))

func o_put_index(x, i, v):
	if v_kind(x) != LIST:
		return o_put_member(x, m_printed(i), v)
	var n = x.items.size()
	if typeof(i) == NUM and i == n and n < MaxItems:
		m_touch(x)
		x.items.append(v)
		m_alloc(1)
		return
	var at = o_position(i, n)
	if at < 0:
		return o_wrong("a list of " + str(n) + " elements has no place " + v_clip(m_printed(i)))
	m_touch(x)
	x.items[at] = v

# o_axis is the place of x, y, z or w in a list of two to four.
func o_axis(l, name):
	var i = "xyzw".find(name) if name.length() == 1 else -1
	return i if l.items.size() <= 4 and i < l.items.size() else -1

func o_member(x, name):
	match v_kind(x):
		OBJ:
			return x.map[name] if x.map.has(name) else null
		LIST:
			if name == "length" or name == "count":
				return n_real(x.items.size())
			var i = o_axis(x, name)
			return x.items[i] if i >= 0 else null
		TEXT:
			return n_real(x.length()) if name == "length" else null
		NODE:
			return m_node_member(x.id, name)
		STATE:
			return m_state_member(x.id, name)
		NIL:
			return o_wrong("null has no member '" + v_clip(name) + "'")
	return null

func o_put_member(x, name, v):
	var k = v_kind(x)
	if k == OBJ:
		if not x.map.has(name) and x.map.size() >= MaxItems:
			return o_large("object of " + str(x.map.size()) + " fields")
		m_touch(x)
		x.map[name] = v
		m_alloc(1)
		return
	if k == LIST:
		var i = o_axis(x, name)
		if i >= 0:
			m_touch(x)
			x.items[i] = v
			return
	if k == NODE:
		return m_put_node(x.id, name, v)
	if k == STATE:
		return m_put_state(x.id, name, v)
	return o_wrong(v_type(x) + " cannot take a member '" + v_clip(name) + "'")

# o_callable says whether a value is a function.
func o_callable(v):
	if v_kind(v) == FN:
		return true
	o_wrong(v_type(v) + " is not a function")
	return false
