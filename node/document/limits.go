package document

import "github.com/meshd/meshd/crdt/doc"

// Limits of documents.
const (
	maxPages    = 1024                    // materialised documents kept in memory
	maxCarried  = doc.MaxDocBytes / 2     // bytes of a state; a larger one would soon fill the next generation too
	nearlyBytes = doc.MaxDocBytes * 7 / 8 // at which the home opens it, with room for an edit under way
	nearlyEdits = doc.MaxEdits * 7 / 8    // the same
)
