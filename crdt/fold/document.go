package fold

import (
	"slices"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/rights"
	"github.com/meshd/meshd/crdt/rules"
)

type docKey struct {
	space change.Space
	name  doc.Name
}

// base is the key that all generations of a document share.
func (k docKey) base() docKey { return docKey{k.space, doc.Name(k.name.Base())} }

// document is the edits of one generation of a document.
type document struct {
	key     docKey
	edits   []doc.Edit
	uses    map[change.ID]docUse
	ordered []doc.Edit
	waiting int
	heads   [][32]byte
	row     [32]byte
}

// docUse is what an edit was written with.
type docUse struct {
	agent     *agent
	authority *authority
	seq       uint64
}

// documentFold is the documents with their edits.
type documentFold struct {
	*rowSum
	*rightFold
	*agentFold
	docs      map[docKey]*document
	shelf     map[docKey][]*document  // the generations of a document, by its base name
	edited    map[change.ID]*document // by the id of each edit
	dirtyDocs map[docKey]*document
}

func newDocumentFold(rows *rowSum, rights *rightFold, agents *agentFold) documentFold {
	return documentFold{
		rowSum: rows, rightFold: rights, agentFold: agents,
		docs: map[docKey]*document{}, shelf: map[docKey][]*document{}, edited: map[change.ID]*document{}, dirtyDocs: map[docKey]*document{},
	}
}

// documentQueries answer about documents.
type documentQueries struct{ *guarded }

// Document is a document as its edits with effect make it.
type Document struct {
	Space   change.Space
	Name    doc.Name
	Edits   []doc.Edit // with effect, in causal order; must not be written to
	Heads   [][32]byte
	Waiting int // edits whose own past is not here
}

func (v *folded) applyEdit(c *change.Change, ch *rights.Chain) []Delta {
	b, err := rules.ParseEdit(c)
	if err != nil {
		return nil
	}
	if v.edited[c.ID] != nil {
		return nil
	}
	a := v.identity(c)
	if a == nil {
		return nil
	}
	d := v.addEdit(docKey{c.Head.Space, b.Doc}, doc.Edit{HLC: c.Head.HLC, ID: c.ID, Chunk: b.Chunk}, docUse{a, v.authority(c, ch), c.Head.Seq})
	v.forgetOpinion(c.ID)
	return v.docChanged(d, c)
}

// addEdit puts e on its document, which is ordered anew when next read, since
// ordering after each of thousands of edits would be quadratic.
func (v *documentFold) addEdit(k docKey, e doc.Edit, u docUse) *document {
	d := v.docs[k]
	if d == nil {
		d = &document{key: k, uses: map[change.ID]docUse{}}
		v.docs[k] = d
		base := k.base()
		v.shelf[base] = append(v.shelf[base], d)
	}
	d.edits = append(d.edits, e)
	d.uses[e.ID] = u
	v.edited[e.ID], v.dirtyDocs[k] = d, d
	v.each(u.agent, k.space, func(w *works) { w.addEdit(d, e.ID) })
	return d
}

func (v *folded) withdrawEdit(c *change.Change) []Delta {
	d := v.edited[c.ID]
	if d == nil {
		return nil
	}
	delete(v.edited, c.ID)
	v.forgetOpinion(c.ID)
	d.edits = slices.DeleteFunc(d.edits, func(e doc.Edit) bool { return e.ID == c.ID })
	delete(d.uses, c.ID)
	v.dirtyDocs[d.key] = d
	return v.docChanged(d, c)
}

func (v *documentFold) docChanged(d *document, c *change.Change) []Delta {
	var agent change.AgentID
	if a := v.identity(c); a != nil {
		agent = a.id
	}
	return []Delta{{Kind: DocChanged, ID: c.ID, Agent: agent, Space: d.key.space, Doc: string(d.key.name)}}
}

// settle orders the documents that changed. The caller holds the write lock.
func (v *documentFold) settle() {
	for k, d := range v.dirtyDocs {
		delete(v.dirtyDocs, k)
		for i := range d.edits {
			e := &d.edits[i]
			u := d.uses[e.ID]
			e.Cut = !v.rights.Judge(u.authority.use(e.ID, u.seq)).OK
		}
		var waiting []doc.Edit
		d.ordered, d.heads, waiting = doc.Order(d.edits)
		d.waiting = len(waiting)
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
func (v *documentQueries) Document(space change.Space, name doc.Name) (d Document, ok bool) {
	return v.newest(docKey{space, name}.base(), 0)
}

// DocumentBefore returns the newest generation with effect that is older than
// the one named.
func (v *documentQueries) DocumentBefore(space change.Space, name doc.Name) (d Document, ok bool) {
	return v.newest(docKey{space, name}.base(), name.Generation())
}

// newest is the newest generation with effect, below a generation unless that is 0.
func (v *documentQueries) newest(k docKey, below int) (d Document, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.settle()
	var best *document
	for _, d := range v.shelf[k] {
		g := d.key.name.Generation()
		if len(d.ordered) > 0 && (below == 0 || g < below) && (best == nil || g > best.key.name.Generation()) {
			best = d
		}
	}
	if best == nil {
		return d, false
	}
	return Document{k.space, best.key.name, best.ordered, best.heads, best.waiting}, true
}

// DocumentsOf are the base names of the documents that have been written in a space,
// sorted.
func (v *documentQueries) DocumentsOf(space change.Space) []doc.Name {
	v.mu.RLock()
	defer v.mu.RUnlock()
	var out []doc.Name
	for k := range v.shelf {
		if k.space == space {
			out = append(out, k.name)
		}
	}
	slices.Sort(out)
	return out
}

// Holders are the spaces in which a document of that base name has been written,
// in no order.
func (v *documentQueries) Holders(name doc.Name) []change.Space {
	v.mu.RLock()
	defer v.mu.RUnlock()
	var out []change.Space
	for k := range v.shelf {
		if k.name == name {
			out = append(out, k.space)
		}
	}
	return out
}
