package document

import (
	"context"
	"errors"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/ingest"
	"github.com/meshd/meshd/node/view"
	"github.com/meshd/meshd/node/writing"
)

// Document reads a document of a space; one that nobody wrote is empty, of
// version 0. What cannot be read now is not_ready.
func (n *Editor) Document(ctx context.Context, space change.Space, name doc.Name) (view.Document, error) {
	d, err := n.present(ctx, space, name)
	if err != nil {
		n.core.Opt.Log.Warn("document not readable", "space", string(space), "name", string(name), "err", err)
		return view.Document{}, reason.Refuse(reason.NotReady, "the document cannot be read now")
	}
	return d, nil
}

// Editing is one writer's turn at a document: it sees the newest state, and nobody
// else of this node writes in between.
type Editing struct {
	n     *Editor
	agent change.AgentID
	space change.Space
	name  doc.Name
	Now   view.Document // what the document says, newest generation and own edits included
}

// Edit gives f a turn at a document. f reads what the document says and calls
// Put, Keep or Write, perhaps several times.
func (n *Editor) Edit(ctx context.Context, agent change.AgentID, space change.Space, name doc.Name, f func(*Editing) error) error {
	if n.Docs.Engine == nil {
		return errNoDocuments
	}
	n.Docs.edit.Lock()
	defer n.Docs.edit.Unlock()
	now, err := n.Document(ctx, space, name)
	if err != nil {
		return err
	}
	e := &Editing{n, agent, space, name, now}
	if err := errors.Join(e.finish(ctx), e.late(ctx)); err != nil {
		return err
	}
	return f(e)
}

// Put sets fields of the root as one change and returns its id, zero when the
// document says so already. A document at its cap is limit_reached.
func (e *Editing) Put(ctx context.Context, set []doc.Field) (change.ID, error) {
	n := e.n
	rec, err := n.write(ctx, e.agent, e.space, func(author did.Key) ([]byte, error) {
		d, ok := n.core.Views.Document(e.space, e.name)
		if !ok {
			d.Name = e.name
		}
		chunk, err := n.Docs.Engine.Edit(ctx, doc.EditRequest{
			History: raws(d.Edits), Actor: doc.Actor(author, string(e.space), string(d.Name)), Set: set,
		})
		if err != nil {
			return nil, err
		}
		if err := fits(d, chunk); err != nil {
			return nil, err
		}
		return body.EncodeEdit(string(d.Name), chunk)
	})
	if errors.Is(err, doc.ErrNoChange) {
		return change.ID{}, nil
	}
	if err != nil {
		return change.ID{}, err
	}
	return rec.Change.ID, e.read(ctx)
}

// write signs an edit as an agent. A chunk names its author, so it is made again when
// the agent's key is rotated meanwhile.
func (n *Editor) write(ctx context.Context, agent change.AgentID, space change.Space, make func(author did.Key) ([]byte, error)) (ingest.Receipt, error) {
	for {
		sp, err := n.core.Author(agent)
		if err != nil {
			return ingest.Receipt{}, err
		}
		enc, err := make(sp.Signer.Key())
		if err != nil {
			return ingest.Receipt{}, err
		}
		rec, err := n.writing.WriteBy(ctx, agent, sp.Signer.Key(), ingest.Write{Space: space, Kind: change.KindDocEdit, Body: enc})
		if !errors.Is(err, writing.ErrTurned) || ctx.Err() != nil {
			return rec, err
		}
	}
}

// fits refuses a chunk that would have no effect, since it carries its document
// over a cap.
func fits(d fold.Document, chunk []byte) error {
	decoded, err := doc.DecodeChunk(chunk)
	if err != nil {
		return err
	}
	size, text := len(chunk), decoded.Text
	for _, e := range d.Edits {
		size += len(e.Chunk.Raw)
		text += e.Chunk.Text
	}
	if len(d.Edits) >= doc.MaxEdits || size > doc.MaxDocBytes || text > doc.MaxText {
		return errFull.
			With(map[string]any{"edits": len(d.Edits), "bytes": size, "max_edits": doc.MaxEdits, "max_bytes": doc.MaxDocBytes})
	}
	return nil
}
