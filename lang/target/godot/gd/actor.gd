# What the scripts of nodes have in common. The scene runs them: it brings events
# in their order, undoes what a function wrote that fails, and keeps the state.
# Other scripts of a game may read and write the variables of these, connect to
# their signals, and raise events with tell().

var scene = null # the root, with its script scene.gd
var id = ""

# tell raises an event at this node; the nodes above hear it too.
func tell(event, payload = null):
	if scene != null:
		scene.a_tell(id, event, payload)

# put gives the node a property: "position", "color", "visible", "text" and the like.
func put(key, value):
	scene.m_put_node(id, key, scene.a_value(value))

# put_axis gives the x, y or z of a property a number.
func put_axis(key, axis, value):
	scene.a_axis(id, key, axis, value)

# prop is a property of the node.
func prop(key):
	return scene.m_node_member(id, key)

# axis is the x, y, z or w of a list.
func axis(list, name):
	return scene.o_member(list, name)

# keep passes on what is written to a variable.
func keep(key, value):
	if scene != null:
		scene.a_keep(id, key, value)

# state and set_state are keys of the state that have no variable.
func state(key):
	return scene.m_state_member(id, key)

func set_state(key, value):
	scene.m_put_state(id, key, scene.a_value(value))

# computed is a value that follows from state.
func computed(key):
	return scene.a_computed(id, key)

# ask calls an operation of the scene or of the game.
func ask(operation, args, from = ""):
	return scene.a_ask(id, operation, args, from)

# say writes a line of values.
func say(values):
	scene.a_ask(id, "log", values, "")

# own is this node as a value that events and lists may have.
func own():
	return scene.NodeRef.new(id)

# words is a value as text.
func words(value):
	return scene.m_printed(scene.a_value(value))

func truth(value):
	return scene.v_truthy(value)

func same(x, y):
	return scene.m_same(scene.a_value(x), scene.a_value(y))

# calc and order are operators for values that may be of any kind.
func calc(operator, x, y):
	return scene.a_calc(operator, x, y)

func order(operator, x, y):
	return scene.a_order(operator, x, y)

func within(x, list):
	return scene.o_within(x, scene.a_value(list))

func element(list, at):
	return scene.o_index(scene.a_value(list), at)

func member(value, key):
	return scene.o_member(value, key)

func method(value, name, args):
	return scene.t_method(value, name, scene.a_values(args))

# failed says whether something has failed; the function then ends.
func failed(line = 0, column = 0, function = ""):
	return scene.a_failed(line, column, function)
