package core

import "github.com/meshd/meshd/crdt/reason"

// RefusedHere counts a refusal at the author's own door.
func (n *Core) RefusedHere(err error) { n.Meter.Refused(reason.Of(err), "door", 1) }
