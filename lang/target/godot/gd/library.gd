# The operations that the interpreter answers itself. All others go to the host.

const LIBRARY = {
	"log": "l_log", "print": "l_log", "console.log": "l_log", "clamp": "l_clamp", "lerp": "l_lerp", "ease": "l_ease", "map_range": "l_map_range",
	"random": "l_random", "random_int": "l_random_int", "choose": "l_choose", "now": "l_now", "current_time": "l_now", "wait": "l_first",
	"generate_id": "l_generate_id", "distance": "l_distance", "typeof": "l_typeof", "set_timeout": "l_set_timeout", "get_node": "l_get_node",
	"find_all": "l_find_all", "instances": "l_instances", "show": "l_show", "hide": "l_hide", "set_text": "l_set_text", "destroy": "l_destroy",
	"tween": "l_tween", "move_to": "l_move_to", "transition": "l_transition", "play": "l_play", "stop": "l_stop", "llm_call": "l_llm_call",
	"calls": "l_calls", "JSON.stringify": "l_stringify", "JSON.parse": "l_parse", "Object.keys": "l_keys", "Object.values": "l_values",
	"Object.entries": "l_entries", "Number": "l_number", "parseFloat": "l_number", "parse_number": "l_number", "parseInt": "l_whole",
	"String": "l_text", "Boolean": "l_boolean", "Math.min": "l_min", "Math.max": "l_max", "Math.random": "l_math_random", "Math.pow": "l_pow",
	"Math.atan2": "l_atan2", "Math.hypot": "l_hypot", "Math.round": "l_round",
}
const MATH = ["abs", "floor", "ceil", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "exp", "log", "log2", "log10", "trunc", "cbrt", "sign"]

# l_has says whether the interpreter answers an operation.
func l_has(name):
	return LIBRARY.has(name) or name.begins_with("Math.") and MATH.has(name.substr(5, name.length() - 5))

func l_run(name, owner, a):
	if LIBRARY.has(name):
		return call(LIBRARY[name], owner, a)
	var x = m_numbers(a, 1)
	return l_math(name.substr(5, name.length() - 5), x[0]) if fault == null else null

func l_math(name, x):
	if is_nan(x):
		return x
	match name:
		"abs":
			return abs(x)
		"floor":
			return floor(x)
		"ceil":
			return ceil(x)
		"sqrt":
			return sqrt(x) if x >= 0.0 else NAN
		"sin":
			return NAN if is_inf(x) else sin(x)
		"cos":
			return NAN if is_inf(x) else cos(x)
		"tan":
			return NAN if is_inf(x) else tan(x)
		"asin":
			return asin(x) if abs(x) <= 1.0 else NAN
		"acos":
			return acos(x) if abs(x) <= 1.0 else NAN
		"atan":
			return atan(x)
		"exp":
			return exp(x)
		"log":
			return l_log_of(x)
		"log2":
			return l_log_of(x) / 0.6931471805599453
		"log10":
			return l_log_of(x) / 2.302585092994046
		"trunc":
			return floor(x) if x >= 0.0 else ceil(x)
		"cbrt":
			return d_cbrt(x)
	return 1.0 if x > 0.0 else -1.0 if x < 0.0 else x

func l_log_of(x):
	if x < 0.0:
		return NAN
	return -INF if x == 0.0 else log(x)

# l_target is the node that a call is about, and the arguments behind it.
func l_target(owner, a):
	if a.size() > 0 and v_kind(a[0]) == NODE:
		return [a[0].id, v_part(a, 1, a.size())]
	return [owner, a]

func l_log(owner, a):
	var words = []
	var size = 0
	for v in a:
		var w = v_short(m_printed(v))
		words.append(w)
		size += v_bytes(w)
	m_log(owner, v_join(words, " "))
	m_alloc(size)

func l_between(x, lo, hi):
	return n_max(lo, n_min(hi, x))

func l_clamp(_owner, a):
	var n = m_numbers(a, 3)
	return l_between(n[0], n[1], n[2])

# l_easing is the easing of a name at u between 0 and 1.
func l_easing(name, u):
	u = l_between(u, 0.0, 1.0)
	match name.to_lower().replace("-", "").replace("_", "").replace(" ", ""):
		"easein", "easeinquad":
			return u * u
		"easeout", "easeoutquad":
			return 1.0 - (1.0 - u) * (1.0 - u)
		"easeinout", "easeinoutquad":
			return u * u * (3.0 - 2.0 * u)
		"easeincubic":
			return u * u * u
		"easeoutcubic":
			return 1.0 - (1.0 - u) * (1.0 - u) * (1.0 - u)
		"easeinoutcubic":
			return 4.0 * u * u * u if u < 0.5 else 1.0 - 4.0 * (1.0 - u) * (1.0 - u) * (1.0 - u)
		"easeinsine":
			return 1.0 - cos((u * PI) / 2.0)
		"easeoutsine":
			return sin((u * PI) / 2.0)
		"easeinoutsine":
			return (1.0 - cos(u * PI)) / 2.0
		"step":
			return 0.0 if u < 1.0 else 1.0
	return u

# l_mix is a value from x to y: of numbers, and of lists of them.
func l_mix(x, y, u):
	if v_kind(x) == LIST and v_kind(y) == LIST:
		var out = []
		for i in range(int(n_min(x.items.size(), y.items.size()))):
			var p = x.items[i]
			var q = y.items[i]
			out.append(l_mix(0.0 if v_kind(p) == LIST else p, 0.0 if v_kind(q) == LIST else q, u))
			if fault != null:
				return null
		return m_list(out)
	var n = m_numbers([x, y], 2)
	return n[0] + (n[1] - n[0]) * u

func l_lerp(_owner, a):
	var u = m_numbers(v_part(a, 2, a.size()) if a.size() > 2 else [], 1)
	return l_mix(t_at(a, 0), t_at(a, 1), u[0]) if fault == null else null

func l_ease(_owner, a):
	if typeof(t_at(a, 0)) == TEXT:
		return l_easing(a[0], m_numbers(v_part(a, 1, a.size()), 1)[0])
	return l_easing(m_printed(t_at(a, 1)), m_numbers(a, 1)[0])

func l_map_range(_owner, a):
	var n = m_numbers(a, 5)
	if n[2] == n[1]:
		return n[3]
	return n[3] + (n[4] - n[3]) * n_divide(n[0] - n[1], n[2] - n[1])

func l_random(_owner, a):
	if a.size() == 0:
		return n_random()
	if a.size() == 1:
		return n_random() * m_numbers(a, 1)[0]
	var n = m_numbers(a, 2)
	if fault != null:
		return null
	return n[0] + n_random() * (n[1] - n[0])

func l_random_int(_owner, a):
	var n = m_numbers(a, 2)
	if fault != null:
		return null
	var lo = ceil(n[0])
	return lo + floor(n_random() * (floor(n[1]) - lo + 1.0))

func l_choose(_owner, a):
	var from = a[0].items if a.size() == 1 and v_kind(a[0]) == LIST else a
	if from.size() == 0:
		return null
	return from[int(n_random() * from.size())]

func l_now(_owner, _a):
	return m_time()

func l_first(_owner, a):
	return t_at(a, 0)

func l_generate_id(_owner, _a):
	serial += 1
	return "id" + str(serial)

func l_distance(_owner, a):
	if a.size() < 2:
		return o_wrong("distance needs two places")
	var places = []
	for i in range(2):
		var at = a[i]
		if v_kind(at) == NODE:
			at = m_property(at.id, "position")
		if v_kind(at) != LIST:
			return o_wrong("distance needs places, not " + v_type(at))
		places.append(at.items)
	var sum = 0.0
	for i in range(int(n_min(places[0].size(), places[1].size()))):
		var n = m_numbers([places[0][i], places[1][i]], 2)
		sum += (n[0] - n[1]) * (n[0] - n[1])
	return sqrt(sum)

func l_typeof(_owner, a):
	return v_type(t_at(a, 0))

func l_set_timeout(owner, a):
	var c = null
	var seconds = 0.0
	for v in a:
		if v_kind(v) == FN:
			c = v
		elif typeof(v) == NUM:
			seconds = v
	if c == null:
		return o_wrong("set_timeout needs a function")
	if waiting.size() >= MaxWaiting:
		return o_fault("RUN003", "more than " + str(MaxWaiting) + " turns wait")
	if m_alive(c):
		m_later(c, 0.0 if is_nan(seconds) else l_between(seconds, 0.0, 1e9), owner)

func l_get_node(_owner, a):
	var all = m_named(m_printed(t_at(a, 0)), true)
	return NodeRef.new(all[0]) if all.size() > 0 else null

func l_find_all(_owner, a):
	var out = []
	for id in m_named(m_printed(t_at(a, 0)), false):
		out.append(NodeRef.new(id))
	return m_list(out)

func l_instances(_owner, a):
	return m_instances(m_printed(t_at(a, 0)))

func l_show(owner, a):
	m_set_property(l_target(owner, a)[0], "visible", true)

func l_hide(owner, a):
	m_set_property(l_target(owner, a)[0], "visible", false)

func l_set_text(owner, a):
	var t = l_target(owner, a)
	m_set_property(t[0], "text", t_at(t[1], 0))

func l_destroy(owner, a):
	if a.size() == 0:
		m_destroy(owner)
	elif v_kind(a[0]) == NODE: # else it is not there
		m_destroy(a[0].id)

func l_tween(owner, a):
	var t = l_target(owner, a)
	c_tween(t[0], t[1])

func l_move_to(owner, a):
	var t = l_target(owner, a)
	c_tween(t[0], ["position"] + t[1])

func l_transition(owner, a):
	var t = l_target(owner, a)
	m_emit(t[0], "transition", t_at(t[1], 0)) # the machines of the node take it

func l_play(owner, a):
	return m_play(owner, "play", a)

func l_stop(owner, a):
	return m_play(owner, "stop", a)

func l_llm_call(owner, a):
	return m_model(owner, a)

func l_calls(_owner, a):
	var name = m_printed(t_at(a, 0))
	return n_real(called[name]) if called.has(name) else 0.0

func l_stringify(_owner, a):
	var v = t_at(a, 0)
	return m_text(v_quote(v) if typeof(v) == TEXT else m_printed(v))

func l_parse(_owner, a):
	var s = t_at(a, 0)
	if typeof(s) != TEXT:
		return o_wrong("JSON.parse needs a text")
	var v = j_parse(s)
	if json_bad:
		return o_wrong("this is not JSON")
	m_alloc(v_bytes(s))
	return v

func l_keys(_owner, a):
	return t_method(t_at(a, 0), "keys", [])

func l_values(_owner, a):
	return t_method(t_at(a, 0), "values", [])

func l_entries(_owner, a):
	return t_method(t_at(a, 0), "entries", [])

func l_number(_owner, a):
	var v = t_at(a, 0)
	if typeof(v) == TEXT:
		v = n_read(t_trim(v))
	else:
		v = v_number(v)
	return NAN if v == null else v

func l_whole(owner, a):
	return l_math("trunc", l_number(owner, a))

func l_text(_owner, a):
	return m_text(m_printed(t_at(a, 0)))

func l_boolean(_owner, a):
	return v_truthy(t_at(a, 0))

func l_fold(a, start, least):
	var out = start
	for x in m_numbers(a, a.size()):
		if is_nan(x):
			return x
		out = n_min(out, x) if least else n_max(out, x)
	return out

func l_min(_owner, a):
	return l_fold(a, INF, true)

func l_max(_owner, a):
	return l_fold(a, -INF, false)

func l_math_random(_owner, _a):
	return n_random()

func l_pow(_owner, a):
	var n = m_numbers(a, 2)
	return n_power(n[0], n[1])

func l_atan2(_owner, a):
	var n = m_numbers(a, 2)
	return atan2(n[0], n[1])

func l_hypot(_owner, a):
	var sum = 0.0
	for x in m_numbers(a, a.size()):
		sum += x * x
	return sqrt(sum)

func l_round(_owner, a):
	return floor(m_numbers(a, 1)[0] + 0.5)
