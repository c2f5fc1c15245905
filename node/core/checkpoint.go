package core

import "github.com/meshd/meshd/crdt/reason"

// refusedHere counts a refusal at the author's own door.
func (n *Core) refusedHere(err error) { n.Meter.Refused(reason.Of(err), "door", 1) }
