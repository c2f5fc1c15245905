package node

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/clock"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/ingest"
	"github.com/meshd/meshd/node/view"
)

// sceneName is the document that an agent's scene lies in.
const sceneName doc.Name = "room"

// sceneRevision counts the writes of a scene, through all generations of its
// document.
const sceneRevision = "revision"

// Scene returns what an agent's scene says; one that was never written, or was
// deleted, has no fields.
func (n *Node) Scene(ctx context.Context, id change.AgentID) (view.Scene, error) {
	if _, err := n.Agent(ctx, id); err != nil {
		return view.Scene{}, err
	}
	now, err := n.document(ctx, id.Space(), sceneName)
	if err != nil {
		return view.Scene{}, err
	}
	s := n.sceneOf(id, now)
	n.gather(ctx, id, &s)
	return s, nil
}

func (n *Node) sceneOf(id change.AgentID, now view.Document) view.Scene {
	s := view.Scene{Fields: maps.Clone(now.Fields)}
	revision, _ := now.Fields[sceneRevision].(int64)
	s.Version = int(max(0, min(revision, 1<<31-1)))
	delete(s.Fields, sceneRevision)
	if d, ok := n.views.Document(id.Space(), sceneName); ok {
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
func (n *Node) EditScene(ctx context.Context, id change.AgentID, set []doc.Field, ifVersion int) (out view.Scene, err error) {
	if _, err := n.speaker(id); err != nil {
		return out, err
	}
	set, parts := parted(set)
	err = n.edit(ctx, id, id.Space(), sceneName, func(e *editing) error {
		was := n.sceneOf(id, e.now)
		if ifVersion >= 0 && ifVersion != was.Version {
			return reason.Refuse(reason.VersionConflict, "the scene changed since it was read").
				With(map[string]any{"current_version": was.Version})
		}
		if out = was; saysSo(e.now.Fields, set) {
			return nil
		}
		if err := e.putParts(ctx, parts); err != nil {
			return err
		}
		if err := e.write(ctx, append(slices.Clone(set), doc.Field{Key: sceneRevision, Value: int64(was.Version) + 1})); err != nil {
			return err
		}
		out = n.sceneOf(id, e.now)
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

// succeed opens the next generation of a document that is full, with its whole
// present state as set changes it.
func (e *editing) succeed(ctx context.Context, set []doc.Field) error {
	n := e.n
	sp, err := n.speaker(e.agent)
	if err != nil {
		return err
	}
	d, ok := n.views.Document(e.space, e.name)
	if !ok {
		return reason.Refuse(reason.ChangeTooLarge, "the document does not fit one change")
	}
	state := maps.Clone(e.now.Fields)
	for _, f := range set {
		state[f.Key] = f.Value
	}
	var whole []doc.Field
	for _, key := range slices.Sorted(maps.Keys(state)) {
		if state[key] != nil {
			whole = append(whole, doc.Field{Key: key, Value: state[key]})
		}
	}
	next := d.Name.Next()
	chunk, err := n.docs.engine.Edit(ctx, doc.EditRequest{Actor: doc.Actor(sp.signer.Key(), string(e.space), string(next)), Set: whole})
	if err != nil {
		return err
	}
	if _, err := doc.DecodeChunk(chunk); err != nil {
		return err
	}
	enc, err := body.EncodeEdit(string(next), chunk)
	if err != nil {
		return err
	}
	if _, err := n.write(ctx, e.agent, ingest.Write{Space: e.space, Kind: change.KindDocEdit, Body: enc}); err != nil {
		return err
	}
	e.now, err = n.document(ctx, e.space, e.name)
	return err
}
