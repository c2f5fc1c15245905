package servicetest

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/events"
)

// Events is the bus. It carries what happens to entries; a test publishes the
// rest.
func (m *Mesh) Events() *events.Bus { return m.bus }

// News retells the entries that came after seq and whether they still stand.
func (m *Mesh) News(_ context.Context, after uint64, most int) (news []events.Event, reached uint64, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	reached = after
	for i, e := range m.entries {
		if seq := uint64(i + 1); seq > after && reached < after+uint64(most) {
			reached = seq
			kind := events.EntryCreated
			if _, gone := m.gone[e.ID]; gone {
				kind = events.EntryRetracted
			}
			news = append(news, happened(kind, e.ID, e.ID, seq))
		}
	}
	return news, reached, nil
}

func happened(kind events.Kind, id, cause change.ID, seq uint64) events.Event {
	e := events.Event{Kind: kind, Space: string(change.Commons("general")), Object: id.Text(change.PrefixEntry),
		Cause: cause.Text(change.PrefixChange), Log: seq, At: Start.UnixMilli()}
	if kind == events.EntryRetracted {
		e.Data = events.Step{Name: "entry.retracted", Fields: map[string]any{"reason": "retracted"}}
	}
	return e
}

// publish announces what a change led to; the lock is held.
func publish(m *Mesh, kind events.Kind, id, cause change.ID) {
	m.bus.Publish(happened(kind, id, cause, m.seq))
	m.bus.Publish(events.Event{Kind: events.LogPublished, Log: m.seq})
}

// EntryStands reports whether an entry was not buried.
func (m *Mesh) EntryStands(id string) bool {
	cid, err := change.ParseID(change.PrefixEntry, id)
	if err != nil {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	_, err = m.entry(cid)
	return err == nil
}
