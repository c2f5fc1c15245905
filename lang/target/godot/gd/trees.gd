# Behaviour trees at work. An outcome is success, failure or running.

class Visit:
	var children = []
	var at = 0 # the child that runs
	var order = null # of random_selector
	var since = -1 # the step in which it began
	var times = 0
	var until = 0 # end of a cooldown
	var done = null
	var data
	# reset makes a node as if it had not begun; a cooldown goes on.
	func reset():
		at = 0
		times = 0
		order = null
		done = null
		since = -1
		for c in children:
			c.reset()

var walks = []
var tick_left = 0

func b_visit(data):
	var v = Visit.new()
	v.data = data
	for c in data.children:
		v.children.append(b_visit(c))
	return v

func b_start():
	for tree in trees:
		b_begin(tree)

func b_begin(tree):
	walks.append({"tree": tree, "root": b_visit(tree.root), "next": 0.0, "over": false})

# b_run ticks the trees whose time has come.
func b_run():
	for w in walks:
		if w.over or m_tight() or steps < w.next - 1e-9:
			continue
		w.next = n_max(w.next, steps - 1.0) + n_real(program.rates.spatial) / w.tree.rate
		tick_left = MaxEvents
		handling = false
		if b_tick(w.tree.node, w.root) != "running":
			w.root.reset()
			w.over = not w.tree.restart
		if tick_left < 0:
			m_report(w.tree.node, Fault.new("RUN003", "a tick takes more than " + str(MaxEvents) + " tree nodes"))
		m_flush()

func b_duration(v):
	return v.data.params.duration if v.data.params.has("duration") else 0.0

func b_elapsed(v):
	return n_real(steps - v.since) / program.rates.spatial >= b_duration(v) - 1e-9

func b_tick(owner, v):
	tick_left -= 1
	if tick_left < 0:
		return "failure"
	if v.since < 0:
		v.since = steps
	var fn = v.data.fn
	match v.data.type:
		"sequence", "selector", "random_selector":
			return b_in_order(owner, v)
		"parallel":
			return b_all(owner, v)
		"inverter":
			var r = b_tick(owner, v.children[0])
			return r if r == "running" else "failure" if r == "success" else "success"
		"succeeder":
			return "running" if b_tick(owner, v.children[0]) == "running" else "success"
		"repeater", "retry", "until_fail":
			return b_again(v, b_tick(owner, v.children[0]))
		"cooldown":
			if steps < v.until:
				return "failure"
			var r = b_tick(owner, v.children[0])
			if r != "running":
				v.until = m_after(b_duration(v))
				v.children[0].reset()
			return r
		"guard":
			if s_holds(owner, fn, null):
				return b_tick(owner, v.children[0])
			v.children[0].reset()
			return "failure"
		"timeout":
			var r = b_tick(owner, v.children[0])
			if r != "running" or not b_elapsed(v):
				return r
			v.children[0].reset()
			return "failure"
		"condition":
			return "success" if s_holds(owner, fn, null) else "failure"
		"wait":
			return "success" if b_elapsed(v) else "running"
	return b_action(owner, fn)

# b_action calls the function of a leaf: what it gives is the result by name.
func b_action(owner, fn):
	var mark = m_open()
	var v = m_call(fn, [], [])
	var failed = fault != null
	var out = "success"
	if failed or typeof(v) == BOOL and not v:
		out = "failure"
	elif typeof(v) == TEXT and (v == "failure" or v == "running"):
		out = v
	m_close(owner, mark)
	return out

# b_in_order goes through the children until one decides, and comes back to the
# one that runs.
func b_in_order(owner, v):
	var go_on = "success" if v.data.type == "sequence" else "failure"
	if v.data.type == "random_selector" and v.order == null:
		v.order = b_shuffled(v.children.size())
	while v.at < v.children.size():
		var which = v.order[v.at] if v.order != null else v.at
		var c = v.children[which]
		var r = b_tick(owner, c)
		if r == "running":
			return r
		c.reset()
		if r != go_on:
			v.at = 0
			v.order = null
			return r
		v.at += 1
	v.at = 0
	v.order = null
	return go_on

func b_shuffled(n):
	var out = range(n)
	for i in range(n - 1, 0, -1):
		var j = int(n_random() * (i + 1))
		var x = out[i]
		out[i] = out[j]
		out[j] = x
	return out

# b_all runs the children side by side. Policy all succeeds when all do and fails
# with the first; any is the other way round.
func b_all(owner, v):
	if v.done == null:
		v.done = []
		for c in v.children:
			v.done.append("running")
	var any = v.data.params.has("policy") and v.data.params.policy == "any"
	var decides = "success" if any else "failure"
	var still = false
	for i in range(v.done.size()):
		if v.done[i] == "running":
			v.done[i] = b_tick(owner, v.children[i])
		if v.done[i] == decides:
			v.reset()
			return decides
		still = still or v.done[i] == "running"
	if still:
		return "running"
	v.reset()
	return "failure" if any else "success"

# b_again is what a repeating decorator makes of its child: one run in a tick.
func b_again(v, r):
	if r == "running":
		return r
	v.children[0].reset()
	v.times += 1
	if v.data.type == "until_fail":
		return "success" if r == "failure" else "running"
	if v.data.type == "retry" and r == "success":
		v.times = 0
		return r
	var most = v.data.params.times if v.data.params.has("times") else 0
	if most > 0 and v.times >= most:
		v.times = 0
		return r
	return "running"
