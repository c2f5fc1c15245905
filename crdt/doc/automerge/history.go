package automerge

import (
	"fmt"

	"github.com/meshd/meshd/crdt/doc"
)

// history is what a document is loaded from.
type history []*doc.Chunk

func decode(chunks [][]byte) (history, error) {
	h := make(history, len(chunks))
	for i, b := range chunks {
		c, err := doc.DecodeChunk(b)
		if err != nil {
			return nil, fmt.Errorf("decode chunk %d: %w", i, err)
		}
		h[i] = c
	}
	return h, nil
}

func (h history) raw() [][]byte {
	chunks := make([][]byte, len(h))
	for i, c := range h {
		chunks[i] = c.Raw
	}
	return chunks
}

func (h history) ops() uint64 {
	var n uint64
	for _, c := range h {
		n += c.Ops
	}
	return n
}
