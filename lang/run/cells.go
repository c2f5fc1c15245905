package run

import (
	"slices"
)

func (m *Machine) get(slot int) Value { return m.slots[slot] }

func (m *Machine) set(slot int, v Value) {
	old := m.slots[slot]
	m.undo = append(m.undo, func() { m.slots[slot] = old })
	m.slots[slot] = v
	m.version++
	switch v.(type) {
	case *List, *Object:
	default:
		if Equal(old, v) {
			return
		}
	}
	for _, c := range m.changed {
		if c.slot == slot {
			return
		}
	}
	m.changed = append(m.changed, change{slot, old})
}

// touch saves a list or an object before it changes, once in a turn.
func (m *Machine) touch(v Value) {
	m.version++
	switch v := v.(type) {
	case *List:
		if v.turn != m.turn {
			v.turn = m.turn
			old := slices.Clone(v.Items)
			m.made += len(old)
			m.undo = append(m.undo, func() { v.Items = old })
		}
	case *Object:
		if v.turn != m.turn {
			v.turn = m.turn
			keys, values := slices.Clone(v.Keys), make(map[string]Value, len(v.Keys))
			for k, e := range v.Values {
				values[k] = e
			}
			m.made += len(keys)
			m.undo = append(m.undo, func() { v.Keys, v.Values = keys, values })
		}
	}
}

func (m *Machine) touchBox(b *box) {
	if b.turn != m.turn {
		b.turn = m.turn
		old := b.v
		m.undo = append(m.undo, func() { b.v = old })
	}
}

// computedValue works a computed value out when something was written since.
func (m *Machine) computedValue(i int) (Value, *Fault) {
	c := &m.caches[i]
	if c.fresh && c.version == m.version {
		return c.v, nil
	}
	if c.busy {
		return nil, fault(FaultCalls, "computed '%s' needs itself", m.p.Computed[i].Key)
	}
	c.busy = true
	v, f := m.call(m.p.Computed[i].Fn, nil, nil)
	c = &m.caches[i]
	c.busy = false
	if f == nil {
		*c = cached{v: v, fresh: true, version: m.version}
	}
	return v, f
}

// flush runs the watches of what changed, and then the bound properties.
func (m *Machine) flush() {
	if len(m.changed) == 0 {
		return
	}
	changed := m.changed
	m.changed = nil
	for _, w := range m.p.Watches {
		for _, c := range changed {
			if c.slot == w.State {
				m.handler = false
				m.begin(m.p.Functions[w.Fn].Owner, w.Fn, []Value{m.slots[w.State], c.old})
			}
		}
	}
	m.bindAll()
	again := m.changed
	m.changed = nil
	if len(again) > 0 { // what watches wrote is seen by the next flush, as an event behind the others
		m.bindAll()
	}
}

// bindAll sets the bound properties that changed.
func (m *Machine) bindAll() { m.bind(m.p.Binds) }

func (m *Machine) bind(binds []Bind) {
	for _, b := range binds {
		m.handler = false
		m.atomically(b.Node, func() *Fault {
			v, f := m.call(b.Fn, nil, nil)
			if f != nil || Equal(m.props[slotKey{b.Node, b.Property}], v) {
				return f
			}
			return m.setProperty(b.Node, b.Property, v)
		})
	}
}
