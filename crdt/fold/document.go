package fold

import (
	"slices"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/rules"
)

type docKey struct {
	space change.Space
	name  doc.Name
}

// document is the edits of one generation of a document.
type document struct {
	key     docKey
	edits   []doc.Edit
	ordered []doc.Edit
	heads   [][32]byte
	row     [32]byte
}

// Document is a document as its edits with effect make it.
type Document struct {
	Space   change.Space
	Name    doc.Name
	Edits   []doc.Edit // with effect, in causal order; must not be written to
	Heads   [][32]byte
	Waiting int // edits whose own past is not here
}

func (v *Views) applyEdit(c *change.Change) []Delta {
	b, err := rules.ParseEdit(c)
	if err != nil {
		return nil
	}
	k := docKey{c.Head.Space, b.Doc}
	d := v.docs[k]
	if d == nil {
		d = &document{key: k}
		v.docs[k] = d
	}
	if slices.ContainsFunc(d.edits, func(e doc.Edit) bool { return e.ID == c.ID }) {
		return nil
	}
	d.edits = append(d.edits, doc.Edit{HLC: c.Head.HLC, ID: c.ID, Chunk: b.Chunk})
	return v.docChanged(d, c)
}

func (v *Views) withdrawEdit(c *change.Change) []Delta {
	for _, d := range v.docs {
		if d.key.space != c.Head.Space {
			continue
		}
		if i := slices.IndexFunc(d.edits, func(e doc.Edit) bool { return e.ID == c.ID }); i >= 0 {
			d.edits = slices.Delete(d.edits, i, i+1)
			return v.docChanged(d, c)
		}
	}
	return nil
}

// docChanged puts the document aside; it is ordered anew when next read, since
// ordering after each of thousands of edits would be quadratic.
func (v *Views) docChanged(d *document, c *change.Change) []Delta {
	v.dirtyDocs[d.key] = d
	var agent change.AgentID
	if a := v.identity(c); a != nil {
		agent = a.id
	}
	return []Delta{{Kind: DocChanged, ID: c.ID, Agent: agent, Space: d.key.space, Doc: string(d.key.name)}}
}

// settle orders the documents that changed. The caller holds the write lock.
func (v *Views) settle() {
	for k, d := range v.dirtyDocs {
		delete(v.dirtyDocs, k)
		d.ordered, d.heads, _ = doc.Order(d.edits)
		if len(d.ordered) == 0 {
			v.dropRow(&d.row)
			continue
		}
		v.setRow(&d.row, docRow(d))
	}
}

// docRow is ["doc", id, {heads}].
func docRow(d *document) []byte {
	heads := make([]any, len(d.heads))
	for i := range d.heads {
		heads[i] = d.heads[i][:]
	}
	return row("doc", doc.ID(string(d.key.space), string(d.key.name)), cbor.Map{"heads": heads})
}

// Document returns the newest generation of a document that has an edit with
// effect; name is its base name. ok is false when there is none.
func (v *Views) Document(space change.Space, name doc.Name) (d Document, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.settle()
	var best *document
	for k, c := range v.docs {
		if k.space == space && k.name.Base() == name.Base() && len(c.ordered) > 0 &&
			(best == nil || k.name.Generation() > best.key.name.Generation()) {
			best = c
		}
	}
	if best == nil {
		return d, false
	}
	return Document{space, best.key.name, best.ordered, best.heads, len(best.edits) - len(best.ordered)}, true
}
