package document

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"

	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/node/core"
)

// late carries over what others wrote into the generation before while the newest one
// was opened: they did not know of it, and learned that it is written. Where a key
// was written in the newest generation too, that stays.
func (e *Editing) late(ctx context.Context) error {
	d, ok := e.n.core.Views.Document(e.space, e.name)
	if !ok || d.Name.Generation() < 2 {
		return nil
	}
	agent, may := e.n.opener(e.space, e.agent)
	before, there := e.n.core.Views.DocumentBefore(e.space, d.Name)
	if !may || !there {
		return nil
	}
	now, err := e.n.Docs.Read(ctx, d)
	if err != nil || now[generationOpen] != nil {
		return err // one that is not whole yet is finished first
	}
	old, err := e.n.Docs.Read(ctx, before)
	if err != nil {
		return err
	}
	past, _ := now[generationPast].(int64)
	olderPast, _ := old[generationPast].(int64)
	whole := olderPast + int64(len(before.Edits))
	if whole <= past {
		return nil
	}
	state := maps.Clone(old)
	delete(state, generationPast)
	delete(state, generationOpen)
	dropDeleted(e.name, state)
	written := map[string]bool{generationPast: true, generationOpen: true}
	for _, edit := range d.Edits {
		if !Carries(edit.Chunk) {
			edit.Chunk.RootKeys(func(k doc.Touched) bool {
				written[k.Key] = true
				return true
			})
		}
	}
	var set []doc.Field
	size := 0
	w := &successor{e: e, agent: agent, name: d.Name}
	for _, key := range slices.Sorted(maps.Keys(merged(state, now))) {
		v, kept := state[key]
		if written[key] || kept && reflect.DeepEqual(v, now[key]) {
			continue
		}
		if n := len(key) + core.SizeOf(v); size+n > core.MaxBoardEdit && len(set) > 0 {
			past = min(past+1, whole)
			if err := w.edit(ctx, append(set, doc.Field{Key: generationPast, Value: past})); err != nil && !errors.Is(err, doc.ErrNoChange) {
				return err
			}
			set, size = nil, 0
		}
		set, size = append(set, doc.Field{Key: key, Value: v}), size+len(key)+core.SizeOf(v)
	}
	if err := w.edit(ctx, append(set, doc.Field{Key: generationPast, Value: whole})); err != nil && !errors.Is(err, doc.ErrNoChange) {
		return err
	}
	return e.read(ctx)
}

// merged has the keys of both.
func merged(a, b map[string]any) map[string]any {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// nearlyFull reports whether the document should be carried over by its home, which
// leaves room for edits that are under way elsewhere.
func (n *Editor) nearlyFull(edits []doc.Edit) bool {
	return len(edits) >= nearlyEdits || sizeOfEdits(edits) >= nearlyBytes
}
