package worldtest

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
)

// Chunk is one Automerge change by actor that sets the key of the root, not set
// before, to a text. Its place is seq among the actor's and startOp among all
// operations; deps are the hashes of the chunks it builds on.
func Chunk(actor [16]byte, seq, startOp uint64, deps [][32]byte, key, value string) []byte {
	deps = slices.Clone(deps)
	slices.SortFunc(deps, func(a, b [32]byte) int { return bytes.Compare(a[:], b[:]) })
	b := binary.AppendUvarint(nil, uint64(len(deps)))
	for _, d := range deps {
		b = append(b, d[:]...)
	}
	b = append(append(b, 16), actor[:]...)
	b = binary.AppendUvarint(b, seq)
	b = binary.AppendUvarint(b, startOp)
	b = append(b, 0, 0, 0) // time, message, other actors

	// One row in each column; 0x7f begins a literal run of one.
	type column struct {
		spec byte
		data []byte
	}
	columns := []column{
		{0x15, append([]byte{0x7f, byte(len(key))}, key...)}, // key
		{0x34, []byte{1}},       // one that inserts nothing
		{0x42, []byte{0x7f, 1}}, // set
		{0x56, append([]byte{0x7f}, binary.AppendUvarint(nil, uint64(len(value))<<4|6)...)}, // a text of that length
		{0x57, []byte(value)},
		{0x70, []byte{0x7f, 0}}, // no predecessor
	}
	columns = slices.DeleteFunc(columns, func(c column) bool { return len(c.data) == 0 })
	b = append(b, byte(len(columns)))
	for _, c := range columns {
		b = binary.AppendUvarint(append(b, c.spec), uint64(len(c.data)))
	}
	for _, c := range columns {
		b = append(b, c.data...)
	}
	hashed := append(binary.AppendUvarint([]byte{1}, uint64(len(b))), b...)
	sum := sha256.Sum256(hashed)
	return append(append([]byte{0x85, 0x6f, 0x4a, 0x83}, sum[:4]...), hashed...)
}

// Edit writes a doc.edit that carries chunk.
func (a *Author) Edit(space change.Space, name string, chunk []byte) *change.Change {
	b, err := body.EncodeEdit(name, chunk)
	if err != nil {
		panic(fmt.Sprintf("encode edit: %v", err))
	}
	return a.Change(change.KindDocEdit, space, b, Options{})
}

// Actor is a's actor in a document.
func (a *Author) Actor(space change.Space, name string) [16]byte {
	return doc.Actor(a.Key.Key(), string(space), name)
}
