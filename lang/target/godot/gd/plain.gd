# Values from the engine and to it.

# v_in takes a value of the engine, v_out gives one to it.
func v_in(v):
	match typeof(v):
		NIL, BOOL, NUM, TEXT:
			return v
		2:
			return n_real(v)
		TYPE_ARRAY:
			var items = []
			for e in v:
				items.append(v_in(e))
			return List.new(items)
		TYPE_DICTIONARY:
			var map = {}
			for key in v:
				map[str(key)] = v_in(v[key])
			return Obj.new(map)
		TYPE_VECTOR2:
			return List.new([v.x, v.y])
		TYPE_VECTOR3:
			return List.new([v.x, v.y, v.z])
	return null

func v_out(v):
	match v_kind(v):
		NIL, BOOL, NUM, TEXT:
			return v
		LIST:
			var items = []
			for e in v.items:
				items.append(v_out(e))
			return items
		OBJ:
			var map = {}
			for key in v.map:
				map[key] = v_out(v.map[key])
			return map
		NODE, STATE:
			return v.id
	return null
