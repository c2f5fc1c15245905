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
