# What a turn may cost, and what it leaves behind: budgets, sizes, the trace.

# m_charge counts work beyond one instruction.
func m_charge(n):
	budget -= n
	spent += n

func m_charge_text(s):
	if s.length() * 3 >= ChargeBytes:
		m_charge(int(v_bytes(s) / ChargeBytes))

func m_check_budget():
	if budget < 0:
		o_fault("RUN001", "the turn takes more than " + str(turn_limit) + " instructions")

func m_alloc(n):
	made += n
	m_charge(int(n / ChargeBytes))
	if made > MaxAlloc:
		o_large("a turn makes more than " + str(MaxAlloc))

func m_text(s):
	var n = v_bytes(s)
	if n > MaxText:
		return o_large("text of " + str(n) + " bytes")
	m_alloc(n)
	return s

func m_list(items):
	if items.size() > MaxItems:
		return o_large("list of " + str(items.size()) + " elements")
	m_alloc(items.size() + 1)
	return List.new(items)

# m_printed is a value as text; printing a large one is work.
func m_printed(v):
	var k = v_kind(v)
	if k == TEXT:
		return v
	var s = v_text(v)
	if k == LIST or k == OBJ:
		m_charge_text(s)
	return s

func m_same(a, b):
	var yes = v_same(a, b)
	m_charge(int((MaxItems - equal_left) / ChargeElements))
	return yes

# m_find is the place of a value in a list, -1 without one.
func m_find(items, x):
	for i in range(items.size()):
		if i % ChargeElements == ChargeElements - 1:
			m_charge(1)
		if m_same(items[i], x):
			return i
		if budget < 0:
			m_check_budget()
			return -1
	return -1

# m_numbers are the first arguments as numbers; those that are not given are 0.
func m_numbers(a, n):
	var out = []
	for i in range(n):
		out.append(0.0)
	for i in range(int(n_min(n, a.size()))):
		var v = v_number(a[i])
		if v == null:
			o_wrong("argument " + str(i + 1) + " is " + v_type(a[i]) + ", not a number")
			return out
		out[i] = v
	return out

func m_log(node, text):
	m_note("log", node, "", text, null)
	h_log(node, v_short(text))

# m_note appends to the trace. Values are printed at once: they may change later.
func m_note(kind, node, name, value, f):
	if not tracing:
		return
	if trace.size() >= MaxTrace or made > MaxAlloc:
		dropped += 1
		return
	var text
	match v_kind(value):
		LIST, OBJ, FN:
			text = v_short(v_text(value))
		TEXT:
			text = v_quote(v_short(value))
		_:
			text = v_text(value)
	var place = [f.function, f.line, f.column] if f != null else ["", 0, 0]
	trace.append([m_time(), kind, node, name, text, place])

# m_measure counts what state, properties and waiting turns hold.
func m_measure():
	var seen = {}
	var work = slots.duplicate()
	for node in props:
		work += props[node].values()
	for e in queue:
		work.append(e[2])
	for w in waiting:
		for f in w[1].frames:
			work += f.locals
		work += w[1].stack
	var n = 0
	while work.size() > 0 and n <= MaxHeld:
		var v = work.pop_back()
		n += 1
		var k = v_kind(v)
		if k == TEXT:
			n += v_bytes(v)
		if k < LIST:
			continue
		if k != ITER:
			if seen.has(v):
				continue
			seen[v] = true
		if k == LIST or k == ITER:
			work += v.items
		elif k == OBJ:
			for key in v.map:
				n += v_bytes(key)
				work.append(v.map[key])
		elif k == FN:
			for b in v.boxes:
				work.append(b.v)
		elif k == BOX:
			work.append(v.v)
	return n
