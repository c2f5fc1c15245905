# Sounds at their places.

var players = {} # id → [player, sound]

func x_sounds():
	for s in SOUNDS:
		if objects.has(s[0]):
			x_sound(s[0], s, get_node(s[1]))

func x_sound(id, s, under):
	var stream = x_resource(s[2])
	if stream == null:
		return
	var there = under.has_node("Sound")
	var player = under.get_node("Sound") if there else d_player()
	player.stream = stream
	player.unit_size = n_max(n_real(s[6]), 1.0)
	player.max_distance = s[7]
	player.name = "Sound"
	if not there:
		under.add_child(player)
	players[id] = [player, s, s[4]]
	x_volume(id, n_real(s[3]))
	d_connect(player, "finished", "x_heard", [id])
	if s[5]:
		player.play()

func x_heard(id):
	if not players.has(id):
		return
	if players[id][2]:
		players[id][0].play()
	else:
		raise_event(id, "audio_end", {})

func x_volume(id, volume):
	if players.has(id):
		d_volume(players[id][0], l_between(volume, 0.0, 1.0))

# x_play starts or stops the sound of a node. A name chooses a sound of another:
# by the node's name, the name of the file or its path. What was spawned has its
# own before that of others.
func x_play(id, name, on, options):
	var found = id if players.has(id) and (name == "" or like_of.has(id) and x_sounds_like(id, name)) else ""
	for other in players:
		if found == "" and x_sounds_like(other, name):
			found = other
	if found == "":
		return
	players[found][0].stop()
	if not on:
		return
	players[found][2] = options["loop"] if options.has("loop") and typeof(options["loop"]) == BOOL else players[found][1][4]
	if options.has("volume") and typeof(options["volume"]) == NUM:
		x_volume(found, options["volume"])
	players[found][0].play()

func x_sounds_like(id, name):
	var file = players[id][1][2]
	return m_name(id) == name or file == name or file.get_file().get_basename() == name

func m_name(id):
	return infos[id].name if infos.has(id) else ""
