package body

import (
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
)

// Edit is the body of doc.edit: one chunk of a document.
type Edit struct {
	Doc   doc.Name
	Raw   []byte // the chunk's bytes
	Chunk *doc.Chunk
}

// ParseEdit is the row of doc.edit. The chunk passes the strict decoder; its
// actor must be the one that author and space give.
func ParseEdit(b []byte, actor func(name string) [16]byte) (Edit, error) {
	r := parse(b)
	// What is absent or of another type is no name and no chunk.
	name, _ := r.m["doc"].(string)
	var v Edit
	v.Raw, _ = r.m["chunk"].([]byte)
	err := r.refusal()
	if err != nil {
		return v, err
	}
	if v.Doc, err = doc.ParseName(name); err != nil {
		return v, reason.Refuse(reason.BadEncoding, "body: %v", err)
	}
	if v.Chunk, err = doc.DecodeChunk(v.Raw); err != nil {
		return v, err
	}
	if v.Chunk.Actor != actor(name) {
		return v, reason.Refuse(reason.BadEncoding, "the chunk's actor is not that of its author, space and document")
	}
	return v, nil
}

// EncodeEdit returns the canonical body of an edit of the document name.
func EncodeEdit(name string, chunk []byte) ([]byte, error) {
	return encode(cbor.Map{"doc": name, "chunk": chunk})
}

// EditedDoc reads the name of the document alone, of a body that was judged
// before.
func EditedDoc(b []byte) (name string, ok bool) {
	name, ok = parse(b).m["doc"].(string)
	return name, ok
}
