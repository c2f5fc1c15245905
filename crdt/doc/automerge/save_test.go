//go:build cgo && (linux || darwin) && (amd64 || arm64)

package automerge

import (
	"os"
	"slices"

	am "github.com/automerge/automerge-go"
)

// testOnlySave ends the worker when a document of chunks cannot be saved and
// loaded again with the same heads. Saving rewrites every change from its
// operations: a chunk in any but the library's own spelling gets another hash.
func testOnlySave(chunks [][]byte) {
	d, err := load(chunks)
	if err != nil {
		os.Exit(6)
	}
	again, err := am.Load(d.Save())
	if err != nil || !slices.Equal(heads(again), heads(d)) {
		os.Exit(7)
	}
}
