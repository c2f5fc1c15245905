package run

type schedule struct {
	due int
	on  bool
}

// runSchedules begins what is due, in the order of the source.
func (m *Machine) runSchedules() {
	for i := range m.schedules {
		s := &m.schedules[i]
		if !s.on || s.due > m.steps || m.spent >= m.stepLimit {
			continue
		}
		d := m.p.Schedules[i]
		switch {
		case d.Forever:
			s.due = m.steps + 1
		case d.Every > 0:
			s.due = max(m.after(d.Every), m.steps+1)
		default:
			s.on = false
		}
		m.handler = false
		m.begin(m.p.Functions[d.Fn].Owner, d.Fn, nil)
		m.flush()
	}
}

type timeline struct {
	on          bool
	since, next int
}

// runTimelines begins the steps of timelines that are due.
func (m *Machine) runTimelines() {
	for i := range m.timelines {
		d := &m.p.Timelines[i]
		for m.spent < m.stepLimit {
			t := &m.timelines[i] // a step may have begun it anew
			if !t.on || t.next >= len(d.Steps) || float64(m.steps-t.since)/float64(m.p.Rates.Spatial) < d.Steps[t.next][0]-1e-9 {
				break
			}
			fn := int(d.Steps[t.next][1])
			t.next++
			m.handler = false
			m.begin(m.p.Functions[fn].Owner, fn, nil)
			m.flush()
		}
		t := &m.timelines[i]
		if t.next == len(d.Steps) {
			t.on = t.on && d.Loop && len(d.Steps) > 0
			t.since, t.next = m.steps, 0
		}
	}
}
