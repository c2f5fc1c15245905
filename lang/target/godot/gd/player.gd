# Key-frame animation of places, looks and lights.

var tracks = [] # [track, time, whether it plays]
var shifts = {} # id of a copy → [place of its prototype, how far from there it was put, its tracks of the place]

func x_tracks():
	for t in TRACKS:
		if objects.has(t[0]):
			x_track(t)

func x_track(t):
	if typeof(t[2]) == TEXT:
		t = t.duplicate()
		t[2] = x_keys(get_node("Animations").get_animation(t[2]))
	var row = [t, 0.0, t[5]]
	tracks.append(row)
	if shifts.has(t[0]) and x_of_place(t):
		shifts[t[0]][2].append(row)
	if t[5]:
		x_apply(t, 0.0)

# x_keys are the keys of an animation as the editor has it: time, numbers.
func x_keys(animation):
	var out = []
	for i in range(animation.track_get_key_count(0)):
		var v = animation.track_get_key_value(0, i)
		var numbers = []
		match typeof(v):
			2, NUM:
				numbers = [n_real(v)]
			TYPE_VECTOR3:
				numbers = [v.x, v.y, v.z]
			TYPE_COLOR:
				numbers = [v.r, v.g, v.b]
			TYPE_DICTIONARY:
				numbers = [v.rotation.x, v.rotation.y, v.rotation.z, v.rotation.w]
			_:
				numbers = [v.x, v.y, v.z, v.w]
		out.append([floor(animation.track_get_key_time(0, i) * 1e6 + 0.5) / 1e6] + numbers)
	return out

# x_of_place says whether a track is one of the place of a node.
func x_of_place(t):
	return t[1] == "t" or t[1].begins_with("t.")

# x_shift lets a copy's track of the place count from where the program puts it.
func x_shift(id, t):
	if x_of_place(t) and not shifts.has(id):
		shifts[id] = [places[id][0], Vector3(), []]

# x_shifted moves the animations of a copy to the place where the program put it.
func x_shifted(id, key):
	if key != "position" or not shifts.has(id):
		return
	var shift = shifts[id]
	shift[1] = places[id][0] - shift[0]
	for t in shift[2]:
		if t[2]:
			x_apply(t[0], t[1])

# play_tracks starts the animations of a node anew, or stops them: those of a
# property, or all.
func play_tracks(id, name, on):
	var found = false
	for t in tracks:
		if t[0][0] == id and (name == "" or t[0][1] == name):
			t[1] = 0.0
			t[2] = on
			found = true
	return found

func x_step_tracks(dt):
	for t in tracks:
		if not t[2]:
			continue
		t[1] += dt
		x_apply(t[0], t[1])
		var keys = t[0][2]
		if t[0][4] < 0 or t[1] < keys[keys.size() - 1][0] * (t[0][4] + 1):
			continue
		t[2] = false
		raise_event(t[0][0], "animation_end", {"name": t[0][1]})

# x_sample are the numbers of an animation at a time since its start.
func x_sample(t, time):
	var keys = t[2]
	var end = n_real(keys[keys.size() - 1][0])
	var at = n_real(time)
	if end > 0.0 and at > end:
		var turns = floor(at / end)
		if t[4] >= 0 and turns >= t[4] + 1:
			turns = n_real(t[4])
			at = end # the end of the last one stays
		else:
			at -= turns * end
		if t[6] and int(turns) % 2 == 1:
			at = end - at
	var last = keys[keys.size() - 1]
	if at <= keys[0][0]:
		return v_part(keys[0], 1, keys[0].size())
	for i in range(1, keys.size()):
		if at > keys[i][0]:
			continue
		var from = keys[i - 1]
		var to = keys[i]
		var u = l_easing(t[3], (at - from[0]) / n_real(to[0] - from[0]))
		if t[1] == "r":
			return d_between(v_part(from, 1, 5), v_part(to, 1, 5), u)
		var out = []
		for k in range(1, from.size()):
			out.append(from[k] + (to[k] - from[k]) * u)
		return out
	return v_part(last, 1, last.size())

func x_apply(t, time):
	var v = x_sample(t, time)
	var id = t[0]
	var property = t[1]
	var parts = {"t": "position", "r": "rotation", "s": "scale"}
	var part = property.substr(0, 1)
	if not objects.has(id):
		return
	if not parts.has(part) or property.length() > 1 and property.substr(1, 1) != ".":
		var plain = []
		for n in v:
			plain.append(n_real(n))
		x_look(id, LOOKS[property] if LOOKS.has(property) else property, plain[0] if plain.size() == 1 else plain)
		return
	var p = places[id]
	var now = [0.0, 0.0, 0.0]
	if part == "t":
		now = [p[0].x, p[0].y, p[0].z]
	elif part == "s":
		now = [p[2].x, p[2].y, p[2].z]
	var shift = shifts[id][1] if part == "t" and shifts.has(id) else Vector3()
	if property.length() == 3:
		var axis = "xyz".find(property.substr(2, 1))
		now[axis] = v[0] + shift[axis]
	elif part == "t":
		now = [v[0] + shift.x, v[1] + shift.y, v[2] + shift.z]
	else:
		now = v
	x_put(id, parts[part], now)
