# Bodies: the engine moves them, and the program is informed.

var BODY_OF = x_body_index() # id → [kind, whether it moves by itself]
var carried = {} # id → where a hand has it

func x_body_index():
	var out = {}
	for b in BODIES:
		out[b[0]] = [b[1], b[2]]
	return out

func x_bodies():
	var strength = Vector3(GRAVITY[0], GRAVITY[1], GRAVITY[2])
	d_gravity(strength)
	for b in BODIES:
		if objects.has(b[0]):
			x_watch_body(b[0], objects[b[0]])
	for b in BODIES:
		if objects.has(b[0]):
			x_apart(b[0], objects[b[0]])

# x_body_born sets the body of what was spawned to its place.
func x_body_born(id, o):
	if is_inside_tree():
		x_settle_body(id, o, places[id])
	x_apart(id, o)

# x_apart keeps what hangs on one moving body from pushing each other.
func x_apart(id, o):
	var at = id
	while BODY_OF[id][0] != "Area" and places.has(at):
		at = places[at][3]
		if BODY_OF.has(at) and BODY_OF[at][0] == "Rigid" and objects.has(at):
			objects[at].add_collision_exception_with(o)

func x_watch_body(id, o):
	if BODY_OF[id][0] == "Rigid":
		d_connect(o, "body_entered", "x_met", [id, "collision_enter"])
		d_connect(o, "body_exited", "x_met", [id, "collision_exit"])
		d_free(o) # what is above may move: the engine alone moves the body
	elif BODY_OF[id][0] == "Area":
		d_connect(o, "body_entered", "x_met", [id, "trigger_enter"])
		d_connect(o, "body_exited", "x_met", [id, "trigger_exit"])

func x_id_of(o):
	for id in objects:
		if objects[id] == o:
			return id
	return ""

func x_met(other, id, event):
	var with = x_id_of(other)
	if with == "" or with == id:
		return
	raise_event(id, event, {"other": with})
	# The other one is informed too, unless it is of the kind that says so itself.
	if BODY_OF.has(with) and BODY_OF[id][0] != BODY_OF[with][0]:
		raise_event(with, event, {"other": id})

# x_settle_body puts a body where the program has it. Bodies have no scale; what
# belongs to them has that of the world.
func x_settle_body(id, o, p):
	var to = x_above(id) * d_place(p[1], p[0])
	o.global_transform = d_place(to.basis.orthonormalized(), to.origin)
	if BODY_OF[id][0] == "Rigid":
		o.sleeping = false
	if o.has_node("Form"):
		var s = x_above(id).basis.get_scale() * p[2]
		o.get_node("Form").transform = d_place(x_stretched(Basis(), s), Vector3())

# x_moved informs the program where bodies went.
func x_moved(dt):
	for id in carried.keys():
		x_carry(id, carried[id], dt)
	for id in BODY_OF:
		if BODY_OF[id][0] != "Rigid" or not objects.has(id):
			continue
		var p = places[id]
		var local = x_above(id).affine_inverse() * objects[id].global_transform
		var turned = local.basis.orthonormalized()
		if (local.origin - p[0]).length_squared() < 1e-12 and (turned.x - p[1].x).length_squared() + (turned.y - p[1].y).length_squared() < 1e-12:
			continue
		p[0] = local.origin
		p[1] = turned
		if PROGRAM != null:
			m_place(id, "position", v_in(local.origin))
			m_place(id, "rotation", v_in(x_angles(turned)))

func x_carry(id, to, dt):
	var o = objects[id]
	if BODY_OF.has(id) and BODY_OF[id][0] == "Rigid":
		var v = (to - o.global_transform.origin) / n_max(dt, 0.001)
		o.linear_velocity = v if v.length() < 20.0 else v.normalized() * 20.0
		o.angular_velocity = Vector3()
		return
	var local = x_above(id).affine_inverse() * d_place(Basis(), to)
	places[id][0] = local.origin
	x_settle(id)
	if PROGRAM != null:
		m_place(id, "position", v_in(local.origin))

# take, carry and let_go are what hands do: a pointer or a controller.
func take(id, hand):
	if not objects.has(id) or carried.has(id):
		return false
	carried[id] = objects[id].global_transform.origin
	raise_event(id, "grab", {"hand": hand})
	return true

func carry(id, to):
	if carried.has(id):
		carried[id] = to
		raise_event(id, "drag", {"position": [to.x, to.y, to.z]})

func let_go(id, hand):
	if not carried.has(id):
		return
	carried.erase(id)
	var speed = 0.0
	if objects.has(id) and BODY_OF.has(id) and BODY_OF[id][0] == "Rigid":
		speed = objects[id].linear_velocity.length()
	raise_event(id, "release", {"hand": hand})
	raise_event(id, "throw" if speed > 1.0 else "drop", {"hand": hand, "speed": speed})

# x_push does what a program asks of a body; false when it is none of these.
func x_push(name, id, v):
	if not (name in ["apply_impulse", "apply_force", "set_velocity"]):
		return false
	var n = x_numbers(v) if typeof(v) == TYPE_ARRAY else []
	if typeof(v) == TYPE_DICTIONARY:
		n = []
		for axis in ["x", "y", "z"]:
			n.append(v[axis] if v.has(axis) and typeof(v[axis]) == NUM else 0.0)
	if n.size() >= 3 and BODY_OF.has(id) and BODY_OF[id][0] == "Rigid" and objects.has(id):
		var o = objects[id]
		var by = Vector3(n[0], n[1], n[2])
		o.sleeping = false
		if name == "set_velocity":
			o.linear_velocity = by
		else: # newton seconds; a force is for one step
			o.apply_central_impulse(by if name == "apply_impulse" else by / 60.0)
	return true
