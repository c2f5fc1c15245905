package servicetest

import (
	"context"
	"maps"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/view"
)

// Scene returns what was set.
func (m *Mesh) Scene(_ context.Context, id change.AgentID) (view.Scene, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.scenes[id]
	s.Fields = maps.Clone(s.Fields)
	return s, nil
}

// EditScene sets fields.
func (m *Mesh) EditScene(_ context.Context, id change.AgentID, set []doc.Field, ifVersion int) (view.Scene, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.scenes[id]
	switch {
	case m.Fault != nil:
		return s, m.Fault
	case ifVersion >= 0 && ifVersion != s.Version:
		return s, reason.Refuse(reason.VersionConflict, "the scene has changed").With(map[string]any{"current_version": s.Version})
	}
	fields := map[string]any{}
	maps.Copy(fields, s.Fields)
	for _, f := range set {
		fields[f.Key] = f.Value
		if f.Value == nil {
			delete(fields, f.Key)
		}
	}
	s = view.Scene{Fields: fields, Version: s.Version + 1, UpdatedAt: Start}
	m.scenes[id] = s
	return s, nil
}
