# What the machine asks of the stage.

func h_hosts():
	return hosting

func h_say(level, node, text):
	emit_signal("line_said", {"level": level, "node": node, "text": text})

func h_log(node, text):
	h_say("log", node, text)
	if hosting:
		print(text)

func h_fault(node, f):
	emit_signal("line_said", {
		"level": "fault", "node": node, "text": f.message, "code": f.code, "function": f.function, "line": f.line, "column": f.column,
	})
	if hosting:
		push_warning(f.code + " " + f.message + " in " + f.function + ", line " + str(f.line))

func h_state(owner_id, key, value):
	x_told(owner_id, key, value)

func h_property(node, key):
	if not dirty.has(node):
		dirty[node] = {}
	dirty[node][key] = true

# h_call is an operation of the outside: its answer in a list, null where there
# is none.
func h_call(name, node, args):
	if not hosting:
		return null
	var plain = []
	var options = {}
	var text = ""
	var target = node
	for a in args:
		plain.append(v_out(a))
		if v_kind(a) == OBJ:
			options = v_out(a)
		elif typeof(a) == TEXT and text == "":
			text = a
	if args.size() > 0 and v_kind(args[0]) == NODE:
		target = args[0].id
	var starts = name in ["play", "play_sound", "play_animation"]
	if starts or name in ["stop", "stop_sound", "stop_animation"]:
		if name.ends_with("animation"):
			play_tracks(target, text, starts)
		else:
			x_play(target, text, starts, options)
		return [null]
	if x_push(name, target, plain[plain.size() - 1] if plain.size() > 0 else null):
		return [null]
	if host != null and host.has_method(name):
		return [v_in(host.callv(name, plain))]
	return null

# h_spawned makes a node that looks like the one of a template's name.
func h_spawned(id, name, parent):
	var like = ""
	for other in infos:
		if infos[other].name == name and not spawned.has(other) and objects.has(other):
			like = other
			break
	var o
	if like != "":
		o = objects[like].duplicate(14)
		x_body_like(like, id)
	else:
		o = d_group()
	o.name = id
	o.visible = true
	var under = inner[parent] if inner.has(parent) else self
	under.add_child(o)
	objects[id] = o
	inner[id] = o.get_node("Form") if o.has_node("Form") else o
	if like == "":
		places[id] = [Vector3(), Basis(), Vector3(1, 1, 1), parent, Vector3(1, 1, 1)]
		return
	var p = places[like]
	places[id] = [p[0], p[1], p[2], parent, p[4]]
	if BODY_OF.has(id):
		x_watch_body(id, o)
		x_watch(id, o)
		if BODY_OF[id][0] == "Rigid":
			d_free(o)
	elif o.has_node("Touch"):
		x_watch(id, o.get_node("Touch"))

func x_body_like(from, to):
	if BODY_OF.has(from):
		BODY_OF[to] = BODY_OF[from]

func h_destroyed(id):
	if not objects.has(id):
		return
	var o = objects[id]
	if spawned.has(id) or not infos.has(id):
		objects.erase(id)
		inner.erase(id)
		places.erase(id)
		o.queue_free()
	elif BODY_OF.has(id): # stays for a fault that takes it back, and bumps into nothing
		o.visible = false
