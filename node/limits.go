package node

import (
	"time"

	"github.com/meshd/meshd/node/core"
)

const (
	nearSpan   = uint64(core.NearWindow/time.Millisecond) << 10 // the same in logical time
	purgeBatch = 256                                            // bodies purged while the committer waits
	maxGifts   = 500                                            // rows of what one peer gave
	markKept   = 30 * 24 * time.Hour                            // memory of an idempotency key; the faces remember it for a day
	sweepEvery = 24 * time.Hour
	leasePoll  = 30 * time.Second // between two looks at claims that end
)
