extends SceneTree

# Loads scenes that the godot target wrote for version 3 of the engine, runs their
# scripts and says what became of them: godot3-server --path DIR -s godot.gd. DIR
# has jobs.json, a list of {folder, steps, frames, events: [{step, node, name,
# payload}]}, and a project.godot. The answers are lines that begin with "ANSWER ".
#
# With steps, the program runs alone, step by step, and its trace is printed; with
# frames, the engine runs the scene with its physics, and events come in the frame
# that they name, else at the start.

var jobs = []
var job = null
var scene = null
var left = 0

func _initialize():
	var f = File.new()
	f.open("res://jobs.json", File.READ)
	jobs = JSON.parse(f.get_as_text()).result
	f.close()

func _idle(_dt):
	if scene == null:
		if jobs.size() == 0:
			quit()
			return
		job = jobs.pop_front()
		open()
		return
	left -= 1
	if left > 0 and job.has("frames"):
		raise_events(job.frames - left)
	if left <= 0:
		answer()
		scene.queue_free()
		scene = null

func open():
	print("JOB ", job.folder)
	var packed = load("res://" + job.folder + "/scene.tscn")
	if packed == null or not packed.can_instance():
		print("ANSWER ", JSON.print({"folder": job.folder, "fault": "the scene cannot be loaded"}))
		return
	scene = packed.instance()
	if scene.get_script() == null or not scene.has_method("begin"):
		print("ANSWER ", JSON.print({"folder": job.folder, "fault": "the script cannot be loaded"}))
		scene.free()
		scene = null
		return
	scene.autostart = false
	left = 1
	root.add_child(scene)
	if job.has("frames"):
		left = job.frames
		scene.begin()
		raise_events(0)
		return
	scene.set_physics_process(false)
	places() # before the program has moved anything
	scene.hosting = false
	scene.tracing = true
	scene.begin()
	if scene.PROGRAM != null:
		for i in range(job.steps):
			for e in job.events:
				if int(e.step) == i:
					scene.m_inject(e.node, e.name, scene.v_in(e.payload))
			scene.m_step()
			scene.x_show()

func raise_events(frame):
	for e in job.events:
		if int(e.frame if e.has("frame") else 0) != frame:
			continue
		if e.name == "pointer":
			point(e.node)
		else:
			scene.raise_event(e.node, e.name, e.payload)

# point is a click of the pointer on what it finds of a node.
func point(id):
	var o = scene.object_of(id)
	if o != null and scene.inner[id].has_node("Touch"):
		o = scene.inner[id].get_node("Touch")
	if o == null or not o is CollisionObject:
		print("NOTHING to point at of ", id)
		return
	o.emit_signal("mouse_entered")
	for down in [true, false]:
		var e = InputEventMouseButton.new()
		e.button_index = BUTTON_LEFT
		e.pressed = down
		o.emit_signal("input_event", null, e, Vector3(1, 2, 3), Vector3(0, 1, 0), 0)

# places returns where the nodes of the scene are in the world, of what colour those
# are that are seen, and what belongs to each.
func places():
	var out = {}
	var colors = {}
	var parts = {}
	for id in scene.objects:
		var at = scene.objects[id].global_transform.origin
		out[id] = [at.x, at.y, at.z]
		parts[id] = []
		for part in scene.inner[id].get_children():
			parts[id].append(part.name)
		var mesh = scene.inner[id].get_node("Mesh") if scene.inner[id].has_node("Mesh") else null
		if mesh != null and mesh.is_visible_in_tree() and mesh.material_override != null:
			colors[id] = mesh.material_override.albedo_color.to_html(false)
	print("PLACES ", JSON.print({"count": count(scene), "places": out, "colors": colors, "parts": parts}))

# staged says which node of the program has nothing on the stage that looks like
# it, or what stands there without one.
func staged():
	for id in scene.infos:
		if not scene.objects.has(id):
			return "nothing stands for " + id
		var like = scene.x_like(id)
		if like == id:
			continue
		var model = scene.x_find(scene.prototype_of[like][1])
		for part in ["Mesh", "Form", "Shape", "Light", "Touch", "Particles"]:
			if model.has_node(part) and not scene.objects[id].has_node(part):
				return id + " has no " + part
	for id in scene.objects:
		if not scene.infos.has(id):
			return id + " stands for nothing"
	return ""

func count(o):
	var n = 1
	for c in o.get_children():
		n += count(c)
	return n

func answer():
	var out = {"folder": job.folder, "state": [], "properties": {}}
	if scene.PROGRAM != null:
		for i in range(scene.states.size()):
			var s = scene.states[i]
			if s.owner != "" and not scene.inert.has(s.owner):
				out.state.append([s.owner, s.key, scene.v_text(scene.slots[i])])
		for e in scene.trace:
			print("TRACE [", scene.n_format(e[0]), ",", scene.v_quote(e[1]), ",", scene.v_quote(e[2]), ",", scene.v_quote(e[3]), ",", scene.v_quote(e[4]), ",", scene.v_quote(e[5][0]), ",", e[5][1], ",", e[5][2], "]")
		var wrong = staged()
		if wrong != "":
			out["fault"] = wrong
	if job.has("frames"):
		places()
	print("ANSWER ", JSON.print(out))
