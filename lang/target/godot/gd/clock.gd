# What begins by itself: schedules, timelines, and properties on their way.

class Tween1:
	var node
	var key
	var from
	var to
	var since
	var seconds
	var easing

var due = []
var lines = [] # [on, since, next] of each timeline; replaced as a whole
var moving = [] # tweens; replaced as a whole

func c_start():
	for s in schedules:
		due.append([m_after(s.after), true])
	for t in timelines:
		lines.append([t.autoplay, 0, 0])

func c_begin(fn):
	handling = false
	m_begin(functions[fn].owner, fn, [])
	m_flush()

# c_schedules begins what is due, in the order of the source.
func c_schedules():
	for i in range(due.size()):
		var s = due[i]
		if not s[1] or s[0] > steps or m_tight():
			continue
		var d = schedules[i]
		if d.forever:
			s[0] = steps + 1
		elif d.every > 0:
			s[0] = int(n_max(m_after(d.every), steps + 1))
		else:
			s[1] = false
		c_begin(d.fn)

func c_timelines():
	for i in range(lines.size()):
		var d = timelines[i]
		while true:
			var t = lines[i]
			if not t[0] or m_tight() or t[2] >= d.steps.size() or n_real(steps - t[1]) / program.rates.spatial < d.steps[t[2]][0] - 1e-9:
				break
			t[2] += 1
			c_begin(d.steps[t[2] - 1][1])
		var t = lines[i]
		if t[2] == d.steps.size():
			t[0] = t[0] and d.loop and d.steps.size() > 0
			t[1] = steps
			t[2] = 0

# c_turn_on starts timelines from their beginning or stops them; false without one
# of the name.
func c_turn_on(id, on):
	var found = false
	var next = []
	for i in range(lines.size()):
		if timelines[i].id == id:
			found = true
			next.append([on, steps, 0])
		else:
			next.append(lines[i])
	if found:
		undo.append(["lines", lines])
		lines = next
	return found

# c_tween sends a property of a node to a value: property, value, seconds and
# easing, the last two also by name.
func c_tween(node, a):
	var seconds = t_at(a, 2)
	var easing = t_at(a, 3)
	var named = a[a.size() - 1] if a.size() > 2 else null
	if v_kind(named) == OBJ:
		if a.size() == 3:
			seconds = null
		if a.size() == 4:
			easing = null
		if named.map.has("duration") and named.map["duration"] != null:
			seconds = named.map["duration"]
		if named.map.has("easing") and named.map["easing"] != null:
			easing = named.map["easing"]
	var key = m_printed(t_at(a, 0))
	var long = 1.0
	if seconds != null:
		var n = v_number(seconds)
		if n != null:
			long = 0.0 if is_nan(n) else l_between(n, 0.0, 1e9)
	var kept = []
	for o in moving:
		if o.node != node or o.key != key:
			kept.append(o)
	if kept.size() >= MaxWaiting:
		return o_fault("RUN003", "more than " + str(MaxWaiting) + " properties move")
	m_charge(int(kept.size() / ChargeElements))
	var t = Tween1.new()
	t.node = node
	t.key = key
	t.from = v_copy(m_property(node, key), MaxDepth)
	t.to = v_copy(t_at(a, 1), MaxDepth)
	t.since = steps
	t.seconds = long
	t.easing = "linear" if easing == null else m_printed(easing)
	kept.append(t)
	undo.append(["moving", moving])
	moving = kept

func c_tweens():
	for t in moving.duplicate():
		if m_tight():
			return
		var u = n_min(1.0, n_real(steps - t.since) / program.rates.spatial / t.seconds) if t.seconds > 0.0 else 1.0
		handling = false
		var mark = m_open()
		var v = c_between(t, u)
		if fault == null:
			m_set_property(t.node, t.key, v)
		var ok = m_close(t.node, mark)
		m_flush()
		if ok and u < 1.0:
			continue
		var kept = []
		for o in moving:
			if o != t:
				kept.append(o)
		moving = kept
		if ok and heard_names.has("animation_end"):
			m_inject(t.node, "animation_end", t.key)

func c_between(t, u):
	if u >= 1.0:
		return v_copy(t.to, MaxDepth)
	var k = v_kind(t.from)
	if k == v_kind(t.to) and (k == LIST or k == NUM):
		return l_mix(t.from, t.to, l_easing(t.easing, u))
	return t.from
