extends SceneTree

# Runs cases one after the other: godot -s trials.gd. The names of their scripts
# stand in cases.txt.
func _init():
	var f = File.new()
	f.open("res://cases.txt", File.READ)
	while not f.eof_reached():
		var name = f.get_line()
		if name == "":
			continue
		print("CASE ", name)
		var c = load("res://" + name + ".gd")
		var since = OS.get_ticks_msec()
		if c != null and c.can_instance():
			c = c.new()
			c.trial(c.CASE)
			c.free()
		print("DONE ", name, " ", OS.get_ticks_msec() - since)
	f.close()
	quit()
