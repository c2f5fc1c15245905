package view

import (
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/change"
)

// Memory is a shared document that programs keep what they know in.
type Memory struct {
	Document
	Edits []MemoryEdit // of the newest generation, in causal order
}

// MemoryEdit is one edit with effect.
type MemoryEdit struct {
	ID    change.ID
	Actor [16]byte
	Seq   uint64 // 1 for the first of its actor
	At    time.Time
	Chunk []byte // as it was written; read-only
}

// MaxMemoryName is how many characters the name of a document has at most.
const MaxMemoryName = 73

// MemoryPrefix is before the names of documents that programs keep what they know in,
// apart from those with a form of their own.
const MemoryPrefix = "project/memory/"

// MemoryName is the name of such a document by its name in the log, without a generation.
func MemoryName(base string) (name string, ok bool) { return strings.CutPrefix(base, MemoryPrefix) }

// MemoryID is the public id of a document: whose it is, a dot, its name.
func MemoryID(owner, name string) string { return owner + "." + name }
