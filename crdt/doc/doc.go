// Package doc contains the rules of shared documents: an agent's page, a room, a
// board, a project. What people edit together is carried by Automerge changes,
// one in each doc.edit; the signed changes are the truth and a document is
// only ever materialised from them.
//
// Automerge aborts its process on input it does not expect, so nothing reaches
// it unseen. DecodeChunk is the strict reader of one change chunk and is what
// validity means: one spelling for each value, known columns, operations in
// range. Order is what effect means: it puts the edits of a document in causal
// order and leaves out those that wait for a parent, stand above a cap or refer
// to what does not exist. Both are pure functions of bytes. What they let
// through goes to an Engine (package doc/automerge), which runs the library in
// a process of its own.
//
// Start: ParseName and Actor for the names; DecodeChunk for each edit; Order
// over all of them; Engine.Materialise with the raw chunks of the result.
//
// Do not compare documents by their state: heads are the identity of a state.
package doc

import (
	"bytes"
	"context"
	"errors"
	"slices"
)

// ErrNoChange is returned by Engine.Edit when the document already says what
// was asked for.
var ErrNoChange = errors.New("document already has these values")

// Engine reads and writes documents. Implementations are safe for concurrent
// use. Chunks are those DecodeChunk accepted, in the order Order gave; an
// engine does not retain or change them.
type Engine interface {
	// Materialise loads chunks and returns the state they make. No chunk at
	// all is the empty document.
	Materialise(ctx context.Context, chunks [][]byte) (State, error)

	// Edit returns one chunk that carries the document of r.History to the
	// fields of r.Set. It returns ErrNoChange when nothing would change.
	Edit(ctx context.Context, r EditRequest) (chunk []byte, err error)

	// Close ends the engine. Calls in flight fail.
	Close() error
}

// State is what a document says. The values of Root are nil, bool, int64,
// string, []byte, []any and map[string]any, nested; a live text reads as string.
type State struct {
	Root  map[string]any
	Heads [][32]byte // of the loaded chunks, ascending
}

// EditRequest asks for one edit.
type EditRequest struct {
	History [][]byte // chunks of the document so far, in causal order
	Actor   [16]byte // the author, see Actor
	Set     []Field  // at most one field for a key; any order
}

// Field sets one key of the root. Scalars are written as values; maps and lists
// replace what was there whole; a Text is written as live text, and where the
// key has one already only the difference is written, so that others' edits
// to it merge. A nil Value deletes the key.
type Field struct {
	Key   string
	Value any // nil, bool, int, int64, string, []byte, []any, map[string]any or Text
}

// Text is a value that becomes a live text: edited in place, character by
// character, by several authors at once.
type Text string

// Heads are the hashes among chunks that no other of them builds on, ascending.
func Heads(chunks []*Chunk) [][32]byte {
	inner := make(map[[32]byte]bool)
	for _, c := range chunks {
		for _, d := range c.Deps {
			inner[d] = true
		}
	}
	heads := [][32]byte{}
	for _, c := range chunks {
		if !inner[c.Hash] {
			heads = append(heads, c.Hash)
		}
	}
	slices.SortFunc(heads, func(a, b [32]byte) int { return bytes.Compare(a[:], b[:]) })
	return heads
}
