package incident

import "time"

const (
	Kept     = 200 // kept; the oldest that is over goes first
	maxCause = 200 // bytes of a cause
	looks    = 2   // in a row at which a component must be unwell: a moment is no incident

	tolerated = 5               // failures in a row before a breaker opens
	firstRest = 5 * time.Second // it stays open; twice as long each time it fails again
	longest   = 5 * time.Minute // and never longer
)
