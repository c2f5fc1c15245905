# Templates: what spawn makes nodes of. A prototype is inert; what is spawned has
# nodes, state, functions and rows of its own.

# A prototype with the rows that belong to it. The places of its state, computed
# values and functions in the program are known by their rank.
class Template1:
	var name
	var nodes = [] # [id, place of the parent among them or -1, name, properties]
	var size = 0 # rows of all kinds
	var state = []
	var computed = []
	var functions = []
	var state_at = {} # place → rank
	var computed_at = {}
	var functions_at = {}
	var rows = {} # table → rows
	var free = [] # rooms that were given back: [state, computed, functions]

# What spawn made of a template, and where its state, computed values and
# functions begin.
class Instance1:
	var template
	var ids = {} # of the prototype's node → its own
	var root = ""
	var gone = false # its room is another's now
	var state = 0
	var computed = 0
	var functions = 0

var templates = {} # name → template
var inert = {} # id of a prototype's node → template
var instances = {} # root → instance

# w_prototypes takes what belongs to templates out of the tables.
func w_prototypes(nodes):
	for t in program.templates if program.has("templates") else []:
		w_prototype(t, nodes)
	w_places(states, "state", "state_at")
	w_places(computed, "computed", "computed_at")
	w_places(functions, "functions", "functions_at")
	handlers = w_live("handlers")
	subscriptions = w_live("subscriptions")
	wires = w_live("wires")
	watches = w_live("watches")
	binds = w_live("binds")
	schedules = w_live("schedules")
	timelines = w_live("timelines")
	machines = w_live("machines")
	trees = w_live("trees")

func w_prototype(t, nodes):
	var out = Template1.new()
	out.name = t.name
	out.size = t.nodes.size()
	var rank = {}
	for id in t.nodes:
		var n = [id, -1 if rank.size() == 0 else 0, id, {}]
		for known in nodes:
			if known[0] == id:
				n = [id, rank[known[1]] if rank.has(known[1]) else n[1], known[2], known[3]]
		rank[id] = out.nodes.size()
		out.nodes.append(n)
		inert[id] = out
	out.nodes[0][2] = t.name
	templates[t.name] = out

func w_places(table, of, at):
	for i in range(table.size()):
		if inert.has(table[i].owner):
			var t = inert[table[i].owner]
			t.get(at)[i] = t.get(of).size()
			t.get(of).append(i)
			t.size += 1

# w_owner is the node that a row of a table belongs to.
func w_owner(table, row):
	match table:
		"handlers", "binds", "machines", "trees":
			return row.node
		"subscriptions":
			return row.owner
		"timelines":
			return functions[int(row.steps[0][1])].owner if row.steps.size() > 0 else ""
	return functions[row.fn].owner

# w_live are the rows of a table of the program that belong to no template.
func w_live(table):
	var out = []
	for row in program[table]:
		var owner_id = w_owner(table, row)
		if not inert.has(owner_id):
			out.append(row)
			continue
		var t = inert[owner_id]
		t.size += 1
		if not t.rows.has(table):
			t.rows[table] = []
		t.rows[table].append(row)
	return out

# What a place, or a node, of a prototype is in an instance.

func w_node(of, id):
	return of.ids[id] if of.ids.has(id) else id

func w_slot(of, i):
	return of.state + of.template.state_at[i] if of.template.state_at.has(i) else i

func w_computed(of, i):
	return of.computed + of.template.computed_at[i] if of.template.computed_at.has(i) else i

func w_function(of, i):
	return of.functions + of.template.functions_at[i] if of.template.functions_at.has(i) else i

# w_settle finds room for the state, computed values and functions of an instance.
func w_settle(one):
	var t = one.template
	if t.free.size() > 0:
		var room = t.free.pop_back()
		one.state = room[0]
		one.computed = room[1]
		one.functions = room[2]
	else:
		one.state = states.size()
		one.computed = computed.size()
		one.functions = functions.size()
		for _i in t.state:
			states.append(null)
			slots.append(null)
		for _i in t.computed:
			computed.append(null)
			caches.append(null)
		for _i in t.functions:
			functions.append(null)
	for i in range(t.state.size()):
		var row = w_owned(one, states[t.state[i]])
		if typeof(row.init) == TYPE_DICTIONARY:
			row.init = {"fn": w_function(one, row.init.fn)}
		states[one.state + i] = row
		m_index(slot_of, row.owner, row.key, one.state + i)
	for i in range(t.computed.size()):
		var row = w_owned(one, computed[t.computed[i]])
		row.fn = w_function(one, row.fn)
		computed[one.computed + i] = row
		caches[one.computed + i] = m_cache()
		m_index(computed_of, row.owner, row.key, one.computed + i)
	for i in range(t.functions.size()):
		var row = w_owned(one, functions[t.functions[i]])
		row["of"] = one
		functions[one.functions + i] = row
		m_index(by_name, row.owner, row.name, one.functions + i)

func w_owned(one, row):
	var out = row.duplicate()
	out.owner = w_node(one, row.owner)
	return out

# w_unsettle gives the room of an instance back.
func w_unsettle(one):
	var t = one.template
	one.gone = true
	instances.erase(one.root)
	row_count -= t.size
	for i in range(t.state.size()):
		slots[one.state + i] = null
		states[one.state + i] = BLANK
	for i in range(t.computed.size()):
		caches[one.computed + i] = m_cache()
		computed_of.erase(computed[one.computed + i].owner)
		computed[one.computed + i] = BLANK
	for i in range(t.functions.size()):
		functions[one.functions + i] = BLANK
	t.free.append([one.state, one.computed, one.functions])

const BLANK = {"owner": "", "key": "", "name": ""}
