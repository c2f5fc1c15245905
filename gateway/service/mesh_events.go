package service

import (
	"context"

	"github.com/meshd/meshd/node/events"
)

// Happenings are what the node tells of itself, for the stream of events.
type Happenings interface {
	// Events is the bus.
	Events() *events.Bus
	// News retells what at most most changes after a local sequence led to, and
	// returns the sequence up to which it does.
	News(ctx context.Context, after uint64, most int) (news []events.Event, reached uint64, err error)
	// EntryStands reports whether an entry, by its public id, is in the view.
	EntryStands(id string) bool
}
