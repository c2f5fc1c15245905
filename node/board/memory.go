package board

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/document"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/view"
)

// memoryName is the document of a name.
func memoryName(name string) (doc.Name, error) {
	full, err := doc.ParseName(view.MemoryPrefix + name)
	if err != nil || name == "" || full.Generation() != 1 {
		return "", reason.Refuse(reason.InvalidParam, "the name of a document has 1 to %d of a-z, 0-9, . _ - and /", view.MaxMemoryName).
			With(map[string]any{"param": "doc"})
	}
	return full, nil
}

// Memory reads a document of a space; one that nobody wrote is empty.
func (n *Boards) Memory(ctx context.Context, space change.Space, name string) (view.Memory, error) {
	full, err := memoryName(name)
	if err != nil {
		return view.Memory{}, err
	}
	return n.memoryOf(ctx, space, full)
}

// Memories are the names of the documents that were written in a space, sorted. One that
// was emptied since is among them.
func (n *Boards) Memories(_ context.Context, space change.Space) ([]string, error) {
	var out []string
	for _, name := range n.core.Views.DocumentsOf(space) {
		if short, is := view.MemoryName(string(name)); is {
			out = append(out, short)
		}
	}
	return out, nil
}

func (n *Boards) memoryOf(ctx context.Context, space change.Space, name doc.Name) (view.Memory, error) {
	now, err := n.document.Document(ctx, space, name)
	if err != nil {
		return view.Memory{}, err
	}
	m := view.Memory{Document: now}
	d, _ := n.core.Views.Document(space, name)
	for _, e := range d.Edits {
		m.Edits = append(m.Edits, view.MemoryEdit{ID: e.ID, Actor: e.Chunk.Actor, Seq: e.Chunk.Seq, At: core.TimeOf(e.HLC), Chunk: e.Chunk.Raw})
	}
	return m, nil
}

// EditMemory lets set say which fields of a document an agent changes, of what it
// says now, and writes them as one change, whose id is zero when it says so
// already. With ifVersion ≥ 0 it refuses by version_conflict when the document is
// at another version.
func (n *Boards) EditMemory(ctx context.Context, agent change.AgentID, space change.Space, name string, ifVersion int,
	set func(now map[string]any) ([]doc.Field, error),
) (m view.Memory, written change.ID, err error) {
	full, err := memoryName(name)
	if err != nil {
		return m, written, err
	}
	err = n.document.Edit(ctx, agent, space, full, func(e *document.Editing) error {
		if ifVersion >= 0 && ifVersion != e.Now.Version {
			return reason.Refuse(reason.VersionConflict, "the document changed since it was read").
				With(map[string]any{"current_version": e.Now.Version})
		}
		fields, err := set(e.Now.Fields)
		if err != nil {
			return err
		}
		if len(fields) == 0 {
			return nil
		}
		written, err = e.Commit(ctx, fields)
		return err
	})
	if err != nil {
		return m, written, err
	}
	m, err = n.memoryOf(ctx, space, full)
	return m, written, err
}

// MemoryNews reports an edit of such a document, by its public id.
func MemoryNews(d fold.Delta) ([]events.Event, bool) {
	name, is := view.MemoryName(doc.Name(d.Doc).Base())
	if d.Kind != fold.DocChanged || !is {
		return nil, false
	}
	owner := ""
	if agent, ok := d.Space.Agent(); ok {
		owner = agent.String()
	} else if guild, ok := d.Space.Guild(); ok && d.Space.Area() == change.AreaTeam {
		owner = guild.Text(change.PrefixGuild)
	}
	if owner == "" {
		return nil, true
	}
	return []events.Event{{Kind: events.SocialStep, Space: string(d.Space), Object: view.MemoryID(owner, name),
		Data: events.Step{Name: "doc.updated", Fields: map[string]any{"change": d.ID.Text(change.PrefixChange)}}}}, true
}
