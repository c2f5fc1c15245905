# What the fourth version of the engine says in words of its own.

func d_ord(s, i):
	return s.unicode_at(i)

func d_char(c):
	return String.chr(c)

func d_bytes(s):
	return s.to_utf8_buffer().size()

func d_float(s):
	return s.to_float()

func d_cbrt(x):
	return -pow(-x, 1.0 / 3.0) if x < 0.0 else pow(x, 1.0 / 3.0)

func d_connect(o, event, method, with):
	o.connect(event, Callable(self, method).bindv(with))

func d_place(turned, origin):
	return Transform3D(turned, origin)

func d_quaternion(n):
	return Basis(Quaternion(n[0], n[1], n[2], n[3]).normalized())

# d_between is a turn between two others.
func d_between(a, b, u):
	var q = Quaternion(a[0], a[1], a[2], a[3]).slerp(Quaternion(b[0], b[1], b[2], b[3]), u)
	return [q.x, q.y, q.z, q.w]

func d_vectors(v):
	var out = PackedVector3Array()
	for i in range(0, v.size(), 3):
		out.append(Vector3(v[i], v[i + 1], v[i + 2]))
	return out

func d_mesh(corners, normals, order):
	var arrays = []
	arrays.resize(Mesh.ARRAY_MAX)
	arrays[Mesh.ARRAY_VERTEX] = d_vectors(corners)
	arrays[Mesh.ARRAY_NORMAL] = d_vectors(normals)
	arrays[Mesh.ARRAY_INDEX] = PackedInt32Array(order)
	var out = ArrayMesh.new()
	out.add_surface_from_arrays(Mesh.PRIMITIVE_TRIANGLES, arrays)
	return out

func d_shown(mesh):
	var o = MeshInstance3D.new()
	o.mesh = mesh
	return o

func d_instance(scene):
	return scene.instantiate()

func d_group():
	return Node3D.new()

# d_label writes a text in a label.
func d_label(under, text, how):
	var o = under.get_node("Letters") if under.has_node("Letters") else null
	if o == null:
		o = Label3D.new()
		o.name = "Letters"
		o.font_size = 64
		o.outline_size = 0
		o.pixel_size = how[3] / 44.8
		o.horizontal_alignment = ["left", "center", "right"].find(how[4])
		o.modulate = x_color(how[5])
		o.position = Vector3(0, 0, how[6])
		under.add_child(o)
	o.text = text
	return true

func d_ink(color):
	var m = StandardMaterial3D.new()
	m.shading_mode = BaseMaterial3D.SHADING_MODE_UNSHADED
	m.cull_mode = BaseMaterial3D.CULL_DISABLED
	m.albedo_color = color
	return m

func d_blend(look, on):
	look.transparency = BaseMaterial3D.TRANSPARENCY_ALPHA if on else BaseMaterial3D.TRANSPARENCY_DISABLED

func d_emission(look, energy):
	look.emission_enabled = true
	look.emission_energy_multiplier = energy

func d_named_color(word):
	var c = Color.from_string(word, Color(0, 0, 0, 0))
	return c if c == Color.from_string(word, Color(1, 1, 1, 0)) else null

func d_sky(environment, picture):
	var look = PanoramaSkyMaterial.new()
	look.panorama = picture
	var sky = Sky.new()
	sky.sky_material = look
	environment.background_mode = Environment.BG_SKY
	environment.sky = sky

func d_gravity(v):
	var space = get_world_3d().space
	PhysicsServer3D.area_set_param(space, PhysicsServer3D.AREA_PARAM_GRAVITY, v.length())
	PhysicsServer3D.area_set_param(space, PhysicsServer3D.AREA_PARAM_GRAVITY_VECTOR, v.normalized())

# d_free lets a body go where the engine moves it, whatever is above.
func d_free(o):
	o.top_level = true

# d_rest keeps a body where it is.
func d_rest(o):
	o.freeze = true

func d_player():
	return AudioStreamPlayer3D.new()

func d_volume(player, volume):
	player.volume_db = linear_to_db(volume)

func d_camera():
	return get_viewport().get_camera_3d()

func d_double(event):
	return event.double_click

func d_key(event):
	return OS.get_keycode_string(event.keycode)

func d_entered():
	return "text_submitted"

func d_press(o, on):
	o.set_pressed_no_signal(on)

# Other players: the state of nodes goes to them once the game has a network.
func d_send(node, key, value):
	if is_inside_tree() and multiplayer.multiplayer_peer != null and not multiplayer.get_peers().is_empty() and not taking:
		rpc("take_state", node, key, value)

var taking = false

@rpc("any_peer")
func take_state(node, key, value):
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
	var device = XRServer.find_interface("OpenXR")
	if device == null or not device.is_initialized() and not device.initialize():
		return
	get_viewport().use_xr = true
	var origin = XROrigin3D.new()
	origin.name = "Origin"
	add_child(origin)
	origin.add_child(XRCamera3D.new())
	for side in ["left", "right"]:
		var hand = XRController3D.new()
		hand.tracker = side + "_hand"
		hand.name = side
		x_hand(origin, hand)
		d_connect(hand, "button_pressed", "x_hand_down", [hand])
		d_connect(hand, "button_released", "x_hand_up", [hand])

func d_ray():
	return RayCast3D.new()

# The trigger and the grip.
func d_selects(button):
	return button == "trigger_click"

func d_grips(button):
	return button == "grip_click"

func d_aim(ray):
	ray.target_position = Vector3(0, 0, -20)
	ray.collide_with_areas = true
	ray.collision_mask = 524289
	ray.enabled = true

func d_advance(_dt):
	x_hands()
