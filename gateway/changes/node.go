package changes

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/view"
)

// Node is what this room needs of a node. Refusals are *reason.Refusal values.
type Node interface {
	// ChangesIn are the changes of a space after a local sequence, up to most, and
	// the sequence up to which was looked. What is not shown has no body.
	ChangesIn(ctx context.Context, space change.Space, after uint64, most int) (cs []*change.Change, reached uint64, err error)
	// TakeIn judges changes that were signed elsewhere and takes in those that
	// pass; the answer has a place for each. may is asked about new ones.
	TakeIn(ctx context.Context, cs []*change.Change, may view.Quota) ([]view.TakenIn, error)
}
