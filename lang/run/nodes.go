package run

import ()

func (m *Machine) setProperty(node, name string, v Value) *Fault {
	key := slotKey{node, name}
	old, there := m.props[key]
	if !there && len(m.props) >= MaxItems*4 {
		return fault(FaultSize, "too many properties")
	}
	m.version++
	m.undo = append(m.undo, func() {
		if there {
			m.props[key] = old
		} else {
			delete(m.props, key)
		}
	})
	m.props[key] = v
	m.note(Entry{Kind: "property", Node: trimState(node), Name: name, Value: v})
	return m.alloc(1)
}

func trimState(node string) string {
	for i := range node {
		if node[i] == 0 {
			return node[:i]
		}
	}
	return node
}

func (m *Machine) extraState(node, name string) Value {
	return m.props[slotKey{node + "\x00state", name}]
}

// nodeMember is node.name: what every node has, a property, then its state.
func (m *Machine) nodeMember(node, name string) (Value, *Fault) {
	switch name {
	case "id":
		return node, nil
	case "name":
		if n := m.nodes[node]; n != nil {
			return n.Name, nil
		}
		return node, nil
	case "state":
		return stateOf(node), nil
	case "parent":
		if p := m.parent(node); p != "" {
			return Node(p), nil
		}
		return nil, nil
	case "current_state":
		for i, s := range m.p.Machines {
			if s.Node == node && i < len(m.machines) && m.machines[i].state >= 0 {
				return s.States[m.machines[i].state].Name, nil
			}
		}
	}
	if v, ok := m.props[slotKey{node, name}]; ok {
		return v, nil
	}
	if i, ok := m.slotOf[slotKey{node, name}]; ok {
		return m.get(i), nil
	}
	for i, c := range m.p.Computed {
		if c.Owner == node && c.Key == name {
			return m.computedValue(i)
		}
	}
	if n := m.nodes[node]; n != nil && name == "instances" {
		return m.instances(n.Name)
	}
	return nil, nil
}

func (m *Machine) emit(node, name string, payload Value) *Fault {
	if len(m.queue) >= MaxEvents {
		return fault(FaultEvents, "more than %d events wait", MaxEvents)
	}
	m.queue = append(m.queue, Event{node, name, payload})
	return m.alloc(1)
}

// spawn makes a node of a template's name.
func (m *Machine) spawn(owner, name string, place, overrides Value) (Value, *Fault) {
	if len(m.spawned) >= MaxSpawned {
		return nil, fault(FaultSize, "more than %d nodes", MaxSpawned)
	}
	m.serial++
	id := "s" + FormatNumber(float64(m.serial))
	m.spawned[id] = true
	n := &Info{ID: id, Name: name}
	if owner != SceneOwner && m.nodes[owner] != nil {
		n.Parent = m.nodes[owner].Parent
	}
	m.nodes[id] = n
	m.order = append(m.order, id)
	m.undo = append(m.undo, func() {
		delete(m.nodes, id)
		m.order = m.order[:len(m.order)-1]
		delete(m.spawned, id)
	})
	m.note(Entry{Kind: "spawn", Node: id, Name: name})
	if place != nil {
		if f := m.setProperty(id, "position", place); f != nil {
			return nil, f
		}
	}
	if o, ok := overrides.(*Object); ok {
		for _, k := range o.Keys {
			if f := m.setProperty(id, k, o.Values[k]); f != nil {
				return nil, f
			}
		}
	}
	return Node(id), nil
}

// destroy hides a node; then it is no longer found.
func (m *Machine) destroy(node string) *Fault {
	if f := m.setProperty(node, "visible", false); f != nil || m.gone[node] {
		return f
	}
	m.gone[node] = true
	m.undo = append(m.undo, func() { delete(m.gone, node) })
	return nil
}

// instances are the nodes that spawn made of a template and that are still there.
func (m *Machine) instances(name string) (Value, *Fault) {
	var out []Value
	for _, id := range m.order {
		if m.spawned[id] && !m.gone[id] && m.nodes[id].Name == name {
			out = append(out, Node(id))
		}
	}
	return m.list(out)
}
