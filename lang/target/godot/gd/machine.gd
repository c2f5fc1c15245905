# The machine that runs a program: turns, state, events, and the instructions.
# Equal programs and events give equal traces in every interpreter.

const SCENE = "scene" # owns what stands at the top of a source
const EVERYWHERE = "*" # the node of an event that belongs to no place
const WIDTH = [1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1]

class Frame:
	var fn
	var pc = 0
	var locals = []
	var base = 0
	var tries = []
	var of = null # the instance that the function belongs to

class Thread1:
	var frames = []
	var stack = []
	var depth = 0

var program = {}
var infos = {} # id → {parent, name}
var called = {}
var trace = []
var dropped = 0
var steps = 0
var serial = 0
var spent = 0
var stopped = false # the event goes no further
var handling = false
var step_limit = MaxStep
var turn_limit = MaxTurn
var queue = []
var fault = null
var tracing = false

var constants = []
var slots = []
var slot_of = {}
var by_name = {}
var caches = []
var props = {}
var prop_count = 0
var gone = {}
var version = 0
var waiting = []
var awake = []
var depth = 0
var budget = 0
var turn = 0
var made = 0
var held = 0
var cascade = 0
var spawned = {}
var undo = []
var changed = []
var faulted = false
var unknown = {}
var sleeping = -1.0
var heard_names = {}

# The tables of this machine: those of the program without what belongs to
# templates, and behind it what belongs to what was spawned.
var functions = []
var states = []
var computed = []
var computed_of = {}
var handlers = []
var subscriptions = []
var wires = []
var watches = []
var binds = []
var schedules = []
var timelines = []
var machines = []
var trees = []

# m_load takes a program and the nodes it is about: [id, parent, name, properties].
func m_load(p, nodes):
	program = p
	functions = p.functions.duplicate()
	states = p.state.duplicate()
	computed = p.computed.duplicate()
	w_prototypes(nodes)
	for n in nodes:
		if inert.has(n[0]):
			continue
		infos[n[0]] = {"parent": n[1], "name": n[2]}
		for key in n[3]:
			m_put_prop(n[0], key, v_in(n[3][key]))
	for c in p.consts:
		constants.append(v_in(c))
	for i in range(states.size()):
		slots.append(null)
		if not inert.has(states[i].owner):
			m_index(slot_of, states[i].owner, states[i].key, i)
	for i in range(functions.size()):
		if not inert.has(functions[i].owner):
			m_index(by_name, functions[i].owner, functions[i].name, i)
	for i in range(computed.size()):
		caches.append(m_cache())
		m_index(computed_of, computed[i].owner, computed[i].key, i)
	m_hear(handlers)
	n_seed(p.seed)
	a_load()

func m_cache():
	return {"v": null, "fresh": false, "busy": false, "version": 0}

# m_hear notes the names of events that handlers wait for.
func m_hear(rows):
	for h in rows:
		heard_names[h.event] = true

func m_index(into, owner, key, i):
	if not into.has(owner):
		into[owner] = {}
	if not into[owner].has(key):
		into[owner][key] = i

# m_start gives the state its first values, enters the machines and raises init,
# mount and start.
func m_start():
	var limit = turn_limit
	turn_limit = MaxLong
	for i in range(states.size()):
		var s = states[i]
		if inert.has(s.owner):
			continue
		if typeof(s.init) != TYPE_DICTIONARY:
			slots[i] = a_first(i, constants[s.init])
			continue
		if spent > MaxInit:
			m_report(s.owner, Fault.new("RUN001", "the first values take more than " + str(MaxInit) + " instructions"))
			break
		var mark = m_open()
		slots[i] = null
		slots[i] = m_call(s.init.fn, [], [])
		m_close(s.owner, mark)
	changed = []
	m_bind_all()
	turn_limit = limit
	s_start()
	b_start()
	c_start()
	for name in ["init", "mount", "start"]:
		if heard_names.has(name):
			queue.append([EVERYWHERE, name, null])
	m_drain()

func m_time():
	return n_real(steps) / n_real(program.rates.spatial)

func m_after(seconds):
	return steps + int(ceil(seconds * program.rates.spatial - 1e-9))

func m_inject(node, name, payload):
	if queue.size() < MaxEvents:
		queue.append([node, name, payload])

func m_tight():
	return spent >= step_limit

# m_step advances the time by one spatial step.
func m_step():
	steps += 1
	spent = 0
	cascade = 0
	c_schedules()
	c_timelines()
	var kept = []
	for w in waiting:
		if w[0] <= steps:
			awake.append(w[1])
		else:
			kept.append(w)
	waiting = kept
	s_timers()
	m_drain()
	c_tweens()
	b_run()
	if heard_names.has("update") and not m_tight():
		var there = false
		for e in queue:
			if e[1] == "update" and e[0] == EVERYWHERE:
				there = true
		if not there:
			queue.append([EVERYWHERE, "update", 1.0 / program.rates.spatial])
	m_drain()

func m_set(slot, v):
	var old = slots[slot]
	undo.append(["slot", slot, old])
	slots[slot] = v
	a_face(slot, v)
	version += 1
	var k = v_kind(v)
	if k != LIST and k != OBJ and v_same(old, v):
		return
	for c in changed:
		if c[0] == slot:
			return
	changed.append([slot, old])

# m_put sets a state key of the scene from outside, as a turn of its own.
func m_put(key, v):
	if not slot_of.has(SCENE) or not slot_of[SCENE].has(key):
		return
	handling = false
	var mark = m_open()
	m_set(slot_of[SCENE][key], v)
	m_close(SCENE, mark)
	m_flush()

# m_touch saves a list or an object before it changes, once in a turn.
func m_touch(v):
	version += 1
	if v.turn == turn:
		return
	v.turn = turn
	if v.kind == LIST:
		made += v.items.size()
		undo.append(["list", v, v.items.duplicate()])
	else:
		made += v.map.size()
		undo.append(["obj", v, v.map.duplicate()])

func m_computed(i):
	var c = caches[i]
	if c.fresh and c.version == version:
		return c.v
	if c.busy:
		return o_fault("RUN002", "computed '" + computed[i].key + "' needs itself")
	c.busy = true
	var v = m_call(computed[i].fn, [], [])
	c.busy = false
	if fault != null:
		return null
	c.v = v
	c.fresh = true
	c.version = version
	return v

# m_flush runs the watches of what changed, and then the bound properties.
func m_flush():
	if changed.size() == 0:
		return
	var now = changed
	changed = []
	for w in watches:
		for c in now:
			if c[0] != w.state:
				continue
			handling = false
			m_begin(functions[w.fn].owner, w.fn, [slots[w.state], c[1]])
	m_bind_all()
	var again = changed
	changed = []
	if again.size() > 0:
		m_bind_all() # what watches wrote is seen by the next flush

func m_bind_all():
	m_bind(binds)

func m_bind(rows):
	for b in rows:
		handling = false
		var mark = m_open()
		var v = m_call(b.fn, [], [])
		if fault == null and not v_same(m_property(b.node, b.property), v):
			m_set_property(b.node, b.property, v)
		m_close(b.node, mark)

func m_call(fn, args, boxes):
	return m_run(functions[fn], args, boxes)

# m_run runs a function to its end; it may not wait.
func m_run(f, args, boxes):
	if fault != null:
		return null
	if depth >= MaxCalls:
		return m_too_deep()
	depth += 1
	var v = m_resume(m_thread(f, args, boxes, depth))
	if sleeping >= 0.0:
		sleeping = -1.0
		o_wrong("await is not allowed here")
	depth -= 1
	return v if fault == null else null

func m_invoke(v, args):
	if fault != null or not o_callable(v):
		return null
	return m_run(v.fn, args, v.boxes) if m_alive(v) else null

# m_alive says whether what a function belongs to is still there.
func m_alive(v):
	return not v.fn.has("of") or not v.fn.of.gone

func m_too_deep():
	return o_fault("RUN002", "more than " + str(MaxCalls) + " calls within calls")
