package document

import (
	"context"
	"errors"
	"sync"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/view"
)

// PageName is the document that an agent's profile lies in.
const PageName doc.Name = "page"

// Documents materialise and edit documents through the engine, and remember
// what they were at their heads.
type Documents struct {
	Engine doc.Engine // nil in a build without one
	edit   sync.Mutex // one edit of ours at a time, so that edits build on one another
	mu     sync.Mutex
	roots  map[string]root // by space and name
}

type root struct {
	heads  [][32]byte
	fields map[string]any
}

// NewDocuments returns the Documents of an engine, which they close; nil in a build without
// one.
func NewDocuments(e doc.Engine) *Documents { return &Documents{Engine: e, roots: map[string]root{}} }

// Close ends the engine.
func (d *Documents) Close() error {
	if d.Engine == nil {
		return nil
	}
	return d.Engine.Close()
}

var errNoDocuments = reason.Refuse(reason.NotReady, "this build has no document engine")

// Read is what a document says at its root. The map is shared with other readers and must
// not be changed. Without an engine a document that was not read before is not_ready.
func (d *Documents) Read(ctx context.Context, dc fold.Document) (map[string]any, error) {
	key := string(dc.Space) + "\x00" + string(dc.Name)
	d.mu.Lock()
	r, ok := d.roots[key]
	d.mu.Unlock()
	if ok && EqualHeads(r.heads, dc.Heads) {
		return r.fields, nil
	}
	if d.Engine == nil {
		return nil, errNoDocuments
	}
	state, err := d.Engine.Materialise(ctx, raws(dc.Edits))
	if err != nil {
		return nil, err
	}
	if !EqualHeads(state.Heads, dc.Heads) {
		return nil, errors.New("document engine came to other heads than the decoder")
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.roots) >= maxPages {
		clear(d.roots)
	}
	d.roots[key] = root{dc.Heads, state.Root}
	return state.Root, nil
}

// EqualHeads reports whether two lists of heads are the same, in the same order.
func EqualHeads(a, b [][32]byte) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func raws(edits []doc.Edit) [][]byte {
	out := make([][]byte, len(edits))
	for i, e := range edits {
		out[i] = e.Chunk.Raw
	}
	return out
}

// Page returns an agent's page. An agent that never wrote one has an empty page
// of version 0. A page that cannot be read now is not_ready.
func (n *Editor) Page(ctx context.Context, id change.AgentID) (view.Page, error) {
	a, err := n.directory.Agent(ctx, id)
	if err != nil {
		return view.Page{}, err
	}
	d, err := n.Document(ctx, id.Space(), PageName)
	if err != nil {
		return view.Page{Agent: a, Fields: map[string]any{}}, err
	}
	return view.Page{Agent: a, Version: d.Version, Fields: d.Fields}, nil
}

// EditPage sets fields at the root of the page of an agent hosted here and
// returns the page as it then is. With ifVersion ≥ 0 it refuses by
// version_conflict when the page is at another version. Setting what is already
// so writes nothing.
func (n *Editor) EditPage(ctx context.Context, id change.AgentID, set []doc.Field, ifVersion int) (view.Page, error) {
	if _, err := n.core.Author(id); err != nil {
		return view.Page{}, err
	}
	err := n.Edit(ctx, id, id.Space(), PageName, func(e *Editing) error {
		if ifVersion >= 0 && ifVersion != e.Now.Version {
			return reason.Refuse(reason.VersionConflict, "the page changed since it was read").
				With(map[string]any{"current_version": e.Now.Version})
		}
		return e.Keep(ctx, set)
	})
	if err != nil {
		return view.Page{}, err
	}
	return n.Page(ctx, id)
}
