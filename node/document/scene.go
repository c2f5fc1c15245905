package document

import (
	"context"
	"maps"
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
)

// succeed opens the next generation of a document that is full, with its whole
// present state as set changes it.
func (e *Editing) succeed(ctx context.Context, set []doc.Field) error {
	n := e.n
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
	_, err := n.write(ctx, e.agent, e.space, func(author did.Key) ([]byte, error) {
		chunk, err := n.Docs.Engine.Edit(ctx, doc.EditRequest{Actor: doc.Actor(author, string(e.space), string(next)), Set: whole})
		if err != nil {
			return nil, err
		}
		if _, err := doc.DecodeChunk(chunk); err != nil {
			return nil, err
		}
		return body.EncodeEdit(string(next), chunk)
	})
	if err != nil {
		return err
	}
	e.Now, err = n.Document(ctx, e.space, e.name)
	return err
}
