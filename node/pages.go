package node

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

// pageName is the document that an agent's profile lies in.
const pageName doc.Name = "page"

// documents materialise and edit documents through the engine, and remember
// what they were at their heads.
type documents struct {
	engine doc.Engine // nil in a build without one
	edit   sync.Mutex // one edit of ours at a time, so that edits build on one another
	mu     sync.Mutex
	roots  map[string]root // by space and name
}

type root struct {
	heads  [][32]byte
	fields map[string]any
}

func newDocuments(e doc.Engine) *documents { return &documents{engine: e, roots: map[string]root{}} }

func (d *documents) close() error {
	if d.engine == nil {
		return nil
	}
	return d.engine.Close()
}

var errNoDocuments = reason.Refuse(reason.NotReady, "this build has no document engine")

func (d *documents) read(ctx context.Context, dc fold.Document) (map[string]any, error) {
	key := string(dc.Space) + "\x00" + string(dc.Name)
	d.mu.Lock()
	r, ok := d.roots[key]
	d.mu.Unlock()
	if ok && equalHeads(r.heads, dc.Heads) {
		return r.fields, nil
	}
	if d.engine == nil {
		return nil, errNoDocuments
	}
	state, err := d.engine.Materialise(ctx, raws(dc.Edits))
	if err != nil {
		return nil, err
	}
	if !equalHeads(state.Heads, dc.Heads) {
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

func equalHeads(a, b [][32]byte) bool {
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
func (n *Node) Page(ctx context.Context, id change.AgentID) (view.Page, error) {
	a, err := n.Agent(ctx, id)
	if err != nil {
		return view.Page{}, err
	}
	d, err := n.document(ctx, id.Space(), pageName)
	if err != nil {
		return view.Page{Agent: a, Fields: map[string]any{}}, err
	}
	return view.Page{Agent: a, Version: d.Version, Fields: d.Fields}, nil
}

// EditPage sets fields at the root of the page of an agent homed here and
// returns the page as it then is. With ifVersion ≥ 0 it refuses by
// version_conflict when the page is at another version. Setting what is already
// so writes nothing.
func (n *Node) EditPage(ctx context.Context, id change.AgentID, set []doc.Field, ifVersion int) (view.Page, error) {
	if _, err := n.speaker(id); err != nil {
		return view.Page{}, err
	}
	err := n.edit(ctx, id, id.Space(), pageName, func(e *editing) error {
		if ifVersion >= 0 && ifVersion != e.now.Version {
			return reason.Refuse(reason.VersionConflict, "the page changed since it was read").
				With(map[string]any{"current_version": e.now.Version})
		}
		return e.keep(ctx, set)
	})
	if err != nil {
		return view.Page{}, err
	}
	return n.Page(ctx, id)
}
