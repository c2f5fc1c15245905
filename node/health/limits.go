package health

import "time"

// Limits of looking after a node.
const (
	maxOwnBehind = 2000 // own changes that cannot be found yet, from which on their lag counts
	diskPoll     = time.Second
	partsPoll    = 5 * time.Second // between two looks at how the parts are
	partsQuiet   = time.Minute     // without a failure, after which a service that was started again is well
)
