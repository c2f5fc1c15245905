package scene

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/clock"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/document"
	"github.com/meshd/meshd/node/view"
)

// SceneName is the document that an agent's scene lies in.
const SceneName doc.Name = "room"

// sceneRevision counts the writes of a scene, through all generations of its
// document.
const sceneRevision = "revision"

// Scene returns what an agent's scene says; one that was never written, or was
// deleted, has no fields.
func (n *Scenes) Scene(ctx context.Context, id change.AgentID) (view.Scene, error) {
	if _, err := n.directory.Agent(ctx, id); err != nil {
		return view.Scene{}, err
	}
	now, err := n.document.Document(ctx, id.Space(), SceneName)
	if err != nil {
		return view.Scene{}, err
	}
	s := n.sceneOf(id, now)
	n.gather(ctx, id, &s)
	return s, nil
}

func (n *Scenes) sceneOf(id change.AgentID, now view.Document) view.Scene {
	s := view.Scene{Fields: maps.Clone(now.Fields)}
	revision, _ := now.Fields[sceneRevision].(int64)
	s.Version = int(max(0, min(revision, 1<<31-1)))
	delete(s.Fields, sceneRevision)
	if d, ok := n.core.Views.Document(id.Space(), SceneName); ok {
		var newest uint64
		for _, e := range d.Edits {
			newest = max(newest, e.HLC)
		}
		s.UpdatedAt = time.UnixMilli(clock.Millis(newest)).UTC()
	}
	return s
}

// EditScene sets fields of the scene of an agent that this node speaks for, nil
// deletes one, and returns the scene as it then is. With ifVersion ≥ 0 it
// refuses by version_conflict when the scene is at another version. Setting what
// is already so writes nothing. A document at its cap is continued in its next
// generation, and a source that is too large for one change lies in parts.
func (n *Scenes) EditScene(ctx context.Context, id change.AgentID, set []doc.Field, ifVersion int) (out view.Scene, err error) {
	if _, err := n.core.Author(id); err != nil {
		return out, err
	}
	set, parts := parted(set)
	err = n.document.Edit(ctx, id, id.Space(), SceneName, func(e *document.Editing) error {
		was := n.sceneOf(id, e.Now)
		if ifVersion >= 0 && ifVersion != was.Version {
			return reason.Refuse(reason.VersionConflict, "the scene changed since it was read").
				With(map[string]any{"current_version": was.Version})
		}
		if out = was; saysSo(e.Now.Fields, set) {
			return nil
		}
		if err := e.PutParts(ctx, parts); err != nil {
			return err
		}
		if err := e.Write(ctx, append(slices.Clone(set), doc.Field{Key: sceneRevision, Value: int64(was.Version) + 1})); err != nil {
			return err
		}
		out = n.sceneOf(id, e.Now)
		return nil
	})
	n.gather(ctx, id, &out)
	return out, err
}

// saysSo reports whether every field of set has its value already.
func saysSo(now map[string]any, set []doc.Field) bool {
	for _, f := range set {
		was, there := now[f.Key]
		if there != (f.Value != nil) || there && !reflect.DeepEqual(was, f.Value) {
			return false
		}
	}
	return true
}
