# What scripts of nodes say and ask: they run as the functions that they stand
# for, with the same turns, and what they write is written here.

var actors = {} # id → the node whose script stands for it
var faces = {} # place of a state key → [node, variable]
var mirroring = false
var acting = 0

# a_load lets scripts of nodes take the place of functions and keep state.
func a_load():
	for s in SCRIPTS:
		var o = get_node(s[1])
		o.id = s[0]
		o.scene = self
		actors[s[0]] = o
		for f in s[2]:
			faces[int(f[0])] = [o, f[1]]
	for d in DIRECT:
		var f = functions[int(d[0])].duplicate()
		f["does"] = [actors[d[1]], d[2], int(d[3]), d[4]]
		functions[int(d[0])] = f

# a_first is the first value of a state key: what the editor shows.
func a_first(slot, v):
	return v_in(faces[slot][0].get(faces[slot][1])) if faces.has(slot) else v

# a_face shows a state key in the script that has it.
func a_face(slot, v):
	if not faces.has(slot):
		return
	var face = faces[slot]
	if typeof(face[0].get(face[1])) == typeof(v):
		mirroring = true
		face[0].set(face[1], v)
		mirroring = false

# a_run runs a function of a script in the place of instructions.
func a_run(t, fr):
	budget -= 1
	spent += 1
	var does = fr.fn.does
	var args = v_part(fr.locals, 0, does[2])
	if does[3]:
		args = m_numbers(args, args.size())
		if fault != null:
			return null
	acting += 1
	var v = a_value(does[0].callv(does[1], args))
	acting -= 1
	if fault != null:
		return null
	t.stack.resize(fr.base)
	t.frames.pop_back()
	if t.frames.size() == 0:
		return [v]
	t.stack.append(v)
	return null

# a_value takes what a script makes: lists and objects of the engine, and values.
func a_value(v):
	match typeof(v):
		2:
			return n_real(v)
		TYPE_ARRAY:
			var items = []
			for e in v:
				items.append(a_value(e))
			return m_list(items)
		TYPE_DICTIONARY:
			var map = {}
			for key in v:
				map[key] = a_value(v[key])
			m_alloc(map.size() + 1)
			return Obj.new(map)
	return v

func a_values(list):
	var out = []
	for v in list:
		out.append(a_value(v))
	return out

# a_keep takes a state key that a script, the editor or a game wrote.
func a_keep(id, key, v):
	if mirroring or not begun:
		return
	var i = m_slot(id, key)
	if i < 0:
		return
	if acting > 0:
		m_set(i, a_value(v))
		return
	handling = false
	var mark = m_open()
	m_set(i, v_in(v))
	m_close(id, mark)
	m_flush()

func a_tell(id, name, payload):
	m_emit(id, name, a_value(payload))
	var o = actors[id]
	if o.get_script().has_script_signal(name):
		o.emit_signal(name, payload)

# a_axis puts one number of a property that is a list.
func a_axis(id, key, axis, v):
	var l = m_node_member(id, key)
	o_put_member(l, axis, a_value(v))
	if fault == null:
		m_put_node(id, key, m_node_member(id, key))

# a_failed says whether something failed, and where that was.
func a_failed(line, column, name):
	if fault == null:
		return false
	if fault.function == "" and line > 0:
		fault.function = name
		fault.line = line
		fault.column = column
	return true

func a_calc(op, x, y):
	if op == "+" and (typeof(x) == TEXT or typeof(y) == TEXT):
		return m_text(m_printed(x) + m_printed(y))
	var at = ["+", "-", "*", "/", "%", "**"].find(op)
	if at >= 0:
		return o_arithmetic(20 + at, x, y)
	return o_bits(27 + ["&", "|", "^", "<<", ">>"].find(op), x, y)

func a_order(op, x, y):
	return o_order(36 + ["<", "<=", ">", ">="].find(op), x, y)

func a_computed(id, key):
	return m_computed(computed_of[id][key])

func a_ask(id, name, args, fn):
	return m_host_call(fn, id, name, a_values(args))
