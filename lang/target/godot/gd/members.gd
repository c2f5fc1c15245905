# Properties and members of nodes; nodes that come and go.

func m_property(node, key):
	if props.has(node) and props[node].has(key):
		return props[node][key]
	return null

func m_put_prop(node, key, v):
	if not props.has(node):
		props[node] = {}
	if not props[node].has(key):
		prop_count += 1
	props[node][key] = v

func m_set_property(node, key, v):
	var there = props.has(node) and props[node].has(key)
	if not there and prop_count >= MaxItems * 4:
		return o_large("too many properties")
	version += 1
	undo.append(["prop", node, key, there, props[node][key] if there else null])
	m_put_prop(node, key, v)
	m_note("property", node.replace("/state", ""), key, v, null)
	h_property(node, key)
	m_alloc(1)

# m_place keeps what physics did to a body, outside of any turn.
func m_place(node, key, v):
	m_put_prop(node, key, v)
	version += 1

func m_slot(node, name):
	if slot_of.has(node) and slot_of[node].has(name):
		return slot_of[node][name]
	return -1

func m_state_member(node, name):
	var i = m_slot(node, name)
	return slots[i] if i >= 0 else m_property(node + "/state", name)

func m_node_member(node, name):
	match name:
		"id":
			return node
		"name":
			return infos[node].name if infos.has(node) else node
		"state":
			return StateOf.new(node)
		"parent":
			var p = m_parent(node)
			return NodeRef.new(p) if p != "" else null
		"current_state":
			var s = s_current(node)
			if s != null:
				return s
	if props.has(node) and props[node].has(name):
		return props[node][name]
	var slot = m_slot(node, name)
	if slot >= 0:
		return slots[slot]
	if computed_of.has(node) and computed_of[node].has(name):
		return m_computed(computed_of[node][name])
	if name == "instances" and infos.has(node):
		return m_instances(infos[node].name)
	return null

func m_put_node(node, name, v):
	var i = m_slot(node, name)
	if i >= 0:
		m_set(i, v)
	else:
		m_set_property(node, name, v)

func m_put_state(node, name, v):
	var i = m_slot(node, name)
	if i >= 0:
		m_set(i, v)
	else:
		m_set_property(node + "/state", name, v)

func m_emit(node, name, payload):
	if queue.size() >= MaxEvents:
		return o_fault("RUN003", "more than " + str(MaxEvents) + " events wait")
	queue.append([node, name, payload])
	m_alloc(1)

# m_destroy hides a node. It is no longer found, and when the step has no more
# events it ends with all below it.
func m_destroy(node):
	m_set_property(node, "visible", false)
	if fault != null or gone.has(node):
		return
	gone[node] = true
	ending.append(node)
	undo.append(["gone", node])
	if heard_names.has("unmount"):
		queue.append([node, "unmount", null, true])

# m_named are the nodes of a name that are still there, in their order.
func m_named(name, by_id):
	var out = []
	for id in infos:
		if (infos[id].name == name or by_id and id == name) and not gone.has(id):
			out.append(id)
	return out

# m_instances are the nodes that spawn made of a template.
func m_instances(name):
	var out = []
	for id in m_named(name, false):
		if spawned.has(id):
			out.append(NodeRef.new(id))
	return m_list(out)
