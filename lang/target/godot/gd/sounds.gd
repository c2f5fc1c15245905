# Sounds at their places.

var players = {} # id → [player, sound]

func x_sounds():
	for s in SOUNDS:
		var stream = x_resource(s[2])
		if stream == null:
			continue
		var player = d_player()
		player.stream = stream
		player.unit_size = n_max(n_real(s[6]), 1.0)
		player.max_distance = s[7]
		player.name = "Sound"
		get_node(s[1]).add_child(player)
		players[s[0]] = [player, s, s[4]]
		x_volume(s[0], n_real(s[3]))
		d_connect(player, "finished", "x_heard", [s[0]])
		if s[5]:
			player.play()

func x_heard(id):
	if players[id][2]:
		players[id][0].play()
	else:
		raise_event(id, "audio_end", {})

func x_volume(id, volume):
	if players.has(id):
		d_volume(players[id][0], l_between(volume, 0.0, 1.0))

# x_play starts or stops the sound of a node. A name chooses a sound of another:
# by the node's name, the name of the file or its path.
func x_play(id, name, on, options):
	var found = id if name == "" and players.has(id) else ""
	if found == "":
		for s in SOUNDS:
			var file = s[2].get_file()
			if players.has(s[0]) and (m_name(s[0]) == name or s[2] == name or file.get_basename() == name):
				found = s[0]
				break
	if found == "":
		return
	players[found][0].stop()
	if not on:
		return
	players[found][2] = options["loop"] if options.has("loop") and typeof(options["loop"]) == BOOL else players[found][1][4]
	if options.has("volume") and typeof(options["volume"]) == NUM:
		x_volume(found, options["volume"])
	players[found][0].play()

func m_name(id):
	return infos[id].name if infos.has(id) else ""
