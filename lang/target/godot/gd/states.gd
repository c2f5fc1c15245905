# State machines at work.

var running = [] # [state, since, fired] of each machine

# s_chain is a state with those around it, innermost first.
func s_chain(d, state):
	var out = []
	while state >= 0:
		out.append(state)
		state = d.states[state].parent
	return out

func s_start():
	for i in range(machines.size()):
		s_begin(i)

func s_begin(i):
	running.append([-1, 0, false])
	s_move(i, machines[i].initial, -1)

# s_current is the name of the state of a node's machine.
func s_current(node):
	for i in range(running.size()):
		var d = machines[i]
		if d.node == node and running[i][0] >= 0:
			return d.states[running[i][0]].name
	return null

func s_act(node, fn):
	if fn >= 0:
		m_begin(node, fn, [])

# s_move leaves the states that are not around the new one, runs the action and
# enters, the outer states first.
func s_move(i, to, action):
	var d = machines[i]
	var from = running[i][0]
	var old = s_chain(d, from)
	var now = s_chain(d, to)
	var common = 0
	if from != to:
		while common < old.size() and common < now.size() and old[old.size() - 1 - common] == now[now.size() - 1 - common]:
			common += 1
	else:
		common = int(n_max(0, now.size() - 1))
	for j in range(old.size() - common):
		s_act(d.node, d.states[old[j]].exit)
	s_act(d.node, action)
	running[i] = [to, steps, false]
	for j in range(now.size() - 1 - common, -1, -1):
		s_act(d.node, d.states[now[j]].entry)
	m_note("state", d.node, d.states[to].name, null, null)
	if from >= 0 and heard_names.has("state_exit"):
		queue.append([d.node, "state_exit", d.states[from].name])
	if heard_names.has("state_enter"):
		queue.append([d.node, "state_enter", d.states[to].name])

# s_event offers an event to the machines of its node and of those above.
func s_event(e):
	for i in range(running.size()):
		var node = machines[i].node
		if e.size() > 3:
			if w_below(node, e[0]):
				s_offer(i, e)
			continue
		var concerned = e[0] == EVERYWHERE
		var at = e[0]
		while at != "" and not concerned:
			concerned = at == node
			at = m_parent(at)
		if concerned:
			s_offer(i, e)

# s_offer takes the first transition whose guard holds.
func s_offer(i, e):
	var d = machines[i]
	var places = s_chain(d, running[i][0])
	for j in range(d.states.size()):
		if d.states[j].name == "*":
			places.append(j)
	for s in places:
		for t in d.states[s].on:
			if t.event != e[1] or t.guard >= 0 and not s_holds(d.node, t.guard, e[2]):
				continue
			s_move(i, t.to, t.action)
			return true
	if e[1] != "transition" or typeof(e[2]) != TEXT or e[2] == "*":
		return false
	for j in range(d.states.size()):
		if d.states[j].name == e[2]: # transition("open")
			s_move(i, j, -1)
			return true
	return false

func s_holds(owner, fn, payload):
	var mark = m_open()
	var yes = v_truthy(m_call(fn, [payload], []))
	return m_close(owner, mark) and yes

# s_timers lets the states time out that were held for long enough.
func s_timers():
	for i in range(running.size()):
		var d = machines[i]
		for s in s_chain(d, running[i][0]):
			var after = d.states[s].after if d.states[s].has("after") else []
			if after.size() == 0 or running[i][2] or n_real(steps - running[i][1]) / program.rates.spatial < after[0] - 1e-9:
				continue
			running[i][2] = true
			handling = false
			if not s_offer(i, [d.node, "timeout", null]) and after[1] >= 0:
				s_move(i, int(after[1]), -1)
			m_flush()
			break
