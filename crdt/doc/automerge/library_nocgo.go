//go:build !cgo || !(linux || darwin) || !(amd64 || arm64)

package automerge

import "github.com/meshd/meshd/crdt/doc"

// supported is false: the library is native code and this build has none.
// New and ServeWorker refuse before anything below is reached.
const supported = false

func confine() error { return ErrUnsupported }

func materialise([][]byte) (doc.State, error) { return doc.State{}, ErrUnsupported }

func edit(doc.EditRequest) ([][32]byte, []byte, error) { return nil, nil, ErrUnsupported }
