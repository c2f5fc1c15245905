# Turns: what an event begins, and what comes of a turn that faults.

func m_drain():
	while spent < step_limit:
		if born.size() > 0:
			var one = born.pop_front()
			if not m_counted():
				return
			w_birth(one)
			m_flush()
			continue
		if awake.size() > 0:
			var t = awake.pop_front()
			budget = turn_limit
			m_carry(t.frames[0].fn.owner, t)
			m_flush()
			continue
		if queue.size() == 0:
			if ending.size() > 0:
				w_bury()
			cascade = 0
			return
		var e = queue.pop_front()
		if not m_counted():
			return
		m_turn(e)

# m_counted says whether one more event or birth may follow from the others.
func m_counted():
	cascade += 1
	if cascade <= MaxEvents:
		return true
	m_report(SCENE, Fault.new("RUN003", "more than " + str(MaxEvents) + " events follow from each other"))
	queue = []
	born = []
	cascade = 0
	return false

func m_turn(e):
	m_note("event", e[0], e[1], e[2], null)
	stopped = false
	budget = turn_limit
	handling = true
	if e.size() > 3:
		w_within(e)
		m_flush()
		handling = false
		return
	var everywhere = e[0] == EVERYWHERE
	m_handlers(e, e[0], everywhere)
	for w in wires:
		if w.event == e[1] and (everywhere or w.from == e[0]):
			m_wire(w, e)
	if not everywhere:
		var at = m_parent(e[0])
		while at != "" and not stopped:
			m_handlers(e, at, false)
			at = m_parent(at)
	if not stopped:
		for s in subscriptions:
			if s.event == e[1] and (everywhere or s.from == e[0]):
				m_begin(s.owner, s.fn, [e[2]])
	s_event(e)
	m_flush()
	handling = false

func m_handlers(e, node, everywhere):
	if not heard_names.has(e[1]):
		return
	for h in handlers:
		if h.event == e[1] and (everywhere or h.node == node):
			m_begin(h.node, h.fn, [e[2]])

# m_parent is the node above; above the topmost nodes and modules is the scene.
func m_parent(node):
	if node == SCENE or node == EVERYWHERE:
		return ""
	if infos.has(node) and infos[node].parent != "":
		return infos[node].parent
	return SCENE

func m_wire(w, e):
	var owner = functions[w.fn].owner
	if w.has("set"):
		var mark = m_open()
		var v = m_call(w.fn, [e[2]], [])
		if fault == null:
			m_set(w["set"], v)
		m_close(owner, mark)
		return
	var args = []
	if w.has("args"):
		for a in w.args:
			args.append(constants[a])
	args.append(e[2])
	m_begin(owner, w.fn, args)

# m_begin runs a function as a turn that may wait.
func m_begin(owner, fn, args):
	if not handling:
		budget = turn_limit
	m_carry(owner, m_thread(functions[fn], args, [], 0))

func m_later(c, seconds, owner):
	waiting.append([m_after(seconds), m_thread(c.fn, [], c.boxes, 0), owner])

func m_thread(f, args, boxes, d):
	var t = Thread1.new()
	t.frames.append(m_frame(f, args, boxes, 0))
	t.depth = d
	return t

func m_frame(fn, args, boxes, base):
	var f = Frame.new()
	f.fn = fn
	f.base = base
	if fn.has("of"):
		f.of = fn.of
	f.locals.resize(fn.locals)
	var fixed = fn.params
	if fn.has("rest") and fn.rest: # the last one takes all that is left
		fixed -= 1
		f.locals[fixed] = List.new(v_part(args, fixed, args.size()))
	for i in range(int(n_min(fixed, args.size()))):
		f.locals[i] = args[i]
	for i in range(boxes.size()):
		f.locals[fn.params + i] = boxes[i]
	return f

func m_carry(owner, t):
	var mark = m_open()
	m_resume(t)
	if fault == null and sleeping >= 0.0:
		if waiting.size() + awake.size() >= MaxWaiting:
			o_fault("RUN003", "more than " + str(MaxWaiting) + " turns wait")
		else:
			waiting.append([m_after(sleeping), t, owner])
	sleeping = -1.0
	m_close(owner, mark)

# m_open and m_close hold a piece of work together: when it faults, nothing that
# it wrote stays. m_close says whether it did not.
func m_open():
	turn += 1
	made = 0
	undo = []
	if not handling:
		budget = turn_limit
	return [queue.size(), changed.size(), waiting.size(), depth]

func m_close(owner, mark):
	if fault == null:
		held += made
		if held > MaxHeld:
			held = m_measure()
			if held > MaxHeld:
				o_large("the state is too large")
	depth = mark[3]
	if fault == null:
		for i in range(mark[1], changed.size()):
			var slot = changed[i][0]
			var s = states[slot]
			m_note("set", s.owner, s.key, slots[slot], null)
			h_state(s.owner, s.key, slots[slot])
		return true
	var f = fault
	fault = null
	for i in range(undo.size() - 1, -1, -1):
		m_undo(undo[i])
	undo = []
	version += 1
	if queue.size() > mark[0]:
		queue.resize(mark[0])
	changed.resize(mark[1])
	if waiting.size() > mark[2]:
		waiting.resize(mark[2])
	m_report(owner, f)
	return false

func m_undo(u):
	match u[0]:
		"slot":
			slots[u[1]] = u[2]
			a_face(u[1], u[2])
		"list":
			u[1].items = u[2]
		"obj":
			u[1].map = u[2]
		"box":
			u[1].v = u[2]
		"prop":
			if u[3]:
				m_put_prop(u[1], u[2], u[4])
			elif props.has(u[1]) and props[u[1]].erase(u[2]):
				prop_count -= 1
			h_property(u[1], u[2])
		"spawn":
			w_forget(u[1])
		"instance":
			born.erase(u[1])
			w_unsettle(u[1])
		"gone":
			gone.erase(u[1])
			ending.pop_back()
		"lines":
			lines = u[1]
		"moving":
			moving = u[1]

func m_fault_value(f):
	if f.code == "RUN006" and typeof(f.thrown) != TEXT:
		return f.thrown
	return Obj.new({"message": f.message, "code": f.code})

# m_report brings a fault to the nearest handler of errors.
func m_report(owner, f):
	m_note("fault", owner, f.code, f.message, f)
	h_fault(owner, f)
	if faulted:
		return
	faulted = true
	var at = owner
	var found = false
	while at != "" and not found:
		for h in handlers:
			if h.event != "error" or h.node != at:
				continue
			var was = budget
			budget = turn_limit
			m_carry(at, m_thread(functions[h.fn], [m_fault_value(f)], [], depth))
			budget = was
			found = true
			break
		at = m_parent(at)
	faulted = false
