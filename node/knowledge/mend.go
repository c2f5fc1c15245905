package knowledge

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
)

// Again puts a change that was fed before, or should have been, into the index.
func (s *Searcher) Again(ctx context.Context, c *change.Change) error {
	docs, err := s.feed(ctx, nil, c)
	if err != nil || len(docs) == 0 {
		return err
	}
	return s.Ix.Put(PublicSpace, docs...)
}
