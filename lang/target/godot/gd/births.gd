# Nodes that come and go while a program runs.

var row_count = 0 # rows of what was spawned
var born = [] # instances that do not work yet
var ending = [] # nodes that were destroyed in this step

# m_spawn makes a node of a template's name; where the program has the template,
# with all nodes and the behaviour of its prototype. What is made works from the
# end of the turn on.
func m_spawn(owner_id, name, place, overrides):
	var t = templates[name] if templates.has(name) else null
	if spawned.size() + (1 if t == null else t.nodes.size()) > MaxSpawned:
		return o_large("more than " + str(MaxSpawned) + " nodes")
	if t != null and row_count + t.size > MaxRows:
		return o_large("more than " + str(MaxRows) + " rows are spawned")
	if t != null:
		m_charge(int(t.size / ChargeRows))
	var parent = ""
	if owner_id != SCENE and infos.has(owner_id):
		parent = infos[owner_id].parent
	var before = undo.size()
	var changes = changed.size()
	var given = overrides.map if v_kind(overrides) == OBJ else {}
	var root
	if t == null:
		root = w_arrive(name, parent)
		h_spawned(root, name, "", parent)
		w_dress(root, place, given)
	else:
		var one = w_instance(t, parent)
		root = one.root
		w_dress(root, place, given)
		w_first_values(one)
		for key in given:
			if fault == null and m_slot(root, key) >= 0:
				m_set(m_slot(root, key), given[key])
	if fault == null:
		return NodeRef.new(root)
	while undo.size() > before: # a catch may go on, without half a node
		m_undo(undo.pop_back())
	changed.resize(changes)
	return null

# w_dress puts a node in its place and sets its properties; those that are state
# come after the first values, which may read the others.
func w_dress(node, place, given):
	if place != null:
		m_set_property(node, "position", place)
	for key in given:
		if fault == null and m_slot(node, key) < 0:
			m_set_property(node, key, given[key])

# w_first_values gives the state of an instance its first values.
func w_first_values(one):
	for i in range(one.template.state.size()):
		var init = states[one.state + i].init
		if fault != null:
			return
		slots[one.state + i] = m_call(init.fn, [], []) if typeof(init) == TYPE_DICTIONARY else constants[init]

# w_arrive gives a node an id of its own.
func w_arrive(name, parent):
	serial += 1
	var id = "s" + str(serial)
	spawned[id] = true
	infos[id] = {"parent": parent, "name": name}
	undo.append(["spawn", id])
	m_note("spawn", id, name, null, null)
	return id

# w_instance makes the nodes of a template, with room for their state, computed
# values and functions. They are taken back with the turn.
func w_instance(t, parent):
	var one = Instance1.new()
	one.template = t
	for n in t.nodes:
		var id = w_arrive(n[2], parent if n[1] < 0 else one.ids[t.nodes[n[1]][0]])
		one.ids[n[0]] = id
		for key in n[3]:
			m_put_prop(id, key, v_in(n[3][key]))
	one.root = one.ids[t.nodes[0][0]]
	instances[one.root] = one
	row_count += t.size
	w_settle(one)
	born.append(one)
	undo.append(["instance", one])
	for n in t.nodes:
		h_spawned(one.ids[n[0]], n[2], n[0], infos[one.ids[n[0]]].parent)
	return one

# w_birth sets an instance to work: its rows join the tables, its machines enter
# their first states, and it gets its beginning.
func w_birth(one):
	if gone.has(one.root):
		return
	handling = false
	for i in range(one.template.state.size()):
		var s = states[one.state + i]
		h_state(s.owner, s.key, slots[one.state + i])
	var rows = one.template.rows
	for row in w_rows(one, rows, "handlers"):
		row.node = w_node(one, row.node)
		handlers.append(row)
		heard_names[row.event] = true
	for row in w_rows(one, rows, "subscriptions"):
		row.from = w_node(one, row.from)
		row.owner = w_node(one, row.owner)
		subscriptions.append(row)
	for row in w_rows(one, rows, "wires"):
		row.from = w_node(one, row.from)
		if row.has("set"):
			row["set"] = w_slot(one, row["set"])
		wires.append(row)
	for row in w_rows(one, rows, "watches"):
		row.state = w_slot(one, row.state)
		watches.append(row)
	var bound_now = w_rows(one, rows, "binds")
	for row in bound_now:
		row.node = w_node(one, row.node)
		binds.append(row)
	m_bind(bound_now)
	for row in w_rows(one, rows, "machines"):
		row.node = w_node(one, row.node)
		row.states = w_machine(one, row.states)
		machines.append(row)
		s_begin(machines.size() - 1)
	for row in w_rows(one, rows, "trees"):
		row.node = w_node(one, row.node)
		row.root = w_tree(one, row.root)
		b_begin(row)
	for row in w_rows(one, rows, "schedules"):
		schedules.append(row)
		due.append([m_after(row.after), true])
	for row in w_rows(one, rows, "timelines"):
		var own = []
		for s in row.steps:
			own.append([s[0], w_function(one, int(s[1]))])
		row.steps = own
		timelines.append(row)
		lines.append([row.autoplay, steps, 0])
	for name in ["init", "mount", "start"]:
		if heard_names.has(name):
			queue.append([one.root, name, null, true])

# w_rows are an instance's own rows of a table.
func w_rows(one, rows, table):
	var out = []
	for from in rows[table] if rows.has(table) else []:
		var row = from.duplicate()
		if row.has("fn"):
			row.fn = w_function(one, row.fn)
		out.append(row)
	return out

func w_machine(one, from):
	var out = []
	for s in from:
		var state = s.duplicate()
		state.entry = w_function(one, s.entry)
		state.exit = w_function(one, s.exit)
		state.on = []
		for t in s.on:
			var edge = t.duplicate()
			edge.guard = w_function(one, t.guard)
			edge.action = w_function(one, t.action)
			state.on.append(edge)
		out.append(state)
	return out

func w_tree(one, from):
	var out = from.duplicate()
	out.fn = w_function(one, from.fn)
	out.children = []
	for c in from.children:
		out.children.append(w_tree(one, c))
	return out

# w_below says whether a node is another or lies below it.
func w_below(node, above):
	var at = node
	while at != "":
		if at == above:
			return true
		at = m_parent(at)
	return false

# w_within runs what handles an event that is for a node and those below it alone.
func w_within(e):
	if heard_names.has(e[1]):
		for h in handlers:
			if h.event == e[1] and w_below(h.node, e[0]):
				m_begin(h.node, h.fn, [e[2]])
	s_event(e)

# w_bury ends what was destroyed with all below it: rows, turns that wait and
# properties on their way. What was spawned is forgotten.
func w_bury():
	var dead = {}
	for id in ending:
		dead[id] = true
	ending = []
	for id in infos:
		if dead.has(infos[id].parent):
			dead[id] = true
	handlers = w_left(dead, "handlers", handlers)
	subscriptions = w_left(dead, "subscriptions", subscriptions)
	wires = w_left(dead, "wires", wires)
	watches = w_left(dead, "watches", watches)
	binds = w_left(dead, "binds", binds)
	due = w_left(dead, "schedules", schedules, due)
	schedules = w_left(dead, "schedules", schedules)
	lines = w_left(dead, "timelines", timelines, lines)
	timelines = w_left(dead, "timelines", timelines)
	running = w_left(dead, "machines", machines, running)
	machines = w_left(dead, "machines", machines)
	var kept = []
	for w in walks:
		if not dead.has(w.tree.node):
			kept.append(w)
	walks = kept
	kept = []
	for w in waiting:
		if not w_held(dead, w[1]):
			kept.append(w)
	waiting = kept
	kept = []
	for t in moving:
		if not dead.has(t.node):
			kept.append(t)
	moving = kept
	heard_names = {}
	m_hear(handlers)
	for id in dead:
		if instances.has(id):
			w_unsettle(instances[id])
		if spawned.has(id):
			w_forget(id)
		else:
			h_ended(id)

# w_held says whether a turn that waits is in a function of what is dead.
func w_held(dead, t):
	for f in t.frames:
		if dead.has(f.fn.owner):
			return true
	return false

# w_left is what is left of a table, or of what goes along with its rows.
func w_left(dead, table, rows, along = null):
	var out = []
	for i in range(rows.size()):
		if not dead.has(w_owner(table, rows[i])):
			out.append(rows[i] if along == null else along[i])
	return out

# w_forget takes everything away that is kept by the id of a spawned node.
func w_forget(id):
	infos.erase(id)
	spawned.erase(id)
	gone.erase(id)
	for key in [id, id + "/state"]:
		if props.has(key):
			prop_count -= props[key].size()
			var _there = props.erase(key)
	slot_of.erase(id)
	by_name.erase(id)
	computed_of.erase(id)
	h_forgotten(id)
