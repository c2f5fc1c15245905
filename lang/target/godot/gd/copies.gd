# What spawn makes, on the stage: a copy of one node of a prototype, or of a node
# of the name.

var kept = null # the prototypes, which are copied and never seen
var like_of = {} # id of a copy → what it is like
var prototype_of = {} # id of a prototype's node → its row of PROTOTYPES

# Prototypes leave the scene before anything of them is seen, heard or bumped into.
func _enter_tree():
	if kept != null or PROTOTYPES.size() == 0:
		return
	kept = get_node("Prototypes")
	remove_child(kept)
	for p in PROTOTYPES:
		prototype_of[p[0]] = p

func _notification(what):
	if what == NOTIFICATION_PREDELETE and kept != null:
		kept.free()

# x_find is a node of the scene or of a prototype by its path; null where there is
# none.
func x_find(path):
	if has_node(path):
		return get_node(path)
	var below = path.replace("Prototypes/", "")
	if kept != null and below != path and kept.has_node(below):
		return kept.get_node(below)
	return null

# x_like is the node whose rows of the tables describe a node.
func x_like(id):
	return like_of[id] if like_of.has(id) else id

# h_spawned makes a node: a copy of a prototype's node, else one that looks like
# the node of the name.
func h_spawned(id, name, like, parent):
	var o
	var scale_of = Vector3(1, 1, 1)
	var form = ""
	if like != "":
		like_of[id] = like
		if prototype_of.has(like):
			var p = prototype_of[like]
			o = x_find(p[1]).duplicate(6)
			form = p[2]
			scale_of = Vector3(p[3][0], p[3][1], p[3][2])
	else:
		like = x_named(name)
		if like != "":
			o = objects[like].duplicate(6)
			o.visible = true
			scale_of = places[like][4]
			form = "Form" if o.has_node("Form") else ""
	if o == null:
		o = d_group()
	o.name = id
	o.set_meta("id", id)
	var within = o.get_node(form) if form != "" else o
	if within.has_node("Mesh"): # a look of its own is made of the shared one again
		within.get_node("Mesh").set_meta("own", null)
	var under = inner[parent] if inner.has(parent) else self
	under.add_child(o)
	if BODY_OF.has(like):
		BODY_OF[id] = BODY_OF[like]
	x_keep(id, parent, o, within, scale_of)
	if not like_of.has(id) and like != "":
		var at = places[like]
		places[id] = [at[0], at[1], at[2], parent, at[4]]
	if BODY_OF.has(id):
		x_watch_body(id, o)
		x_watch(id, o)
		x_body_born(id, o)
	elif o.has_node("Touch"):
		x_watch(id, o.get_node("Touch"))
	if like_of.has(id):
		x_copy_rows(id, like)

# x_named is the first node of a name that is not spawned.
func x_named(name):
	for id in infos:
		if infos[id].name == name and not spawned.has(id) and objects.has(id):
			return id
	return ""

# x_copy_rows gives a copy what tables say of its prototype.
func x_copy_rows(id, like):
	for l in LETTERS:
		if l[1] == like:
			x_letter(id, l[2])
	for s in SOUNDS:
		if s[0] == like:
			x_sound(id, s, inner[id])
	for t in TRACKS:
		if t[0] == like:
			var own = t.duplicate()
			own[0] = id
			x_shift(id, own)
			x_track(own)

# h_ended takes a node of the scene that was destroyed from what moves and sounds.
func h_ended(id):
	if not objects.has(id):
		return
	x_quiet(id)
	if BODY_OF.has(id):
		objects[id].collision_layer = 0
		objects[id].collision_mask = 0
		if BODY_OF[id][0] == "Rigid":
			d_rest(objects[id])

# h_forgotten takes what was spawned away with all that belongs to it.
func h_forgotten(id):
	if not objects.has(id):
		return
	x_quiet(id)
	objects[id].queue_free()
	for table in [objects, inner, places, players, like_of, shifts, BODY_OF, dirty]:
		var _there = table.erase(id)

func x_quiet(id):
	var _there = carried.erase(id)
	if holding == id:
		holding = ""
	if players.has(id):
		players[id][0].stop()
	var left = []
	for t in tracks:
		if t[0][0] != id:
			left.append(t)
	tracks = left
