# The instructions.

func i_take(s, n):
	var at = s.size() - n
	var out = []
	for i in range(at, s.size()):
		out.append(s[i])
	s.resize(at)
	return out

# i_spread are the arguments that the elements of a list make.
func i_spread(v):
	if v_kind(v) != LIST:
		o_wrong("only a list can be spread into arguments, not " + v_type(v))
		return []
	if v.items.size() > MaxStack:
		o_large("more than " + str(MaxStack) + " arguments")
		return []
	return v.items.duplicate()

# i_caught goes on behind the innermost try.
func i_caught(t):
	if fault.code == "RUN001":
		return false
	while t.frames.size() > 0:
		var top = t.frames[t.frames.size() - 1]
		if top.tries.size() > 0:
			var at = top.tries.pop_back()
			t.stack.resize(at[1])
			t.stack.append(m_fault_value(fault))
			top.pc = at[0]
			fault = null
			return true
		t.stack.resize(top.base)
		t.frames.pop_back()
	return false

# m_resume runs a thread until it ends, faults or sleeps.
func m_resume(t):
	var outer = depth
	var frames = t.frames
	var out = null
	while true:
		depth = t.depth + frames.size()
		var fr = frames[frames.size() - 1]
		var end = i_run(t, fr)
		if fault != null:
			if fault.function == "":
				fault.function = fr.fn.name
				for l in fr.fn.lines:
					if l[0] > fr.pc:
						break
					fault.line = l[1]
					fault.column = l[2]
			if i_caught(t):
				continue
			break
		if end != null:
			out = end[0]
			break
	depth = outer
	return out

# i_run runs a frame until another is on top (null), or until the thread ends or
# sleeps: then its value in a list. fr.pc is the instruction that faults.
func i_run(t, fr):
	if fr.fn.has("does"):
		return a_run(t, fr)
	var s = t.stack
	var consts = constants
	var code = fr.fn.code
	var locals = fr.locals
	var of = fr.of
	var pc = fr.pc
	while true:
		fr.pc = pc
		budget -= 1
		if budget < 0:
			m_check_budget()
			return null
		spent += 1
		if s.size() >= MaxStack:
			return o_large("stack of more than " + str(MaxStack) + " values")
		var op = code[pc]
		var next = pc + 1 + WIDTH[op]
		if op < 20:
			if op < 8:
				if op == 0:
					s.append(consts[code[pc + 1]])
				elif op == 1:
					s.pop_back()
				elif op == 2:
					s.append(s[s.size() - 1])
				elif op == 3:
					var v = locals[code[pc + 1]]
					if v_kind(v) == BOX:
						v = v.v
					s.append(v)
				elif op == 4:
					var v = s.pop_back()
					var box = locals[code[pc + 1]]
					if v_kind(box) == BOX:
						if box.turn != turn:
							box.turn = turn
							undo.append(["box", box, box.v])
						box.v = v
					else:
						locals[code[pc + 1]] = v
				elif op == 5:
					var box = locals[code[pc + 1]]
					if v_kind(box) != BOX:
						box = Box.new(box, turn)
						locals[code[pc + 1]] = box
					s.append(box)
				elif op == 6:
					s.append(NodeRef.new(fr.fn.owner))
				else:
					s.append(NodeRef.new(consts[code[pc + 1]] if of == null else w_node(of, consts[code[pc + 1]])))
			elif op == 8:
				s.append(slots[code[pc + 1] if of == null else w_slot(of, code[pc + 1])])
			elif op == 9:
				m_set(code[pc + 1] if of == null else w_slot(of, code[pc + 1]), s.pop_back())
			elif op == 10:
				s.append(m_computed(code[pc + 1] if of == null else w_computed(of, code[pc + 1])))
			elif op == 11:
				s.append(o_member(s.pop_back(), consts[code[pc + 1]]))
			elif op == 12:
				var v = s.pop_back()
				o_put_member(s.pop_back(), consts[code[pc + 1]], v)
			elif op == 13:
				var i = s.pop_back()
				s.append(o_index(s.pop_back(), i))
			elif op == 14:
				var v = s.pop_back()
				var i = s.pop_back()
				o_put_index(s.pop_back(), i, v)
			else:
				i_build(op, code[pc + 1], s)
		elif op < 42:
			if op < 26:
				var y = s.pop_back()
				var x = s.pop_back()
				if typeof(x) == NUM and typeof(y) == NUM and op < 23:
					s.append(x + y if op == 20 else x - y if op == 21 else x * y)
				elif op == 20 and (typeof(x) == TEXT or typeof(y) == TEXT):
					s.append(m_text(m_printed(x) + m_printed(y)))
				else:
					s.append(o_arithmetic(op, x, y))
			elif op == 33:
				s.append(not v_truthy(s.pop_back()))
			elif op == 26 or op == 32:
				var v = s.pop_back()
				var n = v_number(v)
				if n == null:
					o_wrong(("- needs a number, not " if op == 26 else "~ needs a number, not ") + v_type(v))
				else:
					s.append(-n if op == 26 else n_real(-1 - n_whole(n)))
			else:
				var y = s.pop_back()
				var x = s.pop_back()
				if op < 32:
					s.append(o_bits(op, x, y))
				elif op < 36:
					s.append(m_same(x, y) == (op == 34))
				elif op < 40:
					s.append(o_order(op, x, y))
				elif op == 40:
					s.append(o_within(x, y))
				else:
					s.append(o_range(x, y))
		elif op == 42:
			next = code[pc + 1]
		elif op == 43:
			if not v_truthy(s.pop_back()):
				next = code[pc + 1]
		elif op == 44:
			if v_truthy(s.pop_back()):
				next = code[pc + 1]
		elif op == 45:
			if s[s.size() - 1] == null:
				next = code[pc + 1]
		elif op == 46 or op == 50 or op == 60:
			var boxes = []
			var fn
			var args
			if op == 46:
				fn = functions[code[pc + 1] if of == null else w_function(of, code[pc + 1])]
				args = i_take(s, code[pc + 2])
			else:
				args = i_take(s, code[pc + 1]) if op == 50 else i_spread(s.pop_back())
				if fault != null:
					return null
				var c = s.pop_back()
				if not o_callable(c):
					return null
				if not m_alive(c):
					s.append(null)
					pc = next
					continue
				fn = c.fn
				boxes = c.boxes
			if depth >= MaxCalls:
				return m_too_deep()
			fr.pc = next
			t.frames.append(m_frame(fn, args, boxes, s.size()))
			return null
		elif op == 47:
			var args = i_take(s, code[pc + 2])
			s.append(m_host_call(fr.fn.name, fr.fn.owner, program.host[code[pc + 1]], args))
		elif op == 48:
			var args = i_take(s, code[pc + 2])
			s.append(t_method(s.pop_back(), consts[code[pc + 1]], args))
		elif op == 61:
			var args = i_spread(s.pop_back())
			var v = s.pop_back()
			if fault == null:
				s.append(t_method(v, constants[code[pc + 1]], args))
		elif op == 62:
			var args = i_spread(s.pop_back())
			if fault == null:
				s.append(m_host_call(fr.fn.name, fr.fn.owner, program.host[code[pc + 1]], args))
		elif op == 49:
			var boxes = i_take(s, code[pc + 2])
			for i in range(boxes.size()):
				if v_kind(boxes[i]) != BOX:
					boxes[i] = Box.new(boxes[i], turn)
			s.append(Closure.new(functions[code[pc + 1] if of == null else w_function(of, code[pc + 1])], boxes))
			m_alloc(boxes.size() + 1)
		elif op == 51:
			var v = s.pop_back()
			s.resize(fr.base)
			t.frames.pop_back()
			if t.frames.size() == 0:
				return [v]
			s.append(v)
			return null
		elif op == 52:
			i_throw(s.pop_back())
		elif op == 53:
			fr.tries.append([code[pc + 1], s.size()])
		elif op == 54:
			fr.tries.pop_back()
		elif op == 55:
			var v = i_take(s, code[pc + 1])
			m_emit(fr.fn.owner, m_printed(v[0]), v[1] if v.size() == 2 else null)
		elif op == 56:
			var n = s.pop_back()
			s.append(null)
			fr.pc = next
			sleeping = n_min(n, 1e9) if typeof(n) == NUM and n >= 0.0 else 0.0
			return [null]
		elif op == 57:
			var overrides = s.pop_back()
			s.append(m_spawn(fr.fn.owner, consts[code[pc + 1]], s.pop_back(), overrides))
		elif op == 58:
			s.append(o_iterate(s.pop_back()))
		else:
			var it = s[s.size() - 1]
			if v_kind(it) != ITER:
				return o_wrong("nothing to walk over")
			if it.at < it.items.size():
				s.append(it.items[it.at])
				it.at += 1
			else:
				s.pop_back()
				next = code[pc + 1]
		if fault != null:
			return null
		pc = next

func i_build(op, n, s):
	if op == 15:
		s.append(m_list(i_take(s, n)))
	elif op == 16:
		var pairs = i_take(s, 2 * n)
		var map = {}
		for i in range(0, pairs.size(), 2):
			map[m_printed(pairs[i])] = pairs[i + 1]
		s.append(Obj.new(map))
		m_alloc(n + 1)
	elif op == 17:
		var y = s.pop_back()
		var x = s.pop_back()
		if v_kind(x) != LIST or v_kind(y) != LIST:
			return o_wrong("only a list can be spread into a list, not " + v_type(y))
		s.append(m_list(x.items + y.items))
	elif op == 18:
		var y = s.pop_back()
		s.append(o_merge(s.pop_back(), y))
	else:
		var parts = []
		var size = 0
		for v in i_take(s, n):
			var one = m_printed(v)
			parts.append(one)
			size += v_bytes(one)
			if size > MaxText:
				break
		s.append(m_text(v_join(parts, "")))

func i_throw(v):
	var f = Fault.new("RUN006", v_clip(m_printed(v)))
	f.thrown = v
	if v_kind(v) == OBJ and v.map.has("message") and typeof(v.map["message"]) == TEXT:
		f.message = v_clip(v.map["message"])
	fault = f
