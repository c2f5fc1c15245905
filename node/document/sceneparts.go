package document

import (
	"context"
	"reflect"

	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
)

// A source that does not fit one change lies in parts: each is a document of its
// own in the agent's space, named by the hash of its text and written once, and
// the scene's document says which parts make the source, in order, with the hash
// of the whole. The parts are written first. A reader takes nothing from them
// before all hashes agree, so no mixture of two sources is ever shown.

// Names of a source that lies in parts.
const (
	PartName    = "project/scene/" // a part's document, with the hash of its text behind
	PartText    = "text"           // field of a part
	SourceField = "source"         // field of the scene
)

// Part is a piece of a source.
type Part struct {
	Hash  string // of the text of the part; it names its document
	Texts []any  // as they stand in a document
}

func (p *Part) name() doc.Name { return doc.Name(PartName + p.Hash) }

// PutParts writes the parts that are not there yet.
func (e *Editing) PutParts(ctx context.Context, parts []Part) error {
	for _, p := range parts {
		now, err := e.n.Document(ctx, e.space, p.name())
		if err != nil {
			return err
		}
		if reflect.DeepEqual(now.Fields[PartText], p.Texts) {
			continue
		}
		at := &Editing{e.n, e.agent, e.space, p.name(), now}
		if err := at.Write(ctx, []doc.Field{{Key: PartText, Value: p.Texts}}); err != nil {
			return err
		}
	}
	return nil
}

// Write is Put, in the next generation when the document is full. It does not ask who may
// open that, so it is for documents that one agent alone writes.
func (e *Editing) Write(ctx context.Context, set []doc.Field) error {
	_, err := e.Put(ctx, set)
	if reason.Of(err) == reason.LimitReached {
		err = e.succeed(ctx, set)
	}
	return err
}
