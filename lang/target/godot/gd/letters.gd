# Texts are strokes: the letters of GLYPHS on lines.

func x_letters():
	for l in LETTERS:
		if inner.has(l[1]) and not inner[l[1]].has_node("Letters"):
			x_letter(l[1], l[2])

# x_letter writes a text at a node, in place of the one it has.
func x_letter(id, text):
	var how = ["", id, "", 0.1, "center", "#ffffffff", 0.0]
	for l in LETTERS:
		if l[1] == x_like(id):
			how = l
	if not inner.has(id):
		return
	var under = inner[id]
	if d_label(under, text, how):
		return
	if under.has_node("Letters"):
		var old = under.get_node("Letters")
		under.remove_child(old)
		old.free()
	var corners = x_strokes(text, how[3] / 6.0, how[4], how[6])
	if corners.size() == 0:
		return
	var up = []
	var places_of = []
	var order = []
	for i in range(corners.size()):
		places_of += corners[i]
		up += [0, 0, 1]
		order.append(i)
	var o = d_shown(d_mesh(places_of, up, order))
	o.name = "Letters"
	o.material_override = d_ink(x_color(how[5]))
	under.add_child(o)

# x_strokes are the corners of the triangles of a text.
func x_strokes(text, unit, side, front):
	var rows = []
	for line in v_split(text.substr(0, 10000), "\n"):
		var row = []
		var x = 0.0
		var width = 0.0
		for c in v_chars(line):
			if t_space(d_ord(c, 0)):
				x += 3.0
				continue
			var g = GLYPHS[c] if GLYPHS.has(c) else GLYPHS["?"] if GLYPHS.has("?") else null
			if g == null:
				continue
			row.append([x, g])
			x += g[0] + 2.0
			width = x - 2.0
		rows.append([row, width])
	var out = []
	for k in range(rows.size()):
		var y = ((rows.size() - 1) / 2.0 - k) * 10.0
		var begin_at = 0.0
		if side == "center":
			begin_at = -rows[k][1] / 2.0
		elif side == "right":
			begin_at = -rows[k][1]
		for piece in rows[k][0]:
			var at = piece[1][1]
			for i in range(0, at.size(), 2):
				out.append([(begin_at + piece[0] + at[i]) * unit, (y + at[i + 1]) * unit, front])
	return out
