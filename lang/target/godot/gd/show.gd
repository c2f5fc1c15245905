# What a program changes, shown. A property is passed on once after the steps of a
# frame, with the value that held.

const LOOKS = {
	"color": "color", "base_color": "color", "albedo": "color", "opacity": "opacity", "emissive": "emissive", "emissive_color": "emissive",
	"emissive_intensity": "emissive_intensity", "metallic": "metallic", "metalness": "metallic", "roughness": "roughness", "intensity": "intensity",
}

func x_show():
	var now = dirty
	dirty = {}
	for node in now:
		for key in now[node]:
			x_tell(node, key, m_property(node, key))

func x_tell(node, key, v):
	if not objects.has(node) or LOOKS.has(key) == false and not (key in ["position", "rotation", "scale", "visible", "text"]):
		x_told(node.replace("/state", ""), key, v)
		return
	match key:
		"position", "rotation", "scale":
			var n = x_numbers([v, v, v] if key == "scale" and typeof(v) == NUM else v.items if v_kind(v) == LIST else [])
			if n.size() > 0:
				x_put(node, key, n)
				x_shifted(node, key)
		"visible":
			objects[node].visible = v == null or v_truthy(v)
		"text":
			x_letter(node, "" if v == null else v_text(v))
		_:
			x_look(node, LOOKS[key], v_out(v))

func x_told(owner_id, key, v):
	var plain = v_out(v)
	if key == "volume" and typeof(plain) == NUM:
		x_volume(owner_id, plain)
	emit_signal("state_changed", owner_id, key, plain)
	if owner_id == SCENE:
		x_control_state(key, plain)
	if NETWORKED.has(owner_id):
		d_send(owner_id, key, plain)

# x_numbers are two to four numbers, with 0 for a third one; none where anything
# else is among them.
func x_numbers(items):
	var out = []
	if items.size() < 2 or items.size() > 4:
		return out
	for n in items:
		if typeof(n) != NUM or is_nan(n) or is_inf(n):
			return []
		out.append(n)
	while out.size() < 3:
		out.append(0.0)
	return out

# x_turn is a turn of four numbers, or of three angles in degrees, Rx·Ry·Rz.
func x_turn(n):
	if n.size() == 4:
		return d_quaternion(n)
	var b = Basis(Vector3(1, 0, 0), n[0] * PI / 180.0)
	b = b * Basis(Vector3(0, 1, 0), n[1] * PI / 180.0)
	return b * Basis(Vector3(0, 0, 1), n[2] * PI / 180.0)

# x_put sets the place of a node in its parent.
func x_put(id, part, n):
	var p = places[id]
	if part == "position":
		p[0] = Vector3(n[0], n[1], n[2])
	elif part == "scale":
		p[2] = Vector3(n[0], n[1], n[2])
	else:
		p[1] = x_turn(n)
	x_settle(id)

func x_settle(id):
	var p = places[id]
	var o = objects[id]
	if BODY_OF.has(id):
		x_settle_body(id, o, p)
	else:
		o.transform = d_place(x_stretched(p[1], p[2]), p[0])

# x_above is where the parent of a node is.
func x_above(id):
	var above = places[id][3]
	if inner.has(above):
		return inner[above].global_transform
	return global_transform

# x_angles are the degrees of a turn, Rx·Ry·Rz, to a thousandth.
func x_angles(b):
	var m13 = b.z.x
	var second = asin(l_between(n_real(m13), -1.0, 1.0))
	var first
	var third = 0.0
	if abs(m13) < 0.9999999:
		first = atan2(-b.z.y, b.z.z)
		third = atan2(-b.y.x, b.x.x)
	else:
		first = atan2(b.y.z, b.y.y)
	var out = []
	for a in [first, second, third]:
		out.append(floor(a * 180000.0 / PI + 0.5) / 1000.0)
	return out

# x_mesh is what shows a node, with a look of its own.
func x_mesh(id):
	if not inner.has(id) or not inner[id].has_node("Mesh"):
		return null
	var o = inner[id].get_node("Mesh")
	if not ("material_override" in o) or o.material_override == null:
		return null
	if not o.has_meta("own"):
		o.material_override = o.material_override.duplicate()
		o.set_meta("own", true)
	return o.material_override

# x_color is a colour of a value: three numbers, a name, or hex; null where it is
# none.
func x_color(v):
	if typeof(v) == TYPE_ARRAY and v.size() >= 3:
		for i in range(3):
			if typeof(v[i]) != NUM:
				return null
		return Color(v[0], v[1], v[2])
	if typeof(v) != TEXT:
		return null
	if v.begins_with("#") and (v.length() == 7 or v.length() == 9):
		var n = []
		for i in range(1, 7):
			var digit = HEX.find(v.substr(i, 1).to_lower())
			if digit < 0:
				return null
			n.append(digit)
		return Color((n[0] * 16 + n[1]) / 255.0, (n[2] * 16 + n[3]) / 255.0, (n[4] * 16 + n[5]) / 255.0)
	if v.begins_with("#") and v.length() == 4:
		return x_color("#" + v.substr(1, 1) + v.substr(1, 1) + v.substr(2, 1) + v.substr(2, 1) + v.substr(3, 1) + v.substr(3, 1))
	return d_named_color(v)

func x_look(id, key, v):
	if key == "intensity" and typeof(v) == NUM:
		for o in x_lights(id):
			o.light_energy = n_max(v, 0.0)
		return
	var c = x_color(v) if key == "color" or key == "emissive" else null
	if key == "color" and c != null:
		for o in x_lights(id):
			o.light_color = c
	var look = x_mesh(id)
	if look == null:
		return
	if key == "color" and c != null:
		look.albedo_color = Color(c.r, c.g, c.b, look.albedo_color.a)
	elif key == "emissive" and c != null:
		look.emission_enabled = true
		look.emission = c
	if typeof(v) != NUM:
		return
	match key:
		"opacity":
			var a = l_between(v, 0.0, 1.0)
			look.albedo_color = Color(look.albedo_color.r, look.albedo_color.g, look.albedo_color.b, a)
			d_blend(look, a < 1.0)
		"emissive_intensity":
			d_emission(look, n_max(v, 0.0))
		"metallic":
			look.metallic = l_between(v, 0.0, 1.0)
		"roughness":
			look.roughness = l_between(v, 0.0, 1.0)

func x_lights(id):
	var out = []
	if inner.has(id):
		for name in ["Light", "Above", "Below"]:
			if inner[id].has_node(name) and "light_energy" in inner[id].get_node(name):
				out.append(inner[id].get_node(name))
	return out
