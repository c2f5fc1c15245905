package run

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
		return m.spawnedOf(n.Name)
	}
	return nil, nil
}

func (m *Machine) emit(node, name string, payload Value) *Fault {
	if len(m.queue) >= MaxEvents {
		return fault(FaultEvents, "more than %d events wait", MaxEvents)
	}
	m.queue = append(m.queue, Event{Node: node, Name: name, Payload: payload})
	return m.alloc(1)
}

// spawnedOf are the nodes that spawn made of a template and that are still there.
func (m *Machine) spawnedOf(name string) (Value, *Fault) {
	var out []Value
	for _, id := range m.order {
		if m.spawned[id] && !m.gone[id] && m.nodes[id].Name == name {
			out = append(out, Node(id))
		}
	}
	return m.list(out)
}
