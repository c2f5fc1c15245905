package node

import (
	"context"

	"github.com/meshd/meshd/node/shared"
)

// Share has a node sign for the agents of a book, in turns with the other nodes that
// have it, and take in what those sign. The acting keys of its agents go into the book; the
// owner's stays in the vault. Call it once, before anything is written, and close the book
// after the node.
func Share(ctx context.Context, n *Node, book shared.Book) error {
	if err := n.Sharing.Open(ctx, book); err != nil {
		return err
	}
	n.Work.Go(func() { n.Sharing.Keep(n.working) })
	return nil
}
