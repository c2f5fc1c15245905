# The pointer and the keyboard.

var pressed = ""
var pressed_at = Vector2()
var holding = ""
var hold_depth = 0.0
var hold_offset = Vector3()

func x_pointer():
	for t in TOUCHES:
		if objects.has(t[0]):
			x_watch(t[0], get_node(t[1]))

func x_watch(id, o):
	d_connect(o, "input_event", "x_input", [id])
	d_connect(o, "mouse_entered", "x_over", [id, "hover_enter"])
	d_connect(o, "mouse_exited", "x_over", [id, "hover_exit"])

# x_seen says whether a node is shown: what is hidden is not pointed at.
func x_seen(id):
	return objects.has(id) and objects[id].is_visible_in_tree()

func x_over(id, event):
	if x_seen(id) or event == "hover_exit":
		raise_event(id, event, {"hand": "pointer"})

func x_point(at):
	return {"point": [at.x, at.y, at.z], "hand": "pointer"}

func x_input(_camera, event, at, _normal, _shape, id):
	if not (event is InputEventMouseButton) or event.button_index != 1:
		return
	if not x_seen(id):
		return
	if event.pressed:
		pressed = id
		pressed_at = event.position
		raise_event(id, "press", x_point(at))
		if d_double(event):
			raise_event(id, "double_click", x_point(at))
		var g = x_grabbed(id)
		if g != "":
			x_hold(g, at)
	elif pressed == id:
		pressed = ""
		raise_event(id, "release", x_point(at))
		if (event.position - pressed_at).length() <= 6.0:
			select(id, x_point(at))

# select is a click on a node, of a pointer or of a controller.
func select(id, payload):
	raise_event(id, "click", payload)
	raise_event(id, "tap", payload)

# x_grabbed is the node that a hand takes where it meets another: itself or one
# above it.
func x_grabbed(id):
	var at = id
	while at != "":
		if GRABS.has(x_like(at)):
			return at
		at = places[at][3] if places.has(at) else ""
	return ""

func x_hold(id, at):
	var eye = d_camera()
	if eye == null or not take(id, "pointer"):
		return
	holding = id
	hold_depth = -(eye.global_transform.affine_inverse() * d_place(Basis(), at)).origin.z
	hold_offset = objects[id].global_transform.origin - at

func _input(event):
	if holding == "":
		return
	if event is InputEventMouseMotion:
		var eye = d_camera()
		if eye != null:
			carry(holding, eye.project_position(event.position, hold_depth) + hold_offset)
	elif event is InputEventMouseButton and not event.pressed and event.button_index == 1:
		let_go(holding, "pointer")
		holding = ""

func _unhandled_key_input(event):
	if not event.echo:
		raise_event(EVERYWHERE, "key_down" if event.pressed else "key_up", {"key": d_key(event)})
