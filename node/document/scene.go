package document

import (
	"context"
	"maps"
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/ingest"
)

// succeed opens the next generation of a document that is full, with its whole
// present state as set changes it.
func (e *Editing) succeed(ctx context.Context, set []doc.Field) error {
	n := e.n
	sp, err := n.core.Author(e.agent)
	if err != nil {
		return err
	}
	d, ok := n.core.Views.Document(e.space, e.name)
	if !ok {
		return reason.Refuse(reason.ChangeTooLarge, "the document does not fit one change")
	}
	state := maps.Clone(e.Now.Fields)
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
	chunk, err := n.Docs.Engine.Edit(ctx, doc.EditRequest{Actor: doc.Actor(sp.Signer.Key(), string(e.space), string(next)), Set: whole})
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
	if _, err := n.writing.Write(ctx, e.agent, ingest.Write{Space: e.space, Kind: change.KindDocEdit, Body: enc}); err != nil {
		return err
	}
	e.Now, err = n.Document(ctx, e.space, e.name)
	return err
}
