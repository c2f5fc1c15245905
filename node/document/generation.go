package document

import (
	"context"
	"maps"
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/view"
)

// A document that is full goes on in its next generation, which begins with the
// whole present state (wire.md §12). Of a team's documents the node of the
// founder opens it, since two nodes that did so at once would open it twice.
//
// A state that does not fit one change is written by several. Each but the last
// says that more is to come, the last takes that back; in between everybody
// reads the generation before, and when the node that writes is stopped, its
// next turn at the document writes what is missing. What others write in between
// is theirs: it is not overwritten.

// Keys at the root that belong to generations and are in no Fields.
const (
	generationOpen = "~open"   // how many edits carried the state over, until all has been
	generationPast = "~before" // edits of the generations before: versions go on
)

// present is what a document says, of the newest generation that is whole.
func (n *Editor) present(ctx context.Context, space change.Space, name doc.Name) (view.Document, error) {
	d, ok := n.core.Views.Document(space, name)
	for ok {
		fields, err := n.Docs.Read(ctx, d)
		if err != nil {
			return view.Document{}, err
		}
		if fields[generationOpen] != nil {
			if before, there := n.core.Views.DocumentBefore(space, d.Name); there {
				d = before
				continue
			}
		}
		past, _ := fields[generationPast].(int64)
		if d.Name.Generation() > 1 {
			fields = maps.Clone(fields)
			delete(fields, generationPast)
			delete(fields, generationOpen)
		}
		return view.Document{Fields: fields, Version: len(d.Edits) + int(max(0, min(past, 1<<31-1)))}, nil
	}
	return view.Document{Fields: map[string]any{}}, nil
}

// Carries reports whether an edit only carries a document over, which is no event.
func Carries(chunk *doc.Chunk) (yes bool) {
	chunk.RootKeys(func(k doc.Touched) bool {
		yes = yes || k.Key == generationOpen || k.Key == generationPast
		return !yes
	})
	return yes
}

// Keep is Put, in the next generation when the document is full and this node may
// open it. Elsewhere a full document is limit_reached, until its home has.
func (e *Editing) Keep(ctx context.Context, set []doc.Field) error {
	_, err := e.Commit(ctx, set)
	return err
}

// Commit is Keep, and returns the id of the change, as Put does.
func (e *Editing) Commit(ctx context.Context, set []doc.Field) (change.ID, error) {
	id, err := e.Put(ctx, set)
	if reason.Of(err) != reason.LimitReached {
		return id, err
	}
	if err := e.open(ctx); err != nil {
		return change.ID{}, err
	}
	return e.Put(ctx, set)
}

// opener is the agent for which this node may open generations of a document.
func (n *Editor) opener(space change.Space, agent change.AgentID) (change.AgentID, bool) {
	if space == agent.Space() {
		return agent, true
	}
	for _, g := range n.core.Views.Guilds() {
		if (g.Space == space || change.TeamSpace(g.ID) == space) && n.directory.Homes(g) {
			return g.Founder, true
		}
	}
	return change.AgentID{}, false
}

// open carries the document over into its next generation. It refuses by
// limit_reached what this node may not open, and a state so large that the next
// generation would soon be full as well.
func (e *Editing) open(ctx context.Context) error {
	agent, may := e.n.opener(e.space, e.agent)
	if !may {
		return errFull.With(map[string]any{"home": false})
	}
	d, ok := e.n.core.Views.Document(e.space, e.name)
	if !ok {
		return errFull
	}
	state := maps.Clone(e.Now.Fields)
	dropDeleted(e.name, state)
	if size := sizeOfState(state); size > maxCarried {
		return errFull.With(map[string]any{"bytes": size, "max_bytes": maxCarried})
	}
	state[generationPast] = int64(e.Now.Version)
	w := &successor{e: e, agent: agent, name: d.Name.Next()}
	if err := w.carry(ctx, state); err != nil {
		return err
	}
	return e.read(ctx)
}

var errFull = reason.Refuse(reason.LimitReached, "the document is full")

// finish writes what is missing of a generation that an interrupted turn began.
func (e *Editing) finish(ctx context.Context) error {
	d, ok := e.n.core.Views.Document(e.space, e.name)
	if !ok || d.Name.Generation() < 2 {
		return nil
	}
	fields, err := e.n.Docs.Read(ctx, d)
	if err != nil || fields[generationOpen] == nil {
		return err
	}
	began, _ := fields[generationOpen].(int64)
	agent, may := e.n.opener(e.space, e.agent)
	if !may {
		return nil
	}
	state := maps.Clone(e.Now.Fields) // of the generation before
	dropDeleted(e.name, state)
	maps.DeleteFunc(state, func(key string, _ any) bool { _, there := fields[key]; return there })
	w := &successor{e: e, agent: agent, name: d.Name, began: int(max(1, min(began, doc.MaxEdits)))}
	if err := w.carry(ctx, state); err != nil {
		return err
	}
	return e.read(ctx)
}

func (e *Editing) read(ctx context.Context) (err error) {
	e.Now, err = e.n.Document(ctx, e.space, e.name)
	return err
}

// dropDeleted takes deleted tasks out of a board: they are not shown again.
func dropDeleted(name doc.Name, state map[string]any) {
	if name != core.BoardName {
		return
	}
	for id, c := range core.CardsOf(state) {
		if c.Deleted {
			maps.DeleteFunc(state, func(key string, _ any) bool { return len(key) > len(id) && key[:len(id)] == id && key[len(id)] == '/' })
		}
	}
}

func sizeOfState(state map[string]any) (size int) {
	for key, v := range state {
		size += len(key) + core.SizeOf(v)
	}
	return size
}

// successor writes a state into a generation.
type successor struct {
	e     *Editing
	agent change.AgentID
	name  doc.Name
	began int // edits that an interrupted turn wrote
}

// carry writes the state in edits of a bounded size, by key.
func (w *successor) carry(ctx context.Context, state map[string]any) error {
	var batches [][]doc.Field
	var batch []doc.Field
	size := 0
	for _, key := range slices.Sorted(maps.Keys(state)) {
		n := len(key) + core.SizeOf(state[key])
		if size+n > core.MaxBoardEdit && len(batch) > 0 {
			batches, batch, size = append(batches, batch), nil, 0
		}
		batch, size = append(batch, doc.Field{Key: key, Value: state[key]}), size+n
	}
	batches = append(batches, batch)
	last := len(batches) - 1
	for i, set := range batches {
		switch {
		case i < last:
			set = append(set, doc.Field{Key: generationOpen, Value: int64(w.began + i + 1)})
		case w.began > 0 || last > 0:
			set = append(set, doc.Field{Key: generationOpen})
		}
		if err := w.edit(ctx, set); err != nil {
			return err
		}
	}
	return nil
}

func (w *successor) edit(ctx context.Context, set []doc.Field) error {
	n := w.e.n
	_, err := n.write(ctx, w.agent, w.e.space, func(author did.Key) ([]byte, error) {
		var history [][]byte
		if d, ok := n.core.Views.Document(w.e.space, w.e.name); ok && d.Name == w.name {
			history = raws(d.Edits)
		}
		chunk, err := n.Docs.Engine.Edit(ctx, doc.EditRequest{History: history, Actor: doc.Actor(author, string(w.e.space), string(w.name)), Set: set})
		if err != nil {
			return nil, err
		}
		if _, err := doc.DecodeChunk(chunk); err != nil {
			return nil, err
		}
		return body.EncodeEdit(string(w.name), chunk)
	})
	return err
}

// OpenGenerations carries documents over that are nearly full, of the teams whose
// home is here, so that members elsewhere can go on. The node calls it by
// itself; it returns how many it carried over.
func (n *Editor) OpenGenerations(ctx context.Context) (opened int) {
	if n.Docs.Engine == nil {
		return 0
	}
	for _, g := range n.core.Views.Guilds() {
		if !n.directory.Tends(g) {
			continue
		}
		spaces := []change.Space{g.Space}
		if team := change.TeamSpace(g.ID); team != g.Space {
			spaces = append(spaces, team)
		}
		for _, space := range spaces {
			for _, name := range n.core.Views.DocumentsOf(space) {
				if n.carryOver(ctx, g.Founder, space, name) {
					opened++
				}
			}
		}
	}
	return opened
}

// carryOver opens the next generation of a document that is nearly full, and finishes
// the one that is there.
func (n *Editor) carryOver(ctx context.Context, agent change.AgentID, space change.Space, name doc.Name) (opened bool) {
	if d, ok := n.core.Views.Document(space, name); !ok || d.Name.Generation() < 2 && !n.nearlyFull(d.Edits) {
		return false
	}
	err := n.Edit(ctx, agent, space, name, func(e *Editing) error {
		d, ok := n.core.Views.Document(space, name) // under the lock, after what was to be finished
		if !ok || !n.nearlyFull(d.Edits) {
			return nil
		}
		opened = true
		return e.open(ctx)
	})
	if err != nil {
		n.core.Opt.Log.Warn("document not carried over", "space", string(space), "name", string(name), "err", err)
		return false
	}
	return opened
}

func sizeOfEdits(edits []doc.Edit) (size int) {
	for _, e := range edits {
		size += len(e.Chunk.Raw)
	}
	return size
}
