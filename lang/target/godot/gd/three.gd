# What the third version of the engine says in words of its own.

func d_ord(s, i):
	return ord(s[i])

func d_char(c):
	return char(c)

func d_bytes(s):
	return s.to_utf8().size()

func d_float(s):
	return s.to_float()

func d_cbrt(x):
	return -pow(-x, 1.0 / 3.0) if x < 0.0 else pow(x, 1.0 / 3.0)

func d_connect(o, event, method, with):
	var _fault = o.connect(event, self, method, with)

func d_place(basis, origin):
	return Transform(basis, origin)

func d_quaternion(n):
	return Basis(Quat(n[0], n[1], n[2], n[3]).normalized())

# d_between is a turn between two others.
func d_between(a, b, u):
	var q = Quat(a[0], a[1], a[2], a[3]).slerp(Quat(b[0], b[1], b[2], b[3]), u)
	return [q.x, q.y, q.z, q.w]

func d_vectors(v):
	var out = PoolVector3Array()
	for i in range(0, v.size(), 3):
		out.append(Vector3(v[i], v[i + 1], v[i + 2]))
	return out

func d_mesh(corners, normals, order):
	var arrays = []
	arrays.resize(ArrayMesh.ARRAY_MAX)
	arrays[ArrayMesh.ARRAY_VERTEX] = d_vectors(corners)
	arrays[ArrayMesh.ARRAY_NORMAL] = d_vectors(normals)
	arrays[ArrayMesh.ARRAY_INDEX] = PoolIntArray(order)
	var out = ArrayMesh.new()
	out.add_surface_from_arrays(Mesh.PRIMITIVE_TRIANGLES, arrays)
	return out

func d_shown(mesh):
	var o = MeshInstance.new()
	o.mesh = mesh
	return o

func d_instance(scene):
	return scene.instance()

func d_group():
	return Spatial.new()

# d_label writes a text in a label; this version has none.
func d_label(_under, _text, _how):
	return false

func d_ink(color):
	var m = SpatialMaterial.new()
	m.flags_unshaded = true
	m.params_cull_mode = SpatialMaterial.CULL_DISABLED
	m.albedo_color = color
	return m

func d_blend(look, on):
	look.flags_transparent = on

func d_emission(look, energy):
	look.emission_enabled = true
	look.emission_energy = energy

func d_named_color(name):
	return ColorN(name) if ColorN(name, 0.5) != ColorN("", 0.5) or name == "black" else null

func d_sky(environment, picture):
	var sky = PanoramaSky.new()
	sky.panorama = picture
	environment.background_mode = Environment.BG_SKY
	environment.background_sky = sky

func d_gravity(v):
	var space = get_world().space
	PhysicsServer.area_set_param(space, PhysicsServer.AREA_PARAM_GRAVITY, v.length())
	PhysicsServer.area_set_param(space, PhysicsServer.AREA_PARAM_GRAVITY_VECTOR, v.normalized())

# d_free lets a body go where the engine moves it, whatever is above.
func d_free(o):
	o.set_as_toplevel(true)

# d_rest keeps a body where it is.
func d_rest(o):
	o.mode = RigidBody.MODE_STATIC

func d_player():
	return AudioStreamPlayer3D.new()

func d_volume(player, volume):
	player.unit_db = linear2db(volume)

func d_camera():
	return get_viewport().get_camera()

func d_double(event):
	return event.doubleclick

func d_key(event):
	return OS.get_scancode_string(event.scancode)

func d_entered():
	return "text_entered"

func d_press(o, on):
	o.pressed = on

# Other players: the state of nodes goes to them once the game has a network.
func d_send(node, key, value):
	if is_inside_tree() and get_tree().network_peer != null and not taking:
		rpc("take_state", node, key, value)

var taking = false

remote func take_state(node, key, value):
	if not NETWORKED.has(node) or m_slot(node, key) < 0:
		return
	taking = true
	x_take(node, key, value)
	taking = false

# A headset: the session is the game's; where there is one, the scene has an
# origin with two controllers that point, select and grab.
var hands = []

func d_ready():
	if not IMMERSIVE:
		return
	var device = null
	for i in ARVRServer.get_interfaces():
		if i.name == "OpenXR":
			device = ARVRServer.find_interface(i.name)
	if device == null or not device.is_initialized() and not device.initialize():
		return
	get_viewport().arvr = true
	var origin = ARVROrigin.new()
	origin.name = "Origin"
	add_child(origin)
	origin.add_child(ARVRCamera.new())
	for i in range(2):
		var hand = ARVRController.new()
		hand.controller_id = i + 1
		hand.name = "left" if i == 0 else "right"
		x_hand(origin, hand)
		d_connect(hand, "button_pressed", "x_hand_down", [hand])
		d_connect(hand, "button_release", "x_hand_up", [hand])

func d_ray():
	return RayCast.new()

# The trigger and the grip.
func d_selects(button):
	return button == JOY_VR_TRIGGER

func d_grips(button):
	return button == JOY_VR_GRIP

func d_aim(ray):
	ray.cast_to = Vector3(0, 0, -20)
	ray.collide_with_areas = true
	ray.collision_mask = 524289
	ray.enabled = true

func d_advance(_dt):
	x_hands()
