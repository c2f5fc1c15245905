# Controllers of a headset: each has a ray that points, selects and grabs.

var gripped = {} # hand → [id, from the hand to the node]

func x_hand(origin, hand):
	var ray = d_ray()
	ray.name = "Ray"
	d_aim(ray)
	hand.add_child(ray)
	origin.add_child(hand)
	hands.append(hand)

# x_hit is the node that a hand points at, with where; null where there is none.
func x_hit(hand):
	var ray = hand.get_node("Ray")
	if not ray.is_colliding():
		return null
	var o = ray.get_collider()
	while o != null and o != self:
		var id = x_id_of(o)
		if id != "":
			return [id, ray.get_collision_point()]
		o = o.get_parent()
	return null

func x_hand_down(button, hand):
	var hit = x_hit(hand)
	if hit == null:
		return
	var payload = x_point(hit[1])
	payload["hand"] = str(hand.name)
	if d_selects(button):
		raise_event(hit[0], "press", payload)
		select(hit[0], payload)
	elif d_grips(button):
		var id = x_grabbed(hit[0])
		if id != "" and take(id, str(hand.name)):
			gripped[hand] = [id, hand.global_transform.affine_inverse() * d_place(Basis(), objects[id].global_transform.origin)]

func x_hand_up(button, hand):
	if d_grips(button) and gripped.has(hand):
		let_go(gripped[hand][0], str(hand.name))
		gripped.erase(hand)

# x_hands carries what hands hold.
func x_hands():
	for hand in gripped:
		carry(gripped[hand][0], (hand.global_transform * gripped[hand][1]).origin)

# x_take takes a state key of another player's node.
func x_take(node, key, value):
	handling = false
	var mark = m_open()
	m_set(m_slot(node, key), v_in(value))
	m_close(node, mark)
	m_flush()
