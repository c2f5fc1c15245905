# The stage: it finds the nodes of the scene, makes what a scene file cannot hold,
# and moves everything in fixed steps.

signal line_said(line) # of the program: level, node, text, code, function, line, column
signal state_changed(owner, key, value)
signal event_raised(node, name, payload)

var autostart = true # else begin() is the host's
var host = null # an object whose methods a program may call by their names
var hosting = true # false: operations of the outside do nothing
var objects = {} # id → what stands for a node
var inner = {} # id → where what belongs to it is
var places = {} # id → [place in the parent, turn, scale, id above, scale at the start]
var dirty = {}
var rest = 0.0
var begun = false

func _ready():
	for p in PLACES:
		x_keep(p[0], p[1], get_node(p[3]), get_node(p[4]), Vector3(p[5][0], p[5][1], p[5][2]))
	x_shapes()
	x_textures()
	x_models()
	x_letters()
	x_bodies()
	x_pointer()
	x_sounds()
	x_controls()
	d_ready()
	if autostart:
		begin()

func x_keep(id, above, o, within, scale):
	var local = o.transform
	var turned = local.basis
	if not BODY_OF.has(id):
		turned = x_stretched(turned, Vector3(x_inverse(scale.x), x_inverse(scale.y), x_inverse(scale.z)))
	turned = turned.orthonormalized()
	objects[id] = o
	inner[id] = within
	places[id] = [local.origin, turned, scale, above, scale]

func x_inverse(x):
	return 1.0 / x if x != 0.0 else 1.0

# x_stretched are axes times a scale.
func x_stretched(b, s):
	return Basis(b.x * s.x, b.y * s.y, b.z * s.z)

# begin starts the program. What it says before is lost to who connects later.
func begin():
	if begun:
		return
	begun = true
	if PROGRAM != null:
		m_load(PROGRAM, NODES)
		m_start()
		for i in range(states.size()):
			if states[i].owner != "" and not inert.has(states[i].owner):
				x_told(states[i].owner, states[i].key, slots[i])
		x_show()
	x_tracks()

# raise_event brings an event of the outside to a node by its id; "*" is the
# whole scene.
func raise_event(node, name, payload = null):
	if PROGRAM != null and begun:
		m_inject(node, name, v_in(payload))
	emit_signal("event_raised", node, name, payload)

# set_state sets a state key of the scene, get_state reads one of a node or of
# "scene", get_property a property of a node.
func set_state(key, value):
	if PROGRAM != null and begun:
		m_put(key, v_in(value))

func get_state(owner_id, key):
	var i = m_slot(owner_id, key)
	return v_out(slots[i]) if i >= 0 else v_out(m_property(owner_id + "/state", key))

func get_property(node, key):
	return v_out(m_property(node, key))

# object_of is the engine's node for an id.
func object_of(id):
	return objects[id] if objects.has(id) else null

func _physics_process(dt):
	if begun:
		advance(dt)

# advance moves the time by seconds; a game that slept does not catch up more than
# a quarter of a second.
func advance(dt):
	var rate = 60.0
	if PROGRAM != null:
		rate = n_real(PROGRAM.rates.spatial)
	rest = n_min(rest + dt, 0.25)
	while rest >= 1.0 / rate - 1e-9:
		rest -= 1.0 / rate
		if PROGRAM != null:
			m_step()
		x_step_tracks(1.0 / rate)
	if PROGRAM != null:
		x_show()
	x_moved(dt)
	d_advance(dt)

# x_shapes makes the meshes that the engine has no shape for.
func x_shapes():
	var made_of = []
	for s in SHAPES:
		made_of.append(d_mesh(s[0], s[1], s[2]))
	for s in SHAPED:
		x_find(s[0]).mesh = made_of[int(s[1])]

# x_resource is a file beside the scene; null where it is not there.
func x_resource(file):
	if file == "":
		return null
	var path = get_script().resource_path.get_base_dir()
	path += file if path.ends_with("/") else "/" + file
	if ResourceLoader.exists(path):
		return load(path)
	h_say("fault", "", "the file " + file + " is not in the project")
	return null

func x_models():
	for m in MODELS:
		var r = x_resource(m[1])
		if r == null:
			continue
		var o
		if r is PackedScene:
			o = d_instance(r)
		elif r is Mesh:
			o = d_shown(r)
		if o != null:
			o.name = "Model"
			x_find(m[0]).add_child(o)

func x_textures():
	for t in TEXTURES:
		var mesh = x_find(t[0])
		if mesh == null:
			continue
		var r = x_resource(t[2])
		if r == null:
			continue
		var look = mesh.material_override
		match t[1]:
			"albedo":
				look.albedo_texture = r
			"normal":
				look.normal_enabled = true
				look.normal_texture = r
			"orm":
				look.ao_enabled = true
				look.ao_texture = r
				look.roughness_texture = r
				look.roughness_texture_channel = 1
				look.metallic_texture = r
				look.metallic_texture_channel = 2
			"emission":
				look.emission_enabled = true
				look.emission_texture = r
	if SKY != "":
		var r = x_resource(SKY)
		if r != null:
			for o in get_children():
				if o is WorldEnvironment:
					d_sky(o.environment, r)
